# Work out a safe migration order for services from the knowledge graph, then
# the critical path and how long it takes with two teams.
from graphlib import TopologicalSorter, CycleError
import heapq
import re

graph = server_memory.read_graph()

services = {e["name"]: e for e in graph["entities"] if e["entityType"] == "service"}
print(f"{len(services)} services, {len(graph['relations'])} relations")


def effort(entity):
    for obs in entity["observations"]:
        m = re.search(r"migration effort:?\s*(\d+)\s*(day|week)s?", obs, re.I)
        if m:
            n = int(m.group(1))
            return n * 5 if m.group(2).lower() == "week" else n
    return 3  # nobody estimated it


depends = {name: set() for name in services}
dangling = []
for rel in graph["relations"]:
    if rel["relationType"] != "depends_on":
        continue
    if rel["from"] not in services or rel["to"] not in services:
        dangling.append((rel["from"], rel["to"]))
        continue
    if rel["from"] != rel["to"]:
        depends[rel["from"]].add(rel["to"])

broken = []
while True:
    try:
        order = list(TopologicalSorter({k: sorted(v) for k, v in sorted(depends.items())}).static_order())
        break
    except CycleError as e:
        cycle = e.args[1]
        # drop the edge whose dependent is cheapest to move twice
        edges = list(zip(cycle, cycle[1:]))
        dep_on, dependent = min(edges, key=lambda p: (effort(services[p[1]]), p[1]))
        broken.append((dependent, dep_on))
        depends[dependent].discard(dep_on)

costs = {n: effort(e) for n, e in services.items()}

# waves
sorter = TopologicalSorter(depends)
sorter.prepare()
waves = []
while sorter.is_active():
    ready = sorted(sorter.get_ready())
    waves.append(ready)
    sorter.done(*ready)
for i, wave in enumerate(waves, 1):
    print(f"wave {i}: " + ", ".join(f"{s}({costs[s]}d)" for s in wave))

# critical path
finish, via = {}, {}
for name in order:
    before = max(sorted(depends[name]), key=lambda d: finish[d], default=None)
    finish[name] = costs[name] + (finish[before] if before else 0)
    via[name] = before
end = max(sorted(finish), key=finish.get)
path = [end]
while via[path[-1]]:
    path.append(via[path[-1]])
path.reverse()
print("critical path:", " → ".join(path), f"= {finish[end]} days")

# two teams, longest remaining chain first
children = {n: [c for c in services if n in depends[c]] for n in services}
tail = {}
for name in reversed(order):
    tail[name] = costs[name] + max((tail[c] for c in children[name]), default=0)


def simulate(teams):
    remaining = {n: len(d) for n, d in depends.items()}
    ready = [(-tail[n], n) for n, k in remaining.items() if k == 0]
    heapq.heapify(ready)
    free, busy, now, plan = teams, [], 0, []
    while ready or busy:
        while ready and free:
            _, n = heapq.heappop(ready)
            heapq.heappush(busy, (now + costs[n], n))
            plan.append((now, n))
            free -= 1
        now, done = heapq.heappop(busy)
        free += 1
        for c in children[done]:
            remaining[c] -= 1
            if remaining[c] == 0:
                heapq.heappush(ready, (-tail[c], c))
    return now, plan


for teams in (1, 2, 3, 4):
    days, plan = simulate(teams)
    print(f"{teams} team(s): {days} days")
days2, plan2 = simulate(2)
for start, name in plan2:
    print(f"  day {start:>3} {'.' * (start // 2)}{'=' * max(1, costs[name] // 2)} {name}")

if broken:
    server_memory.create_relations(
        relations=[{"from": a, "to": b, "relationType": "migrate_twice_because_of"} for a, b in broken]
    )
server_memory.add_observations(
    observations=[{"entityName": n, "contents": [f"migration wave {i}"]} for i, w in enumerate(waves, 1) for n in w]
)

result = {"waves": waves, "critical": path, "days": finish[end], "two_teams": days2, "broken": broken, "dangling": dangling}
