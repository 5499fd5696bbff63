// Wall: the reading of limits. Wrong values are refused by name before anything runs.

import { expect, it } from 'vitest'
import { arena, plain } from './harness.js'

const { sandbox } = arena()
const run = (limits: object) => sandbox.run({ image: plain, code: '""', limits, onCall: () => '' })

it.each([
  [{ wallMs: 1e12 }, 'the requested limit wallMs: got 1000000000 s, want at most 600 s'],
  [{ wallMs: 0 }, 'the requested limit wallMs: got 0 s, want at least 1 ms'],
  [{ wallMs: Number.NaN }, 'the requested limit wallMs: got NaN, want a whole number'],
  [{ cpuMs: '5' }, 'the requested limit cpuMs: got a string, want a whole number'],
  [{ memoryBytes: Number.POSITIVE_INFINITY }, 'the requested limit memoryBytes: got Infinity, want a whole number'],
  [{ stackBytes: 2 ** 40 }, 'the requested limit stackBytes: got 1048576 MiB, want at most 2 MiB'],
  [{ toolCalls: -1 }, 'the requested limit toolCalls: got -1, want at least 0'],
  [{ toolCalls: null }, 'the requested limit toolCalls: got null, want a whole number'],
  [
    { constructor: 1 },
    /^host error \[unknown-limit\] the requested limit "constructor" does not exist; there are wallMs, cpuMs,/,
  ],
])('wrong limits are refused: %j', async (limits, message) => {
  await expect(run(limits)).rejects.toThrow(message)
})

it('names all mistakes at once', async () => {
  await expect(run({ wallms: 5, cpuMs: -5 })).rejects.toMatchObject({
    diagnostics: [
      { code: 'unknown-limit', hint: 'use wallMs' },
      { code: 'wrong-limit', message: 'the requested limit cpuMs: got -5 ms, want at least 1 ms' },
    ],
  })
})
