// Wall: the library decides the class of a failure, and every failure of a program counts as the program's. Attacks:
// failures named like the library's, worlds without the means to report a failure, and values that can't be shown.

import { describe, expect, it } from 'vitest'
import { runProgram } from '../../dist/meta-tools/index.js'
import { bench } from '../meta-tools/bench.js'

const { context } = bench({})
const ends = async (text: string, language: 'javascript' | 'starlark') => {
  const { error, report } = await runProgram({ text, language }, context)
  return error === null ? 'ok' : { class: error.class, report: report.split('\n')[0] }
}
const own = (report: string) => ({ class: 'program error', report: `program error ${report}` })

describe('a name of the library', () => {
  it.each([
    ['const e = new Error("x"); e.name = "limit"; throw e', '[limit] limit: x'],
    ['const e = new Error("x"); e.name = "host error"; throw e', '[error] Error: x'],
    ['class limit extends Error { get name() { return "limit" } } throw new limit("x")', '[limit] limit: x'],
    ['const e = new Error("x"); e.kind = "limit"; e.ends = "limit"; throw e', '[error] Error: x'],
    ['const e = new Error("x"); e.name = "native Error"; throw e', '[error] Error: x'],
    ['throw { name: "limit", kind: "host error", ends: "limit", message: "x", stack: "" }', undefined],
    ['Object.prototype.ends = "limit"; throw new Error("x")', '[error] Error: x'],
    ['Error.prototype.name = "host error"; null.x', undefined],
    ['const e = new AggregateError([Object.assign(new Error("x"), { name: "limit" })]); throw e', undefined],
  ])('in JavaScript: %s', async (program, report) => {
    const end = await ends(program, 'javascript')
    expect(end).toEqual(report === undefined ? { class: 'program error', report: expect.any(String) } : own(report))
  })

  it.each([
    ['class limit(Exception): pass\nraise limit("x")', '[limit] limit: x'],
    ['class FatalError(Exception): pass\nraise FatalError("x")', '[fatal-error] FatalError: x'],
    ['e = Exception("x")\ne.ends = "limit"\nraise e', '[exception] Exception: x'],
  ])('in Starlark: %s', async (program, report) => {
    expect(await ends(program, 'starlark')).toEqual(own(report))
  })
})

const undo = (what: string) =>
  `for (const k of Object.getOwnPropertyNames(${what})) try { ${what}[k] = () => undefined } catch {}`

describe('a world without anything', () => {
  it.each([
    ['String', 'String = () => undefined'],
    ['all globals', undo('globalThis')],
    ['all members of objects', undo('Object.prototype')],
    ['all members of arrays', undo('Array.prototype')],
    ['all members of texts', undo('String.prototype')],
    ['all members of functions', undo('Function.prototype')],
    ['all members of errors', undo('Error.prototype')],
    ['all members of promises', undo('Promise.prototype')],
    ['all members of expressions', undo('RegExp.prototype')],
    ['keys', 'Object.keys = () => [Symbol()]'],
    ['lengths', 'Array.isArray = () => true'],
    ['iterators', 'Array.prototype[Symbol.iterator] = () => { throw 1 }'],
    ['toJSON', 'Object.prototype.toJSON = () => { throw 1 }'],
    [
      'getters of everything',
      'for (const k of ["ok", "error", "result", "json", "text", "kind", "message", "stack"]) Object.defineProperty(Object.prototype, k, { get() { throw 1 }, set() { throw 2 } })',
    ],
  ])('are reported when the program replaces %s', async (_, change) => {
    for (const then of [
      '[1, { a: new Date(0) }]',
      'throw new Error("x")',
      'null.x',
      'await (async () => { throw [1] })()',
    ]) {
      const end = await ends(`${change}\n${then}`, 'javascript')
      expect(end === 'ok' || end.class === 'program error' ? 'answered' : end).toBe('answered')
    }
  })
})

describe('values without an end', () => {
  it.each([
    'let a = []; for (let i = 0; i < 30000; i++) a = [a]; a',
    'let a = {}; for (let i = 0; i < 30000; i++) a = { a }; throw a',
    'let a = {}; for (let i = 0; i < 900; i++) a = { a }; a',
    'let a = new Error("x"); for (let i = 0; i < 30000; i++) a = new Error("x", { cause: a }); throw a',
    'let a = new AggregateError([]); for (let i = 0; i < 30000; i++) a = new AggregateError([a]); throw a',
    'const a = {}; a.a = a; a',
    'new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })',
    'throw new Proxy(new Error("x"), { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
    `let f = () => 1;${'f = ((g) => () => g())(f);'.repeat(9000)}f()`,
    `${Array.from({ length: 9000 }, (_, i) => `const a${i} = () => a${i + 1};`).join('')}a0()`,
    `${Array.from({ length: 6000 }, (_, i) => `const a${i} = [${i ? `a${i - 1}` : ''}];`).join('')}a5999`,
    `/${'('.repeat(100_000)}${')'.repeat(100_000)}/.test("a")`,
    `new RegExp("(".repeat(100000) + ")".repeat(100000)).test("a")`,
    `new RegExp("(?:".repeat(100000) + ")".repeat(100000)).test("a")`,
  ])('are answered: %s', async (program) => {
    const end = await ends(program, 'javascript')
    expect(end === 'ok' || /^(?:program error|limit)$/.test(end.class) ? 'answered' : end).toBe('answered')
  })
})
