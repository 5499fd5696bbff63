# What is not there fails before the arguments of its call do anything.
def show(x):
    print("evaluated", x)
    return x

for value in [1, 2.5, "s", None, [1], (1,), {"a": 1}, {1}, range(2)]:
    for call in [lambda v: v.partitioned(show(1)), lambda v: v.frob(show(1), k=show(2)), lambda v: v.go(*[show(1)])]:
        try:
            call(value)
        except AttributeError as e:
            print(e)
for value in [(1,), 1, {1}, {}]:
    try:
        print(value.partition(show(1)))
    except AttributeError as e:
        print(e)
# ---
class Stack:
    def __init__(self):
        self.items = []
        self.hook = print
    def push(self, x):
        self.items.append(x)
        return self
    def __len__(self):
        return len(self.items)

def noisy(x):
    print("noisy", x)
    return x

s = Stack()
for call in [lambda: s.push(noisy(1)), lambda: s.pull(noisy(2)), lambda: s.append(noisy(3)), lambda: s.hook(noisy(4)),
             lambda: [].push(noisy(5)), lambda: s.replace(noisy(6), noisy(7)), lambda: None.push(noisy(8))]:
    try:
        call()
    except AttributeError as e:
        print(e)
print(len(s))
# ---
created = []
def create(name):
    created.append(name)
    return name
names = {"a"}
try:
    names.append(create("issue"))
except AttributeError:
    pass
print(created)
results = ("a",)
for change in [lambda: results.add(create("second")), lambda: results.load(create("third"))]:
    try:
        change()
    except AttributeError as e:
        print(e, created)
# --- fail before the arguments are evaluated, of exceptions, classes and tuples
def f():
    print("f"); return 1
class A: pass
class B(ValueError): pass
def g(t):
    t.append(f())
for x in [(1,), [1], A(), 5, None, ValueError("x"), B(), A, ValueError, KeyError(1)]:
    try: g(x)
    except AttributeError as e: print(e)
def h(t): return t.foo(f())
for x in [ValueError("x"), B(), A, ValueError, KeyError(1)]:
    try: h(x)
    except AttributeError as e: print(e)
class C:
    @classmethod
    def foo(cls, x): return "cm", x
    @staticmethod
    def append(x): print("st", x)
print(h(C), h(C())); g(C)
class E(Exception):
    def __init__(self): self.foo = lambda x: ("field", x)
print(h(E()))
class M(Exception):
    def __getattr__(self, n): return lambda x: (n, x)
print(h(M()))
import threading
try: threading.Lock().foo(f())
except AttributeError as e: print("lock")
# --- arguments given twice by name
def kw(a, c=1): pass
try: kw(1, c=1, **{"c": 2})
except TypeError as e: print(e)
def k2(**kws): pass
try: k2(c=1, **{"c": 2})
except TypeError as e: print(e)
class A:
    def m(self, x=1): pass
try: A().m(x=1, **{"x": 2})
except TypeError as e: print(e)
try: dict(a=1, **{"a": 2})
except TypeError as e: print(e)
try: kw(1, a=2)
except TypeError as e: print(e)
try: kw(1, **{"a": 2})
except TypeError as e: print(e)
try: kw(1, **{"c": 2}, **{"c": 3})
except TypeError as e: print(e)


# A function has no items, whatever the engine keeps of it.
def with_items(f):
    def put():
        f["name"] = 1

    for act in [lambda: f["name"], lambda: f["length"], put, lambda: "name" in f]:
        try:
            print(act())
        except TypeError as e:
            print(e)


for f in [with_items, len, "".join, lambda: 0]:
    with_items(f)
