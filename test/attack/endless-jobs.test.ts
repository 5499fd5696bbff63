// Wall: the interrupt handler. Promise jobs that make promise jobs keep a program alive after its last statement.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  '(function again() { Promise.resolve().then(again) })(); "done"',
  '(async () => { for (;;) await null })()',
  'const t = { then(f) { f(t) } }; Promise.resolve(t)',
])('endless jobs end by the wall time: %s', async (code) => {
  expect(await endOf(code, { limits: { wallMs: 50 } })).toEqual(limit('wallMs', 50))
})

it('a promise that nothing settles is reported, not awaited', async () => {
  const message = 'the program waits for something that never happens'
  expect(await endOf('new Promise(() => {})')).toEqual({ kind: 'threw', name: 'Error', message, stack: '' })
})
