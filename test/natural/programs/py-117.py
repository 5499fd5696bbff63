OWNER, REPO = "acme", "legacy-app"
PROJECT = "acme/new-app"

LABEL_MAP = {
    "bug": "type::bug",
    "enhancement": "type::feature",
    "question": "type::support",
    "p1": "priority::high",
    "p2": "priority::medium",
}
USERS = {"lena-gh": 41, "raj": 57}

source = github.list_issues(owner=OWNER, repo=REPO, state="open", per_page=100)
existing = gitlab.list_issues(project_id=PROJECT, search="Migrated from GitHub", per_page=100)

already = set()
for issue in existing:
    for line in (issue.get("description") or "").splitlines():
        if line.startswith("Migrated from GitHub #"):
            already.add(int(line.rsplit("#", 1)[1].rstrip(".")))

known_labels = {l["name"] for l in gitlab.list_labels(project_id=PROJECT)}

created, skipped, failed = [], [], []
for issue in sorted(source, key=lambda i: i["number"]):
    if "pull_request" in issue:
        continue
    number = issue["number"]
    if number in already:
        skipped.append(number)
        continue

    labels = []
    for label in issue["labels"]:
        mapped = LABEL_MAP.get(label["name"].lower(), label["name"])
        if mapped not in known_labels:
            gitlab.create_label(project_id=PROJECT, name=mapped, color="#6699cc")
            known_labels.add(mapped)
            print(f"created label {mapped}")
        labels.append(mapped)

    assignees = [USERS[a["login"]] for a in issue.get("assignees", []) if a["login"] in USERS]
    body = issue["body"] or "_No description._"
    description = f"{body}\n\n---\nMigrated from GitHub #{number}.\nOriginal author: @{issue['user']['login']}"

    try:
        new = gitlab.create_issue(
            project_id=PROJECT,
            title=issue["title"],
            description=description,
            labels=labels,
            assignee_ids=assignees,
        )
    except Exception as e:
        failed.append({"number": number, "error": str(e)})
        print(f"#{number} FAILED: {e}")
        continue

    github.add_issue_comment(owner=OWNER, repo=REPO, issue_number=number, body=f"Moved to {new['web_url']}")
    github.update_issue(owner=OWNER, repo=REPO, issue_number=number, state="closed")
    created.append({"from": number, "to": new["iid"]})
    print(f"#{number} -> !{new['iid']} {issue['title']} [{', '.join(labels)}]")

print(f"\n{len(created)} migrated, {len(skipped)} already there, {len(failed)} failed")
result = {"created": created, "skipped": skipped, "failed": failed}
