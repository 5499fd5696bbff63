from collections import Counter
from pathlib import PurePosixPath

owner, repo = "acme", "platform"

prs = github.list_pull_requests(owner=owner, repo=repo, state="open", per_page=30)
summaries = []

for pr in prs:
    number = pr["number"]
    files = github.get_pull_request_files(owner=owner, repo=repo, pull_number=number)
    reviews = github.get_pull_request_reviews(owner=owner, repo=repo, pull_number=number)
    try:
        status = github.get_pull_request_status(owner=owner, repo=repo, pull_number=number)["state"]
    except Exception:
        status = "unknown"

    # only the last review of each person counts
    latest = {}
    for review in reviews:
        if review["state"] in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED"):
            latest[review["user"]["login"]] = review["state"]
    votes = Counter(latest.values())

    if pr.get("draft"):
        verdict = "draft"
    elif votes["CHANGES_REQUESTED"]:
        verdict = "changes requested"
    elif votes["APPROVED"] and status == "success":
        verdict = "ready to merge"
    elif votes["APPROVED"]:
        verdict = f"approved, CI {status}"
    else:
        verdict = "needs review"

    additions = sum(f["additions"] for f in files)
    deletions = sum(f["deletions"] for f in files)
    areas = Counter(PurePosixPath(f["filename"]).parts[0] for f in files)
    has_tests = any("test" in f["filename"].lower() for f in files)

    summaries.append({
        "number": number,
        "title": pr["title"].replace("|", "\\|"),
        "author": pr["user"]["login"] if pr["user"] else "ghost",
        "verdict": verdict,
        "size": additions + deletions,
        "diff": f"+{additions}/-{deletions}",
        "area": areas.most_common(1)[0][0] if areas else "-",
        "tests": "yes" if has_tests else "no",
    })

order = ["ready to merge", "needs review", "changes requested", "draft"]
summaries.sort(key=lambda s: (order.index(s["verdict"]) if s["verdict"] in order else len(order), s["size"]))

print("| PR | Title | Author | Area | Diff | Tests | Status |")
print("|---:|---|---|---|---:|:-:|---|")
for s in summaries:
    title = s["title"] if len(s["title"]) <= 45 else s["title"][:44] + "…"
    print(f"| #{s['number']} | {title} | {s['author']} | {s['area']} | {s['diff']} | {s['tests']} | {s['verdict']} |")

counts = Counter(s["verdict"] for s in summaries)
print()
print(", ".join(f"{n} {v}" for v, n in counts.most_common()))
big = [s["number"] for s in summaries if s["size"] > 500]
if big:
    print("Consider splitting:", ", ".join(f"#{n}" for n in big))
result = {"counts": dict(counts), "ready": [s["number"] for s in summaries if s["verdict"] == "ready to merge"]}
