import difflib
import re
from collections import namedtuple

REPO = "/repo"
Change = namedtuple("Change", "path kind added removed similarity diff")


def version_key(tag):
    m = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)(?:-(.+))?", tag)
    major, minor, patch, pre = m.groups()
    return int(major), int(minor), int(patch), pre is None, pre or ""


def show(rev, path):
    try:
        return git_cyanheads.git_show(path=REPO, object=f"{rev}:{path}")["content"]
    except Exception as e:
        if "does not exist" in str(e):
            return None
        raise


def compare(path, old, new):
    a, b = show(old, path), show(new, path)
    if a is None or b is None:
        kind = "added" if a is None else "deleted"
        n = len((a or b).splitlines())
        return Change(path, kind, n if a is None else 0, n if b is None else 0, 0.0, [])
    if "\0" in a or "\0" in b:
        return Change(path, "binary", 0, 0, 1.0 if a == b else 0.0, [])
    la, lb = a.splitlines(), b.splitlines()
    diff = list(difflib.unified_diff(la, lb, f"a/{path}", f"b/{path}", lineterm="", n=1))
    added = sum(1 for l in diff if l.startswith("+") and not l.startswith("+++"))
    removed = sum(1 for l in diff if l.startswith("-") and not l.startswith("---"))
    ratio = difflib.SequenceMatcher(None, la, lb, autojunk=False).ratio()
    return Change(path, "modified", added, removed, ratio, diff)


def changed_functions(old_text, new_text):
    """Names of the top-level functions whose bodies differ."""
    def split(text):
        parts = re.split(r"^def (\w+)", text, flags=re.M)
        return dict(zip(parts[1::2], (p.rstrip() for p in parts[2::2])))
    a, b = split(old_text), split(new_text)
    return {
        "added": sorted(b.keys() - a.keys()),
        "removed": sorted(a.keys() - b.keys()),
        "changed": sorted(k for k in a.keys() & b.keys() if a[k] != b[k]),
    }


def word_diff(before, after):
    out = []
    wa, wb = re.findall(r"\w+|\W", before), re.findall(r"\w+|\W", after)
    for op, i1, i2, j1, j2 in difflib.SequenceMatcher(None, wa, wb).get_opcodes():
        old, new = "".join(wa[i1:i2]), "".join(wb[j1:j2])
        if op == "equal":
            out.append(old)
        else:
            out.append((f"[-{old}-]" if old else "") + (f"{{+{new}+}}" if new else ""))
    return "".join(out)


def main():
    tags = sorted((t["name"] for t in git_cyanheads.git_tag(path=REPO, mode="list")["tags"]), key=version_key)
    print("tags:", " < ".join(tags))
    old, new = tags[-2:]
    names = git_cyanheads.git_diff(path=REPO, target=new, source=old, nameOnly=True)["diff"].split()
    changes = [compare(p, old, new) for p in names]

    width = max(len(c.path) for c in changes)
    for c in changes:
        total = c.added + c.removed
        graph = "+" * round(20 * c.added / max(total, 20)) + "-" * round(20 * c.removed / max(total, 20))
        print(f" {c.path:<{width}} | {c.kind:<8} {total:>3} {graph}")
    print(f" {len(changes)} files, {sum(c.added for c in changes)} insertions(+), {sum(c.removed for c in changes)} deletions(-)\n")

    for c in changes:
        if c.kind == "modified" and c.similarity < 0.7:
            print("\n".join(c.diff))

    funcs = changed_functions(show(old, "src/app.py"), show(new, "src/app.py"))
    print(word_diff("def load(path):", "def load(path, encoding=\"utf-8\"):"))
    return {
        "range": f"{old}..{new}",
        "functions": funcs,
        "similarity": {c.path: round(c.similarity, 4) for c in changes},
        "kinds": {c.path: c.kind for c in changes},
    }


if __name__ == "__main__":
    result = main()
