# literals by equality, constants by identity
def kind(x):
    match x:
        case 0:
            return "zero"
        case 1:
            return "one"
        case -2:
            return "minus two"
        case 1.5 | -1.5:
            return "one and a half"
        case "a" "b":
            return "ab"
        case b"raw":
            return "bytes"
        case 123456789012345678901234567890:
            return "big"
        case -123456789012345678901234567890:
            return "minus big"
        case None:
            return "none"
        case True:
            return "true"
        case False:
            return "false"
    return "no case"

for x in [0, 1, -2, 1.5, -1.5, "ab", "a", b"raw", 123456789012345678901234567890, -123456789012345678901234567890]:
    print(repr(x), kind(x))
for x in [None, True, False, 0.0, 1.0, -2.0, -0.0, 1.25, float("nan"), [], (), {}, set(), "", kind]:
    print(kind(x))
# --- True after numbers
match True:
    case 1:
        print("1 equals True")
    case True:
        print("True")
match 1:
    case True:
        print("identity")
    case 1:
        print("equality")
match 0:
    case False:
        print("identity")
    case None:
        print("none")
    case _:
        print("neither")
# --- captures survive, also when the guard says no
x = "before"
match [1, 2]:
    case [x, y] if x > y:
        print("no")
    case [a]:
        print("no")
print(x, y)
match 5:
    case z:
        pass
print(z)
# --- a pattern that fails binds nothing
a = "old"
match [1, 2, 3]:
    case [a, 5, 3]:
        print("no")
    case {"a": a}:
        print("no")
    case [_, _, 4] | [4, _, _]:
        print("no")
print(a)
# --- names of a pattern that never matched
def f(v):
    match v:
        case [x, y]:
            pass
    return x
try:
    f(3)
except UnboundLocalError as e:
    print(type(e).__name__)
print(f([1, 2]))
# --- sequence patterns
from collections import deque, namedtuple
Pair = namedtuple("Pair", "a b")
def shape(x):
    match x:
        case []:
            return "empty"
        case [only]:
            return ("one", only)
        case [first, second]:
            return ("two", first, second)
        case [first, *middle, last]:
            return ("more", first, middle, last)
    return "no sequence"
for x in [[], (), [1], (1,), [1, 2], (1, 2), [1, 2, 3], (1, 2, 3, 4), range(0), range(2), range(5), deque([1, 2, 3]), Pair(1, 2)]:
    print(shape(x))
for x in ["", "ab", b"ab", {1, 2}, {1: 2, 3: 4}, 5, None, iter([1, 2]), (i for i in range(2)), {1: 2}.items(), frozenset([1])]:
    print(shape(x))
# --- stars anywhere
def stars(x):
    out = []
    match x:
        case [*all]:
            out.append(all)
    match x:
        case *init, last:
            out.append((init, last))
    match x:
        case first, *tail:
            out.append((first, tail))
    match x:
        case [a, b, *_]:
            out.append((a, b))
    match x:
        case (*_, y, z):
            out.append((y, z))
    match x:
        case [p, *m, q, r]:
            out.append((p, m, q, r))
    return out
for x in [[], [1], (1, 2), [1, 2, 3], (1, 2, 3, 4), "ab"]:
    print(stars(x))
m = [1, 2]
match m:
    case [*copy]:
        copy.append(3)
print(m, copy)
# --- nested sequences
def walk(t):
    match t:
        case ["+", a, b]:
            return walk(a) + walk(b)
        case ["*", a, b]:
            return walk(a) * walk(b)
        case ["-", a]:
            return -walk(a)
        case ["sum", *terms]:
            return sum(walk(x) for x in terms)
        case (value, [[inner, *_], *_]):
            return (value, inner)
        case n:
            return n
print(walk(["+", 1, ["*", 2, ["-", 3]]]), walk(["sum", 1, ["+", 2, 3], 4]), walk((7, [[8, 9], 10])), walk("x"))
# --- the subject is a tuple
def both(a, b):
    match a, b:
        case 0, 0:
            return "zeros"
        case 0, y:
            return f"right {y}"
        case x, 0:
            return f"left {x}"
        case (x, y) if x == y:
            return f"same {x}"
        case [1 | 2 as x, str(y)]:
            return f"{x} {y}"
        case other:
            return other
print([both(*p) for p in [(0, 0), (0, 1), (1, 0), (3, 3), (2, "b"), (4, 5)]])
match 1, 2, 3:
    case [first, *rest]:
        print(first, rest)
match (1, 2):
    case tuple():
        print("tuple")
match 1,:
    case [x]:
        print(x)
xs = [2, 3]
match *xs, 4:
    case [*all]:
        print(all)
match 1, 2:
    case whole:
        print(whole, type(whole).__name__)
match 1, 2:
    case [a, b] as t:
        print(t, a)
match 1, 2:
    case [a]:
        print("no")
    case [a, b, c, *d]:
        print("no")
    case [a, b, *c]:
        print(a, b, c)
# --- mapping patterns
def read(m):
    match m:
        case {"type": "point", "x": x, "y": y}:
            return ("point", x, y)
        case {"type": "circle", "r": int(r) | float(r)}:
            return ("circle", r)
        case {"type": kind, **rest}:
            return (kind, rest)
        case {1: one, None: none, False: no}:
            return (one, none, no)
        case {"nested": {"list": [_, {"deep": deep}]}}:
            return deep
        case {}:
            return "mapping"
    return "none"
print(read({"type": "point", "x": 1, "y": None, "z": 3}))
print(read({"type": "circle", "r": 2}), read({"type": "circle", "r": 2.5}), read({"type": "circle", "r": "2"}))
print(read({"y": 1, "type": "other", "x": 2}), read({"type": 1}))
print(read({1: "a", None: "b"}), read({True: "a", None: "b", 0: "c"}))
print(read({"nested": {"list": [0, {"deep": "found"}]}}))
print(read({}), read({"a": 1}), read([]), read("type"), read(None))
d = {"a": 1, "b": {"c": 2}}
match d:
    case {"b": {"c": c}, **rest}:
        rest["new"] = c
print(d, rest)
# --- values that are falsy are there
for m in [{"a": None}, {"a": 0}, {"a": ""}, {"a": []}, {}]:
    match m:
        case {"a": value}:
            print("there", repr(value))
        case _:
            print("missing")
# --- kinds of mappings
from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict
d = defaultdict(list)
match d:
    case {"missing": x}:
        print("made")
    case {}:
        print("not made", dict(d))
for m in [Counter("aab"), OrderedDict(a=2), ChainMap({"a": 2}, {"b": 3}), UserDict(a=2)]:
    match m:
        case {"a": 2, **rest}:
            print(type(m).__name__, rest, type(rest).__name__)
class Own(dict):
    pass
match Own(a=1, b=2):
    case {"a": a, **rest}:
        print(a, rest, type(rest).__name__)
# --- keys that look special
for m in [{"constructor": 1}, {"__proto__": 2}, {"length": 3}, {"0": 4}, {"": 5}, {"a b": 6}, {0: 7}, {"toString": 8}, {}]:
    match m:
        case {"constructor": x} | {"__proto__": x} | {"length": x} | {"0": x} | {"": x} | {"a b": x} | {0: x} | {"toString": x}:
            print(x)
        case _:
            print("none")
# --- numbers as keys
m = {1: "int", 2.5: "float", -3: "minus"}
match m:
    case {1.0: a, 2.5: b, -3: c}:
        print(a, b, c)
match {True: "yes"}:
    case {1: x}:
        print(x)
# --- class patterns with dataclasses
from dataclasses import dataclass, field
@dataclass
class Point:
    x: int
    y: int = 0
@dataclass
class Segment:
    start: Point
    end: Point
    tags: list = field(default_factory=list)
@dataclass
class Named(Point):
    name: str = "?"
def describe(o):
    match o:
        case Point(0, 0):
            return "origin"
        case Named(x, name=n):
            return f"{n} at {x}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point(x=0, y=y):
            return f"on y at {y}"
        case Point():
            return "somewhere"
        case Segment(Point(x1, y1), Point(x2, y2), [first, *_]):
            return (x1, y1, x2, y2, first)
        case Segment(start=Point(y=0) as p):
            return ("from axis", p)
        case Segment(end=end):
            return end
    return "?"
@dataclass
class Other:
    x: int
for o in [Point(0, 0), Point(2, 2), Point(0, 3), Point(1, 2), Segment(Point(0), Point(1), ["t"]), Segment(Point(4), Point(1)), Segment(Point(1, 1), Point(2)), Other(0), Point]:
    print(describe(o))
# --- __match_args__
class Vec:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
class Vec3(Vec):
    __match_args__ = ("x", "y", "z")
    def __init__(self, x, y, z):
        super().__init__(x, y)
        self.z = z
def dims(v):
    match v:
        case Vec3(x, y, z):
            return (x, y, z)
        case Vec(x, y):
            return (x, y)
        case _:
            return "not a vector"
print(dims(Vec(1, 2)), dims(Vec3(1, 2, 3)), dims(4))
print(Vec.__match_args__)
# --- a class without parentheses is a name to bind
class Vec:
    pass
def is_vec(v):
    match v:
        case Vec():
            return True
        case Vec:
            return False
print(is_vec(1))
# --- attributes, properties and missing ones
class Temp:
    def __init__(self, c):
        self.c = c
    @property
    def f(self):
        return self.c * 9 / 5 + 32
    @property
    def broken(self):
        raise AttributeError("no")
    unit = "C"
def t(o):
    match o:
        case Temp(missing=_):
            return "missing"
        case Temp(broken=_):
            return "broken"
        case Temp(c=100, f=f):
            return f
        case Temp(unit="C", c=c):
            return c
print(t(Temp(100)), t(Temp(5)))
# --- builtin types
def of(x):
    match x:
        case bool():
            return "bool"
        case int(n) if n < 0:
            return f"negative {n}"
        case int():
            return "int"
        case float(f):
            return f"float {f}"
        case str(s):
            return "str " + s
        case bytes():
            return "bytes"
        case list([]):
            return "empty list"
        case list():
            return "list"
        case tuple((a, b)):
            return f"pair {a} {b}"
        case tuple():
            return "tuple"
        case dict({"a": a}):
            return f"dict with {a}"
        case dict():
            return "dict"
        case set() | frozenset():
            return "set"
        case range():
            return "range"
        case type():
            return "type"
        case object():
            return type(x).__name__
values = [True, 5, -5, 10**20, 2.0, 2.5, "x", b"x", [], [1], (1, 2), (1,), {"a": 1}, {}, {1}, frozenset(), range(3), int, None]
for x in values:
    print(of(x))
# --- subclasses of builtin types
class Celsius(float):
    pass
class Name(str):
    pass
class Stack(list):
    pass
class Even(int):
    pass
def sub(x):
    match x:
        case Celsius(c):
            return ("celsius", c + 1)
        case float(f):
            return ("float", f)
        case Name(n):
            return ("name", n)
        case Stack([first, *_]):
            return ("stack", first)
        case [a, b]:
            return ("list", a, b)
        case Even(e):
            return ("even", e)
        case "plain":
            return "plain"
for x in [Celsius(1.5), 2.5, Name("plain"), "plain", Stack([3, 4]), Stack(), [1, 2], Even(4), 4]:
    print(sub(x))
class Rows(list):
    pass
match Rows([1, 2]):
    case [x, y]:
        print(x, y)
match Name("ab"):
    case "ab":
        print("equal")
# --- named tuples
from typing import NamedTuple
from collections import namedtuple
class Emp(NamedTuple):
    name: str
    age: int = 0
P = namedtuple("P", ["x", "y"])
for v in [Emp("ann", 40), Emp("bob"), P(1, 2), P(0, 0), (3, 4)]:
    match v:
        case Emp(name, 0):
            print("no age", name)
        case Emp(name=n, age=a):
            print(n, a)
        case P(x=0):
            print("zero")
        case P(x, y):
            print("P", x, y)
        case (x, y):
            print("tuple", x, y)
# --- enums
from enum import Enum, IntEnum
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
class Level(IntEnum):
    LOW = 1
    HIGH = 2
class Mode(str, Enum):
    READ = "r"
    WRITE = "w"
def c(x):
    match x:
        case Color.RED:
            return "red"
        case Color.GREEN | Color.BLUE:
            return "cold"
        case Level.HIGH:
            return "high"
        case Mode.READ:
            return "read"
        case Color():
            return "color"
        case Level():
            return "level"
    return "?"
print([c(x) for x in [Color.RED, Color.GREEN, Color.BLUE, Level.LOW, Level.HIGH, 2, Mode.READ, "r", Mode.WRITE, 1]])
match Color.GREEN:
    case Color(name="GREEN", value=v):
        print(v)
# --- dotted names are compared
import math
class Limits:
    low = 1
    class inner:
        high = 10
limits = Limits()
limits.mid = 5
for x in [1, 5, 10, math.pi, 3]:
    match x:
        case Limits.low:
            print("low")
        case limits.mid:
            print("mid")
        case Limits.inner.high:
            print("high")
        case math.pi:
            print("pi")
        case _:
            print("other")
m = {1: "a", 10: "b"}
match m:
    case {Limits.low: a, Limits.inner.high: b, **rest}:
        print(a, b, rest)
# --- alternatives
def alt(x):
    match x:
        case 1 | 2 | 3:
            return "small"
        case "a" | "b" | None:
            return "letter"
        case [1, x] | [x, 1]:
            return ("one and", x)
        case {"id": i} | {"key": i} | [i]:
            return ("id", i)
        case (int(n) | float(n)) | {"n": n}:
            return ("number", n)
        case ("go" | "move", ("north" | "south" as d), *rest):
            return (d, rest)
        case _:
            return "?"
for x in [1, 3, "b", None, [1, 5], [5, 1], {"id": 7}, {"key": 8}, [9], 40, 4.5, {"n": 0}, ["go", "north"], ["move", "south", 1], ["go", "up"]]:
    print(alt(x))
# --- as
match {"a": [1, 2, {"b": 3}]}:
    case {"a": [first, *_, {"b": int() as b} as last] as items} as whole:
        print(first, b, last, items, whole)
match 5:
    case (1 | 5) as n if n > 1:
        print(n)
match [1, [2, 3]]:
    case [x, [y, _] as pair]:
        print(x, y, pair, pair is not None)
# --- guards
def g(x):
    match x:
        case n if n < 0:
            return "negative"
        case n if n == 0:
            return "zero"
        case n if n > 100 and n % 2 == 0:
            return "big and even"
        case n if any(n % d == 0 for d in range(2, n)):
            return "composite"
        case n if (r := n * n) > 50:
            return f"square {r}"
        case _:
            return f"small {x} {n}"
print([g(x) for x in [-1, 0, 200, 9, 11, 3]])
# --- a guard that changes the subject
xs = [1, 2]
match xs:
    case [a, b] if xs.append(3):
        print("no")
    case [a, b]:
        print("two")
    case [a, b, c]:
        print("three", c)
x = 1
match x:
    case 1 if (x := 2) == 3:
        print("no")
    case 2:
        print("the new value")
    case 1:
        print("the old value", x)
# --- order of evaluation
log = []
class Const:
    def __init__(self, name):
        self.name = name
    def __eq__(self, other):
        log.append((self.name, other))
        return False
class N:
    a = Const("a")
    b = Const("b")
def subject():
    log.append("subject")
    return 7
def guard(n):
    log.append(f"guard {n}")
    return False
match subject():
    case N.a:
        pass
    case x if guard(x):
        pass
    case [N.b]:
        pass
    case N.b | 7:
        log.append("taken")
print(log)
# --- equality of the program's classes
class Any:
    def __eq__(self, other):
        return True
class Never:
    def __eq__(self, other):
        return False
for v in [Any(), Never()]:
    match v:
        case "text":
            print("text")
        case 5:
            print("five")
        case None:
            print("none")
        case _:
            print("nothing")
match [Any(), Any()]:
    case [1, "x"]:
        print("both")
# --- in loops, with break and continue
out = []
for i in range(10):
    match i:
        case 2 | 4:
            continue
        case 7:
            break
        case n if n % 2:
            out.append(n)
        case _:
            out.append(-i)
else:
    out.append("else")
print(out)
i = 0
while True:
    match i:
        case 3:
            break
        case _:
            i += 1
print(i)
for row in [[1, 2], [3], []]:
    for x in row:
        match x:
            case 1:
                continue
            case 3:
                break
        print("x", x)
    else:
        match row:
            case []:
                print("empty")
            case [*_]:
                print("done", row)
# --- loops with else inside a case
def find(xs, want):
    match xs:
        case []:
            return "empty"
        case [*_]:
            for x in xs:
                if x == want:
                    break
            else:
                return "absent"
            return "present"
print(find([], 1), find([1], 1), find([2], 1))
# --- in generators
def events(stream):
    for e in stream:
        match e:
            case ("start", name):
                yield f"<{name}>"
            case ("text", t) if t.strip():
                yield t.strip()
            case ("end", name):
                yield f"</{name}>"
            case ("sub", inner):
                yield from events(inner)
            case (yield_value, *_):
                got = yield yield_value
                print("got", got)
g = events([("start", "a"), ("text", " "), ("text", " hi "), ("sub", [("start", "b"), ("end", "b")]), ("x", 1), ("end", "a")])
print(next(g), next(g), next(g), next(g), next(g))
print(g.send("sent"))
print(list(g))
# --- yields in subject and guard
def gen():
    match (yield "subject"):
        case n if (yield f"guard {n}"):
            yield "yes"
        case _:
            yield "no"
g = gen()
print(next(g), g.send(5), g.send(True))
g = gen()
print(next(g), g.send(6), g.send(False))
# --- in methods and classes
class Machine:
    state = "idle"
    match state:
        case "idle":
            initial = 0
        case _:
            initial = 1
    def on(self, event):
        match (self.state, event):
            case ("idle", "start"):
                self.state = "running"
            case ("running", "stop" | "kill" as how):
                self.state = "idle"
                self.how = how
            case (s, e):
                return f"{e} in {s}?"
        return self.state
m = Machine()
print(m.initial, m.on("start"), m.on("start"), m.on("kill"), m.how, m.on("stop"))
# --- match inside match, try and with
def nested(x):
    match x:
        case [a, b]:
            match a:
                case int():
                    match b:
                        case 0:
                            return "zero"
                        case _:
                            try:
                                return a / b
                            except TypeError as e:
                                match e:
                                    case TypeError(args=(msg,)):
                                        return msg[:11]
                case _:
                    return "not int"
            return "unreached"
    return "none"
print(nested([1, 0]), nested([4, 2]), nested([1, "x"]), nested(["a", 1]), nested(3))
def handle(f):
    try:
        f()
    except Exception as e:
        match e:
            case KeyError(args=[key]):
                return f"no {key}"
            case ValueError() | TypeError():
                return f"bad: {e}"
            case ZeroDivisionError():
                return "zero"
            case _:
                return type(e).__name__
    finally:
        match 1:
            case 1:
                print("finally")
print(handle(lambda: {}["k"]), handle(lambda: int("x")), handle(lambda: 1 // 0), handle(lambda: [][0]))
# --- return of values through cases
def f(x):
    match x:
        case 1:
            return "one"
        case 2:
            pass
        case 3:
            ...
        case 4:
            raise ValueError("four")
    return "after"
print(f(1), f(2), f(3), f(5))
try:
    f(4)
except ValueError as e:
    print(e)
# --- recursion keeps its own parts
def depth(t):
    match t:
        case [left, right] if (l := depth(left)) >= (r := depth(right)):
            return l + 1
        case [left, right]:
            return depth(right) + 1
        case _:
            return 0
print(depth([[1, [2, 3]], 4]), depth(1), depth([1, [2, [3, 4]]]))
def fib(n):
    match n:
        case 0 | 1:
            return n
        case _:
            return fib(n - 1) + fib(n - 2)
print(fib(20))
def ack(m, n):
    match m, n:
        case 0, n:
            return n + 1
        case m, 0:
            return ack(m - 1, 1)
        case m, n:
            return ack(m - 1, ack(m, n - 1))
print(ack(2, 3))
def fact(n):
    match n:
        case 0:
            return 1
        case n:
            return n * fact(n - 1)
print(fact(25))
# --- closures see what is bound
def outer(x):
    match x:
        case {"name": name, "n": n}:
            def show():
                return f"{name}:{n}"
            return show
        case [*items]:
            return lambda: len(items)
print(outer({"name": "a", "n": 1})(), outer([1, 2, 3])())
def counter():
    total = 0
    def add(x):
        nonlocal total
        match x:
            case int(total):
                pass
            case [total, _]:
                pass
        return total
    return add
a = counter()
print(a(5), a([7, 8]), a("x"))
count = 0
def set_count(v):
    global count
    match v:
        case {"count": count}:
            pass
set_count({"count": 9})
print(count)
# --- match, case and _ are names
match = 1
case = 2
_ = 3
print(match, case, _)
match += 1
match = [match, case]
print(match[0], match)
def type_of(match, case=5):
    return match + case
print(type_of(match=1), type_of(case=1, match=2))
import re
m = re.match(r"(\d+)-(\d+)", "10-20")
match = m
print(match.group(1), match[2])
match match:
    case None:
        print("none")
    case match:
        print("bound", match.group(0))
match (case):
    case 2:
        print("two")
match [case, 1]:
    case [case, x]:
        print(case, x)
match -case:
    case -2:
        print("minus")
for match in [1]:
    print(match)
match 5:
    case _:
        print(_)
print([match for match in range(3)])
# --- wildcards bind nothing
_ = "kept"
match [1, 2, 3]:
    case [_, *_]:
        print(_)
match {"a": 1}:
    case {"a": _}:
        print(_)
# --- a comprehension as subject and in the body
match [x * 2 for x in range(3)]:
    case [0, *rest]:
        print(rest, [r + 1 for r in rest])
match {k: v for k, v in zip("ab", [1, 2])}:
    case {"a": 1, "b": b}:
        print(b)
match sorted("bca"):
    case ["a", *rest] if [r for r in rest if r > "b"]:
        print(rest)
match (lambda: [1])():
    case [x]:
        print(x)
# --- f-strings, conditional expressions and walrus in subjects
n = 3
match f"{n}-{n + 1}":
    case "3-4":
        print("text")
match "even" if n % 2 == 0 else "odd":
    case "odd":
        print("odd")
match (k := n * 2):
    case 6:
        print(k)
match n > 2:
    case True:
        print("yes")
match not n:
    case False:
        print("no")
# --- no case matches
match 5:
    case 1:
        print("no")
    case [x] | {"x": x}:
        print("no")
try:
    print(x)
except NameError as e:
    print(e)
# --- a chain of many cases
def word(n):
    match n:
        case 0: return "zero"
        case 1: return "one"
        case 2: return "two"
        case 3: return "three"
        case 4: return "four"
        case 5: return "five"
        case 6: return "six"
        case 7: return "seven"
        case "8" | 8: return "eight"
        case 9.0: return "nine"
    return "?"
print([word(n) for n in [0, 5, 7, 8, "8", 9, 3.0, 10, None, "x", True]])
# --- int patterns on bools, floats and big ints
for v in [True, 1.0, 10**16, 10.0**16, 9007199254740993]:
    match v:
        case 10000000000000000:
            print("ten to sixteen")
        case 9007199254740992:
            print("near")
        case 9007199254740993:
            print("beyond")
        case 1:
            print("one")
# --- abstract classes and typing names
from collections.abc import Callable, Iterable, Mapping, Sequence
def abc(x):
    match x:
        case str():
            return "text"
        case Mapping():
            return "mapping"
        case Sequence():
            return "sequence"
        case Callable():
            return "callable"
        case Iterable():
            return "iterable"
    return "?"
print([abc(x) for x in ["a", {}, [], (), range(2), len, {1}, 5]])
class Always(Sequence):
    def __getitem__(self, i):
        return [10, 20, 30][i]
    def __len__(self):
        return 3
match Always():
    case [a, *rest]:
        print(a, rest)
# --- dates and exceptions by attributes
from datetime import date, datetime
def when(d):
    match d:
        case datetime(hour=h, year=y):
            return (y, h)
        case date(year=2024, month=m):
            return m
        case date(year=y):
            return y
print(when(date(2024, 5, 1)), when(date(2023, 1, 1)), when(datetime(2024, 1, 2, 3)))
# --- results as json
import json
def parse(text):
    match json.loads(text):
        case {"ok": True, "data": [{"id": int(i), **more}, *_]}:
            return i
        case {"ok": False, "error": {"code": 404 | 410 as code}}:
            return f"gone {code}"
        case {"ok": False, "error": str(message)}:
            return message
        case []:
            return "nothing"
        case None:
            return "null"
        case int() | float() as n:
            return n * 2
print([parse(t) for t in ['{"ok": true, "data": [{"id": 3, "x": 1}, {}]}', '{"ok": false, "error": {"code": 410}}', '{"ok": false, "error": "down"}', "[]", "null", "4.5", '"x"']])
