# a NamedTuple with operators of its own
from typing import NamedTuple
from collections import namedtuple
class V(NamedTuple):
    x: float
    y: float = 0
    def __add__(self, o): return V(self.x + o.x, self.y + o.y)
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __mul__(self, k): return V(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __lt__(self, o): return self.y < o.y
    def __eq__(self, o): return isinstance(o, V) and self.x == o.x
    def __ne__(self, o): return not self == o
    def __hash__(self): return hash(self.x)
    def __bool__(self): return self.x != 0
    def __contains__(self, k): return k == "magic"
    def __str__(self): return f"<{self.x},{self.y}>"
    def __neg__(self): return V(-self.x, -self.y)
    def __sub__(self, o): return V(self.x - o.x, self.y - o.y)
    def __abs__(self): return (self.x**2 + self.y**2) ** 0.5
    @property
    def norm(self): return abs(self)
    @classmethod
    def make(cls, s): return cls(*map(float, s.split(",")))
    @staticmethod
    def zero(): return V(0, 0)
vs = [V(1, 5), V(2, 3), V(0, 9)]
print(V(1, 2) + V(3, 4), sum(vs), sum(vs, V(0,0)), V(1,2) * 3, 3 * V(1,2))
print(sorted(vs), min(vs), max(vs))
print(V(1, 2) == V(1, 3), V(1,2) != V(1,3), V(1,2) == (1,2), len({V(1,2), V(1,3)}), {V(1,2): "a"}[V(1, 7)])
print(len(V(1,2)), bool(V(0, 1)), "magic" in V(1,2), 1 in V(1,2))
print(str(V(1,2)), repr(V(1,2)), f"{V(1,2)}", "%s" % (V(1,2),), "{}".format(V(1,2)))
print(-V(1,2), V(3,4)-V(1,1), abs(V(3,4)), V(3,4).norm, V.make("1,2"), V.zero())
print([v for v in vs if v], V(1,2)[0], V(1,2)[-1], list(V(1,2)), V(1,2)._asdict(), V(1,2)._replace(x=9))
a, b = V(7, 8); print(a, b)
print(vs.index(V(2, 100)), V(2,0) in vs, vs.count(V(1,1)))
vs.sort(); print(vs)
vs.sort(reverse=True); print(vs)
# --- classes over namedtuple and tuple
from collections import namedtuple
class P(namedtuple("P", "x y")):
    __slots__ = ()
    def __new__(cls, x, y=0): return super().__new__(cls, int(x), int(y))
    def __iter__(self): return iter([self[1], self[0]])
    def __getitem__(self, i):
        if isinstance(i, str): return getattr(self, i)
        return super().__getitem__(i)
    def __str__(self): return "P!" + super().__repr__()
    def __eq__(self, o): return self.x == o.x
    def __hash__(self): return 1
    def __le__(self, o): return True
    def __call__(self, z): return self.x + z
    def __format__(self, spec): return "fmt" + spec
    def __contains__(self, k): return k in ("x", "y")
    @property
    def total(self): return self.x + self.y
    def dist(self, o): return abs(self.x - o.x)
p = P("3")
print(p, p.x, p.y, list(p), p["x"], p[0], p(4), f"{p:abc}", "x" in p, 3 in p, p.total)
a, b = p
print(a, b, *p, max(p), sum(p), sorted(p), tuple(p), dict(zip("ab", p)), p == P(3, 9), len({p, P(3, 7)}))
print([x for x in p], {**p._asdict()}, p.dist(P(10)), isinstance(p, tuple), type(p).__name__, P._fields)
Field = namedtuple("Field", "count index name")
f = Field(lambda x: x * 2, lambda: "idx", "n")
print(f.count(21), f.index(), f.name)
Q = namedtuple("Q", "a b", defaults=[5])
class R(Q):
    def __lt__(self, other): return self.a > other.a
    def __repr__(self): return f"R{self.a}"
rs = [R(1), R(3), R(2)]
print(sorted(rs), min(rs), max(rs), sorted(rs, reverse=True), R(1) < R(3), R(1) > R(3))
import heapq
h = []
for r in rs: heapq.heappush(h, r)
print([heapq.heappop(h) for _ in range(3)])
class Money(namedtuple("Money", ["amount", "currency"])):
    def __add__(self, other):
        if not isinstance(other, Money): return NotImplemented
        return Money(self.amount + other.amount, self.currency)
    def __radd__(self, other): return self if other == 0 else self.__add__(other)
    def __bool__(self): return bool(self.amount)
    def __int__(self): return int(self.amount)
    def __float__(self): return float(self.amount)
    def __round__(self, n=None): return round(self.amount, n)
    def __len__(self): return 7
print(sum([Money(1, "E"), Money(2, "E")]), bool(Money(0, "E")), int(Money(3, "E")), float(Money(3, "E")), round(Money(3.14159, "E"), 2), len(Money(1, "E")))
print(Money(1,"E") or "none", any([Money(0, "E")]), all([Money(1, "E"), Money(0, "E")]), list(filter(None, [Money(0, "E"), Money(1, "E")])))
try: Money(1, "E") + 5
except TypeError as e: print(e)
import functools
print(functools.reduce(lambda a, b: a + b, [Money(1, "E"), Money(2, "E")]))
class T(tuple):
    def __new__(cls, *xs): return super().__new__(cls, xs)
    def __add__(self, o): return T(*[a + b for a, b in zip(self, o)])
    def __repr__(self): return "T" + super().__repr__()
    @property
    def first(self): return self[0]
t = T(1, 2)
print(t + T(3, 4), t, t.first, len(t), t == (1, 2), hash(t) == hash((1, 2)), t[0:1], T(*range(3)))
import json
print(json.dumps([t, Money(1, "E")]))
# --- exit stacks
from contextlib import ExitStack, contextmanager
log = []
@contextmanager
def cm(n):
    log.append("in " + n)
    try: yield n
    finally: log.append("out " + n)
class C:
    def __init__(self, n): self.n = n
    def __enter__(self): log.append("enter " + self.n); return self
    def __exit__(self, *exc): log.append(f"exit {self.n} {exc[0].__name__ if exc[0] else None}"); return self.n == "swallow"
with ExitStack() as st:
    a = st.enter_context(cm("a"))
    st.callback(log.append, "cb")
    st.callback(lambda *a, **k: log.append((a, k)), 1, k=2)
    st.push(C("pushed"))
    st.push(lambda t, v, tb: log.append(("fn", t)))
print(log); log.clear()
with ExitStack() as st:
    st.enter_context(cm("x"))
    keep = st.pop_all()
print("kept", log)
keep.close(); print(log); log.clear()
try:
    with ExitStack() as st:
        st.push(C("swallow"))
        st.callback(lambda: log.append("c"))
        raise ValueError("v")
    print("swallowed", log)
except ValueError: print("no")
log.clear()
try:
    with ExitStack() as st:
        st.push(C("no"))
        raise KeyError("k")
except KeyError as e: print("raised", e, log)
with ExitStack() as st:
    @st.callback
    def done(): log.append("done")
    @st.push
    def ex(t, v, tb): log.append("ex"); return True
    1/0
print(log)
st = ExitStack()
with st: print(type(st).__name__)
# --- managers as bases, and asynchronous stacks
import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, aclosing, AbstractContextManager, ContextDecorator
log = []
@asynccontextmanager
async def cm(n):
    log.append("in " + n)
    try: yield n
    finally: log.append("out " + n)
async def main():
    async with AsyncExitStack() as st:
        a = await st.enter_async_context(cm("a"))
        st.callback(log.append, "cb")
        async def acb(x): log.append(("acb", x))
        st.push_async_callback(acb, 5)
    print(log)
asyncio.run(main())
class T(ContextDecorator):
    def __enter__(self): print("start"); return self
    def __exit__(self, *e): print("end"); return False
@T()
def f(x): print(x); return x
print(f(3))
class M(AbstractContextManager):
    def __exit__(self, *e): print("bye")
with M() as m: print(type(m).__name__)
