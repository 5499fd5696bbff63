# License check of an npm lock file: resolve the dependency tree, evaluate SPDX expressions.
import json
import re
from pprint import pformat

policy = json.loads(server_filesystem.read_text_file(path="/app/license-policy.json"))
packages = json.loads(server_filesystem.read_text_file(path="/app/package-lock.json"))["packages"]
ALLOW, REVIEW = set(policy["allow"]), set(policy["review"])

OK, CHECK, DENY, UNKNOWN = range(4)
LABEL = ["ok", "review", "denied", "unknown"]


def parse_spdx(text):
    """Tiny SPDX expression parser → nested tuples ('AND'|'OR', left, right) or a license id."""
    tokens = re.findall(r"[()]|[^\s()]+", text)

    def peek():
        return tokens[0] if tokens else None

    def primary():
        if not tokens:
            raise ValueError("unexpected end")
        tok = tokens.pop(0)
        if tok == "(":
            inner = expr("OR")
            if not tokens or tokens.pop(0) != ")":
                raise ValueError("missing )")
            return inner
        if tok in (")", "AND", "OR", "WITH"):
            raise ValueError(f"unexpected {tok}")
        if peek() == "WITH":
            del tokens[0]
            return f"{tok} WITH {tokens.pop(0)}"
        return tok

    def expr(op):
        nxt = primary if op == "AND" else lambda: expr("AND")
        left = nxt()
        while peek() == op:
            tokens.pop(0)
            left = (op, left, nxt())
        return left

    tree = expr("OR")
    if tokens:
        raise ValueError(f"trailing {tokens}")
    return tree


def judge(tree):
    if isinstance(tree, tuple):
        op, *sides = tree
        verdicts = map(judge, sides)
        return min(verdicts) if op == "OR" else max(verdicts)
    if tree in ALLOW:
        return OK
    return CHECK if tree in REVIEW else DENY


def resolve(importer, name):
    """Node's algorithm: look into node_modules of the importer, then upwards."""
    base = importer
    while True:
        candidate = f"{base}/node_modules/{name}" if base else f"node_modules/{name}"
        if candidate in packages:
            return candidate
        if not base:
            return None
        base = base.rpartition("node_modules/")[0].rstrip("/")


reached = {"": []}
missing = []


def visit(path, trail):
    for name in sorted(packages[path].get("dependencies", {})):
        target = resolve(path, name)
        if target is None:
            missing.append(f"{name} (wanted by {trail[-1] if trail else 'the app'})")
            continue
        if target not in reached:
            reached[target] = trail + [name]
            visit(target, trail + [name])


visit("", [])
findings = {}
for path, trail in reached.items():
    if not path:
        continue
    pkg = packages[path]
    name = path.rpartition("node_modules/")[2]
    note = ""
    if "license" not in pkg:
        verdict = UNKNOWN
    else:
        try:
            verdict = judge(parse_spdx(pkg["license"]))
        except ValueError as e:
            verdict, note = UNKNOWN, f"bad expression: {e}"
    if verdict == DENY and name in policy["exceptions"]:
        verdict, note = CHECK, policy["exceptions"][name]
    if "deprecated" in pkg:
        note = "; ".join(filter(None, [note, "deprecated"]))
    findings[f"{name}@{pkg['version']}"] = {"verdict": LABEL[verdict], "license": pkg.get("license"), "why": " > ".join(trail), "note": note}

for ident, f in sorted(findings.items(), key=lambda kv: (-LABEL.index(kv[1]["verdict"]), kv[0])):
    print(f"{f['verdict']:<8} {ident:<22} {f['license'] or '(none)':<48} {f['why']}{' -- ' + f['note'] if f['note'] else ''}")

unknown = [i for i, f in findings.items() if f["verdict"] == "unknown" and not f["note"]]
found = github_reference.search_code(q="repo:zeit/ms filename:license")["items"] if "ms@2.0.0" in unknown else []
hints = {"ms": [f"{i['repository']['full_name']}/{i['path']}" for i in found]}
unused = sorted(p.rpartition("node_modules/")[2] for p in packages if p and p not in reached)
summary = {label: sum(f["verdict"] == label for f in findings.values()) for label in LABEL}
print(pformat({"hints": hints, "missing": missing, "summary": summary, "unused": unused}, width=60))
server_filesystem.write_file(path="/app/licenses.json", content=json.dumps(findings, indent=2, sort_keys=True, ensure_ascii=False))
result = {"summary": summary, "missing": missing, "unused": unused, "hints": hints,
          "tree": parse_spdx("MIT AND (Apache-2.0 OR BSD-2-Clause) OR ISC")}
