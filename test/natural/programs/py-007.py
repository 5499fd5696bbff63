from collections import Counter, deque

graph = server_memory.read_graph()

# merge duplicate entities
entities = {}
for e in graph["entities"]:
    if e["name"] in entities:
        entities[e["name"]]["observations"].extend(o for o in e["observations"] if o not in entities[e["name"]]["observations"])
    else:
        entities[e["name"]] = {"type": e["entityType"], "observations": list(e["observations"])}

edges = {(r["from"], r["to"], r["relationType"]) for r in graph["relations"]}
dangling = sorted(e for e in edges if e[0] not in entities or e[1] not in entities)
edges -= set(dangling)

neighbours = {name: set() for name in entities}
for a, b, _ in edges:
    neighbours[a].add(b)
    neighbours[b].add(a)


def shortest_path(src, dst):
    prev = {src: None}
    todo = deque([src])
    while todo:
        node = todo.popleft()
        if node == dst:
            path = []
            while node is not None:
                path.append(node)
                node = prev[node]
            return path[::-1]
        for nxt in sorted(neighbours[node]):
            if nxt not in prev:
                prev[nxt] = node
                todo.append(nxt)
    return None


def components():
    seen = set()
    for start in sorted(neighbours):
        if start in seen:
            continue
        stack, group = [start], set()
        while stack:
            n = stack.pop()
            if n in group:
                continue
            group.add(n)
            stack.extend(neighbours[n] - group)
        seen |= group
        yield sorted(group)


def blast_radius(name):
    """Everything that (transitively) points at `name`."""
    incoming = {}
    for a, b, _ in edges:
        incoming.setdefault(b, set()).add(a)
    hit, frontier = set(), {name}
    while frontier:
        frontier = set().union(*(incoming.get(n, set()) for n in frontier)) - hit
        hit |= frontier
    return sorted(hit)


types = Counter(e["type"] for e in entities.values())
print("Entities:", ", ".join(f"{n} {t}{'s' if n != 1 and not t.endswith('e') else ''}" for t, n in types.most_common()))
print("Degree:")
for name in sorted(neighbours, key=lambda n: (-len(neighbours[n]), n)):
    print(f"  {name:<16} {'●' * len(neighbours[name])}")

paths = {}
for src, dst in [("Ada Park", "Data Lake"), ("Deepak Rao", "Chloé Dubois"), ("Erin", "Kafka")]:
    p = shortest_path(src, dst)
    paths[f"{src}→{dst}"] = p
    print(f"{src} → {dst}: {' / '.join(p) if p else 'not connected'}")

hubs = [n for n, _ in Counter({n: len(v) for n, v in neighbours.items()}).most_common(2)]
opened = server_memory.open_nodes(names=["Kafka", "Gateway"])
for node in opened["entities"]:
    print(node["name"], "->", "; ".join(node["observations"]) or "no notes")

radius = blast_radius("Kafka")
print("If Kafka is down:", *radius, sep="\n   - ")

server_memory.add_observations(observations=[
    {"entityName": "Kafka", "contents": [f"single point of failure for {len(radius)} nodes"]}
])

groups = list(components())
result = {
    "types": dict(types),
    "paths": paths,
    "components": groups,
    "isolated": [g for g in groups if len(g) < 3],
    "dangling": dangling,
    "kafka_blast_radius": radius,
    "hubs": sorted(hubs),
}
