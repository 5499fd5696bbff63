# descriptors, slots, managers that decorate, kinds of numbers
class Validated:
    def __init__(self, check, message):
        self.check, self.message = check, message
    def __set_name__(self, owner, name):
        self.name, self.held = name, "_" + name
        print("named", owner.__name__, name)
    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.held, None)
    def __set__(self, obj, value):
        if not self.check(value):
            raise ValueError(f"{self.name}: {self.message}")
        setattr(obj, self.held, value)
    def __delete__(self, obj):
        print("deleted", self.name)

class Order:
    amount = Validated(lambda v: v > 0, "must be positive")
    note = Validated(lambda v: isinstance(v, str), "must be text")
    def __init__(self, amount, note=""):
        self.amount, self.note = amount, note

order = Order(3, "first")
print(order.amount, order.note, type(Order.amount).__name__, vars(order))
for change in (lambda: setattr(order, "amount", -1), lambda: Order(1, 2)):
    try:
        change()
    except ValueError as e:
        print(e)
order.amount += 4
del order.note
print(order.amount)

class Upper:
    def __get__(self, obj, owner):
        return owner.__name__.upper() if obj is None else obj.name.upper()

class Named:
    shout = Upper()
    def __init__(self, name):
        self.name = name

n = Named("ann")
print(n.shout, Named.shout)
n.shout = "field"
print(n.shout)

class Own:
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, obj, owner):
        return obj.__dict__.get(self.name, 0) * 10
    def __set__(self, obj, value):
        obj.__dict__[self.name] = value

class Scaled:
    x = Own()

s = Scaled()
print(s.x)
s.x = 4
print(s.x, s.__dict__)

class Lazy:
    def __init__(self, f):
        self.f = f
    def __get__(self, obj, owner):
        value = self.f(obj)
        obj.__dict__[self.f.__name__] = value
        print("computed")
        return value

class Report:
    @Lazy
    def total(self):
        return 42

r = Report()
print(r.total, r.total)

# ---
class Point:
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y

class Point3(Point):
    __slots__ = ("z",)
    kind = "point"

class Loose(Point):
    pass

p = Point(1, 2)
p.x = 5
print(p.x, p.y, hasattr(p, "__dict__"), Point.__slots__)
for attempt in (lambda: setattr(p, "z", 1), lambda: setattr(Point3(1, 2), "kind", 1), lambda: p.w):
    try:
        print(attempt())
    except AttributeError as e:
        print(e)
q = Point3(1, 2)
q.z = 3
loose = Loose(1, 2)
loose.extra = 1
print(q.x + q.z, loose.extra, loose.x)

# ---
from contextlib import contextmanager, suppress

@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name
    finally:
        print(f"</{name}>")

@tag("b")
def hello(who, times=1):
    print("hello", who)
    return times

print(hello("ann"), hello("bob", times=2), hello.__name__)
with tag("i") as name:
    print(name)

import numbers
from decimal import Decimal
from fractions import Fraction
for x in (1, True, 1.5, Decimal("1.5"), Fraction(1, 2), "1", None):
    print([isinstance(x, kind) for kind in (numbers.Number, numbers.Real, numbers.Rational, numbers.Integral)])

class Index:
    def __index__(self):
        return 2

print([1, 2, 3][Index()], "abc"[: Index()], list(range(5))[Index() :], hex(Index()), (1, 2, 3)[Index()])

# --- classes made while running, UTC by its name, places that say what they are
from dataclasses import asdict, field, make_dataclass
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

Point = make_dataclass("Point", ["x", ("y", int), ("tags", list, field(default_factory=list))], frozen=True)
p = Point(1, 2)
print(p, p == Point(1, 2), asdict(p), Point.__name__, p.tags is Point(1, 2).tags)
try:
    p.x = 3
except AttributeError as e:
    print(type(e).__name__, e)
Named = make_dataclass("Named", [("name", str)], namespace={"shout": lambda self: self.name.upper()})
print(Named("ann").shout(), Named("b"))
moment = datetime(2024, 1, 1, 12, tzinfo=ZoneInfo("UTC"))
print(moment.isoformat(), moment.tzinfo, repr(moment.tzinfo), moment == datetime(2024, 1, 1, 12, tzinfo=timezone.utc))
print(ZoneInfo("UTC") is ZoneInfo("UTC"), ZoneInfo("UTC").key, moment.tzname(), moment.utcoffset(), moment.timestamp())
print(datetime(2024, 5, 1, tzinfo=timezone.utc).astimezone(ZoneInfo("UTC")).isoformat())

class Two:
    def __index__(self):
        return 2

print([0] * Two(), Two() * "ab", (1,) * Two())
