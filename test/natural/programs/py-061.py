import re
from collections import defaultdict

PROJECT = "platform/checkout"
MILESTONE = "24.11"
PER_PAGE = 20

SECTIONS = [
    ("feat", "Features"),
    ("fix", "Bug fixes"),
    ("perf", "Performance"),
    ("docs", "Documentation"),
    ("other", "Everything else"),
]

TITLE_RE = re.compile(
    r"^(?:Draft:\s*)?(?P<type>[a-z]+)(?:\((?P<scope>[^)]+)\))?(?P<bang>!)?:\s*(?P<subject>.+)$",
    re.IGNORECASE,
)


def fetch_all_merged():
    page = 1
    while True:
        batch = gitlab_zereight.list_merge_requests(
            project_id=PROJECT,
            milestone=MILESTONE,
            state="merged",
            page=page,
            per_page=PER_PAGE,
        )
        yield from batch
        if len(batch) < PER_PAGE:
            break
        page += 1


def classify(mr):
    m = TITLE_RE.match(mr["title"].strip())
    if not m:
        return {"kind": "other", "scope": None, "breaking": False, "subject": mr["title"].strip()}
    kind = m["type"].lower()
    if kind not in dict(SECTIONS):
        kind = "other"
    breaking = bool(m["bang"]) or "breaking-change" in (mr.get("labels") or [])
    return {"kind": kind, "scope": m["scope"], "breaking": breaking, "subject": m["subject"].strip()}


seen = set()
sections = defaultdict(list)
breaking = []
authors = defaultdict(int)
duplicates = 0

for mr in fetch_all_merged():
    if mr["iid"] in seen:
        duplicates += 1
        continue
    seen.add(mr["iid"])
    info = classify(mr)
    author = (mr.get("author") or {}).get("username", "ghost")
    authors[author] += 1
    entry = {**info, "iid": mr["iid"], "author": author, "labels": mr.get("labels") or []}
    sections[info["kind"]].append(entry)
    if info["breaking"]:
        breaking.append(entry)

lines = [f"# Release {MILESTONE}", ""]
if breaking:
    lines.append("## ⚠ Breaking changes")
    lines.append("")
    for e in breaking:
        lines.append(f"- {e['subject']} (!{e['iid']})")
    lines.append("")

for kind, heading in SECTIONS:
    entries = sections.get(kind)
    if not entries:
        continue
    lines.append(f"## {heading}")
    lines.append("")
    for e in sorted(entries, key=lambda e: ((e["scope"] or "~"), e["iid"])):
        scope = f"**{e['scope']}**: " if e["scope"] else ""
        lines.append(f"- {scope}{e['subject']} (!{e['iid']}, @{e['author']})")
    lines.append("")

# First-time contributors: somebody whose only merged MRs are in this milestone.
newcomers = []
for username in sorted(authors):
    if username == "ghost":
        continue
    earlier = gitlab_zereight.list_merge_requests(
        project_id=PROJECT, author_username=username, state="merged", per_page=1, order_by="created_at", sort="asc"
    )
    if earlier and earlier[0]["iid"] in seen:
        newcomers.append(username)

if newcomers:
    profiles = gitlab_zereight.get_users(usernames=newcomers)
    names = [f"{(profiles.get(u) or {}).get('name') or u} (@{u})" for u in newcomers]
    lines.append("## New contributors")
    lines.append("")
    lines.append("Welcome " + ", ".join(names) + "! 🎉")
    lines.append("")

notes = "\n".join(lines)
page = gitlab_zereight.create_wiki_page(
    project_id=PROJECT, title=f"Release notes {MILESTONE}", content=notes, format="markdown"
)

print(notes)
print(f"{len(seen)} merge requests, {duplicates} duplicate(s) skipped, wiki page: {page['slug']}")

result = {
    "counts": {k: len(v) for k, v in sections.items()},
    "breaking": [e["iid"] for e in breaking],
    "authors": dict(sorted(authors.items(), key=lambda kv: (-kv[1], kv[0]))),
    "newcomers": newcomers,
    "wiki_slug": page["slug"],
}
