# weather summary
cities = {"Oslo": [("2024-06-01", 14.2, 60), ("2024-06-02", 17.8, 55)], "Rome": [("2024-06-01", 28.1, 40), ("2024-06-02", 30.4, 38)], "Lima": []}
def summarize(data):
    """Return per-city summary stats."""
    summary = {}
    for city, rows in data.items():
        if not rows:
            summary[city] = None
            continue
        temps = [t for _, t, _ in rows]
        hums = [h for *_, h in rows]
        summary[city] = {
            "avg_temp": round(sum(temps) / len(temps), 1),
            "max": max(rows, key=lambda r: r[1])[0],
            "humidity": f"{sum(hums) / len(hums):.0f}%",
        }
    return summary
s = summarize(cities)
for city, stats in sorted(s.items(), key=lambda kv: (kv[1] is None, kv[0])):
    print(f"{city}: {stats if stats else 'no data'}")
hottest = max((c for c in s if s[c]), key=lambda c: s[c]["avg_temp"])
print(f"Hottest: {hottest!r} at {s[hottest]['avg_temp']}°C")
result = s
# --- email extractor
import re
from collections import defaultdict
text = """
Contact: John Doe <john.doe@example.com>, Support <support@example.org>;
cc: JOHN.DOE@example.com, "Jane" <jane_d+news@sub.domain.co.uk> invalid@ @nope foo@bar
Phone: +1 (555) 123-4567, 555.987.6543 ext 12; Zip 90210-1234. Total: $1,234.50 and €99.99 on 2024-05-06 / 05/07/24
"""
emails = re.findall(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}", text)
by_domain = defaultdict(set)
for e in emails:
    user, _, domain = e.lower().rpartition("@")
    by_domain[domain].add(user)
for d in sorted(by_domain): print(f"{d:<20} {sorted(by_domain[d])}")
phones = [re.sub(r"\D", "", m.group(0))[-10:] for m in re.finditer(r"(?:\+1\s*)?(?:\(\d{3}\)|\d{3})[\s.-]*\d{3}[.-]\d{4}", text)]
print(phones, ["({}) {}-{}".format(p[:3], p[3:6], p[6:]) for p in phones])
money = [float(m.replace(",", "")) for m in re.findall(r"[$€]([\d,]+\.\d{2})", text)]
print(money, sum(money), re.search(r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)", text).groupdict())
masked = re.sub(r"([A-Za-z0-9._%+-])[A-Za-z0-9._%+-]*(@)", r"\1***\2", emails[0])
print(masked, re.sub(r"(?<!\d)(\d{2})/(\d{2})/(\d{2})(?!\d)", lambda m: f"20{m[3]}-{m[1]}-{m[2]}", "on 05/07/24"))
print(re.split(r"(\s+)", "a  b c"), re.sub(r"\b(\w)(\w*)\b", lambda m: m.group(1).upper() + m.group(2), "hello big world"), bool(re.match(r"^(?=.*\d)(?=.*[A-Z]).{8,}$", "Passw0rdX")))
# --- inventory restock
class OutOfStock(Exception):
    def __init__(self, sku, wanted, have):
        self.sku, self.wanted, self.have = sku, wanted, have
    def __str__(self):
        return f"{self.sku}: wanted {self.wanted}, have {self.have}"
class Inventory:
    def __init__(self, **stock):
        self._stock = dict(stock)
        self._reserved = {}
        self.events = []
    def reserve(self, sku, n=1):
        have = self._stock.get(sku, 0) - self._reserved.get(sku, 0)
        if have < n:
            raise OutOfStock(sku, n, have)
        self._reserved[sku] = self._reserved.get(sku, 0) + n
        self.events.append(("reserve", sku, n))
    def commit(self):
        for sku, n in list(self._reserved.items()):
            self._stock[sku] -= n
            del self._reserved[sku]
        return self
    def low(self, threshold=2):
        yield from (s for s, n in self._stock.items() if n <= threshold)
    def __getattr__(self, name):
        if name in self.__dict__.get("_stock", {}): return self._stock[name]
        raise AttributeError(f"no item {name!r}")
    def __enter__(self): self._snapshot = dict(self._stock); return self
    def __exit__(self, exc_type, exc, tb):
        if exc_type: self._stock = self._snapshot; self._reserved.clear(); print("rolled back due to", exc)
        else: self.commit()
        return isinstance(exc, OutOfStock)
inv = Inventory(pen=10, ink=3)
with inv as i: i.reserve("pen", 4); i.reserve("ink")
print(inv.pen, inv.ink, list(inv.low()), inv._stock)
with inv: inv.reserve("pen", 2); inv.reserve("ink", 50)
print(inv.pen, inv._reserved, len(inv.events))
try: inv.cup
except AttributeError as e: print(e)
e = OutOfStock("a", 1, 0); print(repr(e), e.args, str(e))
# --- histogram
data = [3, 7, 7, 2, 9, 4, 7, 1, 10, 4, 4, 8, 6, 5, 5, 2]
def histogram(xs, bins=5, width=20):
    lo, hi = min(xs), max(xs)
    step = (hi - lo) / bins
    counts = [0] * bins
    for x in xs:
        idx = min(int((x - lo) / step), bins - 1)
        counts[idx] += 1
    peak = max(counts)
    for i, c in enumerate(counts):
        a, b = lo + i * step, lo + (i + 1) * step
        print(f"[{a:5.2f}, {b:5.2f}{')' if i < bins - 1 else ']'} |{'█' * round(c / peak * width):<{width}}| {c:>2} ({c / len(xs):6.2%})")
histogram(data)
def percentile(xs, p):
    xs = sorted(xs)
    k = (len(xs) - 1) * p / 100
    f = int(k)
    c = min(f + 1, len(xs) - 1)
    return xs[f] + (xs[c] - xs[f]) * (k - f)
for p in (0, 25, 50, 75, 90, 100): print(f"p{p:<3} = {percentile(data, p):g}")
mean = sum(data) / len(data)
var = sum((x - mean) ** 2 for x in data) / (len(data) - 1)
print(f"{mean=:.4f} {var=:.4f} std={var ** .5:.6f} {mean!r} {var!r}")
z = [round((x - mean) / var ** .5, 2) for x in data[:4]]
print(z, sorted(set(data)), {x: data.count(x) for x in sorted(set(data))})
cum = 0
for x in sorted(data)[:5]:
    cum += x
    print(f"{x:>3}{cum:>5}", end=" | " if x != sorted(data)[4] else "\n")
print()
# --- graph algos
from collections import defaultdict, deque
from heapq import heappush, heappop
edges = [("A", "B", 7), ("A", "C", 3), ("C", "B", 1), ("B", "D", 2), ("C", "D", 8), ("D", "E", 2), ("F", "G", 1)]
adj = defaultdict(dict)
for u, v, w in edges:
    adj[u][v] = w
    adj[v][u] = w
def components(g):
    seen = set()
    for start in sorted(g):
        if start in seen: continue
        comp, stack = set(), [start]
        while stack:
            n = stack.pop()
            if n in comp: continue
            comp.add(n)
            stack.extend(g[n].keys() - comp)
        seen |= comp
        yield sorted(comp)
print(list(components(adj)))
class UnionFind:
    def __init__(self, items): self.p = {x: x for x in items}; self.rank = dict.fromkeys(self.p, 0)
    def find(self, x):
        while self.p[x] != x:
            self.p[x] = self.p[self.p[x]]
            x = self.p[x]
        return x
    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b: return False
        if self.rank[a] < self.rank[b]: a, b = b, a
        self.p[b] = a
        self.rank[a] += self.rank[a] == self.rank[b]
        return True
uf = UnionFind(adj)
mst = [(u, v, w) for u, v, w in sorted(edges, key=lambda e: e[2]) if uf.union(u, v)]
print(mst, sum(w for *_, w in mst))
def dijkstra(src):
    best, pq = {}, [(0, src, [src])]
    while pq:
        d, n, path = heappop(pq)
        if n in best: continue
        best[n] = (d, path)
        for m, w in adj[n].items():
            if m not in best: heappush(pq, (d + w, m, path + [m]))
    return best
for n, (d, p) in sorted(dijkstra("A").items()): print(f"A->{n}: {d:>2} via {'-'.join(p)}")
def has_cycle(g):
    state = {}
    def visit(n):
        if state.get(n) == 1: return True
        if state.get(n) == 2: return False
        state[n] = 1
        if any(visit(m) for m in g.get(n, ())): return True
        state[n] = 2
        return False
    return any(visit(n) for n in list(g))
print(has_cycle({"a": ["b"], "b": ["c"], "c": ["a"]}), has_cycle({"a": ["b"], "b": []}))
INF = float("inf")
nodes = sorted(adj)
dist = {(i, j): 0 if i == j else adj[i].get(j, INF) for i in nodes for j in nodes}
for k in nodes:
    for i in nodes:
        for j in nodes: dist[i, j] = min(dist[i, j], dist[i, k] + dist[k, j])
print(dist["A", "E"], dist["A", "F"], max(v for v in dist.values() if v < INF))
# --- state machine dict
from enum import Enum, auto
class S(Enum):
    IDLE = auto(); RUNNING = auto(); PAUSED = auto(); STOPPED = auto()
    def __repr__(self): return f"S.{self.name}"
class Event(str, Enum):
    START = "start"; PAUSE = "pause"; RESUME = "resume"; STOP = "stop"
T = {(S.IDLE, Event.START): S.RUNNING, (S.RUNNING, Event.PAUSE): S.PAUSED, (S.PAUSED, Event.RESUME): S.RUNNING}
T.update({(s, Event.STOP): S.STOPPED for s in (S.RUNNING, S.PAUSED)})
class Machine:
    def __init__(self): self.state = S.IDLE; self.history = [self.state]; self._hooks = {}
    def on(self, state):
        def register(fn):
            self._hooks.setdefault(state, []).append(fn)
            return fn
        return register
    def fire(self, ev):
        ev = Event(ev)
        try: self.state = T[self.state, ev]
        except KeyError: raise RuntimeError(f"{ev.value!r} not allowed in {self.state.name}") from None
        self.history.append(self.state)
        for h in self._hooks.get(self.state, []): h(self, ev)
        return self
m = Machine()
@m.on(S.RUNNING)
def started(machine, ev): print(f"hook: running after {ev.value} ({len(machine.history)} states)")
m.fire("start").fire(Event.PAUSE).fire("resume")
for bad in ("start", "explode"):
    try: m.fire(bad)
    except (RuntimeError, ValueError) as e: print(type(e).__name__, e)
print(m.fire("stop").history, m.state is S.STOPPED, S["IDLE"], S(2), [e.value for e in Event], Event.START == "start", Event("stop").name, f"{Event.STOP.value:>8}", S.IDLE.value < S.PAUSED.value)
# --- bank csv categorise
import csv, io
from itertools import groupby
from operator import itemgetter
RULES = [("grocer|market", "Food"), ("uber|train|fuel", "Transport"), (r"rent|mortgage", "Housing")]
import re
def categorise(desc):
    return next((cat for pat, cat in RULES if re.search(pat, desc, re.I)), "Other")
raw = "date,description,amount\n2024-01-03,Fresh Market,-54.20\n2024-01-05,UBER trip,-13.5\n2024-01-31,Salary,2500\n2024-02-01,Rent Feb,-900.00\n2024-02-11,Corner grocer,-8.75\n"
rows = []
for r in csv.DictReader(io.StringIO(raw)):
    r["amount"] = float(r["amount"]); r["category"] = categorise(r["description"]); r["month"] = r["date"][:7]
    rows.append(r)
key = itemgetter("month", "category")
report = {}
for (month, cat), grp in groupby(sorted(rows, key=key), key=key):
    report.setdefault(month, {})[cat] = round(sum(g["amount"] for g in grp), 2)
for month, cats in report.items():
    total = sum(cats.values())
    print(f"== {month} == net {total:+,.2f}")
    for cat, amt in sorted(cats.items(), key=itemgetter(1)):
        print(f"  {cat:.<15}{amt:.>12,.2f} {amt / total:>8.1%}")
print(max(rows, key=lambda r: abs(r["amount"]))["description"], *sorted({r["category"] for r in rows}), sep=" / ")
print(rows[0])
# --- number formatting
values = [0, 1, -1, 999, 1000, 1234567, 0.5, 1/3, 2/3, 1e-7, 123456.789, 1e15, 1e16, -0.0, float("inf"), 10**20, 2.5, 1.005, 100.0]
for v in values:
    print(f"{v!r:>22} | {v:>15,.2f} | {v:e} | {v:g} | {v:+.1f} | {v:08.2f} | {v:.3g} | {v:%}" if abs(v) != float("inf") else f"{v!r:>22} | {v}")
for n in (5, 255, -255, 4096):
    print(f"{n:d} {n:5d}| {n:<6d}| {n:^7d}| {n:+d} {n: d} {n:06d} {n:x} {n:#X} {n:b} {n:#o} {n:,} {n:_} {n:c}" if 0 < n < 256 else f"{n:x} {n:#b} {n:_x} {n:>+10,d}")
print("%5d|%-5d|%05d|%+d|%x|%X|%o|%e|%.3g|%c|%%|%r|%10.3s|" % (42, 42, 42, 42, 255, 255, 8, 12345.678, 0.00012345, "z", "q", "abcdef"))
print("{:>10}|{:<10}|{:^10}|{:*^10}|{:.2f}|{:10.3e}|{!r:>8}".format("r", "l", "c", "s", 3.14159, 12345.6789, "x"), "{:,}".format(-1234567.891), "{:.0f} {:.0f} {:.0f}".format(0.5, 1.5, 2.5), "{:b}".format(10), "{0:{1}}".format("a", 5) + "|", "{a[0]}{b.real}".format(a=[1], b=2))
print(round(0.5), round(1.5), round(2.675, 2), round(-1.5), round(1e300), round(12345, -2), round(1.23456, 3), 7 // 2, -7 // 2, 7 % -3, -7 % 3, 2 ** 0.5, 10 / 4, 10 // 4.0, divmod(-7, 2), abs(-3.5), 5 // 0.3, 0.1 * 3, 1e23, 1.1 + 2.2, 3 * 1.1, 100 * 1.1, sum([0.1] * 10), 1 - 0.9, 4.35 * 100, 1e2, 5e-05, 123e-7)
print(int("0x1f", 16), int("-101", 2), float("1_000.5"), int(1e20), 3 == 3.0, 1 < 1.5 < 2, True + 1, 0.1 + 0.2 == 0.3, 255 .bit_length(), (5).to_bytes(2, "big"), (0.75).as_integer_ratio(), (3.0).is_integer(), float.fromhex("0x1.8p1"), (1.5).hex(), 0b11 + 0o17 + 0xF)
# --- text wrap report
import textwrap
from string import Template
report = {"title": "Quarterly Review", "sections": [{"h": "Overview", "body": "The quarter went well overall, with revenue growing in all regions despite supply problems in the second month."}, {"h": "Risks", "body": "Currency; hiring."}], "score": 87.456}
W = 44
print("=" * W); print(report["title"].upper().center(W)); print("=" * W)
for i, s in enumerate(report["sections"], start=1):
    print(f"\n{i}. {s['h']}\n{'-' * (len(s['h']) + 3)}")
    for line in textwrap.wrap(s["body"], width=W - 4): print("    " + line)
print(textwrap.fill("word " * 12, width=20, subsequent_indent="> "), textwrap.shorten("hello wide world", 12), textwrap.indent("a\nb\n", "  "), sep="\n")
print(Template("$who scored ${score}%").substitute(who="Team", score=round(report["score"], 1)))
print(textwrap.dedent("""
    SELECT *
      FROM t
     WHERE x = 1
""").strip())
rows = [("alpha", 1, 2.5), ("be", 22, 33.333)]
print("\n".join("{:<8}{:>5}{:>10.2f}".format(*r) for r in rows), "|".join(f"{h:^8}" for h in ("Name", "N", "Val")), sep="\n")
print("\t".join(["a", "b"]).expandtabs(4), "x".ljust(3, "."), "é".center(5, "*"), "a\\nb", 'tab\t', "nl" + "\n".join(["", "end"]), "%-8s|%8s" % ("l", "r"), sep="\n")
# --- event log replay
from dataclasses import dataclass, field, asdict
from typing import Callable, Dict, List, Union
import json
@dataclass(frozen=True)
class Deposited:
    amount: int
@dataclass(frozen=True)
class Withdrawn:
    amount: int
    fee: int = 0
Event = Union[Deposited, Withdrawn]
@dataclass
class Account:
    balance: int = 0
    version: int = 0
    log: List[Event] = field(default_factory=list)
    HANDLERS = {}
    def apply(self, ev: Event) -> "Account":
        handler = self.HANDLERS[type(ev)]
        handler(self, ev)
        self.version += 1
        self.log.append(ev)
        return self
def handles(cls):
    def deco(fn: Callable): Account.HANDLERS[cls] = fn; return fn
    return deco
@handles(Deposited)
def _(acc, ev): acc.balance += ev.amount
@handles(Withdrawn)
def _(acc, ev):
    if acc.balance < (total := ev.amount + ev.fee): raise ValueError(f"insufficient: {acc.balance} < {total}")
    acc.balance -= total
acc = Account()
for ev in [Deposited(100), Withdrawn(30, fee=1), Withdrawn(500), Deposited(5)]:
    try: acc.apply(ev)
    except ValueError as e: print("rejected", ev, "->", e)
print(acc); print(json.dumps([{"type": type(e).__name__, **asdict(e)} for e in acc.log]))
reg = {c.__name__: c for c in (Deposited, Withdrawn)}
replayed = Account()
for d in json.loads('[{"type": "Deposited", "amount": 7}, {"type": "Withdrawn", "amount": 2}]'):
    cls = reg[d.pop("type")]; replayed.apply(cls(**d))
print(replayed.balance, replayed == acc, len({Deposited(1), Deposited(1)}), Deposited(1) == Withdrawn(1), asdict(replayed)["log"])
try: Deposited(1).amount = 2
except AttributeError as e: print(type(e).__name__, e)
# --- set operations
a, b = {1, 2, 3, 4}, {3, 4, 5}
print(a | b, a & b, a - b, a ^ b, a <= b, {3} < b, a.isdisjoint({9}), a.union([7], (8,)), a.intersection(b, [3]), a.difference([1]), a.symmetric_difference(b), sorted(a.symmetric_difference([1, 10])))
a.add(9); a.discard(100); a.remove(1); a.update([20, 30]); print(a, len(a), 9 in a, a.copy() == a, min(a), max(a), sum(a))
a &= {2, 3, 9, 20}; print(a); a |= {1}; a -= {2}; a ^= {3, 50}; print(sorted(a))
s = set("mississippi"); print(len(s), sorted(s), frozenset([1, 2]) == {1, 2}, {frozenset({1}): "x"}[frozenset({1})], set() == set([]), type({}), {*range(3), *"ab"} == {0, 1, 2, "a", "b"})
users = {"admins": {"ann", "bob"}, "devs": {"bob", "cyd"}, "ops": {"dee"}}
allu = set().union(*users.values()); print(sorted(allu), [u for u in sorted(allu) if sum(u in g for g in users.values()) > 1], {g: sorted(m - users["admins"]) for g, m in users.items()})
uniq = list(dict.fromkeys([3, 1, 3, 2, 1])); print(uniq, [x for i, x in enumerate([3, 1, 3]) if x not in [3, 1, 3][:i]], {len(w) for w in ["a", "bb", "cc"]}, set(map(abs, [-1, 1, 2])))
try: {1, 2}.remove(5)
except KeyError as e: print("KeyError", e)
try: {[1]: 2}
except TypeError as e: print(e)
try: set([[1]])
except TypeError as e: print(e)
try: {1} | [2]
except TypeError as e: print(e)
try: {1}[0]
except TypeError as e: print(e)
print({1, 2} == {2, 1}, {1} != {2}, bool(set()), set([1, 2]).issubset([1, 2, 3]), set([1]).issuperset([]), next(iter({5})), {x * 2 for x in range(5) if x % 2}, [*sorted({"b", "a"})], {True, 1, 1.0}, {0, False}, {(1, 2), (1, 2)})
# --- closures scopes
def counter(start=0):
    n = start
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get(): return n
    inc.get = get
    return inc
c = counter(5); c(); c(10); print(c.get(), c(0))
fs = [lambda: i for i in range(3)]; gs = [lambda i=i: i for i in range(3)]; print([f() for f in fs], [g() for g in gs])
def outer(x):
    def mid(y):
        def inner(z): return x + y + z
        return inner
    return mid
print(outer(1)(2)(3), (lambda *a, **k: (a, k))(1, b=2), (lambda x, y=2, *z: (x, y, z))(1), sorted([3, 1], key=lambda v: -v))
def default_trap(x, acc=[]): acc.append(x); return acc
print(default_trap(1), default_trap(2), default_trap(3, []))
total = 0
def add(x):
    global total
    total += x
for i in range(4): add(i)
print(total)
def f(a, b=2, /, c=3, *args, d, e=5, **kw): return (a, b, c, args, d, e, kw)
print(f(1, d=4), f(1, 2, 3, 4, 5, d=6, z=7), f(*[1, 2], **{"d": 1, "q": 2}), f(1, d=0, b=9) if True else "")

from functools import reduce, partial
compose = lambda *fns: lambda x: reduce(lambda acc, fn: fn(acc), fns, x)
print(compose(str.strip, str.title, lambda s: s + "!")("  hi there "), partial(int, base=2)("101"), list(map(partial(pow, 2), range(4))), reduce(lambda a, b: a * b, range(1, 6), 1))
def curry(fn, n):
    def go(args): return fn(*args) if len(args) == n else lambda x: go(args + (x,))
    return go(())
print(curry(lambda a, b, c: a + b * c, 3)(1)(2)(3))
try:
    def bad():
        print(y); y = 1
    bad()
except UnboundLocalError as e: print(type(e).__name__, e)


x = 10
class K:
    x = 20
    y = [x for _ in range(1)]
    def get(self): return x
    z = x + 1
print(K().get(), K.x, K.z, K.y)
# --- recursion misc
import sys
from functools import lru_cache
sys.setrecursionlimit(5000)
def ackermann(m, n):
    if m == 0: return n + 1
    if n == 0: return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))
print(ackermann(2, 3))
def permutations(s): return [s] if len(s) <= 1 else [c + p for i, c in enumerate(s) for p in permutations(s[:i] + s[i + 1:])]
print(permutations("abc"))
def deep_get(obj, *keys, default=None):
    for k in keys:
        try: obj = obj[k]
        except (KeyError, IndexError, TypeError): return default
    return obj
print(deep_get({"a": [{"b": 5}]}, "a", 0, "b"), deep_get({"a": 1}, "a", "b", default="-"), deep_get([], 0))
def count_leaves(x): return sum(map(count_leaves, x.values() if isinstance(x, dict) else x)) if isinstance(x, (dict, list)) else 1
print(count_leaves({"a": [1, 2, {"b": 3}], "c": 4}))
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(900))
@lru_cache(maxsize=None)
def lev(a, b): return max(len(a), len(b)) if not a or not b else min(lev(a[1:], b) + 1, lev(a, b[1:]) + 1, lev(a[1:], b[1:]) + (a[0] != b[0]))
print(lev("sunday", "saturday"), lev.cache_info().misses > 0)
def gcd(a, b): return a if b == 0 else gcd(b, a % b)
def power(b, e): return 1 if e == 0 else (power(b * b, e // 2) if e % 2 == 0 else b * power(b, e - 1))
def binary(n): return str(n) if n < 2 else binary(n // 2) + str(n % 2)
def is_pal(s): return len(s) < 2 or (s[0] == s[-1] and is_pal(s[1:-1]))
def fmt(x, ind=0):
    pad = "  " * ind
    if isinstance(x, dict): return "{\n" + ",\n".join(f"{pad}  {k}: {fmt(v, ind + 1)}" for k, v in x.items()) + f"\n{pad}}}"
    if isinstance(x, list): return "[" + ", ".join(fmt(v, ind) for v in x) + "]"
    return repr(x)
print(gcd(48, 36), power(3, 50), binary(37), is_pal("racecar"), fmt({"a": [1, "x"], "b": {"c": None}}))
board = [[5, 3, 0, 0], [0, 0, 0, 0]]
def solve(n, row=0, cols=()):
    if row == n: yield cols; return
    for c in range(n):
        if all(c != cc and abs(c - cc) != row - r for r, cc in enumerate(cols)): yield from solve(n, row + 1, cols + (c,))
print(next(solve(8)), len(list(solve(6))))
