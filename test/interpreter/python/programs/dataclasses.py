# defaults, factory, repr, eq
from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass
@dataclass
class Item:
    name: str
    price: float = 0.0
    tags: list = field(default_factory=list)
    qty: int = 1
    def total(self) -> float:
        return self.price * self.qty
a = Item("pen", 1.5, qty=4)
b = Item("pen", 1.5, qty=4)
a.tags.append("blue")
print(a, b, a == b, a.total(), asdict(a), astuple(b))
b.tags.append("blue")
print(a == b, replace(a, name="pencil"), [f.name for f in fields(Item)], is_dataclass(a), is_dataclass(5))
try:
    Item()
except TypeError as e:
    print(e)
try:
    Item("a", 1, [], 2, 3)
except TypeError as e:
    print(e)
try:
    Item("a", cost=3)
except TypeError as e:
    print(e)
# --- frozen and order
from dataclasses import dataclass, FrozenInstanceError
@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0
vs = [Version(1, 2), Version(0, 9), Version(1)]
print(sorted(vs), max(vs), Version(1) < Version(1, 1), Version(1) == Version(1, 0))
try:
    vs[0].major = 5
except FrozenInstanceError as e:
    print(type(e).__name__, e)
print({Version(1): "a"}[Version(1, 0)], len({Version(1), Version(1), Version(2)}))
try:
    Version(1) < 3
except TypeError as e:
    print(e)
# --- post init, init=False, repr=False, compare=False
from dataclasses import dataclass, field
@dataclass
class Rect:
    w: float
    h: float
    area: float = field(init=False)
    secret: str = field(default="s", repr=False)
    note: str = field(default="", compare=False)
    def __post_init__(self):
        if self.w < 0:
            raise ValueError("negative")
        self.area = self.w * self.h
print(Rect(2, 3), Rect(2, 3, note="x") == Rect(2, 3, note="y"))
try:
    Rect(-1, 1)
except ValueError as e:
    print(e)
# --- inheritance
from dataclasses import dataclass
@dataclass
class Base:
    id: int
    kind: str = "base"
@dataclass
class Derived(Base):
    extra: str = "e"
    kind: str = "derived"
print(Derived(1), Derived(2, "k", "x"), isinstance(Derived(1), Base), Base(1) == Derived(1))
# --- nested asdict
from dataclasses import dataclass, field, asdict
from typing import List, Optional, Dict
import json
@dataclass
class Address:
    city: str
    zip: Optional[str] = None
@dataclass
class Person:
    name: str
    addresses: List[Address] = field(default_factory=list)
    meta: Dict[str, int] = field(default_factory=dict)
p = Person("Ann", [Address("Rome"), Address("Oslo", "0150")], {"k": 1})
print(json.dumps(asdict(p), indent=2))
print(p)
# --- mutable default refused
from dataclasses import dataclass
try:
    @dataclass
    class Bad:
        xs: list = []
except ValueError as e:
    print(e)
try:
    @dataclass
    class Bad2:
        a: int = 1
        b: int
except TypeError as e:
    print(e)
# --- class var and methods and kw_only
from dataclasses import dataclass, KW_ONLY
from typing import ClassVar
@dataclass
class C:
    limit: ClassVar[int] = 10
    x: int
    _: KW_ONLY
    y: int = 5
    @classmethod
    def of(cls, v): return cls(v)
    @property
    def double(self): return self.x * 2
print(C(1), C.limit, C.of(4).double, C(1, y=2))
try:
    C(1, 2)
except TypeError as e:
    print(e)
# --- object setattr in frozen
from dataclasses import dataclass
@dataclass(frozen=True)
class F:
    x: int
    def __post_init__(self):
        object.__setattr__(self, "x", self.x + 1)
print(F(1), hash(F(1)) == hash(F(1)))
# --- enum basics
from enum import Enum, IntEnum, auto, unique
class Status(Enum):
    OPEN = "open"
    CLOSED = "closed"
    ALIAS = "open"
    @classmethod
    def parse(cls, s): return cls(s.lower())
    @property
    def is_final(self): return self is Status.CLOSED
print(Status.OPEN, repr(Status.OPEN), Status.OPEN.name, Status.OPEN.value, Status("closed"), Status["OPEN"])
print([s.name for s in Status], Status.ALIAS is Status.OPEN, Status.parse("CLOSED"), Status.CLOSED.is_final, len(Status))
print({Status.OPEN: 1}[Status.OPEN], Status.OPEN == "open", Status.OPEN in Status, isinstance(Status.OPEN, Status), type(Status.OPEN).__name__)
try:
    Status("nope")
except ValueError as e:
    print(e)
try:
    Status["NOPE"]
except KeyError as e:
    print(e)
try:
    Status.OPEN = 3
except AttributeError as e:
    print(e)
class Pri(IntEnum):
    LOW = auto()
    MID = auto()
    HIGH = 10
print(Pri.LOW, Pri.HIGH > Pri.MID, sorted([Pri.HIGH, Pri.LOW]), Pri.MID + 1, f"{Pri.MID}", Pri(10).name, sum(Pri), int(Pri.HIGH), [0, 1, 2][Pri.LOW], Pri.LOW == 1)
class Planet(Enum):
    EARTH = (5.97, 6.37)
    MARS = (0.64, 3.39)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
    @property
    def ratio(self): return round(self.mass / self.radius, 3)
print(Planet.EARTH.mass, Planet.MARS.ratio, Planet.EARTH.value)
Color = Enum("Color", "RED GREEN")
print(list(Color), Color.RED.value)
# --- str enum in data
from enum import Enum
import json
class Level(str, Enum):
    INFO = "info"
    WARN = "warn"
print(Level.INFO == "info", Level("warn").value.upper(), json.dumps({"l": Level.WARN}), Level.INFO in ("info", "x"), {"info": 5}[Level.INFO])
# --- namedtuple
from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", ["x", "y"])
p = P(1, y=2)
print(p, p.x, p[1], p._asdict(), p._replace(x=9), P._fields, p == (1, 2))
x, y = p
class Emp(NamedTuple):
    name: str
    age: int = 30
    def greet(self): return f"hi {self.name}"
e = Emp("Bo")
print(e, e.age, e.greet(), e._replace(age=31), isinstance(e, tuple), sorted([Emp("b"), Emp("a")])[0].name)
# --- typed dict, protocols, generics
from typing import TypedDict, Protocol, Generic, TypeVar, Callable, Union, Any, Literal, cast
T = TypeVar("T")
class Movie(TypedDict, total=False):
    name: str
    year: int
m: Movie = {"name": "x", "year": 1999}
m2 = Movie(name="y", year=2)
print(m, m2, m2["year"])
class Stack(Generic[T]):
    def __init__(self) -> None: self._d: list[T] = []
    def push(self, x: T) -> "Stack[T]":
        self._d.append(x)
        return self
    def pop(self) -> T: return self._d.pop()
s = Stack[int]()
print(s.push(1).push(2).pop())
class HasLen(Protocol):
    def __len__(self) -> int: ...
Handler = Callable[[str], Union[int, None]]
Mode = Literal["r", "w"]
def f(x: "int | None", h: Handler = len) -> Any: return cast(int, h("abc"))
print(f(None), isinstance(3, (int, str)), isinstance("a", int | str))
# --- abstract classes
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): pass
    def describe(self): return f"{self.__class__.__name__} {self.area():.2f}"
class Circle(Shape):
    def __init__(self, r): self.r = r
    def area(self): return 3.14159 * self.r ** 2
class Half(Shape): pass
print(Circle(2).describe())
for cls in (Shape, Half):
    try:
        cls()
    except TypeError as e:
        print(e)
# --- dataclass with methods operators and sorting by key
from dataclasses import dataclass
@dataclass
class Money:
    amount: int
    cur: str = "EUR"
    def __add__(self, o):
        if self.cur != o.cur:
            raise ValueError(f"currency mismatch: {self.cur} vs {o.cur}")
        return Money(self.amount + o.amount, self.cur)
    def __str__(self): return f"{self.amount / 100:.2f} {self.cur}"
print(Money(150) + Money(50), [Money(1)], sum([Money(2), Money(3)], Money(0)))
try:
    Money(1) + Money(1, "USD")
except ValueError as e:
    print(e)
print(sorted([Money(3), Money(1)], key=lambda m: m.amount))
# --- asdict and astuple of what is in containers of other classes
from dataclasses import dataclass, asdict, astuple, field
from collections import Counter, defaultdict, OrderedDict, namedtuple
P = namedtuple("P", "x y")
@dataclass
class In:
    v: list
@dataclass
class A:
    c: object
def show(c):
    try: d = asdict(A(c)); print(d, type(d["c"]).__name__)
    except Exception as e: print(type(e).__name__, e)
    try: print(astuple(A(c)))
    except Exception as e: print(type(e).__name__, e)
for c in [Counter(a=2), defaultdict(list, a=[1]), OrderedDict(a=In([1])), P(1, In([2])), {"k": In([3])}, [In([4])], (In([5]), 1), {1, 2}, "s", None, (), {}]: show(c)
s = {1}
a = A(s); d = asdict(a); s.add(5); print(d)
# --- what is frozen inherits from what is frozen
from dataclasses import dataclass
@dataclass
class A:
    x: int
try:
    @dataclass(frozen=True)
    class B(A):
        y: int
except TypeError as e: print(e)
@dataclass(frozen=True)
class F:
    x: int
try:
    @dataclass
    class G(F):
        y: int
except TypeError as e: print(e)
@dataclass(frozen=True)
class H(F):
    y: int = 1
class Plain(F): pass
@dataclass(frozen=True)
class I(Plain):
    z: int = 2
print(H(1), I(3))
