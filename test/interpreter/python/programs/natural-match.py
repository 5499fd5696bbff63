# command dispatch
def run(command, store):
    match command.split():
        case ["set", key, value]:
            store[key] = value
            return "ok"
        case ["get", key] if key in store:
            return store[key]
        case ["get", key]:
            return f"no {key}"
        case ["del", *keys]:
            return sum(1 for k in keys if store.pop(k, None) is not None)
        case ["list"]:
            return sorted(store)
        case ["quit" | "exit" | "q"]:
            return None
        case []:
            return ""
        case [name, *_]:
            return f"unknown command {name!r}"
store = {}
for line in ["set a 1", "set b 2", "get a", "get z", "list", "del a x", "list", "", "fly me", "q"]:
    print(repr(line), "->", run(line, store))
# --- an evaluator of expressions
from dataclasses import dataclass
from typing import Union
@dataclass
class Num:
    value: float
@dataclass
class Var:
    name: str
@dataclass
class BinOp:
    op: str
    left: "Expr"
    right: "Expr"
@dataclass
class Neg:
    operand: "Expr"
Expr = Union[Num, Var, BinOp, Neg]
def evaluate(e: Expr, env: dict) -> float:
    match e:
        case Num(v):
            return v
        case Var(name) if name in env:
            return env[name]
        case Var(name):
            raise NameError(name)
        case Neg(x):
            return -evaluate(x, env)
        case BinOp("+", l, r):
            return evaluate(l, env) + evaluate(r, env)
        case BinOp("-", l, r):
            return evaluate(l, env) - evaluate(r, env)
        case BinOp("*", l, r):
            return evaluate(l, env) * evaluate(r, env)
        case BinOp("/", l, r):
            d = evaluate(r, env)
            if d == 0:
                raise ZeroDivisionError(show(e))
            return evaluate(l, env) / d
        case BinOp(op=other):
            raise ValueError(f"unknown operator {other}")
def show(e):
    match e:
        case Num(v):
            return str(v)
        case Var(n):
            return n
        case Neg(x):
            return f"-{show(x)}"
        case BinOp(op, l, r):
            return f"({show(l)} {op} {show(r)})"
def simplify(e):
    match e:
        case BinOp("*", Num(0), _) | BinOp("*", _, Num(0)):
            return Num(0)
        case BinOp("*", Num(1), x) | BinOp("*", x, Num(1)) | BinOp("+", Num(0), x) | BinOp("+", x, Num(0)):
            return simplify(x)
        case Neg(Neg(x)):
            return simplify(x)
        case BinOp(op, l, r):
            new = BinOp(op, simplify(l), simplify(r))
            return new if new == e else simplify(new)
        case Neg(x):
            return Neg(simplify(x))
        case _:
            return e
tree = BinOp("+", BinOp("*", Num(2), Var("x")), Neg(BinOp("/", Num(9), Num(3))))
print(show(tree), evaluate(tree, {"x": 5}))
print(show(simplify(BinOp("+", BinOp("*", Num(1), Var("y")), BinOp("*", Num(0), Var("x"))))))
print(simplify(Neg(Neg(Neg(Num(1))))))
for bad in [Var("q"), BinOp("/", Num(1), Num(0)), BinOp("%", Num(1), Num(2))]:
    try:
        evaluate(bad, {})
    except Exception as e:
        print(type(e).__name__, e)
# --- a state machine
from enum import Enum, auto
class State(Enum):
    IDLE = auto()
    CONNECTING = auto()
    CONNECTED = auto()
    FAILED = auto()
def step(state, event):
    match (state, event):
        case (State.IDLE | State.FAILED, {"type": "connect", "host": host}):
            return State.CONNECTING, f"dialing {host}"
        case (State.CONNECTING, {"type": "ok"}):
            return State.CONNECTED, "up"
        case (State.CONNECTING, {"type": "error", "retry": int(n)}) if n > 0:
            return State.CONNECTING, f"{n} left"
        case (State.CONNECTING, {"type": "error", **details}):
            return State.FAILED, f"failed: {details or 'no details'}"
        case (State.CONNECTED, {"type": "close"}):
            return State.IDLE, "bye"
        case (s, {"type": t}):
            return s, f"ignored {t} in {s.name}"
s = State.IDLE
for e in [{"type": "ok"}, {"type": "connect", "host": "a"}, {"type": "error", "retry": 2}, {"type": "error", "retry": 0, "code": 5}, {"type": "connect", "host": "b"}, {"type": "ok"}, {"type": "close"}]:
    s, note = step(s, e)
    print(s.name, "|", note)
# --- walking json
data = {"users": [{"name": "Ann", "roles": ["admin", "dev"], "address": {"city": "Oslo"}}, {"name": "Bob", "roles": []}, {"id": 3}], "total": 3, "next": None, "ok": True, "ratio": 0.5}
def walk(value, path="$"):
    match value:
        case dict():
            for k, v in value.items():
                yield from walk(v, f"{path}.{k}")
        case []:
            yield path, "empty"
        case list():
            for i, v in enumerate(value):
                yield from walk(v, f"{path}[{i}]")
        case bool():
            yield path, "bool"
        case int() | float():
            yield path, f"number {value}"
        case str(text) if len(text) > 3:
            yield path, f"long {text}"
        case str():
            yield path, value
        case None:
            yield path, "null"
for p, v in walk(data):
    print(p, v)
def cities(v):
    match v:
        case {"city": str(c)}:
            return [c]
        case {**fields}:
            return [c for f in fields.values() for c in cities(f)]
        case [*items]:
            return [c for i in items for c in cities(i)]
        case _:
            return []
print(cities(data))
# --- http responses
def handle(response):
    match response:
        case {"status": 200, "body": {"items": [first, *rest]}}:
            return f"{1 + len(rest)} items, first {first}"
        case {"status": 200 | 201 | 204 as code}:
            return f"ok {code}"
        case {"status": 301 | 302, "headers": {"location": url}}:
            return f"moved to {url}"
        case {"status": code} if 400 <= code < 500:
            return f"client error {code}"
        case {"status": code, "body": str(text)} if code >= 500:
            return f"server error {code}: {text[:10]}"
        case {"status": int(code)}:
            return f"unexpected {code}"
        case _:
            return "malformed"
for r in [{"status": 200, "body": {"items": [1, 2, 3]}}, {"status": 200, "body": {"items": []}}, {"status": 204}, {"status": 302, "headers": {"location": "/x"}}, {"status": 404}, {"status": 503, "body": "overloaded, sorry"}, {"status": 503}, {"code": 1}, None]:
    print(handle(r))
# --- a tokenizer and parser
import re
def tokens(text):
    out = []
    for m in re.finditer(r"\s*(?:(\d+\.?\d*)|(.))", text):
        match m.groups():
            case (str(n), None):
                out.append(("num", float(n) if "." in n else int(n)))
            case (None, "+" | "-" | "*" | "/" as op):
                out.append(("op", op))
            case (None, "(" | ")" as p):
                out.append((p,))
            case (None, other):
                raise SyntaxError(f"unexpected {other!r}")
    return out
def parse(toks):
    pos = 0
    def peek():
        return toks[pos] if pos < len(toks) else None
    def expr():
        nonlocal pos
        value = term()
        while True:
            match peek():
                case ("op", "+"):
                    pos += 1
                    value += term()
                case ("op", "-"):
                    pos += 1
                    value -= term()
                case _:
                    return value
    def term():
        nonlocal pos
        value = atom()
        while True:
            match peek():
                case ("op", "*" | "/" as op):
                    pos += 1
                    right = atom()
                    value = value * right if op == "*" else value / right
                case _:
                    return value
    def atom():
        nonlocal pos
        match peek():
            case ("num", n):
                pos += 1
                return n
            case ("op", "-"):
                pos += 1
                return -atom()
            case ("(",):
                pos += 1
                value = expr()
                match peek():
                    case (")",):
                        pos += 1
                        return value
                    case other:
                        raise SyntaxError(f"want ), got {other}")
            case None:
                raise SyntaxError("unexpected end")
            case tok:
                raise SyntaxError(f"unexpected {tok}")
    value = expr()
    if peek() is not None:
        raise SyntaxError(f"left over: {peek()}")
    return value
for t in ["1 + 2 * 3", "(1 + 2) * -3", "10 / 4 - 1", "2 * (3", "2 +", "2 3", "2 $ 3"]:
    try:
        print(t, "=", parse(tokens(t)))
    except SyntaxError as e:
        print(t, "!", e)
# --- events to totals
events = [
    {"kind": "sale", "sku": "A", "qty": 2, "price": 5.0},
    {"kind": "refund", "sku": "A", "qty": 1},
    {"kind": "sale", "sku": "B", "qty": 1, "price": 20.0, "discount": {"type": "percent", "value": 10}},
    {"kind": "sale", "sku": "C", "qty": 3, "price": 1.0, "discount": {"type": "fixed", "value": 0.5}},
    {"kind": "note", "text": "hi"},
    {"kind": "restock", "items": [("A", 5), ("D", 1)]},
    "garbage",
]
stock, revenue, problems = {"A": 10, "B": 1}, 0.0, []
for i, e in enumerate(events):
    match e:
        case {"kind": "sale", "sku": sku, "qty": int(q), "price": p, "discount": {"type": "percent", "value": v}}:
            revenue += q * p * (1 - v / 100)
            stock[sku] = stock.get(sku, 0) - q
        case {"kind": "sale", "sku": sku, "qty": q, "price": p, "discount": {"type": "fixed", "value": v}}:
            revenue += q * p - v
            stock[sku] = stock.get(sku, 0) - q
        case {"kind": "sale", "sku": sku, "qty": q, "price": p}:
            revenue += q * p
            stock[sku] = stock.get(sku, 0) - q
        case {"kind": "refund", "sku": sku, "qty": q}:
            stock[sku] += q
        case {"kind": "restock", "items": [*items]}:
            for sku, n in items:
                stock[sku] = stock.get(sku, 0) + n
        case {"kind": kind}:
            problems.append(f"{i}: unknown {kind}")
        case _:
            problems.append(f"{i}: {type(e).__name__}")
print(stock, round(revenue, 2), problems)
# --- configuration with defaults
def server(config):
    match config:
        case {"server": {"host": str(h), "port": int(p)}} if 0 < p < 65536:
            pass
        case {"server": {"port": p}} if not isinstance(p, int):
            raise TypeError(f"port must be an int, got {type(p).__name__}")
        case {"server": {"host": h, **rest}}:
            p = 8080
            if rest:
                print("ignored", sorted(rest))
        case {"server": str(spec)}:
            match spec.split(":"):
                case [h, port] if port.isdigit():
                    p = int(port)
                case [h]:
                    p = 80
                case _:
                    raise ValueError(f"bad server {spec!r}")
        case _:
            h, p = "localhost", 80
    return f"{h}:{p}"
for c in [{"server": {"host": "a", "port": 1}}, {"server": {"host": "b", "port": 99999}}, {"server": {"host": "c"}}, {"server": "d:22"}, {"server": "e"}, {}]:
    print(server(c))
for c in [{"server": {"port": "x"}}, {"server": "a:b:c"}]:
    try:
        server(c)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
# --- geometry with methods
from dataclasses import dataclass
import math
@dataclass
class Circle:
    r: float
@dataclass
class Rect:
    w: float
    h: float
    @property
    def is_square(self):
        return self.w == self.h
@dataclass
class Group:
    shapes: list
    scale: float = 1
def area(s):
    match s:
        case Circle(r=r):
            return math.pi * r ** 2
        case Rect(is_square=True, w=w):
            return w * w
        case Rect(w, h):
            return w * h
        case Group([]):
            return 0
        case Group([only], scale):
            return area(only) * scale
        case Group(shapes, k):
            return sum(map(area, shapes)) * k
        case _:
            raise TypeError(f"no shape: {s!r}")
print([round(area(s), 3) for s in [Circle(1), Rect(2, 2), Rect(2, 3), Group([]), Group([Rect(1, 1)], 2), Group([Circle(2), Group([Rect(1, 2)])])]])
try:
    area("square")
except TypeError as e:
    print(e)
# --- fizzbuzz and binary trees
for i in range(1, 16):
    match (i % 3, i % 5):
        case (0, 0):
            print("FizzBuzz", end=" ")
        case (0, _):
            print("Fizz", end=" ")
        case (_, 0):
            print("Buzz", end=" ")
        case _:
            print(i, end=" ")
print()
def insert(tree, x):
    match tree:
        case None:
            return (None, x, None)
        case (l, v, r) if x < v:
            return (insert(l, x), v, r)
        case (l, v, r) if x > v:
            return (l, v, insert(r, x))
        case same:
            return same
def in_order(tree):
    match tree:
        case (l, v, r):
            return [*in_order(l), v, *in_order(r)]
        case None:
            return []
t = None
for x in [5, 2, 8, 2, 1, 9]:
    t = insert(t, x)
print(in_order(t))
# --- results and errors as values
from dataclasses import dataclass
@dataclass
class Ok:
    value: object
@dataclass
class Err:
    message: str
    code: int = 1
def parse_age(text):
    match text.strip():
        case "":
            return Err("empty")
        case t if t.lstrip("-").isdigit():
            match int(t):
                case n if n < 0:
                    return Err("negative", 2)
                case n if n > 150:
                    return Err("too old", 3)
                case n:
                    return Ok(n)
        case t:
            return Err(f"not a number: {t}", 4)
for text in ["42", " 7 ", "", "-3", "200", "x"]:
    match parse_age(text):
        case Ok(age):
            print("age", age)
        case Err(msg, 1):
            print("error", msg)
        case Err(msg, code=c):
            print("error", c, msg)
# --- type names to converters
def convert(kind, raw):
    match kind.lower():
        case "int" | "integer":
            return int(raw)
        case "float" | "double" | "number":
            return float(raw)
        case "bool" | "boolean":
            match raw.lower():
                case "true" | "1" | "yes":
                    return True
                case "false" | "0" | "no":
                    return False
                case _:
                    raise ValueError(f"no bool: {raw}")
        case "list":
            return [x.strip() for x in raw.split(",")]
        case k if k.startswith("list[") and k.endswith("]"):
            return [convert(k[5:-1], x) for x in raw.split(",")]
        case _:
            return raw
print(convert("Int", "5"), convert("number", "1.5"), convert("bool", "YES"), convert("list", "a, b"), convert("list[int]", "1,2"), convert("text", "t"))
# --- moves on a grid
def move(pos, command):
    x, y = pos
    match command:
        case "up" | "u":
            return x, y + 1
        case "down" | "d":
            return x, y - 1
        case ("left" | "right") as side:
            return x + (1 if side == "right" else -1), y
        case ("jump", dx, dy):
            return x + dx, y + dy
        case {"to": [nx, ny]} | {"x": nx, "y": ny}:
            return nx, ny
        case int(n) | (n, "steps"):
            return x + n, y
        case None:
            return pos
        case _:
            raise ValueError(f"cannot {command!r}")
p = (0, 0)
for c in ["up", "right", "left", "d", ("jump", 3, 4), {"to": [7, 7]}, {"x": 1, "y": 2}, 5, (2, "steps"), None]:
    p = move(p, c)
    print(p, end=" ")
print()
try:
    move(p, ["fly"])
except ValueError as e:
    print(e)
# --- diffs of documents
def diff(old, new, path=()):
    match old, new:
        case dict(), dict():
            for k in sorted({*old, *new}):
                match k in old, k in new:
                    case True, True:
                        yield from diff(old[k], new[k], (*path, k))
                    case True, False:
                        yield ("removed", (*path, k), old[k])
                    case False, True:
                        yield ("added", (*path, k), new[k])
        case [*a], [*b]:
            for i in range(max(len(a), len(b))):
                if i >= len(a):
                    yield ("added", (*path, i), b[i])
                elif i >= len(b):
                    yield ("removed", (*path, i), a[i])
                else:
                    yield from diff(a[i], b[i], (*path, i))
        case a, b if a != b:
            yield ("changed", path, a, b)
for change in diff({"a": 1, "b": [1, 2, {"x": 0}], "c": None}, {"a": 2, "b": [1, 3, {"x": 0}, 4], "d": 1}):
    match change:
        case ("changed", where, a, b):
            print("~", *where, a, "->", b)
        case ("added" | "removed" as what, where, value):
            print({"added": "+", "removed": "-"}[what], *where, value)
# --- regular expression matches
import re
def classify(line):
    match re.match(r"(?P<level>[A-Z]+)(?: \[(?P<where>[^\]]+)\])?: (?P<text>.*)", line):
        case None:
            return "plain"
        case m:
            match m.groupdict():
                case {"level": "ERROR" | "FATAL" as level, "where": None, "text": text}:
                    return f"{level.lower()}! {text}"
                case {"level": "ERROR", "where": where, "text": text}:
                    return f"error in {where}: {text}"
                case {"level": level, **rest}:
                    return (level, rest)
for line in ["ERROR [db]: lost", "FATAL: gone", "INFO [x]: fine", "nothing"]:
    print(classify(line))
# --- linked lists and nested tuples
def total(xs):
    match xs:
        case ():
            return 0
        case (head, tail):
            return head + total(tail)
print(total((1, (2, (3, ())))))
def flatten(x):
    match x:
        case [first, *rest]:
            return flatten(first) + flatten(rest)
        case []:
            return []
        case leaf:
            return [leaf]
print(flatten([1, [2, (3, [4])], [], "ab"]))
# --- counting and grouping with match
from collections import defaultdict
groups = defaultdict(list)
for item in [1, "a", 2.5, None, [1], {"k": 1}, True, "b", (1, 2), b"x", 7]:
    match item:
        case bool() | None:
            groups["special"].append(item)
        case int() | float():
            groups["numbers"].append(item)
        case str() | bytes():
            groups["texts"].append(item)
        case [] | [_] | {}:
            groups["small"].append(item)
        case _:
            groups["rest"].append(item)
for k in sorted(groups):
    print(k, groups[k])
# --- visitors in a class
class Interpreter:
    def __init__(self):
        self.stack, self.vars, self.out = [], {}, []
    def run(self, program):
        pc = 0
        while pc < len(program):
            match program[pc]:
                case ("push", v):
                    self.stack.append(v)
                case ("add" | "mul" as op,):
                    b, a = self.stack.pop(), self.stack.pop()
                    self.stack.append(a + b if op == "add" else a * b)
                case ("store", name):
                    self.vars[name] = self.stack.pop()
                case ("load", name) if name in self.vars:
                    self.stack.append(self.vars[name])
                case ("load", name):
                    raise KeyError(name)
                case ("jump_if_less", limit, target):
                    if self.stack.pop() < limit:
                        pc = target
                        continue
                case ("print",):
                    self.out.append(self.stack.pop())
                case ("halt",):
                    break
                case instruction:
                    raise ValueError(f"bad instruction {instruction} at {pc}")
            pc += 1
        return self.out
i = Interpreter()
print(i.run([("push", 1), ("store", "i"), ("load", "i"), ("print",), ("load", "i"), ("push", 2), ("mul",), ("store", "i"), ("load", "i"), ("jump_if_less", 20, 2), ("halt",), ("nonsense",)]), i.vars)
for bad in [[("load", "q")], [("push", 1), ("fly", 2)]]:
    try:
        Interpreter().run(bad)
    except (KeyError, ValueError) as e:
        print(type(e).__name__, e)
# --- async handlers
import asyncio
async def fetch(url):
    await asyncio.sleep(0)
    match url:
        case "/ok":
            return {"status": 200, "data": [1, 2]}
        case "/slow":
            await asyncio.sleep(0)
            return {"status": 202}
        case u if u.startswith("/err"):
            raise ConnectionError(u)
    return None
async def main():
    results = await asyncio.gather(*(fetch(u) for u in ["/ok", "/slow", "/err/1", "/none"]), return_exceptions=True)
    for r in results:
        match r:
            case {"status": 200, "data": [*xs]}:
                print("data", xs)
            case {"status": s}:
                print("status", s)
            case ConnectionError() as e:
                print("failed", e)
            case None:
                print("nothing")
    match await fetch("/ok"):
        case {"data": [_, second]}:
            print(second)
asyncio.run(main())
