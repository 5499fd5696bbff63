# shapes with abc, sorting by key
from abc import ABC, abstractmethod
import math
class Shape(ABC):
    registry = []
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Shape.registry.append(cls.__name__)
    @property
    @abstractmethod
    def area(self): ...
    def __lt__(self, o): return self.area < o.area
    def __repr__(self): return f"{type(self).__name__}({self.area:.1f})"
class Sq(Shape):
    def __init__(self, s): self.s = s
    @property
    def area(self): return self.s ** 2
class Ci(Shape):
    def __init__(self, r): self.r = r
    @property
    def area(self): return math.pi * self.r ** 2
print(sorted([Sq(3), Ci(1), Sq(1)]), Shape.registry, max(Sq(2), Ci(1)))
# --- plugin dispatch with decorators and enum
from enum import Enum
class Op(Enum):
    ADD = "+"
    MUL = "*"
HANDLERS = {}
def handles(op):
    def reg(fn):
        HANDLERS[op] = fn
        return fn
    return reg
@handles(Op.ADD)
def add(*xs): return sum(xs)
@handles(Op.MUL)
def mul(*xs):
    r = 1
    for x in xs: r *= x
    return r
for op, args in [("+", (1, 2, 3)), ("*", (2, 5)), ("?", ())]:
    try:
        print(op, HANDLERS[Op(op)](*args))
    except ValueError as e:
        print("error:", e)
# --- generator pipeline over records with dataclass
from dataclasses import dataclass
from typing import Iterator
@dataclass(frozen=True)
class Rec:
    id: int
    kind: str
    value: float
def read(lines: list) -> Iterator[Rec]:
    for n, line in enumerate(lines, 1):
        parts = [p.strip() for p in line.split(",")]
        if len(parts) != 3:
            print(f"line {n}: skipped {line!r}")
            continue
        yield Rec(int(parts[0]), parts[1], float(parts[2]))
def only(recs, kind): return (r for r in recs if r.kind == kind)
lines = ["1,a,2.5", "2,b,3", "oops", "3,a,4"]
print(sum(r.value for r in only(read(lines), "a")))
print({r.id: r for r in read(lines)}[3])
# --- context manager transaction
class Tx:
    def __init__(self, db): self.db, self.backup = db, None
    def __enter__(self):
        self.backup = dict(self.db)
        return self.db
    def __exit__(self, et, ev, tb):
        if et is not None:
            self.db.clear()
            self.db.update(self.backup)
            print("rollback:", et.__name__, ev)
            return et is ValueError
        print("commit")
db = {"a": 1}
with Tx(db) as d: d["b"] = 2
with Tx(db) as d:
    d["c"] = 3
    raise ValueError("nope")
try:
    with Tx(db) as d:
        del d["a"]
        d["zz"]
except KeyError as e:
    print("key", e)
print(db)
# --- try in loop with continue, else, finally
out = []
for raw in ["5", "x", "0", "10"]:
    try:
        n = int(raw)
        r = 100 // n
    except ValueError:
        out.append("NaN")
        continue
    except ZeroDivisionError:
        out.append("inf")
        continue
    else:
        out.append(r)
    finally:
        out.append("|")
print(out)
# --- recursion with default dict of sets
from collections import defaultdict, deque
deps = {"app": ["lib", "log"], "lib": ["core"], "log": ["core"], "core": []}
def topo(g):
    state, order = {}, []
    def visit(n, path=()):
        if state.get(n) == 1: raise RuntimeError("cycle: " + " -> ".join(path + (n,)))
        if state.get(n) == 2: return
        state[n] = 1
        for m in g[n]: visit(m, path + (n,))
        state[n] = 2
        order.append(n)
    for n in g: visit(n)
    return order
print(topo(deps))
try: topo({"a": ["b"], "b": ["a"]})
except RuntimeError as e: print(e)
q = deque([1, 2, 3], maxlen=3)
q.append(4); q.appendleft(0); q.rotate(1)
print(q, q[0], list(reversed(q)), q.popleft())
# --- operator overloading fractions
from math import gcd
class Frac:
    def __init__(self, n, d=1):
        if d == 0: raise ZeroDivisionError("denominator is zero")
        g = gcd(n, d) * (1 if d > 0 else -1)
        self.n, self.d = n // g, d // g
    def __add__(self, o): return Frac(self.n * o.d + o.n * self.d, self.d * o.d)
    def __mul__(self, o): return Frac(self.n * o.n, self.d * o.d) if isinstance(o, Frac) else Frac(self.n * o, self.d)
    __rmul__ = __mul__
    def __eq__(self, o): return (self.n, self.d) == ((o.n, o.d) if isinstance(o, Frac) else (o, 1))
    def __float__(self): return self.n / self.d
    def __int__(self): return self.n // self.d
    def __str__(self): return f"{self.n}/{self.d}" if self.d != 1 else str(self.n)
    __repr__ = __str__
print(Frac(1, 2) + Frac(1, 3), 3 * Frac(2, 6), Frac(4, 2) == 2, float(Frac(1, 4)), int(Frac(7, 2)), [Frac(2, -4)], sum([Frac(1, 2), Frac(1, 2)], Frac(0)))
try: Frac(1, 0)
except ZeroDivisionError as e: print(e)
# --- mini orm with getattr and kwargs
class Model:
    fields = ()
    def __init__(self, **kw):
        unknown = set(kw) - set(self.fields)
        if unknown: raise TypeError(f"unknown fields: {sorted(unknown)}")
        for f in self.fields: setattr(self, f, kw.get(f))
    def to_dict(self): return {f: getattr(self, f) for f in self.fields}
    def __eq__(self, o): return type(self) is type(o) and self.to_dict() == o.to_dict()
class User(Model):
    fields = ("id", "name")
    @classmethod
    def from_rows(cls, rows): return [cls(**dict(zip(cls.fields, r))) for r in rows]
us = User.from_rows([(1, "a"), (2, "b")])
print([u.to_dict() for u in us], us[0] == User(id=1, name="a"), us[0] != us[1])
try: User(nope=1)
except TypeError as e: print(e)
# --- text histogram and percentiles
data = [3, 7, 8, 5, 12, 14, 21, 13, 18]
data.sort()
def pct(xs, p):
    k = (len(xs) - 1) * p
    f = int(k)
    c = min(f + 1, len(xs) - 1)
    return xs[f] + (xs[c] - xs[f]) * (k - f)
for p in (0.25, 0.5, 0.9): print(f"p{int(p * 100)}: {pct(data, p):.2f}")
buckets = {}
for x in data: buckets.setdefault(x // 5 * 5, []).append(x)
for b in sorted(buckets): print(f"{b:>3}-{b + 4:<3}{'█' * len(buckets[b])}")
# --- coroutine style scheduler with generators
def task(name, n):
    for i in range(n):
        print(f"{name}:{i}")
        yield
    return f"{name} done"
def run(tasks):
    queue = list(tasks)
    results = []
    while queue:
        t = queue.pop(0)
        try:
            next(t)
        except StopIteration as e:
            results.append(e.value)
        else:
            queue.append(t)
    return results
print(run([task("a", 2), task("b", 1)]))
# --- template rendering
import re
from string import Template
tpl = "Hello {{ name }}, you have {{count}} new {{ noun }}{{ missing }}."
ctx = {"name": "Ann", "count": 3, "noun": "mails"}
print(re.sub(r"\{\{\s*(\w+)\s*\}\}", lambda m: str(ctx.get(m[1], "")), tpl))
print(Template("$who owes $$${amount}").substitute(who="Bob", amount=5), "{who} {0}".format(1, who="x"), "%(a)s-%(b)03d" % {"a": 1, "b": 2})
# --- string report with textwrap
import textwrap
s = "The quick brown fox jumps over the lazy dog and runs away."
print(textwrap.fill(s, 24))
print(textwrap.indent(textwrap.dedent("""
    a
      b
"""), "> "), textwrap.shorten(s, 20))
# --- two sum, subsets, lcs
def two_sum(xs, t):
    seen = {}
    for i, x in enumerate(xs):
        if (j := seen.get(t - x)) is not None: return j, i
        seen[x] = i
def subsets(xs): return [[x for i, x in enumerate(xs) if m >> i & 1] for m in range(1 << len(xs))]
def lcs(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            dp[i + 1][j + 1] = dp[i][j] + 1 if x == y else max(dp[i][j + 1], dp[i + 1][j])
    return dp[-1][-1]
print(two_sum([2, 7, 11], 18), two_sum([1], 5), subsets([1, 2]), lcs("AGGTAB", "GXTXAYB"))
# --- polymorphic json encoder
import json
from datetime import date
class P:
    def __init__(self, x): self.x = x
def enc(o):
    if isinstance(o, date): return o.isoformat()
    if isinstance(o, set): return sorted(o)
    if isinstance(o, P): return o.__dict__
    raise TypeError(f"cannot encode {type(o).__name__}")
print(json.dumps({"d": date(2024, 5, 1), "s": {3, 1}, "p": P([1])}, default=enc, separators=(",", ":")))
try: json.dumps({"z": object}, default=enc)
except TypeError as e: print(e)
# --- queue simulation with classes and priorities
import heapq
from dataclasses import dataclass, field
@dataclass(order=True)
class Job:
    pri: int
    name: str = field(compare=False)
    deps: list = field(default_factory=list, compare=False, repr=False)
h = []
for p, n in [(3, "low"), (1, "high"), (2, "mid")]: heapq.heappush(h, Job(p, n))
while h:
    j = heapq.heappop(h)
    print(j, j.deps)
# --- vending machine state with match-like dispatch
class Machine:
    PRICES = {"cola": 150, "gum": 50}
    def __init__(self): self.coins = 0
    def handle(self, cmd, arg=None):
        method = getattr(self, f"do_{cmd}", None)
        if method is None: return f"unknown command {cmd}"
        return method(arg) if arg is not None else method()
    def do_insert(self, n):
        self.coins += n
        return f"balance {self.coins}"
    def do_buy(self, item):
        price = self.PRICES.get(item)
        if price is None: return f"no {item}"
        if price > self.coins: return f"need {price - self.coins} more"
        self.coins -= price
        return f"here is {item}"
    def do_refund(self):
        n, self.coins = self.coins, 0
        return n
m = Machine()
for c in [("insert", 100), ("buy", "cola"), ("insert", 100), ("buy", "cola"), ("buy", "tea"), ("dance",), ("refund",)]:
    print(c[0], "->", m.handle(*c))
# --- chained generators, islice, sliding window max
from itertools import islice, chain, cycle, repeat, tee, starmap, filterfalse, dropwhile
from collections import deque
def smax(xs, k):
    dq = deque()
    for i, x in enumerate(xs):
        while dq and xs[dq[-1]] <= x: dq.pop()
        dq.append(i)
        if dq[0] == i - k: dq.popleft()
        if i >= k - 1: yield xs[dq[0]]
print(list(smax([1, 3, -1, -3, 5, 3, 6, 7], 3)), list(islice(cycle("ab"), 5)), list(chain.from_iterable([[1], [2, 3]])), list(starmap(pow, [(2, 3), (3, 2)])), list(dropwhile(lambda x: x < 3, [1, 4, 2])))
a, b = tee(x * x for x in range(3))
print(list(a), list(b), list(repeat("x", 2)))
# --- bit manipulation and conversions
for n in (0, 5, 255, -3): print(bin(n), oct(n), hex(n), n.bit_length(), f"{n:08b}", n & 0xF, n ^ 1, ~n, n << 2, n >> 1)
print(int("0b101", 0), int("-0x1f", 16), chr(97), ord("é"), "%x" % 255, (1024).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "big"), bool(0b10 & 2))
# --- copy semantics
import copy
a = {"x": [1, 2], "y": {"z": 1}}
b, c, d = a, copy.copy(a), copy.deepcopy(a)
a["x"].append(3)
a["y"]["z"] = 9
print(b["x"], c["x"], d["x"], d["y"], c is a, c == a)
class Node:
    def __init__(self, v): self.v, self.kids = v, []
n = Node(1); n.kids.append(Node(2))
m = copy.deepcopy(n); m.kids[0].v = 5
print(n.kids[0].v, m.kids[0].v)
# --- url and html helpers
from urllib.parse import urlparse, parse_qs, urlencode, quote, unquote, urljoin
u = urlparse("https://example.com:8080/a/b?x=1&y=2&x=3#frag")
print(u.netloc, u.path, u.port, parse_qs(u.query), urlencode({"q": "a b", "n": 1}), quote("a/b c"), unquote("a%20b"), urljoin("http://a/b/c", "../d"))
import html
print(html.escape("<a href='x'>&"), html.unescape("&lt;b&gt; &amp;"))
# --- bisect and grades
import bisect
def grade(s, cuts=(60, 70, 80, 90), letters="FDCBA"): return letters[bisect.bisect(cuts, s)]
print([grade(s) for s in (33, 99, 77, 70, 89, 90)])
xs = [1, 3, 5]
bisect.insort(xs, 4)
print(xs, bisect.bisect_left(xs, 3), bisect.bisect_right(xs, 3))
# --- interface with NotImplementedError and duck typing
class Repo:
    def get(self, k): raise NotImplementedError("subclass me")
    def must(self, k):
        v = self.get(k)
        if v is None: raise LookupError(f"{k} not in {type(self).__name__}")
        return v
class Mem(Repo):
    def __init__(self, **kw): self.d = kw
    def get(self, k): return self.d.get(k)
    def items(self): return self.d.items()
    def keys(self): return self.d.keys()
    def __getitem__(self, k): return self.d[k]
r = Mem(a=1)
print(r.get("a"), r.get("b"), r.must("a"), dict(r), {**r}, [k for k, v in r.items()])
for f in (lambda: r.must("zz"), lambda: Repo().get("x")):
    try: f()
    except (LookupError, NotImplementedError) as e: print(type(e).__name__, e)
# --- accumulate results with result variable unused
result = {"ok": True, "items": [i ** 2 for i in range(3)]}
print(result)
# --- multiline strings and formatting numbers
report = f"""
Name:   {'Ann':>10}
Total:  {1234.5:>10,.2f}
Ratio:  {2 / 3:>10.1%}
Hex:    {255:>#10x}
""".strip()
print(report)
print("\n".join(f"{i:02d}. {w.capitalize():.<12}{len(w)}" for i, w in enumerate(["alpha", "be"], 1)))
# --- set algebra on records
a = {("x", 1), ("y", 2)}
b = {("y", 2), ("z", 3)}
print(sorted(a - b), sorted(a | b), a & b, {k for k, _ in a ^ b} == {"x", "z"}, frozenset({1}) in {frozenset([1])})
inv = {v: k for k, v in sorted(a)}
print(inv, max(inv), inv[max(inv)])
# --- nonlocal counters and closures in loops
def counters():
    fns = []
    for i in range(3):
        count = 0
        def inc(step=i):
            nonlocal count
            count += step
            return count
        fns.append(inc)
    return fns
fs = counters()
print([f() for f in fs], [f() for f in fs], fs[2](10))
# --- exception chaining message chain
def load(path):
    try:
        raise FileNotFoundError(path)
    except FileNotFoundError as e:
        raise RuntimeError(f"could not load {path}") from e
try: load("a.txt")
except RuntimeError as e:
    c = e
    while c is not None:
        print(type(c).__name__, c)
        c = c.__cause__
# --- string checks
for s in ["abc", "ABC", "a1", "12", " ", "", "Ab Cd", "a_b"]:
    print(repr(s), s.isalpha(), s.isalnum(), s.isdigit(), s.isspace(), s.isupper(), s.islower(), s.istitle(), s.isidentifier())
print("a-b_c d".replace("-", " ").replace("_", " ").split(), "x".rjust(3, "."), "abc".startswith(("x", "a")), "abc".endswith("bc"), "a,b;c".translate(str.maketrans(",;", "  ")), "ab\ncd\r\n".splitlines(), "Hello".rfind("l"), "aXbX".rsplit("X", 1), "abc".removeprefix("a").removesuffix("c"), "ß".casefold(), "a\tb".expandtabs(4))
