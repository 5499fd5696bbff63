# github issues
import json
from collections import Counter, defaultdict
from datetime import datetime, timezone
ISSUES = json.loads('''[
 {"number": 12, "title": "Crash on start", "labels": [{"name": "bug"}, {"name": "p1"}], "user": {"login": "ann"}, "created_at": "2024-03-01T10:00:00Z", "closed_at": null, "comments": 4, "body": "Steps:\\n1. run\\n2. boom"},
 {"number": 15, "title": "Add dark mode", "labels": [{"name": "feature"}], "user": {"login": "bob"}, "created_at": "2024-02-10T08:30:00Z", "closed_at": "2024-02-20T12:00:00Z", "comments": 0, "body": null},
 {"number": 19, "title": "Docs typo", "labels": [], "user": {"login": "ann"}, "created_at": "2024-03-05T23:59:59Z", "closed_at": "2024-03-06T00:10:00Z", "comments": 1, "body": "fix"}
]''')
def parse_ts(s):
    return datetime.strptime(s, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc) if s else None
now = parse_ts("2024-03-10T00:00:00Z")
labels = Counter(l["name"] for i in ISSUES for l in i["labels"])
by_user = defaultdict(list)
for issue in ISSUES:
    created, closed = parse_ts(issue["created_at"]), parse_ts(issue.get("closed_at"))
    age = (closed or now) - created
    state = "open" if closed is None else "closed"
    by_user[issue["user"]["login"]].append({"n": issue["number"], "state": state, "age_h": round(age.total_seconds() / 3600, 1)})
    print(f"#{issue['number']:<4} [{state:^8}] {issue['title'][:20]:<20} {age.days}d {', '.join(l['name'] for l in issue['labels']) or '-'}  {(issue['body'] or '').splitlines()[0] if issue['body'] else 'n/a'}")
print(json.dumps(by_user, indent=2))
print(labels, labels.most_common(1)[0] if labels else None)
open_ages = [x["age_h"] for v in by_user.values() for x in v if x["state"] == "open"]
print(f"avg open age: {sum(open_ages) / max(len(open_ages), 1):.2f}h; total comments {sum(i['comments'] for i in ISSUES)}")
result = {"open": len(open_ages), "labels": dict(labels)}
# --- diff dicts
from typing import Any
def diff(old: Any, new: Any, path: str = "") -> list[tuple[str, str, Any, Any]]:
    changes: list[tuple[str, str, Any, Any]] = []
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            p = f"{path}.{key}" if path else key
            if key not in old: changes.append(("added", p, None, new[key]))
            elif key not in new: changes.append(("removed", p, old[key], None))
            else: changes.extend(diff(old[key], new[key], p))
    elif isinstance(old, list) and isinstance(new, list):
        for i in range(max(len(old), len(new))):
            p = f"{path}[{i}]"
            if i >= len(old): changes.append(("added", p, None, new[i]))
            elif i >= len(new): changes.append(("removed", p, old[i], None))
            else: changes += diff(old[i], new[i], p)
    elif old != new or type(old) is not type(new):
        changes.append(("changed", path, old, new))
    return changes
a = {"name": "svc", "replicas": 2, "env": {"A": "1", "B": "2"}, "ports": [80, 443], "on": True}
b = {"name": "svc", "replicas": 3, "env": {"A": "1", "C": "3"}, "ports": [80, 8443, 9000], "on": 1}
for kind, path, o, n in diff(a, b):
    match_ = {"added": f"+ {path} = {n!r}", "removed": f"- {path} (was {o!r})", "changed": f"~ {path}: {o!r} -> {n!r}"}
    print(match_[kind])
print(diff(a, a) == [], len(diff(a, {})))
# --- plugin registry
from functools import wraps

REGISTRY = {}
def tool(name=None, *, description="", tags=()):
    def deco(fn):
        key = name or fn.__name__
        if key in REGISTRY: raise KeyError(f"duplicate tool: {key}")
        REGISTRY[key] = {"fn": fn, "description": description or (fn.__name__.replace("_", " ").capitalize()), "tags": set(tags)}
        @wraps(fn)
        def wrapper(*a, **k): return fn(*a, **k)
        return wrapper
    return deco
@tool(tags=["math"])
def add(a, b=0): return a + b
@tool("shout", description="Uppercase text", tags=("text", "fun"))
def upper(text): return text.upper() + "!"
def call(name, *args, **kwargs):
    try: spec = REGISTRY[name]
    except KeyError: return {"error": f"unknown tool {name!r}", "did_you_mean": [k for k in REGISTRY if k[0] == name[0]]}
    try: return {"result": spec["fn"](*args, **kwargs)}
    except TypeError as e: return {"error": str(e)}
print(call("add", 2, b=3), call("shout", "hi"), call("sub"), call("add"), call("add", 1, 2, 3), call("add", 1, c=2), call("shout", 5) if False else "")
for k, v in REGISTRY.items(): print(k, v["description"], sorted(v["tags"]))
print(add.__name__, add(1))
# --- running totals
transactions = [("2024-01-01", "deposit", 100.0), ("2024-01-03", "withdraw", 30.5), ("2024-01-02", "deposit", 50), ("2024-01-05", "fee", 2.25), ("2024-01-05", "withdraw", 500)]
class InsufficientFunds(ValueError): pass
balance = 0
history = []
for day, kind, amt in sorted(transactions):
    sign = {"deposit": 1}.get(kind, -1)
    try:
        if balance + sign * amt < 0:
            raise InsufficientFunds(f"need {amt - balance:.2f} more")
        balance += sign * amt
        history.append((day, kind, sign * amt, balance))
    except InsufficientFunds as e:
        history.append((day, kind + "!", 0, balance))
        print(f"{day}: rejected {kind} of ${amt:,.2f}: {e}")
print(f"{'Date':<12}{'Type':<12}{'Amount':>10}{'Balance':>12}")
for d, k, a, b in history: print(f"{d:<12}{k:<12}{a:>+10.2f}{b:>12.2f}")
from itertools import accumulate
print(list(accumulate(a for _, _, a, _ in history)), balance, type(balance).__name__)
print(f"{balance:.1f} | {balance!r} | {balance:>8} | {int(balance)} | {balance // 1} | {-balance % 7}")
# --- csv clean
import csv, io, re
raw = """name;email;signup;age
 Ann Smith ;ANN@EXAMPLE.COM;01/02/2024;34
bob jones;bob@example;2024-02-30;x
"Lee, Kim";kim.lee@mail.org;2024-03-15;41
;nobody@x.io;;
"""
EMAIL = re.compile(r"^[\w.+-]+@[\w-]+\.[\w.]+$")
def norm_date(s):
    from datetime import datetime
    for fmt in ("%Y-%m-%d", "%d/%m/%Y"):
        try: return datetime.strptime(s, fmt).date().isoformat()
        except ValueError: continue
    return None
good, bad = [], []
for n, row in enumerate(csv.DictReader(io.StringIO(raw), delimiter=";"), start=2):
    rec = {k: (v or "").strip() for k, v in row.items()}
    errs = []
    if not rec["name"]: errs.append("missing name")
    rec["name"] = " ".join(p.capitalize() for p in rec["name"].split())
    rec["email"] = rec["email"].lower()
    if not EMAIL.match(rec["email"]): errs.append(f"bad email {rec['email']!r}")
    if (d := norm_date(rec["signup"])) is None: errs.append(f"bad date {rec['signup']!r}")
    rec["signup"] = d
    try: rec["age"] = int(rec["age"])
    except ValueError as e: errs.append(str(e)); rec["age"] = None
    (bad if errs else good).append((n, rec, errs))
for n, rec, _ in good: print(n, rec)
for n, rec, errs in bad: print(f"line {n}: {'; '.join(errs)}")
out = io.StringIO()
w = csv.DictWriter(out, fieldnames=["name", "email", "signup", "age"], lineterminator="\n"); w.writeheader()
w.writerows(r for _, r, _ in good)
print(out.getvalue().strip())
print(f"{len(good)} ok / {len(bad)} bad ({len(good) / (len(good) + len(bad)):.0%})")
# --- vector class
import math
from functools import total_ordering
@total_ordering
class Vector:
    __slots__ = ("x", "y")
    def __init__(self, x=0.0, y=0.0): self.x = x; self.y = y
    def __repr__(self): return f"Vector({self.x!r}, {self.y!r})"
    def __str__(self): return f"<{self.x:g}, {self.y:g}>"
    def __add__(self, o): return Vector(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return Vector(self.x - o.x, self.y - o.y)
    def __mul__(self, k):
        if isinstance(k, Vector): return self.x * k.x + self.y * k.y
        return Vector(self.x * k, self.y * k)
    def __rmul__(self, k): return self * k
    def __truediv__(self, k): return Vector(self.x / k, self.y / k)
    def __neg__(self): return Vector(-self.x, -self.y)
    def __abs__(self): return math.hypot(self.x, self.y)
    def __bool__(self): return bool(self.x or self.y)
    def __eq__(self, o): return isinstance(o, Vector) and (self.x, self.y) == (o.x, o.y)
    def __lt__(self, o): return abs(self) < abs(o)
    def __hash__(self): return hash((self.x, self.y))
    def __iter__(self): yield self.x; yield self.y
    def __getitem__(self, i): return (self.x, self.y)[i]
    def __len__(self): return 2
    def __format__(self, spec): return f"({self.x:{spec or 'g'}}, {self.y:{spec or 'g'}})"
    def __iadd__(self, o): self.x += o.x; self.y += o.y; return self
    def __call__(self, t): return self * t
    def __contains__(self, v): return v in (self.x, self.y)
    def __round__(self, n=0): return Vector(round(self.x, n), round(self.y, n))
    def __reversed__(self): return iter((self.y, self.x))
    def __index__(self): return int(self.x)
    def __matmul__(self, o): return self.x * o.y - self.y * o.x
a, b = Vector(3, 4), Vector(1, -2)
print(a + b, a - b, a * 2, 2 * a, a * b, a / 2, -a, abs(a), bool(Vector()), a == Vector(3, 4), a != b, a > b, sorted([a, b]), {a: 1}[Vector(3, 4)], list(a), a[0], a[-1], len(a), f"{a:.2f} {a}", a(3), 3 in a, round(Vector(1.256, 2.5), 1), list(reversed(a)), [10, 20, 30, 40][a], a @ b, max(a, b), sum([a, b], Vector()), repr(a), "%s %r" % (a, b), "{} {!r} {:.1f}".format(a, b, a))
a += b
x, y = a; print(a, x, y, hex(a), math.floor(2.7))
try: a + 1
except AttributeError as e: print(e)
try: a < 1
except TypeError as e: print(e)
# --- cache ttl
from collections import OrderedDict
class LRUCache:
    """Least-recently-used cache."""
    def __init__(self, capacity: int = 2):
        if capacity <= 0: raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._data: OrderedDict = OrderedDict()
        self.hits = self.misses = 0
    def __getitem__(self, key):
        try:
            self._data.move_to_end(key)
        except KeyError:
            self.misses += 1
            raise KeyError(f"{key!r} not cached") from None
        self.hits += 1
        return self._data[key]
    def __setitem__(self, key, value):
        self._data[key] = value
        self._data.move_to_end(key)
        if len(self) > self.capacity:
            evicted, _ = self._data.popitem(last=False)
            print(f"evicting {evicted}")
    def __delitem__(self, key): del self._data[key]
    def __len__(self): return len(self._data)
    def __contains__(self, k): return k in self._data
    def get(self, k, default=None):
        try: return self[k]
        except KeyError: return default
    @property
    def hit_rate(self): return self.hits / total if (total := self.hits + self.misses) else 0.0
    def __repr__(self): return f"{type(self).__name__}({dict(self._data)}, cap={self.capacity})"
c = LRUCache()
c["a"] = 1; c["b"] = 2; c["a"]; c["c"] = 3
print(c, "b" in c, c.get("b", "gone"), c.get("a"), f"{c.hit_rate:.1%}", len(c))
try: c["zz"]
except KeyError as e: print("KeyError:", e)
del c["a"]; print(list(c._data), c.hits, c.misses)
try: LRUCache(0)
except ValueError as e: print(e)
def memo(f):
    store = {}
    def inner(*args):
        if args not in store: store[args] = f(*args)
        return store[args]
    inner.cache = store
    return inner
@memo
def grid(m, n): return 1 if m == 1 or n == 1 else grid(m - 1, n) + grid(m, n - 1)
print(grid(10, 10), len(grid.cache))
# --- template engine
import re
class TemplateError(Exception): pass
def render(tpl: str, ctx: dict) -> str:
    def lookup(expr):
        expr, *filters = [p.strip() for p in expr.split("|")]
        val = ctx
        for part in expr.split("."):
            if isinstance(val, dict) and part in val: val = val[part]
            elif isinstance(val, (list, tuple)) and part.isdigit(): val = val[int(part)]
            elif hasattr(val, part): val = getattr(val, part)
            else: raise TemplateError(f"cannot resolve {expr!r} at {part!r}")
        for f in filters:
            name, _, arg = f.partition(":")
            val = {"upper": lambda v: str(v).upper(), "len": len, "join": lambda v: (arg or ", ").join(map(str, v)), "default": lambda v: v or arg, "money": lambda v: f"${v:,.2f}"}[name](val)
        return str(val)
    def loop(m):
        var, seq, body = m.group(1), m.group(2), m.group(3)
        items = ctx[seq]
        return "".join(render(body, {**ctx, var: it, "index": i}) for i, it in enumerate(items))
    tpl = re.sub(r"\{% for (\w+) in (\w+) %\}(.*?)\{% end %\}", loop, tpl, flags=re.DOTALL)
    return re.sub(r"\{\{(.+?)\}\}", lambda m: lookup(m[1]), tpl)
class U: name = "Zed"
ctx = {"user": {"name": "Ann", "tags": ["x", "y"]}, "items": [{"n": "Pen", "p": 1.5}, {"n": "Ink", "p": 1200}], "empty": "", "o": U()}
print(render("Hi {{ user.name|upper }}! Tags: {{user.tags|join:/}} ({{ user.tags | len }}) {{empty|default:none}} {{user.tags.1}} {{o.name}}\n{% for it in items %}{{index}}. {{it.n}} = {{it.p|money}}\n{% end %}", ctx))
try: render("{{ user.zip }}", ctx)
except TemplateError as e: print("TemplateError:", e)
try: render("{{ user.name|nope }}", ctx)
except KeyError as e: print("unknown filter", e)
# --- json schema validate
def validate(data, schema, path="$"):
    errors = []
    t = schema.get("type")
    types = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    if t and (not isinstance(data, types[t]) or (t in ("integer", "number") and isinstance(data, bool))):
        return [f"{path}: expected {t}, got {type(data).__name__}"]
    if "enum" in schema and data not in schema["enum"]: errors.append(f"{path}: {data!r} not in {schema['enum']}")
    if t == "object":
        for req in schema.get("required", []):
            if req not in data: errors.append(f"{path}: missing required '{req}'")
        for k, v in data.items():
            if sub := schema.get("properties", {}).get(k): errors += validate(v, sub, f"{path}.{k}")
            elif schema.get("additionalProperties") is False: errors.append(f"{path}: unexpected '{k}'")
    elif t == "array":
        if len(data) < schema.get("minItems", 0): errors.append(f"{path}: too few items ({len(data)})")
        for i, v in enumerate(data): errors.extend(validate(v, schema.get("items", {}), f"{path}[{i}]"))
    elif t in ("integer", "number"):
        lo, hi = schema.get("minimum"), schema.get("maximum")
        if lo is not None and data < lo: errors.append(f"{path}: {data} < {lo}")
        if hi is not None and data > hi: errors.append(f"{path}: {data} > {hi}")
    elif t == "string":
        import re
        if (p := schema.get("pattern")) and not re.search(p, data): errors.append(f"{path}: {data!r} does not match /{p}/")
    return errors
schema = {"type": "object", "required": ["id", "name"], "additionalProperties": False, "properties": {"id": {"type": "integer", "minimum": 1}, "name": {"type": "string", "pattern": "^[A-Z]"}, "tags": {"type": "array", "minItems": 1, "items": {"type": "string"}}, "role": {"enum": ["a", "b"]}, "score": {"type": "number", "maximum": 10}}}
for doc in [{"id": 1, "name": "Ok"}, {"id": 0, "name": "bad", "tags": [], "role": "c", "score": 11.5, "zzz": 1}, {"id": True}, [], {"id": 2, "name": "T", "tags": ["a", 5, None]}]:
    errs = validate(doc, schema)
    print("VALID" if not errs else "\n".join(["INVALID"] + [f"  - {e}" for e in errs]))
# --- async fetch
import asyncio
import time
from typing import Any
async def fetch(name: str, delay: float, fail: bool = False) -> dict[str, Any]:
    await asyncio.sleep(delay)
    if fail:
        raise ConnectionError(f"{name} unreachable")
    return {"name": name, "delay": delay}
class Client:
    async def __aenter__(self):
        print("open"); return self
    async def __aexit__(self, et, e, tb):
        print("close", et.__name__ if et else None)
    async def pages(self, n):
        for i in range(n):
            await asyncio.sleep(0.001)
            yield i
async def worker(name, q, out):
    while True:
        item = await q.get()
        if item is None: q.task_done(); break
        out.append((name, item * 2)); q.task_done()
        await asyncio.sleep(0)
async def main():
    res = await asyncio.gather(fetch("a", 0.03), fetch("b", 0.01, True), fetch("c", 0.02), return_exceptions=True)
    for r in res: print("ERR" if isinstance(r, Exception) else "OK ", r)
    async with Client() as c:
        print([p async for p in c.pages(3)])
    try:
        await asyncio.wait_for(fetch("slow", 10), timeout=0.01)
    except asyncio.TimeoutError: print("timeout")
    tasks = [asyncio.create_task(fetch(n, d), name=n) for n, d in (("x", 0.02), ("y", 0.01))]
    for coro in asyncio.as_completed(tasks): print((await coro)["name"])
    done, pending = await asyncio.wait([asyncio.create_task(fetch("z", 0.001))])
    print(len(done), len(pending), [t.result()["name"] for t in done])
    q, out = asyncio.Queue(), []
    for i in range(4): q.put_nowait(i)
    for _ in range(2): q.put_nowait(None)
    await asyncio.gather(*(worker(f"w{i}", q, out) for i in range(2)))
    print(sorted(out))
    lock = asyncio.Lock()
    async with lock: print("locked", lock.locked())
    t = asyncio.create_task(asyncio.sleep(5)); t.cancel()
    try: await t
    except asyncio.CancelledError: print("cancelled", t.cancelled())
    async with asyncio.TaskGroup() as tg:
        t1 = tg.create_task(fetch("g1", 0.001)); t2 = tg.create_task(fetch("g2", 0.001))
    print(t1.result(), t2.result()["name"])
    loop = asyncio.get_event_loop()
    return "done"
print(asyncio.run(main()))
# --- parse logs stats
import re, statistics
from collections import Counter, defaultdict
LOG = """\
10.0.0.1 - - [10/Mar/2024:13:55:36 +0000] "GET /api/users?page=1 HTTP/1.1" 200 2326 0.045
10.0.0.2 - bob [10/Mar/2024:13:55:40 +0000] "POST /api/login HTTP/1.1" 401 112 0.120
10.0.0.1 - - [10/Mar/2024:13:56:02 +0000] "GET /static/app.js HTTP/1.1" 304 0 0.002
garbage line
10.0.0.3 - - [10/Mar/2024:14:01:10 +0000] "GET /api/users/42 HTTP/2" 500 87 1.530
"""
RX = re.compile(r'''(?P<ip>\S+)\s\S+\s(?P<user>\S+)\s\[(?P<ts>[^\]]+)\]\s
    "(?P<method>[A-Z]+)\s(?P<path>[^\s"]+)[^"]*"\s      # request
    (?P<status>\d{3})\s(?P<size>\d+)\s(?P<rt>[\d.]+)''', re.VERBOSE)
rows = []
for i, line in enumerate(LOG.splitlines(), 1):
    m = RX.match(line)
    if m is None:
        print(f"line {i} skipped: {line!r}"); continue
    d = m.groupdict(); d.update(status=int(d["status"]), size=int(d["size"]), rt=float(d["rt"]))
    rows.append(d)
print(Counter(f"{r['status'] // 100}xx" for r in rows))
hits = defaultdict(list)
for r in rows: hits[re.sub(r"/\d+", "/:id", r["path"].split("?")[0])].append(r["rt"])
for p, ts in sorted(hits.items(), key=lambda kv: (-len(kv[1]), kv[0])): print(f"{p:<20} n={len(ts)} mean={statistics.mean(ts):.4f} max={max(ts)}")
print(f"median {statistics.median(r['rt'] for r in rows):.3f} p90 {sorted(r['rt'] for r in rows)[int(.9 * len(rows)) - 1]} bytes {sum(r['size'] for r in rows):,}")
print(sorted({r["ip"] for r in rows}, key=lambda ip: tuple(map(int, ip.split(".")))), rows[1]["user"], rows[0]["ts"][:11])
print(re.findall(r"(\w+)=(\w+)", "a=1 b=2"), re.sub(r"(\d+)", lambda m: str(int(m[0]) * 2), "a1b22"), re.split(r"\s*[,;]\s*", "a , b;c"), re.search(r"(?<=@)\w+", "x@host").group(), re.match(r"(a)(b)?", "ac").groups("-"), re.compile("x", re.I).flags & re.I != 0, re.escape("a.b*c"), re.fullmatch("[a-z]+", "abc") is not None, re.sub("(?i)HELLO", "bye", "Hello hello"), [m.group(1) for m in re.finditer(r"<(\w+)>", "<a><b>")], re.sub(r"(?P<w>\w+) (?P<v>\w+)", r"\g<v> \g<w>", "ab cd"))
# --- date calendar tasks
from datetime import date, timedelta, datetime
import calendar
def nth_weekday(year, month, weekday, n):
    first = date(year, month, 1)
    offset = (weekday - first.weekday()) % 7
    return first + timedelta(days=offset + 7 * (n - 1))
print(nth_weekday(2024, 11, calendar.THURSDAY, 4), nth_weekday(2024, 9, 0, 1))
holidays = {date(2024, 1, 1): "New Year", date(2024, 7, 4): "Independence", nth_weekday(2024, 11, 3, 4): "Thanksgiving"}
def workdays(a, b):
    d, n = a, 0
    while d <= b:
        if d.weekday() < 5 and d not in holidays: n += 1
        d += timedelta(days=1)
    return n
print(workdays(date(2024, 7, 1), date(2024, 7, 31)), [f"{d:%a %b %d}: {n}" for d, n in sorted(holidays.items())])
def age(b, on): return on.year - b.year - ((on.month, on.day) < (b.month, b.day))
print(age(date(1990, 5, 17), date(2024, 5, 16)), age(date(1990, 5, 17), date(2024, 5, 17)))
weeks = {}
for i in range(0, 31, 5):
    d = date(2024, 12, 15) + timedelta(days=i)
    iso = d.isocalendar()
    weeks.setdefault(f"{iso.year}-W{iso.week:02d}", []).append(d.isoformat())
print(weeks)
for m in (2, 12): print(calendar.month_name[m], calendar.monthrange(2024, m)[1], calendar.day_name[date(2024, m, 1).weekday()])
start = datetime(2024, 3, 1, 22, 30); shifts = [(start + timedelta(hours=8 * i)).strftime("%m-%d %H:%M") for i in range(4)]
print(shifts, (datetime(2024, 3, 5) - start) // timedelta(hours=8), timedelta(minutes=135), str(timedelta(days=2, hours=3)), timedelta(seconds=-1), abs(timedelta(hours=-5)), sum([timedelta(hours=1), timedelta(minutes=30)], timedelta()), max(timedelta(1), timedelta(hours=25)))
print(date(2024, 3, 31) - timedelta(days=31), date.fromordinal(738000), date(2024, 1, 1).toordinal(), datetime(2024, 1, 1, 5).date() == date(2024, 1, 1), datetime.fromisoformat("2024-01-01T05:06:07.123456+05:30").utcoffset(), datetime(2024, 1, 1).strftime("%B %-d, %Y"), date(2024, 1, 5).strftime("%d.%m.%y"), datetime.fromtimestamp(0).year >= 1969)
# --- money split
from decimal import Decimal, ROUND_HALF_EVEN, ROUND_HALF_UP, getcontext
def allocate(total: Decimal, weights: list[int]) -> list[Decimal]:
    cent = Decimal("0.01")
    s = sum(weights)
    shares = [(total * w / s).quantize(cent, rounding=ROUND_HALF_EVEN) for w in weights]
    diff = total - sum(shares)
    i = 0
    while diff != 0:
        step = cent if diff > 0 else -cent
        shares[i % len(shares)] += step
        diff -= step
        i += 1
    return shares
print(allocate(Decimal("100.00"), [1, 1, 1]), sum(allocate(Decimal("0.05"), [3, 7])))
def loan(principal, annual_rate, months):
    r = Decimal(str(annual_rate)) / 12 / 100
    pay = principal * r / (1 - (1 + r) ** -months)
    return pay.quantize(Decimal("0.01"), ROUND_HALF_UP)
p = loan(Decimal(200000), 6.5, 360); print(p, p * 360, f"{p * 360 - 200000:,.2f}")
bal = Decimal("1000"); 
for m in range(1, 4):
    interest = (bal * Decimal("0.01")).quantize(Decimal("0.01")); bal = bal + interest - Decimal("340.02")
    print(f"{m:>2} {interest:>8} {bal:>10}")
print(Decimal("1.1") + Decimal("2.2") == Decimal("3.3"), 1.1 + 2.2 == 3.3, Decimal("10") / 3, round(Decimal("1.005"), 2), f"{Decimal('1234.5'):,.2f}", Decimal("0.1") * 3, str(Decimal("5.0")), Decimal("1e3"), int(Decimal("9.99")), Decimal(5) % 3, -Decimal("2"), max(Decimal("1.5"), Decimal("1.25")), sorted([Decimal("3"), Decimal("1")]), sum([Decimal("0.1")] * 10), Decimal("3.14159").quantize(Decimal("1.00")), Decimal("2") ** 10, Decimal("1.20").normalize())
# --- tree builder
from __future__ import annotations
from dataclasses import dataclass, field
from typing import Iterator
@dataclass
class Node:
    name: str
    size: int = 0
    children: dict[str, Node] = field(default_factory=dict)
    parent: Node | None = field(default=None, repr=False, compare=False)
    def add(self, path: str, size: int) -> Node:
        head, _, rest = path.partition("/")
        child = self.children.setdefault(head, Node(head, parent=self))
        if rest: return child.add(rest, size)
        child.size = size
        return child
    @property
    def total(self) -> int: return self.size + sum(c.total for c in self.children.values())
    @property
    def path(self) -> str: return f"{self.parent.path}/{self.name}" if self.parent else self.name
    def walk(self, depth: int = 0) -> Iterator[tuple[int, Node]]:
        yield depth, self
        for c in sorted(self.children.values(), key=lambda n: (-n.total, n.name)):
            yield from c.walk(depth + 1)
def human(n: float) -> str:
    for unit in ("B", "KB", "MB"):
        if n < 1024 or unit == "MB": return f"{n:.1f}{unit}" if unit != "B" else f"{int(n)}{unit}"
        n /= 1024
root = Node("root")
for p, s in {"src/main.py": 2048, "src/lib/util.py": 512, "docs/readme.md": 1300, "LICENSE": 11_000_000}.items(): leaf = root.add(p, s)
for d, n in root.walk(): print("  " * d + f"{n.name}{'/' if n.children else ''} {human(n.total)}")
print(leaf.path, root.children["src"].children["lib"].path, root.children["docs"], len(list(root.walk())))
# --- inheritance mro
class Base:
    registry = []
    def __init__(self, name, **kw):
        super().__init__(**kw)
        self.name = name
        Base.registry.append(self)
    def describe(self): return f"Base({self.name})"
class LogMixin:
    def __init__(self, *args, level="INFO", **kw):
        super().__init__(*args, **kw)
        self.level = level
    def log(self, msg): return f"[{self.level}] {self.name}: {msg}"
    def describe(self): return "Log+" + super().describe()
class JsonMixin:
    def to_json(self):
        import json
        return json.dumps({k: v for k, v in vars(self).items() if not k.startswith("_")}, sort_keys=True)
class Service(LogMixin, JsonMixin, Base):
    timeout = 30
    def __init__(self, name, **kw):
        super().__init__(name, **kw)
        self._secret = "s"
    def describe(self): return "Service:" + super().describe()
    @classmethod
    def create(cls, spec): n, _, lvl = spec.partition(":"); return cls(n, level=lvl or "WARN")
    @staticmethod
    def valid(n): return n.isidentifier()
s = Service.create("db:DEBUG"); t = Service("web")
print(s.describe(), s.log("up"), t.to_json(), [c.__name__ for c in Service.__mro__], len(Base.registry), Service.valid("a b"), s.timeout)
Service.timeout = 5; s.timeout = 1; print(s.timeout, t.timeout, hasattr(t, "_secret"), getattr(t, "zip", "none"), isinstance(t, JsonMixin), issubclass(Service, (int, Base)))

# --- generators adv
def chunks(it, n):
    buf = []
    for x in it:
        buf.append(x)
        if len(buf) == n: yield tuple(buf); buf.clear()
    if buf: yield tuple(buf)
def sliding(it, n):
    from collections import deque
    d = deque(maxlen=n)
    for x in it:
        d.append(x)
        if len(d) == n: yield list(d)
def interleave(*its):
    its = [iter(i) for i in its]
    while its:
        for i in its[:]:
            try: yield next(i)
            except StopIteration: its.remove(i)
def coroutine_avg():
    total, n = 0, 0
    try:
        while True:
            x = yield (total / n if n else None)
            if x is None: continue
            total += x; n += 1
    except GeneratorExit: print("closing with", n)
    finally: print("final")
print(list(chunks(range(7), 3)), list(sliding("abcd", 2)), list(interleave("ab", [1, 2, 3], ())), sum(len(c) for c in chunks("hello world", 4)))
g = coroutine_avg(); next(g); print(g.send(10), g.send(20)); g.close()
def gen():
    try: yield 1
    except ValueError as e: yield f"caught {e}"
    yield 2
g = gen(); print(next(g), g.throw(ValueError("boom")), next(g), next(g, "done"))
def flatten(x):
    for i in x:
        if isinstance(i, (list, tuple)): yield from flatten(i)
        else: yield i
print(list(flatten([1, [2, (3, [4])], []])), dict(enumerate("ab")), max(flatten([[3], [9, 1]])), [*map(str, flatten([1, [2]]))], set(flatten([[1], [1, 2]])) == {1, 2})
squares = (x * x for x in range(5)); print(next(squares), 4 in squares, list(squares), any(x > 2 for x in [1, 3]), all([]), sum(x for x in range(3)))
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1; return self.n + 1
print(list(Countdown(3)), [a + b for a, b in zip(Countdown(2), Countdown(2))], *Countdown(2), 2 in Countdown(3), sorted(Countdown(3)), tuple(Countdown(1)))
import itertools
fib = lambda: (a for a, _ in itertools.accumulate(itertools.repeat(None), lambda p, _: (p[1], p[0] + p[1]), initial=(0, 1)))
print(list(itertools.islice(fib(), 10)))
