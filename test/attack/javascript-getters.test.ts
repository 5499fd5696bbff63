// Wall: code that runs in unexpected places is the program's own: it has the same limits and ends in the same way.
// Attack: getters, toJSON, toString and valueOf that throw, call tools, or never end.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()
const limits = { cpuMs: 40 }

describe('a getter', () => {
  it.each([
    ['in an argument', 'db.put({ value: { get x() { for (;;); } } })'],
    ['in the result', 'result = { get x() { for (;;); } }'],
    ['as toJSON', 'result = { toJSON() { for (;;); } }'],
    [
      'as the text of an error',
      'const e = new Error(); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e',
    ],
    ['as toString', 'db.put({ value: `${{ toString() { for (;;); } }}` })'],
    ['as then', 'await { get then() { for (;;); } }'],
    ['of a symbol', 'console.log(new (class { get [Symbol.toStringTag]() { for (;;); } })())'],
  ])('%s that never ends meets the limit', async (_, code) => {
    const { failure } = await run(code, limits)
    expect(JSON.parse(failure!)).toMatchObject({ kind: 'limit', limit: 'cpuMs' })
  })

  it('that calls a tool while an argument is read makes a call of its own', async () => {
    const { calls, result } = await run('db.put({ value: { get x() { return db.get_row({ id: 1 }) } } })')
    expect(calls).toEqual(['db.get_row {"id":1}', 'db.put {"value":{"x":"row 1 of main"}}'])
    expect(result).toBe('"put done"')
  })

  it('that throws in a result fails the run at its place', async () => {
    expect((await run('result = { get x() { throw new RangeError("no") } }')).failure).toBe(
      'program error [range-error] RangeError: no\n  program:1:28\n  1 | result = { get x() { throw new RangeError("no") } }\n    |                            ^^^^^^^^^^^^^^^^^^^^',
    )
  })
})
