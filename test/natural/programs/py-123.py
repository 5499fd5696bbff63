from collections import deque, Counter

graph = memory.read_graph()
entities = {e["name"]: e for e in graph["entities"]}
relations = graph["relations"]

print(f"{len(graph['entities'])} entities, {len(relations)} relations")
types = Counter(e["entityType"] for e in graph["entities"])
for t, n in types.most_common():
    print(f"  {t}: {n}")

neighbours = {name: set() for name in entities}
dangling = []
for r in relations:
    if r["from"] not in entities or r["to"] not in entities:
        dangling.append(r)
        continue
    neighbours[r["from"]].add((r["to"], r["relationType"], "->"))
    neighbours[r["to"]].add((r["from"], r["relationType"], "<-"))

orphans = sorted(n for n, links in neighbours.items() if not links)
empty = sorted(n for n, e in entities.items() if not e.get("observations"))


def path_between(a, b):
    queue = deque([[(a, None, None)]])
    seen = {a}
    while queue:
        path = queue.popleft()
        last = path[-1][0]
        if last == b:
            return path
        for name, rel, arrow in sorted(neighbours[last]):
            if name not in seen:
                seen.add(name)
                queue.append(path + [(name, rel, arrow)])
    return None


def describe(path):
    text = path[0][0]
    for name, rel, arrow in path[1:]:
        text += f" -[{rel}]-> {name}" if arrow == "->" else f" <-[{rel}]- {name}"
    return text


for a, b in [("Lena Vogt", "Project Aurora"), ("Raj Patel", "Café Nord"), ("Lena Vogt", "Île-de-France Expansion")]:
    path = path_between(a, b)
    print(f"\n{a} → {b}:")
    print("  " + (describe(path) if path else "not connected"))

degree = sorted(((len(links), name) for name, links in neighbours.items()), reverse=True)
print("\nMost connected:")
for n, name in degree[:3]:
    print(f"  {name} ({n})")

print("\nOrphans:", ", ".join(orphans) or "none")
print("Without observations:", ", ".join(empty) or "none")
for r in dangling:
    print(f"Dangling relation: {r['from']} {r['relationType']} {r['to']}")

if dangling:
    res = memory.delete_relations(relations=dangling)
    print(res["message"])

result = {"orphans": orphans, "empty": empty, "dangling": len(dangling), "hub": degree[0][1]}
