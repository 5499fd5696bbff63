import asyncio
import re

OWNER, REPO = "acme", "app"
LIMIT = 3

stats = {"max_parallel": 0, "running": 0}


async def fetch(sem: asyncio.Semaphore, number: int) -> dict:
    async with sem:
        stats["running"] += 1
        stats["max_parallel"] = max(stats["max_parallel"], stats["running"])
        try:
            await asyncio.sleep(0)
            return github_reference.get_issue(owner=OWNER, repo=REPO, issue_number=number)
        finally:
            stats["running"] -= 1


async def fetch_all(numbers):
    sem = asyncio.Semaphore(LIMIT)
    outcomes = await asyncio.gather(*(fetch(sem, n) for n in numbers), return_exceptions=True)
    ok, failed = [], {}
    for n, out in zip(numbers, outcomes):
        if isinstance(out, BaseException):
            failed[n] = str(out)
        else:
            ok.append(out)
    return ok, failed


def score(issue):
    r = issue["reactions"]
    return r["+1"] - 2 * r["-1"] + issue["comments"] * 0.5


async def resolve_references(issues):
    """Follow #N mentions one hop, using a queue and two consumers."""
    known = {i["number"] for i in issues}
    queue: asyncio.Queue = asyncio.Queue()
    edges = []
    for issue in issues:
        for ref in re.findall(r"#(\d+)", issue["body"] or ""):
            queue.put_nowait((issue["number"], int(ref)))

    async def consumer(name):
        while not queue.empty():
            src, dst = await queue.get()
            if dst in known and dst != src:
                edges.append((src, dst))
            queue.task_done()
            await asyncio.sleep(0)

    await asyncio.gather(consumer("a"), consumer("b"))
    return sorted(set(edges))


async def main():
    found = github_reference.search_issues(q=f"repo:{OWNER}/{REPO} label:tracked", per_page=50)
    numbers = sorted(i["number"] for i in found["items"])
    issues, failed = await fetch_all(numbers)
    edges = await resolve_references(issues)

    issues.sort(key=score, reverse=True)
    print(f"{len(issues)} issues loaded, {len(failed)} failed: {failed}")
    for rank, issue in enumerate(issues, 1):
        ms = issue["milestone"]
        due = (ms["due_on"] or "no date")[:10] if ms else "-"
        print(f"{rank:>2}. #{issue['number']:<3} {score(issue):>6.1f}  {issue['state']:<7}"
              f"{ms['title'] if ms else 'backlog':<9}{due}")
    print("references:", ", ".join(f"{a}→{b}" for a, b in edges) or "none")

    by_milestone = {}
    for issue in issues:
        by_milestone.setdefault((issue["milestone"] or {}).get("title"), []).append(issue["number"])
    return {
        "ranking": [i["number"] for i in issues],
        "failed": failed,
        "edges": edges,
        "by_milestone": {k or "none": sorted(v) for k, v in by_milestone.items()},
        "parallel_ok": 1 <= stats["max_parallel"] <= LIMIT,
    }


result = asyncio.run(main())
