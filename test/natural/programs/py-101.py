import re
from collections import defaultdict

REPO = "/srv/repos/invoicer"

tags = git.git_tag(path=REPO, mode="list")["tags"]
latest = tags[0]["name"] if tags else None
print(f"Latest tag: {latest}")

log = git.git_log(path=REPO, maxCount=200, since="2025-03-01")
commits = log["commits"]

pattern = re.compile(r"^(?P<type>[a-z]+)(?:\((?P<scope>[^)]+)\))?(?P<breaking>!)?:\s*(?P<text>.+)$")
titles = {
    "feat": "Features",
    "fix": "Bug fixes",
    "perf": "Performance",
    "docs": "Documentation",
}

sections = defaultdict(list)
breaking = []
contributors = set()
skipped = 0

for c in commits:
    if c.get("refs") and any(f"tag: {latest}" in r for r in c["refs"]):
        break
    subject = c["subject"].strip()
    m = pattern.match(subject)
    contributors.add(c["author"])
    if not m:
        sections["Other"].append((None, subject, c["shortHash"]))
        continue
    if m["type"] in ("chore", "ci", "test", "style"):
        skipped += 1
        continue
    text = m["text"][0].upper() + m["text"][1:]
    sections[titles.get(m["type"], "Other")].append((m["scope"], text, c["shortHash"]))
    body = c.get("body") or ""
    if m["breaking"] or "BREAKING CHANGE:" in body:
        note = body.split("BREAKING CHANGE:", 1)[1].strip() if "BREAKING CHANGE:" in body else text
        breaking.append(note)

major, minor, patch = (int(p) for p in latest.lstrip("v").split("."))
if breaking:
    version = f"v{major + 1}.0.0"
elif sections.get("Features"):
    version = f"v{major}.{minor + 1}.0"
else:
    version = f"v{major}.{minor}.{patch + 1}"

lines = [f"# {version}", ""]
if breaking:
    lines += ["## ⚠ Breaking changes", ""] + [f"- {b}" for b in breaking] + [""]
for title in [*titles.values(), "Other"]:
    if title not in sections:
        continue
    lines += [f"## {title}", ""]
    for scope, text, sha in sorted(sections[title], key=lambda e: (e[0] or "", e[1])):
        prefix = f"**{scope}:** " if scope else ""
        lines.append(f"- {prefix}{text} ({sha})")
    lines.append("")
lines.append("Thanks to " + ", ".join(sorted(contributors)))

notes = "\n".join(lines)
print(notes)
print(f"({skipped} housekeeping commits left out)")
result = {"version": version, "notes": notes, "breaking": len(breaking)}
