// Wall: the output ring in shared memory. Output from before a kill is kept, however the run was killed.

import { expect, it } from 'vitest'
import { withEnoughTime } from '../sandbox/enough-time.js'
import { arena, limit } from './harness.js'

const { attack } = arena()

it.each([
  ['stopped at a poll', 'for (;;) {}'],
  ['terminated with its worker', 'const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)'],
])('output survives a run that is %s', async (_, code) => {
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`)
  const attempt = async (wallMs: number) => {
    const program = `for (let i = 0; i < 500; i++) hostPrint("line " + i); ${code}`
    const { end, printed } = await attack(program, { limits: { wallMs } })
    expect(end).toEqual(limit('wallMs', wallMs))
    return printed
  }
  expect(await withEnoughTime(200, attempt, (printed) => printed.length === 500)).toEqual(lines)
})

it('printed lines arrive while the program still runs', async () => {
  const abort = new AbortController()
  const { end, printed } = await attack('hostPrint("started"); for (;;) {}', {
    signal: abort.signal,
    onPrint: () => abort.abort(),
  })
  expect(end).toEqual({ kind: 'cancelled' })
  expect(printed).toEqual(['started'])
})
