// Wall: a limit can't be caught. Time runs out inside try, finally and a promise's handlers, and none of them runs
// after it.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { attack } = arena()

it.each([
  'try { for (;;) {} } catch (e) { hostPrint("caught") } finally { hostPrint("finally") }',
  'for (;;) try { for (;;) {} } catch {} finally { continue }',
  'function* g() { try { yield 1; for (;;) {} } finally { hostPrint("finally") } } for (const x of g()) {}',
  'new Promise(() => { for (;;) {} }).catch(() => hostPrint("caught")); ""',
  'const p = { then() { for (;;) {} } }; (async () => { try { await p } catch { hostPrint("caught") } })()',
  'try { [3, 1, 2].sort(() => { for (;;) {} }) } catch { hostPrint("caught") }',
])("a program can't catch the time limit: %s", async (code) => {
  expect(await attack(code, { limits: { wallMs: 50 } })).toEqual({ end: limit('wallMs', 50), printed: [], calls: [] })
})
