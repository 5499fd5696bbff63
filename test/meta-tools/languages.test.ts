// executeToolCode in two languages: which one is taken, and that the answer says so where nobody else did.

import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../dist/meta-tools/index.js'
import { bench, structured } from './bench.js'

const { execute } = bench({ rows: { answers: structured({ result: [{ n: 1 }, { n: 2 }] }) } })
const NOTE = 'note: the program was taken for JavaScript; language: "javascript" says so'

describe('executeToolCode', () => {
  it('runs what is said to be JavaScript, and says nothing about it', async () => {
    const { text } = await execute({ code: 'const { result: rows } = api.rows()\nrows.length', language: 'javascript' })
    expect(text.replace(/\d+ ms/, 'N ms')).toBe('result: 2\ncalled api.rows ×1: N ms, 28 bytes')
  })

  it('recognises JavaScript and says so', async () => {
    const { text, isError } = await execute({ code: 'const x = await api.rows()\nreturn x.result[1]' })
    expect(text.replace(/\d+ ms/, 'N ms')).toBe(`result: {"n":2}\ncalled api.rows ×1: N ms, 28 bytes\n${NOTE}`)
    expect(isError).toBe(false)
  })

  it('says so, too, when the program is wrong', async () => {
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

  it('takes the word of a code fence', async () => {
    const { text } = await execute({ code: '```js\nresult = [1].concat([2])\n```' })
    expect(text).toBe('result: [1,2]')
  })

  it('tells the language that was taken when a run begins', async () => {
    const events: RunEvent[] = []
    await execute({ code: 'const x = 1' }, { onEvent: (event) => events.push(event) })
    expect(events[0]).toMatchObject({ type: 'run.started', language: 'javascript' })
  })
})
