// The growth of compile time with a Starlark program: for four times the text it may exceed n log n a little, but never
// reach n².

import { expect, test } from 'vitest'
import { compileRecognised } from '../../dist/interpreter/stages.js'
import { amount, random } from '../random.js'
import { excess } from './growth.js'

type Grow = (size: number) => string

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('')

const growers: Record<string, Grow> = {
  'line breaks in a fault': (n) => `x = (\n${'\n'.repeat(n * 40)}}`,
  'one long identifier': (n) => `${'a'.repeat(n * 40)} = 1\n`,
  'aliases in reverse': (n) => `a${n} = 1\n${lines(n, (i) => `a${n - 1 - i} = a${n - i}\n`)}`,
  'a dict display': (n) => `d = {${lines(n * 2, (i) => `${i}: ${i}, `)}}\n`,
  'f-strings': (n) => lines(n, (i) => `s = f"{1}a{${i}}"\n`),
  'one f-string': (n) => `x = 1\ns = f"${'{x}a'.repeat(n * 4)}"\n`,
  // A run of one operator ends at 20,000 operands.
  concatenations: (n) => `s = ${'"a" + '.repeat(400)}"b"\n`.repeat(n / 40),
  comprehensions: (n) => 'x = [[a + b for a in range(3)] for b in range(4) if b]\n'.repeat(n / 4),
  globals: (n) => lines(n, (i) => `n${i} = ${i}\n`),
  imports: (n) => lines(n, (i) => `import json as j${i}\n`),
  decorators: (n) => lines(n / 4, (i) => `@functools.cache\ndef f${i}(x):\n  return x\n`),
  'cases of a match': (n) => `x = 1\nmatch x:\n${lines(n / 2, (i) => `  case ${i}:\n    y = ${i}\n`)}`,
  'names in one scope': (n) => `def f():\n${lines(n, (i) => `  n${i} = ${i}\n`)}f()\n`,
  'one line': (n) => `${lines(n * 2, (i) => `n = ${i};`)}\n`,
  parameters: (n) => `def f(${lines(n * 2, (i) => `a${i}, `)}):\n  return a0\n`,
  faults: (n) => lines(n, (i) => `x = = ${i}\n`),
}

const most = 160_000

test.each(Object.entries(growers))('compiles in time about linear in the text: %s', (_, grow) => {
  expect(compiling(grow)).toBe(undefined)
})

test('compiles in time about linear in the text: pieces of the grammar in any order', () => {
  const { seed, pick } = random()
  const pieces: readonly ((i: number) => string)[] = [
    () => 'x = [1, 2]\n',
    () => 'x.append(3)\n',
    (i) => `if x:\n  y = x\nelif z${i}:\n  pass\n`,
    () => 'for z in x:\n  print(z)\n',
    (i) => `w = f"{x}{v${i}:>{${i}}}"\n`,
    () => 'v = {1: 2}\n',
    () => '# c\n',
    () => 'u = x + [4]\n',
    (i) => `v${i} = u${i + 1}\n`,
    (i) => `def f${i}(a, *b, k=${i}, **c): return f${i + 1}(a) + f${(i * 7) % 100}(b)\n`,
    (i) => `class A${i + 1}(A${i}):\n  x: int = ${i}\n  def m(self): return self.m${i}()\n`,
    (i) => `match x:\n  case [a, {"k": b}, *c] if a: y = ${i}\n  case A${i}(x=1) | None: pass\n`,
    (i) => `try:\n  x.a${i}()\nexcept (E${i}, ValueError) as e:\n  raise\nfinally:\n  pass\n`,
    (i) => `a, (b, *c), d[${i}] = x, y.z${i}\n`,
    (i) => `lambda q, r=${i}: [s for s in q if s > r for t in s]\n`,
    (i) => `with f(${i}) as g${i}, h: pass\n`,
    (i) => `import json as j${i}\nfrom math import sqrt as s${i}\n`,
    (i) => `x.n${i}[1:${i}].o = y if z else not (w := ${i})\n`,
    (i) => `def g${i}():\n  global x, t${i}\n  yield x\n  t${i} = yield from x\n`,
    (i) => `x += ${i}\nx = "a"\nx = ${i} < x <= 3\n`,
  ]
  for (let round = 0; round < amount(2, 300); round++) {
    const chosen = Array.from({ length: 4 }, () => pick(pieces))
    const found = compiling((n) => `x = []\n${lines(n / 10, (i) => chosen.map((piece) => piece(i)).join(''))}`)
    expect(found, `seed ${seed}, pieces ${JSON.stringify(chosen.map((piece) => piece(0)))}`).toBe(undefined)
  }
})

/** The excess of the growth, with texts of which the longer one has a length of about `most`. */
function compiling(grow: Grow): string | undefined {
  const trial = 4_000
  const size = Math.floor((trial * (most / 4)) / grow(trial).length / 40) * 40
  expect(grow(size * 4).length).toBeLessThan(256 * 1024)
  return excess((n) => {
    const text = grow(n)
    return () => compileRecognised({ text, language: 'starlark', guessed: true })
  }, size)
}
