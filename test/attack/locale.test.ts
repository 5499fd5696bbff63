// Wall: determinism. Functions whose answer depends on a locale elsewhere are absent.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { endOf } = arena()

it('no function asks for a locale', async () => {
  const code = `
    const found = [], seen = new Set(), queue = [globalThis, [], '', 1, 1n, /a/, new Uint8Array(1)]
    while (queue.length) {
      const value = queue.pop()
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) {
        if (value !== null && value !== undefined && typeof value !== 'object' && typeof value !== 'function') queue.push(Object.getPrototypeOf(value))
        continue
      }
      seen.add(value)
      queue.push(Object.getPrototypeOf(value))
      for (const key of Reflect.ownKeys(value)) {
        if (/locale|Intl/i.test(String(key))) found.push(String(key))
        const d = Object.getOwnPropertyDescriptor(value, key)
        queue.push(d.value, d.get, d.set)
      }
    }
    found.join()`
  expect(await endOf(code)).toEqual(completed(''))
})
