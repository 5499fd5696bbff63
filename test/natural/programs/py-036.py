"""Critical path of a milestone, from issue weights and "blocks" links."""
from functools import cache
from operator import itemgetter

PROJECT = "55"
DEFAULT_WEIGHT = 2

issues = {i["iid"]: i for i in gitlab_zereight.list_issues(project_id=PROJECT, milestone="Q3", per_page=50)}
blockers: dict[int, set[int]] = {iid: set() for iid in issues}
for iid in issues:
    for link in gitlab_zereight.list_issue_links(project_id=PROJECT, issue_iid=iid):
        if link["iid"] not in issues:
            continue
        if link["link_type"] == "is_blocked_by":
            blockers[iid].add(link["iid"])
        elif link["link_type"] == "blocks":
            blockers[link["iid"]].add(iid)

blocks = {iid: sorted(other for other, b in blockers.items() if iid in b) for iid in issues}


def cost(iid):
    issue = issues[iid]
    if issue["state"] == "closed":
        return 0
    return issue["weight"] if issue["weight"] is not None else DEFAULT_WEIGHT


@cache
def earliest_start(iid):
    return max((earliest_start(b) + cost(b) for b in blockers[iid]), default=0)


total = max(earliest_start(i) + cost(i) for i in issues)


@cache
def latest_finish(iid):
    return min((latest_finish(n) - cost(n) for n in blocks[iid]), default=total)


@cache
def longest_to(iid):
    """(length, path) of the heaviest chain ending with iid."""
    best = max((longest_to(b) for b in blockers[iid]), key=lambda t: (t[0], t[1]), default=(0, ()))
    return best[0] + cost(iid), best[1] + (iid,)


length, path = max(map(longest_to, issues), key=itemgetter(0))
assert length == total

slack = {i: latest_finish(i) - cost(i) - earliest_start(i) for i in issues}
print(f"Project length: {total} days; critical path: {' → '.join('#' + str(i) for i in path)}\n")
print("Gantt:")
for iid in sorted(issues, key=lambda i: (earliest_start(i), i)):
    issue = issues[iid]
    start, dur = earliest_start(iid), cost(iid)
    critical = slack[iid] == 0 and issue["state"] != "closed"
    bar = " " * start + ("█" if critical else "▒") * dur + "·" * (slack[iid] if dur else 0)
    who = ",".join(a["username"] for a in issue["assignees"]) or "?"
    print(f"#{iid:<3}{issue['title']:<18}{who:<5}|{bar:<{total}}|")

# who is the bottleneck?
load: dict[str, int] = {}
for iid in path:
    for a in issues[iid]["assignees"] or [{"username": "unassigned"}]:
        load[a["username"]] = load.get(a["username"], 0) + cost(iid)

# transitive reduction: redundant "blocks" links
@cache
def ancestors(iid):
    direct = blockers[iid]
    return frozenset(direct).union(*(ancestors(b) for b in direct))


redundant = [
    (b, iid)
    for iid in issues
    for b in sorted(blockers[iid])
    if any(b in ancestors(other) for other in blockers[iid] - {b})
]

ready = [i for i in issues if issues[i]["state"] != "closed" and all(issues[b]["state"] == "closed" for b in blockers[i])]
for iid in ready:
    if slack[iid] == 0:
        gitlab_zereight.update_issue(project_id=PROJECT, issue_iid=iid, labels=["critical-path", "ready"])

widest = max(
    (sum(earliest_start(i) <= day < earliest_start(i) + cost(i) for i in issues), -day) for day in range(total)
)
print("\nready now:", *(f"#{i} {issues[i]['title']}" for i in ready), sep="\n  ")
print("load on the critical path:", load)

result = {
    "length": total,
    "path": path,
    "slack": slack,
    "redundant_links": redundant,
    "ready": ready,
    "load": load,
    "max_parallel": {"issues": widest[0], "day": -widest[1]},
    "cache_hits": ancestors.cache_info().currsize,
}
