# todo cli
import json
from datetime import date
class TodoList:
    _next_id = 1
    def __init__(self, items=None):
        self.items = items or []
    def add(self, title, *, due=None, priority="normal", tags=()):
        item = {"id": TodoList._next_id, "title": title, "due": due.isoformat() if due else None, "priority": priority, "tags": sorted(tags), "done": False}
        TodoList._next_id += 1
        self.items.append(item)
        return item["id"]
    def complete(self, id_):
        for it in self.items:
            if it["id"] == id_:
                it["done"] = True
                return it
        raise LookupError(f"No item with id {id_}")
    def query(self, **filters):
        def ok(it):
            for k, v in filters.items():
                if k.endswith("__contains"):
                    if v not in it[k[:-10]]: return False
                elif k.endswith("__lt"):
                    if it[k[:-4]] is None or not it[k[:-4]] < v: return False
                elif it.get(k) != v: return False
            return True
        return [it for it in self.items if ok(it)]
    def to_json(self, **kw): return json.dumps(self.items, **kw)
    def __len__(self): return len(self.items)
    def __str__(self):
        order = {"high": 0, "normal": 1, "low": 2}
        rows = sorted(self.items, key=lambda i: (i["done"], order[i["priority"]], i["due"] or "9999"))
        return "\n".join(f"[{'x' if r['done'] else ' '}] {r['id']:>2} {r['title']:<16}{r['due'] or '-':>12} {'!' * (2 - order[r['priority']]):<2}{' '.join('#' + t for t in r['tags'])}".rstrip() for r in rows)
t = TodoList()
t.add("Write report", due=date(2024, 5, 1), priority="high", tags={"work", "q2"})
t.add("Buy milk", tags=["home"]); t.add("Call bank", due=date(2024, 4, 20), priority="low")
t.complete(2)
print(t); print(len(t), [i["title"] for i in t.query(done=False)], [i["id"] for i in t.query(tags__contains="work")], [i["id"] for i in t.query(due__lt="2024-04-30")])
try: t.complete(99)
except LookupError as e: print(type(e).__name__, e)
print(t.to_json(indent=1, sort_keys=True)[:120])
restored = TodoList(json.loads(t.to_json())); print(restored.items == t.items, restored.items is t.items)
# --- library system
from __future__ import annotations
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum
from typing import Protocol, Iterable
class Status(Enum):
    AVAILABLE = "available"; LOANED = "loaned"; RESERVED = "reserved"
@dataclass
class Book:
    isbn: str
    title: str
    authors: tuple[str, ...]
    status: Status = Status.AVAILABLE
    history: list[Loan] = field(default_factory=list, repr=False)
@dataclass
class Loan:
    book: Book
    member: str
    start: date
    end: date | None = None
    PERIOD = timedelta(days=14)
    @property
    def due(self): return self.start + self.PERIOD
    def fine(self, today: date, rate: float = 0.25) -> float:
        late = ((self.end or today) - self.due).days
        return max(0, late) * rate
class Notifier(Protocol):
    def notify(self, who: str, msg: str) -> None: ...
class Collecting:
    def __init__(self): self.sent = []
    def notify(self, who, msg): self.sent.append(f"{who}: {msg}")
class Library:
    def __init__(self, notifier: Notifier): self.books: dict[str, Book] = {}; self.notifier = notifier; self.waiting: dict[str, list[str]] = defaultdict(list)
    def add(self, *books: Book) -> Library:
        self.books.update({b.isbn: b for b in books}); return self
    def lend(self, isbn: str, member: str, on: date) -> Loan:
        book = self.books[isbn]
        if book.status is not Status.AVAILABLE:
            self.waiting[isbn].append(member)
            raise RuntimeError(f"{book.title!r} is {book.status.value}")
        book.status = Status.LOANED
        loan = Loan(book, member, on); book.history.append(loan); return loan
    def give_back(self, isbn, on):
        book = self.books[isbn]; loan = book.history[-1]; loan.end = on
        book.status = Status.AVAILABLE
        if self.waiting[isbn]: nxt = self.waiting[isbn].pop(0); book.status = Status.RESERVED; self.notifier.notify(nxt, f"{book.title} is ready")
        return loan.fine(on)
    def search(self, term): return sorted((b for b in self.books.values() if term.lower() in f"{b.title} {' '.join(b.authors)}".lower()), key=lambda b: b.title)
n = Collecting(); lib = Library(n).add(Book("1", "Dune", ("Herbert",)), Book("2", "Emma", ("Austen",)), Book("3", "Good Omens", ("Gaiman", "Pratchett")))
lib.lend("1", "ann", date(2024, 1, 1))
for isbn, who in (("1", "bob"), ("9", "cat")):
    try: lib.lend(isbn, who, date(2024, 1, 2))
    except RuntimeError as e: print("refused:", e)
    except KeyError as e: print("no such book", e)
print(lib.give_back("1", date(2024, 1, 20)), n.sent, lib.books["1"], [b.title for b in lib.search("a")], lib.books["1"].history[0].due)
# --- stats from scratch
from math import sqrt
from collections import Counter
class Series(list):
    @property
    def mean(self): return sum(self) / len(self)
    @property
    def median(self):
        s, n = sorted(self), len(self); m = n // 2
        return s[m] if n % 2 else (s[m - 1] + s[m]) / 2
    @property
    def mode(self): c = Counter(self); top = max(c.values()); return [k for k, v in c.items() if v == top]
    def std(self, ddof=1): return sqrt(sum((x - self.mean) ** 2 for x in self) / (len(self) - ddof))
    def normalize(self): lo, hi = min(self), max(self); return Series((x - lo) / (hi - lo) for x in self)
    def __add__(self, o): return Series(a + b for a, b in zip(self, o)) if isinstance(o, list) else Series(x + o for x in self)
    def __mul__(self, k): return Series(x * k for x in self)
    def rolling(self, n): return Series(Series(self[i:i + n]).mean for i in range(len(self) - n + 1))
    def describe(self): return {k: round(v, 3) for k, v in dict(n=len(self), mean=self.mean, median=self.median, std=self.std(), min=min(self), max=max(self)).items()}
a, b = Series([2, 4, 4, 4, 5, 5, 7, 9]), Series(range(8))
print(a.describe(), a.mode, a.std(0), a.normalize()[:3], (a + b)[:3], (a + 1) * 2, a.rolling(3), type(a[:2]).__name__)
def corr(x, y): mx, my = x.mean, y.mean; return sum((p - mx) * (q - my) for p, q in zip(x, y)) / sqrt(sum((p - mx) ** 2 for p in x) * sum((q - my) ** 2 for q in y))
def linreg(x, y):
    mx, my = x.mean, y.mean
    slope = sum((p - mx) * (q - my) for p, q in zip(x, y)) / sum((p - mx) ** 2 for p in x)
    return slope, my - slope * mx
m, c = linreg(b, a); print(f"r={corr(a, b):.4f} y={m:.4f}x{c:+.4f}", [round(m * x + c, 2) for x in b[:3]])
def quartiles(s): s = Series(sorted(s)); h = len(s) // 2; return Series(s[:h]).median, s.median, Series(s[-h:]).median
q1, q2, q3 = quartiles(a); print(q1, q2, q3, [x for x in a if not q1 - 1.5 * (q3 - q1) <= x <= q3 + 1.5 * (q3 - q1)])
# --- report join
orders = '''id,customer,total
1,c1,20.50
2,c2,13.00
3,c1,7.25
4,c9,99.99'''
customers = '''{"c1": {"name": "Ann", "region": "EU"}, "c2": {"name": "Bob", "region": "US"}}'''
import csv, json, io
custs = json.loads(customers)
grand, per, missing = 0.0, {}, []
for line_no, row in enumerate(csv.DictReader(orders.splitlines()), 2):
    try:
        c = custs[row["customer"]]
    except KeyError as exc:
        missing.append((line_no, exc.args[0])); continue
    amount = float(row["total"]); grand += amount
    bucket = per.setdefault(c["region"], {"n": 0, "sum": 0.0, "names": set()})
    bucket["n"] += 1; bucket["sum"] += amount; bucket["names"] |= {c["name"]}
w1 = max(map(len, per))
for region, b in sorted(per.items(), key=lambda kv: kv[1]["sum"], reverse=True):
    bar = "▇" * int(b["sum"] / grand * 20)
    print(f"{region:<{w1}} {b['n']:>3} {b['sum']:>9,.2f} {b['sum'] / grand:>6.1%} {bar} {', '.join(sorted(b['names']))}")
print(f"{'-' * 30}\n{'all':<{w1}} {sum(b['n'] for b in per.values()):>3} {grand:>9,.2f}", f"missing: {missing}" if missing else "", sep="\n")
summary = {"total": grand, "regions": {r: {**b, "names": list(b["names"])} for r, b in per.items()}}
print(json.dumps(summary, indent=None, sort_keys=True), json.dumps({"é": "ü"}, ensure_ascii=False), json.dumps([1.0, 2, None, True]), sep="\n")
def default(o):
    if isinstance(o, set): return sorted(o)
    raise TypeError(f"not serializable: {type(o).__name__}")
print(json.dumps({"s": {3, 1}}, default=default))
try: json.dumps({"o": object()}, default=default)
except TypeError as e: print(e)
# --- knights words
from collections import deque
from string import ascii_lowercase
def ladder(start, goal, words):
    words = set(words) | {goal}
    q, seen = deque([[start]]), {start}
    while q:
        path = q.popleft()
        if (w := path[-1]) == goal: return path
        for i in range(len(w)):
            for ch in ascii_lowercase:
                nw = w[:i] + ch + w[i + 1:]
                if nw in words and nw not in seen: seen.add(nw); q.append(path + [nw])
print(ladder("hit", "cog", ["hot", "dot", "dog", "lot", "log"]), ladder("aaa", "zzz", []))
def knight(n, a, b):
    moves = [(dx * s, dy * t) for dx, dy in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1)]
    dist, q = {a: 0}, deque([a])
    while q:
        x, y = cur = q.popleft()
        if cur == b: return dist[b]
        for dx, dy in moves:
            p = (x + dx, y + dy)
            if 0 <= p[0] < n and 0 <= p[1] < n and p not in dist: dist[p] = dist[cur] + 1; q.append(p)
print(knight(8, (0, 0), (7, 7)))
def anagrams(ws):
    g = {}
    for w in ws: g.setdefault("".join(sorted(w)), []).append(w)
    return sorted((sorted(v) for v in g.values() if len(v) > 1), key=lambda v: (-len(v), v))
print(anagrams("listen silent enlist google elbow below abc".split()))
class Trie:
    def __init__(self): self.kids = {}; self.end = False
    def insert(self, w):
        node = self
        for ch in w: node = node.kids.setdefault(ch, Trie())
        node.end = True
    def find(self, p):
        node = self
        for ch in p:
            if (node := node.kids.get(ch)) is None: return []
        def walk(n, pre):
            if n.end: yield pre
            for c in sorted(n.kids): yield from walk(n.kids[c], pre + c)
        return list(walk(node, p))
t = Trie(); [t.insert(w) for w in ("car", "card", "care", "cat", "dog")]
print(t.find("car"), t.find("x"), t.find(""))
def spiral(m): return m and [*m[0], *spiral([*zip(*m[1:])][::-1])]
print(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), [*map("".join, zip(*["abc", "def"]))], sum(divmod(17, 5)), max(range(-3, 4), key=lambda v: -v * v))
sud = lambda b: all(len(set(r)) == len(r) for r in ([x for x in row if x] for row in b))
print(sud([[1, 2, 0], [3, 3, 0]]), sud([[1, 2], [2, 1]]))
# --- circuit breaker
import time
from functools import wraps
from contextlib import contextmanager
class CircuitOpen(RuntimeError): ...
class Breaker:
    def __init__(self, limit=2): self.limit, self.failures, self.state = limit, 0, "closed"
    def __call__(self, fn):
        @wraps(fn)
        def wrapper(*args, **kwargs):
            if self.state == "open": raise CircuitOpen(f"{fn.__qualname__} is open")
            try: result = fn(*args, **kwargs)
            except Exception:
                self.failures += 1
                if self.failures >= self.limit: self.state = "open"
                raise
            self.failures = 0
            return result
        wrapper.breaker = self
        return wrapper
responses = iter([200, 500, 503, 200])
@Breaker(limit=2)
def call(path):
    """Calls."""
    code = next(responses)
    if code >= 500: raise IOError(f"HTTP {code} for {path}")
    return code
for i in range(5):
    try: print(i, call(f"/p{i}"))
    except (OSError, CircuitOpen) as e: print(i, type(e).__name__, e)
    finally: time.sleep(0)
print(call.breaker.state, call.__name__, call.__doc__)
@contextmanager
def transaction(log, name):
    log.append(f"begin {name}")
    try:
        yield log
    except Exception as e:
        log.append(f"rollback {name}: {e!r}"); raise
    else: log.append(f"commit {name}")
    finally: log.append(f"end {name}")
log = []
with transaction(log, "a"): log.append("work")
try:
    with transaction(log, "outer"), transaction(log, "inner"): raise ValueError("x")
except ValueError: pass
print(*log, sep="\n")
def backoff(base=0.5, factor=2, cap=5):
    d = base
    while True:
        yield min(d, cap); d *= factor
from itertools import islice
print(list(islice(backoff(), 6)), sum(islice(backoff(1, 3, 50), 4)))
# --- observer weak
class Observable:
    def __init__(self): self._observers = {}
    def subscribe(self, event, fn=None, *, once=False):
        def add(f): self._observers.setdefault(event, []).append((f, once)); return f
        return add(fn) if fn else add
    def emit(self, event, *args, **kwargs):
        keep, results = [], []
        for fn, once in self._observers.get(event, []):
            results.append(fn(*args, **kwargs))
            if not once: keep.append((fn, once))
        self._observers[event] = keep
        return results
    def __contains__(self, e): return bool(self._observers.get(e))
class Stock(Observable):
    def __init__(self, symbol, price): super().__init__(); self.symbol = symbol; self._price = price
    @property
    def price(self): return self._price
    @price.setter
    def price(self, value):
        old, self._price = self._price, value
        if old != value: self.emit("change", self, old, value)
        if value > 1.1 * old: self.emit("spike", symbol=self.symbol, pct=(value / old - 1) * 100)
s = Stock("ACME", 100)
@s.subscribe("change")
def on_change(stock, old, new): print(f"{stock.symbol}: {old} -> {new} ({(new - old) / old:+.1%})")
s.subscribe("spike", lambda symbol, pct: print(f"SPIKE {symbol} {pct:.2f}%"), once=True)
for p in (101, 101, 120, 150.5): s.price = p
print("spike" in s, "change" in s, s.price, s.emit("nothing"), [n for n in dir(s) if not n.startswith("_")])
# --- parse nested
def parse(s):
    def value(i):
        if s[i] == "(":
            out, i = [], i + 1
            while s[i] != ")":
                if s[i] in ", ": i += 1; continue
                v, i = value(i); out.append(v)
            return tuple(out), i + 1
        if s[i] == "'":
            j = s.index("'", i + 1)
            return s[i + 1:j], j + 1
        j = i
        while j < len(s) and s[j] not in ",() ": j += 1
        tok = s[i:j]
        for conv in (int, float):
            try: return conv(tok), j
            except ValueError: ...
        return {"true": True, "false": False, "null": None}.get(tok, tok), j
    v, i = value(0)
    if i != len(s): raise SyntaxError(f"trailing data at {i}: {s[i:]!r}")
    return v
for src in ("(1, (2.5, 'a b'), true, null, foo)", "()", "42 x", "(1, (2"):
    try: print(parse(src))
    except (SyntaxError, IndexError, ValueError) as e: print(type(e).__name__, "-", e)
OPS = {"+": (1, lambda a, b: a + b), "-": (1, lambda a, b: a - b), "*": (2, lambda a, b: a * b), "/": (2, lambda a, b: a / b), "^": (3, lambda a, b: a ** b)}
def rpn(expr):
    import re
    out, ops = [], []
    for tok in re.findall(r"\d+\.?\d*|[-+*/^()]", expr):
        if tok in OPS:
            while ops and ops[-1] != "(" and (OPS[ops[-1]][0] > OPS[tok][0] or OPS[ops[-1]][0] == OPS[tok][0] and tok != "^"): out.append(ops.pop())
            ops.append(tok)
        elif tok == "(": ops.append(tok)
        elif tok == ")":
            while (op := ops.pop()) != "(": out.append(op)
        else: out.append(float(tok) if "." in tok else int(tok))
    return out + ops[::-1]
def run(toks):
    st = []
    for t in toks:
        if isinstance(t, str): b, a = st.pop(), st.pop(); st.append(OPS[t][1](a, b))
        else: st.append(t)
    return st.pop()
for e in ("3 + 4 * 2 / (1 - 5) ^ 2 ^ 3", "(1+2)*3.5", "8/0"):
    try: print(e, "=>", *rpn(e), "=", run(rpn(e)))
    except ZeroDivisionError as ex: print(e, "!!", ex)
