// The check against the guest: every refused program must fail if it runs unchecked. Exhaustive over types, operators,
// builtins and attributes, over every program in this repository, and over generated programs.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../dist/sandbox/index.js'
import { amount, random as newRandom, usualSeed } from '../../random.js'
import { isRefusedByCheck, runningUnchecked, runUnchecked } from './run-program.js'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const sandbox = openSandbox({ limits: { wallMs: 600_000, cpuMs: 2_000 } })
afterAll(() => sandbox.close())

const values = [
  'None',
  'True',
  '3',
  '-2',
  '1.5',
  '"abc"',
  '"7"',
  '[1, 2]',
  '["a"]',
  '[]',
  '(1, 2)',
  '{"a": 1}',
  'set([1])',
]
/** Each time others of them, unless this is the long form. */
function sampled<T>(all: readonly T[], every: number): readonly T[] {
  const part = amount(every, 1)
  return all.filter((_, i) => (i + usualSeed) % part === 0)
}
const operators = '+ - * / // % | & ^ << >> < > <= >= == != in'.split(' ')

/** The expressions that the check refuses although they run, and how many it refused. */
async function falseAlarms(expressions: readonly string[], strict: boolean) {
  const refused = expressions
    .map((expression) => `x = ${expression}\n`)
    .filter((code) => isRefusedByCheck(code, strict))
  return { alarms: await runningUnchecked(sandbox, refused, strict), refused: refused.length }
}

describe.each([false, true])('with strict: %s, refused programs fail', (strict) => {
  it('and the test notices refused programs that run', async () => {
    const programs = ['x = 1 + 2\n', 'x = 1 + ""\n', 'x = [1]\n']
    expect(await runningUnchecked(sandbox, programs, strict)).toEqual([programs[0], programs[2]])
  })

  it('for every operator and two types', async () => {
    const all = values.flatMap((a) => values.flatMap((b) => operators.map((operator) => `${a} ${operator} ${b}`)))
    const { alarms, refused } = await falseAlarms(sampled(all, 4), strict)
    expect(alarms).toEqual([])
    expect(refused).toBeGreaterThan(600 / amount(4, 1))
  })

  it('for unary operators, indices, slices, calls, loops and unpacking', async () => {
    const one = values
      .filter((v) => v !== '-2')
      .flatMap((v) => [
        `-${v}`,
        `+${v}`,
        `~${v}`,
        `not ${v}`,
        `(${v})[0]`,
        `(${v})["a"]`,
        `(${v})[0:1]`,
        `(${v})()`,
        `[y for y in ${v}]`,
      ])
    const { alarms, refused } = await falseAlarms(one, strict)
    expect(alarms).toEqual([])
    expect(refused).toBeGreaterThan(40)
    const stored = values.flatMap((v) => [
      `0\ny = ${v}\ny[0] = 1`,
      `0\na, b = ${v}`,
      `0\ny = ${v}\ny += ${v}`,
      `0\ny = ${v}\ny += [1]`,
    ])
    expect((await falseAlarms(stored, strict)).alarms).toEqual([])
  })

  it('for builtins of every type', async () => {
    const names =
      'len sorted reversed list tuple enumerate any all int float abs range ord chr str repr bool type hash sum round min max set dict'.split(
        ' ',
      )
    const all = names.flatMap((name) => [
      `${name}()`,
      ...values.flatMap((v) => [`${name}(${v})`, `${name}(${v}, bogus=1)`]),
    ])
    const { alarms, refused } = await falseAlarms(sampled(all, 4), strict)
    expect(alarms).toEqual([])
    expect(refused).toBeGreaterThan(200 / amount(4, 1))
  })

  it('for attributes of every type', async () => {
    const names =
      'push length append upper keys items get pop split join add sort index count real name title format size trim has_key copy hex value update strip'.split(
        ' ',
      )
    const all = values.flatMap((v) =>
      names.flatMap((name) => [`(${v}).${name}`, `(${v}).${name}()`, `(${v}).${name}(1, 2, 3, 4)`]),
    )
    const { alarms, refused } = await falseAlarms(sampled(all, 4), strict)
    expect(alarms).toEqual([])
    expect(refused).toBeGreaterThan(300 / amount(4, 1))
  })
})

/** Programs in a file: chunks of a .star file, fenced blocks of a document. */
function programsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.md')) return [...text.matchAll(/```(?:python|starlark)\n([\s\S]*?)```/g)].map((m) => m[1]!)
  return text.split(/^---\n/m)
}

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(star|bzl|py|md)$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(folder, file))
}

describe('programs that run without error are not refused', () => {
  it.each(['test', 'examples', 'docs', '../shared/conformance', '../shared/bench'])('in %s', async (folder) => {
    const all = filesUnder(path.join(root, folder)).flatMap((file) =>
      programsIn(file).map((code) => [file, code] as const),
    )
    const alarms: string[] = []
    for (const [file, code] of sampled(all, 12))
      for (const strict of [false, true])
        if (isRefusedByCheck(code, strict) && (await runUnchecked(sandbox, code, strict)).ok)
          alarms.push(`${path.relative(root, file)} (strict: ${strict})\n${code}`)
    expect(alarms).toEqual([])
  })

  it('when they are generated', async () => {
    const seed = usualSeed
    const alarms: string[] = []
    let refused = 0
    const rounds = amount(100, 20_000)
    for (let n = 0; n < rounds; n++) {
      const code = generated(seed + n)
      if (!isRefusedByCheck(code)) continue
      refused++
      if ((await runUnchecked(sandbox, code)).ok) alarms.push(`seed ${seed}, program ${n}\n${code}`)
    }
    expect(alarms).toEqual([])
    expect(refused).toBeGreaterThan(rounds / 10)
  })
})

/** A small program of branches, loops, functions and handlers over a few variables of changing types. */
function generated(seed: number): string {
  const { below: random, pick } = newRandom(seed)
  const names = ['a', 'b', 'c']
  const simple = (): string => pick([...names, ...names, ...values])
  const expression = (): string =>
    pick([
      () => simple(),
      () => `${simple()} ${pick(['+', '-', '*', '==', 'and', 'or', 'in'])} ${simple()}`,
      () => `${pick(['len', 'str', 'sorted', 'list'])}(${simple()})`,
      () => `(${simple()})${pick(['.upper()', '[0]', '["a"]', '.append(1)', '.length', '.get("a")', '[:1]'])}`,
      () => `(${simple()} if ${simple()} else ${simple()})`,
      () => `[x for x in ${simple()} if x]`,
      () => `f(${pick(['', simple(), `${simple()}, ${simple()}`])})`,
      () => `github.search(${pick(['"x"', 'query="x"', pick(names)])})`,
    ])()
  const block = (depth: number, indent: string, inFunction: boolean): string[] =>
    Array.from({ length: 1 + random(3) }, () => statement(depth, indent, inFunction)).flat()
  const statement = (depth: number, indent: string, inFunction: boolean): string[] => {
    const inner = `${indent}    `
    const nested = (head: string): string[] => [`${indent}${head}`, ...block(depth - 1, inner, inFunction)]
    const kind = random(depth > 0 ? 10 : 4)
    if (kind < 3) return [`${indent}${pick(names)} = ${expression()}`]
    if (kind === 3)
      return [inFunction && random(3) === 0 ? `${indent}return ${expression()}` : `${indent}${expression()}`]
    if (kind === 4) return nested(`if ${expression()}:`)
    if (kind === 5) return [...nested(`if ${simple()}:`), ...nested('else:')]
    if (kind === 6)
      return [
        ...nested(`for ${pick(names)} in ${pick(['[]', '[1, "x"]', 'range(2)', simple()])}:`),
        `${inner}${pick(['pass', 'break', 'continue'])}`,
      ]
    if (kind === 7)
      return [
        ...nested('try:'),
        ...nested(
          pick(['except:', 'except TypeError:', 'except ValueError:', 'except (KeyError, AttributeError) as e:']),
        ),
      ]
    if (kind === 8) return [`${indent}${pick(names)} ${pick(['+', '*'])}= ${simple()}`]
    return nested(`while ${pick(['False', `${simple()} == 99`])}:`)
  }
  const start = names.map((name) => `${name} = ${pick(values)}`)
  const parameters = pick(['', 'p', 'p, q=1'])
  return [
    ...start,
    `def f(${parameters}):`,
    ...names.map((name) => `    ${name} = ${pick(values)}`),
    ...block(2, '    ', true),
    ...block(3, '', false),
  ].join('\n')
}
