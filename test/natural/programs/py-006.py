"""Work out a build order for the packages of a monorepo, spotting cycles and version mismatches."""
import base64
import json
from collections import defaultdict, deque

PROJECT, REF = "acme/mono", "main"


class ManifestError(Exception):
    def __init__(self, path, reason):
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def load_manifest(path):
    try:
        blob = gitlab_zereight.get_file_contents(project_id=PROJECT, file_path=path, ref=REF)
    except Exception as e:
        raise ManifestError(path, "missing") from e
    text = base64.b64decode(blob["content"]).decode("utf-8")
    try:
        return json.loads(text)
    except json.JSONDecodeError as e:
        raise ManifestError(path, f"invalid JSON at column {e.colno}") from e


def satisfies(version, spec):
    if spec in ("*", "latest"):
        return True
    have = tuple(int(p) for p in version.split("-")[0].split("."))
    want = tuple(int(p) for p in spec.lstrip("^~").split("."))
    if have < want:
        return False
    if spec.startswith("^"):
        return have[0] == want[0] if want[0] else have[:2] == want[:2]
    if spec.startswith("~"):
        return have[:2] == want[:2]
    return have == want


def topo_levels(graph):
    """Kahn's algorithm by levels. Returns (levels, leftover) where leftover sits on or behind a cycle."""
    indegree = {n: 0 for n in graph}
    dependants = defaultdict(list)
    for node, deps in graph.items():
        for d in deps:
            indegree[node] += 1
            dependants[d].append(node)
    queue = deque(sorted(n for n, k in indegree.items() if k == 0))
    levels = []
    while queue:
        level = []
        for _ in range(len(queue)):
            n = queue.popleft()
            level.append(n)
            for m in sorted(dependants[n]):
                indegree[m] -= 1
                if indegree[m] == 0:
                    queue.append(m)
        levels.append(level)
    return levels, sorted(n for n, k in indegree.items() if k > 0)


def find_cycle(graph, start):
    path, on_path = [], set()

    def walk(node):
        if node in on_path:
            return path[path.index(node):] + [node]
        path.append(node)
        on_path.add(node)
        for dep in sorted(graph[node]):
            found = walk(dep)
            if found:
                return found
        on_path.discard(path.pop())
        return None

    return walk(start)


tree = gitlab_zereight.get_repository_tree(project_id=PROJECT, path="packages", ref=REF, per_page=100)
manifests, problems = {}, []
for entry in tree:
    if entry["type"] != "tree":
        continue
    try:
        m = load_manifest(entry["path"] + "/package.json")
    except ManifestError as e:
        problems.append(str(e))
    else:
        manifests[m["name"]] = m

graph = {
    name: {d for d in {**m.get("dependencies", {}), **m.get("devDependencies", {})} if d in manifests}
    for name, m in manifests.items()
}
mismatches = [
    f"{name} wants {dep}@{spec}, workspace has {manifests[dep]['version']}"
    for name, m in sorted(manifests.items())
    for dep, spec in sorted(m.get("dependencies", {}).items())
    if dep in manifests and not satisfies(manifests[dep]["version"], spec)
]
levels, stuck = topo_levels(graph)
cycle = find_cycle(graph, stuck[0]) if stuck else None

for i, level in enumerate(levels):
    print(f"stage {i}: {', '.join(level)}")
print("blocked:", ", ".join(stuck) or "none")
if cycle:
    print("cycle:  ", " -> ".join(cycle))
print(*["mismatch: " + m for m in mismatches], *["problem:  " + p for p in problems], sep="\n")

result = {"levels": levels, "blocked": stuck, "cycle": cycle, "mismatches": mismatches, "problems": problems}
