"""Special methods of built-in values, kinds of numbers, loggers that pass nothing on."""
import numbers, logging, sys
from datetime import date, datetime, timedelta, time
from decimal import Decimal
from fractions import Fraction
print(hash(date(2024, 5, 25)) == hash(date(2024, 5, 25)), hash(timedelta(hours=24)) == hash(timedelta(days=1)), hash(range(3)) == hash(range(0, 3)), hash(datetime(2024, 1, 1)) == hash(datetime(2024, 1, 1)), hash(time(1, 2)) == hash(time(1, 2)))
class Key:
    def __init__(self, d): self.d = d
    def __hash__(self): return hash((self.d, "x"))
    def __eq__(self, o): return self.d == o.d
print(len({Key(date(2024, 1, 1)), Key(date(2024, 1, 1))}), hash(Fraction(1, 2)) == hash(0.5) == hash(Decimal("0.5")))
print(int.__add__(2, 3), str.__len__("abc"), list.__getitem__([1, 2], 1), float.__mul__(2.0, 3), dict.__contains__({"a": 1}, "a"), str.__lt__("a", "b"), int.__mul__(4, 5))
print([f(7, 2) for f in (int.__add__, int.__sub__, int.__mul__, int.__floordiv__, int.__mod__, int.__pow__)])
class A: pass
class B(A): pass
class C(A): pass
class D(B): pass
print([c.__name__ for c in A.__subclasses__()], D.__subclasses__())
print([isinstance(x, numbers.Number) for x in (1, 1.5, True, Fraction(1, 2), Decimal(1), "1", None)])
print([[isinstance(x, k) for k in (numbers.Real, numbers.Rational, numbers.Integral)] for x in (1, 1.5, Fraction(1, 2), Decimal(1))])
log = logging.getLogger("a.b"); out = logging.StreamHandler(sys.stdout)
logging.basicConfig(stream=sys.stdout, format="root %(message)s", level=logging.INFO)
log.addHandler(out); log.info("one"); log.propagate = False; log.info("two"); print(log.propagate); log.disabled = True; log.info("three")
print((3).__add__(4), "ab".__len__(), [1, 2].__contains__(2), (2.5).__class__.__name__)
for name in ("__iter__", "__len__", "__next__", "__call__", "__add__", "__enter__", "__name__", "__contains__"):
    print(name, [hasattr(x, name) for x in ([1], (1,), "a", {1: 2}, {1}, range(3), (i for i in "ab"), iter([1]), map(str, [1]), 5, 2.5, None, len, lambda: 1, b"x", {}.keys(), zip([1]), enumerate([1]), True)])
d = {"a": 3, "b": 1}
print(max(d, key=d.__getitem__), list(map([10, 20].__getitem__, [1, 0])), sorted("bca", key="abc".__contains__), list(filter({1, 2}.__contains__, [0, 1, 2, 3])))
def flatten(x):
    for i in x:
        if hasattr(i, "__iter__") and not isinstance(i, str): yield from flatten(i)
        else: yield i
print(list(flatten([1, [2, ("ab", range(2))], {5: 6}])))
it = [1, 2].__iter__(); print(it.__next__(), next(it)); g = (i for i in "xy"); print(g.__next__(), g.__iter__() is g)
print((3).__str__(), "a".__eq__("a"), [1].__len__(), (5).__lt__(6), len.__call__("abc"), "x".__repr__(), [3].__eq__([3]))


class Plugin:
    known = []

    def __init_subclass__(cls, **options):
        cls.known.append((cls.__name__, options))

    def __class_getitem__(cls, item):
        return cls.__name__, item

    def run(self):
        return self

    @classmethod
    def make(cls):
        return cls()


class Loud(Plugin, volume=11):
    pass


Plugin.__init_subclass__(direct=True)
print(Plugin.known, Loud[int], Loud.__class_getitem__("x"))
print(*(type(f).__name__ for f in (Loud().run, Loud.make, Loud.run, len, [].append, lambda: 0)))
print(isinstance(1, (str, (bytes, int))), isinstance("", ()), isinstance(None, (int, type(None))))
