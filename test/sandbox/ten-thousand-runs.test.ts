// Nothing accumulates: ten thousand runs, a tenth of them failing in every way there is, leave a process as the first
// hundred left it.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

interface Census {
  readonly workers: number
  readonly handles: number
  readonly heapBytes: number
  readonly residentBytes: number
}

it('leaves memory, handles and threads where they were', async () => {
  const script = fileURLToPath(new URL('./ten-thousand-runs.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script])
  const { first, last, kinds } = JSON.parse(stdout) as { first: Census; last: Census; kinds: Record<string, number> }
  expect(kinds).toEqual({ completed: 9000, threw: 200, limit: 600, cancelled: 100, fault: 100 })
  expect([last.workers, last.handles]).toEqual([first.workers, first.handles])
  expect(last.heapBytes).toBeLessThan(first.heapBytes + 2_000_000)
  expect(last.residentBytes).toBeLessThan(first.residentBytes * 1.5)
})
