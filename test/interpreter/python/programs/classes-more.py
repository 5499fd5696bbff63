# class scope oddities
x = 10
class A:
    x = 5
    y = [x for _ in range(2)]
    def get(self): return x
    z = x + 1
print(A.y if False else A.z, A().get(), A.x)
# --- method on instance dict, dynamic attributes and del
class T:
    def hi(self): return "hi"
t = T()
t.hi = lambda: "shadow"
print(t.hi(), T().hi())
del t.hi
print(t.hi())
T.new = lambda self, n: n * 2
print(t.new(4), hasattr(T, "new"))
# --- bound methods stored and sorted keys
class S:
    def __init__(self): self.log = []
    def add(self, x): self.log.append(x); return len(self.log)
s = S()
f = s.add
print([f(i) for i in "ab"], s.log, list(map(s.add, [1, 2])), f.__name__, f.__self__ is s)
# --- properties with inheritance and super
class P:
    @property
    def v(self): return 1
class Q(P):
    @property
    def v(self): return super().v + 1
print(Q().v, isinstance(Q.v, property))
# --- class decorators
def register(cls):
    cls.tag = cls.__name__.lower()
    return cls
@register
class Foo: pass
print(Foo.tag, Foo().tag)
# --- enumerate over class instances in dicts, hash default
class K: pass
a, b = K(), K()
d = {a: 1, b: 2}
print(d[a], d[b], a == b, a != b, a in d, K() in d, len({a, b, a}))
# --- str methods named like user methods
class Doc:
    def __init__(self, t): self.t = t
    def replace(self, a, b): return Doc(self.t.replace(a, b))
    def split(self): return self.t.split("-")
    def format(self, *a, **k): return self.t.format(*a, **k)
    def get(self, k, default=None): return default
    def items(self): return [(1, 2)]
    def pop(self): return "popped"
    def count(self, x): return x
    def index(self): return "idx"
    def update(self, **kw): return kw
    def sort(self, key=None): return key
d = Doc("a-{0}")
print(d.replace("a", "b").t, d.split(), d.format(5), d.get("x"), d.get("x", 3), d.items(), d.pop(), d.count(2), d.index(), d.update(a=1), d.sort(key=len) is len)
for p, q in d.items(): print(p, q)
# --- generator methods and iteration protocol by getitem
class Seq:
    def __getitem__(self, i):
        if i > 3: raise IndexError(i)
        return i * i
print(list(Seq()), 9 in Seq(), [x for x in Seq()], max(Seq()), dict(zip(Seq(), "abcd")))
# --- slices in getitem
class Sl:
    def __getitem__(self, k):
        if isinstance(k, slice): return (k.start, k.stop, k.step, k.indices(5))
        if isinstance(k, tuple): return ("tuple", k)
        return k
s = Sl()
print(s[1:3], s[::2], s[1, 2], s["k"], s[-1])
# --- exceptions in constructors and properties
class V:
    def __init__(self, n):
        if n < 0: raise ValueError(f"bad {n}")
        self._n = n
    @property
    def inv(self):
        try:
            return 1 / self._n
        except ZeroDivisionError:
            return None
out = []
for n in (2, 0, -1):
    try: out.append(V(n).inv)
    except ValueError as e: out.append(str(e))
print(out)
# --- try in generators with return value and finally
def g(n):
    try:
        for i in range(n):
            if i == 2: return "stopped"
            yield i
    finally:
        print("cleanup", n)
def driver():
    r = yield from g(5)
    yield r
print(list(driver()), list(g(1)))
# --- nested comprehension with conditions and walrus and methods
rows = [{"n": "a", "v": [1, 2]}, {"n": "b", "v": []}, {"n": "c", "v": [5]}]
print({r["n"]: max(r["v"], default=None) for r in rows}, [v for r in rows if r["v"] for v in r["v"] if v > 1], sum(len(r["v"]) for r in rows), next((r["n"] for r in rows if not r["v"]), None))
# --- global mutation through functions and loops
cache = {}
order = []
def memo(key):
    def deco(fn):
        def inner(*a):
            k = (key, a)
            if k not in cache:
                order.append(k)
                cache[k] = fn(*a)
            return cache[k]
        return inner
    return deco
@memo("sq")
def sq(x): return x * x
@memo("cu")
def cu(x): return x ** 3
print(sq(2), sq(2), cu(2), order)
# --- string formatting of objects
class Pt:
    def __init__(self, x, y): self.x, self.y = x, y
    def __format__(self, spec): return f"({self.x:{spec or '.1f'}}, {self.y:{spec or '.1f'}})"
    def __str__(self): return f"Pt<{self.x}>"
p = Pt(1, 2.5)
print(f"{p}", f"{p:.2f}", format(p), "{:.3f}".format(p), str(p), f"{p!s:>8}", "%s" % p)
# --- multiple assignment and swap with attributes and items
class O: pass
o = O()
o.a, o.b = 1, 2
o.a, o.b = o.b, o.a
l = [1, 2, 3]
l[0], l[-1] = l[-1], l[0]
a = b = []
b.append(1)
print(o.a, o.b, l, a)
i = 0
i, l[i] = 1, 9
print(i, l)
# --- augmented assignment targets
class C:
    def __init__(self): self.n, self.d = 0, {"k": [1]}
c = C()
c.n += 5
c.d["k"] += [2]
c.d["k"][0] *= 10
x = [1, 2, 3]
x[1:] += [9]
y = x
y += (4,)
print(c.n, c.d, x, y is x)
t = (1,)
u = t
t += (2,)
print(t, u)
# --- deep recursion of data and repr of cycles
l = [1]
l.append(l)
d = {"self": None}
d["self"] = d
print(l, d)
class N:
    def __init__(self): self.me = [self]
    def __repr__(self): return "N"
print(N().me)
# --- star args through super and kwargs forwarding
class Base:
    def __init__(self, *args, **kwargs): self.args, self.kwargs = args, kwargs
class Mid(Base):
    def __init__(self, first, *args, flag=False, **kwargs):
        super().__init__(*args, **kwargs)
        self.first, self.flag = first, flag
m = Mid(1, 2, 3, flag=True, z=9)
print(m.first, m.flag, m.args, m.kwargs)
# --- exceptions hierarchy checks
print(issubclass(KeyError, LookupError), issubclass(FileNotFoundError, OSError), IOError is OSError, issubclass(TimeoutError, OSError), issubclass(UnicodeDecodeError, ValueError), issubclass(NotImplementedError, RuntimeError), issubclass(StopIteration, Exception), issubclass(KeyboardInterrupt, Exception), issubclass(ModuleNotFoundError, ImportError), issubclass(RecursionError, RuntimeError))
print([c.__name__ for c in ZeroDivisionError.__mro__], ValueError, Exception, type(ValueError("x")), ValueError.__name__)
# --- try except else in functions returning
def parse(s):
    try:
        v = float(s)
    except ValueError:
        return None
    else:
        if v != v: return "nan"
        return v
    finally:
        seen.append(s)
seen = []
print([parse(s) for s in ("1", "x", "nan", "inf")], seen)
# --- iter over dict views while building, dict ordering, sorted stability
d = {"b": 1, "a": 2}
d["c"] = 0
d["b"] = 5
print(list(d), sorted(d), sorted(d, key=d.get), sorted(d.items(), key=lambda kv: (-kv[1], kv[0])), max(d, key=d.get), d.keys() & {"a", "z"}, sorted(d.keys() - {"a"}), ("a", 2) in d.items())
for k in list(d):
    if d[k] > 1: del d[k]
print(d, {v: k for k, v in d.items()}, dict(reversed(list({"x": 1, "y": 2}.items()))))
# --- functional tools over classes
from operator import attrgetter, itemgetter, methodcaller
from functools import reduce, partial, singledispatch
class E:
    def __init__(self, n, d): self.n, self.d = n, d
    def up(self): return self.n.upper()
es = [E("b", 2), E("a", 2), E("c", 1)]
print([e.n for e in sorted(es, key=attrgetter("d", "n"))], list(map(methodcaller("up"), es)), list(map(itemgetter(1), ["ab", "cd"])), reduce(lambda a, e: a + e.d, es, 0))
@singledispatch
def show(x): return f"obj {x}"
@show.register(int)
def _(x): return f"int {x}"
@show.register(list)
def _(x): return f"list of {len(x)}"
print(show(1), show([1, 2]), show("s"), show(True))
# --- number formatting corner cases
print(f"{0.1 + 0.2:.20f}", f"{1e100:.3g}", f"{123456789:,}", f"{-1234.5678:+,.2f}", f"{1/3:.3%}", f"{255:08b}", f"{3.0:g}", f"{1e-10:g}", f"{12345.678:e}", f"{True:d}", f"{0:.0f}", f"{2.5:.0f}", f"{1234567.0:n}", f"{42:c}" if False else "*", f"{'abc':.2}", f"{'é':>3}", f"{-5:05d}", f"{5:<5}|{5:^5}|{5:=+5}")
print(round(0.5), round(1.5), round(-2.5), round(1e20), round(2.345, 2), int(-3.9), int("  42 "), float("1_000.5"), 10 ** 20, 1e22, 1.0e15, 123456.789e3, 5e-324, -7 // 3, -7 % 3, 7 // -3, 0.1 * 3, 1 - 0.9)
# --- nonstandard control flow in finally with loops
def f():
    for i in range(5):
        try:
            if i == 1: continue
            if i == 3: break
            yield i
        finally:
            yield f"f{i}"
    else:
        yield "else"
    yield "end"
print(list(f()))
# --- lambda default capture and immediate call, conditional lambdas
fs = {n: (lambda x, n=n: x ** n) for n in (1, 2, 3)}
print([fs[n](2) for n in fs], (lambda: (yield))() is not None, (lambda x: "pos" if x > 0 else "neg" if x < 0 else "zero")(0), sorted([3, -1, 2], key=lambda v: (v < 0, -v)))
# --- while true with sentinel objects
SENTINEL = object()
def first(it, default=SENTINEL):
    for x in it: return x
    if default is SENTINEL: raise ValueError("empty")
    return default
print(first([1]), first([], None))
try: first([])
except ValueError as e: print(e)
print(SENTINEL is SENTINEL, SENTINEL == object(), type(SENTINEL).__name__, isinstance(SENTINEL, object), isinstance(5, object))
# --- names of a class are those around it until the class has bound them
x = 1
class A:
    x = x
    y = [x, x + 1]
    x = 3
    def m(self): return x
    print = print
    n, k = x, (lambda: x)()
A.print(A.x, A.y, A().m(), A.n, A.k)
def f(x):
    class B:
        y = x
        x = 7
        z = x
    class C:
        y = x
    return B.y, B.x, B.z, C.y
print(f(5))
# --- named tuples check their names
from collections import namedtuple
for name, fields in [("Zebra q", "a"), ("class", "a"), ("", "a"), ("1", "a"), ("_P", "a"), ("P", "a b-c"), ("P", "_a")]:
    try:
        print(namedtuple(name, fields).__name__)
    except ValueError as e:
        print(e)
try:
    namedtuple("bad name", "_a", rename=True)
except ValueError as e:
    print(e)
