# Triage report: every open issue in acme/widgets, paged, grouped by label.
from collections import Counter, defaultdict
from datetime import datetime, timezone

OWNER, REPO = "acme", "widgets"
PER_PAGE = 20
NOW = datetime(2024, 6, 1, tzinfo=timezone.utc)


def fetch_all():
    page = 1
    while True:
        batch = github_reference.list_issues(owner=OWNER, repo=REPO, state="open", per_page=PER_PAGE, page=page)
        if not batch:
            break
        yield from batch
        if len(batch) < PER_PAGE:
            break
        page += 1


def parse_ts(s):
    return datetime.strptime(s, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


issues = [i for i in fetch_all() if "pull_request" not in i]
print(f"{len(issues)} open issues (pull requests excluded)")

by_label = Counter()
by_assignee = defaultdict(list)
unlabelled = []
for issue in issues:
    names = [l["name"] for l in issue["labels"]]
    by_label.update(names)
    if not names:
        unlabelled.append(issue["number"])
    who = (issue.get("assignee") or {}).get("login", "(nobody)")
    by_assignee[who].append(issue)

print("\n| Label | Count | Share |")
print("|:------|------:|------:|")
for label, n in sorted(by_label.items(), key=lambda kv: (-kv[1], kv[0].lower())):
    print(f"| {label} | {n} | {n / len(issues):.1%} |")

print("\nWorkload")
for who in sorted(by_assignee, key=lambda w: (-len(by_assignee[w]), w)):
    numbers = ", ".join(f"#{i['number']}" for i in by_assignee[who][:6])
    more = len(by_assignee[who]) - 6
    print(f"  {who:<12}{len(by_assignee[who]):>3}  {numbers}{f' (+{more} more)' if more > 0 else ''}")

# stale = not touched for 60 days and nobody talks about it
stale = []
for issue in issues:
    idle = (NOW - parse_ts(issue["updated_at"])).days
    if idle >= 60 and issue["comments"] <= 1:
        stale.append((idle, issue["number"], issue["title"].strip().replace("|", "\\|")))
stale.sort(reverse=True)

print(f"\n{len(stale)} stale issues, oldest first:")
for idle, number, title in stale[:10]:
    print(f"- #{number} ({idle}d) {title}")

commented = []
for idle, number, _ in stale[:3]:
    github_reference.add_issue_comment(
        owner=OWNER, repo=REPO, issue_number=number,
        body=f"This issue has been idle for {idle} days. Is it still relevant?",
    )
    commented.append(number)

no_body = [i["number"] for i in issues if not (i["body"] or "").strip()]

result = {
    "total": len(issues),
    "top_labels": by_label.most_common(3),
    "unlabelled": unlabelled,
    "stale": [n for _, n, _ in stale],
    "commented": commented,
    "no_body": len(no_body),
}
