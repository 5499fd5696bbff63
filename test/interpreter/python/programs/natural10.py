# --- text adventure parser
import shlex
from functools import wraps

COMMANDS = {}


def command(name, *aliases, args=0):
    def deco(fn):
        @wraps(fn)
        def inner(state, *given):
            if len(given) < args:
                return f"usage: {name}" + " ARG" * args
            return fn(state, *given)
        for n in (name, *aliases):
            COMMANDS[n] = inner
        return inner
    return deco


@command("add", "a", args=2)
def add(state, key, *values):
    """Add values to a key."""
    state.setdefault(key, []).extend(values)
    return f"{key}: {len(state[key])} values"


@command("show", "ls")
def show(state, *keys):
    """Show keys."""
    rows = {k: state[k] for k in keys} if keys else state
    return "\n".join(f"{k} = {', '.join(v)}" for k, v in rows.items()) or "(empty)"


@command("del", "rm", args=1)
def delete(state, key):
    """Delete a key."""
    del state[key]
    return f"deleted {key}"


@command("help")
def help_(state):
    seen = []
    for fn in COMMANDS.values():
        if fn not in seen:
            seen.append(fn)
    return "\n".join(f"{f.__name__.rstrip('_'):<8}{f.__doc__ or ''}".rstrip() for f in seen)


state = {}
for line in ["show", "add fruit apple 'dragon fruit'", "a veg leek", "ls fruit", "add x", "rm nope", "rm veg", "show", "fly", "help", 'add q "unclosed']:
    print(">", line)
    try:
        name, *rest = shlex.split(line)
        print(COMMANDS[name](state, *rest))
    except KeyError as e:
        print("unknown:", e)
    except ValueError as e:
        print("parse error:", e)
# --- parse query language
import re
from typing import Any

DATA = [
    {"name": "Ann", "age": 34, "city": "Oslo", "tags": ["a", "b"]},
    {"name": "Bob", "age": 19, "city": "Paris", "tags": []},
    {"name": "Cid", "age": 51, "city": "Oslo", "tags": ["b"]},
]

COND = re.compile(r"\s*(\w+)\s*(==|!=|>=|<=|>|<|~|in)\s*('[^']*'|\d+(?:\.\d+)?)\s*")


def literal(text: str) -> Any:
    if text.startswith("'"):
        return text[1:-1]
    return float(text) if "." in text else int(text)


def compile_query(q: str):
    groups = []
    for alt in re.split(r"\s+or\s+", q):
        conds = []
        for part in re.split(r"\s+and\s+", alt):
            m = COND.fullmatch(part)
            if not m:
                raise SyntaxError(f"cannot parse {part!r}")
            field, op, value = m.group(1), m.group(2), literal(m.group(3))
            conds.append((field, op, value))
        groups.append(conds)

    ops = {
        "==": lambda a, b: a == b, "!=": lambda a, b: a != b, ">": lambda a, b: a > b, "<": lambda a, b: a < b,
        ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, "~": lambda a, b: bool(re.search(b, a, re.I)), "in": lambda a, b: b in a,
    }
    return lambda row: any(all(ops[op](row[f], v) for f, op, v in conds) for conds in groups)


for q in ["age > 20", "city == 'Oslo' and age < 40", "name ~ '^b' or age >= 50", "tags in 'b'", "age >", "nope == 1", "name > 3"]:
    try:
        print(f"{q:<30}", [r["name"] for r in filter(compile_query(q), DATA)])
    except SyntaxError as e:
        print(f"{q:<30} SyntaxError: {e}")
    except KeyError as e:
        print(f"{q:<30} no field {e}")
    except TypeError as e:
        print(f"{q:<30} {e}")
# --- duration parsing
import re
from datetime import timedelta, datetime, timezone, date, time

UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}


def parse_duration(text: str) -> timedelta:
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([wdhms])", text)
    if not parts or re.sub(r"[\d.\swdhms]", "", text):
        raise ValueError(f"invalid duration: {text!r}")
    return timedelta(**{UNITS[u]: float(n) for n, u in parts})


def humanize(td: timedelta) -> str:
    seconds = int(td.total_seconds())
    sign = "-" if seconds < 0 else ""
    seconds = abs(seconds)
    out = []
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        n, seconds = divmod(seconds, size)
        if n:
            out.append(f"{n} {name}{'s' if n > 1 else ''}")
    return sign + (", ".join(out) or "0 seconds")


for text in ("1h30m", "2d 4h", "90s", "1.5w", "", "5x", "10"):
    try:
        td = parse_duration(text)
        print(f"{text!r:>8}: {td!s:>18} = {humanize(td)}")
    except ValueError as e:
        print(e)
print(humanize(datetime(2024, 3, 1) - datetime(2024, 2, 28, 12, 30)), humanize(-timedelta(hours=5)), timedelta(milliseconds=1500), timedelta(microseconds=1))
tz = timezone(timedelta(hours=5, minutes=30))
dt = datetime(2024, 1, 1, 9, 15, tzinfo=tz)
print(dt, dt.astimezone(timezone.utc), dt.utcoffset(), dt.tzname(), dt.timestamp())
print(datetime.fromisoformat("2024-05-06T07:08:09.123456+02:00").isoformat(timespec="seconds"), datetime(2024, 5, 6).isoformat())
print(date(2024, 5, 6).strftime("%d/%m/%y"), time(14, 5).isoformat(), time.fromisoformat("08:30:15").minute, date.min.year, datetime.max.date())
print(timedelta(days=2) // timedelta(hours=5), timedelta(days=2) % timedelta(hours=5), timedelta(hours=1) * 2.5, sum([timedelta(minutes=m) for m in (10, 20)], timedelta()))
print(datetime(2024, 1, 1) < datetime(2024, 1, 2), date(2024, 1, 31) + timedelta(31), (date(2025, 1, 1) - date(2024, 1, 1)).days, datetime(2024, 7, 4, 12).strftime("%c | %x | %X | %p | %y | %e | %s" if False else "%p %y %B"))
# --- lexer indent config
class ConfigError(Exception):
    def __init__(self, line_no, message):
        self.line_no = line_no
        super().__init__(f"line {line_no}: {message}")


def parse_value(raw):
    raw = raw.strip()
    if raw in ("true", "false"):
        return raw == "true"
    if raw in ("null", "~", ""):
        return None
    if raw.startswith("[") and raw.endswith("]"):
        return [parse_value(x) for x in raw[1:-1].split(",") if x.strip()]
    for cast in (int, float):
        try:
            return cast(raw)
        except ValueError:
            pass
    return raw.strip("'\"")


def parse(text):
    root = {}
    stack = [(-1, root)]
    for no, line in enumerate(text.splitlines(), start=1):
        content = line.split("#")[0].rstrip()
        if not content:
            continue
        indent = len(content) - len(content.lstrip(" "))
        if indent % 2:
            raise ConfigError(no, f"odd indentation of {indent}")
        key, colon, value = content.strip().partition(":")
        if not colon:
            raise ConfigError(no, f"expected 'key: value', got {content.strip()!r}")
        while stack[-1][0] >= indent:
            stack.pop()
        parent = stack[-1][1]
        if key in parent:
            raise ConfigError(no, f"duplicate key {key}")
        if value.strip():
            parent[key] = parse_value(value)
        else:
            parent[key] = {}
            stack.append((indent, parent[key]))
    return root


def dump(node, depth=0):
    for k, v in node.items():
        if isinstance(v, dict):
            print("  " * depth + f"{k}:")
            dump(v, depth + 1)
        else:
            print("  " * depth + f"{k}: {v!r}")


config = parse("""\
name: demo   # the name
server:
  host: 'localhost'
  port: 8080
  tls:
    enabled: false
    ciphers: [a, b, 3]
ratio: 0.75
nothing: ~
""")
dump(config)
print(config["server"]["tls"])
for bad in ("a: 1\n b: 2", "just text", "a: 1\na: 2"):
    try:
        parse(bad)
    except ConfigError as e:
        print(f"{e} (line_no={e.line_no})")
# --- observable dict proxy
from collections.abc import MutableMapping, Sequence
from collections import UserDict
import operator


class ObservableDict(MutableMapping):
    def __init__(self, *args, **kwargs):
        self._data = dict(*args, **kwargs)
        self.log = []

    def __getitem__(self, key):
        return self._data[key]

    def __setitem__(self, key, value):
        self.log.append(("set", key, self._data.get(key), value))
        self._data[key] = value

    def __delitem__(self, key):
        self.log.append(("del", key, self._data.pop(key), None))

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)

    def __repr__(self):
        return f"{type(self).__name__}({self._data!r})"


d = ObservableDict(a=1)
d["b"] = 2
d.update({"a": 10}, c=3)
d.setdefault("z", []).append(1)
print(d.pop("b"), d.pop("nope", "default"), "a" in d, d.get("q"), list(d.items()), d)
del d["c"]
for entry in d.log:
    print(*entry)
print(d == {"a": 10, "z": [1]}, sorted(d), d.popitem(), len(d), bool(d))
try:
    d["missing"]
except KeyError as e:
    print("KeyError", e)


class LowerDict(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)

    def __contains__(self, key):
        return super().__contains__(key.lower())


h = LowerDict({"Content-Type": "text/html"})
h["ACCEPT"] = "*/*"
print(h, "accept" in h, "content-TYPE" in h, h.data)


class Window(Sequence):
    def __init__(self, base, start, stop):
        self.base, self.range = base, range(start, stop)

    def __len__(self):
        return len(self.range)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self.base[j] for j in self.range[i]]
        return self.base[self.range[i]]


w = Window("abcdefgh", 2, 6)
print(list(w), w[0], w[-1], w[1:3], "e" in w, w.index("f"), w.count("c"), list(reversed(w)))
try:
    w[9]
except IndexError as e:
    print(e)
print(operator.itemgetter(1, 3)(w), operator.attrgetter("range.start")(w), operator.methodcaller("index", "d")(w), operator.contains(w, "d"))
# --- logging pipeline stdout
import logging
import sys
from contextlib import contextmanager, redirect_stdout
from io import StringIO


class ListHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append(self.format(record))


log = logging.getLogger("app")
log.setLevel(logging.DEBUG)
log.propagate = False
memory = ListHandler()
memory.setFormatter(logging.Formatter("%(levelname)-8s|%(name)s|%(message)s"))
console = logging.StreamHandler(sys.stdout)
console.setLevel(logging.WARNING)
console.setFormatter(logging.Formatter("[%(levelname)s] %(message)s"))
log.addHandler(memory)
log.addHandler(console)

db = logging.getLogger("app.db")
log.debug("starting %s", "up")
db.info("connected to %(host)s:%(port)d", {"host": "h", "port": 5})
db.warning("slow query: %.1f ms", 123.456)
try:
    {}["k"]
except KeyError:
    log.error("failed: %r", "k")
print(*memory.records, sep="\n")
print(log.isEnabledFor(logging.DEBUG), logging.getLevelName(30), db.getEffectiveLevel() == logging.DEBUG, db.name)


@contextmanager
def captured():
    buf = StringIO()
    with redirect_stdout(buf):
        yield buf


with captured() as out:
    print("hidden", end="")
    print(1, 2, sep="-")
print("captured:", repr(out.getvalue()))
print("a", "b", sep="", end="!\n", file=sys.stdout)
sys.stdout.write("written\n")
buf = StringIO("line1\nline2\n\nline4")
print([l.rstrip() for l in buf], buf.tell() if False else "", StringIO("x y").read().split())
# --- units converter overload
from functools import total_ordering


@total_ordering
class Quantity:
    FACTORS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "in": 0.0254, "ft": 0.3048}

    def __init__(self, value, unit="m"):
        if unit not in self.FACTORS:
            raise ValueError(f"unknown unit {unit!r} (known: {', '.join(sorted(self.FACTORS))})")
        self.value, self.unit = value, unit

    @classmethod
    def parse(cls, text):
        number = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
        return cls(float(number), text[len(number):].strip() or "m")

    @property
    def base(self):
        return self.value * self.FACTORS[self.unit]

    def to(self, unit):
        return Quantity(self.base / self.FACTORS[unit], unit)

    def __add__(self, other):
        if not isinstance(other, Quantity):
            return NotImplemented
        return Quantity((self.base + other.base) / self.FACTORS[self.unit], self.unit)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mul__(self, k):
        return Quantity(self.value * k, self.unit)

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Quantity) and abs(self.base - other.base) < 1e-9

    def __lt__(self, other):
        if not isinstance(other, Quantity):
            return NotImplemented
        return self.base < other.base

    def __hash__(self):
        return hash(round(self.base, 9))

    def __float__(self):
        return float(self.base)

    def __int__(self):
        return int(self.base)

    def __getattr__(self, name):
        if name in type(self).FACTORS:
            return self.to(name).value
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __format__(self, spec):
        return f"{self.value:{spec or 'g'}} {self.unit}"

    def __repr__(self):
        return f"Quantity({self.value}, {self.unit!r})"


lengths = [Quantity.parse(t) for t in ("1.5 km", "20 ft", "300cm", "7")]
print(lengths, sum(lengths), f"{sum(lengths):.2f}")
print(sorted(lengths), max(lengths), Quantity(1) == Quantity(100, "cm"), Quantity(1) >= Quantity(2))
print(f"{Quantity(1).ft:.3f}", Quantity(2, "km").mm, float(Quantity(5, "cm")), int(Quantity(2.7)), 3 * Quantity(2))
print(len({Quantity(1), Quantity(100, "cm"), Quantity(2)}), f"{Quantity(1234.5):,.1f}", f"{lengths[1].to('in'):.0f}", str(Quantity(1)))
for bad in (lambda: Quantity(1, "parsec"), lambda: Quantity(1).lbs, lambda: Quantity(1) + 5, lambda: Quantity(1) < 3, lambda: Quantity.parse("abc")):
    try:
        bad()
    except (ValueError, AttributeError, TypeError) as e:
        print(f"{type(e).__name__}: {e}")
# --- memo coroutine pipeline generators
from functools import wraps


def coroutine(fn):
    @wraps(fn)
    def start(*args, **kwargs):
        gen = fn(*args, **kwargs)
        next(gen)
        return gen
    return start


@coroutine
def averager():
    total, n, avg = 0.0, 0, None
    try:
        while True:
            x = yield avg
            total += x
            n += 1
            avg = total / n
    except GeneratorExit:
        print(f"averager closed after {n} values")


@coroutine
def broadcaster(*targets):
    while True:
        item = yield
        for t in targets:
            t.send(item)


@coroutine
def collector(predicate, into):
    while True:
        x = yield
        if predicate(x):
            into.append(x)


evens, big = [], []
b = broadcaster(collector(lambda x: x % 2 == 0, evens), collector(lambda x: x > 6, big))
for i in range(10):
    b.send(i)
print(evens, big)
avg = averager()
print([avg.send(x) for x in (10, 20, 60)])
avg.close()


def chunked_reader(lines):
    section = None
    buffer = []
    for line in lines:
        if line.startswith("["):
            if section:
                yield section, buffer
            section, buffer = line.strip("[]"), []
        elif line:
            buffer.append(line)
    if section:
        yield section, buffer


print(dict(chunked_reader("[a]\n1\n2\n\n[b]\n[c]\n3".split("\n"))))


def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)


print(list(tree(3)))


def subtotal():
    total = 0
    while (x := (yield)) is not None:
        total += x
    return total


def grand(results):
    while True:
        results.append((yield from subtotal()))


results = []
g = grand(results)
next(g)
for x in (1, 2, None, 10, None):
    g.send(x)
print(results)


def resilient():
    while True:
        try:
            x = yield
            print("got", x)
        except ValueError as e:
            print("handled", e)


r = resilient()
next(r)
r.send(1)
r.throw(ValueError("oops"))
r.send(2)
r.close()
try:
    r.send(3)
except StopIteration:
    print("stopped")
squares = (n * n for n in range(5))
print(sum(squares), sum(squares), list(zip(range(3), (c for c in "abc"))), max((len(w), w) for w in ["a", "bbb", "cc"]))
