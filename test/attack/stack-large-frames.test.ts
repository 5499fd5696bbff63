// Wall: the limit on stack. Functions with thousands of variables overflow in a few calls; their error may be caught,
// and that is all.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it('is an error of the program or the limit, never a broken guest', async () => {
  for (const count of [100, 1000, 15_000]) {
    const variables = Array.from({ length: count }, (_, i) => `v${i} = ${i}`).join(', ')
    const code = `function f() { let ${variables}; return f() + v0 } try { f() } catch (e) { e.message }`
    const end = await endOf(code, { limits: { sourceBytes: 1024 * 1024 } })
    expect([limit('stackBytes', 1024 * 1024), { kind: 'completed', payload: 'stack overflow' }]).toContainEqual(end)
  }
})
