import configparser
import re
from itertools import chain

ROOT = "/srv/config"
SECRET = re.compile(r"password|secret|token", re.I)
BOOLS = {"yes": True, "on": True, "true": True, "1": True, "no": False, "off": False, "false": False, "0": False}


def typed(value):
    """Guess a Python value out of an INI string."""
    v = value.strip()
    if v.lower() in BOOLS and not v.isdigit():
        return BOOLS[v.lower()]
    if re.fullmatch(r"-?\d+", v):
        return int(v)
    if "\n" in v or "," in v:
        return [p.strip() for p in re.split(r"[,\n]", v) if p.strip()]
    return v


def flatten(parser):
    flat = {}
    for key, value in parser.defaults().items():
        flat[f"DEFAULT.{key}"] = typed(value)
    for section in parser.sections():
        for key, value in parser._sections[section].items():
            flat[f"{section}.{key}"] = typed(value)
    return flat


listing = server_filesystem.list_directory(path=ROOT)
files = [line.split(" ", 1)[1] for line in listing.splitlines() if line.startswith("[FILE]") and line.endswith(".ini")]

configs, broken = {}, {}
for name in files:
    env = name.removesuffix(".ini")
    text = server_filesystem.read_text_file(path=f"{ROOT}/{name}")
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text, source=name)
    except configparser.Error as err:
        broken[env] = str(err).splitlines()[0]
        continue
    configs[env] = flatten(parser)

order = [e for e in ("dev", "staging", "prod") if e in configs]
keys = sorted(set(chain.from_iterable(configs.values())))


def show(key, value):
    if value is ...:
        return "—"
    if SECRET.search(key) and not str(value).startswith("${"):
        return "********"
    if isinstance(value, bool):
        return "✓" if value else "✗"
    if isinstance(value, list):
        return "<br>".join(value)
    return f"`{value}`"


rows = []
drift, missing, leaked = [], [], []
for key in keys:
    values = [configs[e].get(key, ...) for e in order]
    if ... in values:
        missing.append(key)
    if len({repr(v) for v in values}) > 1:
        drift.append(key)
        rows.append([key, *(show(key, v) for v in values)])
    leaked += [f"{e}:{key}" for e, v in zip(order, values)
               if SECRET.search(key) and isinstance(v, str) and not v.startswith("${")]

widths = [max(len(r[i]) for r in rows + [["key", *order]]) for i in range(len(order) + 1)]
lines = ["# Config drift", ""]
lines.append("| " + " | ".join(h.ljust(w) for h, w in zip(["key", *order], widths)) + " |")
lines.append("|" + "|".join("-" * (w + 2) for w in widths) + "|")
lines += ["| " + " | ".join(c.ljust(w) for c, w in zip(r, widths)) + " |" for r in rows]
if broken:
    lines += ["", "## Unparseable", ""] + [f"* **{env}**: {why}" for env, why in broken.items()]
report = "\n".join(lines)
print(report)

ack = server_filesystem.write_file(path=f"{ROOT}/drift-report.md", content=report)
print(ack)
result = {"drift": drift, "missing": missing, "leaked": leaked, "broken": sorted(broken), "chars": len(report)}
