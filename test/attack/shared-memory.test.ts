// Wall: hardening. No memory that others see, no view on the collection of garbage.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { endOf } = arena()

it.each([
  'SharedArrayBuffer',
  'Atomics',
  'WeakRef',
  'FinalizationRegistry',
  'WebAssembly',
  'Worker',
  'MessageChannel',
  'gc',
])('%s does not exist', async (name) => {
  expect(await endOf(`typeof ${name} + typeof globalThis.${name} + (${JSON.stringify(name)} in globalThis)`)).toEqual(
    completed('undefinedundefinedfalse'),
  )
})

it('no constructor of theirs is in reach', async () => {
  const code = `
    const names = new Set(), seen = new Set(), queue = [globalThis, () => {}, function* () {}, async () => {}, [], /a/, new Uint8Array(1).buffer]
    while (queue.length) {
      const value = queue.pop()
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
      seen.add(value)
      if (typeof value[Symbol.toStringTag] === 'string') names.add(value[Symbol.toStringTag])
      queue.push(Object.getPrototypeOf(value))
      for (const key of Reflect.ownKeys(value)) { const d = Object.getOwnPropertyDescriptor(value, key); queue.push(d.value, d.get, d.set) }
    }
    [...names].filter((name) => /Shared|Atomics|WeakRef|Finalization/.test(name)).join()`
  expect(await endOf(code)).toEqual(completed(''))
})
