// Wall: the limit on memory. Every way to grow ends at the same place, the growth of linear memory.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()
const MIB = 1024 * 1024

it.each([
  'const a = []; for (;;) a.push({})',
  'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)',
  'const m = new Map(); for (let i = 0; ; i++) m.set(i, {})',
  'const o = {}; for (let i = 0; ; i++) o["key" + i] = i',
  'let p = null; for (;;) p = { p }',
  'let f = () => 0; for (;;) { const g = f; f = () => g }',
  'const a = []; for (;;) a.push(new Uint8Array(1e5))',
  'const a = []; for (;;) a.push(Symbol("s"))',
  'let o = {}; for (;;) o = Object.create(o)',
  '[..."a".repeat(1e7)]',
  'const a = []; for (;;) a.push(2n ** 500000n + BigInt(a.length))',
  'Math.max(...Array(1e7).fill(1))',
  '"a".repeat(3e6).split("")',
  'JSON.parse("[" + "1,".repeat(3e6) + "1]")',
])('a program ends by the memory limit: %s', async (code) => {
  expect(await endOf(code, { limits: { memoryBytes: 24 * MIB } })).toEqual(limit('memoryBytes', 24 * MIB))
})

it('keeps limits below the memory that a guest starts with', async () => {
  expect(await endOf('const a = []; for (;;) a.push({})', { limits: { memoryBytes: 2 * MIB } })).toEqual(
    limit('memoryBytes', 2 * MIB),
  )
  const fits = 'const a = []; for (let i = 0; i < 10000; i++) a.push({}); "fits"'
  expect(await endOf(fits, { limits: { memoryBytes: 2 * MIB } })).toEqual({ kind: 'completed', payload: 'fits' })
})
