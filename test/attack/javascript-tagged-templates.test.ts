// Wall: a template is text, however it is tagged. Attack: tags that are server functions, getters and constructors; raw
// texts that look like code.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('a tagged template', () => {
  it('of a tool is a call like any other, and is refused like any other', async () => {
    const { calls, failure, reach } = await run('db.get_row`1`')
    expect(calls).toEqual([])
    expect(reach).toBe('db.get_row')
    expect(failure).toBe(
      'program error [wrong-argument] TypeError: db.get_row: id: got array of 1, want integer\n  program:1:1\n  1 | db.get_row`1`\n    | ^^^^^^^^^^^^^',
    )
  })

  it.each([
    ['of a constructor', 'const make = (() => {}).constructor\nresult = typeof make`return 1`'],
    ['of a chain', 'result = typeof ((() => {}).constructor`return ${1}`)'],
  ])('makes no code: %s', async (_, code) => {
    expect((await run(code)).result).toBe('"object"')
  })

  it('keeps its raw text', async () => {
    const { result } = await run('String.raw`\\u0065val(1)\\n${"`"}<!-- ${1}`')
    expect(result).toBe('"\\\\u0065val(1)\\\\n`<!-- 1"')
  })

  it('has texts that cannot be changed', async () => {
    const { failure } = await run('const tag = (s) => { s[0] = 1 }\ntag`x`')
    expect(failure).toMatch(/^program error \[type-error\] TypeError: the object is frozen/)
  })
})
