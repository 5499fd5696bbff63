// Programs that sleep and measure print the output of CPython on a fast machine. They are not compared with it here,
// because this machine may be slow.

import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../dist/sandbox/index.js'
import { chunksOf, goldenOf } from './chunks.js'
import { openGuests, run, shown } from './guest.js'

const folder = path.join(import.meta.dirname, 'timed')

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openGuests()
})
afterAll(() => sandbox.close())

describe('the clock of a run', () => {
  const golden = goldenOf('clock.py', folder)
  it.each(chunksOf('clock.py', folder).map((chunk, i) => ({ ...chunk, i })))('$title', async ({ text, i }) => {
    expect(shown(await run(sandbox, text))).toBe(golden[i])
  })
})
