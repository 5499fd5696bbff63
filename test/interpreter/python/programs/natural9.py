# --- tokenizer calculator
import re
from typing import NamedTuple


class Token(NamedTuple):
    kind: str
    value: str
    pos: int


TOKEN_SPEC = [
    ("NUMBER", r"\d+(\.\d*)?"),
    ("IDENT", r"[A-Za-z_]\w*"),
    ("OP", r"\*\*|[+\-*/%()=,]"),
    ("SKIP", r"[ \t]+"),
    ("MISMATCH", r"."),
]
TOKEN_RE = re.compile("|".join(f"(?P<{name}>{rx})" for name, rx in TOKEN_SPEC))


def tokenize(text):
    for mo in TOKEN_RE.finditer(text):
        kind = mo.lastgroup
        if kind == "SKIP":
            continue
        if kind == "MISMATCH":
            raise SyntaxError(f"unexpected {mo.group()!r} at {mo.start()}")
        yield Token(kind, mo.group(), mo.start())


class Parser:
    FUNCTIONS = {"max": max, "min": min, "abs": abs, "sqrt": lambda x: x ** 0.5}

    def __init__(self, env):
        self.env = env

    def evaluate(self, text):
        self.tokens = list(tokenize(text))
        self.i = 0
        if len(self.tokens) > 2 and self.tokens[0].kind == "IDENT" and self.tokens[1].value == "=":
            self.i = 2
            self.env[self.tokens[0].value] = value = self.expr()
        else:
            value = self.expr()
        if self.peek() is not None:
            raise SyntaxError(f"trailing input: {self.peek().value}")
        return value

    def peek(self):
        return self.tokens[self.i] if self.i < len(self.tokens) else None

    def accept(self, *values):
        tok = self.peek()
        if tok and tok.value in values:
            self.i += 1
            return tok.value

    def expr(self):
        value = self.term()
        while op := self.accept("+", "-"):
            value = value + self.term() if op == "+" else value - self.term()
        return value

    def term(self):
        value = self.power()
        while op := self.accept("*", "/", "%"):
            rhs = self.power()
            value = {"*": lambda: value * rhs, "/": lambda: value / rhs, "%": lambda: value % rhs}[op]()
        return value

    def power(self):
        base = self.atom()
        return base ** self.power() if self.accept("**") else base

    def atom(self):
        if self.accept("-"):
            return -self.power()
        if self.accept("("):
            value = self.expr()
            if not self.accept(")"):
                raise SyntaxError("expected )")
            return value
        tok = self.peek()
        if tok is None:
            raise SyntaxError("unexpected end")
        self.i += 1
        if tok.kind == "NUMBER":
            return float(tok.value) if "." in tok.value else int(tok.value)
        if tok.kind == "IDENT":
            if self.accept("("):
                args = [self.expr()]
                while self.accept(","):
                    args.append(self.expr())
                self.accept(")")
                return self.FUNCTIONS[tok.value](*args)
            return self.env[tok.value]
        raise SyntaxError(f"unexpected {tok.value!r}")


p = Parser({"pi": 3.14159})
for line in ["1 + 2 * 3", "(1 + 2) * 3", "2 ** 3 ** 2", "-2 ** 2", "x = 10 / 4", "x * 2", "max(1, x, 2) + sqrt(16)", "10 % 4", "1 +", "2 $ 3", "y + 1", "1 / 0", "2 * pi"]:
    try:
        print(f"{line:<28} = {p.evaluate(line)}")
    except (SyntaxError, KeyError, ZeroDivisionError) as e:
        print(f"{line:<28} ! {type(e).__name__}: {e}")
print(list(tokenize("a1 = 2.50"))[:2])
# --- event system
from collections import defaultdict


class EventEmitter:
    def __init__(self):
        self._handlers = defaultdict(list)

    def on(self, event, handler=None, *, priority=0):
        def add(fn):
            self._handlers[event].append((priority, len(self._handlers[event]), fn))
            self._handlers[event].sort(key=lambda t: (-t[0], t[1]))
            return fn
        return add if handler is None else add(handler)

    def off(self, event, handler):
        self._handlers[event] = [h for h in self._handlers[event] if h[2] is not handler]

    def emit(self, event, *args, **kwargs):
        results = []
        for _, _, handler in list(self._handlers[event]):
            results.append(handler(*args, **kwargs))
        return results

    def once(self, event, handler):
        def wrapper(*args, **kwargs):
            self.off(event, wrapper)
            return handler(*args, **kwargs)
        return self.on(event, wrapper)


bus = EventEmitter()


@bus.on("order")
def log_order(order_id, **extra):
    print(f"order {order_id} {extra}")
    return "logged"


@bus.on("order", priority=10)
def validate(order_id, amount=0, **_):
    print("validating", order_id)
    return amount > 0


bus.once("order", lambda order_id, **kw: f"first order was {order_id}")
print(bus.emit("order", 1, amount=9.5, currency="EUR"))
print(bus.emit("order", 2))
bus.off("order", log_order)
print(bus.emit("order", order_id=3, amount=1))
print(bus.emit("nothing"), sorted(bus._handlers))
print(log_order.__name__, callable(validate))
# --- money decimal
from decimal import Decimal, ROUND_HALF_UP, ROUND_DOWN, getcontext
from dataclasses import dataclass

CENT = Decimal("0.01")


@dataclass(frozen=True, order=True)
class Money:
    amount: Decimal
    currency: str = "USD"

    def __post_init__(self):
        object.__setattr__(self, "amount", Decimal(self.amount).quantize(CENT, rounding=ROUND_HALF_UP))

    def __add__(self, other):
        self._check(other)
        return Money(self.amount + other.amount, self.currency)

    def __mul__(self, factor):
        return Money(self.amount * Decimal(str(factor)), self.currency)

    def _check(self, other):
        if self.currency != other.currency:
            raise ValueError(f"currency mismatch: {self.currency} vs {other.currency}")

    def split(self, n):
        base = (self.amount / n).quantize(CENT, rounding=ROUND_DOWN)
        rest = int((self.amount - base * n) / CENT)
        return [Money(base + (CENT if i < rest else 0), self.currency) for i in range(n)]

    def __str__(self):
        return f"{self.currency} {self.amount:,.2f}"


a = Money("1234.565")
print(a, repr(a))
print(a + Money("0.10"), a * 1.5)
parts = Money("100").split(3)
print([str(p) for p in parts], sum((p.amount for p in parts), Decimal(0)))
try:
    a + Money(1, "EUR")
except ValueError as e:
    print(e)
print(max(Money("3"), Money("2.5")), Money("2") == Money("2.00"))
print(Decimal("0.1") + Decimal("0.2"), 0.1 + 0.2, Decimal("1") / Decimal("3"))
balance = Decimal("1000")
for year in range(1, 4):
    interest = (balance * Decimal("0.035")).quantize(CENT)
    balance += interest
    print(f"Year {year}: +{interest} = {balance}")
getcontext().prec = 6
print(Decimal(2).sqrt(), Decimal("1.10") == Decimal("1.1"), {Money("1"): "ok"}[Money("1.00")])
# --- generators pipeline
import itertools


def read_lines():
    data = """2024-01-01,alice,42
2024-01-01,bob,oops
# comment
2024-01-02,alice,58

2024-01-03,carol,100
2024-01-03,bob,7"""
    for line in data.splitlines():
        print(f"[read] {line}")
        yield line


def strip_comments(lines):
    for line in lines:
        line = line.strip()
        if line and not line.startswith("#"):
            yield line


def parse(lines):
    for line in lines:
        day, user, value = line.split(",")
        try:
            yield {"day": day, "user": user, "value": int(value)}
        except ValueError:
            print(f"[skip] bad value {value!r}")


def running_total():
    total = 0
    while True:
        value = yield total
        if value is None:
            return
        total += value


pipeline = parse(strip_comments(read_lines()))
print(next(pipeline))
print(next(pipeline))
rest = list(pipeline)
print(len(rest), sum(r["value"] for r in rest))

acc = running_total()
next(acc)
for r in rest:
    print("running", acc.send(r["value"]))
try:
    acc.send(None)
except StopIteration:
    print("closed")


def primes():
    found = []
    for n in itertools.count(2):
        if all(n % p for p in itertools.takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n


print(list(itertools.islice(primes(), 10)))
print(next(p for p in primes() if p > 100))


def chunks(seq, size):
    it = iter(seq)
    while chunk := tuple(itertools.islice(it, size)):
        yield chunk


print(list(chunks(range(7), 3)))
g = (x * x for x in range(4))
print(next(g), list(g), list(g), next(g, "empty"))
# --- inventory system
from dataclasses import dataclass, field, asdict, replace
from typing import Dict, List
from abc import ABC, abstractmethod


@dataclass(order=True)
class Product:
    sort_index: float = field(init=False, repr=False)
    name: str
    price: float
    quantity: int = 0
    tags: List[str] = field(default_factory=list, compare=False)

    def __post_init__(self):
        self.sort_index = self.price * self.quantity

    @property
    def value(self) -> float:
        return self.price * self.quantity


class Discount(ABC):
    @abstractmethod
    def apply(self, price: float) -> float:
        ...


class Percent(Discount):
    def __init__(self, pct):
        self.pct = pct

    def apply(self, price):
        return price * (1 - self.pct / 100)


class Flat(Discount):
    def __init__(self, amount):
        self.amount = amount

    def apply(self, price):
        return max(0, price - self.amount)


class Inventory:
    def __init__(self):
        self._items: Dict[str, Product] = {}

    def __iadd__(self, product: Product):
        self._items[product.name] = product
        return self

    def __getitem__(self, name):
        return self._items[name]

    def __delitem__(self, name):
        del self._items[name]

    def __iter__(self):
        return iter(self._items.values())

    def total(self):
        return sum(p.value for p in self)


inv = Inventory()
inv += Product("Laptop", 999.99, 5, ["tech"])
inv += Product("Mouse", 19.5, 40)
inv += Product("Desk", 250, 2, tags=["home", "wood"])
print(f"Total: {inv.total():,.2f}")
for p in sorted(inv, reverse=True):
    print(p)
print(asdict(inv["Desk"]))
cheaper = replace(inv["Laptop"], price=899)
print(cheaper, cheaper < inv["Laptop"], cheaper == inv["Laptop"])
for d in (Percent(10), Flat(30)):
    print(type(d).__name__, [round(d.apply(p.price), 2) for p in inv])
try:
    Discount()
except TypeError as e:
    print("TypeError:", str(e).split(" with")[0])
del inv["Mouse"]
try:
    inv["Mouse"]
except KeyError as e:
    print("missing", e, e.args)
print([p.name for p in inv])
# --- custom exceptions
class AppError(Exception):
    """Base class of all errors here."""
    code = 500

    def __init__(self, message, **context):
        super().__init__(message)
        self.context = context

    def __str__(self):
        base = super().__str__()
        return f"[{self.code}] {base}" + (f" {self.context}" if self.context else "")


class NotFound(AppError):
    code = 404


class ValidationError(AppError, ValueError):
    code = 422

    def __init__(self, errors):
        super().__init__("validation failed", fields=list(errors))
        self.errors = errors


USERS = {1: "ann", 2: "bob"}


def find(user_id):
    try:
        return USERS[user_id]
    except KeyError as e:
        raise NotFound("no such user", id=user_id) from e


def create(form):
    errors = {}
    if not form.get("name"):
        errors["name"] = "required"
    if not str(form.get("age", "")).isdigit():
        errors["age"] = "must be a number"
    if errors:
        raise ValidationError(errors)
    return form["name"].title()


def attempt(fn, *args):
    try:
        result = fn(*args)
    except NotFound as e:
        print("not found:", e, "| cause:", repr(e.__cause__))
    except ValueError as e:
        print("invalid:", e, e.errors)
    except Exception as e:
        print("other:", type(e).__name__, e)
        raise
    else:
        print("ok:", result)
        return result
    finally:
        print("--")


attempt(find, 1)
attempt(find, 3)
attempt(create, {"age": "x"})
attempt(create, {"name": "zed", "age": 7})
try:
    attempt(lambda: 1 / 0)
except ZeroDivisionError as e:
    print("re-raised", e)
errors = []
for text in ["12", "x", None, "3.5", [1]]:
    try:
        int(text)
    except (ValueError, TypeError) as e:
        errors.append(f"{type(e).__name__}: {e}")
print(*errors, sep="\n")
try:
    try:
        {}["a"]
    except KeyError:
        [][1]
except IndexError as e:
    print(repr(e), "during", repr(e.__context__))
print(issubclass(ValidationError, ValueError), NotFound.__mro__[1].__name__, AppError("x").args)
try:
    raise AppError("boom") from ValueError("inner")
except AppError as e:
    print(e, e.__cause__)
try:
    assert len(USERS) == 3, f"expected 3 users, got {len(USERS)}"
except AssertionError as e:
    print("assert:", e)
# --- bisect intervals
import bisect
from dataclasses import dataclass


def grade(score, breakpoints=(60, 70, 80, 90), grades="FDCBA"):
    return grades[bisect.bisect(breakpoints, score)]


@dataclass(frozen=True)
class Interval:
    start: int
    end: int

    def __contains__(self, x):
        return self.start <= x < self.end

    def __and__(self, other):
        s, e = max(self.start, other.start), min(self.end, other.end)
        return Interval(s, e) if s < e else None

    def __len__(self):
        return self.end - self.start


def merge(intervals):
    out = []
    for iv in sorted(intervals, key=lambda i: i.start):
        if out and iv.start <= out[-1].end:
            out[-1] = Interval(out[-1].start, max(out[-1].end, iv.end))
        else:
            out.append(iv)
    return out


class SortedList:
    def __init__(self, items=()):
        self._items = sorted(items)

    def add(self, x):
        bisect.insort(self._items, x)

    def count_between(self, lo, hi):
        return bisect.bisect_right(self._items, hi) - bisect.bisect_left(self._items, lo)

    def closest(self, x):
        i = bisect.bisect_left(self._items, x)
        return min(self._items[max(0, i - 1):i + 1], key=lambda y: abs(y - x))


print([grade(s) for s in [33, 99, 77, 70, 89, 90, 100]])
ivs = [Interval(1, 3), Interval(8, 10), Interval(2, 6), Interval(15, 18), Interval(17, 20)]
print(merge(ivs))
print(Interval(1, 5) & Interval(3, 9), Interval(1, 2) & Interval(5, 6), 4 in Interval(1, 5), len(Interval(2, 9)))
print(sum(len(i) for i in merge(ivs)), {Interval(1, 2), Interval(1, 2)})
sl = SortedList([5, 1, 9])
for x in (7, 3, 5):
    sl.add(x)
print(sl._items, sl.count_between(3, 7), sl.closest(8), sl.closest(100), sl.closest(-5))


def binary_search(seq, target):
    lo, hi = 0, len(seq) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if seq[mid] == target:
            return mid
        if seq[mid] < target:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1


print(binary_search(range(0, 1000, 7), 343), binary_search([1, 3, 5], 4))
try:
    Interval(1, 2).start = 5
except Exception as e:
    print(type(e).__name__, e)
words = ["kiwi", "fig", "apple"]
for w in ("banana", "date"):
    bisect.insort(words, w, key=len) if False else words.insert(bisect.bisect(sorted(words), w), w)
print(words)
# --- parser json like
class ParseError(ValueError):
    def __init__(self, msg, pos):
        super().__init__(f"{msg} at position {pos}")
        self.pos = pos


class JsonParser:
    ESCAPES = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}

    def __init__(self, text):
        self.text = text
        self.pos = 0

    def parse(self):
        value = self.value()
        self.ws()
        if self.pos != len(self.text):
            raise ParseError("trailing data", self.pos)
        return value

    def ws(self):
        while self.pos < len(self.text) and self.text[self.pos] in " \t\r\n":
            self.pos += 1

    def expect(self, token):
        if not self.text.startswith(token, self.pos):
            raise ParseError(f"expected {token!r}", self.pos)
        self.pos += len(token)

    def value(self):
        self.ws()
        if self.pos >= len(self.text):
            raise ParseError("unexpected end", self.pos)
        ch = self.text[self.pos]
        if ch == "{":
            return self.object()
        elif ch == "[":
            return self.array()
        elif ch == '"':
            return self.string()
        for word, val in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.pos):
                self.pos += len(word)
                return val
        return self.number()

    def object(self):
        out = {}
        self.expect("{")
        self.ws()
        if self.text[self.pos:self.pos + 1] == "}":
            self.pos += 1
            return out
        while True:
            self.ws()
            key = self.string()
            self.ws()
            self.expect(":")
            out[key] = self.value()
            self.ws()
            if self.text[self.pos:self.pos + 1] == ",":
                self.pos += 1
                continue
            self.expect("}")
            return out

    def array(self):
        out = []
        self.expect("[")
        self.ws()
        if self.text[self.pos] == "]":
            self.pos += 1
            return out
        while True:
            out.append(self.value())
            self.ws()
            if self.text[self.pos:self.pos + 1] != ",":
                break
            self.pos += 1
        self.expect("]")
        return out

    def string(self):
        self.expect('"')
        chars = []
        while (c := self.text[self.pos]) != '"':
            if c == "\\":
                self.pos += 1
                e = self.text[self.pos]
                if e == "u":
                    chars.append(chr(int(self.text[self.pos + 1:self.pos + 5], 16)))
                    self.pos += 4
                else:
                    chars.append(self.ESCAPES[e])
            else:
                chars.append(c)
            self.pos += 1
        self.pos += 1
        return "".join(chars)

    def number(self):
        start = self.pos
        while self.pos < len(self.text) and self.text[self.pos] in "+-0123456789.eE":
            self.pos += 1
        raw = self.text[start:self.pos]
        if not raw:
            raise ParseError(f"unexpected {self.text[start]!r}", start)
        try:
            return int(raw)
        except ValueError:
            return float(raw)


for doc in ['{"a": [1, 2.5, -3e2], "b": {"c": null, "d": true}}', '"line\\nbreak \\u00e9"', "[]", '[1, 2', '{"a" 1}', "[1] x", "@"]:
    try:
        print(repr(JsonParser(doc).parse()))
    except ParseError as e:
        print(f"{type(e).__name__}({e}) pos={e.pos}")
    except IndexError as e:
        print("IndexError:", e)
# --- rate limiter cache singleton
class Singleton:
    _instance = None

    def __new__(cls, *args, **kwargs):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.settings = {}
        return cls._instance


class TokenBucket:
    def __init__(self, capacity, refill_rate):
        self.capacity = capacity
        self.tokens = capacity
        self.refill_rate = refill_rate
        self.last = 0

    def allow(self, now, cost=1):
        elapsed = now - self.last
        self.tokens = min(self.capacity, self.tokens + elapsed * self.refill_rate)
        self.last = now
        if self.tokens >= cost:
            self.tokens -= cost
            return True
        return False


class TTLCache(dict):
    def __init__(self, ttl, clock):
        super().__init__()
        self.ttl = ttl
        self.clock = clock

    def __setitem__(self, key, value):
        super().__setitem__(key, (self.clock(), value))

    def __getitem__(self, key):
        stamp, value = super().__getitem__(key)
        if self.clock() - stamp > self.ttl:
            del self[key]
            raise KeyError(key)
        return value

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default


class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no attribute {name!r}") from None

    def __setattr__(self, name, value):
        self[name] = value


a, b = Singleton(), Singleton()
a.settings["x"] = 1
print(a is b, b.settings)
bucket = TokenBucket(3, 0.5)
print("".join("." if bucket.allow(t) else "x" for t in [0, 0, 0, 0, 1, 2, 3, 4, 10]), bucket.tokens)
now = 0
cache = TTLCache(ttl=5, clock=lambda: now)
cache["a"] = 1
now = 4
cache["b"] = 2
print(cache.get("a"), cache["b"], len(cache))
now = 7
print(cache.get("a", "expired"), cache.get("b"), len(cache), "a" in cache)
d = AttrDict(host="x", port=1)
d.debug = True
print(d.host, d["debug"], d, list(d), isinstance(d, dict))
try:
    d.nope
except AttributeError as e:
    print(e)


class Stack(list):
    def push(self, x):
        self.append(x)
        return self

    @property
    def top(self):
        return self[-1] if self else None


s = Stack([1, 2]).push(3)
print(s, s.top, s.pop(), len(s), s + [9], Stack().top)


class CaseInsensitive(str):
    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


print(CaseInsensitive("ABC") == "abc", {CaseInsensitive("K"): 1}.get(CaseInsensitive("k")))
