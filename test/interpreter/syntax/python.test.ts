// The default dialect beside CPython: a program is accepted exactly when CPython's parser accepts it, and gives the same tree, but
// for the refusals listed here by name.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from '../../../dist/interpreter/syntax/index.js'
import { readGolden } from './golden.js'
import { printTree } from './print-tree.js'

interface Judgement {
  readonly tree?: string
  readonly refused?: string
  readonly compiles: boolean
}

/** Programs that CPython accepts and starbind refuses, each with the one diagnostic that says so. */
const refusals: readonly (readonly [program: string, message: string])[] = [
  ['match x:\n    case 1:\n        pass', 'match statements are not supported'],
  ['match (x):\n    # nothing\n    case 1: pass\n    case _: y', 'match statements are not supported'],
  ['x = 1j', 'complex numbers are not supported'],
  ['x = 1.5e3J + 2', 'complex numbers are not supported'],
  ['try: x\nexcept* E: y', 'except* is not supported'],
  ['a[1:2, 3]', 'a tuple of slices is not supported'],
  ['a[1, :]', 'a tuple of slices is not supported'],
  ['x = "\\N{EM DASH}"', 'the escape \\N{…} is not supported'],
]

/** Programs that CPython's parser lets through and a later stage of it refuses; here they are syntax errors. */
const refusedLater = [
  '*a = b',
  'a, *b, *c = d',
  'def f(a, a): pass',
  'f(a=1, a=2)',
  'try: x\nexcept: y\nexcept A: z',
  'lambda a, a: 1',
  'return *a',
  'for x in *a: pass',
  'x = *a',
  '*a',
]

/** Programs with characters that a text file does not keep, beside those whose trees the golden file shows. */
const accepted = [
  ...readGolden('trees.txt').map(({ program }) => program),
  '',
  '\n\n# only a comment',
  'if x:\n\ty\n\tz',
  'if x:\n    y\n  \nz',
  'x = 1\r\nif y:\r\n    z\r\n',
  'x = 1\rif y:\r    z',
  '\fx = 1\n\fy = 2',
  'x = """a\r\nb\rc"""',
  'x = r"""a\\\r\nb"""',
  'x = "a\u2028b\u0085c\v"  # \u2028 is no line break',
].filter((program) => !program.includes('load('))

const refused = [
  // Layout
  '  x = 1',
  'x = 1\n  y = 2',
  'if x:\ny',
  'if x:\n    y\n  z',
  'if x:\n\ty\n        z',
  'if x:',
  'x = 1 \\ 2',
  'x = \\',
  'if x: if y: z',
  'x = 1; if y: z',
  'for x in y: while z: w',
  // Numbers
  '007',
  '1_',
  '1__0',
  '0x',
  '0b12',
  '0o8',
  '0xg',
  '1e',
  '1.e+',
  '1a',
  '1.5x',
  '0_7',
  '_1 1',
  // Strings
  '"a',
  "'a\n'",
  '"""a',
  '"\\x4"',
  '"\\u12"',
  '"\\U0000000"',
  '"\\U00110000"',
  'b"é"',
  'b"a" "b"',
  'ub"a"',
  'bf"a"',
  "r'\\'",
  // f-strings
  'f"{}"',
  'f"{ }"',
  'f"{x"',
  'f"}"',
  'f"{x!}"',
  'f"{x!z}"',
  'f"{x!r!s}"',
  'f"{x y}"',
  'f"{a[}"',
  'f"{lambda x: 1}"',
  'f"{!r}"',
  'f"{=}"',
  'f"{x:{}}"',
  'f"{x:{y}"',
  'f"{(x}"',
  'f"{x)}"',
  // Expressions
  'x = ',
  'x = 1 +',
  '1 2',
  'a b',
  '(a',
  'a)',
  '[a)',
  '{a]',
  'a +* b',
  'a ** ',
  'not',
  'a not b',
  'a is',
  'a if b',
  'a if b else',
  'lambda x',
  'lambda x: ',
  'lambda (x): 1',
  'a.',
  'a.1',
  'a..b',
  'a[]',
  'a[1:2:3:4]',
  'a + not b',
  '-not a',
  'x ? y : z',
  'a && b',
  'a || b',
  '!a',
  'a <> b',
  'a === b',
  'x++',
  'a = b c',
  '(*a)',
  '[*]',
  '{1: 2, 3}',
  '{1, 2: 3}',
  '{1: *a}',
  '{**a: 1}',
  '{*a: 1}',
  '[*a for a in b]',
  '{**a for a in b}',
  '[x for]',
  '[x for x]',
  '[for x in y]',
  '[x for x in y, z]',
  '[x for x in lambda: y]',
  '[x for x in y if lambda: z]',
  '[x for x in a if b else c]',
  '[x, y for x in z]',
  '(yield) = 1',
  'await await x',
  '`a`',
  '$a',
  'a?',
  // Calls
  'f(a b)',
  'f(a=1, b)',
  'f(**a, b)',
  'f(**a, *b)',
  'f(x for x in y, 1)',
  'f(1, x for x in y)',
  'f((a, b) for a in c, 1)',
  'f(1=2)',
  'f(a.b=1)',
  'f((a)=1)',
  'f(True=1)',
  'f(a := 1 := 2)',
  'f(a=b := 1)',
  'f(,)',
  'f(*)',
  'f(a for)',
  // Assignment
  '1 = a',
  'f() = a',
  'a + b = c',
  '"a" = b',
  'None = 1',
  'True += 1',
  '(a, b) += 1',
  '[a] += 1',
  'a = 1 = b',
  'a := 1',
  '(a.b := 1)',
  '(None := 1)',
  'a, b: int',
  '(a, b): int = 1',
  'f(): int',
  'a: int: str',
  'a = ',
  'a += ',
  'a += b = c',
  'lambda: x = 1',
  '[x for x in y] = z',
  '{a} = b',
  '{} = a',
  'f"{x}" = y',
  '... = a',
  'a < b = c',
  '-a = b',
  'x = y if z = w',
  // Statements
  'del f()',
  'del 1',
  'del *a',
  'del',
  'assert',
  'raise a, b',
  'raise a from',
  'import',
  'import a.b.',
  'import a from b',
  'from a import',
  'from a import (b',
  'from a import ()',
  'from a import b,',
  'from import a',
  'from a import b.c',
  'from a import *, b',
  'global',
  'global a.b',
  'global a = 1',
  'pass 1',
  'break 1',
  'print "a"',
  'exec "a"',
  'for x y: pass',
  'for 1 in x: pass',
  'for x in: pass',
  'for x in y',
  'for f() in x: pass',
  'while: pass',
  'while x = 1: pass',
  'if x = 1: pass',
  'if x\n    y',
  'if: pass',
  'else: pass',
  'elif x: pass',
  'if x: pass\nelse if y: pass',
  'if x: pass\nelse: pass\nelse: pass',
  'try: x',
  'try: x\nelse: y',
  'try: x\nfinally: y\nexcept: z',
  'try: x\nexcept A as b.c: y',
  'except A: pass',
  'with: pass',
  'with a as 1: pass',
  'with a as f(): pass',
  'with (a as b): pass, c',
  'with a b: pass',
  'def f: pass',
  'def (): pass',
  'def f(a, b',
  'def f(1): pass',
  'def f(a.b): pass',
  'def f(a=): pass',
  'def f(a=1, b): pass',
  'def f(*): pass',
  'def f(*, **k): pass',
  'def f(*a, *b): pass',
  'def f(**k, a): pass',
  'def f(**k, *a): pass',
  'def f(/): pass',
  'def f(a, /, b, /): pass',
  'def f(*, /): pass',
  'def f(*a, /): pass',
  'def f(*a=1): pass',
  'def f((a, b)): pass',
  'def f(None): pass',
  'def True(): pass',
  'def f() -> : pass',
  'def f():',
  'def class(): pass',
  'class: pass',
  'class A(: pass',
  'class 1: pass',
  '@a',
  '@a\nx = 1',
  '@\ndef f(): pass',
  'async x',
  'async def',
  'async while x: pass',
  'yield from',
  'x = yield = 1',
  'class = 1',
  'x.class',
  'from = 1',
  'f(from=1)',
  'None.None',
  'x = in',
  'lambda yield: 1',
  'return = 1',
  'import None',
  'x = {1: 2 3: 4}',
  'x = [1 2]',
  '“a”',
  'a\u00a0= 1',
  'x = 1\u20032',
  '#\n  x',
]

const script = path.join(import.meta.dirname, 'python-trees.py')

/** What CPython makes of the programs; undefined when there is no CPython that can run the script. */
function judged(programs: readonly string[]): readonly Judgement[] | undefined {
  const run = spawnSync('python3', [script], { input: JSON.stringify(programs), encoding: 'utf8', maxBuffer: 1e8 })
  return run.status === 0 ? (JSON.parse(run.stdout) as Judgement[]) : undefined
}

const programs = [...accepted, ...refused, ...refusals.map(([program]) => program), ...refusedLater]
const judgements = judged(programs)
if (!judgements) console.warn('python.test.ts: no python3 >= 3.11 here, the comparison with CPython is skipped')

const refusalMessages = new Map(refusals)

describe.skipIf(!judgements)('beside CPython', () => {
  it.each(accepted.map((program) => [program]))('accepts with the same tree: %j', (program) => {
    const judgement = judgements?.[programs.indexOf(program)]
    const { file, diagnostics } = parse(program, { strict: false })
    expect(diagnostics.map((d) => d.message)).toEqual([])
    expect(printTree(file.body, { likePython: true })).toBe(judgement?.tree)
  })

  it.each(refused.map((program) => [program]))('refuses as well: %j', (program) => {
    expect(judgements?.[programs.indexOf(program)]).toHaveProperty('refused')
    expect(parse(program, { strict: false }).diagnostics).not.toEqual([])
  })

  it.each(refusedLater.map((program) => [program]))('refuses earlier: %j', (program) => {
    expect(judgements?.[programs.indexOf(program)]).toMatchObject({ tree: expect.any(String), compiles: false })
    expect(parse(program, { strict: false }).diagnostics).toHaveLength(1)
  })

  it.each([...refusalMessages])('refuses on its own: %j', (program, message) => {
    expect(judgements?.[programs.indexOf(program)]).toHaveProperty('tree')
    expect(parse(program, { strict: false }).diagnostics.map((d) => d.message)).toEqual([message])
  })
})
