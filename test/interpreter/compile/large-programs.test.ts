// Programs of many thousand lines compile in linear time, whatever they consist of.

import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { compile } from '../../../dist/interpreter/stages.js'
import { excess } from '../../growth/growth.js'

type Line = (i: number) => string
type Frame = (body: string) => string
type Shape = readonly [name: string, line: Line, frame?: Frame]

const shapes: readonly Shape[] = [
  ['branches', (i) => `if flag > ${i}:\n  y${i} = 1\nelse:\n  y${i} = 2\n`, (body) => `flag = 1\n${body}`],
  ['for loops', (i) => `for i${i} in range(10):\n  z${i} = i${i} * 2\n  w = z${i} + ${i}\n`],
  ['while loops', (i) => `n${i} = 0\nwhile n${i} < 10:\n  n${i} += 1\n  if n${i} == 5: break\n`],
  ['comprehensions', (i) => `c${i} = [v * ${i} for v in range(10) if v > 2]\n`],
  ['try statements', (i) => `try:\n  t${i} = int("${i}")\nexcept ValueError as e:\n  t${i} = str(e)\n`],
  ['conditional expressions', (i) => `b${i} = (1 if ${i} > 2 else 0) and ${i} or 3\n`],
  ['functions', (i) => `def f${i}(a, b):\n  c = a * ${i}\n  return f${Math.max(0, i - 1)}(c, b)\n`],
  ['nested functions', (i) => `def o${i}(a):\n  def n(b):\n    return a + b + k${i}\n  return n\nk${i} = 1\n`],
  ['classes', (i) => `class C${i}:\n  def m(self):\n    return self.a + ${i}\n`],
  [
    'branches with loops inside a function',
    (i) => `  if a > ${i}:\n    x${i} = ${i}\n    for q in range(3):\n      x${i} += q\n`,
    (body) => `def f(a):\n${body}  return a\n`,
  ],
  ['undefined names', (i) => `y${i} = undefined_${i}\n`],
  ['unknown methods', (i) => `r${i} = "a".uper()\n`],
]

const program = (n: number, line: Line, frame: Frame = (body) => body): string =>
  frame(Array.from({ length: n }, (_, i) => line(i)).join(''))

describe('compile time is linear in the program:', () => {
  for (const [name, line, frame] of shapes)
    it(name, () => {
      const compiling = (n: number) => {
        const text = program(n, line, frame)
        return () => compile({ text, language: 'starlark' })
      }
      expect(excess(compiling, 400)).toBe(undefined)
    })
})

// Each turn of such a loop nests a tuple deeper. What is known of it must not grow with the number of types in it.
const nesting: readonly Shape[] = [
  ['a linked list', (i) => `for i in range(3):\n  node = (${i}, node)\n`, (body) => `node = None\n${body}`],
  ['a tree', (i) => `for i in range(3):\n  tree = (tree, ${i}, tree)\n`, (body) => `tree = None\n${body}`],
  ['pairs of themselves', (i) => `for i in range(3):\n  x = (x, x)\n  y = ${i}\n`, (body) => `x = 1\n${body}`],
  ['a branch', (i) => `if flag > ${i}:\n  ${'x = (x, x); '.repeat(30)}\n`, (body) => `flag = x = 1\n${body}`],
  [
    'a tuple read again',
    (i) => `while len(node) < ${i}:\n  node = ("x" + node[0][:1], node)\n`,
    (body) => `node = ("", None)\n${body}`,
  ],
  [
    'tuples of several lengths in nested loops',
    (i) =>
      `for i in range(2):\n  for j in range(2):\n    x = (i, x) if j else (x, j, x) if i else (x,)\n    y, x = (x, y), (y, ${i})\n`,
    (body) => `x = y = None\n${body}`,
  ],
]

/** Exponential work is ended here. Linear work takes a few milliseconds. */
const FOR_EVER_MS = 20_000

describe('compile time is linear where tuples are nested deeper and deeper:', () => {
  for (const [name, line, frame] of nesting)
    it(name, () => {
      const compiling = (n: number) => {
        const text = program(n, line, frame)
        return () => compile({ text, language: 'starlark' })
      }
      runInNewContext('once()', { once: compiling(1) }, { timeout: FOR_EVER_MS })
      expect(excess(compiling, 24)).toBe(undefined)
    })
})
