"""A small alert-rule language, evaluated over CI pipelines.

    rule slow    when duration > 900 and not (ref ~ "^renovate/" or status = "canceled") -> warn
    rule broken  when status in ("failed", "error") and ref = default -> page
"""
import functools
import operator
import re
from dataclasses import dataclass
from typing import Any, Callable

TOKENS = re.compile(
    r"""\s*(?: (?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m|h)?\b | (?P<string>"(?:[^"\\]|\\.)*")
          | (?P<op>->|<=|>=|!=|[<>=~(),]) | (?P<word>[^\W\d]\w*(?:\.\w+)*) | (?P<bad>\S) )""",
    re.VERBOSE,
)
UNITS = {None: 1, "ms": 0.001, "s": 1, "m": 60, "h": 3600}
KEYWORDS = {"rule", "when", "and", "or", "not", "in"}

class RuleSyntaxError(ValueError):
    pass

@dataclass(frozen=True)
class Token:
    kind: str
    value: Any
    col: int

def tokenize(text: str, line: int):
    pos = 0
    while pos < len(text.rstrip()):
        m = TOKENS.match(text, pos)
        col = m.start(m.lastgroup if m.lastgroup != "unit" else "number") + 1
        if m["bad"]:
            raise RuleSyntaxError(f"line {line}, column {col}: unexpected {m['bad']!r}")
        if m["number"]:
            yield Token("num", float(m["number"]) * UNITS[m["unit"]], col)
        elif m["string"]:
            yield Token("str", re.sub(r"\\(.)", r"\1", m["string"][1:-1]), col)
        elif m["word"]:
            yield Token(m["word"] if m["word"] in KEYWORDS else "name", m["word"], col)
        else:
            yield Token(m["op"], m["op"], col)
        pos = m.end()
    yield Token("end", None, pos + 1)

COMPARE: dict[str, Callable] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": lambda a, b: a is not None and a < b,
    ">": lambda a, b: a is not None and a > b,
    "<=": lambda a, b: a is not None and a <= b,
    ">=": lambda a, b: a is not None and a >= b,
    "~": lambda a, b: bool(re.search(b, a or "")),
}

class Parser:
    def __init__(self, text, line):
        self.tokens = list(tokenize(text, line))
        self.i, self.line = 0, line

    def peek(self):
        return self.tokens[self.i]

    def accept(self, *kinds):
        if self.peek().kind in kinds:
            self.i += 1
            return self.tokens[self.i - 1]

    def expect(self, kind):
        tok = self.accept(kind)
        if tok is None:
            found = self.peek()
            raise RuleSyntaxError(f"line {self.line}, column {found.col}: expected {kind}, found {found.value or 'end of line'}")
        return tok

    def rule(self):
        self.expect("rule")
        name = self.expect("name").value
        self.expect("when")
        test = self.disjunction()
        self.expect("->")
        return name, test, [self.expect("name").value, self.expect("end")][0]

    def chain(self, word, operand, combine):
        parts = [operand()]
        while self.accept(word):
            parts.append(operand())
        return parts[0] if len(parts) == 1 else lambda env: combine(p(env) for p in parts)

    def disjunction(self):
        return self.chain("or", lambda: self.chain("and", self.negation, all), any)

    def negation(self):
        if self.accept("not"):
            inner = self.negation()
            return lambda env: not inner(env)
        return self.comparison()

    def comparison(self):
        left = self.atom()
        if op := self.accept(*COMPARE):
            right, fn = self.atom(), COMPARE[op.kind]
            return lambda env: fn(left(env), right(env))
        if self.accept("in"):
            self.expect("(")
            items = [self.atom()]
            while self.accept(","):
                items.append(self.atom())
            self.expect(")")
            return lambda env: left(env) in [i(env) for i in items]
        return left

    def atom(self):
        if self.accept("("):
            inner = self.disjunction()
            self.expect(")")
            return inner
        if tok := self.accept("num", "str"):
            return lambda env: tok.value
        path = self.expect("name").value.split(".")
        step = lambda value, key: value.get(key) if isinstance(value, dict) else None
        return lambda env: functools.reduce(step, path, env)

source = gitlab_zereight.get_file_contents(project_id="7", file_path=".alerts/rules.txt", ref="main")["content"]
rules, errors = [], []
for lineno, text in enumerate(source.splitlines(), 1):
    text = text.split("#")[0]
    if text.strip():
        try:
            rules.append(Parser(text, lineno).rule())
        except RuleSyntaxError as e:
            errors.append(str(e))
print(f"{len(rules)} rules, {len(errors)} broken:", *errors, sep="\n  ")
default = gitlab_zereight.get_project(project_id="7")["default_branch"]
fired, crashed = {}, []
for p in gitlab_zereight.list_pipelines(project_id="7", per_page=50, order_by="id", sort="desc"):
    env = {**p, "default": default}
    for name, test, action in rules:
        try:
            hit = test(env)
        except (TypeError, ZeroDivisionError, re.error) as e:
            crashed.append(f"{name}@{p['id']}: {type(e).__name__}")
            continue
        if hit:
            fired.setdefault(action, []).append((name, p["id"]))

for action in sorted(fired):
    print(action, "→", ", ".join(f"{n} #{i}" for n, i in fired[action]))
result = {"rules": [r[0] for r in rules], "errors": errors, "fired": fired, "crashed": crashed}
