# Signatures, documentation and members of what a program defines.
import inspect, functools, asyncio
from dataclasses import dataclass, field
from typing import NamedTuple, Optional, Callable, Any
from collections import namedtuple

def plain(a, b=2, *args, c, d="x", **kw):
    """First line.

        indented
      less
    """
def typed(x: int, y: "str" = "a", *rest: float, flag: bool = False, opt: Optional[int] = None, **more: Any) -> dict[str, list[int]]:
    return {}
def posonly(a, b, /, c, *, d): pass
async def co(x): return x
def gen(): yield 1
async def agen(): yield 1
lam = lambda x, y=[1, 2]: x
class A:
    """A class."""
    def __init__(self, name: str, size: int = 3): self.name = name
    def method(self, q, *, deep=True) -> "A":
        """  Method doc. """
    @classmethod
    def make(cls, z): pass
    @staticmethod
    def stat(s=None): pass
    @property
    def prop(self): return 1
    def __call__(self, k): pass
class B(A):
    def method(self, q, *, deep=True): pass
@dataclass
class D:
    name: str
    qty: int = 0
    tags: list[str] = field(default_factory=list)
    hidden: int = field(default=1, init=False)
@dataclass(kw_only=True)
class KW:
    a: int
    b: str = "x"
class P(NamedTuple):
    x: int
    y: float = 0.0
Q = namedtuple("Q", "m n", defaults=[5])
def deco(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs): return f(*args, **kwargs)
    return wrapper
@deco
def wrapped(u, v: int = 4): "doc of wrapped"
@functools.lru_cache(maxsize=None)
def cached(n): return n
class Empty: pass

for f in (plain, typed, posonly, co, gen, lam, A, A.method, A("n").method, A.make, A.stat, A("n"), B, D, KW, P, Q, wrapped, cached, Empty):
    s = inspect.signature(f)
    print(getattr(f, "__name__", type(f).__name__), s, list(s.parameters), s.return_annotation is inspect.Signature.empty)
for p in inspect.signature(typed).parameters.values():
    print(repr(p), p.name, p.kind, p.kind.name, p.kind.description, p.default, p.annotation, p.default is p.empty, p.annotation is inspect.Parameter.empty)
sig = inspect.signature(plain)
ba = sig.bind(1, 2, 3, 4, c=5, e=6)
print(ba, ba.args, ba.kwargs, ba.arguments)
ba = sig.bind_partial(1); ba.apply_defaults(); print(ba.arguments)
for bad in (lambda: sig.bind(), lambda: sig.bind(1), lambda: inspect.signature(posonly).bind(1, 2, 3, 4, d=1), lambda: inspect.signature(posonly).bind(1, b=2, c=3, d=4), lambda: inspect.signature(co).bind(1, z=3), lambda: inspect.signature(3)):
    try: print(bad())
    except (TypeError, ValueError) as e: print(type(e).__name__, e)
print(sig.replace(parameters=list(sig.parameters.values())[:2]), sig == inspect.signature(plain), sig.parameters["b"].replace(default=9))
print(inspect.getfullargspec(plain)); print(inspect.getfullargspec(A("n").method))
print(repr(inspect.getdoc(plain)), repr(inspect.getdoc(A)), repr(inspect.getdoc(A.method)), repr(inspect.getdoc(B("n").method)), repr(inspect.getdoc(wrapped)), repr(inspect.cleandoc("  a\n    b\n   c")))
for t in ("isfunction", "ismethod", "isclass", "isbuiltin", "isroutine", "ismodule", "iscoroutinefunction", "isgeneratorfunction", "isasyncgenfunction", "isgenerator", "isabstract"):
    print(t, [getattr(inspect, t)(x) for x in (plain, A("n").method, A, len, inspect, co, gen, agen, gen(), 3, A.make, A.stat, lam, D)])
print([n for n, _ in inspect.getmembers(A, inspect.isfunction)], [n for n, v in inspect.getmembers(A("n")) if not n.startswith("__")])
print(typed.__annotations__, plain.__defaults__, plain.__kwdefaults__, typed.__defaults__, lam.__defaults__, A.method.__annotations__, D.__annotations__, P.__annotations__)
print(inspect.unwrap(wrapped).__name__, wrapped.__wrapped__ is inspect.unwrap(wrapped), [c.__name__ for c in inspect.getmro(B)])
TOOLS = {f.__name__: {"doc": inspect.getdoc(f), "params": {p.name: (p.annotation.__name__ if p.annotation is not p.empty else "any", p.default is p.empty) for p in inspect.signature(f).parameters.values()}} for f in (wrapped, co)}
print(TOOLS)
def call(f, **data):
    wanted = inspect.signature(f).parameters
    return f(**{k: v for k, v in data.items() if k in wanted})
print(call(lambda a, b=1: a + b, a=1, z=3), call(D, name="n", qty=2, other=3))
print(inspect.getcallargs(posonly, 1, 2, 3, d=4))
print(inspect.Signature([inspect.Parameter("a", inspect.Parameter.POSITIONAL_ONLY), inspect.Parameter("b", inspect.Parameter.KEYWORD_ONLY, default=1)]))
