// Wall: values that run code when they are read can deceive only their own program. Attack: proxies as arguments,
// results, printed values, errors, thenables, and as the programs' own world.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()
const trap = `new Proxy({}, new Proxy({}, { get: () => () => { throw new Error('trap') } }))`

describe('a proxy with traps everywhere', () => {
  it.each([
    ['as an argument', `db.put(${trap})`],
    ['inside of an argument', `db.put({ value: [${trap}] })`],
    ['as the result', `result = ${trap}`],
    ['inside of the result', `result = { a: [${trap}] }`],
    ['printed', `console.log(${trap})`],
    ['cloned', `structuredClone(${trap})`],
  ])('%s ends in the error that it throws', async (_, code) => {
    const { failure, calls } = await run(code)
    expect(failure).toMatch(/^program error \[error\] Error: trap\n {2}program:1:/)
    expect(calls).toEqual([])
  })

  it('is reported if thrown', async () => {
    expect((await run(`throw ${trap}`)).failure).toMatch(/^program error \[/)
  })

  it('of an error is reported', async () => {
    expect(
      (await run(`throw new Proxy(new Error('x'), { get() { throw 1 }, getPrototypeOf() { throw 2 } })`)).failure,
    ).toMatch(/^program error \[/)
  })

  it('that answers differently each time is read once', async () => {
    const twoFaced = `let n = 0; const p = new Proxy({}, { ownKeys: () => ['id'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: (_, key) => key === 'id' ? ++n : undefined })`
    expect((await run(`${twoFaced}; db.get_row(p)`)).calls).toEqual(['db.get_row {"id":1}'])
  })
})

describe('a server, which is a proxy', () => {
  it.each([
    'db.get_row = () => 1',
    'Object.defineProperty(db, "get_row", { value: 1 })',
    'delete db.get_row',
    'Object.setPrototypeOf(db, { get_row: 1 })',
    'db.get_row.safe = 1',
    'Object.assign(db, { more: 1 })',
  ])('can not be changed: %s', async (code) => {
    const { failure } = await run(`const keep = [db]\n${code}`)
    expect(failure).toMatch(/^program error \[(type-error|unknown-tool)\]/)
  })
})
