// Wall: the engine's bound on big integers, and the limits behind it. No power blocks a run.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()
const tooLarge = {
  kind: 'threw',
  name: 'RangeError',
  message: expect.stringMatching(/^BigInt is too large( to allocate)?$/),
}

it.each(['3n ** (3n ** 15n)', '2n ** 2000000n', '1n << 2000000n', 'BigInt("1".repeat(3e6))'])(
  "an integer that is too large is the program's own error: %s",
  async (code) => {
    expect(await endOf(code)).toMatchObject(tooLarge)
  },
)

it('repeated division and conversion of the largest ones end by the wall time', async () => {
  const code = 'const x = (1n << 400000n) - 1n; for (;;) { (x * x) % (x - 12345n); x.toString() }'
  expect(await endOf(code, { limits: { wallMs: 60 } })).toEqual(limit('wallMs', 60))
})
