// Wall: the pristine guest. A run that changes every object it can reach leaves nothing behind; the harness compares
// the whole world after each.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { attack, endOf } = arena()

it('changes, deletes and freezes everything', async () => {
  const code = `
    const seen = new Set(), queue = [globalThis, () => {}, function* () {}, async () => {}, async function* () {}, [], '', 1, /a/, 1n, Symbol.iterator, true]
    const ownKeys = Reflect.ownKeys, describe = Object.getOwnPropertyDescriptor, protoOf = Object.getPrototypeOf, print = hostPrint
    while (queue.length) {
      const value = queue.pop()
      if (value === null || value === undefined || seen.has(value)) continue
      if (typeof value === 'object' || typeof value === 'function') {
        seen.add(value)
        for (const key of ownKeys(value)) { const d = describe(value, key); queue[queue.length] = d.value; queue[queue.length] = d.get; queue[queue.length] = d.set }
      }
      queue[queue.length] = protoOf(value)
    }
    const all = [...seen], define = Reflect.defineProperty, drop = Reflect.deleteProperty, set = Reflect.setPrototypeOf, freeze = Object.freeze
    let changed = 0
    for (let i = 0; i < all.length; i++) {
      const keys = ownKeys(all[i])
      for (let k = 0; k < keys.length; k++) if (k % 2 ? drop(all[i], keys[k]) : define(all[i], keys[k], { value: 666 })) changed++
      define(all[i], 'poison', { value: 'poison' })
      if (i % 3 === 0) set(all[i], null)
      if (i % 5 === 0) freeze(all[i])
    }
    print(changed > 500 ? 'changed' : 'too little: ' + changed)
    'done'`
  expect(await attack(code)).toEqual({ end: completed('done'), printed: ['changed'], calls: [] })
})

it.each([
  'globalThis.leak = "secret"; "done"',
  'var leak = "secret"; let lexical = "secret"; const constant = 1; class Leak {} function leaked() {} "done"',
  'Object.prototype.leak = "secret"; Array.prototype.push = () => { throw 1 }; "done"',
  'Symbol.for("leak"); Object.defineProperty(globalThis, "leak", { get() { throw 1 } }); "done"',
  'Promise.prototype.then = undefined; Promise.resolve().catch; "done"',
])('the next run sees no trace of: %s', async (code) => {
  expect(await endOf(code)).toEqual(completed('done'))
  expect(
    await endOf(
      '[typeof leak, typeof lexical, typeof constant, typeof Leak, typeof leaked, ({}).leak, [].push.name].join()',
    ),
  ).toEqual(completed('undefined,undefined,undefined,undefined,undefined,,push'))
})

it('work left for later does not reach the next run', async () => {
  expect(await endOf('throw Promise.resolve().then(() => hostPrint("late"))')).toMatchObject({ kind: 'threw' })
  expect(await attack('Promise.resolve("done")')).toEqual({ end: completed('done'), printed: [], calls: [] })
})
