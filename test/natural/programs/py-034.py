import re
import textwrap
from collections import defaultdict
from datetime import date
from string import Template, Formatter

PROJECT = "acme/x"
SECTIONS = [("security", "🔒 Security"), ("feature", "✨ Features"), ("bug", "🐛 Fixes"), ("performance", "⚡ Performance")]

[milestone] = gitlab_zereight.list_milestones(project_id=PROJECT, title="v4.2")
merge_requests = gitlab_zereight.list_merge_requests(project_id=PROJECT, milestone=milestone["title"], state="merged", per_page=50)
template_file = gitlab_zereight.get_file_contents(project_id=PROJECT, file_path=".templates/release.md", ref="main")
template = Template(template_file["content"])


def clean(description):
    if not description:
        return ""
    keep = [l for l in description.splitlines() if not l.startswith("/")]  # quick actions
    return re.sub(r"\s+", " ", " ".join(keep)).strip()


def entry(mr):
    first = f"* {mr['title'].replace('Draft: ', '')} (!{mr['iid']})"
    body = clean(mr["description"])
    if len(body) < 12:
        return first
    wrapped = textwrap.fill(textwrap.shorten(body, width=140, placeholder=" […]"), width=72, initial_indent="  > ", subsequent_indent="  > ")
    return first + "\n" + wrapped


class SafeFormatter(Formatter):
    """`{x}` with unknown names stays as it is."""

    def get_value(self, key, args, kwargs):
        if isinstance(key, str):
            return kwargs.get(key, "{" + key + "}")
        return super().get_value(key, args, kwargs)


groups = defaultdict(list)
internal = []
for mr in merge_requests:
    if mr["merged_at"] is None:
        continue
    for label, _ in SECTIONS:
        if label in mr["labels"]:
            groups[label].append(mr)
            break
    else:
        internal.append(mr)

parts = []
for label, heading in SECTIONS:
    if not groups[label]:
        continue
    entries = "\n".join(entry(mr) for mr in sorted(groups[label], key=lambda m: m["merged_at"]))
    parts.append(f"## {heading}\n\n{entries}")
if internal:
    parts.append("<details><summary>Internal</summary>\n\n" + "\n".join(f"* !{m['iid']} {m['title']}" for m in internal) + "\n\n</details>")

people = sorted({mr["author"]["name"] for mrs in [*groups.values(), internal] for mr in mrs if mr["author"]["username"] != "bot"})
thanks = people[0] if len(people) == 1 else ", ".join(people[:-1]) + " and " + people[-1]
due = date.fromisoformat(milestone["due_date"])
summary = SafeFormatter().format(
    "{count:d} changes in {product}, {features} of them features. {unknown}",
    count=sum(map(len, groups.values())) + len(internal), product="Acme X", features=len(groups["feature"]),
).strip()

values = {
    "product": "Acme X",
    "version": milestone["title"],
    "date": f"{due.day} {due:%B %Y}",
    "summary": textwrap.dedent(f"""\
        _{milestone['description']}_

        {summary}"""),
    "sections": "\n\n".join(parts),
    "thanks": thanks,
}
try:
    template.substitute(values)
except KeyError as missing:
    print("template has an unknown placeholder:", missing)
text = template.safe_substitute(values)
print(text)

if internal_only := not any(groups.values()):
    print("nothing to publish")
else:
    page = gitlab_zereight.create_wiki_page(project_id=PROJECT, title=f"releases/{milestone['title']}", content=text, format="markdown")

longest = max(text.splitlines(), key=len)
result = {
    "slug": page["slug"],
    "groups": {k: [m["iid"] for m in v] for k, v in groups.items() if v},
    "internal": [m["iid"] for m in internal],
    "thanks": thanks,
    "lines": text.count("\n"),
    "longest": longest[:60],
    "indent_ok": textwrap.indent("a\n\nb", "> ", lambda line: True).splitlines(),
}
