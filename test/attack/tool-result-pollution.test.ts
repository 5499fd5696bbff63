// Wall: tools' answers are data on both sides. Attack: keys with a meaning for JavaScript objects.

import { describe, expect, it } from 'vitest'
import { stage, toolNamed } from './program-harness.js'

const perform = stage()
const servers = [{ name: 'evil', tools: [toolNamed('get')] }]
const text =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"t","hasOwnProperty":2,"length":-1,"then":3,"10":"ten","2":"two","\\u0000":4,"":5}'
const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', '10', '2', '\u0000', '']

describe('a tool result', () => {
  it.each([
    [
      'as structured content',
      { isError: false, content: [{ type: 'text' as const, text }], structuredContent: JSON.parse(text) },
    ],
    ['as JSON text', { isError: false, content: [{ type: 'text' as const, text }] }],
  ])('%s keeps its keys and pollutes nothing', async (_, answer) => {
    const program = [
      'r = evil.get()',
      'result = {"keys": [k for k in r], "proto": r["__proto__"], "constructor": r["constructor"], "toString": r["toString"],',
      '  "length": r["length"], "then": r["then"], "ten": r["10"],',
      '  "others": [{}.get("polluted"), {"a": 1}.get("toString"), "constructor" in {"a": 1}, {"a": 1}.get("__proto__", 0)]}',
    ].join('\n')
    const { result, failure } = await perform(program, { servers, answer })
    expect(failure).toBe(undefined)
    const seen = JSON.parse(result!)
    expect([...seen.keys].sort()).toEqual([...keys].sort())
    expect({ ...seen, keys: undefined }).toEqual({
      keys: undefined,
      proto: { polluted: 1 },
      constructor: { prototype: { polluted: 1 } },
      toString: 't',
      length: -1,
      then: 3,
      ten: 'ten',
      others: [null, null, false, 0],
    })
    expect(({} as { polluted?: number }).polluted).toBe(undefined)
  })

  it('leaves the next run a clean world', async () => {
    expect((await perform('result = [{}.get("polluted"), {"a": 1}.get("polluted")]')).result).toBe('[null,null]')
  })

  it('passes on to another tool unchanged', async () => {
    const answer = { isError: false, content: [{ type: 'text' as const, text }] }
    const { calls } = await perform('evil.get(a=evil.get())', { servers, answer })
    const sent = (calls[1] as { a: Record<string, unknown> }).a
    expect(Object.keys(sent).sort()).toEqual([...keys].sort())
    expect(Object.getPrototypeOf(sent) === Object.prototype || Object.getPrototypeOf(sent) === null).toBe(true)
    expect((sent as { polluted?: number }).polluted).toBe(undefined)
  })
})
