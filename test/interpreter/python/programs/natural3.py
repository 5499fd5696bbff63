# sales report
from __future__ import annotations
import csv
import io
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, ROUND_HALF_UP
from typing import Iterable

RAW = """order_id,date,region,product,qty,unit_price
1001,2024-01-15,North,Widget,10,2.50
1002,2024-01-17,South,Gadget,3,19.99
1003,2024-02-02,North,Gadget,1,19.99
1004,2024-02-11,East,Widget,25,2.45
1005,2024-03-05,South,Doohickey,7,5.00
"""

@dataclass(frozen=True)
class Order:
    order_id: int
    day: date
    region: str
    product: str
    qty: int
    unit_price: Decimal

    @property
    def total(self) -> Decimal:
        return (self.unit_price * self.qty).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

def parse(text: str) -> list[Order]:
    reader = csv.DictReader(io.StringIO(text))
    return [
        Order(int(r["order_id"]), datetime.strptime(r["date"], "%Y-%m-%d").date(), r["region"], r["product"], int(r["qty"]), Decimal(r["unit_price"]))
        for r in reader
    ]

def summarize(orders: Iterable[Order]) -> dict[str, Decimal]:
    out: dict[str, Decimal] = defaultdict(Decimal)
    for o in orders:
        out[o.region] += o.total
    return dict(out)

def main() -> None:
    orders = parse(RAW)
    by_region = summarize(orders)
    print(f"{'Region':<10}|{'Total':>12}")
    print("-" * 23)
    for region, total in sorted(by_region.items(), key=lambda kv: -kv[1]):
        print(f"{region:<10}|{total:>12,.2f}")
    grand = sum(by_region.values(), Decimal("0"))
    print(f"{'TOTAL':<10}|{grand:>12,.2f}")
    print(orders[0])
    print(by_region)

if __name__ == "__main__":
    main()
# --- log parser
import re
from collections import Counter, namedtuple
LOG = '''
2024-03-01T12:00:01Z INFO  [auth] user=alice action=login status=200 dur=35ms
2024-03-01T12:00:03Z ERROR [db] user=bob action=query status=500 dur=1203ms
2024-03-01T12:01:11Z WARN  [auth] user=carol action=login status=401 dur=12ms
2024-03-01T12:02:59Z INFO  [api] user=alice action=fetch status=200 dur=87ms
malformed line here
'''
Entry = namedtuple("Entry", "ts level component fields")
PATTERN = re.compile(r"^(?P<ts>\S+)\s+(?P<level>[A-Z]+)\s+\[(?P<component>\w+)\]\s+(?P<rest>.*)$")
def parse_line(line):
    m = PATTERN.match(line)
    if not m:
        return None
    d = m.groupdict()
    fields = dict(kv.split("=", 1) for kv in d.pop("rest").split())
    fields["dur"] = int(fields["dur"].rstrip("ms"))
    return Entry(fields=fields, **d)
entries = [e for e in map(parse_line, LOG.strip().splitlines()) if e]
levels = Counter(e.level for e in entries)
print(levels.most_common())
slowest = max(entries, key=lambda e: e.fields["dur"])
print(slowest)
print(slowest._asdict())
users = {}
for e in entries:
    users.setdefault(e.fields["user"], []).append(e.fields["dur"])
for user, durs in users.items():
    print(f"{user:>8}: n={len(durs)} avg={sum(durs)/len(durs):.1f}ms max={max(durs)}")
print(re.sub(r"user=(\w)\w*", lambda m: "user=" + m.group(1) + "***", LOG.splitlines()[1]))
# --- retry decorator
import functools
import time
from typing import Callable, TypeVar, Any

T = TypeVar("T")

class TransientError(Exception):
    """Raised for retryable errors."""
    def __init__(self, message: str, code: int = 503) -> None:
        super().__init__(message)
        self.code = code

def retry(max_attempts: int = 3, exceptions: tuple = (Exception,), delay: float = 0.01) -> Callable:
    def decorator(func: Callable[..., T]) -> Callable[..., T]:
        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> T:
            last_exc = None
            for attempt in range(1, max_attempts + 1):
                try:
                    return func(*args, **kwargs)
                except exceptions as exc:
                    last_exc = exc
                    print(f"[{func.__name__}] attempt {attempt}/{max_attempts} failed: {exc!r}")
                    time.sleep(delay * 2 ** (attempt - 1))
            raise RuntimeError(f"{func.__name__} failed after {max_attempts} attempts") from last_exc
        return wrapper
    return decorator

calls = {"n": 0}

@retry(max_attempts=4, exceptions=(TransientError,))
def flaky(x: int) -> int:
    calls["n"] += 1
    if calls["n"] < 3:
        raise TransientError("service unavailable", code=502)
    return x * 2

@retry(max_attempts=2)
def broken() -> None:
    raise ValueError("nope")

print(flaky(21))
try:
    broken()
except RuntimeError as e:
    print("gave up:", e, "| cause:", repr(e.__cause__))
print(flaky.__name__)
# --- pagination
from typing import Iterator, Optional
DATA = [{"id": i, "name": f"item-{i:03d}", "tags": ["even" if i % 2 == 0 else "odd"]} for i in range(1, 24)]
def fetch_page(cursor: Optional[str] = None, limit: int = 5) -> dict:
    start = int(cursor) if cursor else 0
    items = DATA[start:start + limit]
    nxt = start + limit
    return {"items": items, "next_cursor": str(nxt) if nxt < len(DATA) else None}
def iterate_all(limit: int = 5) -> Iterator[dict]:
    cursor = None
    page = 0
    while True:
        resp = fetch_page(cursor, limit)
        page += 1
        print(f"page {page}: {len(resp['items'])} items, next={resp['next_cursor']}")
        yield from resp["items"]
        cursor = resp["next_cursor"]
        if not cursor:
            break
all_items = list(iterate_all(limit=10))
print(len(all_items), all_items[0], all_items[-1]["name"])
evens = [x for x in all_items if "even" in x["tags"]]
print(f"{len(evens)=} {sum(x['id'] for x in evens)=}")
first = next((x for x in iterate_all() if x["id"] > 7), None)
print(first)
# --- inventory classes
from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import List, Dict, Optional

class Category(Enum):
    ELECTRONICS = auto()
    GROCERY = auto()
    TOYS = auto()

class Item(ABC):
    _registry: Dict[str, "Item"] = {}
    def __init__(self, sku: str, name: str, price: float, category: Category):
        self.sku, self.name, self.price, self.category = sku, name, price, category
        Item._registry[sku] = self
    @abstractmethod
    def tax(self) -> float: ...
    @property
    def gross(self) -> float:
        return round(self.price + self.tax(), 2)
    def __repr__(self) -> str:
        return f"{self.__class__.__name__}(sku={self.sku!r}, price={self.price:.2f})"
    def __lt__(self, other: "Item") -> bool:
        return self.gross < other.gross
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Item):
            return NotImplemented
        return self.sku == other.sku
    def __hash__(self) -> int:
        return hash(self.sku)
    @classmethod
    def lookup(cls, sku: str) -> Optional["Item"]:
        return cls._registry.get(sku)

class Taxed(Item):
    rate = 0.2
    def tax(self) -> float:
        return self.price * self.rate

class Exempt(Item):
    def tax(self) -> float:
        return 0.0

items: List[Item] = [Taxed("E1", "Radio", 49.99, Category.ELECTRONICS), Exempt("G1", "Apple", 0.5, Category.GROCERY), Taxed("T1", "Robot", 19.5, Category.TOYS)]
for it in sorted(items):
    print(it, it.gross, it.category, it.category.name, it.category.value)
try:
    Item("X", "x", 1, Category.TOYS)
except TypeError as e:
    print("TypeError:", e)
print(Item.lookup("G1"), Item.lookup("nope"))
print(len({items[0], items[1], items[0]}))
print(Category["TOYS"], Category(2), list(Category))
# --- json flatten
import json
def flatten(obj, parent="", sep="."):
    items = {}
    if isinstance(obj, dict):
        for k, v in obj.items():
            items.update(flatten(v, f"{parent}{sep}{k}" if parent else k, sep))
    elif isinstance(obj, (list, tuple)):
        for i, v in enumerate(obj):
            items.update(flatten(v, f"{parent}[{i}]", sep))
    else:
        items[parent] = obj
    return items
def unflatten(flat):
    root = {}
    for k, v in flat.items():
        parts = k.split(".")
        cur = root
        for p in parts[:-1]:
            cur = cur.setdefault(p, {})
        cur[parts[-1]] = v
    return root
doc = json.loads('{"user": {"name": "Ann", "emails": ["a@x.io", "b@y.org"], "address": {"city": "Oslo", "zip": null}}, "active": true, "score": 9.50, "big": 12345678901234567890}')
flat = flatten(doc)
for k in sorted(flat):
    print(f"{k:30} -> {flat[k]!r}")
print(json.dumps(doc, indent=2, sort_keys=True))
print(json.dumps(unflatten({"a.b": 1, "a.c": 2, "d": [1, 2]}), separators=(",", ":")))
try:
    json.loads('{"a": 1,}')
except json.JSONDecodeError as e:
    print(f"bad json: {e.msg} at line {e.lineno} col {e.colno} (pos {e.pos})")
    print(e)
# --- date arith
from datetime import datetime, timedelta, date, timezone
def business_days(start: date, n: int) -> date:
    d = start
    while n > 0:
        d += timedelta(days=1)
        if d.weekday() < 5:
            n -= 1
    return d
start = date(2024, 2, 27)
print(business_days(start, 5), business_days(start, 10).strftime("%A, %d %B %Y"))
a = datetime.fromisoformat("2024-03-10T08:30:00+00:00")
b = datetime(2024, 3, 12, 17, 45, 30, tzinfo=timezone.utc)
delta = b - a
print(delta, delta.days, delta.seconds, delta.total_seconds())
hours, rem = divmod(int(delta.total_seconds()), 3600)
minutes, seconds = divmod(rem, 60)
print(f"{hours:02d}:{minutes:02d}:{seconds:02d}")
print(b.isoformat(), b.astimezone(timezone(timedelta(hours=-5))).isoformat())
print((date(2024, 12, 25) - date(2024, 7, 4)).days)
months = {}
for i in range(0, 120, 17):
    d = date(2024, 1, 1) + timedelta(days=i)
    months.setdefault(d.strftime("%Y-%m"), []).append(d.day)
print(months)
print(date(2024, 1, 1).isocalendar(), tuple(date(2021, 1, 3).isocalendar()))
print(datetime.strptime("Mar 5, 2024 3:07 PM", "%b %d, %Y %I:%M %p"))
print(datetime.fromtimestamp(1700000000, tz=timezone.utc))
print(repr(timedelta(days=1, hours=2, microseconds=5)), timedelta(hours=36) / timedelta(hours=12), timedelta(days=-1, hours=3))
print(min(date.max, date(2000, 1, 1)), a.replace(hour=0, minute=0), a.timestamp())
print(a < b, a == a.replace(), sorted([b, a])[0] is a)
# --- group stats
import statistics
from itertools import groupby
from operator import itemgetter, attrgetter
rows = [
    {"dept": "eng", "name": "Ann", "salary": 120000}, {"dept": "ops", "name": "Bob", "salary": 80000},
    {"dept": "eng", "name": "Cy", "salary": 95000}, {"dept": "ops", "name": "Di", "salary": 82000}, {"dept": "hr", "name": "Ed", "salary": 70000},
]
rows.sort(key=itemgetter("dept", "name"))
for dept, grp in groupby(rows, key=itemgetter("dept")):
    grp = list(grp)
    sal = [g["salary"] for g in grp]
    print(dept, [g["name"] for g in grp], statistics.mean(sal), statistics.median(sal), f"{statistics.pstdev(sal):.2f}")
    try:
        print("  stdev", round(statistics.stdev(sal), 3))
    except statistics.StatisticsError as e:
        print("  no stdev:", e)
print(statistics.mode([1, 1, 2, 3, 3]), statistics.multimode("aabbc"), statistics.quantiles([1, 2, 3, 4, 5, 6], n=4))
print(statistics.fmean([1.5, 2.5]), statistics.variance([2.75, 1.75, 1.25, 0.25]), statistics.harmonic_mean([40, 60]), statistics.geometric_mean([54, 24, 36]))
# --- lru fib graph
from functools import lru_cache, reduce, cache
from collections import deque
import heapq
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(90), fib.cache_info())
@cache
def paths(r, c):
    if r == 0 or c == 0: return 1
    return paths(r-1, c) + paths(r, c-1)
print(paths(16, 16))
graph = {"A": {"B": 4, "C": 1}, "B": {"D": 1}, "C": {"B": 2, "D": 5}, "D": {"E": 3}, "E": {}}
def dijkstra(g, src):
    dist = {n: float("inf") for n in g}
    dist[src] = 0
    prev = {}
    pq = [(0, src)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]:
            continue
        for v, w in g[u].items():
            nd = d + w
            if nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(pq, (nd, v))
    return dist, prev
dist, prev = dijkstra(graph, "A")
print(dist)
path, node = [], "E"
while node:
    path.append(node)
    node = prev.get(node)
print(" -> ".join(reversed(path)))
def bfs(g, start):
    seen, q, order = {start}, deque([start]), []
    while q:
        n = q.popleft()
        order.append(n)
        for m in sorted(g[n]):
            if m not in seen:
                seen.add(m)
                q.append(m)
    return order
print(bfs(graph, "A"))
print(reduce(lambda a, b: a * b, range(1, 21)))
# --- context managers
from contextlib import contextmanager, suppress, ExitStack, closing, nullcontext
class Timer:
    def __init__(self, label):
        self.label = label
        self.events = []
    def __enter__(self):
        print(f"start {self.label}")
        return self
    def __exit__(self, exc_type, exc, tb):
        print(f"end {self.label} exc={exc_type.__name__ if exc_type else None}: {exc}")
        return exc_type is KeyError
@contextmanager
def section(title, *, char="="):
    print(char * 3, title, char * 3)
    try:
        yield title.upper()
    except ValueError as e:
        print("section caught", e)
    finally:
        print("/", title)
with Timer("a") as t, section("inner") as name:
    print(t.label, name)
with Timer("b"):
    raise KeyError("missing")
with section("x", char="*"):
    int("abc")
with suppress(ZeroDivisionError, TypeError):
    1 / 0
    print("unreachable")
with ExitStack() as stack:
    ts = [stack.enter_context(Timer(f"s{i}")) for i in range(2)]
    stack.callback(print, "callback ran")
    print(len(ts))
with nullcontext(5) as v:
    print(v)
try:
    with Timer("c"):
        raise RuntimeError("boom")
except RuntimeError as e:
    print("outer", e)
# --- logging use
import logging
import json
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
logger = logging.getLogger(__name__)
def process(records):
    ok, failed = [], []
    for r in records:
        try:
            logger.info("processing %s", r["id"])
            ok.append({"id": r["id"], "value": int(r["value"]) * 2})
        except (KeyError, ValueError) as exc:
            logger.warning("bad record %r: %s", r, exc)
            failed.append(str(exc))
        except Exception:
            logger.exception("unexpected")
            raise
    logger.debug("done")
    return ok, failed
ok, failed = process([{"id": 1, "value": "10"}, {"id": 2, "value": "x"}, {"id": 3}])
print(json.dumps({"ok": ok, "failed": failed}, indent=2))
# --- dict subclass
from collections import UserDict, OrderedDict
class CaseInsensitive(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)
    def __getitem__(self, key):
        return super().__getitem__(key.lower())
    def __contains__(self, key):
        return super().__contains__(key.lower())
    def get(self, key, default=None):
        return super().get(key.lower(), default)
h = CaseInsensitive()
h["Content-Type"] = "text/html"
h["X-Id"] = 5
print(h["CONTENT-TYPE"], "x-id" in h, h.get("nope", "-"), len(h), h, list(h.items()))
class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)
    def __setattr__(self, name, value):
        self[name] = value
c = AttrDict(host="localhost", port=80)
c.debug = True
print(c.host, c.port, c, isinstance(c, dict))
try:
    c.missing
except AttributeError as e:
    print("AttributeError", e)
class Default(dict):
    def __missing__(self, key):
        self[key] = value = key * 2
        return value
d = Default()
print(d[4], d, d.get(9))
# --- list subclass
class Stack(list):
    def push(self, x):
        self.append(x)
    def peek(self):
        return self[-1]
    @property
    def empty(self):
        return not self
s = Stack()
s.push(1); s.push(2); s.push(3)
print(s, s.pop(), s.peek(), len(s), s.empty, isinstance(s, list))
print([x * 2 for x in s], sum(s), 2 in s, s + [9], s == [1, 2])
class History(list):
    def __init__(self, *args, limit=3):
        super().__init__(*args)
        self.limit = limit
    def append(self, x):
        super().append(x)
        while len(self) > self.limit:
            del self[0]
h = History([0])
for i in range(5): h.append(i)
print(h, h[::-1], sorted(h, reverse=True))
# --- exception hierarchy
class AppError(Exception):
    """Base."""
class ValidationError(AppError):
    def __init__(self, field, message):
        self.field = field
        self.message = message
        super().__init__(f"{field}: {message}")
class NotFound(AppError, KeyError):
    pass
def validate(d):
    errors = []
    for field, typ in (("name", str), ("age", int)):
        if field not in d:
            errors.append(ValidationError(field, "is required"))
        elif not isinstance(d[field], typ):
            errors.append(ValidationError(field, f"expected {typ.__name__}, got {type(d[field]).__name__}"))
    if errors:
        raise AppError("validation failed", errors)
for d in ({"name": "x", "age": 3}, {"name": 5}, {}):
    try:
        validate(d)
    except AppError as e:
        print(type(e).__name__, e.args[0], [str(x) for x in e.args[1]])
    else:
        print("valid", d)
    finally:
        print("checked")
try:
    try:
        {}["k"]
    except KeyError as e:
        raise NotFound("wrapped") from e
except KeyError as e:
    print(repr(e), str(e), e.__cause__, isinstance(e, AppError), NotFound.__mro__)
def f():
    try:
        return "try"
    finally:
        print("finally runs")
print(f())
for e in (ValueError(), ValueError("a"), ValueError("a", 1), KeyError("k"), OSError(2, "No such file")):
    print(str(e), "|", repr(e), "|", e.args)
# --- text table
def render_table(rows, headers=None, align=None):
    headers = headers or list(rows[0].keys())
    align = align or {}
    widths = {h: max(len(str(h)), *(len(str(r.get(h, ""))) for r in rows)) for h in headers}
    line = "+" + "+".join("-" * (widths[h] + 2) for h in headers) + "+"
    out = [line, "|" + "|".join(f" {h:^{widths[h]}} " for h in headers) + "|", line]
    for r in rows:
        out.append("|" + "|".join(f" {str(r.get(h, '')):{align.get(h, '<')}{widths[h]}} " for h in headers) + "|")
    out.append(line)
    return "\n".join(out)
print(render_table([{"name": "Widget", "qty": 5, "price": 3.5}, {"name": "Gizmo, large", "qty": 120, "price": 12.25}], align={"qty": ">", "price": ">"}))
pi = 3.14159265
print(f"{pi:.3f} {pi:10.2f}| {pi:<10.1f}| {pi:^+12.4f}| {pi:e} {pi:.2%} {1234567.891:,.1f} {255:#x} {255:#010b} {42:05d} {-42:=+6d} {'x':*^9}")
print("{:>8} {:<8} {!r}".format("right", "left", "q"), "{0}{1}{0}".format("a", "b"), "{name:.2f}".format(name=2.0), "%-10s|%5.1f|%03d" % ("abc", 2.25, 7))
print(f"{'nested ' + f'{1 + 1}'!r:>15}", f"{ {'a': 1}['a'] }", f"{{literal}}", f"{10:{'>'}{6}}")
print("name\tqty\n" + "\n".join("\t".join(map(str, t)) for t in [("a", 1), ("b", 2)]))
# --- typed dict protocol
from typing import TypedDict, NamedTuple, Protocol, Literal, Union, Any, Callable, Generic, TypeVar, ClassVar, Final, runtime_checkable, cast, TYPE_CHECKING
if TYPE_CHECKING:
    from collections.abc import Sequence
class User(TypedDict, total=False):
    id: int
    name: str
class Point(NamedTuple):
    x: float
    y: float = 0.0
    def norm(self) -> float:
        return (self.x ** 2 + self.y ** 2) ** 0.5
@runtime_checkable
class Shape(Protocol):
    def area(self) -> float: ...
class Sq:
    def __init__(self, s: float) -> None:
        self.s = s
    def area(self) -> float:
        return self.s ** 2
K = TypeVar("K"); V = TypeVar("V")
class Cache(Generic[K, V]):
    size: ClassVar[int] = 2
    def __init__(self) -> None:
        self._d: dict[K, V] = {}
    def put(self, k: K, v: V) -> None:
        if len(self._d) >= self.size:
            self._d.pop(next(iter(self._d)))
        self._d[k] = v
    def __repr__(self) -> str:
        return f"Cache({self._d})"
u: User = {"id": 1, "name": "z"}
p = Point(3, 4)
print(u, p, p.norm(), p._replace(x=0), p == (3, 4), Point._fields, Point(1))
x, y = p
print(x, y, isinstance(Sq(2), Shape), isinstance(3, Shape))
c: Cache[str, int] = Cache()
for i, k in enumerate("abc"): c.put(k, i)
print(c)
MODE: Literal["a", "b"] = "a"
MAX: Final = 10
def handle(v: Union[int, str, None] = None, cb: Callable[[int], Any] | None = None) -> int | str | None:
    return cb(v) if cb and isinstance(v, int) else cast(str, v)
print(handle(3, lambda n: n + 1), handle("s"), handle())
# --- itertools recipes
from itertools import chain, islice, count, cycle, repeat, accumulate, combinations, permutations, product, zip_longest, takewhile, dropwhile, starmap, tee, compress, filterfalse, pairwise, groupby, combinations_with_replacement
import operator
def chunked(it, n):
    it = iter(it)
    while chunk := list(islice(it, n)):
        yield chunk
print(list(chunked(range(10), 4)))
print(list(accumulate([1, 2, 3, 4], operator.mul)), list(accumulate([3, 1, 4], max, initial=0)))
print(list(zip_longest("abc", "x", fillvalue="-")), list(islice(cycle("ab"), 5)), list(islice(count(10, 5), 3)))
print(["".join(p) for p in permutations("abc", 2)], len(list(product([0, 1], repeat=4))))
print(list(combinations_with_replacement("ab", 2)), list(starmap(pow, [(2, 3), (3, 2)])))
print(list(takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(dropwhile(lambda x: x < 3, [1, 2, 3, 1])))
a, b = tee([1, 2, 3])
next(b)
print(list(zip(a, b)), list(pairwise("abcd")), list(compress("abcd", [1, 0, 1, 0])), list(filterfalse(str.isdigit, "a1b2")))
print({k: len(list(g)) for k, g in groupby(sorted("mississippi"))}, list(chain.from_iterable([[1], [2, 3]])), list(repeat("x", 2)))
flat = [x for row in [[1, 2], [3]] for x in row if x != 2]
print(flat, sum(1 for _ in combinations(range(6), 3)))
print([list(g) for k, g in groupby([1, 1, 2, 2, 1])])
# --- enum flags
from enum import Enum, IntEnum, Flag, auto, unique, IntFlag, StrEnum
class Perm(Flag):
    READ = auto()
    WRITE = auto()
    EXEC = auto()
    RW = READ | WRITE
p = Perm.READ | Perm.EXEC
print(p, Perm.READ in p, Perm.WRITE in p, p & Perm.READ, ~Perm.READ, Perm.RW, bool(p & Perm.WRITE), p.value, Perm(3))
class Pri(IntEnum):
    LOW = 1
    HIGH = 10
print(Pri.HIGH > Pri.LOW, Pri.HIGH + 1, sorted([Pri.HIGH, Pri.LOW]), Pri(10), f"{Pri.LOW}", max(Pri), int(Pri.LOW))
@unique
class Color(Enum):
    RED = "#f00"
    GREEN = "#0f0"
    @property
    def hex(self): return self.value.lstrip("#")
    @classmethod
    def from_hex(cls, h): return next(c for c in cls if c.hex == h)
    def __str__(self): return self.name.title()
print(Color.RED, repr(Color.RED), Color.from_hex("0f0"), Color.RED is Color("#f00"), [c.name for c in Color], Color.__members__)
class S(StrEnum):
    A = auto()
    B = "bee"
print(S.A, S.B == "bee", S.B.upper(), f"{S.A}!", [s.value for s in S])
try: Color("x")
except ValueError as e: print(e)
class Op(IntFlag):
    A = 1
    B = 2
print(Op.A | Op.B, Op.A | 8, int(Op.A | Op.B))
d = {Color.RED: 1}
print(d, d[Color.RED])
# --- matrix dp
def lcs(a: str, b: str) -> str:
    m, n = len(a), len(b)
    dp = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(m):
        for j in range(n):
            dp[i + 1][j + 1] = dp[i][j] + 1 if a[i] == b[j] else max(dp[i][j + 1], dp[i + 1][j])
    out = []
    while m and n:
        if a[m - 1] == b[n - 1]:
            out.append(a[m - 1]); m -= 1; n -= 1
        elif dp[m - 1][n] >= dp[m][n - 1]: m -= 1
        else: n -= 1
    return "".join(reversed(out))
print(lcs("AGGTAB", "GXTXAYB"))
def edit(a, b):
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    return prev[-1]
print(edit("kitten", "sitting"))
M = [[1, 2, 3], [4, 5, 6]]
print(list(zip(*M)), [list(r) for r in zip(*M[::-1])], [[sum(x * y for x, y in zip(r, c)) for c in zip(*M)] for r in M])
def knap(items, cap):
    best = [0] * (cap + 1)
    for w, v in items:
        for c in range(cap, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[cap]
print(knap([(1, 1), (3, 4), (4, 5), (5, 7)], 7))
def nqueens(n, row=0, cols=frozenset(), d1=frozenset(), d2=frozenset()):
    if row == n: return 1
    return sum(nqueens(n, row + 1, cols | {c}, d1 | {row - c}, d2 | {row + c}) for c in range(n) if c not in cols and row - c not in d1 and row + c not in d2)
print(nqueens(6))
sieve = [True] * 50
sieve[:2] = [False] * 2
for i in range(2, 8):
    if sieve[i]: sieve[i*i::i] = [False] * len(sieve[i*i::i])
print([i for i, p in enumerate(sieve) if p])
# --- state machine
from __future__ import annotations
from dataclasses import dataclass, field, asdict, replace, astuple, fields
from enum import Enum
import json
class State(str, Enum):
    NEW = "new"
    ACTIVE = "active"
    DONE = "done"
TRANSITIONS: dict[State, set[State]] = {State.NEW: {State.ACTIVE}, State.ACTIVE: {State.DONE, State.NEW}, State.DONE: set()}
@dataclass
class Task:
    title: str
    state: State = State.NEW
    tags: list[str] = field(default_factory=list)
    history: list[tuple[State, State]] = field(default_factory=list, repr=False, compare=False)
    def move(self, to: State) -> Task:
        if to not in TRANSITIONS[self.state]:
            raise ValueError(f"cannot go from {self.state.value} to {to.value}")
        self.history.append((self.state, to))
        self.state = to
        return self
t = Task("write", tags=["a"])
print(t)
t.move(State.ACTIVE).move(State.DONE)
print(t.state, t.state == "done", t.history)
try:
    t.move(State.NEW)
except ValueError as e:
    print("error:", e)
print(json.dumps({"state": t.state, "tags": t.tags}))
print(asdict(Task("x")), astuple(Task("y", tags=["q"])), replace(t, title="z"), [f.name for f in fields(Task)])
@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    patch: int = 0
    @classmethod
    def parse(cls, s: str) -> Version:
        return cls(*map(int, s.split(".")))
    def __str__(self) -> str:
        return f"v{self.major}.{self.minor}.{self.patch}"
vs = sorted(map(Version.parse, ["1.10.0", "1.2.3", "0.9"]))
print([str(v) for v in vs], vs[0], max(vs), {vs[0]: 1})
try:
    vs[0].major = 3
except Exception as e:
    print(type(e).__name__, e)
# --- main exit
import sys
import os.path
def parse_args(argv):
    opts = {"verbose": False, "names": []}
    for a in argv:
        if a in ("-v", "--verbose"): opts["verbose"] = True
        elif a.startswith("--"): raise SystemExit(f"unknown option {a}")
        else: opts["names"].append(a)
    return opts
def main(argv: list[str] | None = None) -> int:
    opts = parse_args(argv or ["-v", "/data/in/report.csv", "b.tar.gz"])
    for n in opts["names"]:
        base, ext = os.path.splitext(os.path.basename(n))
        print(base, ext, os.path.join("out", base + ".json"))
    sys.stdout.write("done\n")
    return 0
if __name__ == "__main__":
    sys.exit(main())
# --- fractions use
from fractions import Fraction
from math import gcd, lcm, isqrt, comb, perm, prod, hypot, floor, ceil
a = Fraction(3, 4)
b = Fraction("0.125")
print(a + b, a * b, a - 1, a / b, a ** 2, float(a), Fraction(1, 3).limit_denominator(10), repr(b))
print(sum(Fraction(1, n) for n in range(1, 6)), Fraction(0.5), a > b, max(a, b), a.numerator, a.denominator)
print(gcd(12, 18), lcm(4, 6), isqrt(99), comb(5, 2), perm(5, 2), prod([1, 2, 3]), hypot(3, 4), floor(-1.5), ceil(1.2))
# --- decimal money
from decimal import Decimal, getcontext, ROUND_HALF_UP, ROUND_DOWN, InvalidOperation, localcontext
getcontext().prec = 28
prices = ["19.99", "5.01", "0.1", "100"]
total = sum(Decimal(p) for p in prices)
tax = (total * Decimal("0.0825")).quantize(Decimal(".01"), rounding=ROUND_HALF_UP)
print(total, tax, total + tax, f"{total + tax:,.2f}")
print(Decimal(1) / Decimal(3), Decimal("1.10") == Decimal("1.1"), Decimal("1.10"), repr(Decimal("-0.0")))
print(Decimal("2.675").quantize(Decimal("0.01")), round(Decimal("2.675"), 2), round(Decimal("2.5")), int(Decimal("7.9")), float(Decimal("0.1")))
try:
    Decimal("abc")
except InvalidOperation as e:
    print("invalid", type(e).__name__)
print(Decimal("1E+5"), Decimal("123456.789").normalize(), Decimal("100").normalize(), Decimal(10) ** 3, Decimal("5") // Decimal("2"), Decimal("-7") % Decimal("3"))
print(Decimal(0.1), Decimal("3.7").to_integral_value(), Decimal("1.23").as_tuple(), max(Decimal("1"), Decimal("2")), abs(Decimal("-4.2")), Decimal("2").sqrt())
shares = [Decimal("100") / 3 for _ in range(3)]
print([str(s.quantize(Decimal("0.01"), ROUND_DOWN)) for s in shares])
# --- match statement
def describe(x):
    if isinstance(x, bool): return "bool"
    if isinstance(x, int): return "int"
    if isinstance(x, (list, tuple)): return f"seq of {len(x)}"
    return type(x).__name__
dispatch = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b}
for cmd in ("add 1 2", "sub 5 3", "mul 2 2", ""):
    parts = cmd.split()
    if not parts:
        print("empty"); continue
    op, *args = parts
    fn = dispatch.get(op)
    print(cmd, "->", fn(*map(int, args)) if fn else f"unknown op {op!r}")
print([describe(v) for v in (True, 1, [1], (1, 2), {}, None, "s", 1.5, {1}, b"x", print, describe)])
# --- url building
from urllib.parse import urlparse, urlencode, quote, unquote, parse_qs, urljoin, urlunparse, quote_plus, parse_qsl, urlsplit
u = urlparse("https://user:pw@api.example.com:8443/v1/items;p?q=a%20b&tag=x&tag=y#frag")
print(u.scheme, u.netloc, u.hostname, u.port, u.path, u.params, u.query, u.fragment, u.username)
print(parse_qs(u.query), parse_qsl("a=1&b=&c=3", keep_blank_values=True))
print(urlencode({"q": "hello world", "page": 2, "tags": ["a", "b"]}, doseq=True), quote("a/b c&d"), quote("é/", safe=""), unquote("%E2%82%AC"), quote_plus("a b"))
print(urljoin("https://x.com/a/b/c", "../d"), urlunparse(u._replace(query="z=1", fragment="")))
print(u)
print(urlsplit("http://h/p?q"))
# --- markdown convert
import re
from html import escape
def md(text):
    out, in_list = [], False
    for line in text.split("\n"):
        if m := re.match(r"(#{1,6})\s+(.*)", line):
            n = len(m[1]); out.append(f"<h{n}>{escape(m[2])}</h{n}>")
        elif line.startswith("- "):
            if not in_list: out.append("<ul>"); in_list = True
            out.append(f"  <li>{inline(line[2:])}</li>")
            continue
        elif line.strip():
            out.append(f"<p>{inline(line)}</p>")
        if in_list and not line.startswith("- "):
            out.insert(-1 if out[-1] != "</ul>" else len(out), "</ul>"); in_list = False
    if in_list: out.append("</ul>")
    return "\n".join(out)
def inline(s):
    s = escape(s)
    s = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", s)
    s = re.sub(r"`([^`]+)`", r"<code>\1</code>", s)
    return re.sub(r"\[(?P<t>[^\]]+)\]\((?P<u>[^)]+)\)", r'<a href="\g<u>">\g<t></a>', s)
print(md("# Title & more\n\nHello **bold** and `code`\n- one\n- [two](http://x)\nend"))
words = re.findall(r"\b[a-z]{3,}\b", "the cat sat on the mat near THE Hat", re.I)
print(words, re.split(r"[,;]\s*", "a, b;c"), re.fullmatch(r"\d+", "12a"), [m.span() for m in re.finditer("a", "banana")], re.subn("a", "o", "banana", count=2))
# --- linked list tree
from __future__ import annotations
from typing import Optional, Iterator, Any
class Node:
    __slots__ = ("val", "left", "right")
    def __init__(self, val: Any, left: Optional[Node] = None, right: Optional[Node] = None):
        self.val, self.left, self.right = val, left, right
class BST:
    def __init__(self, items=()):
        self.root: Node | None = None
        self._n = 0
        for i in items: self.add(i)
    def add(self, v) -> None:
        self._n += 1
        if self.root is None:
            self.root = Node(v); return
        cur = self.root
        while True:
            if v < cur.val:
                if cur.left is None: cur.left = Node(v); return
                cur = cur.left
            else:
                if cur.right is None: cur.right = Node(v); return
                cur = cur.right
    def __iter__(self) -> Iterator:
        def walk(n):
            if n:
                yield from walk(n.left)
                yield n.val
                yield from walk(n.right)
        return walk(self.root)
    def __len__(self): return self._n
    def __contains__(self, v):
        n = self.root
        while n and n.val != v: n = n.left if v < n.val else n.right
        return n is not None
    def height(self, n="root"):
        n = self.root if n == "root" else n
        return 0 if n is None else 1 + max(self.height(n.left), self.height(n.right))
t = BST([5, 2, 8, 1, 9, 3])
print(list(t), len(t), 8 in t, 7 in t, t.height(), [*reversed(list(t))], max(t), sorted(t, key=lambda v: -v), bool(BST()))
class LL:
    class _N:
        def __init__(s, v, nxt=None): s.v, s.nxt = v, nxt
    def __init__(self): self.head = None
    def push(self, v): self.head = LL._N(v, self.head); return self
    def __iter__(self):
        n = self.head
        while n is not None:
            yield n.v
            n = n.nxt
    def reverse(self):
        prev = None; cur = self.head
        while cur: cur.nxt, prev, cur = prev, cur, cur.nxt
        self.head = prev
    def __repr__(self): return "LL(" + " -> ".join(map(repr, self)) + ")"
l = LL().push(1).push("b").push(3.0)
print(l); l.reverse(); print(l)
# --- event system
from collections import defaultdict
from functools import partial, wraps, singledispatch
class EventBus:
    def __init__(self): self._subs = defaultdict(list)
    def on(self, event, priority=0):
        def deco(fn):
            self._subs[event].append((priority, fn))
            self._subs[event].sort(key=lambda p: -p[0])
            return fn
        return deco
    def emit(self, event, *a, **kw):
        return [fn(*a, **kw) for _, fn in self._subs[event]]
bus = EventBus()
@bus.on("save", priority=1)
def first(doc, **kw): return f"first:{doc}"
@bus.on("save", priority=5)
def second(doc, user="?"): return f"second:{doc}:{user}"
print(bus.emit("save", "d1", user="u"), bus.emit("none"))
def log_calls(fn):
    @wraps(fn)
    def w(*args, **kwargs):
        w.count += 1
        sig = ", ".join([repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()])
        print(f"{fn.__name__}({sig})")
        return fn(*args, **kwargs)
    w.count = 0
    return w
@log_calls
def area(w, h=2): return w * h
area(3); area(4, h=5)
print(area.count, area.__name__)
@singledispatch
def show(x): return f"obj {x}"
@show.register(int)
def _(x): return f"int {x}"
@show.register
def _(x: list): return f"list {len(x)}"
print(show("a"), show(1), show([1, 2]), show(True))
double = partial(area, h=10)
print(double(2), double.keywords)
class Meta: registry = []
class Plugin:
    registry = {}
    def __init_subclass__(cls, /, name=None, **kw):
        super().__init_subclass__(**kw)
        Plugin.registry[name or cls.__name__] = cls
class A(Plugin, name="alpha"): pass
class B(Plugin): pass
print(sorted(Plugin.registry))
# --- bank account
class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        self.balance, self.amount = balance, amount
        super().__init__(f"Cannot withdraw ${amount:,.2f}; balance is ${balance:,.2f}")
class Account:
    interest_rate = 0.02
    _count = 0
    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        self.__id = Account._count
        Account._count += 1
        self.transactions = []
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, v):
        if v < 0: raise ValueError("negative balance")
        self._balance = v
    def deposit(self, amount):
        if amount <= 0: raise ValueError("Deposit must be positive")
        self.balance += amount
        self.transactions.append(("deposit", amount))
        return self
    def withdraw(self, amount):
        if amount > self._balance: raise InsufficientFunds(self._balance, amount)
        self.balance -= amount
        self.transactions.append(("withdraw", amount))
        return self
    def __str__(self): return f"{type(self).__name__}<{self.owner}: {self._balance:.2f}>"
    def __add__(self, other): return Account(f"{self.owner}&{other.owner}", self.balance + other.balance)
    def __bool__(self): return self._balance > 0
    @staticmethod
    def validate(name): return name.isalpha()
class Savings(Account):
    def add_interest(self):
        self.deposit(round(self.balance * self.interest_rate, 2))
        return self
a = Savings("Ann", 100); b = Account("Bob")
print(a.add_interest(), b, bool(b), a + b, Account.validate("x1"), a._Account__id)
try: b.withdraw(5000)
except InsufficientFunds as e: print(e, e.amount)
for bad in (lambda: a.deposit(-1), lambda: setattr(a, "balance", -5), lambda: a.nope, lambda: a.owner.foo):
    try: bad()
    except (ValueError, AttributeError) as e: print(f"{type(e).__name__}: {e}")
print(a.transactions, hasattr(a, "x"), getattr(a, "y", 3), vars(b) if False else sorted(b.__dict__))
print(isinstance(a, Account), issubclass(Savings, Account), Savings.__bases__, Savings.__name__)
# --- word freq
text = """It was the best of times, it was the worst of times, it was the age of wisdom..."""
import string
from collections import Counter
clean = text.lower().translate(str.maketrans("", "", string.punctuation))
c = Counter(clean.split())
for w, n in c.most_common(4):
    print(f"{w:<8}{'#' * n} {n}")
print(c["missing"], sum(c.values()), len(c), c.total())
d = Counter(a=3, b=1); e = Counter(a=1, b=2, z=0)
print(d + e, d - e, d & e, d | e, +e, list(d.elements()), dict(d), d == Counter("aaab"))
d.update("abc"); d.subtract({"a": 1}); print(d, d.most_common(1))
letters = sorted(set(clean) - {" "})
print("".join(letters), {l: clean.count(l) for l in "aeiou"})
longest = sorted(set(clean.split()), key=lambda w: (-len(w), w))[:3]
print(longest, max(clean.split(), key=len))
inverted = {}
for w in c: inverted.setdefault(len(w), set()).add(w)
print({k: sorted(v) for k, v in sorted(inverted.items())})
# --- csv write
import csv, io, sys
buf = io.StringIO()
w = csv.DictWriter(buf, fieldnames=["id", "name", "note"], extrasaction="ignore")
w.writeheader()
w.writerows([{"id": 1, "name": "Ann", "note": 'say "hi", ok'}, {"id": 2, "name": "Bob, Jr", "note": "line1\nline2", "x": 1}, {"id": None, "name": "", "note": 3.5}])
print(buf.getvalue())
print(repr(buf.getvalue()[:30]))
rows = list(csv.reader(io.StringIO(buf.getvalue())))
print(rows, len(rows))
out = io.StringIO()
cw = csv.writer(out, delimiter=";", quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
cw.writerow(["a", 1, 2.5, None])
print(out.getvalue(), end="")
for i, row in enumerate(csv.reader("a|b|c\n1|2|3".splitlines(), delimiter="|")): print(i, row)
tsv = "\t".join(["x", "y"]) + "\n" + "\t".join(map(str, [1, 2]))
print(list(csv.DictReader(tsv.splitlines(), dialect="excel-tab")))
csv.writer(sys.stdout).writerow(["direct", "to", "stdout"])
# --- concurrency sim
from concurrent.futures import ThreadPoolExecutor, as_completed
import time
import threading
def fetch(n):
    time.sleep(0.001 * (5 - n))
    if n == 3: raise ValueError(f"bad id {n}")
    return {"id": n, "sq": n * n}
results, errors = [], []
with ThreadPoolExecutor(max_workers=4) as ex:
    futures = {ex.submit(fetch, i): i for i in range(5)}
    for fut in as_completed(futures):
        i = futures[fut]
        try:
            results.append(fut.result())
        except ValueError as e:
            errors.append((i, str(e)))
print(sorted(results, key=lambda r: r["id"]), errors)
with ThreadPoolExecutor() as ex:
    print(list(ex.map(lambda x: x + 1, range(4))))
lock = threading.Lock()
counter = 0
def inc():
    global counter
    with lock: counter += 1
threads = [threading.Thread(target=inc) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print(counter)
# --- generator pipeline
from typing import Iterable, Generator
def read(lines: Iterable[str]) -> Generator[str, None, None]:
    for line in lines:
        line = line.strip()
        if line and not line.startswith("#"):
            yield line
def parse(lines):
    for n, line in enumerate(lines, start=1):
        k, _, v = line.partition(":")
        try:
            yield k.strip(), float(v)
        except ValueError:
            print(f"skip {n}: {line!r}")
def running_avg():
    total = count = 0
    avg = None
    while True:
        x = yield avg
        total += x; count += 1
        avg = total / count
src = """
# config
alpha: 1.5
beta: x
gamma: 4
delta: -2e3
""".split("\n")
vals = dict(parse(read(src)))
print(vals)
g = running_avg(); next(g)
print([g.send(v) for v in vals.values()])
g.close()
def countdown(n):
    while n:
        yield n
        n -= 1
    return "liftoff"
def outer():
    r = yield from countdown(3)
    yield r
print(list(outer()), sum(countdown(4)), any(x > 2 for x in countdown(5)), max((len(k), k) for k in vals))
it = iter([1, 2])
print(next(it), next(it), next(it, "end"))
gen = (x ** 2 for x in range(3))
print(next(gen), list(gen), list(gen))
# --- matrix class
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    @property
    def T(self): return Matrix(zip(*self.rows))
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __mul__(self, k): return Matrix([[x * k for x in r] for r in self.rows]) if isinstance(k, (int, float)) else NotImplemented
    __rmul__ = __mul__
    def __add__(self, o): return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, o.rows)])
    def __getitem__(self, ij):
        i, j = ij
        return self.rows[i][j]
    def __setitem__(self, ij, v): self.rows[ij[0]][ij[1]] = v
    def __eq__(self, o): return self.rows == o.rows
    def __neg__(self): return self * -1
    def __pow__(self, n):
        r = Matrix.identity(len(self.rows))
        for _ in range(n): r = r @ self
        return r
    def __repr__(self): return f"Matrix({self.rows})"
    def __str__(self): return "\n".join(" ".join(f"{x:>4}" for x in r) for r in self.rows)
m = Matrix([[1, 2], [3, 4]])
print(m @ m, m.T, 2 * m, m[1, 0], -m, m ** 3, m.shape, sep="\n")
m[0, 0] = 9
print(m == Matrix([[9, 2], [3, 4]]), repr(m))
try: m * "x"
except TypeError as e: print(e)
# --- bit ops
n = 0b1011_0010
print(bin(n), hex(n), oct(n), n.bit_length(), n.bit_count() if hasattr(n, "bit_count") else bin(n).count("1"), n & 0xF, n | 1, n ^ 0xFF, ~n, n << 3, n >> 2)
print(int("ff", 16), int("0b101", 0), int("z", 36), int("-12"), int(" 7 "), int(3.99), int(-3.99), float("1e3"), float("nan"), float("-inf"))
def to_base(n, b):
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    s = ""
    while n: n, r = divmod(n, b); s = digits[r] + s
    return s or "0"
print(to_base(255, 16), to_base(10, 2), -7 // 2, -7 % 3, divmod(-7, 3), 7 // -2, 7.5 // 2, -7.5 % 2, 2 ** -1, 2 ** 100, pow(3, 200, 13), pow(3, -1, 7), round(2.5), round(3.5), round(-2.567, 2), round(1234, -2))
print(0.1 + 0.2, 1e16, 1e15, 1.0, 100.0 / 3, 1e-5, 123456789.123456789, 5e-324, 1 / 7, float(10 ** 22), 1e22, 2.0 ** 70)
print(True + True, True == 1, 1 == 1.0, hash(1) == hash(1.0), {1: "a", 1.0: "b", True: "c"}, int(True), str(True), not 0)
for expr in (lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0, lambda: 1.0 / 0, lambda: int("x"), lambda: float("y"), lambda: int("5", 40), lambda: chr(-1), lambda: 2 ** 0.5 // 0, lambda: "a" + 1, lambda: 1 + "a", lambda: [] + (), lambda: -"a", lambda: None + 1, lambda: [1][5], lambda: {}["q"], lambda: "abc"[9], lambda: (1, 2)["a"], lambda: len(5), lambda: max([])):
    try: print(expr())
    except Exception as e: print(type(e).__name__, "|", e)
# --- warnings use
import warnings
import traceback
def old():
    warnings.warn("old() is deprecated", DeprecationWarning, stacklevel=2)
    return 1
print(old())
try:
    [][1]
except IndexError as e:
    msg = traceback.format_exception_only(type(e), e)
    print(msg[-1].strip())
