// The detection of a program's language, by parsing it in both.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindServers } from '../../../dist/bindings/index.js'
import { renderDiagnostics } from '../../../dist/diagnostics/index.js'
import { CodeMode } from '../../../dist/index.js'
import type { Language } from '../../../dist/interpreter/index.js'
import { compileRecognised } from '../../../dist/interpreter/stages.js'
import { bindings } from './world.js'

function languageOf(text: string, language: Language): Language {
  return compileRecognised({ text, language, guessed: true }, { foreign: bindings.foreign }).program.language
}

describe('a text without a named language', () => {
  it.each<[string, Language, Language]>([
    ['const x = 1', 'starlark', 'javascript'],
    ['const rows = await db.orders()\nreturn rows.length', 'starlark', 'javascript'],
    ['let total = 0\nfor (const o of db.orders()) { total += o.total }\ntotal', 'starlark', 'javascript'],
    ['db.orders().map(o => o.id)', 'starlark', 'javascript'],
    ['console.log(1)', 'starlark', 'javascript'],
    ['// only a comment', 'starlark', 'javascript'],
    ['const x: number = 1', 'starlark', 'javascript'],
    // With a fault in it: the language that gets further is meant.
    ['const x = 1\nconst y = ;', 'starlark', 'javascript'],
    ['for x in [1]:\n  print(x', 'starlark', 'starlark'],
    ['db.get_row(id=1\nprint("done")', 'starlark', 'starlark'],
    ['x = [1, 2\ny = 3', 'starlark', 'starlark'],
    ['for x in [1]:\n  print(x', 'javascript', 'starlark'],
    ['x = [n for n in range(3)]', 'javascript', 'starlark'],
    ['def f():\n  return 1\nresult = f()', 'javascript', 'starlark'],
    ['# only a comment', 'javascript', 'starlark'],
    ['print(len("abc"))', 'javascript', 'starlark'],
    // In both: the usual one.
    ['result = 1', 'starlark', 'starlark'],
    ['result = 1', 'javascript', 'javascript'],
    ['print(db.get_row(1))', 'starlark', 'starlark'],
    ['print(db.get_row(1))', 'javascript', 'javascript'],
    // JavaScript parses it too, but it has no meaning there.
    ['print("\\N{BULLET} one")', 'starlark', 'starlark'],
    // In neither, for the same reason.
    ['nothing(1)', 'starlark', 'starlark'],
    ['nothing(1)', 'javascript', 'javascript'],
    ['', 'starlark', 'starlark'],
  ])('%j, usually %s, is %s', (text, usual, language) => {
    expect(languageOf(text, usual)).toBe(language)
  })

  it('a named language is not guessed', () => {
    const said = compileRecognised({ text: 'const x = 1', language: 'starlark' }, {})
    expect(said.program.language).toBe('starlark')
    expect(said.compilation.ok).toBe(false)
  })
})

const whole = { type: 'integer' } as const
const inputSchema = {
  type: 'object',
  properties: { a: whole, b: whole, c: whole },
  additionalProperties: false,
} as const
const { foreign } = bindServers([{ name: 's', tools: [{ name: 'write', inputSchema }] }])

/** The language and what a model reads; the text is empty for a program that would run. */
function read(text: string, program: { language: Language; guessed: boolean }): string {
  const { program: taken, compilation } = compileRecognised({ text, ...program }, { foreign })
  return `${taken.language}\n${compilation.ok ? '' : renderDiagnostics(compilation.diagnostics, text)}`
}

describe('a program with named arguments is never run as JavaScript', () => {
  const repeated = (column: number, text: string) =>
    `starlark
program error [repeated-argument] the keyword argument a appears twice
  program:1:${column}
  1 | ${text}
    | ${' '.repeat(column - 1)}^^^`
  const assigned = (line: number, column: number, text: string) =>
    `javascript
program error [named-argument] b = 5 is an assignment: JavaScript has no named arguments
  program:${line}:${column}
  ${line} | ${text}
    | ${' '.repeat(column - 1)}^^^
hint: write { b: 5 }`
  const order = `starlark
program error [argument-order] a positional argument may not follow a named one
  program:1:14
  1 | s.write(b=5, 7)
    |              ^
hint: move it to the front or name it`
  const comment = `starlark
program error [unexpected-token] got 'b', want end of line
  program:1:21
  1 | s.write(b=5) // set b
    |                     ^`
  const increment = `starlark
program error [foreign-syntax] '++' is not part of the language
  program:2:2
  2 | x++
    |  ^^
hint: write: x += 1`
  const braces = `starlark
program error [unexpected-token] got '{', want ':'
  program:1:11
  1 | if (true) { s.write(b=5) }
    |           ^
hint: blocks start with ':' and are indented: leave the braces out`

  const sent: unknown[] = []
  let codeMode: CodeMode
  beforeAll(async () => {
    const write = { inputSchema, call: (args: unknown) => sent.push(args) }
    codeMode = await CodeMode.open({ servers: { s: { inProcess: { write } } }, warm: false })
  })
  beforeEach(() => {
    sent.length = 0
  })
  afterAll(() => codeMode.close())

  it.each<[string, string]>([
    ['s.write(a=1, b=2, a=3)', repeated(19, 's.write(a=1, b=2, a=3)')],
    ['s.write(a=1, b=2, a=3);', repeated(19, 's.write(a=1, b=2, a=3);')],
    ['s.write(1, a=2, a=3)', repeated(17, 's.write(1, a=2, a=3)')],
    ['s.write(b=5) // set b', comment],
    ['s.write(b=5, 7)', order],
    ['x = s.write(b=5, c=6)\nx++', increment],
    ['if (true) { s.write(b=5) }', braces],
    // JavaScript apart from its arguments.
    ['const r = s.write(b=5)', assigned(1, 19, 'const r = s.write(b=5)')],
    ['let b\nconst r = s.write(b = 5)', assigned(2, 19, 'const r = s.write(b = 5)').replace('^^^', '^^^^^')],
    ['const w = s["wri" + "te"](b=5)', assigned(1, 27, 'const w = s["wri" + "te"](b=5)')],
    ['const { write } = s\nwrite(b=5)', assigned(2, 7, 'write(b=5)')],
  ])('%j', async (text, expected) => {
    for (const language of ['starlark', 'javascript'] as const)
      expect(read(text, { language, guessed: true })).toBe(expected)
    const run = await codeMode.run(text)
    expect(sent).toEqual([])
    expect(run.ok).toBe(false)
  })

  it('without another mistake it is Starlark', async () => {
    for (const language of ['starlark', 'javascript'] as const)
      expect(read('s.write(b=5)', { language, guessed: true })).toBe('starlark\n')
    await codeMode.run('s.write(b=5)')
    expect(sent).toEqual([{ b: 5 }])
  })
})

describe('JavaScript that is named', () => {
  const named = { language: 'javascript', guessed: false } as const

  it.each<[string, string, string]>([
    ['s.write(b=5, c=6)', 'b = 5', 'write { b: 5, c: 6 }'],
    ['s.write(a=1, b=2, a=3)', 'a = 1', 'pass all arguments by name in one object: { a: …, b: … }'],
    ['s.write(1, b=2)', 'b = 2', 'pass all arguments by name in one object: { b: … }'],
    ['s.write(s=5)', 's = 5', 'write { s: 5 }'],
    ['try { s.write(b=5) } catch {}', 'b = 5', 'write { b: 5 }'],
    ['const f = (x, y) => x\nf(y=5)', 'y = 5', 'pass the values alone, in the order of the parameters'],
    [`s.write(b="${'x'.repeat(50)}")`, 'b = …', 'write { b: … }'],
  ])('%j has a named argument', (text, words, hint) => {
    const said = read(text, named)
    expect(said).toContain(`[named-argument] ${words} is an assignment: JavaScript has no named arguments\n`)
    expect(said.endsWith(`hint: ${hint}`)).toBe(true)
    expect(said.match(/program error/g)).toHaveLength(1)
  })

  it.each([
    's.write({ b: 5 })',
    'function f(a = 1, b = a) { return a + b }\nf(2)',
    'const f = ({ a = 1, b = 2 }) => a + b\nf({ a: 3 })',
    'const f = async (a = 1, [b = 2] = []) => s.write({ a, b })\nawait f()',
    'const { a = 1 } = {}\ns.write(a)',
    'for (let i = 0; i < 2; i++) s.write(i)',
    'let x, y\nx = y = s.write(1)',
    'let m\nconst next = (x) => x\nwhile (next(m = null)) break',
    'let m\nif ((m = /a/.exec("a"))) print(m[0])',
    'const o = {}\nprint(o.a = 1)',
    'let n = 1\ns.write(n += 1)',
    '[1, 2].map((x, i = 0) => x + i)',
  ])('%j runs', (text) => {
    expect(read(text, named)).toBe('javascript\n')
    if (/const|let|=>|function/.test(text))
      expect(read(text, { language: 'starlark', guessed: true })).toBe('javascript\n')
  })
})
