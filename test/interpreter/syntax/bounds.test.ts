// Large and deep programs: which are refused, with one diagnostic, which are not, and that parsing takes linear time.

import { describe, expect, it } from 'vitest'
import { parse } from '../../../dist/interpreter/syntax/index.js'
import { excess } from '../../growth/growth.js'

const deep: readonly (readonly [name: string, program: string])[] = [
  ['parentheses', `x = ${'('.repeat(10_000)}1${')'.repeat(10_000)}`],
  ['parentheses that are never closed', '('.repeat(10_000)],
  ['lists', `x = ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['dicts', `x = ${'{1:'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['calls', `x = ${'f('.repeat(10_000)}${')'.repeat(10_000)}`],
  ['subscripts', `x = ${'a['.repeat(10_000)}1${']'.repeat(10_000)}`],
  ['signs', `x = ${'-'.repeat(10_000)}1`],
  ['not', `x = ${'not '.repeat(10_000)}1`],
  ['powers', `x = ${'2**'.repeat(10_000)}1`],
  ['lambdas', `x = ${'lambda: '.repeat(10_000)}1`],
  ['defaults of lambdas', `x = ${'lambda a='.repeat(10_000)}1`],
  ['conditional expressions', `x = ${'a if b else '.repeat(10_000)}c`],
  ['comprehensions', `x = ${'[a for a in '.repeat(10_000)}b${']'.repeat(10_000)}`],
  ['f-strings', `x = ${'f"{'.repeat(10_000)}`],
  ['specifications of fields', `x = f"${'{a:'.repeat(10_000)}`],
  ['targets', `${'['.repeat(10_000)}a${']'.repeat(10_000)} = b`],
  ['with', `with ${'('.repeat(10_000)}a${')'.repeat(10_000)}: pass`],
  ['attributes', `x = a${'.b'.repeat(10_000)}`],
  ['calls of results', `x = a${'()'.repeat(10_000)}`],
  ['operators of several kinds', `x = a${' + b * c - d'.repeat(10_000)}`],
  ['yield', `def f():\n  x = ${'(yield '.repeat(10_000)}`],
  ['blocks', `${Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}if x:\n`).join('')}${' '.repeat(1000)}pass`],
  ['a run of an operator beyond its bound', `x = a${' + b'.repeat(20_010)}`],
  ['a run of or', `x = a${' or b'.repeat(10_000)}`],
  ['runs of and inside a run of or', `x = a${' or b and c'.repeat(10_000)}`],
  ['elif clauses', `if a: pass\n${'elif b: pass\n'.repeat(10_000)}else: pass`],
  ['clauses of a comprehension', `[a ${'for a in b '.repeat(10_000)}]`],
  ['conditions of a comprehension', `[a for a in b ${'if a '.repeat(10_000)}]`],
]

describe('too deep', () => {
  it.each(deep)('%s', (_, program) => {
    const { diagnostics } = parse(program, { strict: false })
    expect(diagnostics.map((d) => d.code)).toEqual([expect.stringMatching(/^(nested-too-deep|chain-too-long)$/)])
    // In strict mode a production that is refused ten times can end the parse first.
    for (const { code } of parse(program, { strict: true }).diagnostics) {
      expect(code).toMatch(/^(nested-too-deep|chain-too-long|not-starlark)$/)
    }
  })
})

describe('messages', () => {
  it('name the exceeded bound', () => {
    const [chain] = parse(`x = a${' + b'.repeat(20_010)}`, { strict: false }).diagnostics
    expect(chain).toMatchObject({
      code: 'chain-too-long',
      message: 'an expression with more than 20000 operators in a row',
      hint: 'put the operands in a list and use sum, "".join, any or all',
    })
  })
})

const large: readonly (readonly [name: string, program: string])[] = [
  ['a run of +', `x = a${' + b'.repeat(10_000)}`],
  ['a run of or', `x = a${' or b'.repeat(500)}`],
  ['a comparison', `x = a${' < b'.repeat(10_000)}`],
  ['elif clauses', `if a: pass\n${'elif b: pass\n'.repeat(499)}else: pass`],
  ['a list', `x = [${'1, '.repeat(100_000)}]`],
  ['a dict', `x = {${'"a": 1, '.repeat(50_000)}}`],
  ['arguments', `f(${'a, '.repeat(50_000)})`],
  ['parameters', `def f(${Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(', ')}): pass`],
  ['targets', `${'a = '.repeat(20_000)}b`],
  ['adjacent literals', `x = ${'"a" '.repeat(50_000)}`],
  ['clauses of a comprehension', `[a ${'for a in b '.repeat(100)}]`],
  ['a string', `x = "${'a\\n'.repeat(300_000)}"`],
  ['an f-string', `x = f"${'a{b}'.repeat(100_000)}"`],
  ['blank lines', `${' \n'.repeat(200_000)}x`],
  ['continued lines', `x = 1 ${'\\\n'.repeat(100_000)}+ 2`],
  ['100 blocks', `${Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}if x:\n`).join('')}${' '.repeat(100)}pass`],
  ['190 brackets', `x = ${'['.repeat(190)}${']'.repeat(190)}`],
]

describe('large but flat', () => {
  it.each(large)('%s', (_, program) => {
    expect(parse(program, { strict: false }).diagnostics).toEqual([])
  })
})

const block = `
def summarise(orders, *, limit=10, **options):
    """Totals by customer."""
    totals = {}
    for order in orders:
        name = order["customer"].strip().lower()
        if not name or order.get("status") in ("void", "test"):
            continue
        totals[name] = totals.get(name, 0) + order["quantity"] * order["price"] // 100
    ranked = sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
    return [f"{name:<20} {total:>8,.2f}" for name, total in ranked if total > options.get("least", 0)]
`

describe('parse time is linear in the text:', () => {
  const shapes: readonly (readonly [name: string, make: (n: number) => string])[] = [
    ['ordinary statements', (n) => block.repeat(n)],
    ['one long expression', (n) => `x = [${'a + f(b, c=1), '.repeat(n * 40)}]`],
    ['one string', (n) => `x = """${'some "text" \\n'.repeat(n * 60)}"""`],
    ['broken statements', (n) => 'x = (1, [2, 3)\n'.repeat(n * 40)],
    ['brackets that are never closed', (n) => 'f(a,\n'.repeat(n * 60)],
    ['strings that are never closed', (n) => `x = 'a\n`.repeat(n * 60)],
  ]
  it.each(shapes)('%s', (_, make) => {
    const parsing = (n: number) => {
      const text = make(n)
      return () => parse(text, { strict: false })
    }
    expect(excess(parsing, 300)).toBe(undefined)
  })
})
