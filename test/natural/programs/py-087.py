import sys
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Optional

MILESTONE_DAYS = 10
FOCUS = 0.7  # of a day is left for planned work


@dataclass(frozen=True, slots=True)
class Story:
    iid: int
    title: str
    points: int
    value: int
    skill: Optional[str] = None
    must: bool = False
    blocked_by: tuple = ()


def label_value(labels, prefix, default=None):
    for label in labels:
        if label.startswith(prefix + "::"):
            return label.split("::", 1)[1]
    return default


WORTH = {"critical": 13, "high": 8, "medium": 5, "low": 2}

raw, page = [], 1
while True:
    batch = gitlab_zereight.list_issues(project_id="shop", state="opened", labels=["ready"], page=page, per_page=20)
    raw += batch
    if len(batch) < 20:
        break
    page += 1

stories, unestimated = {}, []
for issue in raw:
    if issue.get("weight") is None:
        unestimated.append(issue["iid"])
        continue
    links = issue.get("blocked_by") or []
    stories[issue["iid"]] = Story(
        iid=issue["iid"], title=issue["title"], points=issue["weight"],
        value=WORTH[label_value(issue["labels"], "priority", "medium")] + (3 if "customer" in issue["labels"] else 0),
        skill=label_value(issue["labels"], "skill"), must="must" in issue["labels"], blocked_by=tuple(links),
    )

team = postgres_reference.query(sql="SELECT name, skills, absent_days, allocation FROM team WHERE squad = 'checkout'")
capacity = {}
for person in team:
    days = max(0, MILESTONE_DAYS - (person["absent_days"] or 0)) * person["allocation"] * FOCUS
    for skill in person["skills"] or ["any"]:
        capacity[skill] = capacity.get(skill, 0) + days / len(person["skills"] or ["any"])
budget = int(sum(capacity.values()))
print(f"{len(stories)} stories ({sum(s.points for s in stories.values())} points), capacity {budget} points")
print("per skill:", {k: round(v, 1) for k, v in sorted(capacity.items())})

# stories whose blockers are open and not in the pool can never be chosen
pool = dict(stories)
while True:
    stuck = [i for i, s in pool.items() if any(b not in pool for b in s.blocked_by)]
    if not stuck:
        break
    for i in stuck:
        print(f"cannot plan #{i}: blocked by {[b for b in pool[i].blocked_by if b not in pool]}")
        del pool[i]

must = [s for s in pool.values() if s.must]


def closure(story, seen=None):
    seen = {} if seen is None else seen
    if story.iid not in seen:
        seen[story.iid] = story
        for b in story.blocked_by:
            closure(pool[b], seen)
    return seen


chosen = {}
for s in must:
    chosen.update(closure(s))
spent = sum(s.points for s in chosen.values())
if spent > budget:
    print(f"warning: must-haves alone need {spent} of {budget} points")

# bundles: an optional story together with everything it needs, without what is chosen
bundles = []
for s in sorted(pool.values(), key=lambda s: s.iid):
    if s.iid in chosen:
        continue
    need = [x for x in closure(s).values() if x.iid not in chosen]
    if len(need) == 1 or not any(s.iid in o.blocked_by for o in pool.values()):
        bundles.append((tuple(sorted(x.iid for x in need)), sum(x.points for x in need), sum(x.value for x in need)))
sys.setrecursionlimit(5000)


@cache
def best(i, room):
    """(value, bundle indexes) for bundles[i:] within `room` points."""
    if i == len(bundles):
        return 0, ()
    value, picks = best(i + 1, room)
    _, points, worth = bundles[i]
    if points <= room:
        v, p = best(i + 1, room - points)
        if v + worth > value:
            value, picks = v + worth, (i, *p)
    return value, picks


value, picks = best(0, max(0, budget - spent))
for i in picks:
    for iid in bundles[i][0]:
        chosen[iid] = pool[iid]
print(f"explored {best.cache_info().currsize} states for {len(bundles)} bundles")

plan = sorted(chosen.values(), key=lambda s: (not s.must, -s.value / max(1, s.points), s.iid))
total = 0
print(f"\n{'':2}{'story':<44}{'pts':>4}{'value':>6}{'sum':>5}")
for story, running in zip(plan, accumulate(s.points for s in plan)):
    title = story.title if len(story.title) <= 36 else story.title[:35] + "…"
    print(f"{'*' if story.must else ' '} #{story.iid:<5} {title:<36}{story.points:>5}{story.value:>6}{running:>5}")
    total = running

short = {}
for skill in sorted({s.skill for s in plan if s.skill}):
    need = sum(s.points for s in plan if s.skill == skill)
    have = capacity.get(skill, 0) + capacity.get("any", 0)
    if need > have:
        short[skill] = round(need - have, 1)
print("\nskill shortage:", short or "none")

assigned = []
for story in plan:
    try:
        gitlab_zereight.update_issue(project_id="shop", issue_iid=story.iid, milestone_id="2412")
        assigned.append(story.iid)
    except Exception as e:
        print(f"#{story.iid} not assigned: {e}")

result = {"points": total, "budget": budget, "value": sum(s.value for s in plan), "plan": assigned, "unestimated": unestimated, "short": short}
