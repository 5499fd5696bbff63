import posixpath
import re
from collections import defaultdict
from urllib.parse import urlsplit, unquote

ROOT = "/repo/docs"

listing = filesystem.search_files(path=ROOT, pattern="**/*.md")
files = [line.strip() for line in listing.splitlines() if line.strip().endswith(".md")]
print(f"{len(files)} markdown files")

texts = {}
for f in files:
    texts[f] = filesystem.read_text_file(path=f)


def slug(heading):
    heading = re.sub(r"[`*_]", "", heading.strip().lower())
    heading = re.sub(r"[^\w\- ]", "", heading)
    return heading.replace(" ", "-")


anchors = {}
for f, text in texts.items():
    found = set()
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and (m := re.match(r"#{1,6}\s+(.+?)\s*#*$", line)):
            base = slug(m.group(1))
            name, n = base, 1
            while name in found:
                name = f"{base}-{n}"
                n += 1
            found.add(name)
    anchors[f] = found

link_re = re.compile(r"(?<!\!)\[([^\]]*)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
broken = defaultdict(list)
external = defaultdict(set)
checked = 0

for f, text in texts.items():
    for number, line in enumerate(text.splitlines(), 1):
        for label, href in link_re.findall(line):
            parts = urlsplit(href)
            if parts.scheme in ("http", "https"):
                external[parts.netloc].add(href)
                continue
            if parts.scheme == "mailto":
                continue
            checked += 1
            target = f
            if parts.path:
                base = ROOT if parts.path.startswith("/") else posixpath.dirname(f)
                target = posixpath.normpath(posixpath.join(base, unquote(parts.path).lstrip("/")))
            if target.endswith(".md") and target not in texts:
                broken[f].append((number, href, "file not found"))
            elif target in anchors and parts.fragment and unquote(parts.fragment) not in anchors[target]:
                broken[f].append((number, href, "no such heading"))

for f in sorted(broken):
    print(f"\n{f[len(ROOT) + 1:]}")
    for number, href, why in broken[f]:
        print(f"  line {number}: {href} — {why}")

print(f"\n{checked} internal links checked, {sum(map(len, broken.values()))} broken")
print("External hosts:", {host: len(urls) for host, urls in sorted(external.items())})
result = {f: [{"line": n, "href": h, "reason": w} for n, h, w in items] for f, items in broken.items()}
