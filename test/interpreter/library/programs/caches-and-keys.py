"""Caches that forget, wrappers that are objects, keys that hash themselves."""
import functools

@functools.lru_cache(maxsize=2)
def f(x):
    print("compute", x)
    return x
f(1); f(2); f(1); f(3); f(1); f(2)
print(f.cache_info())
class S(str):
    __hash__ = str.__hash__
    def __eq__(self, o): return str.lower(self) == str.lower(o)
print({S("a"): 1}["a"], S("A") == "a")
class E(str):
    def __eq__(self, o): return True
try: {E("x"): 1}
except TypeError as e: print(e)
class Sub(S): pass
print({Sub("q"): 2}[Sub("q")])


class Counted:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        return self.__wrapped__(*args)


@Counted
def double(x):
    """Twice as much."""
    return 2 * x


print(double(2), double("ab"), double.calls, double.__name__, double.__doc__)
