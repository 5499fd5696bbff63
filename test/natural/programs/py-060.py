"""Sprint planning: knapsack over story points, then assignment by skill, then write it back."""
import re
import statistics
from datetime import date, timedelta
from functools import lru_cache, reduce

PROJECT = "77"
SPRINT_START = date(2024, 7, 1)
SPRINT_END = SPRINT_START + timedelta(weeks=2, days=-3)
thoughts = 0


def think(text, more=True, **extra):
    global thoughts
    thoughts += 1
    reply = server_sequential_thinking.sequentialthinking(
        thought=text, nextThoughtNeeded=more, thoughtNumber=thoughts, totalThoughts=max(3, thoughts), **extra)
    print(f"[{thoughts}] {text}")
    return reply["nextThoughtNeeded"]


velocity = [r["points_done"] for r in sqlite_npx.read_query(query="SELECT sprint, points_done FROM velocity ORDER BY sprint")]
known = [v for v in velocity if v is not None]
forecast = round(reduce(lambda acc, v: 0.6 * acc + 0.4 * v, known))
team = {m["username"]: m for m in gitlab_zereight.list_project_members(project_id=PROJECT)}
capacity = min(forecast, sum(m["capacity"] for m in team.values()))
think(f"velocity {statistics.mean(known):.1f} ± {statistics.pstdev(known):.1f}, forecast {forecast}, capacity {capacity}")

issues = gitlab_zereight.list_issues(project_id=PROJECT, state="opened", labels=["sprint-candidate"], per_page=100)


def priority(issue):
    for label in issue["labels"]:
        if m := re.fullmatch(r"priority::(\d)", label):
            return int(m.group(1))
    return 3


def value(issue):
    score = {1: 13, 2: 8, 3: 5, 4: 1}[priority(issue)] + issue["upvotes"] ** 0.5
    if "bug" in issue["labels"]:
        score *= 1.5
    return round(score, 3)


def is_due(issue):
    return issue["due_date"] is not None and date.fromisoformat(issue["due_date"]) <= SPRINT_END


must = [i for i in issues if i["weight"] is not None and is_due(i)]
free = [i for i in issues if i["weight"] is not None and i["weight"] > 0 and i not in must]
skipped = [i["title"] for i in issues if not i["weight"]]
budget = capacity - sum(i["weight"] for i in must)
think(f"{len(must)} due ({', '.join(i['title'] for i in must)}), {budget} points left for {len(free)} candidates")


@lru_cache(maxsize=None)
def best(n, room):
    """(value, chosen indexes) using the first n candidates."""
    if n == 0:
        return 0.0, ()
    without = best(n - 1, room)
    weight = free[n - 1]["weight"]
    if weight > room:
        return without
    v, chosen = best(n - 1, room - weight)
    with_it = (v + value(free[n - 1]), chosen + (n - 1,))
    return max(without, with_it, key=lambda t: t[0])


total, picks = best(len(free), budget)
plan = must + [free[i] for i in picks]
greedy_room, greedy_value = budget, 0.0
for i in sorted(free, key=lambda i: value(i) / i["weight"], reverse=True):
    if i["weight"] <= greedy_room:
        greedy_room -= i["weight"]
        greedy_value += value(i)
think(f"optimal value {total:.2f} vs greedy {greedy_value:.2f}", branchFromThought=2, branchId="knapsack")


def assign(todo, left):
    """Backtracking: give every issue to somebody with the skill and the capacity."""
    if not todo:
        return {}
    issue, *rest = todo
    wanted = {"backend", "frontend"} & set(issue["labels"])
    options = [u for u, c in left.items() if c >= issue["weight"] and (not wanted or wanted & set(team[u]["skills"]))]
    for user in sorted(options, key=lambda u: (len(team[u]["skills"]), -left[u])):
        solution = assign(rest, left | {user: left[user] - issue["weight"]})
        if solution is not None:
            return {issue["iid"]: user, **solution}
    return None


plan.sort(key=lambda i: -i["weight"])
owners = None
dropped = []
while (owners := assign(plan, {u: m["capacity"] for u, m in team.items()})) is None:
    victim = min((i for i in plan if i not in must), key=value)
    plan.remove(victim)
    dropped.append(victim["title"])
think("no complete assignment without dropping " + ", ".join(dropped) if dropped else "everything assigned", more=False)

milestone = gitlab_zereight.create_milestone(project_id=PROJECT, title="Sprint 14", start_date=str(SPRINT_START), due_date=SPRINT_END.isoformat())
print(f"\n{milestone['title']}: {SPRINT_START:%d %b} – {SPRINT_END:%d %b}, {sum(i['weight'] for i in plan)} points")
for i in sorted(plan, key=lambda i: (owners[i["iid"]], -i["weight"])):
    gitlab_zereight.update_issue(project_id=PROJECT, issue_iid=i["iid"], milestone_id=milestone["id"], labels=[*i["labels"], "planned"])
    print(f"  {owners[i['iid']]:<5}{i['weight']:>3}  {i['title']:<15}{value(i):>7.2f}{'  (due)' if is_due(i) else ''}")
result = {"owners": owners, "dropped": dropped, "skipped": skipped, "value": round(total, 3), "greedy": round(greedy_value, 3), "states": best.cache_info().currsize}
