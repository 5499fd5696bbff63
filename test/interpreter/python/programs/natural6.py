# pipeline steps
from dataclasses import dataclass, field, fields, KW_ONLY, InitVar
from typing import Callable, Any, Iterable, Optional
import functools, operator
@dataclass(slots=True, kw_only=True)
class Step:
    name: str
    fn: Callable[[Any], Any]
    enabled: bool = True
    retries: int = 0
@dataclass
class Pipeline:
    steps: list[Step] = field(default_factory=list)
    log: list[str] = field(default_factory=list, init=False)
    debug: InitVar[bool] = False
    def __post_init__(self, debug):
        if debug: self.log.append("debug on")
    def __or__(self, step): self.steps.append(step); return self
    def run(self, data):
        for i, s in enumerate(filter(operator.attrgetter("enabled"), self.steps), 1):
            for attempt in range(s.retries + 1):
                try:
                    data = s.fn(data)
                except Exception as exc:
                    self.log.append(f"{i}.{s.name} attempt {attempt} failed: {exc}")
                    if attempt == s.retries: raise
                else:
                    self.log.append(f"{i}.{s.name} ok -> {len(data)}")
                    break
        return data
attempts = iter([ValueError("flaky"), None])
def flaky(d):
    e = next(attempts)
    if e: raise e
    return [x + 1 for x in d]
p = Pipeline(debug=True) | Step(name="double", fn=lambda d: [x * 2 for x in d]) | Step(name="skip", fn=lambda d: 1 / 0, enabled=False) | Step(name="flaky", fn=flaky, retries=1) | Step(name="even", fn=functools.partial(filter, lambda x: x % 2) if False else (lambda d: [x for x in d if x > 3]))
print(p.run([1, 2, 3]), *p.log, sep="\n")
print([f.name for f in fields(Pipeline)], p.steps[0].name)
try: Step("x", None)
except TypeError as e: print(e)
try: (Pipeline() | Step(name="bad", fn=lambda d: d["k"])).run([])
except TypeError as e: print("TypeError:", e)
# --- sentiment score
import string
from collections import Counter
POS, NEG = {"good", "great", "love", "excellent"}, {"bad", "awful", "hate", "terrible"}
NEGATE = {"not", "never", "no"}
def tokens(t): return [w.strip(string.punctuation).lower() for w in t.split() if w.strip(string.punctuation)]
def score(text):
    s, prev = 0, ""
    for w in tokens(text):
        v = (w in POS) - (w in NEG)
        s += -v if prev in NEGATE else v
        prev = w
    return s
reviews = ["Great product, I love it!", "Not good. Terrible support...", "It's okay, I guess", "Never bad, always excellent!!!"]
for r in reviews:
    sc = score(r); label = "positive" if sc > 0 else "negative" if sc < 0 else "neutral"
    print(f"{label:>8} ({sc:+d}) {r[:25] + '…' if len(r) > 25 else r}")
bag = Counter(w for r in reviews for w in tokens(r) if len(w) > 3)
print(bag.most_common(3), sum(map(score, reviews)) / len(reviews))
tf = {i: {w: round(c / len(tokens(r)), 3) for w, c in Counter(tokens(r)).items()} for i, r in enumerate(reviews)}
print(tf[0], max(tf[1], key=tf[1].get))
bigrams = Counter(zip(tokens(reviews[3]), tokens(reviews[3])[1:])); print(bigrams.most_common(1), list(bigrams))
def jaccard(a, b): a, b = set(tokens(a)), set(tokens(b)); return len(a & b) / len(a | b)
print(f"{jaccard(reviews[0], reviews[2]):.3f}", sorted({w[0] for w in bag}), "".join(reversed("abc")), " ".join(w[::-1] for w in reviews[2].split()))
# --- tic tac toe
from typing import Optional
Board = list[list[str]]
LINES = [[(r, c) for c in range(3)] for r in range(3)] + [[(r, c) for r in range(3)] for c in range(3)] + [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
def winner(b: Board) -> Optional[str]:
    for line in LINES:
        vals = {b[r][c] for r, c in line}
        if len(vals) == 1 and vals != {" "}: return vals.pop()
    return "draw" if all(cell != " " for row in b for cell in row) else None
def show(b): return "\n-+-+-\n".join("|".join(row) for row in b)
def minimax(b, player):
    w = winner(b)
    if w: return ({"X": 1, "O": -1}.get(w, 0), None)
    best = None
    for r in range(3):
        for c in range(3):
            if b[r][c] != " ": continue
            b[r][c] = player
            sc, _ = minimax(b, "O" if player == "X" else "X")
            b[r][c] = " "
            if best is None or (player == "X" and sc > best[0]) or (player == "O" and sc < best[0]): best = (sc, (r, c))
    return best
b = [list("XO "), list(" X "), list("O  ")]
turn = "X"
while (w := winner(b)) is None:
    sc, (r, c) = minimax(b, turn)
    b[r][c] = turn
    print(f"{turn} -> {(r, c)} score {sc}")
    turn = "OX"["XO".index(turn)] if False else ("O" if turn == "X" else "X")
print(show(b)); print("winner:", w)
# --- unit converter
class Unit:
    _factors = {"length": {"m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344}, "mass": {"kg": 1, "g": 0.001, "lb": 0.45359237}}
    def __init__(self, value, unit):
        for kind, table in self._factors.items():
            if unit in table: self.kind, self.unit, self.value = kind, unit, value; break
        else: raise ValueError(f"unknown unit: {unit}")
    @classmethod
    def parse(cls, text):
        num, _, unit = text.strip().partition(" ")
        return cls(float(num), unit)
    def to(self, unit):
        if unit not in self._factors[self.kind]: raise TypeError(f"cannot convert {self.kind} to {unit!r}")
        return Unit(self.value * self._factors[self.kind][self.unit] / self._factors[self.kind][unit], unit)
    def __add__(self, other): return Unit(self.value + other.to(self.unit).value, self.unit)
    def __eq__(self, o): return isinstance(o, Unit) and self.kind == o.kind and abs(self.to(o.unit).value - o.value) < 1e-9
    def __lt__(self, o): return self.value < o.to(self.unit).value
    def __repr__(self): return f"{self.value:.4g} {self.unit}"
    def __format__(self, spec):
        prec, _, unit = spec.partition(":")
        u = self.to(unit) if unit else self
        return f"{u.value:.{prec or 2}f}{u.unit}"
a, b = Unit.parse("5 km"), Unit.parse("3 mi")
print(a + b, a.to("mi"), a < b, max(a, b), f"{a:1:ft} {b} {a:3}", Unit(1, "km") == Unit(1000, "m"), sorted([Unit(1, "mi"), Unit(1, "km"), Unit(5000, "ft")]))
for bad in (lambda: Unit(1, "parsec"), lambda: a.to("kg"), lambda: Unit.parse("x km"), lambda: a + 5):
    try: bad()
    except (ValueError, TypeError, AttributeError) as e: print(type(e).__name__, e)
try: hash(a)
except TypeError as e: print(e)
# --- proxies getattr
class Lazy:
    def __init__(self, factory): object.__setattr__(self, "_factory", factory); object.__setattr__(self, "_obj", None)
    def _get(self):
        if self._obj is None: object.__setattr__(self, "_obj", self._factory())
        return self._obj
    def __getattr__(self, name): return getattr(self._get(), name)
    def __setattr__(self, name, value): setattr(self._get(), name, value)
    def __repr__(self): return f"Lazy({self._obj!r})"
class Config:
    def __init__(self): print("loaded"); self.host = "h"
    def url(self, p): return f"http://{self.host}/{p}"
c = Lazy(Config); print(c); print(c.url("x")); c.host = "new"; print(c.url("y"), c._get().host)
class Chain:
    def __init__(self, path=""): self._path = path
    def __getattr__(self, n): return Chain(f"{self._path}/{n}")
    def __call__(self, **kw): return self._path + ("?" + "&".join(f"{k}={v}" for k, v in kw.items()) if kw else "")
    def __getitem__(self, k): return Chain(f"{self._path}/{k}")
    def __str__(self): return self._path or "/"
print(Chain().users[5].repos(page=2), Chain(), Chain().a.b.c)
class Record:
    def __init__(self, **kw): self.__dict__.update(kw)
    def __setattr__(self, k, v):
        if k.startswith("_"): raise AttributeError(f"{k} is private")
        super().__setattr__(k, v)
    def __delattr__(self, k): print("del", k); super().__delattr__(k)
    def __eq__(self, o): return self.__dict__ == o.__dict__
    def __dir__(self): return sorted(self.__dict__)
r = Record(a=1, b=[2]); r.c = 3
try: r._x = 1
except AttributeError as e: print(e)
del r.a; print(vars(r), r == Record(b=[2], c=3), dir(r), hasattr(r, "a"), getattr(r, "zz", None), [k for k in r.__dict__])
class Multi:
    def __init__(self): self.calls = []
    def __getattr__(self, n):
        if n.startswith("on_"): return lambda *a: self.calls.append((n[3:], a))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {n!r}")
m = Multi(); m.on_click(1, 2); m.on_key("a"); print(m.calls)
try: m.off
except AttributeError as e: print(e)
# --- bit permissions
FLAGS = {"read": 0b001, "write": 0b010, "exec": 0b100}
def encode(names): 
    mask = 0
    for n in names: mask |= FLAGS[n]
    return mask
def decode(mask): return [n for n, b in FLAGS.items() if mask & b]
for combo in (["read"], ["read", "exec"], []):
    m = encode(combo); print(f"{combo!s:<20} {m:03b} {oct(m)} {decode(m)} {decode(~m & 7)}")
def chmod(mode): return "".join("".join(ch if int(d) >> (2 - i) & 1 else "-" for i, ch in enumerate("rwx")) for d in f"{mode:o}")
print(chmod(0o755), chmod(0o640), int("755", 8), 0o17 ^ 0x0f, 1 << 10, 0xff >> 4, ~0, -1 >> 1, 5 & -5, bin(-10), f"{-10:b}", (1 << 64) - 1, (7).bit_length(), int.bit_count(255), format(10, "08b"), 6 & 3 | 8, not 5 & 2)
def ip_to_int(ip): 
    n = 0
    for part in ip.split("."): n = n << 8 | int(part)
    return n
def int_to_ip(n): return ".".join(str(n >> s & 255) for s in (24, 16, 8, 0))
def cidr(net):
    base, bits = net.split("/"); mask = (0xffffffff << (32 - int(bits))) & 0xffffffff
    lo = ip_to_int(base) & mask
    return int_to_ip(lo), int_to_ip(lo | ~mask & 0xffffffff), 2 ** (32 - int(bits))
print(cidr("192.168.10.77/26"), ip_to_int("10.0.0.1"), int_to_ip(3232235777))
def crc8(data):
    c = 0
    for b in data:
        c ^= b
        for _ in range(8): c = (c << 1) ^ 0x07 if c & 0x80 else c << 1
        c &= 0xff
    return c
print(hex(crc8(b"123456789")), sum(b << 8 * i for i, b in enumerate(b"\x01\x02")), [b for b in "hé".encode()], bytes([72, 105]).decode(), "".join(f"{b:02x}" for b in b"\x00\xff"))
gray = [i ^ i >> 1 for i in range(8)]; print([f"{g:03b}" for g in gray])
a, b = 5, 9; a ^= b; b ^= a; a ^= b; print(a, b, bin(0b1010 | 0b0101), hash("") == hash(""), 10 ** 18 % 7, pow(7, 10 ** 6, 13))
# --- job queue sim
import heapq, itertools
from collections import deque, namedtuple
Job = namedtuple("Job", ["id", "arrive", "burst", "prio"], defaults=[0])
jobs = [Job("A", 0, 5), Job("B", 1, 3, 2), Job("C", 2, 8, 1), Job("D", 3, 2)]
def fcfs(js):
    t, out = 0, []
    for j in sorted(js, key=lambda j: j.arrive):
        t = max(t, j.arrive); out.append((j.id, t, t + j.burst)); t += j.burst
    return out
def rr(js, q=3):
    left = {j.id: j.burst for j in js}; pend = deque(sorted(js, key=lambda j: j.arrive)); ready = deque(); t = 0; tl = []
    while pend or ready:
        while pend and pend[0].arrive <= t: ready.append(pend.popleft())
        if not ready: t = pend[0].arrive; continue
        j = ready.popleft(); run = min(q, left[j.id]); tl.append((j.id, run)); t += run; left[j.id] -= run
        while pend and pend[0].arrive <= t: ready.append(pend.popleft())
        if left[j.id]: ready.append(j)
    return tl, t
def sjf(js):
    t, heap, out, todo, c = 0, [], [], sorted(js, key=lambda j: j.arrive), itertools.count()
    while todo or heap:
        while todo and todo[0].arrive <= t: j = todo.pop(0); heapq.heappush(heap, (j.burst, next(c), j))
        if not heap: t = todo[0].arrive; continue
        *_, j = heapq.heappop(heap); out.append(j.id); t += j.burst
    return out
print(fcfs(jobs)); print(*rr(jobs)); print(sjf(jobs)); print(jobs[0], jobs[1]._asdict(), Job._field_defaults)
print({k: [j.id for j in g] for k, g in itertools.groupby(sorted(jobs, key=lambda j: j.prio), key=lambda j: j.prio)}, sum(e - s for _, s, e in fcfs(jobs)), heapq.nsmallest(2, jobs, key=lambda j: j.burst)[1].id, heapq.nlargest(1, (j.burst for j in jobs)))
d = deque(range(5), maxlen=3); d.append(9); d.appendleft(1); d.rotate(1); print(d, d[0], list(d), d.maxlen, 9 in d, len(d)); d.extendleft("ab"); print(d, d.popleft(), d.count("a"), d.index("a") if "a" in d else None)
# --- misc builtins
print(any(x > 3 for x in [1, 5]), all([]), sum([[1], [2]], []), min("b", "a"), max([1, 2], [1, 3]), abs(-7), round(3.14159, 2), divmod(17, 5), pow(2, 10), pow(2, 10, 1000), sorted("bca", reverse=True), list(reversed([1, 2])), list(zip("ab", [1, 2], [True, False])), list(map(lambda a, b: a * b, [1, 2], [3, 4])), list(filter(lambda x: x, [0, 1, "", "a"])), list(enumerate("ab", 10)), chr(97), ord("a"), hex(255), bin(5), oct(8), bool("False"), int("0b11", 2), float("1e-3"), str([1, "a"]), repr("a'b"), list("abc"), tuple([1]), set([1, 1]), dict(a=1), type(1).__name__, isinstance(True, int), callable(print), hash(1), len({1: 2}), range(3), list(range(5, 0, -2)), slice(1, 5, 2), [0, 1, 2, 3, 4, 5][slice(1, 5, 2)], print, len, iter([1]).__class__.__name__, next(iter("z")), format(3.14159, ".2f"), ascii("é"), frozenset("a"), bytes(3), issubclass(bool, int), getattr("a", "upper")(), hasattr([], "append"), vars) if False else print("skip")
print(*sorted({"b": 2, "a": 1}.items()), sep="; ", end=".\n")
print("a", "b", sep="", end=""); print(); print([print("x")], (yield_ := 5), yield_)
x = [1, 2, 3]; x[len(x):] = [4]; x[:0] = [0]; print(x, x[-1:], x[10:], x[::2], [*x, *x][::-3], x.copy() is x, x * 0, [] or "empty", None or 0, 1 and 2, not None)
print(int.__name__, type(print).__name__, type(lambda: 0).__name__, type(x).__name__, type(type(x)).__name__, type(None).__name__, type(range(1)).__name__, type({}.keys()).__name__, type(iter([])).__name__, type((i for i in x)).__name__, type(zip()).__name__, type(map(str, [])).__name__, str(int), str(type(1.5)), type(NotImplemented).__name__, (1).__class__, "".__class__.__name__, {}.__class__)
def gen():
    got = yield 1
    print("got", got)
    yield 2
g = gen(); print(next(g), g.send("hi"), list(g), next(g, "default"))
a = b = []; a.append(1); print(b, a is b); c, (d, *e), f = 1, (2, 3, 4), 5; print(c, d, e, f); (x, y), z = [1, 2], 3; print(x, y, z)
i = 0
while True:
    i += 1
    if i % 2: continue
    if i > 6: break
else: print("never")
print(i, [i for i in range(3)], i, (lambda: i)(), {**{"a": 1}, "b": 2}, {k: v for k, v in [("x", 1)]}, f"{i:>5}{i!r:<3}|{i=}", 5 if i else 6, "yes" "no", """tri
ple""", 1_0.5_0, 0xFF, 1e-3, 3 .real, -2 ** 2, 2 ** -1, 7 // -2, not 1 == 2, 1 < 2 > 1, 1 if [] else 2, [1, 2][True], "abc"[-2], ("a",) + ("b",), 3 * (1,), None is None)
# --- interval merge
def merge(intervals):
    out = []
    for s, e in sorted(intervals):
        if out and s <= out[-1][1]: out[-1][1] = max(out[-1][1], e)
        else: out.append([s, e])
    return [tuple(i) for i in out]
print(merge([(1, 3), (8, 10), (2, 6), (15, 18), (17, 20)]))
from datetime import datetime, time, timedelta
busy = [("09:00", "10:30"), ("10:00", "11:00"), ("13:15", "14:00")]
def t(s): return datetime.strptime(s, "%H:%M")
def free(busy, start="08:00", end="17:00", need=timedelta(minutes=30)):
    cur = t(start)
    for s, e in merge([(t(a), t(b)) for a, b in busy]):
        if s - cur >= need: yield cur.time(), s.time()
        cur = max(cur, e)
    if t(end) - cur >= need: yield cur.time(), t(end).time()
for a, b in free(busy): print(f"{a:%H:%M}-{b:%H:%M} ({(datetime.combine(datetime.min, b) - datetime.combine(datetime.min, a)).seconds // 60} min)")
def max_overlap(iv):
    ev = sorted([(s, 1) for s, _ in iv] + [(e, -1) for _, e in iv]); best = cur = 0
    for _, d in ev: cur += d; best = max(best, cur)
    return best
print(max_overlap([(1, 5), (2, 6), (4, 8), (7, 9)]), t("9:05").strftime("%I:%M %p").lstrip("0"), (t("17:00") - t("8:30")) / timedelta(hours=1), sum(((t(b) - t(a)) for a, b in busy), timedelta()))
import bisect
starts = [1, 5, 9]; names = ["low", "mid", "high"]
print([names[bisect.bisect(starts, v) - 1] for v in (1, 4, 5, 100)], bisect.bisect_left(starts, 5), bisect.insort(starts, 6), starts)
def rolling(xs, k): return [max(xs[i:i + k]) for i in range(len(xs) - k + 1)]
print(rolling([1, 3, -1, -3, 5, 3, 6, 7], 3), [sum(xs) for xs in zip([1, 2], [3, 4])], list(zip(*[iter("abcdef")] * 2)))
# --- doc
import functools
def f(x):
    """Adds one.

    More text."""
    return x + 1
def g(): return 1
class A:
    """Class doc."""
    def m(self):
        "method doc"
    @property
    def p(self):
        """prop doc"""
        return 1
    @staticmethod
    def s(): "static doc"
class B(A): pass
print(f.__doc__, g.__doc__, A.__doc__, B.__doc__, A().__doc__, A().m.__doc__, A.m.__doc__, A.s.__doc__, f.__doc__.splitlines()[0])
def deco(fn):
    @functools.wraps(fn)
    def w(*a): return fn(*a)
    return w
@deco
def h():
    """h doc"""
print(h.__doc__, h.__name__)
TOOLS = {fn.__name__: (fn.__doc__ or "").strip() for fn in (f, g, h)}
print(TOOLS, (lambda: 1).__doc__)
async def z():
    """z doc"""
def gen():
    """gen doc"""
    yield 1
print(z.__doc__, gen.__doc__)
