// executeToolCode in two languages: which one is taken, and that the answer says so where nobody else did.

import { describe, expect, it } from 'vitest'
import { bindServers } from '../../dist/bindings/index.js'
import { getToolDocs, listToolFiles, type RunEvent, readToolFile } from '../../dist/meta-tools/index.js'
import { openVfs } from '../../dist/vfs/index.js'
import { bench, structured } from './bench.js'

const { execute } = bench({ rows: { answers: structured({ result: [{ n: 1 }, { n: 2 }] }) } })
const NOTE = 'note: the program was read as JavaScript; language: "javascript" makes this explicit'

describe('executeToolCode', () => {
  it('runs a program that is declared as JavaScript, without a note', async () => {
    const { text } = await execute({ code: 'const { result: rows } = api.rows()\nrows.length', language: 'javascript' })
    expect(text.replace(/\d+ ms/, 'N ms')).toBe('result: 2\ncalled api.rows ×1: N ms, 28 bytes')
  })

  it('detects JavaScript and adds a note', async () => {
    const { text, isError } = await execute({ code: 'const x = await api.rows()\nreturn x.result[1]' })
    expect(text.replace(/\d+ ms/, 'N ms')).toBe(`result: {"n":2}\ncalled api.rows ×1: N ms, 28 bytes\n${NOTE}`)
    expect(isError).toBe(false)
  })

  it('adds the note to a failure, too', async () => {
    const { text, isError } = await execute({ code: 'const x = api.row()' })
    expect(text).toBe(
      [
        'program error [unknown-tool] api has no tool row',
        '  program:1:11',
        '  1 | const x = api.row()',
        '    |           ^^^^^^^',
        'hint: did you mean api.rows?',
        'Nothing was run and no tool was called.',
        NOTE,
      ].join('\n'),
    )
    expect(isError).toBe(true)
  })

  it('uses the language of a code fence', async () => {
    const { text } = await execute({ code: '```js\nresult = [1].concat([2])\n```' })
    expect(text).toBe('result: [1,2]')
  })

  it('reports the chosen language at the start of a run', async () => {
    const events: RunEvent[] = []
    await execute({ code: 'const x = 1' }, { onEvent: (event) => events.push(event) })
    expect(events[0]).toMatchObject({ type: 'run.started', language: 'javascript' })
  })
})

describe('a program’s questions about tools', () => {
  it.each<['starlark' | 'javascript', string, string]>([
    ['starlark', 'api.rows()\nhelp(api.rows)', ') -> RowsResult: ...'],
    ['javascript', 'api.rows()\nhelp(api.rows)', '  }): Promise<RowsResult>'],
    ['starlark', 'print(runtime.list_tools("api")[0]["signature"])', 'api.rows(**extra: Any) -> dict'],
    [
      'javascript',
      'print(runtime.list_tools("api")[0].signature)',
      'api.rows({ [key: string]: any }): Promise<object>',
    ],
  ])('is answered in the notation of %s: %s', async (language, code, line) => {
    expect((await execute({ code, language })).text.split('\n')).toContain(line)
  })
})

describe('stub files', () => {
  const tools = [{ name: 'get', inputSchema: { type: 'object' as const, properties: { id: { type: 'integer' } } } }]
  const bindings = bindServers([{ name: 'db', tools }])
  const filesFor = (language: 'starlark' | 'javascript') => ({ bindings, vfs: openVfs(), language })
  const script =
    '// db: 1 tool, called as await db.name({ … })\n\ndeclare const db: {\n  get(args?: { id?: number }): Promise<any>\n}\n'
  const python = '# db: 1 tool, called as db.name(...)\nfrom typing import Any\n\ndef get(id: int = ...) -> Any: ...\n'

  it.each<['starlark' | 'javascript', string, string]>([
    ['starlark', 'servers/db.pyi', python],
    ['javascript', 'servers/db.d.ts', script],
  ])('are listed in the notation of %s, and found by a short name', (language, path, text) => {
    const files = filesFor(language)
    expect(listToolFiles({}, files).text.split('\n').slice(0, 2)).toEqual([
      'servers/',
      `  ${path.slice(8)}  # 1 tool: get`,
    ])
    expect(listToolFiles({ query: 'get' }, files).text).toContain(` ${path}\n`)
    expect(readToolFile({ fileName: 'db' }, files).text).toBe(text)
  })

  it.each<['starlark' | 'javascript', string, string]>([
    [
      'starlark',
      '# servers/db.pyi\ndb.get(id: int = ...) -> Any',
      'def get(\n    id: int = ...,\n) -> Any: ...\n# example:\ndb.get()',
    ],
    [
      'javascript',
      '// servers/db.d.ts\ndb.get({ id?: number }): Promise<any>',
      'declare const db: {\n  get(args?: {\n    id?: number\n  }): Promise<any>\n}\n// example:\nawait db.get()',
    ],
  ])('are found and documented in the notation of %s', (language, found, docs) => {
    const files = filesFor(language)
    expect(listToolFiles({ query: 'get' }, files).text).toBe(found)
    expect(getToolDocs({ server: 'db', tool: 'get' }, files).text).toBe(docs)
  })

  it('exist in both notations', () => {
    const files = filesFor('starlark')
    expect(readToolFile({ fileName: 'servers/db.d.ts' }, files).text).toBe(script)
    expect(readToolFile({ fileName: 'servers/db/get.d.ts' }, files).text).toMatch(/^\/\/ await db\.get/)
    expect(readToolFile({ fileName: 'servers/db.pyi' }, files).text).toBe(python)
    expect(readToolFile({ fileName: 'servers/dbb.pyi' }, files).text).not.toMatch(/d\.ts/)
  })
})
