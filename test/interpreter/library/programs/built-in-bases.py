# Classes that inherit from dict, list, set, str, int, float, tuple, and enums with a type of values.
import json, copy
from collections import Counter, defaultdict, OrderedDict
class A(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
a = A(x=1, y={"z": 2})
a.w = 5
print(a, a.x, a.nope, json.dumps(a), dict(a), {**a}, a == {"x": 1, "y": {"z": 2}, "w": 5}, list(a), len(a), sorted(a.items(), key=str), bool(A()), A([("k", 1)]))
del a.w
print("w" in a, a.keys(), a.values(), a.items(), a | {"q": 1}, type(a | {}), a.pop("x"), a.setdefault("n", []), a.copy(), type(a.copy()).__name__)
def f(**kw): return kw
print(f(**a), isinstance(a, dict), type(a), type(a) is dict, A.__mro__, issubclass(A, dict))
for k, v in a.items(): print(k, v)
for k in a: print(k)
b = copy.deepcopy(a); b["y"]["z"] = 9; print(a["y"], b["y"], type(b).__name__)
try: a["zzz"]
except KeyError as e: print("KeyError", e)
try: hash(a)
except TypeError as e: print(e)
class M(Counter):
    def top(self): return self.most_common(1)[0][0]
m = M("banana"); m.update("bbb"); print(m, m.top(), m["q"], m + Counter("a"), isinstance(m, Counter))
class DD(defaultdict):
    def __init__(self): super().__init__(list)
d = DD(); d["a"].append(1); print(d, d["a"], dict(d))
class LRU(OrderedDict):
    def __init__(self, cap): super().__init__(); self.cap = cap
    def __getitem__(self, k):
        v = super().__getitem__(k); self.move_to_end(k); return v
    def __setitem__(self, k, v):
        if k in self: self.move_to_end(k)
        super().__setitem__(k, v)
        if len(self) > self.cap: self.popitem(last=False)
l = LRU(2); l["a"] = 1; l["b"] = 2; l["a"]; l["c"] = 3; print(l, list(l), l.cap, l)
class Tree(dict):
    def __missing__(self, k):
        v = self[k] = type(self)()
        return v
t = Tree(); t["a"]["b"]["c"] = 1; print(t, json.dumps(t, indent=1)); t |= {"z": 1}; print(t, type(t).__name__)
class V(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.log = []
    def update(self, *a, **k):
        self.log.append("update"); super().update(*a, **k)
v = V(a=1); v.update(b=2); v.update({"c": 3}); print(v, v.log, v.__dict__, max(v, key=v.get), {k: w for k, w in v.items() if w > 1})
print(f"{v}", str(v), "%s" % v, [v], {"n": v}, v != {}, v.get("a"), dict.get(v, "a"), dict.__len__(v), sum(v.values()))
import json
class L(list):
    def map(self, f): return L(f(x) for x in self)
    def __getitem__(self, i):
        r = super().__getitem__(i)
        return L(r) if isinstance(i, slice) else r
x = L([3, 1, 2])
print(x, x.map(lambda v: v * 2), x[0], x[1:], type(x[1:]).__name__, type(x + [1]).__name__, [0] + x, x * 2, x == [3, 1, 2], [3, 1, 2] == x, x < [4], x.index(1), json.dumps(x), len(x), sorted(x), x.copy(), type(x.copy()).__name__)
x += [9]; x.sort(); x.append(0); x[0] = 100; x[1:3] = [7]; del x[-1]; x.extend(L([5])); x.insert(0, "i"); print(x, type(x).__name__, x.pop(0), x.count(7), max(x), min(x), sum(x), 7 in x, list(reversed(x)), [*x], x.reverse(), x, tuple(x))
a, *b = x; print(a, b, isinstance(x, list), bool(L()), "".join(map(str, x)), list(enumerate(x))[:1], list(zip(x, "ab")))
class Q(list):
    def __contains__(self, e): return e == 42
    def __len__(self): return 7
    def __bool__(self): return True
    def __repr__(self): return f"Q<{list(self)}>"
q = Q(); print(42 in q, len(q), bool(q), q, [q])
class S(set):
    def add(self, e): super().add(e); return self
s = S([1]); print(s.add(2).add(3), s | {9}, s & {1}, type(s | {9}).__name__, 2 in s, len(s), s == {1, 2, 3}, s <= {1, 2, 3, 4}, sorted(s), isinstance(s, set)); s |= {7}; print(s, S())
import json
from datetime import datetime
class Name(str):
    def shout(self): return self.upper() + "!"
    @property
    def initials(self): return "".join(w[0] for w in self.split())
n = Name("ann lee")
print(n, repr(n), n.shout(), n.initials, n == "ann lee", "ann lee" == n, {n: 1}["ann lee"], {"ann lee": 2}[n], n + "x", "x" + n, n * 2, len(n), n[0], n[1:3], "nn" in n, n in "xann leex", ",".join([n, "b"]), f"{n:>10}|", "%s" % n, json.dumps({"n": n, n: 1}), isinstance(n, str), n.title(), sorted([Name("b"), "a"]), n < "b", str(n), type(str(n)).__name__, type(n.upper()).__name__, list(n)[:2], hash(n) == hash("ann lee"), bool(Name("")), "{}".format(n), n.encode(), int(Name("5")) + 1, max(n), "a b".replace(Name("a"), "z"))
class Celsius(float):
    def to_f(self): return Celsius(self * 9 / 5 + 32)
    def __str__(self): return f"{float(self):.1f}C"
c = Celsius(21.5); print(c, repr(c), c.to_f(), c + 1, type(c + 1).__name__, c > 20, round(c), f"{c:.2f}", f"{c}", int(c), float(c), sum([c, c]), max(c, 3), c == 21.5, -c, abs(c), json.dumps(c), c * 2, 2 * c, c / 2, isinstance(c, float))
class Id(int):
    def __new__(cls, v):
        if v < 0: raise ValueError("neg")
        return super().__new__(cls, v)
    def __repr__(self): return f"Id({int(self)})"
i = Id(5); print(i, str(i), i + 1, i == 5, {5: "a"}[i], [10, 20, 30, 40, 50, 60][i], range(i), i.bit_length(), f"{i:03d}", "%d" % i, 7 - i, i // 2, hex(i), bool(Id(0)), i < 6, sorted([Id(3), 1]), json.dumps([i]))
try: Id(-1)
except ValueError as e: print(e)
class P(tuple):
    def __new__(cls, x, y): return super().__new__(cls, (x, y))
    @property
    def x(self): return self[0]
    def __add__(self, o): return P(self[0] + o[0], self[1] + o[1])
p = P(1, 2); a, b = p; print(p, p.x, p + P(3, 4), a, b, p == (1, 2), {(1, 2): "k"}[p], len(p), isinstance(p, tuple), p[::-1], hash(p) == hash((1, 2)), sorted([P(2, 1), P(1, 5)]), list(p), type(p).__name__)
from enum import Enum, IntEnum
import json
class Level(str, Enum):
    LOW = "low"
    HIGH = "high"
print(Level.LOW == "low", Level.LOW.upper(), {"low": 1}[Level.LOW], ",".join([Level.LOW, Level.HIGH]), f"{Level.LOW}", str(Level.LOW), Level.LOW + "x", len(Level.LOW), Level.LOW[0], "o" in Level.LOW, Level("high"), json.dumps({"l": Level.LOW}), sorted(Level), isinstance(Level.LOW, str), Level.LOW.value, "lowest".startswith(Level.LOW), Level.LOW in ("low",), {Level.LOW: 1}, "%s" % Level.LOW, "{}".format(Level.LOW), repr(Level.LOW), [x for x in Level.LOW], Level.LOW.name, "a-low".replace(Level.LOW, "z"), "low" in [l.value for l in Level], Level.LOW is Level("low"), hash(Level.LOW) == hash("low"), Level.LOW < Level.HIGH)
class N(IntEnum):
    A = 1
    B = 2
print(N.A + N.B, [10, 20, 30][N.B], N.A < 2, N(2), int(N.A), f"{N.A}", str(N.A), N.A == 1, range(N.B), {1: "x"}[N.A], sum(N), max(N), json.dumps({"n": N.B}), "%d" % N.B, N.B * "ab", list(N), N.A in (1, 2), isinstance(N.A, int), N.A | N.B, -N.A, N.B ** 2, divmod(5, N.B), bool(N.A))
