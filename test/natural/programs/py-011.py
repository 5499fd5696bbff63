"""Check internal links and anchors of a Markdown documentation tree."""
import posixpath
import re
import unicodedata
from dataclasses import dataclass, field

ROOT = "/docs"
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.M | re.S)
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$", re.M)
INLINE = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
REF_USE = re.compile(r"\[([^\]]+)\]\[([^\]]+)\]")
REF_DEF = re.compile(r"^\[([^\]]+)\]:\s*(\S+)", re.M)


def slugify(text, seen):
    """GitHub flavoured anchors, including the -1, -2 suffixes of repeated headings."""
    text = re.sub(r"[*_`]", "", text).strip().lower()
    kept = "".join(c for c in text if c in "- _" or unicodedata.category(c)[0] in "LN")
    slug = kept.replace(" ", "-")
    n = seen.get(slug, 0)
    seen[slug] = n + 1
    return f"{slug}-{n}" if n else slug


@dataclass
class Page:
    path: str
    text: str
    anchors: list = field(default_factory=list)
    toc: list = field(default_factory=list)
    links: list = field(default_factory=list)

    def __post_init__(self):
        body = FENCE.sub("", self.text)
        seen = {}
        for m in HEADING.finditer(body):
            slug = slugify(m.group(2), seen)
            self.anchors.append(slug)
            self.toc.append((len(m.group(1)), m.group(2), slug))
        refs = {k.lower(): v for k, v in REF_DEF.findall(body)}
        for bang, label, target in INLINE.findall(body):
            self.links.append((label, target, bool(bang)))
        for label, ref in REF_USE.findall(body):
            self.links.append((label, refs.get(ref.lower(), f"missing-ref:{ref}"), False))


paths = server_filesystem.search_files(path=ROOT, pattern="**/*.md", excludePatterns=["**/node_modules/**"]).split("\n")
images = set(server_filesystem.search_files(path=ROOT, pattern="**/*.png").split("\n"))
pages = {}
for p in paths:
    pages[p] = Page(p, server_filesystem.read_text_file(path=p))


def check(page, target, is_image):
    if re.match(r"^(https?|mailto):", target):
        return None
    if target.startswith("missing-ref:"):
        return "undefined reference"
    path, _, anchor = target.partition("#")
    dest = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path)) if path else page.path
    if not dest.startswith(ROOT + "/"):
        return f"escapes {ROOT}"
    if is_image:
        return None if dest in images else "image not found"
    if dest not in pages:
        return "file not found"
    if anchor and anchor not in pages[dest].anchors:
        return f"no anchor #{anchor} in {posixpath.basename(dest)}"
    return None


problems = []
inbound = {p: 0 for p in pages}
external = 0
for page in pages.values():
    for label, target, is_image in page.links:
        external += target.startswith("http")
        if (why := check(page, target, is_image)) is not None:
            problems.append({"page": page.path, "label": label, "target": target, "why": why})
            continue
        path = target.partition("#")[0]
        if path.endswith(".md"):
            inbound[posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))] += 1

for page in pages.values():
    print(page.path)
    for level, title, slug in page.toc:
        print(f"{'  ' * level}- [{title}](#{slug})")
    if not page.toc:
        print("  (no headings)")

print(f"\n{len(problems)} problems")
for p in problems:
    print("  {page}: [{label}]({target}): {why}".format(**p))
orphans = sorted(p for p, n in inbound.items() if n == 0 and not p.endswith("index.md"))
print("orphans:", orphans)

result = {"pages": len(pages), "problems": problems, "orphans": orphans, "external": external, "inbound": inbound}
