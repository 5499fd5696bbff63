// Wall: the interrupt handler. Iteration that never ends, with the engine's own loops on top of guest code.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

const endless = 'const all = { *[Symbol.iterator]() { for (;;) yield 1 } }; '

it.each([
  `${endless}for (const x of all) {}`,
  `${endless}new Map(all)`,
  'const it = { [Symbol.iterator]() { return this }, next() { return { done: false, value: 0 } } }; const [...rest] = it',
  'const it = { [Symbol.iterator]() { return this }, next() { return {} } }; for (const x of it);',
  'Iterator.from({ next: () => ({ done: false }) }).filter(() => false).next()',
])('an endless iteration ends by a limit: %s', async (code) => {
  const end = await endOf(code, { limits: { wallMs: 60, memoryBytes: 1024 * 1024 * 1024 } })
  // A program that keeps all elements may reach its memory limit first; a map of the numbers is refused at once.
  expect([limit('wallMs', 60), limit('memoryBytes', 1024 * 1024 * 1024), refusal]).toContainEqual(end)
})

const refusal = expect.objectContaining({ kind: 'threw', name: 'TypeError' })
