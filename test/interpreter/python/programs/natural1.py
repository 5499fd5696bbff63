# word frequency
text = """the quick brown fox jumps over the lazy dog
the dog barks and the fox runs"""
from collections import Counter
words = text.lower().split()
freq = Counter(words)
for word, count in freq.most_common(3):
    print(f"{word:<6} {'#' * count} {count}")
longest = max(words, key=len)
print(f"Longest: {longest} ({len(longest)})")
print({k: v for k, v in sorted(freq.items()) if v > 1})
# --- sales report
sales = [
    {"region": "North", "product": "A", "amount": 120.5, "qty": 3},
    {"region": "South", "product": "B", "amount": 80.0, "qty": 1},
    {"region": "North", "product": "B", "amount": 200.25, "qty": 5},
    {"region": "East", "product": "A", "amount": 50, "qty": 2},
]
from collections import defaultdict
by_region = defaultdict(lambda: {"total": 0, "items": []})
for s in sales:
    by_region[s["region"]]["total"] += s["amount"] * s["qty"]
    by_region[s["region"]]["items"].append(s["product"])
for region, info in sorted(by_region.items(), key=lambda kv: -kv[1]["total"]):
    print(f"{region:>6}: {info['total']:>10,.2f}  {', '.join(sorted(set(info['items'])))}")
print("avg", round(sum(s["amount"] for s in sales) / len(sales), 2))
# --- json processing
import json
raw = '{"users": [{"id": 1, "name": "Ann", "tags": ["a", "b"], "score": 9.5}, {"id": 2, "name": "Bob", "tags": [], "score": null}]}'
data = json.loads(raw)
for u in data["users"]:
    print(u["name"], u.get("score") or "n/a", len(u["tags"]))
active = [u for u in data["users"] if u["score"] is not None]
print(json.dumps(active, sort_keys=True))
print(json.dumps({"summary": {u["name"]: u["tags"] for u in data["users"]}}, indent=2))
try:
    json.loads("{bad")
except json.JSONDecodeError as e:
    print("bad json:", e.msg, e.pos)
# --- log parsing with regex
import re
logs = """2024-01-05 10:00:01 INFO  user=ann action=login
2024-01-05 10:00:05 ERROR user=bob action=upload code=500
2024-01-05 10:01:00 WARN  user=ann action=delete code=403"""
pattern = re.compile(r"^(\S+ \S+) (\w+)\s+user=(\w+) action=(\w+)(?: code=(\d+))?$", re.M)
entries = []
for m in pattern.finditer(logs):
    ts, level, user, action, code = m.groups()
    entries.append({"ts": ts, "level": level, "user": user, "action": action, "code": int(code) if code else None})
for e in entries:
    print(e)
print({lvl: sum(1 for e in entries if e["level"] == lvl) for lvl in ("INFO", "WARN", "ERROR")})
print(re.sub(r"user=(\w+)", lambda m: "user=" + m.group(1).upper(), logs.splitlines()[0]))
# --- matrix
def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
def transpose(m): return [list(r) for r in zip(*m)]
def show(m): print("\n".join(" ".join(f"{v:4d}" for v in r) for r in m))
A = [[1, 2], [3, 4]]
B = [[0, 1], [1, 0]]
show(matmul(A, B)); show(transpose([[1, 2, 3], [4, 5, 6]]))
identity = [[int(i == j) for j in range(3)] for i in range(3)]
print(identity, sum(map(sum, identity)))
# --- dates
from datetime import datetime, timedelta, date
start = datetime(2024, 1, 30, 22, 15)
for i in range(3):
    d = start + timedelta(days=i, hours=2)
    print(d.strftime("%Y-%m-%d %H:%M"), d.weekday(), d.isoformat())
a = datetime.strptime("2024-03-01", "%Y-%m-%d")
b = datetime.fromisoformat("2024-02-27")
print((a - b).days, a > b, (a - b).total_seconds(), date(2024, 2, 29).replace(year=2023, day=28))
# --- primes and math
import math
def sieve(n):
    flags = [True] * (n + 1)
    flags[0:2] = [False, False]
    for i in range(2, int(math.sqrt(n)) + 1):
        if flags[i]:
            flags[i * i::i] = [False] * len(flags[i * i::i])
    return [i for i, f in enumerate(flags) if f]
print(sieve(50), math.gcd(12, 18), math.factorial(10), math.floor(-2.5), math.ceil(2.1), math.isclose(0.1 + 0.2, 0.3), math.pi, math.hypot(3, 4), math.log2(8), math.prod([1, 2, 3]))
# --- text wrapping table
rows = [["Name", "Qty", "Price"], ["Apple", 3, 1.5], ["Banana", 12, 0.25]]
widths = [max(len(str(r[c])) for r in rows) for c in range(len(rows[0]))]
def fmt(row): return " | ".join(str(v).ljust(w) if isinstance(v, str) else str(v).rjust(w) for v, w in zip(row, widths))
print(fmt(rows[0]))
print("-+-".join("-" * w for w in widths))
for r in rows[1:]: print(fmt(r))
print(f"{'Total':<{widths[0]}} | {sum(r[1] for r in rows[1:]):>{widths[1]}}")
# --- inventory class with errors
class OutOfStock(Exception):
    def __init__(self, item, wanted, have):
        super().__init__(f"only {have} of {item} (wanted {wanted})")
        self.item = item
class Store:
    def __init__(self, stock=None): self.stock = dict(stock or {})
    def remove(self, item, n=1):
        have = self.stock.get(item, 0)
        if n > have: raise OutOfStock(item, n, have)
        self.stock[item] = have - n
        if not self.stock[item]: del self.stock[item]
    def __str__(self): return ", ".join(f"{k}x{v}" for k, v in sorted(self.stock.items())) or "empty"
s = Store({"apple": 2, "pear": 1})
for item, n in [("apple", 1), ("pear", 2), ("kiwi", 1), ("pear", 1)]:
    try:
        s.remove(item, n)
    except OutOfStock as e:
        print("!", e, e.item)
    else:
        print("ok", s)
# --- binary search and sorting algorithms
def bsearch(xs, t):
    lo, hi = 0, len(xs) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if xs[mid] == t: return mid
        if xs[mid] < t: lo = mid + 1
        else: hi = mid - 1
    return -1
def quick(xs):
    if len(xs) <= 1: return xs
    p, *rest = xs
    return quick([x for x in rest if x < p]) + [p] + quick([x for x in rest if x >= p])
def bubble(xs):
    xs = xs[:]
    for i in range(len(xs)):
        swapped = False
        for j in range(len(xs) - i - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
                swapped = True
        if not swapped: break
    return xs
xs = [5, 2, 9, 1, 5, 6]
print(quick(xs), bubble(xs) == sorted(xs), bsearch(sorted(xs), 9), bsearch(sorted(xs), 7))
# --- caesar and encoding
def caesar(s, k):
    out = []
    for ch in s:
        if ch.isupper(): out.append(chr((ord(ch) - 65 + k) % 26 + 65))
        elif ch.islower(): out.append(chr((ord(ch) - 97 + k) % 26 + 97))
        else: out.append(ch)
    return "".join(out)
enc = caesar("Hello, World!", 3)
print(enc, caesar(enc, -3))
import base64, hashlib
print(base64.b64encode(b"hello").decode(), hashlib.md5(b"hello").hexdigest(), hashlib.sha256("x".encode()).hexdigest()[:16])
# --- grouping with itertools
from itertools import groupby, combinations, permutations, product, accumulate, zip_longest
people = [("NY", "Ann"), ("LA", "Bob"), ("NY", "Cid"), ("LA", "Dee"), ("SF", "Eve")]
people.sort(key=lambda p: p[0])
for city, grp in groupby(people, key=lambda p: p[0]):
    print(city, [n for _, n in grp])
print(list(combinations("abc", 2)), len(list(permutations(range(4)))), list(product([0, 1], repeat=2)), list(accumulate([1, 2, 3, 4])), list(zip_longest([1, 2], "a", fillvalue="-")))
# --- state machine
class Light:
    TRANSITIONS = {"green": "yellow", "yellow": "red", "red": "green"}
    def __init__(self): self.state, self.history = "red", []
    def advance(self):
        self.history.append(self.state)
        self.state = self.TRANSITIONS[self.state]
        return self.state
l = Light()
print([l.advance() for _ in range(4)], l.history, l.state)
# --- lru cache class with OrderedDict
from collections import OrderedDict
class LRU:
    def __init__(self, cap): self.cap, self.d = cap, OrderedDict()
    def get(self, k):
        if k not in self.d: return -1
        self.d.move_to_end(k)
        return self.d[k]
    def put(self, k, v):
        if k in self.d: self.d.move_to_end(k)
        self.d[k] = v
        if len(self.d) > self.cap: self.d.popitem(last=False)
c = LRU(2)
c.put("a", 1); c.put("b", 2); c.get("a"); c.put("c", 3)
print(c.get("a"), c.get("b"), c.get("c"), list(c.d.items()))
# --- csv text parsing
import csv, io
text = 'name,age,city\n"Smith, J",42,Paris\nLee,37,"New ""York"""\n'
reader = csv.DictReader(io.StringIO(text))
rows = list(reader)
for r in rows: print(r["name"], int(r["age"]) + 1, r["city"])
out = io.StringIO()
w = csv.writer(out)
w.writerow(["a", "b,c", 'd"e'])
print(out.getvalue().strip())
# --- tree and recursion with dataclass
from dataclasses import dataclass, field
from typing import List
@dataclass
class Node:
    name: str
    size: int = 0
    children: List["Node"] = field(default_factory=list)
    def total(self): return self.size + sum(c.total() for c in self.children)
    def walk(self, depth=0):
        yield depth, self
        for c in sorted(self.children, key=lambda c: c.name):
            yield from c.walk(depth + 1)
root = Node("root", 1, [Node("b", 5), Node("a", 2, [Node("z", 10)])])
for d, n in root.walk():
    print("  " * d + f"{n.name} ({n.total()})")
# --- validation
def validate(user):
    errors = []
    if not user.get("name"): errors.append("name is required")
    age = user.get("age")
    if age is None: errors.append("age is required")
    elif not isinstance(age, int) or isinstance(age, bool): errors.append(f"age must be int, got {type(age).__name__}")
    elif not 0 <= age < 150: errors.append("age out of range")
    if "email" in user and "@" not in user["email"]: errors.append("bad email")
    return errors
for u in [{"name": "A", "age": 5}, {"age": "5"}, {"name": "", "age": 200, "email": "x"}, {"name": "B", "age": True}]:
    e = validate(u)
    print("valid" if not e else "; ".join(e))
# --- running stats generator
import statistics
def running_mean(xs):
    total = 0
    for i, x in enumerate(xs, 1):
        total += x
        yield total / i
data = [2, 4, 4, 4, 5, 5, 7, 9]
print(list(running_mean(data)), statistics.mean(data), statistics.median(data), statistics.pstdev(data), statistics.mode(data))
# --- roman numerals
def roman(n):
    vals = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    out = ""
    for v, s in vals:
        count, n = divmod(n, v)
        out += s * count
    return out
print([roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024)])
# --- fizzbuzz variants
print(*("Fizz" * (i % 3 == 0) + "Buzz" * (i % 5 == 0) or i for i in range(1, 16)), sep=" ")
print([{(True, True): "FB", (True, False): "F", (False, True): "B"}.get((n % 3 == 0, n % 5 == 0), n) for n in range(10, 16)])
# --- event system
class Emitter:
    def __init__(self): self._h = {}
    def on(self, name):
        def deco(fn):
            self._h.setdefault(name, []).append(fn)
            return fn
        return deco
    def emit(self, name, *a, **k): return [h(*a, **k) for h in self._h.get(name, [])]
em = Emitter()
@em.on("greet")
def hello(n, punct="!"): return f"hello {n}{punct}"
@em.on("greet")
def bye(n, **_): return f"bye {n}"
print(em.emit("greet", "Ann", punct="?"), em.emit("none"))
# --- pagination helper
def paginate(items, page, size=3):
    total = -(-len(items) // size)
    if not 1 <= page <= total: raise IndexError(f"page {page} of {total}")
    s = (page - 1) * size
    return {"page": page, "pages": total, "items": items[s:s + size], "next": page + 1 if page < total else None}
items = list("abcdefgh")
for p in (1, 3, 4):
    try: print(paginate(items, p))
    except IndexError as e: print("error:", e)
# --- dijkstra with heapq
import heapq
graph = {"A": {"B": 1, "C": 4}, "B": {"C": 2, "D": 5}, "C": {"D": 1}, "D": {}}
def dijkstra(g, s):
    dist = {n: float("inf") for n in g}
    dist[s] = 0
    heap = [(0, s)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]: continue
        for v, w in g[u].items():
            if (nd := d + w) < dist[v]:
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist
print(dijkstra(graph, "A"), heapq.nlargest(2, [3, 1, 5]), heapq.nsmallest(2, [3, 1, 5]))
# --- flatten nested dict
def flatten(d, prefix=""):
    out = {}
    for k, v in d.items():
        key = f"{prefix}.{k}" if prefix else k
        if isinstance(v, dict): out.update(flatten(v, key))
        elif isinstance(v, (list, tuple)):
            for i, x in enumerate(v): out.update(flatten({str(i): x}, key))
        else: out[key] = v
    return out
print(flatten({"a": 1, "b": {"c": [1, {"d": 2}], "e": None}}))
# --- memo decorator and timing free benchmark
def memo(fn):
    cache = {}
    def w(*args):
        if args not in cache:
            cache[args] = fn(*args)
        return cache[args]
    w.cache = cache
    return w
@memo
def ways(n, k):
    if n == 0: return 1
    if n < 0 or k == 0: return 0
    return ways(n - k, k) + ways(n, k - 1)
print(ways(50, 50), len(ways.cache))
# --- merge intervals
def merge(ivs):
    out = []
    for s, e in sorted(ivs):
        if out and s <= out[-1][1]: out[-1][1] = max(out[-1][1], e)
        else: out.append([s, e])
    return out
print(merge([(1, 3), (8, 10), (2, 6), (15, 18), (17, 20)]))
# --- anagram groups
from collections import defaultdict
g = defaultdict(list)
for w in ["eat", "tea", "tan", "ate", "nat", "bat"]: g["".join(sorted(w))].append(w)
print(sorted(g.values(), key=lambda v: (-len(v), v)), dict(g)["abt"], repr(g)[:30])
# --- simple tokenizer and calculator
import re
def tokenize(s): return re.findall(r"\d+\.?\d*|[-+*/()]", s)
def parse(tokens):
    def expr():
        v = term()
        while tokens and tokens[0] in "+-":
            v = v + term() if tokens.pop(0) == "+" else v - term()
        return v
    def term():
        v = factor()
        while tokens and tokens[0] in "*/":
            op = tokens.pop(0)
            r = factor()
            v = v * r if op == "*" else v / r
        return v
    def factor():
        t = tokens.pop(0)
        if t == "(":
            v = expr()
            tokens.pop(0)
            return v
        if t == "-": return -factor()
        return float(t) if "." in t else int(t)
    return expr()
for e in ["1 + 2 * 3", "(1+2)*3 - 4/2", "-2 * (3 - 5)", "10 / 4", "2.5*2"]:
    print(e, "=", parse(tokenize(e)))
# --- game of life
def step(cells):
    from collections import Counter
    n = Counter((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))
    return {c for c, k in n.items() if k == 3 or (k == 2 and c in cells)}
cells = {(0, 1), (1, 1), (2, 1)}
for _ in range(2):
    cells = step(cells)
    for y in range(3): print("".join("#" if (x, y) in cells else "." for x in range(3)))
    print()
# --- bank simulation with property and class method
class Account:
    _next = 1000
    def __init__(self, owner): 
        self.owner, self._bal = owner, 0.0
        self.number = Account._next
        Account._next += 1
    @property
    def balance(self): return self._bal
    @balance.setter
    def balance(self, v):
        if v < 0: raise ValueError("Balance cannot be negative")
        self._bal = v
    @classmethod
    def bulk(cls, *names): return [cls(n) for n in names]
accs = Account.bulk("Ann", "Bob")
accs[0].balance += 50
try: accs[1].balance -= 10
except ValueError as e: print(e)
print([(a.number, a.owner, a.balance) for a in accs], Account._next)
