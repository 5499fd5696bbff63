import heapq
from math import asin, cos, inf, radians, sin, sqrt

sites = {s["code"]: s for s in sqlite_npx.read_query(query="SELECT code, name, lat, lon FROM sites")}
links = sqlite_npx.read_query(query="SELECT src, dst, ms, cost, oneway FROM links")
flows = postgres_reference.query(sql="SELECT src, dst FROM flows ORDER BY src, dst")


def haversine(a, b):
    """Great-circle distance in km."""
    la1, lo1, la2, lo2 = map(radians, (a["lat"], a["lon"], b["lat"], b["lon"]))
    h = sin((la2 - la1) / 2) ** 2 + cos(la1) * cos(la2) * sin((lo2 - lo1) / 2) ** 2
    return 2 * 6371 * asin(sqrt(h))


def light_ms(a, b):
    return haversine(sites[a], sites[b]) / 200  # light in fibre: 200 km per ms


graph = {code: {} for code in sites}
ignored = []
for l in links:
    a, b = l["src"], l["dst"]
    if a == b or a not in sites or b not in sites:
        ignored.append((a, b))
        continue
    ms = l["ms"] if l["ms"] is not None else round(light_ms(a, b) * 1.5, 1)
    pairs = [(a, b)] if l["oneway"] else [(a, b), (b, a)]
    for x, y in pairs:
        old = graph[x].get(y)
        if old is None or ms < old[0]:
            graph[x][y] = (ms, l["cost"])


def dijkstra(src, weight):
    dist, prev, heap = {src: 0}, {}, [(0, src)]
    done = set()
    while heap:
        d, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for other, edge in graph[node].items():
            nd = d + weight(edge)
            if nd < dist.get(other, inf):
                dist[other] = nd
                prev[other] = node
                heapq.heappush(heap, (nd, other))
    return dist, prev


def route(prev, src, dst):
    if src == dst:
        return [src]
    if dst not in prev:
        return None
    path = [dst]
    while path[-1] != src:
        path.append(prev[path[-1]])
    return path[::-1]


def without(edge):
    """Context: temporarily cut one link, both ways."""
    class Cut:
        def __enter__(self):
            a, b = edge
            self.saved = [(x, y, graph[x].pop(y)) for x, y in ((a, b), (b, a)) if y in graph[x]]

        def __exit__(self, *exc):
            for x, y, e in self.saved:
                graph[x][y] = e

    return Cut()


results, fragile = [], {}
for f in flows:
    src, dst = f["src"], f["dst"]
    dist, prev = dijkstra(src, lambda e: e[0])
    path = route(prev, src, dst)
    if path is None:
        results.append((src, dst, None, None, []))
        continue
    cheap_dist, cheap_prev = dijkstra(src, lambda e: e[1])
    results.append((src, dst, dist[dst], cheap_dist[dst], path))
    for edge in zip(path, path[1:]):
        with without(edge):
            alt = dijkstra(src, lambda e: e[0])[0].get(dst, inf)
        if alt > 1.5 * dist[dst]:
            fragile.setdefault("-".join(sorted(edge)), []).append(f"{src}→{dst} " + ("lost" if alt == inf else f"+{alt - dist[dst]:.0f}ms"))

for src, dst, ms, cost, path in results:
    if ms is None:
        print(f"{sites[src]['name']} → {sites[dst]['name']}: unreachable")
        continue
    ideal = light_ms(src, dst)
    stretch = f"{ms / ideal:.2f}×" if ideal else "-"
    print(f"{sites[src]['name']} → {sites[dst]['name']}: {ms:g} ms (stretch {stretch}), cheapest {cost}, via {' > '.join(path)}")

print("\nfragile links:")
for link, who in sorted(fragile.items()):
    print(f"  {link}: {', '.join(who)}")

# Floyd–Warshall for the whole latency matrix
codes = sorted(sites)
D = {(a, b): 0 if a == b else graph[a].get(b, (inf,))[0] for a in codes for b in codes}
for k in codes:
    for i in codes:
        for j in codes:
            if D[i, k] + D[k, j] < D[i, j]:
                D[i, j] = D[i, k] + D[k, j]
print("\n     " + "".join(f"{c:>7}" for c in codes))
for a in codes:
    print(f"{a:<5}" + "".join(f"{'∞' if D[a, b] == inf else format(D[a, b], '.5g'):>7}" for b in codes))
assert all(ms is None or abs(D[s, d] - ms) < 1e-9 for s, d, ms, _, _ in results)

finite = {k: v for k, v in D.items() if v != inf}
result = {"flows": results, "fragile": fragile, "ignored": ignored, "diameter": max(finite.items(), key=lambda kv: (kv[1], kv[0]))}
