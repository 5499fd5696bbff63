// Wall: a run waits exactly for the calls that it has sent. Attack: subclasses and species of promises and arrays,
// thenables, replaced `then` and `constructor`.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('promises of another kind', () => {
  it.each([
    [
      'a species',
      'class P extends Promise { static get [Symbol.species]() { return Array } }\ntry { P.resolve(1).then((x) => x) } catch {}',
    ],
    ['a constructor', 'Promise.prototype.constructor = function () {}'],
    ['a global', 'globalThis.Promise = class {}'],
    ['a thenable', 'await { then(resolve) { resolve(1); resolve(2) } }'],
    ['a deleted method', 'delete Promise.prototype.catch; delete Promise.prototype.finally'],
  ])('%s: the call is answered all the same', async (_, attack) => {
    const { result, calls, failure } = await run(`${attack}\nreturn await db.get_row({ id: 1 })`)
    expect({ result, calls, failure }).toEqual({
      result: '"row 1 of main"',
      calls: ['db.get_row {"id":1}'],
      failure: undefined,
    })
  })

  it.each([
    ['throws', 'throw new Error("mine")'],
    ['gives nothing', 'return undefined'],
  ])('a `then` that %s harms its own run alone', async (_, body) => {
    const { failure } = await run(`Promise.prototype.then = function () { ${body} }\nawait db.get_row({ id: 1 })`)
    expect(failure).toMatch(/^program error \[/)
    expect((await run('await db.get_row({ id: 1 })')).result).toBe('"row 1 of main"')
  })

  it('resolving a promise twice, or with itself, changes nothing', async () => {
    const { result } = await run(
      'let go\nconst p = new Promise((resolve) => { go = resolve })\ngo(1); go(2)\nlet self\nself = new Promise((resolve) => queueMicrotask(() => resolve(self)))\nreturn [await p, await self.catch((e) => e.name)]',
    )
    expect(result).toBe('[1,"TypeError"]')
  })
})

describe('arrays of another kind', () => {
  it('are sent as arrays', async () => {
    const { calls } = await run(
      'class Many extends Array { static get [Symbol.species]() { return Map } toJSON() { return "own" } }\ndb.put({ value: Array.from({ length: 2 }, (_, i) => i) })\nconst m = new Many(); m.push(1)\ndb.put({ value: m })',
    )
    expect(calls).toEqual(['db.put {"value":[0,1]}', 'db.put {"value":[1]}'])
  })
})
