# inventory commands with aliases and errors
from collections import Counter, defaultdict
import json
class InventoryError(Exception):
    def __init__(self, code, **info):
        super().__init__(f"{code}: {info}")
        self.code, self.info = code, info
def apply(inv: Counter, action: dict) -> Counter:
    match action:
        case {"op": "add" | "receive", "item": str(item), "n": int(n)} if n > 0:
            return inv + Counter({item: n})
        case {"op": "remove", "item": item, **opts}:
            n = opts.get("n", 1)
            if inv[item] < n:
                raise InventoryError("short", item=item, have=inv[item], want=n)
            new = inv.copy()
            new[item] -= n
            return +new
        case {"op": "batch", "actions": [*actions]}:
            for a in actions:
                inv = apply(inv, a)
            return inv
        case {"op": op}:
            raise InventoryError("unknown-op", op=op)
        case _:
            raise TypeError(f"not an action: {action!r}")
inv = Counter(apples=2)
for a in [{"op": "add", "item": "pears", "n": 3}, {"op": "remove", "item": "apples"}, {"op": "remove", "item": "apples", "n": 5},
          {"op": "batch", "actions": [{"op": "receive", "item": "figs", "n": 1}, {"op": "remove", "item": "pears", "n": 3}]}, {"op": "paint"}, ["x"], {"op": "add", "item": "x", "n": 0}]:
    try:
        inv = apply(inv, a)
        print(dict(sorted(inv.items())))
    except InventoryError as e:
        match e:
            case InventoryError(code="short", info={"have": h, "want": w}):
                print("short by", w - h)
            case InventoryError(code=c):
                print("code", c)
    except TypeError as e:
        print(e)
# --- markdown to blocks
import re
text = """# Title
Some *text* here
- one
- two
  1. nested
> quote
```py
code = 1
```
---
last"""
def blocks(lines):
    it = iter(lines)
    for line in it:
        match line:
            case "":
                continue
            case s if m := re.match(r"(#+) (.*)", s):
                level, title = m.groups()
                yield ("h", len(level), title)
            case s if s.startswith("```"):
                code = []
                for c in it:
                    if c == "```":
                        break
                    code.append(c)
                yield ("code", s[3:] or None, code)
            case "---" | "***" | "___":
                yield ("hr",)
            case s if s.lstrip().startswith("- "):
                yield ("li", len(s) - len(s.lstrip()), s.strip()[2:])
            case s if s.startswith(">"):
                yield ("quote", s[1:].strip())
            case s:
                yield ("p", s.strip())
for b in blocks(text.splitlines()):
    match b:
        case ("h", n, t):
            print(f"<h{n}>{t}</h{n}>")
        case ("code", None, _):
            print("plain code")
        case ("code", lang, [first, *rest]):
            print(lang, first, len(rest))
        case ("hr",):
            print("<hr>")
        case (kind, *args):
            print(kind, args)
# --- poker hands
from collections import Counter
def rank(cards):
    values = sorted(("23456789TJQKA".index(c[0]) for c in cards), reverse=True)
    flush = len({c[1] for c in cards}) == 1
    straight = values == list(range(values[0], values[0] - 5, -1)) or values == [12, 3, 2, 1, 0]
    counts = sorted(Counter(values).values(), reverse=True)
    match counts, flush, straight:
        case _, True, True:
            return "straight flush"
        case [4, 1], _, _:
            return "four"
        case [3, 2], *_:
            return "full house"
        case _, True, _:
            return "flush"
        case _, _, True:
            return "straight"
        case [3, *_], _, _:
            return "three"
        case [2, 2, 1], _, _:
            return "two pairs"
        case [2, *_], _, _:
            return "pair"
        case _:
            return "high card"
for h in ["2h 3h 4h 5h 6h", "2h 2d 2s 2c Kd", "2h 2d 3s 3c 3d", "2h 4h 9h Jh Kh", "Ah 2d 3s 4c 5d", "7h 7d 7s 4c 5d", "7h 7d 4s 4c 5d", "7h 7d 4s 3c 5d", "7h 8d 4s 3c Kd"]:
    print(h, "->", rank(h.split()))
# --- lisp with closures
def tokenize(s):
    return s.replace("(", " ( ").replace(")", " ) ").split()
def read(tokens):
    match tokens.pop(0):
        case "(":
            out = []
            while tokens[0] != ")":
                out.append(read(tokens))
            tokens.pop(0)
            return out
        case ")":
            raise SyntaxError("unexpected )")
        case t:
            try:
                return int(t)
            except ValueError:
                return t
import operator
BASE = {"+": operator.add, "-": operator.sub, "*": operator.mul, "<": operator.lt, "=": operator.eq, "list": lambda *a: list(a), "car": lambda x: x[0], "cdr": lambda x: x[1:], "null?": lambda x: x == []}
def ev(x, env):
    match x:
        case int() | float():
            return x
        case str(name):
            for scope in env:
                if name in scope:
                    return scope[name]
            raise NameError(name)
        case ["quote", value]:
            return value
        case ["if", cond, yes, no]:
            return ev(yes if ev(cond, env) else no, env)
        case ["define", [name, *params], *body]:
            env[0][name] = make(params, body, env)
        case ["define", str(name), value]:
            env[0][name] = ev(value, env)
        case ["lambda", [*params], *body]:
            return make(params, body, env)
        case ["let", [*bindings], *body]:
            local = {n: ev(v, env) for n, v in bindings}
            return run(body, [local, *env])
        case [op, *args]:
            return ev(op, env)(*[ev(a, env) for a in args])
        case []:
            return []
def run(body, env):
    result = None
    for e in body:
        result = ev(e, env)
    return result
def make(params, body, env):
    return lambda *args: run(body, [dict(zip(params, args)), *env])
env = [dict(BASE)]
for src in ["(define (fact n) (if (< n 2) 1 (* n (fact (- n 1)))))", "(fact 20)", "(define (map f xs) (if (null? xs) (quote ()) (let ((h (f (car xs))) (t (map f (cdr xs)))) (list h t))))",
            "(map (lambda (x) (* x x)) (list 1 2 3))", "((lambda (a b) (+ a b)) 3 4)", "(let ((x 2) (y 3)) (* x y))", "(nope 1)"]:
    try:
        print(ev(read(tokenize(src)), env))
    except NameError as e:
        print("unbound", e)
# --- type inference over a tiny language
from dataclasses import dataclass, replace
from typing import Optional
@dataclass(frozen=True)
class TInt: pass
@dataclass(frozen=True)
class TBool: pass
@dataclass(frozen=True)
class TFun:
    arg: object
    res: object
@dataclass
class TVar:
    id: int
    ref: Optional[object] = None
n = 0
def fresh():
    global n
    n += 1
    return TVar(n)
def prune(t):
    match t:
        case TVar(ref=None):
            return t
        case TVar(ref=r):
            return prune(r)
        case TFun(a, b):
            return TFun(prune(a), prune(b))
        case _:
            return t
def unify(a, b):
    match prune(a), prune(b):
        case TVar(id=i), TVar(id=j) if i == j:
            pass
        case TVar() as v, t:
            v.ref = t
        case t, TVar() as v:
            v.ref = t
        case TFun(a1, r1), TFun(a2, r2):
            unify(a1, a2)
            unify(r1, r2)
        case x, y if x == y:
            pass
        case x, y:
            raise TypeError(f"{show(x)} is not {show(y)}")
def show(t):
    match prune(t):
        case TInt():
            return "int"
        case TBool():
            return "bool"
        case TVar(id=i):
            return f"t{i}"
        case TFun(TFun() as a, r):
            return f"({show(a)}) -> {show(r)}"
        case TFun(a, r):
            return f"{show(a)} -> {show(r)}"
def infer(e, env):
    match e:
        case bool():
            return TBool()
        case int():
            return TInt()
        case str(x) if x in env:
            return env[x]
        case ("fn", x, body):
            a = fresh()
            return TFun(a, infer(body, {**env, x: a}))
        case ("+" | "-", l, r):
            unify(infer(l, env), TInt())
            unify(infer(r, env), TInt())
            return TInt()
        case ("if", c, t, f):
            unify(infer(c, env), TBool())
            tt = infer(t, env)
            unify(tt, infer(f, env))
            return tt
        case (f, x):
            r = fresh()
            unify(infer(f, env), TFun(infer(x, env), r))
            return r
        case other:
            raise NameError(repr(other))
for e in [("fn", "x", ("+", "x", 1)), ("fn", "f", ("fn", "x", ("f", ("f", "x")))), ("if", True, 1, 2), ("if", 1, 2, 3), (("fn", "x", "x"), False), "y", ("fn", "c", ("if", "c", ("fn", "z", "z"), ("fn", "w", ("+", "w", 1))))]:
    try:
        print(show(infer(e, {})))
    except (TypeError, NameError) as err:
        print(type(err).__name__, err)
# --- query filters
def compile_filter(q):
    match q:
        case {"and": [*parts]}:
            fs = [compile_filter(p) for p in parts]
            return lambda r: all(f(r) for f in fs)
        case {"or": [*parts]}:
            fs = [compile_filter(p) for p in parts]
            return lambda r: any(f(r) for f in fs)
        case {"not": p}:
            f = compile_filter(p)
            return lambda r: not f(r)
        case {"field": name, "op": "in", "value": list() | tuple() | set() as values}:
            return lambda r: r.get(name) in values
        case {"field": name, "op": "=" | "==", "value": v}:
            return lambda r: r.get(name) == v
        case {"field": name, "op": ("<" | ">") as op, "value": int(v) | float(v)}:
            return (lambda r: r.get(name, 0) < v) if op == "<" else (lambda r: r.get(name, 0) > v)
        case {"field": name, "op": "between", "value": [lo, hi]}:
            return lambda r: lo <= r.get(name, lo - 1) <= hi
        case {}:
            if q:
                raise ValueError(f"bad filter {q}")
            return lambda r: True
rows = [{"id": i, "age": 10 * i, "tag": "ab"[i % 2]} for i in range(6)]
for q in [{}, {"field": "tag", "op": "=", "value": "a"}, {"and": [{"field": "age", "op": ">", "value": 10}, {"not": {"field": "id", "op": "in", "value": [3, 4]}}]},
          {"or": [{"field": "age", "op": "between", "value": (0, 10)}, {"field": "id", "op": "==", "value": 5}]}, {"field": "age", "op": "<", "value": "x"}]:
    try:
        print([r["id"] for r in rows if compile_filter(q)(r)])
    except ValueError as e:
        print(e)
# --- a bank with events and snapshots
from dataclasses import dataclass, field, asdict
from functools import reduce
@dataclass(frozen=True)
class Opened:
    owner: str
@dataclass(frozen=True)
class Deposited:
    amount: float
    memo: str = ""
@dataclass(frozen=True)
class Withdrawn:
    amount: float
@dataclass(frozen=True)
class Closed:
    pass
@dataclass
class Account:
    owner: str = ""
    balance: float = 0
    open: bool = False
    memos: list = field(default_factory=list)
def evolve(acc, event):
    match acc, event:
        case Account(open=False, owner=""), Opened(who):
            return Account(who, open=True)
        case Account(open=True), Deposited(a, "") if a > 0:
            return Account(acc.owner, acc.balance + a, True, acc.memos)
        case Account(open=True), Deposited(a, memo) if a > 0:
            return Account(acc.owner, acc.balance + a, True, [*acc.memos, memo])
        case Account(balance=b), Withdrawn(a) if b >= a:
            return Account(acc.owner, b - a, acc.open, acc.memos)
        case Account(balance=0), Closed():
            return Account(acc.owner, 0, False, acc.memos)
        case _, (Withdrawn() | Closed()) as e:
            raise ValueError(f"cannot apply {e} at {acc.balance}")
        case _:
            return acc
events = [Opened("ann"), Deposited(10.5), Deposited(4.5, "gift"), Deposited(-1), Withdrawn(15), Closed(), Opened("bob")]
print(reduce(evolve, events, Account()))
print(asdict(reduce(evolve, events[:3], Account())))
try:
    reduce(evolve, [*events[:2], Closed()], Account())
except ValueError as e:
    print(e)
# --- url routing with regular expressions and defaults
import re
routes = []
def route(pattern, method="GET"):
    def wrap(fn):
        routes.append((method, re.compile("^" + re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", pattern) + "$"), fn))
        return fn
    return wrap
@route("/users/<id>")
def user(id):
    match id:
        case "me":
            return 200, {"id": 1}
        case s if s.isdigit():
            return 200, {"id": int(s)}
        case _:
            return 400, "bad id"
@route("/users/<id>/posts/<post>", "DELETE")
def delete(id, post):
    return 204, None
def dispatch(request):
    match request:
        case {"method": ("GET" | "DELETE") as method, "path": path}:
            for m, rx, fn in routes:
                match m == method, rx.match(path):
                    case True, None:
                        continue
                    case True, found:
                        return fn(**found.groupdict())
            return 404, path
        case {"path": _}:
            return 405, request.get("method")
        case _:
            return 400, None
for r in [{"method": "GET", "path": "/users/me"}, {"method": "GET", "path": "/users/42"}, {"method": "GET", "path": "/users/x y"}, {"method": "DELETE", "path": "/users/1/posts/2"}, {"method": "GET", "path": "/nope"}, {"method": "PUT", "path": "/users/1"}, {}]:
    match dispatch(r):
        case (200 | 204 as status, body):
            print(status, body)
        case (status, None):
            print("error", status)
        case (status, message):
            print("error", status, message)
# --- game of moves with enums and tuples
from enum import Enum, Flag, auto
class Dir(Enum):
    N = (0, 1)
    E = (1, 0)
    S = (0, -1)
    W = (-1, 0)
    @property
    def right(self):
        match self:
            case Dir.N: return Dir.E
            case Dir.E: return Dir.S
            case Dir.S: return Dir.W
            case Dir.W: return Dir.N
class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W
pos, facing = (0, 0), Dir.N
for step in "FFRFRRFLF3F":
    match step:
        case "F":
            (x, y), (dx, dy) = pos, facing.value
            pos = (x + dx, y + dy)
        case "R":
            facing = facing.right
        case "L":
            for _ in range(3):
                facing = facing.right
        case d if d.isdigit():
            pos = (pos[0] * int(d), pos[1])
print(pos, facing.name)
for p in [Perm.R, Perm.RW, Perm.X, Perm.R | Perm.X]:
    match p:
        case Perm.R:
            print("read")
        case Perm.RW:
            print("read write")
        case Perm.X | Perm.W:
            print("one")
        case Perm():
            print("mixed", Perm.R in p)
# --- schema validation
def validate(schema, value, path="$"):
    match schema:
        case {"type": "object", "properties": props, **rest}:
            if not isinstance(value, dict):
                return [f"{path}: want object, got {type(value).__name__}"]
            errors = [f"{path}.{k}: missing" for k in rest.get("required", []) if k not in value]
            for k, sub in props.items():
                if k in value:
                    errors += validate(sub, value[k], f"{path}.{k}")
            return errors
        case {"type": "array", "items": items}:
            match value:
                case [*elements]:
                    return [e for i, x in enumerate(elements) for e in validate(items, x, f"{path}[{i}]")]
                case _:
                    return [f"{path}: want array"]
        case {"enum": [*options]}:
            return [] if value in options else [f"{path}: {value!r} not in {options}"]
        case {"type": "integer" | "number" as kind, **bounds}:
            match value, kind:
                case (bool(), _):
                    return [f"{path}: bool"]
                case (int(), _) | (float(), "number"):
                    pass
                case _:
                    return [f"{path}: want {kind}"]
            match bounds:
                case {"minimum": lo, "maximum": hi} if not lo <= value <= hi:
                    return [f"{path}: {value} not in {lo}..{hi}"]
                case {"minimum": lo} if value < lo:
                    return [f"{path}: {value} < {lo}"]
            return []
        case {"type": "string", "pattern": p}:
            import re
            return [] if isinstance(value, str) and re.fullmatch(p, value) else [f"{path}: no {p}"]
        case {"type": "string"}:
            return [] if isinstance(value, str) else [f"{path}: want string"]
        case {"anyOf": [*alternatives]}:
            results = [validate(a, value, path) for a in alternatives]
            return [] if [] in results else results[0]
        case True | {}:
            return []
        case False:
            return [f"{path}: nothing allowed"]
schema = {"type": "object", "required": ["id", "name"], "properties": {
    "id": {"type": "integer", "minimum": 1}, "name": {"type": "string", "pattern": "[a-z]+"}, "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
    "score": {"type": "number", "minimum": 0, "maximum": 1}, "ref": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "none": False, "any": True}}
for v in [{"id": 1, "name": "ann"}, {"id": 0, "name": "A"}, {"name": 5, "tags": ["a", "c"]}, [], {"id": True, "name": "x", "score": 1.5, "ref": None, "none": 1, "any": 2}, {"id": 2.0, "name": "x", "tags": "ab", "ref": 3}]:
    print(validate(schema, v))
# --- priority queue of tasks with retries
import heapq
from dataclasses import dataclass, field
@dataclass(order=True)
class Task:
    due: int
    name: str = field(compare=False)
    tries: int = field(default=0, compare=False)
def perform(task):
    match task:
        case Task(name="flaky", tries=t) if t < 2:
            raise TimeoutError("again")
        case Task(name=n, tries=0):
            return f"{n} at once"
        case Task(name=n, tries=t):
            return f"{n} after {t}"
queue = [Task(3, "c"), Task(1, "flaky"), Task(2, "bad")]
heapq.heapify(queue)
while queue:
    match heapq.heappop(queue):
        case Task(due, "bad"):
            print(due, "skipped")
        case Task(due=due) as task:
            try:
                print(due, perform(task))
            except TimeoutError as e:
                heapq.heappush(queue, Task(due + 2, task.name, task.tries + 1))
                print(due, e)
# --- csv rows to records
import csv, io
data = """kind,a,b
point,1,2
line,0,0;3,4
circle,5,
point,x,2
,1,1
"""
out = []
for row in csv.DictReader(io.StringIO(data)):
    match row:
        case {"kind": "point", "a": a, "b": b} if a.isdigit() and b.isdigit():
            out.append(("point", int(a), int(b)))
        case {"kind": "circle", "a": r, "b": ""}:
            out.append(("circle", float(r)))
        case {"kind": "line", "a": _, "b": b}:
            match [part.split(";") for part in b.split(",")]:
                case [[x, *_]]:
                    out.append(("line", x))
        case {"kind": ""}:
            out.append("empty")
        case {"kind": k, **rest}:
            out.append((k, sorted(v or "" for v in rest.values() if isinstance(v, (str, type(None))))))
print(out)
# --- iterators and generators as subjects are no sequences
def gen():
    yield 1
    yield 2
for s in [gen(), iter([1, 2]), map(str, [1]), zip([1], [2]), {1: 2}.keys(), (x for x in [1]), enumerate("a"), reversed([1])]:
    match s:
        case [*_]:
            print("sequence")
        case {}:
            print("mapping")
        case _:
            print("neither")
match list(gen()):
    case [a, b]:
        print(a, b)
match dict(zip("ab", gen())):
    case {"a": 1, "b": b}:
        print(b)
# --- deep nesting of patterns
doc = {"a": [{"b": ({"c": [1, [2, {"d": [3, (4, {"e": "end"})]}]]},)}]}
match doc:
    case {"a": [{"b": ({"c": [one, [two, {"d": [three, (four, {"e": str() as end})]}]]},)}]}:
        print(one, two, three, four, end)
match doc:
    case {"a": [{"b": [{"c": [_, [_, {"d": [*_, (_, {"e": ("stop" | "end") as word, **more})]}]]}]}], **others}:
        print(word, more, others)
# --- a match in a lambda's function, a comprehension and a decorator
from functools import wraps, lru_cache, partial, singledispatch
def typed(fn):
    @wraps(fn)
    def inner(*args):
        match args:
            case ():
                return "no arguments"
            case (int(a),):
                return fn(a)
            case (a, *rest) if all(isinstance(r, int) for r in rest):
                return [fn(x) for x in (a, *rest)]
            case _:
                return f"bad {args}"
    return inner
@typed
def double(x):
    return x * 2
print(double(), double(4), double(1, 2, 3), double("a"), double(1, "b"), double.__name__)
@lru_cache(maxsize=None)
def collatz(n):
    match n % 2, n:
        case _, 1:
            return 0
        case 0, _:
            return 1 + collatz(n // 2)
        case 1, _:
            return 1 + collatz(3 * n + 1)
print([collatz(n) for n in range(1, 12)], max(range(1, 50), key=collatz))
# --- with statements and finally around match
from contextlib import contextmanager, suppress
log = []
@contextmanager
def section(name):
    log.append(f"<{name}")
    try:
        yield name.upper()
    except ValueError as e:
        log.append(f"!{e}")
    finally:
        log.append(f"{name}>")
for x in [1, "a", None, 2.5]:
    with section(f"s{x}") as s:
        match x:
            case int():
                log.append(s)
                continue
            case str():
                raise ValueError("text")
            case None:
                with suppress(KeyError):
                    match {}["k"]:
                        case _:
                            log.append("never")
            case _:
                break
print(log)
# --- strings, bytes and numbers in one chain
def describe(v):
    match v:
        case "" | b"" | 0 | [] | ():
            return "empty"
        case str(s) if len(s) == 1:
            return f"char {ord(s)}"
        case b"\x00" | b"\xff":
            return "edge byte"
        case bytes(b):
            return f"{len(b)} bytes"
        case 0.5 | 1.5:
            return "half"
        case -1 | 1:
            return "unit"
        case int(n) if n.bit_length() > 64:
            return f"huge {n % 97}"
        case complex_number if isinstance(complex_number, (int, float)):
            return "number"
        case {0: x} | [x, *_]:
            return f"first {x}"
    return type(v).__name__
print([describe(v) for v in ["", b"", 0, 0.0, False, [], (), "a", "ab", b"\xff", b"ab", 0.5, -1, 1.0, True, 2**70, 3, {0: "z"}, [9], {}, None]])
# --- scopes: class bodies, nested functions, global names
kind = "global"
class Config:
    env = "prod"
    match env:
        case "prod":
            debug, level = False, 1
        case "dev":
            debug, level = True, 2
    @classmethod
    def of(cls, name):
        match name:
            case cls.env:
                return cls
            case "other" | "dev":
                new = type(cls.__name__, (), {}) if False else None
                return new
    @staticmethod
    def pick(*items, key=None):
        match items, key:
            case ((), _):
                return None
            case ((only,), None):
                return only
            case ((first, *rest), fn) if callable(fn):
                return max((first, *rest), key=fn)
            case (all_items, None):
                return max(all_items)
print(Config.debug, Config.level, Config.of("prod") is Config, Config.of("dev"), Config.of("zzz"))
print(Config.pick(), Config.pick(3), Config.pick(3, 9, 4), Config.pick("a", "bbb", "cc", key=len))
def outer():
    kind = "outer"
    def inner(v):
        nonlocal kind
        match v:
            case [kind]:
                pass
            case {"kind": kind}:
                pass
    inner(["list"])
    a = kind
    inner({"kind": "dict"})
    return a, kind
print(outer(), kind)
# --- unpacking results of zip and items
pairs = {"x": (1, 2), "y": [3], "z": {"v": 4}, "w": 5}
total = 0
for key, value in pairs.items():
    match key, value:
        case "x" | "y", (a, b):
            total += a * b
        case _, [only]:
            total += only
        case k, {"v": v}:
            total += v
            print(k)
        case k, int() as v:
            total += v
            print(f"{k=} {v=}")
print(total)
print([("even" if not n % 2 else "odd") for n in range(3)], {k: v for k, v in pairs.items() if k < "y"})
# --- validators by exceptions chain
def load(text):
    try:
        match text.partition(":"):
            case (key, ":", value) if key and value:
                return key, parse_value(value)
            case (key, "", _):
                raise KeyError(key)
            case _:
                raise ValueError("empty side")
    except (KeyError, ValueError) as e:
        raise RuntimeError("bad line") from e
def parse_value(v):
    match v.strip():
        case "null": return None
        case "true": return True
        case "false": return False
        case s if s.startswith('"') and s.endswith('"'): return s[1:-1]
        case s if s.lstrip("-").replace(".", "", 1).isdigit(): return float(s) if "." in s else int(s)
        case s: raise ValueError(f"what is {s}")
for line in ["a: 1", "b: -2.5", 'c: "x"', "d: null", "e:true", "f", ":1", "g: ?"]:
    try:
        print(load(line))
    except RuntimeError as e:
        match e.__cause__:
            case KeyError(args=(k,)):
                print("no value for", k)
            case ValueError() as v:
                print("value:", v)
# --- report from mixed api answers
import json, statistics, math, textwrap
from datetime import date, timedelta
answers = ['{"ok":true,"rows":[{"d":"2024-01-31","v":3.5},{"d":"2024-02-01","v":null}]}', '[]', 'oops', '{"ok":false,"error":{"type":"RateLimit","retry_after":30}}', '{"rows":[["2024-03-01",7]]}']
values, waits, bad = {}, [], 0
for raw in answers:
    try:
        payload = json.loads(raw)
    except json.JSONDecodeError as e:
        bad += 1
        continue
    match payload:
        case {"ok": True, "rows": [*rows]} | {"rows": [*rows]}:
            for row in rows:
                match row:
                    case {"d": str(d), "v": int(v) | float(v)} | [str(d), int(v) | float(v)]:
                        y, m, dd = map(int, d.split("-"))
                        values[date(y, m, dd)] = v
                    case {"d": d, "v": None}:
                        print("no value on", d)
        case {"ok": False, "error": {"type": "RateLimit", "retry_after": secs}}:
            waits.append(timedelta(seconds=secs))
        case []:
            print("empty")
        case _:
            bad += 1
print(values, sum(waits, timedelta()), bad, statistics.mean(values.values()))
for d, v in sorted(values.items()):
    match d:
        case date(month=1 | 2, day=day):
            print(f"winter {day:02d}: {v:>6.2f}")
        case date(year=y, month=m):
            print(f"{y}-{m}: {v}")
# --- self-describing tree with slots and properties
class Node:
    __slots__ = ("kids", "tag", "_text")
    __match_args__ = ("tag", "kids")
    def __init__(self, tag, *kids, text=""):
        self.tag, self.kids, self._text = tag, list(kids), text
    @property
    def text(self):
        return self._text or " ".join(k.text for k in self.kids)
    def __eq__(self, other):
        match other:
            case Node(tag, kids):
                return self.tag == tag and self.kids == kids
        return NotImplemented
    def __repr__(self):
        match self:
            case Node(tag, []):
                return f"<{tag}/>"
            case Node(tag, kids):
                return f"<{tag}>{''.join(map(repr, kids))}</{tag}>"
def titles(n):
    match n:
        case Node("h1" | "h2", text=t):
            yield t
        case Node(_, [*kids]):
            for k in kids:
                yield from titles(k)
tree = Node("body", Node("h1", text="One"), Node("div", Node("p", text="x"), Node("h2", Node("b", text="Two"), Node("i", text="three"))))
print(tree, list(titles(tree)), Node("a") == Node("a"), Node("a") == 1)
match tree:
    case Node("body", [Node("h1"), Node("div", [_, Node("h2", [first, *_])])]):
        print(first.text)
# --- rolling window and any/all with match functions
from collections import deque
from itertools import groupby, chain, zip_longest
def trend(window):
    match window:
        case [] | [_]:
            return "flat"
        case [a, b] if a == b:
            return "flat"
        case [a, *_, b] if a < b:
            return "up"
        case [a, *_, b] if a > b:
            return "down"
        case _:
            return "mixed"
w, out = deque(maxlen=3), []
for x in [1, 2, 3, 2, 2, 2, 1, 5]:
    w.append(x)
    out.append(trend(w))
print(out)
for key, group in groupby(out):
    match key, list(group):
        case "up" | "down" as k, [_]:
            print("single", k)
        case k, [_, *more]:
            print(k, 1 + len(more))
for pair in zip_longest("abc", [1, 2]):
    match pair:
        case (str(s), None):
            print(s, "alone")
        case (s, n):
            print(s * n)
# --- a worker that matches on exceptions and results
class Retry(Exception):
    def __init__(self, after): self.after = after
class Fatal(Exception): pass
def attempt(fn, n=3):
    for i in range(n):
        try:
            result = fn(i)
        except (Retry, Fatal, OSError) as e:
            match e, i:
                case Retry(after=s), _ if s > 10:
                    return f"gave up, {s}s is too long"
                case Retry(), k if k == n - 1:
                    return "out of tries"
                case Retry(after=s), _:
                    continue
                case TimeoutError() | ConnectionError(), _:
                    return f"net: {type(e).__name__}"
                case Fatal(args=()), _:
                    return "fatal without words"
                case Fatal(args=[msg, *_]), _:
                    raise RuntimeError(msg) from e
        else:
            match result:
                case {"value": v}:
                    return v
                case None:
                    return "nothing"
    return "end"
def raiser(e):
    def f(i):
        raise e
    return f
def third(i):
    if i < 2: raise Retry(1)
    return {"value": i}
for f in [raiser(Retry(20)), raiser(Retry(1)), third, raiser(TimeoutError()), raiser(Fatal()), lambda i: None, lambda i: []]:
    print(attempt(f))
try:
    attempt(raiser(Fatal("boom", 2)))
except RuntimeError as e:
    print(e, type(e.__cause__).__name__)
# --- matrix shapes and numbers
def shape(m):
    match m:
        case int() | float():
            return ()
        case []:
            return (0,)
        case [[*_], *_] if len({len(r) for r in m}) == 1:
            return (len(m), *shape(m[0]))
        case [[*_], *_]:
            raise ValueError("ragged")
        case [*xs]:
            return (len(xs),)
print(shape(3), shape([1, 2]), shape([[1, 2], [3, 4], [5, 6]]), shape([[[1], [2]]]), shape([]))
try:
    shape([[1], [2, 3]])
except ValueError as e:
    print(e)
def det(m):
    match m:
        case [[a]]:
            return a
        case [[a, b], [c, d]]:
            return a * d - b * c
        case [[a, b, c], [d, e, f], [g, h, i]]:
            return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        case _:
            return sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m)))
print(det([[3]]), det([[1, 2], [3, 4]]), det([[2, 0, 1], [1, 3, 2], [1, 1, 4]]), det([[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 0], [0, 0, 0, 4]]))
# --- text adventure
from dataclasses import dataclass, field
from typing import Literal
@dataclass
class World:
    room: str = "hall"
    bag: set[str] = field(default_factory=set)
    exits: dict = field(default_factory=lambda: {"hall": {"north": "library"}, "library": {"south": "hall", "down": "vault"}, "vault": {}})
    items: dict = field(default_factory=lambda: {"library": ["key", "book"], "vault": ["gold"]})
    def do(self, line):
        match line.lower().split():
            case ["look"]:
                here = self.items.get(self.room, [])
                return f"{self.room}: {', '.join(here) or 'nothing'}"
            case ["go", ("north" | "south" | "up" | "down") as d] | [("n" | "s") as d]:
                d = {"n": "north", "s": "south"}.get(d, d)
                match self.exits[self.room].get(d), self.bag:
                    case None, _:
                        return "no way"
                    case "vault", bag if "key" not in bag:
                        return "locked"
                    case room, _:
                        self.room = room
                        return f"you are in the {room}"
            case ["take" | "get", item] if item in self.items.get(self.room, []):
                self.items[self.room].remove(item)
                self.bag |= {item}
                return f"taken: {item}"
            case ["take" | "get", "all"]:
                return "; ".join(self.do(f"take {i}") for i in [*self.items.get(self.room, [])]) or "nothing to take"
            case ["take" | "get", *what]:
                return f"no {' '.join(what) or 'thing'} here"
            case ["bag" | "i" | "inventory"]:
                return str(sorted(self.bag))
            case ["quit"]:
                raise SystemExit
            case []:
                return "..."
            case [verb, *rest]:
                return f"I can't {verb}{' ' + ' '.join(rest) if rest else ''}"
w = World()
for line in ["look", "take", "go up", "n", "LOOK", "go down", "take book", "take all", "take all", "go down", "look", "get gold", "i", "dance wildly", ""]:
    print(f"> {line}\n{w.do(line)}")
# --- permissions with sets and frozen dataclasses as keys
from dataclasses import dataclass
@dataclass(frozen=True)
class Role:
    name: str
    level: int = 0
grants = {Role("admin", 9): {"*"}, Role("dev", 3): {"read", "write"}, Role("guest"): frozenset({"read"})}
def allowed(role, action):
    match role, grants.get(role, set()):
        case Role("admin"), _:
            return True
        case Role(level=l), _ if l > 5:
            return "by level"
        case _, set() | frozenset() as actions if "*" in actions or action in actions:
            return True
        case Role(n, 0), _:
            return f"{n} is a guest"
        case _:
            return False
for r in [*grants, Role("x", 7), Role("y", 1), Role("dev", 3)]:
    print(r, allowed(r, "write"))
# --- early exit in nested loops by flags and returns
def search(grid, goal):
    for y, row in enumerate(grid):
        for x, cell in enumerate(row):
            match cell, goal:
                case "#", _:
                    break
                case ".", _:
                    continue
                case c, g if c == g:
                    return x, y
                case str(c), _ if c.isupper():
                    print("trap", c)
                    break
        else:
            print("row", y, "clear")
    return None
print(search(["..#x", "....", ".Tx.", "..x."], "x"))
print(search(["..", "#x"], "x"))
# --- chained or-patterns with guards over parsed numbers
import re
units = {"s": 1, "m": 60, "h": 3600, "d": 86400}
def seconds(text):
    total = 0
    for part in re.findall(r"\d+\.?\d*\s*[a-z]*|\S+", text):
        match re.fullmatch(r"(\d+\.?\d*)\s*([a-z]*)", part):
            case None:
                raise ValueError(part)
            case m:
                match float(m[1]), m[2]:
                    case n, "" | "s" | "sec" | "secs":
                        total += n
                    case n, ("m" | "h" | "d") as u:
                        total += n * units[u]
                    case n, "min" | "mins" | "minutes":
                        total += n * 60
                    case _, u:
                        raise ValueError(f"unit {u}")
    return total
for t in ["90", "1h 30m", "2.5 min", "1d", "5x", "??"]:
    try:
        print(t, seconds(t))
    except ValueError as e:
        print("bad", e)
