// Wall: the limit on memory. One request for more than the limit, up to sizes beyond all addresses.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()
const MEMORY = 64 * 1024 * 1024

it.each([
  'new ArrayBuffer(2 ** 31 - 1)',
  'new Float64Array(2 ** 28 - 1)',
  '"x".repeat(2 ** 30 - 1)',
  '"€".repeat(2 ** 29)',
  'Array(2 ** 27).fill(0)',
  '"x".padEnd(2 ** 30 - 1)',
  'Array(2 ** 26).join("abcdefgh")',
])('one allocation ends by the memory limit: %s', async (code) => {
  expect(await endOf(`try { ${code} } catch {} "caught"`)).toEqual(limit('memoryBytes', MEMORY))
})

it.each([
  ['new ArrayBuffer(2 ** 33)', 'RangeError', 'invalid array buffer length'],
  ['"x".repeat(2 ** 30)', 'RangeError', 'invalid string length'],
  ['let s = "a"; for (;;) s = s + s', 'InternalError', 'string too long'],
])("sizes that do not exist are the program's own error: %s", async (code, name, message) => {
  expect(await endOf(code)).toMatchObject({ kind: 'threw', name, message })
})
