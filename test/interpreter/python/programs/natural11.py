# --- access logs: slow endpoints and gaps
"""Parse nginx access logs and report slow endpoints, error rates and traffic percentiles."""
from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, asdict
from datetime import datetime, timezone, timedelta
from typing import Iterator, Optional, NamedTuple

RAW = """\
10.0.0.1 - - [12/Mar/2024:10:15:32 +0000] "GET /api/users/42?full=1 HTTP/1.1" 200 1532 0.043
10.0.0.2 - alice [12/Mar/2024:10:15:33 +0000] "POST /api/orders HTTP/1.1" 201 312 0.210
10.0.0.1 - - [12/Mar/2024:10:15:40 +0000] "GET /api/users/17 HTTP/1.1" 404 87 0.012
garbage line here
10.0.0.3 - bob [12/Mar/2024:10:16:01 +0100] "GET /static/app.js HTTP/1.1" 304 0 0.001
10.0.0.2 - alice [12/Mar/2024:10:16:12 +0000] "GET /api/orders/9001 HTTP/1.1" 500 12 1.504
10.0.0.9 - - [12/Mar/2024:11:00:00 +0000] "DELETE /api/users/17 HTTP/2" 204 0 0.099
10.0.0.9 - - [12/Mar/2024:11:02:59 -0500] "GET /api/users/18 HTTP/2" 503 0 2.75
"""

LINE = re.compile(
    r'''(?P<ip>\S+)\s-\s(?P<user>\S+)\s
        \[(?P<ts>[^\]]+)\]\s
        "(?P<method>[A-Z]+)\s(?P<path>\S+)\sHTTP/(?P<proto>[\d.]+)"\s
        (?P<status>\d{3})\s(?P<size>\d+)\s(?P<dur>[\d.]+)''',
    re.VERBOSE,
)


class Bucket(NamedTuple):
    method: str
    route: str


@dataclass(order=True)
class Stat:
    total: float = 0.0
    count: int = field(default=0, compare=False)
    statuses: Counter = field(default_factory=Counter, compare=False, repr=False)

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else float("nan")

    def add(self, dur: float, status: int) -> "Stat":
        self.total += dur
        self.count += 1
        self.statuses[f"{status // 100}xx"] += 1
        return self


def parse(text: str) -> Iterator[dict]:
    for lineno, line in enumerate(text.splitlines(), start=1):
        m = LINE.match(line)
        if m is None:
            print(f"skip line {lineno}: {line!r}")
            continue
        d = m.groupdict()
        d["ts"] = datetime.strptime(d["ts"], "%d/%b/%Y:%H:%M:%S %z")
        d["status"], d["size"], d["dur"] = int(d["status"]), int(d["size"]), float(d["dur"])
        yield d


def route_of(path: str) -> str:
    path, _, _query = path.partition("?")
    return re.sub(r"/\d+(?=/|$)", "/:id", path)


stats: dict[Bucket, Stat] = defaultdict(Stat)
per_minute: Counter[str] = Counter()
last: Optional[datetime] = None
for row in parse(RAW):
    stats[Bucket(row["method"], route_of(row["path"]))].add(row["dur"], row["status"])
    utc = row["ts"].astimezone(timezone.utc)
    per_minute[utc.strftime("%H:%M")] += 1
    if last is not None and (gap := utc - last) > timedelta(minutes=5):
        print("gap:", gap, "->", gap.total_seconds() / 60)
    last = utc

for bucket, stat in sorted(stats.items(), key=lambda kv: kv[1], reverse=True):
    print(f"{bucket.method:<7}{bucket.route:<20}{stat.count:>3} {stat.mean:8.3f}s {dict(stat.statuses)}")
print(per_minute.most_common(2), max(stats.values()))
print(asdict(Stat(1.5, 2, Counter(a=1))))
print(Bucket("GET", "/x")._replace(route="/y"), Bucket._fields, list(stats)[0])
# --- orders: dispatch, match, itertools
import json
from itertools import groupby, chain, islice, accumulate, pairwise, product, zip_longest
from operator import itemgetter, attrgetter
from functools import reduce, partial, lru_cache, singledispatch, cached_property

orders = json.loads('''[
 {"id": 1, "customer": {"name": "Ann", "tier": "gold"}, "lines": [{"sku": "A1", "qty": 2, "price": 9.99}, {"sku": "B2", "qty": 1, "price": 100}], "tags": ["rush"]},
 {"id": 2, "customer": {"name": "Bob", "tier": null}, "lines": [], "tags": null},
 {"id": 3, "customer": {"name": "Ann", "tier": "gold"}, "lines": [{"sku": "A1", "qty": 1, "price": 9.99}], "tags": ["gift", "rush"]}
]''')

@singledispatch
def describe(x):
    return f"<{type(x).__name__}>"

@describe.register
def _(x: int):
    return f"int:{x:,}"

@describe.register(list)
@describe.register(tuple)
def _seq(x):
    return "[" + "; ".join(map(describe, x)) + "]"

@describe.register(type(None))
def _none(x):
    return "nothing"

print(describe(1234567), describe([1, None, (2, "x")]), describe(2.5))

def flatten(obj, prefix=""):
    match obj:
        case dict():
            for k, v in obj.items():
                yield from flatten(v, f"{prefix}.{k}" if prefix else k)
        case [*items] if items:
            for i, v in enumerate(items):
                yield from flatten(v, f"{prefix}[{i}]")
        case None | []:
            yield prefix, "∅"
        case str() as s:
            yield prefix, s.upper()
        case int(n) | float(n):
            yield prefix, n

for k, v in flatten(orders[0]):
    print(f"{k:.<28}{v!s:.>10}")
print(dict(flatten(orders[1])))

total = lambda o: round(sum(l["qty"] * l["price"] for l in o["lines"]), 2)
by_name = {k: [total(o) for o in g] for k, g in groupby(sorted(orders, key=lambda o: o["customer"]["name"]), key=lambda o: o["customer"]["name"])}
print(by_name)
print(list(accumulate([total(o) for o in orders], initial=0)))
print([(a["id"], b["id"]) for a, b in pairwise(orders)])
print(sorted(set(chain.from_iterable(o["tags"] or [] for o in orders))))
print(reduce(lambda acc, o: {**acc, o["id"]: len(o["lines"])}, orders, {}))

class Cart:
    def __init__(self, o): self._o = o
    @cached_property
    def total(self):
        print("computing", self._o["id"])
        return total(self._o)
    def __lt__(self, other): return self.total < other.total
    def __repr__(self): return f"Cart({self._o['id']}, {self.total})"

carts = [Cart(o) for o in orders]
print(min(carts), max(carts))
print(sorted(carts, reverse=True), carts[0].total)
print(list(map(attrgetter("total"), carts)), list(map(itemgetter("id", "tags"), orders)))
print(json.dumps(by_name, indent=2, sort_keys=True))
print(list(zip_longest("ab", [1], fillvalue="-")), list(islice(product([0, 1], repeat=3), 2, 5)))
power = partial(pow, 2)
print(power(10), power.func is pow, power.args)

@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(90), fib.cache_info())
# --- sales: csv, decimals, statistics
import csv, io, statistics, math
from decimal import Decimal, ROUND_HALF_UP, getcontext
from fractions import Fraction

data = """date,region,amount,currency,notes
2024-01-05,EMEA,"1,200.50",EUR,"first, order"
2024-01-09,APAC,980,USD,
2024-02-11,EMEA,,EUR,"says ""hi"" ok"
2024-02-28,AMER,45.1,USD,late
2024-03-01,AMER,1e3,USD,late
"""
reader = csv.DictReader(io.StringIO(data))
rows = list(reader)
print(reader.fieldnames, len(rows))
FX = {"EUR": Decimal("1.0872"), "USD": Decimal(1)}

def usd(r):
    try:
        amt = Decimal(r["amount"].replace(",", ""))
    except Exception as exc:
        print("bad amount:", repr(r["amount"]), type(exc).__name__)
        return None
    return (amt * FX[r["currency"]]).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

vals = [(r["region"], v) for r in rows if (v := usd(r)) is not None]
print(vals)
totals = {}
for region, v in vals:
    totals.setdefault(region, []).append(v)
for region in sorted(totals, key=lambda r: -sum(totals[r])):
    vs = totals[region]
    print(f"{region}: n={len(vs)} sum={sum(vs):,.2f} mean={sum(vs)/len(vs):.3f} max={max(vs)}")
floats = [float(v) for _, v in vals]
print(statistics.mean(floats), statistics.median(floats), round(statistics.stdev(floats), 4), statistics.quantiles(floats, n=4))
print(math.isclose(sum(floats), math.fsum(floats)), math.floor(-2.5), math.ceil(-2.5), math.trunc(-2.5), math.hypot(3, 4), math.gcd(48, 36, 60), math.lcm(4, 6), math.comb(5, 2), math.prod([1, 2, 3.0]), math.log2(1024), math.inf, -math.inf)
print(Fraction(3, 4) + Fraction("0.1"), Fraction(0.5), Fraction(22, 7).limit_denominator(3))
out = io.StringIO()
w = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
w.writerow(["region", "total", "share"])
grand = sum(v for _, v in vals)
for region, vs in totals.items():
    w.writerow([region, sum(vs), f"{sum(vs) / grand:.1%}"])
w.writerows([("a,b", None, 'q"q'), (1.5, True, "x\ny")])
print(out.getvalue(), end="")
dw = csv.DictWriter(out2 := io.StringIO(), fieldnames=["a", "b"], extrasaction="ignore", restval="-", delimiter=";")
dw.writeheader(); dw.writerow({"a": 1, "c": 3}); dw.writerow({"a": 2, "b": "y;z"})
print(repr(out2.getvalue()))
getcontext().prec = 6
print(Decimal(1) / Decimal(7), Decimal("2").sqrt(), Decimal("1.10") + 1, Decimal("NaN").is_nan(), Decimal("1E+3"), int(Decimal("12.9")), Decimal("-0.00"), abs(Decimal("-5.50")), Decimal("3.14159").as_tuple())
# --- a store: exceptions, context managers, enums
# Inventory reservation with custom exceptions, context managers & retry decorator
import functools
import contextlib
from abc import ABC, abstractmethod
from enum import Enum, IntEnum, auto, Flag
from typing import Protocol, Generic, TypeVar, Callable, Any

T = TypeVar("T")

class Status(Enum):
    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    @property
    def terminal(self): return self in (Status.DONE, Status.FAILED)
    @classmethod
    def parse(cls, s):
        try:
            return cls(s.lower())
        except ValueError as e:
            raise InventoryError(f"bad status {s!r}") from e
    def __str__(self): return self.name.title()

class Prio(IntEnum):
    LOW = auto()
    HIGH = auto()

class Perm(Flag):
    R = auto(); W = auto(); X = auto()

class InventoryError(Exception):
    """Base."""
    code = 100
    def __init__(self, msg, *, sku=None):
        super().__init__(msg)
        self.sku = sku

class OutOfStock(InventoryError):
    code = 101
    def __str__(self): return f"[{self.code}] {self.args[0]} (sku={self.sku})"

def retry(times=3, exceptions=(Exception,)):
    def deco(fn: Callable[..., T]) -> Callable[..., T]:
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return fn(*args, **kwargs)
                except exceptions as exc:
                    print(f"{fn.__name__} attempt {attempt} failed: {exc}")
                    if attempt == times:
                        raise
        return wrapper
    return deco

class Store(ABC):
    def __init__(self): self._items: dict[str, int] = {}
    @abstractmethod
    def reserve(self, sku: str, n: int = 1) -> int: ...
    def __len__(self): return len(self._items)
    def __contains__(self, k): return k in self._items
    def __getitem__(self, k): return self._items[k]
    def __setitem__(self, k, v): self._items[k] = v
    def __delitem__(self, k): del self._items[k]
    def __iter__(self): return iter(self._items)

class MemStore(Store):
    flaky = 0
    @retry(times=2, exceptions=(OutOfStock, KeyError))
    def reserve(self, sku, n=1):
        """Reserve n of sku."""
        MemStore.flaky += 1
        if self[sku] < n:
            raise OutOfStock("not enough", sku=sku)
        self[sku] -= n
        return self[sku]

@contextlib.contextmanager
def transaction(store):
    snap = dict(store._items)
    print("begin")
    try:
        yield store
    except InventoryError as e:
        store._items.update(snap)
        print("rollback:", e, e.code, e.sku)
        raise
    else:
        print("commit")
    finally:
        print("end")

s = MemStore()
s["a"] = 3; s["b"] = 1
with transaction(s) as t:
    t.reserve("a", 2)
try:
    with transaction(s):
        s.reserve("a")
        s.reserve("b", 5)
except OutOfStock as e:
    print("caught", repr(e), e.__class__.__mro__[1].__name__)
print(dict(s._items), len(s), "a" in s, list(s), MemStore.flaky, MemStore.reserve.__name__, MemStore.reserve.__doc__)
try:
    s.reserve("zzz")
except KeyError as e:
    print("KeyError", e, e.args)
with contextlib.suppress(KeyError): del s["nope"]
try: Store()
except TypeError as e: print(e)
print(Status("done"), Status["FAILED"].terminal, [x.value for x in Status], repr(Status.PENDING), Status.parse("DONE") is Status.DONE)
try: Status.parse("x")
except InventoryError as e: print(e, "<-", repr(e.__cause__))
print(Prio.LOW < Prio.HIGH, Prio.HIGH + 1, sorted(Prio, reverse=True), Perm.R | Perm.W, Perm.R in (Perm.R | Perm.X), max(Prio), f"{Prio.LOW}", f"{Status.DONE!r:>30}")
class Stack(Generic[T]):
    def __init__(self, *xs: T): self.xs = list(xs)
    def push(self, x: T) -> "Stack[T]":
        self.xs.append(x); return self
    def __bool__(self): return bool(self.xs)
    def __eq__(self, o): return isinstance(o, Stack) and self.xs == o.xs
    def __hash__(self): return hash(tuple(self.xs))
    def __add__(self, o): return Stack(*self.xs, *o.xs)
    def __call__(self, i=-1): return self.xs[i]
st = Stack[int](1).push(2)
print(st == Stack(1, 2), bool(Stack()), (st + st).xs, st(), st(0), len({st, Stack(1, 2)}))
# --- texts: templates, links, tables, differences
import textwrap, string, re, html, base64, hashlib, urllib.parse, uuid, difflib, pprint

TEMPLATE = string.Template("Hello $name, you owe ${amount} ($$)")
print(TEMPLATE.substitute(name="Zoë", amount="€12.50"), TEMPLATE.safe_substitute(name="x"))
md = """
# Title

Some *text* with [a link](https://example.com/?q=a%20b&x=1) and `code`.

## Sub-heading 1.2
- item one
- item two
    - nested

| a | b |
|---|---|
| 1 | 2 |
"""
headings = [(len(h), t.strip()) for h, t in re.findall(r"^(#+)\s+(.*)$", md, flags=re.M)]
print(headings)
slug = lambda s: re.sub(r"[^\w]+", "-", s.lower()).strip("-")
print([slug(t) for _, t in headings])
links = {m["text"]: urllib.parse.urlparse(m["url"]) for m in re.finditer(r"\[(?P<text>[^\]]+)\]\((?P<url>[^)]+)\)", md)}
for t, u in links.items():
    print(t, u.scheme, u.netloc, u.path, urllib.parse.parse_qs(u.query), u.geturl())
    print(u)
table = [[c.strip() for c in l.strip("|").split("|")] for l in md.splitlines() if l.startswith("|") and not set(l) <= set("|-")]
print(table, dict(zip(*table)))
print(textwrap.fill("The quick brown fox jumps over the lazy dog, again and again, until it is tired.", width=30, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten("Hello   wonderful world of things", width=20, placeholder="…"))
print(textwrap.indent(textwrap.dedent("""
    def f():
        return 1
""").strip(), "> "))
print(html.escape("<a href='x'>&</a>"), html.unescape("&lt;p&gt;&nbsp;&eacute;&#39;&#x41;"))
print(base64.b64encode("héllo".encode()).decode(), base64.urlsafe_b64decode("aGk_Pg==").decode("latin-1"), hashlib.sha256(b"abc").hexdigest()[:16], hashlib.md5("x".encode("utf-8")).hexdigest())
print(urllib.parse.quote("a b/ç?"), urllib.parse.urlencode({"q": "x y", "n": 1, "l": [1, 2]}, doseq=True), urllib.parse.urljoin("https://a.b/c/d", "../e"))
print(uuid.UUID("12345678123456781234567812345678"), uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"))
a, b = "one\ntwo\nthree\nfour".split("\n"), "one\n2\nthree\nfour\nfive".split("\n")
print("\n".join(difflib.unified_diff(a, b, "old.txt", "new.txt", lineterm="")))
print(round(difflib.SequenceMatcher(None, "kitten", "sitting").ratio(), 3), difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]))
pprint.pprint({"name": "x" * 30, "items": [{"id": i, "v": "y" * 20} for i in range(3)], "t": (1,)}, width=60)
print("%-10s|%5.1f%%|%03d|%x|%r" % ("left", 12.345, 7, 255, "it's"))
print("{0!r:>8} {1:+,} {2:e} {name:^9}".format("a", 1234567, 12345.678, name="mid"), f"{3.0:g} {1e20:g} {0.1+0.2} {2**70} {-7//2} {-7%3} {7.5//2}")
tr = str.maketrans({"a": "4", "e": "3", "o": None})
print("leet code are on".translate(tr), "ß".upper(), "ǅ".title(), "İ".lower().encode(), "straße".casefold(), "a\tb".expandtabs(4), "x".zfill(3), "-5".zfill(4), "abc".center(8, "*"), "Hello World".swapcase())
print("a,b,,c".split(","), " a  b ".split(), "a-b-c".rsplit("-", 1), "k=v=w".partition("="), "line1\r\nline2\x0bline3".splitlines(), "pre_x".removeprefix("pre_"), "abcabc".rfind("b"), "x1".isalnum(), "٣".isdigit(), "½".isnumeric(), "A".isidentifier())
# --- graphs: shortest paths, grids, deques
# Graph stuff, heapq, deque, bisect, recursion
import heapq
from bisect import bisect_left, insort
from collections import deque, OrderedDict, ChainMap, defaultdict, Counter, namedtuple
import sys
from graphlib import TopologicalSorter, CycleError

INF = float("inf")
edges = [("A", "B", 4), ("A", "C", 1), ("C", "B", 2), ("B", "D", 5), ("C", "D", 8), ("D", "E", 3)]
graph = defaultdict(dict)
for u, v, w in edges:
    graph[u][v] = w
    graph[v].setdefault(u, w)

def dijkstra(src):
    dist = {n: INF for n in graph} | {src: 0}
    prev = {}
    pq = [(0, src)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]: continue
        for v, w in graph[u].items():
            if (nd := d + w) < dist[v]:
                dist[v], prev[v] = nd, u
                heapq.heappush(pq, (nd, v))
    return dist, prev

dist, prev = dijkstra("A")
print(dist, prev)
path = []
n = "E"
while n != "A":
    path.insert(0, n); n = prev[n]
else:
    path[:0] = ["A"]
print(" -> ".join(path), heapq.nlargest(2, dist, key=dist.get), heapq.nsmallest(2, dist.items(), key=lambda x: x[1]))

ts = TopologicalSorter({"deploy": {"test", "build"}, "test": {"build"}, "build": {"lint"}})
print(list(ts.static_order()))
try:
    list(TopologicalSorter({"a": ["b"], "b": ["a"]}).static_order())
except CycleError as e:
    print("cycle", e.args[1])

grid = ["S.#.", "..#.", ".#..", "...E"]
start = next((r, c) for r, row in enumerate(grid) for c, ch in enumerate(row) if ch == "S")
q, seen = deque([(start, 0)]), {start}
while q:
    (r, c), d = q.popleft()
    if grid[r][c] == "E":
        print("found at", (r, c), "in", d)
        break
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        nr, nc = r + dr, c + dc
        if 0 <= nr < len(grid) and 0 <= nc < len(grid[0]) and grid[nr][nc] != "#" and (nr, nc) not in seen:
            seen.add((nr, nc)); q.append(((nr, nc), d + 1))
else:
    print("no way")

window = deque(maxlen=3)
for x in range(6):
    window.append(x * x)
    if len(window) == window.maxlen: print(sum(window) / 3, end=" ")
print(window, window[-1])
window.rotate(1); window.extendleft([9]); print(window)
xs = []
for x in [5, 1, 4, 1, 3]: insort(xs, x)
print(xs, bisect_left(xs, 4))
cm = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(cm["a"], cm["b"], dict(cm), cm)
od = OrderedDict(a=1, b=2, c=3); od.move_to_end("a"); od.popitem(last=False)
print(od, list(reversed(od)))
c = Counter("mississippi"); c.subtract("miss"); print(c, +c, c.total(), c["zz"], Counter(a=3) & Counter(a=1, b=2), Counter("ab") | Counter("bc"))
P = namedtuple("P", "x y z", defaults=[0]); p = P(1, y=2)
print(p, p._asdict(), p + (4,), P._make([7, 8, 9]).z, *p)
def perms(xs):
    if len(xs) <= 1: return [xs]
    return [[x] + rest for i, x in enumerate(xs) for rest in perms(xs[:i] + xs[i+1:])]
print(len(perms([1, 2, 3, 4])), perms("abc"[:2]) if False else perms([1, 2]))
memo = {}
def collatz(n):
    if n == 1: return 0
    if n not in memo: memo[n] = 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
    return memo[n]
print(max(range(1, 500), key=collatz), sys.maxsize, sys.getrecursionlimit() > 100)
matrix = [[1, 2, 3], [4, 5, 6]]
print([*zip(*matrix)], [list(r)[::-1] for r in zip(*matrix)], sum(map(sum, matrix)), [[0] * 2 for _ in range(2)])
first, *mid, last_ = range(6); print(first, mid, last_)
# --- jobs: rate limits, queues, due dates
import asyncio
from datetime import date, datetime, timedelta
import calendar
import json
import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("app")

class RateLimiter:
    def __init__(self, n): self.sem = asyncio.Semaphore(n); self.hits = 0
    async def __aenter__(self):
        await self.sem.acquire(); self.hits += 1; return self
    async def __aexit__(self, et, ev, tb):
        self.sem.release(); return False

async def fetch(i, lim):
    async with lim:
        await asyncio.sleep(0)
        if i == 3: raise ValueError(f"job {i} exploded")
        return {"id": i, "sq": i * i}

async def agen(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)

async def main():
    lim = RateLimiter(2)
    res = await asyncio.gather(*(fetch(i, lim) for i in range(5)), return_exceptions=True)
    ok = [r for r in res if not isinstance(r, Exception)]
    bad = [r for r in res if isinstance(r, Exception)]
    print(ok, bad, lim.hits)
    print([x async for x in agen(3)], {x: -x async for x in agen(2)})
    async for x in agen(2): print("x", x)
    t = asyncio.create_task(fetch(7, lim))
    print(await t, t.done())
    try:
        print(await asyncio.wait_for(fetch(3, lim), timeout=1))
    except ValueError as e:
        print("err", e)
    q = asyncio.Queue()
    for k in "abc": q.put_nowait(k)
    items = []
    while not q.empty(): items.append(await q.get())
    print(items)
    return len(ok)

print(asyncio.run(main()))

d0 = date(2024, 1, 31)
def add_months(d, n):
    y, m = divmod(d.month - 1 + n, 12)
    y += d.year; m += 1
    return date(y, m, min(d.day, calendar.monthrange(y, m)[1]))
print([add_months(d0, k).isoformat() for k in range(0, 14, 3)])
due = datetime.fromisoformat("2024-03-10T17:30:00") 
print(due.weekday(), due.strftime("%A %d %B %Y %I:%M %p"), due.date() - d0, (due - timedelta(days=1, hours=3)).isoformat(sep=" "), due.replace(hour=0, minute=0), due.isocalendar()[1], due.timetuple().tm_yday)
wd = [d for d in (date(2024, 2, 26) + timedelta(n) for n in range(7)) if d.weekday() < 5]
print(len(wd), wd[0], wd[-1], wd[0].strftime("%b %d").lstrip("0"), f"{due:%Y/%m/%d}", date.fromordinal(738900), calendar.month_name[2], calendar.isleap(2024))
print(json.dumps({"d": due, "s": {1}}, default=lambda o: sorted(o) if isinstance(o, set) else o.isoformat()))

try:
    json.loads('{"a": 1,}')
except json.JSONDecodeError as e:
    print(e, e.lineno, e.colno, e.pos, e.msg)
try:
    datetime.strptime("2024-13-01", "%Y-%m-%d")
except ValueError as e: print(e)
print(str(timedelta(days=-1, seconds=30)), timedelta(hours=50).days, timedelta(minutes=90) / timedelta(hours=1), timedelta(seconds=3661) // 60, repr(timedelta(weeks=1)))
# --- a parser and evaluator of expressions
"""Tiny tokenizer + recursive-descent parser + evaluator."""
import re
from dataclasses import dataclass
from typing import Union, List, Dict
import operator as op

TOKEN_SPEC = [("NUM", r"\d+(\.\d*)?"), ("ID", r"[A-Za-z_]\w*"), ("OP", r"\*\*|[-+*/%()=,<>!]=?"), ("SKIP", r"[ \t]+"), ("BAD", r".")]
MASTER = re.compile("|".join(f"(?P<{n}>{p})" for n, p in TOKEN_SPEC))

@dataclass(frozen=True)
class Tok:
    kind: str
    text: str
    pos: int

class ParseError(SyntaxError): pass

def tokenize(src: str) -> List[Tok]:
    out = []
    for m in MASTER.finditer(src):
        kind = m.lastgroup
        if kind == "SKIP": continue
        if kind == "BAD": raise ParseError(f"unexpected {m.group()!r} at {m.start()}")
        out.append(Tok(kind, m.group(), m.start()))
    return out + [Tok("EOF", "", len(src))]

@dataclass
class Num: value: float
@dataclass
class Var: name: str
@dataclass
class Bin:
    op: str
    left: "Node"
    right: "Node"
@dataclass
class Call:
    fn: str
    args: list
Node = Union[Num, Var, Bin, Call]
PREC = {"+": (1, op.add), "-": (1, op.sub), "*": (2, op.mul), "/": (2, op.truediv), "%": (2, op.mod), "**": (3, op.pow)}

class Parser:
    __slots__ = ("toks", "i")
    def __init__(self, src): self.toks, self.i = tokenize(src), 0
    @property
    def cur(self): return self.toks[self.i]
    def eat(self, text=None):
        t = self.cur
        if text is not None and t.text != text:
            raise ParseError(f"expected {text!r}, got {t.text or 'end'!r}")
        self.i += 1
        return t
    def expr(self, min_prec=1):
        lhs = self.atom()
        while self.cur.text in PREC and PREC[self.cur.text][0] >= min_prec:
            o = self.eat().text
            p = PREC[o][0]
            rhs = self.expr(p if o == "**" else p + 1)
            lhs = Bin(o, lhs, rhs)
        return lhs
    def atom(self) -> Node:
        t = self.eat()
        if t.kind == "NUM": return Num(float(t.text) if "." in t.text else int(t.text))
        if t.kind == "ID":
            if self.cur.text == "(":
                self.eat("("); args = []
                while self.cur.text != ")":
                    args.append(self.expr())
                    if self.cur.text == ",": self.eat()
                self.eat(")")
                return Call(t.text, args)
            return Var(t.text)
        if t.text == "(":
            e = self.expr(); self.eat(")"); return e
        if t.text == "-": return Bin("-", Num(0), self.atom())
        raise ParseError(f"unexpected {t}")

FUNCS = {"max": max, "min": min, "sqrt": lambda x: x ** 0.5, "abs": abs}
def ev(n: Node, env: Dict[str, float]):
    match n:
        case Num(value=v): return v
        case Var(name): 
            if name not in env: raise NameError(f"name {name!r} is not defined")
            return env[name]
        case Bin(op="/", left=l, right=Num(0)): raise ZeroDivisionError("constant zero")
        case Bin(o, l, r): return PREC[o][1](ev(l, env), ev(r, env))
        case Call(fn, args) if fn in FUNCS: return FUNCS[fn](*(ev(a, env) for a in args))
        case _: raise TypeError(f"cannot evaluate {type(n).__name__}")

env = {"x": 3, "y": 0.5}
for s in ["1 + 2 * 3", "2 ** 3 ** 2", "(1 + x) * y", "max(1, x, 2) - -1", "1 / 0", "1/(x-3)", "foo(1)", "z + 1", "3 $ 4", "(1", "7 % 4 % 2", "sqrt(16)", "10 - 3 - 2"]:
    try:
        tree = Parser(s).expr()
        print(f"{s:<20} = {ev(tree, env)}")
    except (ParseError, ArithmeticError) as e:
        print(f"{s:<20} ! {type(e).__name__}: {e}")
    except (NameError, TypeError) as e:
        print(f"{s:<20} !! {e!r}")
print(Parser("a*(b+1)").expr())
t = Tok("NUM", "1", 0)
try:
    t.kind = "x"
except Exception as e:
    print(type(e).__name__, e)
print(hash(t) == hash(Tok("NUM", "1", 0)), {t: 1}[Tok("NUM", "1", 0)])
try:
    Parser("1").foo = 3
except AttributeError as e:
    print(e)
# --- small things of every day, and their messages
# typical "assistant" analysis script, lots of small pythonisms
records = [
    ("2024-06-01", "checkout", 231, None), ("2024-06-01", "search", 88, "timeout"), ("2024-06-02", "checkout", 199, None),
    ("2024-06-02", "search", 1021, "timeout"), ("2024-06-03", "login", 45, "auth"), ("2024-06-03", "checkout", 250, "auth"),
]
by_service = {}
for day, svc, ms, err in records:
    bucket = by_service.setdefault(svc, {"n": 0, "errors": [], "ms": []})
    bucket["n"] += 1
    bucket["ms"] += [ms]
    if err: bucket["errors"].append((day, err))
def pct(xs, p):
    xs = sorted(xs); k = (len(xs) - 1) * p / 100
    f, c = int(k), min(int(k) + 1, len(xs) - 1)
    return xs[f] + (xs[c] - xs[f]) * (k - f)
hdr = ("service", "n", "p50", "p95", "err%")
widths = [10, 4, 9, 9, 7]
print(" ".join(h.ljust(w) if i == 0 else h.rjust(w) for i, (h, w) in enumerate(zip(hdr, widths))))
print("-" * (sum(widths) + len(widths) - 1))
for svc, b in sorted(by_service.items(), key=lambda t: (-t[1]["n"], t[0])):
    row = [svc, b["n"], pct(b["ms"], 50), pct(b["ms"], 95), len(b["errors"]) / b["n"] * 100]
    print(" ".join([f"{row[0]:<{widths[0]}}", f"{row[1]:>{widths[1]}d}"] + [f"{v:>{w}.1f}" for v, w in zip(row[2:], widths[2:])]))
print(f"{by_service['search']['errors'] = }")
print(*(f"{k}={v['n']}" for k, v in by_service.items()), sep=" | ", end=".\n")
any_err = any(e for *_, e in records); all_fast = all(ms < 2000 for _, _, ms, _ in records)
print(any_err, all_fast, any([]), all([]))
print({d: {s for dd, s, *_ in records if dd == d} == {"checkout", "search"} for d in dict.fromkeys(r[0] for r in records)})
x = y = []
x.append(1); print(y, x is y, x == [1], [] is not None)
del x[:]; print(y)
a = b = 5; a += 1; print(a, b, (a > b) - (a < b))
nested = {"a": {"b": [{"c": 1}, {"c": 2}]}}
def dig(o, *keys, default=None):
    for k in keys:
        try: o = o[k]
        except (KeyError, IndexError, TypeError): return default
    return o
print(dig(nested, "a", "b", 1, "c"), dig(nested, "a", "x", default="?"), dig(nested, "a", "b", 9), dig(None, 1))
s = "The rain in Spain"
print(s[::-1], s[-5:], s[4:8], s.lower().count("ai"), "rain" in s, sorted(s.split(), key=str.lower), s.index("in"), [c for c in s if c.isupper()], ord("€"), chr(8364))
print(int("0x1f", 16), int("1010", 2), hex(255), bin(5), oct(8), float("1e-3"), round(2.5), round(3.5), round(2.675, 2), round(1234.5, -2), abs(-3), divmod(17, 5), pow(3, -1, 7), 10 ** -2, 1 / 3, 1e16, 1e15, 123456789.123456789, 0.1 + 0.2, 1_000_000)
print(sum([[1], [2, 3]], []), list(range(10, 0, -3)), list(reversed([1, 2])), max("abc", "abd"), min([3, 1], key=lambda v: -v), list(filter(None, [0, 1, "", "a", None])), list(map(lambda a, b: a * b, [1, 2], [3, 4])))
print(isinstance(True, int), type(1) == int, type([]).__name__, str(None), repr("a'b"), repr('a"b\n'), [1.0, "x", None, True], (1,), {1: "a", "k": [1]}, set(), frozenset([1]))
lst = [3, 1, 2]; lst.sort(reverse=True); lst.insert(1, 9); lst.remove(1); print(lst, lst.pop(), lst.pop(0), lst, lst * 2, lst + [1], lst.index(9), lst.copy() == lst)
try: lst.remove(100)
except ValueError as e: print(e)
try: [].pop()
except IndexError as e: print(e)
try: {}["k"]
except KeyError as e: print(e, repr(e), str(e))
try: int("12a")
except ValueError as e: print(e)
try: "a" + 1
except TypeError as e: print(e)
try: 1 + "a"
except TypeError as e: print(e)
try: None.foo
except AttributeError as e: print(e)
try: len(5)
except TypeError as e: print(e)
try: [1, 2][5]
except IndexError as e: print(e)
try: a, b = [1, 2, 3]
except ValueError as e: print(e)
try: (lambda x, y: 0)(1)
except TypeError as e: print(e)
try: float("abc")
except ValueError as e: print(e)
try: sorted([1, "a"])
except TypeError as e: print(e)
try: {[]: 1}
except TypeError as e: print(e)
try: 1 / 0
except ZeroDivisionError as e: print(e)
try: "abc".index("z")
except ValueError as e: print(e)
try: next(iter([]))
except StopIteration as e: print("stop", repr(e))
# --- events: coroutines, closures, trees
# Event-sourcing style program with generators, closures, send, iterators
from collections.abc import Iterable, Mapping, Sequence
import copy, itertools, random
from types import SimpleNamespace
from typing import TypedDict, Literal, Annotated, overload, cast, TYPE_CHECKING

class Event(TypedDict, total=False):
    type: Literal["deposit", "withdraw"]
    amount: int

def running_mean():
    total = n = 0
    mean = None
    while True:
        x = yield mean
        if x is None: continue
        total += x; n += 1
        mean = total / n

g = running_mean(); next(g)
print([g.send(v) for v in (10, 20, 60)])
g.close()
try: g.send(1)
except StopIteration: print("closed")

def counter(start=0, *, step=1):
    n = start
    def inc(by=None):
        nonlocal n
        n += step if by is None else by
        return n
    inc.reset = lambda: None
    return inc
c = counter(10, step=5); print(c(), c(), c(by=-3))

def chunked(it: Iterable, n: int):
    it = iter(it)
    while batch := list(itertools.islice(it, n)):
        yield batch
print(list(chunked(range(7), 3)), [sum(b) for b in chunked((x for x in range(10) if x % 2), 2)])

def account(events: Sequence[Event], balance=0):
    for e in events:
        match e:
            case {"type": "deposit", "amount": int(a)} if a > 0:
                balance += a
            case {"type": "withdraw", "amount": a, **rest}:
                if a > balance:
                    raise ValueError(f"insufficient: {balance} < {a}")
                balance -= a
                if rest: print("extra", rest)
            case {"type": t}:
                print("unknown", t)
            case _:
                print("malformed", e)
    return balance
print(account([{"type": "deposit", "amount": 50}, {"type": "withdraw", "amount": 20, "memo": "atm"}, {"type": "fee"}, "x"]))
try: account([{"type": "withdraw", "amount": 1}])
except ValueError as err: print("Error:", err)

class Tree:
    def __init__(self, v, l=None, r=None): self.v, self.l, self.r = v, l, r
    def __iter__(self):
        if self.l: yield from self.l
        yield self.v
        if self.r: yield from self.r
    def insert(self, v):
        side = "l" if v < self.v else "r"
        child = getattr(self, side)
        if child is None: setattr(self, side, Tree(v))
        else: child.insert(v)
        return self
t = Tree(5)
for v in (2, 8, 1, 9, 3): t.insert(v)
print(list(t), max(t), 8 in t, sum(t), sorted(t, reverse=True)[:2], [*t][1:3], ",".join(map(str, t)))
class Range2:
    def __init__(self, n): self.n = n; self.i = 0
    def __iter__(self): return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
print(dict(enumerate(Range2(3), 1)), list(zip(Range2(2), "ab")))
ns = SimpleNamespace(a=1, b=[1]); ns2 = copy.deepcopy(ns); ns2.b.append(2); ns.c = "x"
print(ns, ns2, vars(ns2), hasattr(ns2, "c"), getattr(ns2, "c", "dflt"))
print(isinstance({}, Mapping), isinstance([], Sequence), isinstance("s", Iterable), isinstance(5, (str, float)), callable(print), issubclass(bool, int))
def kw(a, /, b, *args, c=3, **kws): return (a, b, args, c, kws)
print(kw(1, 2), kw(1, b=2, d=4), kw(*[1, 2, 3], **{"c": 9}))
try: kw()
except TypeError as e: print(e)
try: kw(1, 2, c=1, **{"c": 2})
except TypeError as e: print(str(e).split(".")[-1])
def deco(label):
    def w(f):
        def inner(*a, **k):
            r = f(*a, **k); print(label, a, k, "->", r); return r
        return inner
    return w
@deco("T")
def mul(a, b=2): return a * b
mul(3); mul(2, b="x")
for i in range(3):
    for j in range(3):
        if j == 2: break
        if i == 1: continue
        print((i, j), end=" ")
    else: print("never")
print()
fs = [lambda: i for i in range(3)]; print([f() for f in fs])
print([y for x in [[1, 2], [3]] for y in x if y != 2], {k: v for v, k in enumerate("ab")}, (lambda *a, **k: (a, k))(1, z=2))
# --- configurations: reading, merging, comparing
import json, re
from collections import defaultdict
yaml_text = """
name: web
replicas: 3
image: "nginx:1.25"
env:
  - name: DEBUG
    value: 'false'
  - name: PORT
    value: 8080
resources:
  limits:
    cpu: 500m
    memory: 256Mi
"""
def parse_scalar(s):
    s = s.strip()
    if s[:1] in "\"'" and s[-1:] == s[:1]: return s[1:-1]
    if re.fullmatch(r"-?\d+", s): return int(s)
    if s in ("true", "false"): return s == "true"
    return s
def parse_yaml(text):
    lines = [(len(l) - len(l.lstrip()), l.strip()) for l in text.splitlines() if l.strip() and not l.lstrip().startswith("#")]
    pos = 0
    def block(indent):
        nonlocal pos
        if lines[pos][1].startswith("- "):
            out = []
            while pos < len(lines) and lines[pos][0] == indent and lines[pos][1].startswith("- "):
                ind, body = lines[pos]
                lines[pos] = (ind + 2, body[2:])
                out.append(block(ind + 2))
            return out
        out = {}
        while pos < len(lines) and lines[pos][0] == indent and not lines[pos][1].startswith("- "):
            k, _, v = lines[pos][1].partition(":")
            pos += 1
            if v.strip():
                out[k] = parse_scalar(v)
            else:
                out[k] = block(lines[pos][0])
        return out
    return block(lines[0][0])
cfg = parse_yaml(yaml_text)
print(json.dumps(cfg, indent=2))
UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "m": 1e-3, "": 1}
def qty(s):
    m = re.match(r"^(\d+(?:\.\d+)?)([A-Za-z]*)$", str(s))
    if not m: raise ValueError(s)
    return float(m[1]) * UNITS[m[2]]
print({k: qty(v) for k, v in cfg["resources"]["limits"].items()})
def deep_merge(a: dict, b: dict) -> dict:
    return {k: deep_merge(a[k], b[k]) if k in a and k in b and isinstance(a[k], dict) and isinstance(b[k], dict) else b.get(k, a.get(k)) for k in [*a, *(k for k in b if k not in a)]}
m = deep_merge(cfg, {"replicas": 5, "resources": {"limits": {"cpu": "1"}}, "new": None})
def diff(a, b, path=()):
    if isinstance(a, dict) and isinstance(b, dict):
        for k in sorted(a.keys() | b.keys()):
            yield from diff(a.get(k), b.get(k), path + (k,))
    elif a != b:
        yield ".".join(path), a, b
for d in diff(cfg, m): print("%s: %r -> %r" % d)
print(set(cfg) ^ set(m), cfg.keys() & {"name", "zip"}, cfg.items() >= {("replicas", 3)}.copy() if False else ("replicas", 3) in cfg.items())
versions = ["1.10.0", "1.9.3", "2.0.0-rc.1", "2.0.0", "1.9.3+build5"]
def vkey(v):
    core, _, pre = v.split("+")[0].partition("-")
    return tuple(map(int, core.split("."))), pre == "", pre
print(sorted(versions, key=vkey), max(versions, key=vkey))
class CaseInsensitiveDict(dict):
    def __setitem__(self, k, v): super().__setitem__(k.lower(), v)
    def __getitem__(self, k): return super().__getitem__(k.lower())
    def __missing__(self, k): return None
    def get(self, k, d=None): return super().get(k.lower(), d)
h = CaseInsensitiveDict(); h["Content-Type"] = "json"
print(h["CONTENT-TYPE"], h, h.get("content-TYPE"), len(h), isinstance(h, dict), h["nope"])
class Money(float):
    def __str__(self): return f"${self:,.2f}"
print(Money(1234.5), Money(2) + 1, [Money(3)])
class Vec(tuple):
    def __new__(cls, *xs): return super().__new__(cls, xs)
    def __add__(self, o): return Vec(*(a + b for a, b in zip(self, o)))
    def __mul__(self, k): return Vec(*(a * k for a in self))
    __rmul__ = __mul__
print(Vec(1, 2) + Vec(3, 4), 2 * Vec(1, 2), Vec(1, 2) == (1, 2))
text = "a=1; b='two, three'; c=[1,2]"
print(dict(re.findall(r"(\w+)=((?:'[^']*'|\[[^\]]*\]|[^;])+)", text)), re.split(r"\s*;\s*", text), re.sub(r"(\w)=", lambda m: m.group(1).upper() + ":", text), re.subn("[aeiou]", "*", "education", count=2))
print(re.search(r"(?i)(?<=b=')(\w+)", text).span(1), re.compile(r"(\d+)-(\d+)?").match("12-").groups(default="0"), re.escape("a.b*c"), bool(re.match(r"^\p" if False else r"^\w+", "é")))
# --- queens, primes, matrices
from typing import *
import sys, math, time, json
def solve_queens(n):
    def place(row, cols, d1, d2, acc):
        if row == n:
            yield tuple(acc)
            return
        for c in range(n):
            if c in cols or row + c in d1 or row - c in d2: continue
            yield from place(row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c}, acc + [c])
    yield from place(0, frozenset(), set(), set(), [])
sols = list(solve_queens(6)); print(len(sols), sols[0])
for r in sols[0]: print("".join("Q" if c == r else "." for c in range(6)))
def primes(limit):
    sieve = bytearray([1]) * (limit + 1); sieve[0:2] = b"\x00\x00"
    for i in range(2, math.isqrt(limit) + 1):
        if sieve[i]: sieve[i*i::i] = bytes(len(range(i*i, limit + 1, i)))
    return [i for i, f in enumerate(sieve) if f]
print(primes(50), sum(primes(10000)))
def lcs(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            dp[i][j] = dp[i-1][j-1] + 1 if x == y else max(dp[i-1][j], dp[i][j-1])
    i, j, out = len(a), len(b), []
    while i and j:
        if a[i-1] == b[j-1]: out.append(a[i-1]); i -= 1; j -= 1
        elif dp[i-1][j] >= dp[i][j-1]: i -= 1
        else: j -= 1
    return "".join(reversed(out))
print(lcs("AGGTAB", "GXTXAYB"))
def to_roman(n: int) -> str:
    res = ""
    for v, s in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        q, n = divmod(n, v); res += s * q
    return res
print([to_roman(x) for x in (4, 9, 1994, 2024)])
b = b"\x00\xffAB"; print(b, b.hex(), list(b), b[1:3], bytes.fromhex("deadbeef"), int.from_bytes(b"\x01\x00", "big"), (1024).to_bytes(2, "little"), b"abc".decode(), "é".encode("utf-8"), bytearray(b"xy"), b"a,b".split(b","))
print((255).bit_length(), (0.5).as_integer_ratio(), (3.0).is_integer(), 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 40, -1 >> 1, float.fromhex("0x1.8p1"), (10).__add__(5), 2 ** 0.5, 7 // -2, -7 % -3, 5 % -3, 2 ** 100 % 1000007, -0.0, 1e-5, 1.5e300 * 1e10, int(1e20), 10**18 + 1)
try: math.sqrt(-1)
except ValueError as e: print(e)
try: print(2.0 ** 10000)
except OverflowError as e: print(e)
try: int(float("nan"))
except ValueError as e: print(e)
print(math.nan != math.nan, math.degrees(math.pi), math.dist((0, 0), (1, 1)), math.exp(1), math.log(100, 10), math.factorial(20), round(math.sin(1), 10), math.copysign(1, -0.0), math.modf(3.25), math.frexp(8), math.perm(5, 2))
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __getitem__(self, ij):
        i, j = ij; return self.rows[i][j]
    def __eq__(self, o): return self.rows == o.rows
    def __neg__(self): return Matrix([[-x for x in r] for r in self.rows])
    def __repr__(self): return "Matrix(%s)" % self.rows
    def __format__(self, spec): return "\n".join(" ".join(format(x, spec) for x in r) for r in self.rows)
    def __pow__(self, n):
        out = Matrix([[int(i == j) for j in range(len(self.rows))] for i in range(len(self.rows))])
        for _ in range(n): out = out @ self
        return out
m = Matrix([[1, 1], [1, 0]])
print(m @ m, (m ** 10)[0, 1], -m, m == Matrix([(1, 1), (1, 0)])); print(f"{m:>4d}")
print(sys.version_info >= (3, 8), sys.argv[1:] == [] or True)
print(sorted([("b", 2), ("a", 2), ("c", 1)], key=lambda p: (-p[1], p[0])), sorted("bca", reverse=True), sorted({"x": 1, "a": 2}), [*{3: 1}], [*"ab", *range(2)])
sys.stdout.write("bye\n")
if len(sols) != 4: sys.exit(1)
