# several types, as, else, finally
def risky(n):
    try:
        if n == 0: raise ValueError("zero")
        if n == 1: return {}["k"]
        if n == 2: return [1][5]
        if n == 3: return 1 / 0
        if n == 4: return int("abc")
        if n == 5: return None.foo
        if n == 6: return "a" + 1
        if n == 7: return undefined_thing
        return "fine"
    except (KeyError, IndexError) as e:
        return f"lookup {type(e).__name__} {e}"
    except ArithmeticError as e:
        return f"math {e!r}"
    except ValueError as e:
        return "value " + str(e)
    except AttributeError as e:
        return f"attr {e}"
    except (TypeError, NameError) as e:
        return f"{type(e).__name__}: {e}"
    finally:
        print("done", n)
undefined_thing = "x"
for i in range(9):
    print(risky(i))
# --- try else
for x in ["1", "x"]:
    try:
        v = int(x)
    except ValueError as e:
        print("bad", e)
    else:
        print("good", v)
    finally:
        print("always")
# --- nested and reraise
def f():
    try:
        raise KeyError("inner")
    except KeyError:
        print("cleanup")
        raise
try:
    f()
except LookupError as e:
    print("outer", e, repr(e))
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise RuntimeError("wrapped") from e
except RuntimeError as e:
    print(e, "cause:", repr(e.__cause__))
# --- custom hierarchy
class AppError(Exception):
    """Base."""
class NotFound(AppError):
    def __init__(self, what, code=404):
        super().__init__(f"{what} not found")
        self.what = what
        self.code = code
class Denied(AppError):
    pass
for kind in (NotFound("user"), Denied("no", 3), AppError(), NotFound("x", code=7)):
    try:
        raise kind
    except NotFound as e:
        print("NF", e, e.what, e.code, e.args)
    except AppError as e:
        print("App", str(e), repr(e), e.args, isinstance(e, Denied))
print(issubclass(NotFound, Exception), NotFound.__name__, NotFound.__mro__[1].__name__)
# --- uncaught custom
class Boom(Exception):
    def __str__(self): return "custom text"
raise Boom("ignored")
# --- uncaught key error
d = {"a": 1}
print(d["b"])
# --- assert
def check(x):
    assert x > 0, f"x must be positive, got {x}"
    assert x < 100
    return x
for v in (5, -1, 200):
    try:
        print(check(v))
    except AssertionError as e:
        print("AssertionError:", e, e.args)
# --- finally with return and loop control
def g():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: return "ret"
            print("body", i)
        finally:
            print("fin", i)
    return "end"
print(g())
def h():
    try:
        return 1
    finally:
        return 2
print(h())
# --- exception args
for e in (ValueError(), ValueError("a"), ValueError("a", 2), KeyError("k"), KeyError(1), OSError("o"), StopIteration(5)):
    print(repr(e), "|", str(e), "|", e.args)
# --- raise class without call
try:
    raise NotImplementedError
except RuntimeError as e:
    print(type(e).__name__, repr(str(e)))
# --- exception name unbound after
try:
    raise ValueError("gone")
except ValueError as err:
    pass
try:
    err
except NameError as e:
    print(e)
# --- collecting errors
errors = []
results = {}
for raw in ["10", "abc", "3.5", "", "7"]:
    try:
        results[raw] = int(raw)
    except ValueError as exc:
        errors.append(str(exc))
print(results)
for line in errors:
    print("-", line)
# --- retry loop
attempts = {"n": 0}
def flaky():
    attempts["n"] += 1
    if attempts["n"] < 3:
        raise ConnectionError(f"attempt {attempts['n']} failed")
    return "ok"
def with_retry(fn, tries=5):
    last = None
    for i in range(tries):
        try:
            return fn()
        except (ConnectionError, TimeoutError) as e:
            last = e
            print("retry", i, e)
    raise last
print(with_retry(flaky))
# --- messages of builtin errors
def show(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__ + ": " + str(e))
show(lambda: [1, 2] + (3,))
show(lambda: "a" * "b")
show(lambda: 3 + "x")
show(lambda: {}["missing"])
show(lambda: (1, 2)[7])
show(lambda: "abc".index("z"))
show(lambda: [].pop())
show(lambda: {}.pop("x"))
show(lambda: int("12a", 10))
show(lambda: float("x"))
show(lambda: len(5))
show(lambda: 5())
show(lambda: None["a"])
show(lambda: max([]))
show(lambda: [3, "a"].sort())
show(lambda: sorted([1, None]))
show(lambda: {[1]: 2})
show(lambda: "x" in 5)
show(lambda: sum(["a"]))
show(lambda: next(iter([])))
show(lambda: [].remove(3))
show(lambda: "%d" % "x")
show(lambda: 1 % 0)
show(lambda: 1 // 0)
show(lambda: 2.0 / 0)
show(lambda: chr(-1))
show(lambda: (lambda a: a)())
show(lambda: (lambda a: a)(1, 2))
show(lambda: (lambda a: a)(b=2))
show(lambda: "abc".foo)
show(lambda: (1).bar)
show(lambda: [1, 2, 3][1.5])
show(lambda: "abc"["x"])
show(lambda: dict([1, 2]))
show(lambda: tuple(5))
show(lambda: for_none(None))
def for_none(x):
    for _ in x: pass
show(lambda: for_none(None))
show(lambda: -"x")
show(lambda: [1] < [None])
show(lambda: 1 < "a")
show(lambda: range(1, 2, 0))
show(lambda: isinstance(1, "int"))
# --- unpack errors
def show(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__ + ": " + str(e))
def a1():
    a, b = [1]
def a2():
    a, b = [1, 2, 3]
def a3():
    a, *b, c = [1]
def a4():
    a, b = 5
def a5():
    for x, y in [(1, 2, 3)]: pass
for f in (a1, a2, a3, a4, a5): show(f)
# --- call errors
def show(f, *a, **k):
    try:
        print(f(*a, **k))
    except TypeError as e:
        print(e)
def p(a, b=2, *, c, d=4): return (a, b, c, d)
def q(a, /, b): return (a, b)
def r(*args, **kw): return (args, kw)
show(p, 1, c=3); show(p); show(p, 1); show(p, 1, 2, 3, c=1); show(p, 1, c=1, z=2); show(p, 1, a=2, c=3)
show(q, 1, 2); show(q, a=1, b=2); show(q, 1); show(q); show(r, 1, x=2)
class K:
    def m(self, x): return x
show(K().m); show(K().m, 1, 2); show(K, 3); show(K.m, K(), 5)
# --- exception in generator, with context
def gen():
    try:
        yield 1
        yield 2
    except ValueError as e:
        print("gen caught", e)
        yield 99
    finally:
        print("gen finally")
g = gen()
print(next(g))
print(g.throw(ValueError("pushed")))
print(list(g))
# --- with raising inside
class Guard:
    def __init__(self, name, swallow=False):
        self.name = name
        self.swallow = swallow
    def __enter__(self):
        print("enter", self.name)
        return self
    def __exit__(self, exc_type, exc, tb):
        print("exit", self.name, exc_type.__name__ if exc_type else None, exc)
        return self.swallow
with Guard("a") as a, Guard("b", True) as b:
    print(a.name, b.name)
    raise ValueError("inside")
print("after")
try:
    with Guard("c"):
        raise KeyError("k")
except KeyError as e:
    print("caught", e)
def ret():
    with Guard("d"):
        return "value"
print(ret())
# --- error inside except and finally order
def f():
    try:
        try:
            raise ValueError(1)
        except ValueError:
            raise TypeError(2)
        finally:
            print("f1")
    except TypeError as e:
        print("te", e)
    finally:
        print("f2")
f()
# --- exception as control flow in comprehension helper
def safe_int(s, default=None):
    try:
        return int(s)
    except (TypeError, ValueError):
        return default
print([safe_int(x) for x in ["1", None, "z", 3.9, True]])
print(sum(v for v in map(safe_int, ["1", "q", "5"]) if v is not None))
# --- system exit
import sys
print("before")
try:
    sys.exit(3)
except SystemExit as e:
    print("exit code", e.code)
sys.exit()
print("never")
# --- exception groups of handlers order
class A(Exception): pass
class B(A): pass
class C(B): pass
for cls in [A, B, C]:
    try:
        raise cls(cls.__name__)
    except C:
        print("C")
    except B:
        print("B")
    except A:
        print("A")
# --- add_note and with_traceback
e = ValueError("base")
e.add_note("note")
print(e.__notes__, e.with_traceback(None) is e)
# --- exceptions equality and dict of handlers
handlers = {ValueError: "v", KeyError: "k"}
for exc in (ValueError("1"), KeyError("2"), TypeError("3")):
    print(handlers.get(type(exc), "unknown"))
# --- bare except and raising non-exception
try:
    raise "text"
except:
    print("caught something")
try:
    raise 5
except TypeError as e:
    print(e)
