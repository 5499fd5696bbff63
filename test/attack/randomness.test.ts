// Wall: determinism. Nothing is random, and the same program gives the same bytes in every run and in every worker.

import { expect, it } from 'vitest'
import { openSandbox } from '../../dist/sandbox/index.js'
import { arena, completed, plain } from './harness.js'

const { endOf } = arena()

it('there is no Math.random or similar function', async () => {
  expect(await endOf('[typeof Math.random, typeof crypto].join()')).toEqual(completed('undefined,undefined'))
})

it('a program that looks for differences finds none', async () => {
  const code = `
    const parts = []
    for (const f of ['sin', 'cos', 'tan', 'exp', 'log', 'pow', 'atan2', 'cbrt', 'sinh', 'expm1']) for (let i = 1; i < 50; i++) parts.push(Math[f](i * 1.1, i))
    const m = new Map(); for (let i = 0; i < 500; i++) m.set({}, i); parts.push([...m.values()].join())
    parts.push(Object.keys(Object.fromEntries(Array.from({ length: 300 }, (_, i) => ['k' + (i * 7919) % 301, i]))).join())
    parts.push([...new Uint8Array(new Float64Array([0 / 0, -(0 / 0), Math.sqrt(-1), Infinity - Infinity]).buffer)].join())
    parts.push(Array.from({ length: 300 }, (_, i) => (i * 7919) % 13).sort((a, b) => (a % 3) - (b % 3)).join())
    try { null.x } catch (e) { parts.push(e.stack) }
    parts.push(Symbol('s').toString(), (0.1).toFixed(30), (1e21).toString(36), [3, 20, 100].sort().join(), 'İ'.toLowerCase(), 'ß'.toUpperCase())
    parts.join(';')`
  const first = await endOf(code)
  expect(first).toMatchObject({ kind: 'completed' })
  expect(await endOf(code)).toEqual(first)
  const other = openSandbox({ spareWorkers: 0 })
  const { stats, ...end } = await other.run({ image: plain, code, onCall: () => '' })
  await other.close()
  expect(stats.memoryBytes).toBeGreaterThanOrEqual(0)
  expect(end).toEqual(first)
})
