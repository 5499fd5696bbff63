// Wall: a program's changes to its builtins affect neither the called tool nor its arguments. Attack: replaced builtins
// and polluted prototypes, before a call is made.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('a changed world', () => {
  it.each([
    ['JSON.stringify', `JSON.stringify = () => '"other_server"'`],
    ['JSON.parse', `JSON.parse = () => ({ namespace: 'other_server' })`],
    ['toJSON', `Object.prototype.toJSON = String.prototype.toJSON = () => 'other_server'`],
    [
      'String.prototype',
      `for (const name of ['replace', 'slice', 'toString', 'valueOf', 'replaceAll']) String.prototype[name] = () => 'other_server'`,
    ],
    [
      'Array.prototype',
      `for (const name of ['push', 'join', 'map', 'slice', 'includes', 'pop']) Array.prototype[name] = () => ['other_server']`,
    ],
    ['iterators', `Array.prototype[Symbol.iterator] = function* () { yield 'other_server' }`],
    ['Symbol.toPrimitive', `Object.prototype[Symbol.toPrimitive] = () => 'other_server'`],
    [
      'a setter',
      `for (const key of ['namespace', 'member', 'named', 'server', '0']) Object.defineProperty(Object.prototype, key, { get: () => 'other_server', set() {} })`,
    ],
    ['Object.keys', `Object.keys = Object.entries = () => []`],
    [
      'WeakMap',
      `WeakMap.prototype.get = WeakMap.prototype.has = () => ({ space: 'other_server', member: 'sayHello' })`,
    ],
    ['Map', `Map.prototype.get = Map.prototype.has = () => 'sayHello'`],
    ['Reflect and Proxy', `Reflect.get = Reflect.apply = () => 'other_server'; globalThis.Proxy = class {}`],
  ])('%s: calls the same tool', async (_, change) => {
    const { calls, reach } = await run(
      `const call = db.get_row\n${change}\ntry { call({ id: 1 }) } catch {}\ntry { db.get_row({ id: 1 }) } catch {}`,
    )
    expect(reach).toBe('db.get_row')
    for (const call of calls) expect(call).toMatch(/^db\.get_row \{/)
  })

  it('does not outlive its run', async () => {
    await run(`Object.prototype.polluted = 1; Array.prototype.map = null; globalThis.kept = 1; db.orders().kept = 1`)
    const { result } = await run(`[{}.polluted, typeof [].map, typeof globalThis.kept, db.orders().kept]`)
    expect(result).toBe('[null,"function","undefined",null]')
  })

  it('leaves a failure with a place', async () => {
    const { failure } = await run(
      `Error.prototype.toString = () => { for (;;); }\nObject.defineProperty(Error.prototype, 'name', { get() { throw 1 } })\nnull.x`,
    )
    expect(failure).toMatch(/^program error \[\S+\] .*\n {2}program:3:1\n/)
  })
})
