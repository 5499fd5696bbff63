# Reads a JSON list of programs on standard input and prints, for each, what CPython's parser makes of it: its tree in the
# notation of print-tree.ts, or why it refuses it. `compiles` says whether the stages after the parser accept it too.

import ast
import json
import struct
import sys
import warnings

warnings.simplefilter('ignore')

if sys.version_info < (3, 11):
    sys.exit('needs CPython 3.11')

BINARY = {
    ast.Add: '+', ast.Sub: '-', ast.Mult: '*', ast.Div: '/', ast.FloorDiv: '//', ast.Mod: '%', ast.Pow: '**',
    ast.BitOr: '|', ast.BitXor: '^', ast.BitAnd: '&', ast.LShift: '<<', ast.RShift: '>>', ast.MatMult: '@',
}
COMPARE = {
    ast.Eq: '==', ast.NotEq: '!=', ast.Lt: '<', ast.Gt: '>', ast.LtE: '<=', ast.GtE: '>=', ast.In: 'in',
    ast.NotIn: 'not in', ast.Is: 'is', ast.IsNot: 'is not',
}
UNARY = {ast.UAdd: '+', ast.USub: '-', ast.Invert: '~', ast.Not: 'not'}


def items(parts):
    return '[' + ' '.join(parts) + ']'


def constant(value):
    if value is ...:
        return '...'
    if isinstance(value, str):
        return json.dumps(value).replace('\x7f', '\\u007f')
    if isinstance(value, bytes):
        return 'bytes:' + ','.join(map(str, value))
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        return hex(value)
    if isinstance(value, float):
        return 'float:' + struct.pack('>d', value).hex()
    return 'complex'


def parameters(a):
    def one(mark, parameter, default):
        text = mark + parameter.arg
        if parameter.annotation:
            text += ':' + expression(parameter.annotation)
        return text + ('=' + expression(default) if default else '')

    positional = a.posonlyargs + a.args
    defaults = [None] * (len(positional) - len(a.defaults)) + list(a.defaults)
    out = []
    for index, (parameter, default) in enumerate(zip(positional, defaults)):
        out.append(one('', parameter, default))
        if a.posonlyargs and index == len(a.posonlyargs) - 1:
            out.append('/')
    if a.vararg:
        out.append(one('*', a.vararg, None))
    elif a.kwonlyargs:
        out.append('*')
    out += [one('', parameter, default) for parameter, default in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg:
        out.append(one('**', a.kwarg, None))
    return items(out)


def arguments(positional, named):
    found = [(a.lineno, a.col_offset, expression(a)) for a in positional]
    found += [(k.lineno, k.col_offset, ('**' if k.arg is None else k.arg + '=') + expression(k.value)) for k in named]
    return items([text for _, _, text in sorted(found, key=lambda f: f[:2])])


def clauses(generators):
    out = []
    for g in generators:
        out.append(('async ' if g.is_async else '') + 'for ' + expression(g.target) + ' in ' + expression(g.iter))
        out += ['if ' + expression(test) for test in g.ifs]
    return items(out)


def parts(values):
    printed, text = [], ''
    for value in values:
        if isinstance(value, ast.Constant):
            text += value.value
            continue
        if text:
            printed.append(constant(text))
        text = ''
        conversion = '!' + chr(value.conversion) if value.conversion != -1 else ''
        spec = ':' + parts(value.format_spec.values) if value.format_spec else ''
        printed.append('{' + expression(value.value) + conversion + spec + '}')
    if text:
        printed.append(constant(text))
    return items(printed)


def expression(n):
    e = expression
    each = lambda nodes: items([e(node) for node in nodes])
    match type(n):
        case ast.Name:
            return n.id
        case ast.Constant:
            return constant(n.value)
        case ast.JoinedStr:
            return 'f' + parts(n.values)
        case ast.List:
            return f'(list {each(n.elts)})'
        case ast.Tuple:
            return f'(tuple {each(n.elts)})'
        case ast.Set:
            return f'(set {each(n.elts)})'
        case ast.Dict:
            return '(dict ' + items([('**' if k is None else e(k) + ':') + e(v) for k, v in zip(n.keys, n.values)]) + ')'
        case ast.ListComp:
            return f'(list comprehension {e(n.elt)}{clauses(n.generators)})'
        case ast.SetComp:
            return f'(set comprehension {e(n.elt)}{clauses(n.generators)})'
        case ast.GeneratorExp:
            return f'(generator comprehension {e(n.elt)}{clauses(n.generators)})'
        case ast.DictComp:
            return f'(dict comprehension {e(n.key)}:{e(n.value)}{clauses(n.generators)})'
        case ast.IfExp:
            return f'(if {e(n.test)} {e(n.body)} {e(n.orelse)})'
        case ast.Lambda:
            return f'(lambda {parameters(n.args)}{e(n.body)})'
        case ast.UnaryOp:
            return f'({UNARY[type(n.op)]} {e(n.operand)})'
        case ast.BinOp:
            return f'({BINARY[type(n.op)]} {e(n.left)} {e(n.right)})'
        case ast.BoolOp:
            return '(' + ('and ' if isinstance(n.op, ast.And) else 'or ') + ' '.join(map(e, n.values)) + ')'
        case ast.Compare:
            return '(' + e(n.left) + ''.join(f' {COMPARE[type(o)]} {e(c)}' for o, c in zip(n.ops, n.comparators)) + ')'
        case ast.Call:
            return f'(call {e(n.func)}{arguments(n.args, n.keywords)})'
        case ast.Attribute:
            return f'(. {e(n.value)} {n.attr})'
        case ast.Subscript:
            if not isinstance(n.slice, ast.Slice):
                return f'(index {e(n.value)} {e(n.slice)})'
            bounds = [n.slice.lower, n.slice.upper, n.slice.step]
            return f'(slice {e(n.value)} ' + ' '.join('_' if bound is None else e(bound) for bound in bounds) + ')'
        case ast.Starred:
            return '*' + e(n.value)
        case ast.NamedExpr:
            return f'(:= {e(n.target)} {e(n.value)})'
        case ast.Await:
            return f'(await {e(n.value)})'
        case ast.Yield:
            return '(yield' + (' ' + e(n.value) if n.value else '') + ')'
        case ast.YieldFrom:
            return f'(yield from {e(n.value)})'
    return '?' + type(n).__name__


def block(body):
    return '{' + '; '.join(map(statement, body)) + '}'


def statement(n):
    e = expression
    each = lambda nodes: items([e(node) for node in nodes])
    optional = lambda before, node: before + e(node) if node else ''
    aliases = lambda names: items([a.name + (' as ' + a.asname if a.asname else '') for a in names])
    is_async = 'async ' if type(n) in (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith) else ''
    match type(n):
        case ast.FunctionDef | ast.AsyncFunctionDef:
            head = f'{is_async}def {n.name}{parameters(n.args)}'
            return head + optional('->', n.returns) + each(n.decorator_list) + block(n.body)
        case ast.ClassDef:
            return f'class {n.name}{arguments(n.bases, n.keywords)}{each(n.decorator_list)}{block(n.body)}'
        case ast.If:
            return f'if {e(n.test)}{block(n.body)}{block(n.orelse)}'
        case ast.For | ast.AsyncFor:
            return f'{is_async}for {e(n.target)} in {e(n.iter)}{block(n.body)}{block(n.orelse)}'
        case ast.While:
            return f'while {e(n.test)}{block(n.body)}{block(n.orelse)}'
        case ast.Return:
            return 'return' + optional(' ', n.value)
        case ast.Break | ast.Continue | ast.Pass:
            return type(n).__name__.lower()
        case ast.Assign:
            return ' = '.join(map(e, n.targets)) + ' = ' + e(n.value)
        case ast.AugAssign:
            return f'{e(n.target)} {BINARY[type(n.op)]}= {e(n.value)}'
        case ast.AnnAssign:
            return f'{e(n.target)}: {e(n.annotation)}' + optional(' = ', n.value)
        case ast.Expr:
            return e(n.value)
        case ast.Import:
            return 'import ' + aliases(n.names)
        case ast.ImportFrom:
            return f'from {"." * n.level}{n.module or ""} import {aliases(n.names)}'
        case ast.Try:
            handlers = ''.join(
                'except ' + optional('', h.type) + (' as ' + h.name if h.name else '') + block(h.body) for h in n.handlers
            )
            return 'try' + block(n.body) + handlers + block(n.orelse) + block(n.finalbody)
        case ast.Raise:
            return 'raise' + optional(' ', n.exc) + optional(' from ', n.cause)
        case ast.Assert:
            return 'assert ' + e(n.test) + optional(', ', n.msg)
        case ast.Delete:
            return 'del ' + each(n.targets)
        case ast.Global:
            return 'global ' + ' '.join(n.names)
        case ast.Nonlocal:
            return 'nonlocal ' + ' '.join(n.names)
        case ast.With | ast.AsyncWith:
            parts = [e(i.context_expr) + optional(' as ', i.optional_vars) for i in n.items]
            return f'{is_async}with {items(parts)}{block(n.body)}'
        case ast.Match:
            cases = [f'case {pattern(c.pattern)}{optional(" if ", c.guard)}{block(c.body)}' for c in n.cases]
            return f'match {e(n.subject)}{{{"; ".join(cases)}}}'
    return '?' + type(n).__name__


def pattern(n):
    match n:
        case ast.MatchValue(value):
            return expression(value)
        case ast.MatchSingleton(value):
            return str(value)
        case ast.MatchStar(name):
            return f'(star {name or "_"})'
        case ast.MatchSequence(patterns):
            return f'(sequence {items(map(pattern, patterns))})'
        case ast.MatchMapping(keys, patterns, rest):
            entries = [f'{expression(k)}:{pattern(p)}' for k, p in zip(keys, patterns)]
            return f'(mapping {items(entries + (["**" + rest] if rest else []))})'
        case ast.MatchClass(cls, patterns, names, named):
            parts = [*map(pattern, patterns), *(f'{k}={pattern(p)}' for k, p in zip(names, named))]
            return f'(class {expression(cls)}{items(parts)})'
        case ast.MatchOr(patterns):
            return f'(| {" ".join(map(pattern, patterns))})'
        case ast.MatchAs(None, name):
            return f'(name {name or "_"})'
        case ast.MatchAs(inner, name):
            return f'(as {pattern(inner)} {name})'


def judge(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as problem:
        return {'refused': str(problem), 'compiles': False}
    try:
        compile(source, 'program', 'exec')
        compiles = True
    except (SyntaxError, ValueError):
        compiles = False
    return {'tree': '\n'.join(map(statement, tree.body)), 'compiles': compiles}


json.dump([judge(source) for source in json.load(sys.stdin)], sys.stdout)
