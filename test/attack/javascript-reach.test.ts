// Wall: a run calls no tool that the compiler did not say it can reach. Attack: every way to a tool that does not name
// it.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('what can be reached', () => {
  it.each<[string, string]>([
    ['db.get_row({ id: 1 })', 'db.get_row'],
    ['db["get_row"]({ id: 1 })', 'db.get_row'],
    ['db?.get_row?.({ id: 1 })', 'db.get_row'],
    ['const { get_row } = db; get_row({ id: 1 })', 'db.get_row'],
    ['const { getRow: g, ...rest } = db; g({ id: 1 })', 'db.*'],
    ['const d = db, e = d; e.get_row({ id: 1 })', 'db.get_row'],
    ['let d = db; d = { get_row() {} }; d.get_row({ id: 1 })', 'db.*'],
    ['const name = "get_row"; db[name]({ id: 1 })', 'db.*'],
    ['const list = [db]; list[0].get_row({ id: 1 })', 'db.*'],
    ['const f = (server) => server.get_row({ id: 1 }); f(db)', 'db.*'],
    ['Object.values(db)', 'db.*'],
    ['Reflect.get(db, "get_row")({ id: 1 })', 'db.*'],
    ['for (const name in db) print(name)', 'db.*'],
    ['({ ...db })', 'db.*'],
    ['`${typeof db}`', ''],
    ['function f(db) { return db }; f(1)', ''],
    ['{ const db = { get_row: () => 1 }; db.get_row() }', ''],
    ['const { db: { get_row } } = { db }; get_row({ id: 1 })', 'db.*'],
    ['var d = db; d.get_row({ id: 1 })', 'db.get_row'],
    ['function f(d = db) { return d.get_row({ id: 1 }) }; f()', 'db.*'],
    ['class A { static d = db }; A.d.get_row({ id: 1 })', 'db.*'],
    ['const o = { get db() { return db } }; o.db.get_row({ id: 1 })', 'db.*'],
  ])('%s: %s', async (program, reach) => {
    const seen = await run(program)
    expect(seen.failure).toBe(undefined)
    expect(seen.reach).toBe(reach)
  })

  it.each([
    'globalThis.db',
    'this?.db',
    'Object.getOwnPropertyNames(globalThis).includes("db") ? 1 : undefined',
    '(function () { return this })()?.db',
    'globalThis["other" + "_server"]',
    'results.constructor.prototype.db',
  ])('%s leads nowhere', async (program) => {
    const { result, reach, failure } = await run(program)
    expect({ result, reach, failure }).toEqual({ result: undefined, reach: '', failure: undefined })
  })
})
