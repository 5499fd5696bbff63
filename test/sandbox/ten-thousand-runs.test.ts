// Nothing accumulates: ten thousand runs, or fewer every time, a tenth of them failing in every way there is, leave a
// process as the first hundred left it.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { amount } from '../random.js'

interface Census {
  readonly workers: number
  readonly handles: number
  readonly heapBytes: number
  readonly residentBytes: number
}

it('leaves memory, handles and threads unchanged', async () => {
  const script = fileURLToPath(new URL('./ten-thousand-runs.mjs', import.meta.url))
  const hundreds = amount(20, 100)
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, String(100 * hundreds)])
  const { first, last, kinds } = JSON.parse(stdout) as { first: Census; last: Census; kinds: Record<string, number> }
  expect(kinds).toEqual({
    completed: 90 * hundreds,
    threw: 2 * hundreds,
    limit: 6 * hundreds,
    cancelled: hundreds,
    fault: hundreds,
  })
  expect([last.workers, last.handles]).toEqual([first.workers, first.handles])
  expect(last.heapBytes).toBeLessThan(first.heapBytes + 2_000_000)
  expect(last.residentBytes).toBeLessThan(first.residentBytes * 1.5)
})
