# bank account
class Account:
    interest = 0.02
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self._log = []
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self._log.append(("deposit", amount))
        return self
    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError(f"insufficient funds: {self.balance} < {amount}")
        self.balance -= amount
        self._log.append(("withdraw", amount))
        return self
    @property
    def history(self):
        return list(self._log)
    def __str__(self):
        return f"{self.owner}: ${self.balance:,.2f}"
    def __repr__(self):
        return f"Account({self.owner!r}, {self.balance})"
acc = Account("Ann", 100)
acc.deposit(50).withdraw(30)
print(acc, repr(acc), acc.history, [acc])
try:
    acc.withdraw(1000)
except ValueError as e:
    print("Error:", e)
print(Account.interest, acc.interest)
Account.interest = 0.05
print(acc.interest)
acc.interest = 0.1
print(Account.interest, acc.interest)
# --- inheritance
class Animal:
    def __init__(self, name): self.name = name
    def speak(self): return "..."
    def describe(self): return f"{self.name} says {self.speak()}"
class Dog(Animal):
    def speak(self): return "Woof"
class Puppy(Dog):
    def __init__(self, name, age):
        super().__init__(name)
        self.age = age
    def speak(self): return super().speak().lower() + "!"
for a in [Animal("Generic"), Dog("Rex"), Puppy("Bit", 1)]:
    print(a.describe(), type(a).__name__, isinstance(a, Dog))
print([c.__name__ for c in Puppy.__mro__], Puppy.__bases__[0].__name__)
# --- multiple inheritance
class Base:
    def hello(self): return ["Base"]
class Left(Base):
    def hello(self): return ["Left"] + super().hello()
class Right(Base):
    def hello(self): return ["Right"] + super().hello()
class Both(Left, Right):
    def hello(self): return ["Both"] + super().hello()
print(Both().hello(), [c.__name__ for c in Both.__mro__])
class JsonMixin:
    def to_dict(self): return dict(self.__dict__)
class Named:
    def __init__(self, name): self.name = name
class User(JsonMixin, Named):
    pass
print(User("x").to_dict())
# --- operators
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return Vec(self.x - o.x, self.y - o.y)
    def __mul__(self, k):
        if isinstance(k, Vec): return self.x * k.x + self.y * k.y
        return Vec(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __neg__(self): return Vec(-self.x, -self.y)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __eq__(self, o): return isinstance(o, Vec) and (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __bool__(self): return self.x != 0 or self.y != 0
    def __iter__(self): return iter((self.x, self.y))
    def __getitem__(self, i): return (self.x, self.y)[i]
    def __repr__(self): return f"Vec({self.x}, {self.y})"
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __truediv__(self, k): return Vec(self.x / k, self.y / k)
a, b = Vec(1, 2), Vec(3, 4)
print(a + b, a - b, a * 3, 3 * a, a * b, -a, abs(b), a == Vec(1, 2), a != b, bool(Vec(0, 0)))
x, y = a
print(x, y, list(b), a[0], sum([a, b]), a / 2, {a: 1}[Vec(1, 2)], len({a, Vec(1, 2), b}), a in [Vec(1, 2)])
try:
    a + 5
except AttributeError as e:
    print(e)
try:
    5 + a
except TypeError as e:
    print(e)
# --- container protocol
class Inventory:
    def __init__(self): self._items = {}
    def __setitem__(self, k, v): self._items[k] = v
    def __getitem__(self, k): return self._items[k]
    def __delitem__(self, k): del self._items[k]
    def __contains__(self, k): return k in self._items
    def __len__(self): return len(self._items)
    def __iter__(self): return iter(self._items)
    def items(self): return self._items.items()
inv = Inventory()
inv["apple"] = 3
inv["pear"] = 5
inv["apple"] += 2
print(inv["apple"], "pear" in inv, "kiwi" in inv, len(inv), list(inv), sorted(inv), bool(inv))
del inv["pear"]
print(len(inv), dict(inv.items()))
for k, v in inv.items():
    print(k, v)
try:
    inv["zzz"]
except KeyError as e:
    print("missing", e)
# --- iterator classes
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n + 1
print(list(Countdown(3)), sum(Countdown(4)), max(Countdown(5)), [x * 2 for x in Countdown(2)])
c = Countdown(2)
print(next(c), next(c), next(c, "end"))
class Tree:
    def __init__(self, v, *kids): self.v, self.kids = v, kids
    def __iter__(self):
        yield self.v
        for k in self.kids:
            yield from k
print(list(Tree(1, Tree(2, Tree(3)), Tree(4))))
# --- static and class methods
class Temp:
    count = 0
    def __init__(self, c):
        self.c = c
        type(self).count += 1
    @classmethod
    def from_f(cls, f): return cls((f - 32) * 5 / 9)
    @staticmethod
    def is_cold(c): return c < 10
    @property
    def f(self): return self.c * 9 / 5 + 32
    @f.setter
    def f(self, v): self.c = (v - 32) * 5 / 9
t = Temp.from_f(212)
print(t.c, t.f, Temp.is_cold(5), t.is_cold(50), Temp.count)
t.f = 32
print(t.c)
try:
    t2 = Temp(1); t2.nope
except AttributeError as e:
    print(e)
class RO:
    @property
    def v(self): return 1
try:
    RO().v = 2
except AttributeError as e:
    print(e)
# --- getattr, setattr, hasattr, dict
class Box:
    def __init__(self, **kw):
        for k, v in kw.items():
            setattr(self, k, v)
    def __getattr__(self, name):
        return f"<no {name}>"
b = Box(a=1, b=[2])
print(b.a, b.b, b.zzz, hasattr(b, "q"), getattr(b, "a"), b.__dict__)
class Plain: pass
p = Plain()
p.x = 1
print(hasattr(p, "x"), hasattr(p, "y"), getattr(p, "y", "dflt"), p.__dict__, p.__class__.__name__)
del p.x
print(hasattr(p, "x"))
try:
    del p.x
except AttributeError as e:
    print("err")
# --- comparison and sorting
class Task:
    def __init__(self, name, pri): self.name, self.pri = name, pri
    def __lt__(self, o): return self.pri < o.pri
    def __repr__(self): return f"{self.name}:{self.pri}"
ts = [Task("a", 3), Task("b", 1), Task("c", 2)]
print(sorted(ts), min(ts), max(ts), sorted(ts, reverse=True), ts[0] > ts[1])
print(sorted(ts, key=lambda t: t.name, reverse=True))
import heapq
# --- call and closures
class Adder:
    def __init__(self, n): self.n = n
    def __call__(self, x, *, twice=False): return (x + self.n) * (2 if twice else 1)
add5 = Adder(5)
print(add5(1), add5(1, twice=True), list(map(add5, [1, 2])), callable(add5), sorted([3, -9, 1], key=Adder(0)))
# --- private names and class level code
class Secret:
    LIMITS = [n * n for n in range(4)]
    total = sum(LIMITS)
    def __init__(self): self.__v = 42
    def get(self): return self.__v
    def __helper(self): return "h"
    def use(self): return self.__helper()
s = Secret()
print(s.get(), s.use(), Secret.LIMITS, Secret.total, s._Secret__v)
try:
    s.__v
except AttributeError as e:
    print(e)
# --- str fallback and format
class R:
    def __repr__(self): return "R!"
class S:
    def __str__(self): return "S!"
    def __format__(self, spec): return f"S<{spec}>"
print(str(R()), f"{R()}", "%s %r" % (R(), R()), "{}".format(R()), f"{S():>5}", f"{S()}", str(S()), [R()])
# --- class attributes mutable shared
class Shared:
    items = []
    def add(self, x): self.items.append(x)
Shared().add(1); Shared().add(2)
print(Shared.items)
# --- nested classes and methods as values
class Outer:
    class Inner:
        def hi(self): return "inner"
    def make(self): return self.Inner()
m = Outer().make()
f = m.hi
print(f(), Outer.Inner.__name__, f.__name__, Outer.Inner.hi(m))
# --- super with kwargs and class methods
class A:
    def __init__(self, **kw): self.kw = kw
    @classmethod
    def create(cls, **kw): return cls(**kw)
class B(A):
    def __init__(self, name, **kw):
        super().__init__(**kw)
        self.name = name
    @classmethod
    def create(cls, name, **kw):
        obj = super().create(name=name, **kw)
        obj.created = True
        return obj
b = B.create("n", x=1)
print(b.name, b.kw, b.created, type(b).__name__)
# --- eq without hash
class E:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
print(E(1) == E(1), E(1) in [E(2), E(1)], [E(1)].index(E(1)), [E(1), E(1)].count(E(1)))
try:
    {E(1)}
except TypeError as e:
    print(e)
# --- linked list
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next
class LinkedList:
    def __init__(self, values=()):
        self.head = None
        self._len = 0
        for v in values: self.append(v)
    def append(self, v):
        node = Node(v)
        self._len += 1
        if not self.head:
            self.head = node
            return
        cur = self.head
        while cur.next:
            cur = cur.next
        cur.next = node
    def reverse(self):
        prev, cur = None, self.head
        while cur:
            cur.next, prev, cur = prev, cur, cur.next
        self.head = prev
    def __iter__(self):
        cur = self.head
        while cur:
            yield cur.value
            cur = cur.next
    def __len__(self): return self._len
    def __repr__(self): return " -> ".join(str(v) for v in self)
ll = LinkedList([1, 2, 3])
ll.reverse()
print(ll, len(ll), list(ll), 2 in ll)
# --- graph and stack classes
class Graph:
    def __init__(self): self.edges = {}
    def add(self, a, b, w=1):
        self.edges.setdefault(a, []).append((b, w))
        self.edges.setdefault(b, [])
        return self
    def bfs(self, start):
        seen, queue, order = {start}, [start], []
        while queue:
            n = queue.pop(0)
            order.append(n)
            for m, _ in self.edges[n]:
                if m not in seen:
                    seen.add(m)
                    queue.append(m)
        return order
g = Graph().add("a", "b").add("a", "c").add("b", "d").add("c", "d")
print(g.bfs("a"))
# --- init subclass registry
class Plugin:
    registry = {}
    def __init_subclass__(cls, key=None, **kw):
        super().__init_subclass__(**kw)
        Plugin.registry[key or cls.__name__.lower()] = cls
class Csv(Plugin): pass
class Json(Plugin, key="js"): pass
print(sorted(Plugin.registry), Plugin.registry["js"].__name__)
# --- new singleton
class One:
    _inst = None
    def __new__(cls, *a):
        if cls._inst is None:
            cls._inst = super().__new__(cls)
        return cls._inst
    def __init__(self, v=0): self.v = v
a, b = One(1), One(2)
print(a is b, a.v)
# --- aug assign dunder
class Acc:
    def __init__(self): self.v = []
    def __iadd__(self, x):
        self.v.append(x)
        return self
    def __len__(self): return len(self.v)
a = Acc()
a += 1
a += 2
print(a.v, len(a))
# --- total ordering and reflected compare
from functools import total_ordering
@total_ordering
class Ver:
    def __init__(self, s): self.parts = tuple(int(p) for p in s.split("."))
    def __eq__(self, o): return self.parts == o.parts
    def __lt__(self, o): return self.parts < o.parts
    def __repr__(self): return ".".join(map(str, self.parts))
vs = [Ver("1.10"), Ver("1.2"), Ver("1.2.1")]
print(sorted(vs), max(vs), Ver("1.0") <= Ver("1.0"), Ver("2.0") >= Ver("1.9"), Ver("1.0") > Ver("1.1"))
