import re
import textwrap
from collections import defaultdict
from posixpath import dirname, join, normpath

ROOT = "/docs"


def slugify(heading, used):
    slug = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
    n = used.get(slug)
    used[slug] = (n or 0) + 1
    return slug if n is None else f"{slug}-{n}"


def parse(text):
    """Split a Markdown document into headings, links, tasks and code blocks."""
    page = {"title": None, "headings": [], "links": [], "tasks": [], "code": defaultdict(int), "words": 0, "meta": {}}
    used, fence, body = {}, None, text.splitlines()
    if body and body[0] == "---" and "---" in body[1:]:
        end = body.index("---", 1)
        page["meta"] = dict(re.findall(r"^(\w+):\s*(.*)$", "\n".join(body[1:end]), re.M))
        body = [""] * (end + 1) + body[end + 1 :]
    definitions = dict(re.findall(r"^\[([^\]]+)\]:\s*(\S+)", text, re.M))
    for n, line in enumerate(body, 1):
        if m := re.match(r"\s*(`{3,}|~{3,})(\w*)", line):
            if fence is None:
                fence = m[1]
                page["code"][m[2] or "plain"] += 1
            elif m[1].startswith(fence):
                fence = None
            continue
        if fence:
            continue
        if m := re.match(r"(#{1,6})\s+(.+?)\s*#*$", line):
            plain = re.sub(r"[`*_]|\[([^\]]+)\]\([^)]*\)", r"\1", m[2])
            page["headings"].append((len(m[1]), plain, slugify(plain, used), n))
            page["title"] = page["title"] or plain
        if m := re.match(r"\s*[-*] \[([ xX])\] (.+)", line):
            page["tasks"].append((m[1] != " ", m[2], n))
        bare = re.sub(r"`[^`]*`", "", line)
        for text_, target in re.findall(r"\[([^\]]*)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", bare):
            page["links"].append((text_, target, n))
        for text_, ref in re.findall(r"\[([^\]]+)\]\[([^\]]*)\]", bare):
            page["links"].append((text_, definitions.get(ref or text_, f"?{ref or text_}"), n))
        page["words"] += len(re.findall(r"\w+(?:['’]\w+)?", bare))
    if fence:
        problems.append(("unclosed code fence", None, None))
    return page


found = server_filesystem.search_files(path=ROOT, pattern="**/*.md", excludePatterns=["node_modules"])["content"]
problems, pages = [], {}
for path in found.splitlines():
    before = len(problems)
    try:
        pages[path] = parse(server_filesystem.read_text_file(path=path)["content"])
    except Exception as e:
        problems.append((f"unreadable: {e}", path, 0))
    problems[before:] = [(what, where or path, line) for what, where, line in problems[before:]]

incoming = defaultdict(set)
external = set()
for path, page in pages.items():
    level = 0
    for depth, title, _, n in page["headings"]:
        if depth > level + 1:
            problems.append((f"heading jumps from h{level} to h{depth}: {title}", path, n))
        level = depth
    anchors = {h[2] for h in page["headings"]}
    for text, target, n in page["links"]:
        if target.startswith("?"):
            problems.append((f"undefined reference [{target[1:]}]", path, n))
        elif re.match(r"[a-z]+:", target):
            external.add(target.split("#")[0])
        elif target.startswith("#"):
            if target[1:] not in anchors:
                problems.append((f"no such anchor {target}", path, n))
        else:
            file, _, anchor = target.partition("#")
            other = normpath(join(dirname(path), file)) if not file.startswith("/") else ROOT + file
            incoming[other].add(path)
            if other not in pages:
                problems.append((f"broken link to {file}", path, n))
            elif anchor and anchor not in {h[2] for h in pages[other]["headings"]}:
                problems.append((f"no anchor #{anchor} in {file}", path, n))
        if not text.strip():
            problems.append(("link without text", path, n))

orphans = sorted(p for p in pages if p not in incoming and not p.endswith("/README.md"))
print("CONTENTS")
for path, page in sorted(pages.items()):
    done = sum(t[0] for t in page["tasks"])
    tasks = f", tasks {done}/{len(page['tasks'])}" if page["tasks"] else ""
    print(f"{page['meta'].get('title') or page['title'] or path} ({page['words']} words{tasks})")
    for depth, title, slug, _ in page["headings"]:
        if depth > 1:
            print(textwrap.indent(f"- {title} → #{slug}", "  " * (depth - 1)))

print("\nPROBLEMS")
for what, path, n in sorted(problems, key=lambda p: (p[1], p[2] or 0)):
    print(f"{path}:{n or '-'} {what}")
print("orphans:", orphans)

todo = [f"{path.removeprefix(ROOT + '/')}:{n} {text}" for path, page in sorted(pages.items()) for done, text, n in page["tasks"] if not done]
report = textwrap.fill("Open tasks: " + "; ".join(todo), width=78, subsequent_indent="    ", break_long_words=False)
print("\n" + report)
print(textwrap.shorten("External: " + " ".join(sorted(external)), width=70, placeholder=" …"))

server_filesystem.write_file(path=f"{ROOT}/REPORT.txt", content=textwrap.dedent(f"""\
    pages: {len(pages)}
    problems: {len(problems)}
    orphans: {len(orphans)}
    """))
result = {"pages": len(pages), "problems": len(problems), "orphans": orphans, "todo": len(todo), "words": sum(p["words"] for p in pages.values()), "code": {k: sum(p["code"].get(k, 0) for p in pages.values()) for k in sorted({l for p in pages.values() for l in p["code"]})}}
