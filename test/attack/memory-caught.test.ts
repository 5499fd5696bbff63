// Wall: a limit can't be caught. A program that survives running out of memory could continue forever at the limit.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { attack } = arena()

it.each([
  'const a = []; try { for (;;) a.push({}) } catch { a.length = 0; hostPrint("caught") } "done"',
  'const a = []; try { for (;;) a.push({}) } finally { hostPrint("finally") }',
  'for (;;) { try { "x".repeat(2 ** 29) } catch { hostPrint("caught") } }',
  '(async () => { try { await null; "x".repeat(2 ** 29) } catch { hostPrint("caught") } return "done" })()',
])("a program can't catch the memory limit: %s", async (code) => {
  const MEMORY = 16 * 1024 * 1024
  expect(await attack(code, { limits: { memoryBytes: MEMORY } })).toEqual({
    end: limit('memoryBytes', MEMORY),
    printed: [],
    calls: [],
  })
})
