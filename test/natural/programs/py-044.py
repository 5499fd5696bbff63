# Query JSON-lines logs found by a content search with a small path language:
#   "http.status", "tags[0]", "tags[*]", with filters as plain Python callables.
import json
import re
from datetime import datetime, timezone
from functools import partial, reduce

MISSING = object()
TOKEN = re.compile(r"\.?([A-Za-z_]\w*)|\[(\d+|\*)\]")


def compile_path(path):
    steps, pos = [], 0
    while pos < len(path):
        m = TOKEN.match(path, pos)
        if not m:
            raise SyntaxError(f"bad path {path!r} at {pos}")
        name, index = m.groups()
        steps.append(name if name else index if index == "*" else int(index))
        pos = m.end()
    return steps


def get(doc, path, default=None):
    def descend(values, step):
        for v in values:
            if step == "*":
                if isinstance(v, list):
                    yield from v
            elif isinstance(step, int):
                if isinstance(v, list) and step < len(v):
                    yield v[step]
            elif isinstance(v, dict) and step in v:
                yield v[step]

    steps = compile_path(path)
    found = list(reduce(descend, steps, [doc]))
    if "*" in steps:
        return found
    return found[0] if found else default


class Query:
    """Lazy, chainable operations over an iterable of documents."""

    def __init__(self, source):
        self._source = source

    def __iter__(self):
        return iter(self._source())

    def where(self, path, test):
        def run():
            for d in self:
                v = get(d, path, MISSING)
                if v is not MISSING and v is not None and test(v):
                    yield d
        return Query(run)

    def group(self, path):
        groups = {}
        for d in self:
            keys = get(d, path)
            for k in keys if isinstance(keys, list) else [keys]:
                groups.setdefault(k, []).append(d)
        return groups

    def pluck(self, *paths):
        return [tuple(get(d, p) for p in paths) for d in self]

    def count(self):
        return sum(1 for _ in self)


def load():
    session = desktop_commander.start_search(path="/logs", pattern='"svc"', searchType="content", filePattern="*.jsonl", maxResults=200)
    more = partial(desktop_commander.get_more_search_results, sessionId=session["sessionId"], length=15)
    docs, bad, offset = [], [], 0
    try:
        while True:
            page = more(offset=offset)
            for hit in page["results"]:
                try:
                    docs.append({**json.loads(hit["match"]), "_at": f"{hit['file']}:{hit['line']}"})
                except json.JSONDecodeError as e:
                    bad.append((hit["line"], e.msg))
            offset += len(page["results"])
            if offset >= page["total"]:
                break
    finally:
        print(desktop_commander.stop_search(sessionId=session["sessionId"]))
    return docs, bad


docs, bad = load()
logs = Query(lambda: docs)
errors = logs.where("lvl", lambda l: l == "error")
slow = logs.where("dur", lambda ms: ms > 500).where("http.status", lambda s: s < 500)

print(f"{logs.count()} documents, {errors.count()} errors, {len(bad)} unparseable {bad}")
for svc, group in sorted(logs.group("svc").items()):
    statuses = Query(lambda g=group: g).group("http.status")
    text = " ".join(f"{k or '-'}:{len(v)}" for k, v in sorted(statuses.items(), key=lambda kv: kv[0] or 0))
    print(f"{svc:<9}{len(group):>3}  {text}")
print("\nslow but successful:")
for at, ms, path, ts in slow.pluck("_at", "dur", "http.path", "ts"):
    print(f"  {datetime.fromtimestamp(ts, timezone.utc):%H:%M:%S} {at:<24}{ms:>7} ms {path}")

tags = {t: len(g) for t, g in sorted(errors.group("tags[*]").items())}
try:
    get({}, "a[b]")
except SyntaxError as e:
    print("error:", e)
result = {"docs": len(docs), "bad": bad, "error_tags": tags, "first_tags": logs.pluck("tags[0]")[:6],
          "messages": sorted({repr(m) for m, in logs.pluck("msg")}), "slow": slow.count()}
