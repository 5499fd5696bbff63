import asyncio
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed

OWNER = "acme-labs"
LIMIT = 4


def fetch_open_pulls(repo):
    pulls, page = [], 1
    while True:
        chunk = github_reference.list_pull_requests(owner=OWNER, repo=repo, state="open", per_page=10, page=page)
        pulls.extend(chunk)
        if len(chunk) < 10:
            return pulls
        page += 1


repos = [r["name"] for r in github_reference.search_repositories(query=f"org:{OWNER} archived:false", perPage=20)["items"]]

# 1. pull requests of every repository on a small thread pool
pulls, failed = {}, {}
with ThreadPoolExecutor(max_workers=LIMIT) as pool:
    futures = {pool.submit(fetch_open_pulls, r): r for r in repos}
    for future in as_completed(futures):
        repo = futures[future]
        try:
            pulls[repo] = future.result()
        except Exception as e:
            failed[repo] = str(e)

for repo in repos:
    if repo in failed:
        print(f"{repo:<14} failed: {failed[repo]}")
    else:
        print(f"{repo:<14} {len(pulls[repo])} open")


# 2. reviews and status, with asyncio and a semaphore
async def inspect(gate, repo, pr):
    async with gate:
        status, reviews = await asyncio.gather(
            asyncio.to_thread(github_reference.get_pull_request_status, owner=OWNER, repo=repo, pull_number=pr["number"]),
            asyncio.to_thread(github_reference.get_pull_request_reviews, owner=OWNER, repo=repo, pull_number=pr["number"]),
            return_exceptions=True,
        )
    state = status["state"] if not isinstance(status, Exception) else "unknown"
    latest = {}
    if not isinstance(reviews, Exception):
        for r in sorted(reviews, key=lambda r: r["submitted_at"]):
            if r["state"] != "COMMENTED":
                latest[(r.get("user") or {}).get("login", "ghost")] = r["state"]
    return {
        "repo": repo,
        "number": pr["number"],
        "title": pr["title"],
        "author": (pr.get("user") or {}).get("login", "ghost"),
        "state": state,
        "approvals": sum(s == "APPROVED" for s in latest.values()),
        "blocked_by": sorted(u for u, s in latest.items() if s == "CHANGES_REQUESTED"),
    }


async def main():
    gate = asyncio.Semaphore(LIMIT)
    interesting = [(r, p) for r in repos for p in pulls.get(r, []) if not p["draft"] and "release" in p["labels"]]
    async with asyncio.timeout(60):
        return await asyncio.gather(*(inspect(gate, r, p) for r, p in interesting))


rows = asyncio.run(main())

verdicts = defaultdict(list)
for row in rows:
    if row["blocked_by"]:
        verdict = "changes requested"
    elif row["state"] in ("failure", "error"):
        verdict = "failing"
    elif row["state"] == "success" and row["approvals"] >= 2:
        verdict = "ready"
    elif row["state"] == "unknown":
        verdict = "unknown"
    else:
        verdict = "waiting"
    verdicts[verdict].append(row)

for verdict in ("ready", "waiting", "changes requested", "failing", "unknown"):
    if not verdicts[verdict]:
        continue
    print(f"\n{verdict.upper()}")
    for r in verdicts[verdict]:
        extra = f" by {', '.join(r['blocked_by'])}" if r["blocked_by"] else ""
        print(f"  {r['repo']}#{r['number']:<5} {r['title'][:44]:<45} {r['approvals']}✓ {r['state']}{extra}")

merged = []
for r in verdicts["ready"]:
    try:
        answer = github_reference.merge_pull_request(
            owner=OWNER, repo=r["repo"], pull_number=r["number"], merge_method="squash", commit_title=f"{r['title']} (#{r['number']})"
        )
    except Exception as e:
        print(f"merge of {r['repo']}#{r['number']} refused: {e}")
    else:
        if answer["merged"]:
            merged.append(f"{r['repo']}#{r['number']}")

result = {"repos": len(repos), "failed": failed, "verdicts": {k: len(v) for k, v in verdicts.items() if v}, "merged": merged}
