import base64
import json
import re

OWNER = "acme"
REPOS = ["web", "admin", "mobile", "design-system", "docs-site"]


def load_package(repo):
    data = github.get_file_contents(owner=OWNER, repo=repo, path="package.json")
    content = data["content"]
    if data.get("encoding") == "base64":
        content = base64.b64decode(content).decode("utf-8")
    return json.loads(content)


def parse(spec):
    m = re.search(r"(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?", spec)
    if not m:
        return None
    return tuple(int(p) if p and p.isdigit() else 0 for p in m.groups())


versions = {}
names = {}
for repo in REPOS:
    try:
        pkg = load_package(repo)
    except Exception as e:
        print(f"{repo}: {e}")
        continue
    names[repo] = pkg.get("name", repo)
    for group in ("dependencies", "devDependencies", "peerDependencies"):
        for dep, spec in (pkg.get(group) or {}).items():
            versions.setdefault(dep, {})[repo] = spec

shared = {d: v for d, v in versions.items() if len(v) > 1}
print(f"{len(versions)} distinct packages, {len(shared)} shared by several repos\n")

report = []
for dep in sorted(shared):
    parsed = {repo: parse(spec) for repo, spec in shared[dep].items()}
    unparsable = [repo for repo, v in parsed.items() if v is None]
    known = {repo: v for repo, v in parsed.items() if v is not None}
    if not known:
        continue
    newest = max(known.values())
    majors = {v[0] for v in known.values()}
    if len(set(known.values())) == 1:
        continue
    level = "MAJOR" if len(majors) > 1 else "minor"
    behind = sorted(repo for repo, v in known.items() if v < newest)
    report.append({"package": dep, "level": level, "newest": ".".join(map(str, newest)), "behind": behind})
    print(f"{level} {dep} (newest {'.'.join(map(str, newest))})")
    for repo, spec in shared[dep].items():
        star = " <-- behind" if repo in behind else ""
        note = " (not a version)" if repo in unparsable else ""
        print(f"    {names[repo]:<22} {spec}{star}{note}")

report.sort(key=lambda r: (r["level"] != "MAJOR", -len(r["behind"]), r["package"]))
print("\nUpgrade order:")
for i, r in enumerate(report, 1):
    print(f"{i}. {r['package']} -> {r['newest']} in {', '.join(r['behind'])}")
result = report
