# basics
def count(n):
    print("begin")
    i = 0
    while i < n:
        yield i
        i += 1
    print("end")
g = count(2)
print(type(g).__name__)
for x in g: print(x)
print(list(count(0)))
# --- fibonacci, islice
from itertools import islice, takewhile, count as c, chain
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
print(list(islice(fib(), 10)), list(takewhile(lambda x: x < 30, fib())))
print(next(x for x in fib() if x > 100))
# --- pipelines
def numbers(lines):
    for l in lines:
        l = l.strip()
        if l: yield l
def parsed(items):
    for i in items:
        try:
            yield int(i)
        except ValueError:
            print("skip", i)
print(sum(parsed(numbers([" 1", "", "x", "41 "]))))
# --- yield from with return
def inner():
    x = yield 1
    print("got", x)
    return "r"
def outer():
    r = yield from inner()
    print("inner returned", r)
    yield from [7, 8]
    yield from (i * i for i in range(2))
o = outer()
print(next(o), o.send("S"), list(o))
# --- lazy order
def noisy(tag, xs):
    for x in xs:
        print(tag, x)
        yield x
for a in map(lambda v: v * 10, noisy("n", [1, 2])):
    print("use", a)
for a, b in zip(noisy("a", [1, 2]), noisy("b", [3, 4])):
    print(a, b)
print(any(x > 1 for x in noisy("any", [1, 2, 3])))
for i, v in enumerate(noisy("e", "xy"), 1):
    print(i, v)
# --- generator expression semantics
xs = [1, 2, 3]
g = (x * y for x in xs for y in (1, 10))
xs = []
print(list(g), list(g))
total = sum(x for x in range(5) if x % 2)
print(total, max((len(w), w) for w in ["aa", "b"]), dict((k, k * 2) for k in range(2)))
print(",".join(str(i) for i in range(3)), set(i % 2 for i in range(5)), tuple(i for i in "ab"), sorted((v for v in [3, 1]), reverse=True))
# --- partial consumption
it = iter([1, 2, 3, 4, 5])
for x in it:
    if x == 2: break
print(list(it))
e = enumerate("abc")
print(next(e), list(e))
z = zip([1, 2, 3], "ab")
print(next(z), list(z), list(z))
m = map(str, [1, 2])
print(next(m), list(m))
# --- unpack from generators
def three():
    yield 1; yield 2; yield 3
a, b, c = three()
first, *rest = three()
print(a, b, c, first, rest, [*three(), *three()], {*three()}, (lambda *z: z)(*three()))
try:
    p, q = three()
except ValueError as e:
    print(e)
# --- stop iteration value, close
def g():
    try:
        yield 1
        yield 2
    finally:
        print("closing")
    return "never"
x = g()
print(next(x))
x.close()
print(list(x))
def r():
    yield 1
    return "value"
y = r()
next(y)
try:
    next(y)
except StopIteration as e:
    print("stop", e.value)
# --- recursion: permutations and tree walk
def perms(items):
    if len(items) <= 1:
        yield tuple(items)
        return
    for i, x in enumerate(items):
        for rest in perms(items[:i] + items[i + 1:]):
            yield (x,) + rest
print(list(perms([1, 2, 3])))
tree = {"v": 1, "kids": [{"v": 2, "kids": []}, {"v": 3, "kids": [{"v": 4, "kids": []}]}]}
def walk(n, depth=0):
    yield depth, n["v"]
    for k in n["kids"]:
        yield from walk(k, depth + 1)
for d, v in walk(tree):
    print("  " * d + str(v))
# --- batching and windows
def batched(xs, n):
    for i in range(0, len(xs), n):
        yield xs[i:i + n]
def window(xs, n):
    buf = []
    for x in xs:
        buf.append(x)
        if len(buf) == n:
            yield tuple(buf)
            buf.pop(0)
print(list(batched(list(range(7)), 3)), list(window("abcd", 2)))
# --- in and dict of generator
def g():
    for i in range(5):
        print("make", i)
        yield i
print(2 in g())
print(min(g()), max(g(), default=0))
d = {i: list(range(i)) for i in g() if i < 2}
print(d)
# --- generator closures and late binding
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
gs = [(lambda k: (lambda: k))(i) for i in range(3)]
print([f() for f in gs])
gens = []
for n in range(3):
    gens.append(x * n for x in [1, 2])
print([list(q) for q in gens])
# --- send coroutine averager
def averager():
    total, n, avg = 0, 0, None
    while True:
        v = yield avg
        if v is None: break
        total += v
        n += 1
        avg = total / n
    return avg
a = averager()
next(a)
print(a.send(10), a.send(20))
try:
    a.send(None)
except StopIteration as s:
    print(s.value)
# --- walrus and any
data = ["a=1", "b", "c=3"]
print([k for s in data if (parts := s.split("=")) and len(parts) == 2 for k in parts[:1]])
if any((hit := s).startswith("c") for s in data):
    print("hit", hit)
while (n := len(data)) > 1:
    data.pop()
print(n, data)
# --- iter with sentinel and next default
vals = [3, 2, 1, 0, 9]
print(list(iter(lambda: vals.pop(0), 0)), vals)
print(next((x for x in [1, 2] if x > 5), "none"))
# --- chain of itertools with generators
from itertools import chain, groupby, accumulate
def a(): yield from "ab"
print(list(chain(a(), [1], a())))
print([(k, list(v)) for k, v in groupby(sorted(x % 3 for x in range(7)))])
print(list(accumulate(x for x in [1, 2, 3])))
# --- error in generator expression is lazy
g = (1 // x for x in [1, 0])
print(next(g))
try:
    next(g)
except ZeroDivisionError as e:
    print(e)
print(list(g))
try:
    (x for x in 5)
except TypeError as e:
    print(e)
