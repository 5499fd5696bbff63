// Wall: the limit on source. A text that is too long never reaches a worker.

import { expect, it } from 'vitest'
import { arena, limit, plain } from './harness.js'

const { endOf, sandbox } = arena()

it('counts the text, or what its author wrote', async () => {
  expect(await endOf(`"${'x'.repeat(300_000)}"`)).toEqual(limit('sourceBytes', 256 * 1024))
  expect(await endOf('"€€"', { limits: { sourceBytes: 7 } })).toEqual(limit('sourceBytes', 7))
  const run = (sourceBytes: number) =>
    sandbox.run({ image: plain, code: '"compiled"', sourceBytes, limits: { sourceBytes: 100 }, onCall: () => '' })
  expect(await run(101)).toMatchObject(limit('sourceBytes', 100))
  expect(await run(100)).toMatchObject({ kind: 'completed' })
})
