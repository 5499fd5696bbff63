import re
from collections import defaultdict
from datetime import datetime, timezone

ROOT = "/srv/shop"
TODO = re.compile(r"(?:#|//|/\*|<!--)\s*(TODO|FIXME|HACK|XXX)\b(?:\(([^)]+)\))?:?\s*(.*?)\s*(?:\*/|-->)?$", re.I)
NOW = datetime(2025, 6, 1, tzinfo=timezone.utc)

paths = []
for pattern in ("**/*.py", "**/*.ts", "**/*.html"):
    found = filesystem.search_files(path=ROOT, pattern=pattern, excludePatterns=["node_modules", ".venv"])
    if found.startswith("No matches"):
        continue
    paths += found.splitlines()

todos = []
for path in paths:
    content = filesystem.read_text_file(path=path)
    for lineno, line in enumerate(content.split("\n"), start=1):
        match = TODO.search(line)
        if match:
            kind, owner, text = match.groups()
            todos.append({"file": path[len(ROOT) + 1 :], "line": lineno, "kind": kind.upper(), "owner": owner, "text": text or "(no text)"})

for todo in todos:
    try:
        blame = git.git_blame(path=ROOT, filePath=todo["file"], startLine=todo["line"], endLine=todo["line"])
        info = blame["lines"][0]
        todo["owner"] = todo["owner"] or info["author"]
        todo["age"] = (NOW - datetime.fromtimestamp(info["timestamp"], tz=timezone.utc)).days
    except Exception as err:
        todo["age"] = None
        todo["owner"] = todo["owner"] or "uncommitted"

groups = defaultdict(list)
for todo in todos:
    groups[todo["owner"].lower().lstrip("@")].append(todo)

print(f"{len(todos)} markers in {len({t['file'] for t in todos})} of {len(paths)} files")
for owner, items in sorted(groups.items(), key=lambda g: (-len(g[1]), g[0])):
    print(f"\n## {owner} ({len(items)})")
    for t in sorted(items, key=lambda t: t["age"] if t["age"] is not None else -1, reverse=True):
        age = f"{t['age']}d" if t["age"] is not None else "new"
        print(f"- [{t['kind']}] {t['file']}:{t['line']} ({age}) {t['text']}")

ancient = [t for t in todos if (t["age"] or 0) > 365]
by_kind = {k: sum(t["kind"] == k for t in todos) for k in ("TODO", "FIXME", "HACK", "XXX")}
print(f"\nOlder than a year: {len(ancient)}")
result = {"total": len(todos), "by_kind": by_kind, "ancient": [f"{t['file']}:{t['line']}" for t in ancient]}
