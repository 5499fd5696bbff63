# invoice report
from datetime import datetime, timedelta
from collections import defaultdict
invoices = [
    {"id": "INV-001", "customer": "Acme Corp", "amount": 1250.00, "issued": "2024-01-15", "due_days": 30, "paid": True},
    {"id": "INV-002", "customer": "Globex", "amount": 890.5, "issued": "2024-02-01", "due_days": 15, "paid": False},
    {"id": "INV-003", "customer": "Acme Corp", "amount": 430.25, "issued": "2024-02-20", "due_days": 30, "paid": False},
    {"id": "INV-004", "customer": "Initech", "amount": 2200, "issued": "2024-03-01", "due_days": 45, "paid": False},
]
AS_OF = datetime(2024, 3, 25)
def due_date(inv):
    return datetime.strptime(inv["issued"], "%Y-%m-%d") + timedelta(days=inv["due_days"])
def bucket(days):
    if days <= 0: return "current"
    elif days <= 30: return "1-30"
    elif days <= 60: return "31-60"
    return "60+"
aging = defaultdict(float)
lines = []
for inv in sorted(invoices, key=lambda i: (i["customer"], i["id"])):
    due = due_date(inv)
    overdue = (AS_OF - due).days
    status = "PAID" if inv["paid"] else ("OVERDUE" if overdue > 0 else "OPEN")
    if not inv["paid"]:
        aging[bucket(overdue)] += inv["amount"]
    lines.append(f"{inv['id']}  {inv['customer']:<12} {inv['amount']:>10,.2f}  due {due:%d %b %Y}  {status:>8}" + (f" ({overdue}d)" if status == "OVERDUE" else ""))
print("\n".join(lines))
print(dict(aging))
print(f"Outstanding: ${sum(i['amount'] for i in invoices if not i['paid']):,.2f}")
print(f"{'=' * 40}\n{'Generated':^40}\n{AS_OF.isoformat()} {AS_OF.date()} {AS_OF:%H:%M}")
# --- api client sim
class ApiError(Exception):
    def __init__(self, status, message, retry_after=None):
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
    def __str__(self):
        return f"[{self.status}] {super().__str__()}"
class RateLimitError(ApiError): ...
class FakeApi:
    """Simulates a flaky API."""
    def __init__(self):
        self.calls = 0
        self._script = iter([RateLimitError(429, "slow down", 2), ApiError(500, "oops"), {"data": [1, 2, 3], "next": "/p2"}, {"data": [4], "next": None}])
    def get(self, path, **params):
        self.calls += 1
        item = next(self._script)
        if isinstance(item, Exception): raise item
        return item
def fetch_all(api, path="/items", max_retries=3):
    results, retries = [], 0
    url = path
    while url:
        try:
            resp = api.get(url, limit=100)
        except RateLimitError as e:
            print(f"rate limited, waiting {e.retry_after}s: {e}")
            retries += 1
            if retries > max_retries: raise
            continue
        except ApiError as e:
            print("server error:", e, repr(e), e.args)
            retries += 1
            continue
        results.extend(resp["data"])
        url = resp.get("next")
    else:
        print("exhausted")
    return results
api = FakeApi()
print(fetch_all(api), api.calls)
try:
    api.get("/x")
except StopIteration as e:
    print("StopIteration", repr(e), e.value)
# --- employee tree
employees = [("Ada", None), ("Bob", "Ada"), ("Cyd", "Ada"), ("Dee", "Bob"), ("Eli", "Bob"), ("Fay", "Cyd"), ("Gus", "Dee")]
children = {}
for name, boss in employees:
    children.setdefault(boss, []).append(name)
def show(name, depth=0, last=True, prefix=""):
    connector = "" if depth == 0 else ("└── " if last else "├── ")
    print(prefix + connector + name)
    kids = children.get(name, [])
    for i, kid in enumerate(kids):
        extension = "" if depth == 0 else ("    " if last else "│   ")
        show(kid, depth + 1, i == len(kids) - 1, prefix + extension)
for root in children[None]:
    show(root)
def size(n): return 1 + sum(map(size, children.get(n, ())))
def depth(n): return 1 + max((depth(k) for k in children.get(n, [])), default=0)
print({n: (size(n), depth(n)) for n, _ in employees})
def chain(name):
    boss_of = dict(employees)
    while name is not None:
        yield name
        name = boss_of[name]
print(" > ".join(chain("Gus")), list(chain("Fay"))[::-1])
# --- sql like
from operator import itemgetter
from itertools import groupby
orders = [dict(id=1, cust="a", total=50, items=["x", "y"]), dict(id=2, cust="b", total=20, items=["x"]), dict(id=3, cust="a", total=70, items=[]), dict(id=4, cust="c", total=None, items=["z", "x"])]
customers = {"a": {"name": "Alice", "tier": "gold"}, "b": {"name": "Bob", "tier": "silver"}}
joined = [{**o, **customers.get(o["cust"], {"name": "Unknown", "tier": None})} for o in orders]
for row in joined: print(row)
def where(rows, **conds): return [r for r in rows if all(r.get(k) == v for k, v in conds.items())]
def select(rows, *cols): return [{c: r[c] for c in cols if c in r} for r in rows]
print(select(where(joined, tier="gold"), "id", "total", "nope"))
for cust, rows in groupby(sorted(orders, key=itemgetter("cust")), key=itemgetter("cust")):
    rows = list(rows)
    totals = [r["total"] for r in rows if r["total"] is not None]
    print(f"{cust}: count={len(rows)}, sum={sum(totals)}, avg={sum(totals) / len(totals) if totals else float('nan'):.1f}, items={sorted({i for r in rows for i in r['items']})}")
pivot = {}
for o in orders:
    for it in o["items"] or ["(none)"]:
        pivot.setdefault(it, {}).setdefault(o["cust"], 0)
        pivot[it][o["cust"]] += o["total"] or 0
cols = sorted({c for d in pivot.values() for c in d})
print("item".ljust(8) + "".join(c.rjust(6) for c in cols))
for it, d in sorted(pivot.items()): print(it.ljust(8) + "".join(str(d.get(c, "-")).rjust(6) for c in cols))
print(max(orders, key=lambda o: o["total"] or 0)["id"], min((o for o in orders if o["total"]), key=lambda o: o["total"]))
print(sorted(orders, key=lambda o: (o["total"] is None, o["total"]))[-1]["id"])
# --- temperature stats
import math
readings = {"mon": [12.5, 14.1, None, 15.0], "tue": [], "wed": [9.9, 11.2, 10.4], "thu": [-1.5, 0.0, 2.25]}
def clean(xs): return [x for x in xs if x is not None]
def stdev(xs):
    n = len(xs)
    if n < 2: return 0.0
    m = sum(xs) / n
    return math.sqrt(sum((x - m) ** 2 for x in xs) / (n - 1))
print(f"{'day':<5}{'n':>3}{'min':>8}{'max':>8}{'mean':>8}{'sd':>8}")
for day, xs in readings.items():
    xs = clean(xs)
    if not xs:
        print(f"{day:<5}{'no data':>10}")
        continue
    print(f"{day:<5}{len(xs):>3}{min(xs):>8.2f}{max(xs):>8.2f}{sum(xs) / len(xs):>8.2f}{stdev(xs):>8.3f}")
to_f = lambda c: c * 9 / 5 + 32
print([round(to_f(x), 1) for xs in readings.values() for x in clean(xs)])
window = 3
flat = [x for xs in readings.values() for x in clean(xs)]
print([round(sum(flat[i:i + window]) / window, 3) for i in range(len(flat) - window + 1)])
print(math.floor(-1.5), math.ceil(-1.5), math.trunc(-1.5), round(-1.5), int(-1.5), math.isclose(0.1 + 0.2, 0.3), math.inf > 1e308, math.nan != math.nan, math.log(100, 10), math.log2(8), math.log10(1000), math.exp(1), math.pi, math.e, math.degrees(math.pi), math.radians(180), math.sin(0), math.atan2(1, 1), math.fsum([.1] * 10), math.copysign(1, -0.0), math.gcd(12, 18), math.factorial(20), math.dist((0, 0), (3, 4)), math.fmod(-7, 3), math.modf(2.5), math.frexp(8), math.isnan(float("nan")), math.tau)
# --- text adventure parse
import re
from typing import NamedTuple, Optional
class Token(NamedTuple):
    kind: str
    value: str
    pos: int
SPEC = [("NUM", r"\d+(\.\d+)?"), ("ID", r"[A-Za-z_]\w*"), ("OP", r"[+\-*/^()=]"), ("SKIP", r"\s+"), ("BAD", r".")]
MASTER = re.compile("|".join(f"(?P<{n}>{p})" for n, p in SPEC))
def tokenize(src):
    for m in MASTER.finditer(src):
        kind = m.lastgroup
        if kind == "SKIP": continue
        if kind == "BAD": raise SyntaxError(f"unexpected {m.group()!r} at {m.start()}")
        yield Token(kind, m.group(), m.start())
class Parser:
    def __init__(self, src, env=None):
        self.toks = list(tokenize(src)); self.i = 0; self.env = env or {}
    @property
    def cur(self) -> Optional[Token]: return self.toks[self.i] if self.i < len(self.toks) else None
    def eat(self, v=None):
        t = self.cur
        if t is None or (v and t.value != v): raise SyntaxError(f"expected {v}, got {t.value if t else 'end'}")
        self.i += 1
        return t
    def expr(self):
        x = self.term()
        while self.cur and self.cur.value in "+-":
            x = x + self.term() if self.eat().value == "+" else x - self.term()
        return x
    def term(self):
        x = self.power()
        while self.cur and self.cur.value in "*/":
            op = self.eat().value
            y = self.power()
            x = x * y if op == "*" else x / y
        return x
    def power(self):
        b = self.atom()
        if self.cur and self.cur.value == "^":
            self.eat(); return b ** self.power()
        return b
    def atom(self):
        t = self.eat()
        if t.kind == "NUM": return float(t.value) if "." in t.value else int(t.value)
        if t.kind == "ID":
            if t.value not in self.env: raise NameError(t.value)
            return self.env[t.value]
        if t.value == "(":
            v = self.expr(); self.eat(")"); return v
        if t.value == "-": return -self.atom()
        raise SyntaxError(t.value)
for s in ["1 + 2 * 3", "(1+2)*3", "2^3^2", "10/4 - x", "-(3 - 5)", "1 +", "4 $ 4", "y"]:
    try: print(f"{s:<12} = {Parser(s, {'x': 1.5}).expr()}")
    except (SyntaxError, NameError) as e: print(f"{s:<12} ! {type(e).__name__}: {e}")
print(list(tokenize("a=1"))[0], Token("a", "b", 1)._replace(pos=9))
# --- shopping cart
from dataclasses import dataclass, field
from typing import ClassVar, Optional, List
@dataclass
class LineItem:
    name: str
    price: float
    qty: int = 1
    discount: float = field(default=0.0, metadata={"unit": "%"})
    def __post_init__(self):
        if self.qty < 1: raise ValueError(f"qty must be >= 1, got {self.qty}")
        self.name = self.name.strip().title()
    @property
    def subtotal(self) -> float: return round(self.price * self.qty * (1 - self.discount / 100), 2)
@dataclass
class Cart:
    TAX: ClassVar[float] = 0.07
    items: List[LineItem] = field(default_factory=list)
    coupon: Optional[str] = None
    _cache: dict = field(default_factory=dict, init=False, repr=False)
    def add(self, *args, **kwargs) -> "Cart":
        self.items.append(LineItem(*args, **kwargs)); return self
    def __len__(self): return sum(i.qty for i in self.items)
    def __iter__(self): return iter(self.items)
    def __contains__(self, name): return any(i.name == name for i in self)
    @property
    def total(self):
        sub = sum(i.subtotal for i in self.items)
        if self.coupon == "TENOFF": sub *= 0.9
        return round(sub * (1 + self.TAX), 2)
cart = Cart(coupon="TENOFF").add(" widget ", 9.99, 3).add("gadget", 24.5, discount=15)
print(cart, len(cart), "Widget" in cart, cart.total, sep="\n")
for i, item in enumerate(cart, 1): print(f"{i}. {item.name:<10} x{item.qty} @ {item.price:.2f} = {item.subtotal:>8.2f}")
try: cart.add("bad", 1, 0)
except ValueError as e: print("Error:", e)
try: LineItem("x")
except TypeError as e: print(e)
print(cart == Cart(list(cart.items), "TENOFF"), LineItem("a", 1) == LineItem("a", 1), LineItem("a", 1) != LineItem("b", 1))
# --- roman numerals
def to_roman(n: int) -> str:
    if not 0 < n < 4000: raise ValueError(f"{n} out of range")
    out = ""
    for v, s in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        q, n = divmod(n, v)
        out += s * q
    return out
def from_roman(s):
    vals = dict(zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000)))
    total = 0
    for a, b in zip(s, s[1:] + " "):
        total += -vals[a] if vals.get(b, 0) > vals[a] else vals[a]
    return total
print([to_roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999)])
assert all(from_roman(to_roman(i)) == i for i in range(1, 4000))
for bad in (0, 4000):
    try: to_roman(bad)
    except ValueError as err: print(err)
def fizz(n): return "Fizz" * (n % 3 == 0) + "Buzz" * (n % 5 == 0) or str(n)
print(*map(fizz, range(1, 16)))
def collatz(n):
    steps = [n]
    while n != 1: steps.append(n := n // 2 if n % 2 == 0 else 3 * n + 1)
    return steps
print(collatz(7), max(range(1, 30), key=lambda n: len(collatz(n))))
def primes():
    yield 2
    found = [2]
    n = 3
    while True:
        if all(n % p for p in found if p * p <= n):
            found.append(n); yield n
        n += 2
from itertools import islice, takewhile
print(list(islice(primes(), 12)), sum(takewhile(lambda p: p < 100, primes())))
def luhn(s):
    digits = [int(c) for c in s if c.isdigit()][::-1]
    return (sum(digits[::2]) + sum(sum(divmod(d * 2, 10)) for d in digits[1::2])) % 10 == 0
print(luhn("4539 1488 0343 6467"), luhn("8273 1232 7352 0569"))
caesar = lambda s, k: "".join(chr((ord(c) - (b := 97 if c.islower() else 65) + k) % 26 + b) if c.isalpha() else c for c in s)
print(caesar("Hello, World!", 3), caesar(caesar("Hello, World!", 3), -3))
# --- visitor pattern
from __future__ import annotations
from abc import ABC, abstractmethod
from functools import singledispatchmethod
class Expr(ABC):
    @abstractmethod
    def accept(self, v: Visitor): ...
class Num(Expr):
    def __init__(self, v): self.v = v
    def accept(self, v): return v.visit_num(self)
class Bin(Expr):
    def __init__(self, op, l, r): self.op, self.l, self.r = op, l, r
    def accept(self, v): return v.visit_bin(self)
class Visitor:
    def visit(self, node):
        method = getattr(self, f"visit_{type(node).__name__.lower()}", self.generic)
        return method(node)
    def generic(self, node): raise NotImplementedError(f"no visitor for {type(node).__name__}")
class Evaluate(Visitor):
    OPS = {"+": lambda a, b: a + b, "*": lambda a, b: a * b, "-": lambda a, b: a - b}
    def visit_num(self, n): return n.v
    def visit_bin(self, n): return self.OPS[n.op](n.l.accept(self), n.r.accept(self))
class Show(Visitor):
    def visit_num(self, n): return str(n.v)
    def visit_bin(self, n): return f"({n.l.accept(self)} {n.op} {n.r.accept(self)})"
tree = Bin("+", Num(1), Bin("*", Num(2), Bin("-", Num(5), Num(3))))
print(tree.accept(Show()), "=", tree.accept(Evaluate()), Evaluate().visit(Num(3)))
try: Show().visit("str")
except NotImplementedError as e: print("NIE:", e)
class Fmt:
    @singledispatchmethod
    def fmt(self, x): return f"?{x}"
    @fmt.register
    def _(self, x: int): return f"int:{x}"
    @fmt.register(list)
    def _(self, x): return "[" + ",".join(self.fmt(i) for i in x) + "]"
print(Fmt().fmt([1, "a", [2]]))
# --- scheduler
import heapq
from dataclasses import dataclass, field
from typing import Any, Callable
import itertools
@dataclass(order=True)
class Task:
    priority: int
    seq: int
    name: str = field(compare=False)
    action: Callable[[], Any] = field(compare=False, repr=False, default=None)
class Scheduler:
    _counter = itertools.count()
    def __init__(self): self._q: list[Task] = []; self.log: list[str] = []
    def add(self, name, priority=5, action=None):
        heapq.heappush(self._q, Task(priority, next(self._counter), name, action)); return self
    def run(self):
        while self._q:
            t = heapq.heappop(self._q)
            try:
                r = t.action() if callable(t.action) else None
                self.log.append(f"{t.name}:ok:{r}")
            except Exception as exc:
                self.log.append(f"{t.name}:{exc.__class__.__name__}:{exc}")
            finally:
                self.log.append("-")
        return self.log
s = Scheduler().add("low", 9).add("high", 1, lambda: 6 * 7).add("mid", action=lambda: 1 / 0).add("mid2", action=lambda: {}["k"])
print(s._q[0], sorted(s._q)[-1])
print(s.run())
deps = {"app": {"db", "cache"}, "db": {"net"}, "cache": {"net"}, "net": set(), "ui": {"app"}}
def topo(g):
    g = {k: set(v) for k, v in g.items()}
    order = []
    while g:
        ready = sorted(k for k, v in g.items() if not v)
        if not ready: raise ValueError(f"cycle among {sorted(g)}")
        order += ready
        for k in ready: del g[k]
        for v in g.values(): v -= set(ready)
    return order
print(topo(deps))
try: topo({"a": {"b"}, "b": {"a"}})
except ValueError as e: print(e)
from graphlib import TopologicalSorter
print(list(TopologicalSorter(deps).static_order())[0])
# --- string analysis
s = "The quick brown Fox jumps over 13 lazy dogs, twice!"
print(s[::-1], s[4:9], s[-6:], s.split()[-1], len(s), s.find("fox"), s.lower().find("fox"), s.index("quick"), s.count("o"))
print({c: s.lower().count(c) for c in "aeiou"}, sorted(set(s.lower()) - set(" ,!")), "".join(sorted(s.replace(" ", "")))[:10])
vowels = sum(1 for c in s if c in "aeiouAEIOU")
digits = "".join(filter(str.isdigit, s))
print(vowels, digits, int(digits) + 1, [w for w in s.split() if w[0].isupper()], " ".join(w.capitalize() for w in s.split()), s.swapcase(), s.title())
is_pal = lambda t: (u := "".join(c.lower() for c in t if c.isalnum())) == u[::-1]
print(is_pal("A man, a plan, a canal: Panama"), is_pal("nope"))
from itertools import groupby
rle = lambda t: "".join(f"{k}{n if (n := len(list(g))) > 1 else ''}" for k, g in groupby(t))
print(rle("aaabbc"), "-".join("abc"), "a" "b" 'c', "x=%s y=%05.1f" % ("q", 3.14159), "tab\there", r"raw\n", "uni\u00e9", "multi\
line")
words = s.translate(str.maketrans("", "", ",!")).split()
print(max(words, key=len), sorted(words, key=lambda w: (len(w), w.lower())), [*zip(words, map(len, words))][:3], dict.fromkeys(w[0].lower() for w in words))
print("a,b,,c".split(","), " a  b ".split(), "a b c".split(" ", 1), "a-b-c".rsplit("-", 1), "l1\nl2\r\nl3".splitlines(), "abc".partition("x"), "%d%%" % 50, "{:,}".format(1234567), "{:>{w}}|{:^7}|{:<5}|".format("r", "c", "l", w=4), "{0!r:>6} {1[k]} {2.real}".format("a", {"k": "v"}, 5), f"{'a' if s else 'b'}{{}}", f"{3.0:g} {1e10:g} {1234.5678:.2e} {0.00001} {1e100}")
print("café".encode("utf-8"), b"caf\xc3\xa9".decode(), "é".encode("ascii", "replace"), "abc".encode().hex(), ord("A"), chr(8364), "A" < "a", "abc" * 0 == "", "ab" in "cabd", not "", "x".join(["1"]), "\x41", "a\\b", 'q"q', "q'q", 'both\'"', str(None), repr("\n"), ascii("ü"))
try: "abc".index("z")
except ValueError as e: print(e)
try: "abc" + 5
except TypeError as e: print(e)
try: int("12a")
except ValueError as e: print(e)
try: "abc"[10]
except IndexError as e: print(e)
try: "x" * "y"
except TypeError as e: print(e)
try: b"\xff".decode()
except UnicodeDecodeError as e: print(e)
try: "é".encode("ascii")
except UnicodeEncodeError as e: print(e)
# --- error reporting
import json
import traceback
import sys
def risky(n):
    if n == 0: raise ValueError("zero not allowed")
    if n == 1: return {}["missing"]
    if n == 2: return [][0]
    if n == 3: return None.attr
    if n == 4: return 1 / 0
    if n == 5: raise KeyError("k", "v")
    if n == 6: assert False, "assert msg"
    if n == 7: assert n == 8
    if n == 8: raise RuntimeError
    if n == 9: return int("zz")
    if n == 10: raise Exception("a", 1, None)
    if n == 11: return json.loads("{bad")
    if n == 12: raise NotImplementedError("todo")
    if n == 13: raise OSError(13, "Permission denied")
    if n == 14: raise StopIteration(5)
    if n == 15: raise TimeoutError("took too long")
    if n == 16: raise ConnectionError("refused")
    if n == 17: raise FileNotFoundError(2, "No such file or directory", "x.txt")
    if n == 18: raise UnicodeError("bad")
    if n == 19: raise LookupError()
    return n
summary = {}
for i in range(21):
    try:
        r = risky(i)
    except (ValueError, KeyError) as e:
        summary[i] = f"VK {type(e).__name__}: {e}"
    except LookupError as e:
        summary[i] = f"lookup {e!r}"
    except ArithmeticError as e:
        summary[i] = f"arith {e}"
    except Exception as e:
        summary[i] = f"{e.__class__.__name__}({', '.join(map(repr, e.args))}) str={e}"
    else:
        summary[i] = f"ok {r}"
for k, v in summary.items(): print(k, v)
try:
    try:
        risky(0)
    except ValueError as e:
        raise RuntimeError("wrapped") from e
except RuntimeError as e:
    print(e, "<-", e.__cause__, type(e.__cause__), e.__suppress_context__)
def cleanup():
    out = []
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: break
            out.append(i)
        finally:
            out.append(f"f{i}")
    else:
        out.append("else")
    return out
print(cleanup())
class Ctx:
    def __enter__(self): print("in"); return self
    def __exit__(self, t, v, tb): print("out", t, v); return False
try:
    with Ctx(): raise ValueError("in ctx")
except ValueError as e: print("caught", e)
try:
    raise ValueError("x") from None
except ValueError as e: print(e.__cause__, e.__context__)
# --- time parsing
import re
from datetime import timedelta, datetime, time, date
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
def parse_duration(s: str) -> timedelta:
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([dhms])", s.lower())
    if not parts: raise ValueError(f"invalid duration: {s!r}")
    return timedelta(seconds=sum(float(n) * UNITS[u] for n, u in parts))
for s in ("1h30m", "2d 4h", "90s", "1.5h"): print(s, parse_duration(s), parse_duration(s).total_seconds())
try: parse_duration("soon")
except ValueError as e: print(e)
def humanize(td):
    secs = int(td.total_seconds())
    out = []
    for name, n in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        q, secs = divmod(secs, n)
        if q: out.append(f"{q} {name}{'s' if q != 1 else ''}")
    return ", ".join(out) or "0 seconds"
print(humanize(timedelta(days=1, seconds=3661)), humanize(timedelta()))
events = [("standup", "2024-05-06T09:00:00"), ("lunch", "2024-05-06T12:30:00"), ("retro", "2024-05-10T16:00:00")]
parsed = [(n, datetime.fromisoformat(t)) for n, t in events]
for (n1, t1), (n2, t2) in zip(parsed, parsed[1:]): print(f"{n1} -> {n2}: {t2 - t1} ({(t2 - t1) / timedelta(hours=1):.1f}h)")
byday = {}
for n, t in parsed: byday.setdefault(t.strftime("%a %d/%m"), []).append(f"{t:%I:%M %p} {n}")
print(byday, parsed[0][1].time() < time(12), parsed[0][1].timetuple().tm_yday, date(2024, 2, 29).replace(year=2023, day=28), date.fromisoformat("2024-12-31") + timedelta(1), datetime(2024, 1, 31).isoformat(" "), datetime(2024, 5, 6, 7, 8, 9, 123456).isoformat(timespec="milliseconds"))
def add_months(d, n):
    y, m = divmod(d.month - 1 + n, 12)
    import calendar
    return d.replace(year=d.year + y, month=m + 1, day=min(d.day, calendar.monthrange(d.year + y, m + 1)[1]))
print(add_months(date(2024, 1, 31), 1), add_months(date(2024, 11, 30), 3), [date(2024, m, 1).strftime("%b") for m in range(1, 13, 3)])
q = lambda d: (d.month - 1) // 3 + 1
print([f"Q{q(date(2024, m, 1))}" for m in (1, 4, 8, 12)], date(2024, 7, 4).weekday(), date(2024, 7, 4).isoweekday(), date(2024, 7, 4).strftime("%j %U %W %y %e" if False else "%j %y"), (datetime(2024, 3, 1) - datetime(2024, 2, 1)).days, datetime.combine(date(2024, 1, 1), time(9, 30)), datetime.min.year, str(time(9, 5)), repr(date(2024, 1, 2)), repr(datetime(2024, 1, 2, 3)), datetime(2024, 1, 1) > datetime(2023, 12, 31), date(2024, 1, 1).ctime(), datetime.strptime("2024-13-01", "%Y-%m-%d") if False else "")
try: datetime.strptime("2024-13-01", "%Y-%m-%d")
except ValueError as e: print(e)
try: date(2023, 2, 29)
except ValueError as e: print(e)
try: datetime.fromisoformat("nope")
except ValueError as e: print(e)
# --- matrix path
from typing import List, Tuple, Set, Dict, Optional
Grid = List[List[str]]
def parse(s: str) -> Grid: return [list(row) for row in s.strip().split("\n")]
def find(g: Grid, ch: str) -> Tuple[int, int]:
    for r, row in enumerate(g):
        for c, v in enumerate(row):
            if v == ch: return r, c
    raise LookupError(ch)
def neighbors(g, r, c):
    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        nr, nc = r + dr, c + dc
        if 0 <= nr < len(g) and 0 <= nc < len(g[0]) and g[nr][nc] != "#": yield nr, nc
def solve(g: Grid) -> Optional[List[Tuple[int, int]]]:
    start, goal = find(g, "S"), find(g, "E")
    frontier: List[Tuple[int, int]] = [start]
    came: Dict[Tuple[int, int], Optional[Tuple[int, int]]] = {start: None}
    while frontier:
        nxt: List[Tuple[int, int]] = []
        for p in frontier:
            if p == goal:
                path = []
                node: Optional[Tuple[int, int]] = p
                while node: path.append(node); node = came[node]
                return path[::-1]
            for n in neighbors(g, *p):
                if n not in came: came[n] = p; nxt.append(n)
        frontier = nxt
    return None
maze = parse("""
S.#.
..#E
#...
""")
path = solve(maze)
print(path, len(path) - 1)
for r, c in path[1:-1]: maze[r][c] = "*"
print("\n".join("".join(row) for row in maze))
print(solve(parse("S#E")))
def flood(g, r, c, seen=None):
    seen = set() if seen is None else seen
    if (r, c) in seen: return 0
    seen.add((r, c))
    return 1 + sum(flood(g, *n, seen) for n in neighbors(g, r, c))
print(flood(maze, 0, 0))
life = {(1, 0), (1, 1), (1, 2)}
def step(cells):
    from collections import Counter
    cnt = Counter((r + dr, c + dc) for r, c in cells for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)
    return {p for p, n in cnt.items() if n == 3 or (n == 2 and p in cells)}
print(sorted(step(life)), step(step(life)) == life)
# --- permissions
from enum import Enum, IntEnum, Flag, auto
class Role(Enum):
    GUEST = 0
    USER = 1
    ADMIN = 2
    def can(self, other: "Role") -> bool: return self.value >= other.value
    @classmethod
    def parse(cls, s: str) -> "Role":
        try: return cls[s.upper()]
        except KeyError: raise ValueError(f"unknown role {s!r}; expected one of {[r.name.lower() for r in cls]}") from None
class Access(Flag):
    NONE = 0
    READ = auto()
    WRITE = auto()
    DELETE = auto()
    ALL = READ | WRITE | DELETE
GRANTS = {Role.GUEST: Access.READ, Role.USER: Access.READ | Access.WRITE, Role.ADMIN: Access.ALL}
for r in Role:
    g = GRANTS[r]
    print(f"{r.name:<6} {r!r} {g} {g!r} delete={Access.DELETE in g} {bool(g & Access.WRITE)} {g.value}")
print(Role.ADMIN.can(Role.USER), Role.parse("user"), Access.ALL & ~Access.READ, Access(0), Access.NONE == Access(0), list(Access.ALL), Access.READ ^ Access.READ, len(Access))
try: Role.parse("root")
except ValueError as e: print(e, e.__cause__)
try: Role(7)
except ValueError as e: print(e)
try: Role.GUEST.value = 4
except AttributeError as e: print("attr error")
print(Role.USER in Role, isinstance(Role.USER, Role), Role.USER == 1, {Role.USER: "x"}[Role.USER], sorted(Role, key=lambda r: -r.value), Role.__members__["USER"], [*Role][0].name, hash(Role.USER) == hash(Role.USER))
# --- bin pack knap
from functools import lru_cache
def first_fit(weights, cap):
    bins = []
    for w in sorted(weights, reverse=True):
        for b in bins:
            if sum(b) + w <= cap:
                b.append(w)
                break
        else:
            bins.append([w])
    return bins
print(first_fit([4, 8, 1, 4, 2, 1], 10))
def knapsack(items, cap):
    @lru_cache(None)
    def best(i, left):
        if i == len(items): return 0, ()
        skip = best(i + 1, left)
        name, w, v = items[i]
        if w > left: return skip
        tv, tk = best(i + 1, left - w)
        return max(skip, (tv + v, (name,) + tk))
    return best(0, cap)
print(knapsack((("a", 5, 10), ("b", 4, 40), ("c", 6, 30), ("d", 3, 50)), 10))
def coins(amount, denoms=(1, 5, 10, 25)):
    ways = [1] + [0] * amount
    for d in denoms:
        for a in range(d, amount + 1): ways[a] += ways[a - d]
    return ways[amount]
print(coins(100), [coins(n) for n in range(11)])
def perms(xs):
    if not xs: yield []; return
    for i, x in enumerate(xs):
        for rest in perms(xs[:i] + xs[i + 1:]): yield [x] + rest
print(list(perms([1, 2, 3])), sum(1 for _ in perms(list(range(5)))))
def powerset(s): return [[]] if not s else [p + q for p in powerset(s[1:]) for q in ([], [s[0]])]
print(powerset([1, 2, 3]))
def hanoi(n, a="A", b="B", c="C"): return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
print(len(hanoi(8)), hanoi(2))
def merge_sort(a):
    if len(a) < 2: return a
    m = len(a) // 2
    l, r, out = merge_sort(a[:m]), merge_sort(a[m:]), []
    while l and r: out.append((l if l[0] <= r[0] else r).pop(0))
    return out + l + r
def quick(a): return a if len(a) < 2 else quick([x for x in a[1:] if x < a[0]]) + [a[0]] + quick([x for x in a[1:] if x >= a[0]])
xs = [(i * 37) % 23 for i in range(20)]
print(merge_sort(xs) == quick(xs) == sorted(xs), xs)
def bsearch(a, t, lo=0, hi=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        mid = (lo + hi) // 2
        if a[mid] < t: lo = mid + 1
        else: hi = mid
    return lo if lo < len(a) and a[lo] == t else -1
print(bsearch([1, 3, 5, 7], 5), bsearch([1, 3], 4))
