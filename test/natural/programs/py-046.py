"""Evaluate alert rules written in a small expression language against pod metrics."""
import json
import operator
import re

TOKEN = re.compile(r"""\s*(?:
    (?P<num>\d+(?:\.\d+)?) | (?P<str>"[^"]*") | (?P<name>[A-Za-z_]\w*) | (?P<op><=|>=|==|!=|[-+*/%()<>,])
)""", re.X)
KEYWORDS = {"and", "or", "not"}
COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
ARITH = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod}
FUNCS = {"max": max, "min": min, "abs": abs}


def tokenize(text):
    pos, text = 0, text.rstrip()
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if not m:
            raise SyntaxError(f"unexpected {text[pos:].strip()[0]!r} at {pos}")
        kind, value = m.lastgroup, m.group(m.lastgroup)
        yield (value, value) if kind == "op" or value in KEYWORDS else (kind, value)
        pos = m.end()
    yield "end", ""


class Parser:
    """Recursive descent; every method returns a function of the environment."""
    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.i = 0

    kind = property(lambda self: self.tokens[self.i][0])

    def take(self, *kinds):
        if kinds and self.kind not in kinds:
            raise SyntaxError(f"expected {' or '.join(kinds)}, got {self.tokens[self.i][1] or 'end'!r}")
        self.i += 1
        return self.tokens[self.i - 1][1]

    def parse(self):
        node = self.disjunction()
        self.take("end")
        return node

    def chain(self, word, operand, combine):
        terms = [operand()]
        while self.kind == word:
            self.take()
            terms.append(operand())
        return terms[0] if len(terms) == 1 else lambda env: combine(t(env) for t in terms)

    def disjunction(self):
        return self.chain("or", lambda: self.chain("and", self.negation, all), any)

    def negation(self):
        if self.kind == "not":
            self.take()
            inner = self.negation()
            return lambda env: not inner(env)
        left = self.sum()
        if self.kind not in COMPARE:
            return left
        fn, right = COMPARE[self.take()], self.sum()
        return lambda env: fn(left(env), right(env))

    def sum(self):
        return self.binary("+-", lambda: self.binary("*/%", self.unary))

    def binary(self, ops, operand):
        left = operand()
        while self.kind in set(ops):
            fn, right = ARITH[self.take()], operand()
            left = (lambda f, a, b: lambda env: f(a(env), b(env)))(fn, left, right)
        return left

    def unary(self):
        match self.kind:
            case "-":
                self.take()
                return (lambda inner: lambda env: -inner(env))(self.unary())
            case "(":
                self.take()
                inner = self.disjunction()
                self.take(")")
                return inner
            case "num":
                return lambda env, value=float(self.take()): value
            case "str":
                return lambda env, text=self.take()[1:-1]: text
        name = self.take("name")
        if self.kind != "(":
            return lambda env: env[name]
        self.take("(")
        args = [self.disjunction()]
        while self.kind == ",":
            self.take()
            args.append(self.disjunction())
        self.take(")")
        return lambda env: FUNCS[name](*(a(env) for a in args))


rules, errors = {}, {}
for line in server_filesystem.read_text_file(path="/etc/alerts.rules").splitlines():
    if line and not line.startswith("#"):
        name, _, expr = line.partition(":")
        try:
            rules[name] = Parser(expr.strip()).parse()
        except SyntaxError as e:
            errors[name] = f"syntax: {e}"
pods = json.loads(kubernetes_flux159.kubectl_generic(command="top", resourceType="pods", outputFormat="json"))["pods"]
firing = {}
for name, rule in rules.items():
    try:
        firing[name] = [p["name"] for p in pods if rule(p)]
    except (KeyError, ZeroDivisionError) as e:
        errors[name] = f"{type(e).__name__}: {e}"
for name in rules:
    print(f"{name:<10}{len(firing[name]):>3}  {', '.join(firing[name])}" if name in firing else f"{name:<10}  !  {errors[name]}")
result = {"firing": firing, "errors": errors}
