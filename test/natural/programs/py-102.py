from datetime import datetime, timedelta, timezone

OWNER, REPO = "acme", "storefront"
today = datetime(2025, 6, 2, tzinfo=timezone.utc)
cutoff = today - timedelta(days=60)

issues = []
page = 1
while True:
    batch = github.list_issues(owner=OWNER, repo=REPO, state="open", per_page=15, page=page)
    if not batch:
        break
    # the issues API also returns pull requests
    issues.extend(i for i in batch if "pull_request" not in i)
    if len(batch) < 15:
        break
    page += 1

print(f"{len(issues)} open issues on {page} page(s)")

EXEMPT = {"pinned", "security", "roadmap"}
stale = []
for issue in issues:
    labels = {l["name"].lower() for l in issue.get("labels", [])}
    if labels & EXEMPT:
        continue
    updated = datetime.fromisoformat(issue["updated_at"].replace("Z", "+00:00"))
    if updated < cutoff:
        stale.append({
            "number": issue["number"],
            "title": issue["title"],
            "assignee": (issue.get("assignee") or {}).get("login", "nobody"),
            "days": (today - updated).days,
            "comments": issue.get("comments", 0),
            "labels": sorted(labels),
        })

stale.sort(key=lambda i: i["days"], reverse=True)

print(f"{len(stale)} stale (no activity for 60+ days):\n")
for i in stale:
    print(f"#{i['number']:<5} {i['days']:>4}d  {i['assignee']:<12} {i['title'][:60]}")

by_assignee = {}
for i in stale:
    by_assignee.setdefault(i["assignee"], []).append(i["number"])

print("\nBy assignee:")
for who, numbers in sorted(by_assignee.items(), key=lambda kv: (-len(kv[1]), kv[0])):
    print(f"  {who}: {', '.join('#' + str(n) for n in numbers)}")

result = {"open": len(issues), "stale": stale, "by_assignee": by_assignee}
