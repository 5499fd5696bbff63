# f-strings
name, n, pi, d = "Ann", 42, 3.14159, {"k": [1, 2]}
print(f"{name!r:>8}|{name:<6}|{name:^7}|{n:05d}|{n:x}|{n:#b}|{pi:.2f}|{pi:10.3e}|{n:,}|{1234567.891:,.2f}|{0.256:.1%}")
w, p = 10, 3
print(f"{pi:{w}.{p}f}|{d['k'][0]}|{n + 1 = }|{name=}|{name.upper()!s}|{{literal}}|{'nested ' + f'{n}'}")
print(f"{n:+d} {-n:+d} {n: d} {3.0} {1e20} {1e-7} {True} {None} {[1, 'a']} {(1,)}")
# --- display merging and unpacking
a, b = [1, 2], {"x": 1}
print([*a, 3, *range(2)], (*a, 0), {**b, "y": 2, **{"x": 9}}, {*a, *a, 5})
def f(*args, **kw): return args, kw
print(f(*a, *[3], k=1, **b, **{"z": 2}))
(x, (y, *z)), w = (1, "abc"), 5
print(x, y, z, w)
first, *mid, last = range(6)
print(first, mid, last)
for i, (p, q) in enumerate({"a": 1, "b": 2}.items()):
    print(i, p, q)
# --- chained comparison and conditional
def t(v):
    print("eval", v)
    return v
print(1 < t(5) < 3 < t(99), 1 <= 1 < 2 != 3, "a" < "b" > "a")
print("neg" if -1 < 0 else "pos", not 1 == 2, 1 in [1] == True)
# --- loops with else
for n in range(2, 10):
    for k in range(2, n):
        if n % k == 0:
            print(n, "=", k, "*", n // k)
            break
    else:
        print(n, "prime")
i = 0
while i < 3:
    i += 1
    if i == 5: break
else:
    print("no break")
# --- global and nonlocal
counter = 0
def inc():
    global counter
    counter += 1
    return counter
def make():
    total = 0
    def add(n):
        nonlocal total
        total += n
        return total
    return add
inc(); inc()
ad = make()
ad(5)
print(counter, ad(10))
# --- default arguments and mutability
def app(x, acc=[]):
    acc.append(x)
    return acc
print(app(1), app(2), app(3, []))
def kw(a, *, b=2, **rest): return a, b, rest
print(kw(1, b=3, c=4), kw(a=9))
def po(a, b, /, c, *, d): return a + b + c + d
print(po(1, 2, c=3, d=4))
# --- lambdas, sorted, map, filter, reduce
from functools import reduce, partial
people = [("Bob", 25), ("ann", 31), ("Cid", 25)]
print(sorted(people, key=lambda p: (p[1], p[0].lower())), sorted(people, key=lambda p: -p[1])[0])
print(list(map(lambda x, y: x * y, [1, 2], [3, 4])), list(filter(None, [0, 1, "", "a"])), reduce(lambda a, b: a * b, range(1, 6), 1))
pw = partial(pow, 2)
print(pw(5), (lambda *a, k=1: (a, k))(1, 2, k=3))
# --- comprehension scoping and nested
m = [[1, 2, 3], [4, 5, 6]]
print([[r[i] for r in m] for i in range(3)], [x for row in m for x in row if x % 2], {x: x ** 2 for x in range(3)}, {len(w) for w in ["a", "bb", "c"]})
x = "outer"
_ = [x for x in range(3)]
print(x, {k: v for k, v in zip("ab", [1, 2])}, [(i, j) for i in range(2) for j in range(i)])
# --- decorators with arguments
import functools
def repeat(times):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            return [fn(*args, **kwargs) for _ in range(times)]
        return wrapper
    return deco
def log(fn):
    @functools.wraps(fn)
    def w(*a):
        print("->", fn.__name__, a)
        r = fn(*a)
        print("<-", r)
        return r
    return w
@log
@repeat(2)
def greet(n):
    return f"hi {n}"
print(greet("x"), greet.__name__)
class CountCalls:
    def __init__(self, fn):
        self.fn = fn
        self.calls = 0
    def __call__(self, *a):
        self.calls += 1
        return self.fn(*a)
@CountCalls
def sq(x): return x * x
print(sq(3), sq(4), sq.calls)
def counted(fn):
    def w(*a):
        w.count += 1
        return fn(*a)
    w.count = 0
    return w
@counted
def z(): return 1
z(); z()
print(z.count)
# --- caching decorators
from functools import lru_cache, cache
calls = []
@lru_cache(maxsize=None)
def fib(n):
    calls.append(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30), len(calls), fib.cache_info().hits > 0)
@cache
def sq(x): return x * x
print(sq(4), sq(4))
class K:
    def __init__(self): self.n = 0
    @functools.cached_property if False else property
    def p(self):
        self.n += 1
        return self.n
import functools
class L:
    def __init__(self): self.n = 0
    @functools.cached_property
    def p(self):
        self.n += 1
        return self.n
l = L()
print(l.p, l.p, l.n)
# --- bool arithmetic and equality
print(True + True, sum([True, False, True]), 1 == True, 0 == False, True in [1], {1: "a", True: "b", 1.0: "c"}, [1, 2][True], "ab" * True, True / 2, -True, ~True, True & False, True | 2, max(True, 2))
print(isinstance(True, int), type(True) is int, str(True), repr(False), int(True), True is True, not [], bool("0"))
# --- numbers
print(7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, -7.5 % 2, 2 ** 10, 2 ** -1, 10 / 4, 10 // 4.0, 1e3, 5 % 3.5, divmod(-7, 2), round(2.5), round(3.5), round(2.675, 2), round(1234, -2), abs(-3))
print(0.1 + 0.2, 1 / 3, 1e16, 1e15, 123456789012345678, 2 ** 100, 3.0, -0.0, float("inf"), float("nan"), 1_000, 0xff, 0b11, 0o17, 1e-5, 100000.0 * 10)
nan = float("nan")
print(nan == nan, min(1, nan), max(nan, 1), nan != nan, sorted([3, 1, 2]))
# --- strings
s = "Hello, World"
print(s[0], s[-1], s[::-1], s[7:], s[:-3], s[1:8:2], s.find("o"), s.count("l"), s.replace("l", "L", 1), s.split(", "), s.swapcase(), s.center(20, "*"), s.zfill(15))
print("a,b,,c".split(","), " x y ".split(), "x".join(["1", "2"]), "abc".isalpha(), "12".isdigit(), "Ab".lower(), "title case".title(), "x=1".partition("="), "%s-%d-%.2f" % ("a", 3, 1.5), "{0}{1}{0}".format("a", "b"))
for ch in "héy": print(ch, ord(ch), end=";")
print()
print("tab\there", 'quo"te', "it's", "\u00e9", repr("a\nb"), repr('q"\''), "é".encode("utf-8"), len("日本"), "a" < "B", "z" > "é", "abc" "def")
# --- slicing lists and del
l = list(range(10))
l[2:5] = ["a"]
print(l, l[-3:], l[::-2])
del l[0], l[1:3]
print(l)
l[::2] = [0] * len(l[::2])
print(l, l * 2 if len(l) < 3 else len(l * 2))
d = {"a": 1, "b": 2}
del d["a"]
x = 5
del x
try:
    x
except NameError as e:
    print(d, e)
l = [3, 1, 2]
l.sort(reverse=True); l.insert(1, 9); l.extend("ab"); l.remove(9)
print(l, l.pop(), l.index("a"), l.count(3), l.copy() == l, l.reverse(), l)
# --- dict behaviours
d = {}
d.setdefault("a", []).append(1)
d.update(b=2, c=3)
d |= {"z": 26}
print(d, d.get("q"), d.get("q", 0), list(d), list(d.values()), list(d.items())[0], d.pop("b"), "a" in d, len(d), {**d} == d, dict(zip("ab", (1, 2))), dict([("k", 1)], j=2), d.popitem(), sorted(d.items(), key=str))
try:
    for k in d:
        d["new" + k] = 1
except RuntimeError as e:
    print(e)
l = [1, 2, 3, 4]
for v in l:
    if v == 2: l.remove(v)
print(l)
# --- sets
a, b = {1, 2, 3}, {3, 4}
print(a | b, a & b, a - b, a ^ b, a <= {1, 2, 3, 4}, a.isdisjoint({9}), sorted(a.union([7])), len(set("hello")), frozenset([1]) == {1}, set() == set(), a > {1})
# --- truthiness and is
print([bool(v) for v in (0, 0.0, "", [], {}, set(), None, (), "0", [0], range(0))], None is None, [] is [], () == (), 1 is not None)
print(None or "d", 0 or [] or "x", 1 and 2, "" and 1, [] or {} or 0)
# --- type checks
for v in (1, 1.5, "s", True, None, [1], (1,), {"a": 1}, {1}, len, lambda: 0, ValueError("x"), int, range(3), b"x"):
    print(type(v).__name__, isinstance(v, (int, float)), type(v) is type(v), end=" | ")
print()
print(type(1) == int, type("") in (str, bytes), type([]) is list, type(1) is not float, str(type(1.0)), type(type(1)), int.__name__, type(None).__name__)
print(list(map(type, [1, "a"])), {int: "i", str: "s"}[type("q")], issubclass(bool, int), callable(int), int("ff", 16), list("ab"), tuple([1]), float("1e3"), str(12), bool([]))
# --- main guard and functions
def main():
    data = load()
    print("total", sum(data))
def load():
    return [1, 2, 3]
if __name__ == "__main__":
    main()
# --- walrus, while, break
data = iter([5, 3, 0, 8])
while (v := next(data, None)) is not None:
    if v == 0: continue
    print(v, end=" ")
print()
print([y for x in range(5) if (y := x * x) > 3], y)
# --- print variants
print("a", "b", sep="-", end="!\n")
print(*[1, 2, 3], sep=", ")
print()
print("x", end="")
print("y")
print([1.0, "s", None], {"a": (1,)}, sep="\n")
print("multi\nline")
# --- nested functions and recursion
def hanoi(n, a="A", b="B", c="C"):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
def flatten(x):
    return [z for y in x for z in (flatten(y) if isinstance(y, list) else [y])]
def compose(*fs):
    def h(x):
        for f in reversed(fs): x = f(x)
        return x
    return h
print(hanoi(5), flatten([1, [2, [3, [4]]]]), compose(str, lambda x: x + 1)(4))
# --- annotations and docstrings
from __future__ import annotations
x: int = 3
y: "list[str]"
def f(a: int, b: dict[str, list[int]] = None, *args: str, c: float = 1.0) -> tuple[int, ...]:
    """Doc."""
    z: list[int] = []
    return (a, c)
print(f(1), x)
# --- conditional imports
try:
    import nunumpy as np
    HAS = True
except ImportError:
    HAS = False
print(HAS)
import json, math as m
from collections import Counter, defaultdict as dd
print(m.sqrt(16), json.dumps({"a": [1, None, True]}), Counter("aab").most_common(1), dd(int)["q"])
# --- string building and enumerate zip
rows = [("id", "name"), (1, "x"), (22, "yy")]
widths = [max(len(str(r[i])) for r in rows) for i in range(2)]
for r in rows:
    print(" | ".join(str(c).ljust(w) for c, w in zip(r, widths)))
for i, (a, b) in enumerate(zip("abc", [1, 2, 3]), start=1):
    print(i, a, b)
print(list(zip(*[(1, 2), (3, 4)])), dict(enumerate("ab")), list(reversed([1, 2])), list(range(5, 0, -2)), all([]), any([]))
# --- semicolons, line continuation, pass, ellipsis
x = 1; y = 2
z = x + \
    y
def todo(): ...
class Empty: pass
if x: pass
print(z, todo(), (1 +
    2), [
    1,
    2,
])
# --- match free dispatch dict
ops = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "/": lambda a, b: a / b if b else None}
for expr in ["1 + 2", "5 - 7", "1 / 0", "1 ^ 2"]:
    l, op, r = expr.split()
    fn = ops.get(op)
    print(expr, "=", fn(int(l), int(r)) if fn else "unsupported")
# --- str methods as functions and method references
print(list(map(str.strip, [" a ", "b "])), sorted(["b", "A"], key=str.lower), list(map(int, "123")), max(["aa", "b"], key=len), dict.fromkeys("ab", 0), str.join("-", ["x", "y"]), list(map("{:02d}".format, [1, 2])))
add = [].append
up = "abc".upper
print(up(), add(1))
# --- conditional imports of missing modules
try:
    import definitely_missing as dm
    HAS = True
except ImportError as e:
    HAS = False
    print(type(e).__name__, e)
try:
    from nowhere.at import all_things
except (ModuleNotFoundError, AttributeError):
    all_things = None
import json, math as m
from collections import Counter, defaultdict as dd
print(HAS, all_things, m.sqrt(16), json.dumps({"a": [1, None, True]}), Counter("aab").most_common(1), dd(int)["q"])
# --- imports for type checkers only
from __future__ import annotations
from typing import TYPE_CHECKING
import typing
if TYPE_CHECKING:
    from foo import Bar
    import requests
    from github import Issue
if typing.TYPE_CHECKING:
    import pandas as pd
def f(x: "Bar", y: Issue = None) -> pd.DataFrame: return x
print(f(1), TYPE_CHECKING)
