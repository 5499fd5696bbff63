// The detection of a program's language, by parsing it in both.

import { describe, expect, it } from 'vitest'
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
