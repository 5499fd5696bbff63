// Wall: a guest that lies about which of its calls are part of the run hides no effect. The guest is forged: it sends
// calls that a compromised one could send.

import { expect, it } from 'vitest'
import type { RunEnd, Sandbox } from '../../dist/sandbox/index.js'
import { bench, failure, structured } from '../meta-tools/bench.js'

const stats: RunEnd['stats'] = { wallMs: 1, queueMs: 0, runMs: 1, callWaitMs: 0, memoryBytes: 0 }
const call = (member: string) => `{"namespace":"api","member":"${member}","positional":[],"named":{}}`

/** Sends the texts as calls and ends normally. */
function forged(payloads: readonly string[]): Sandbox {
  return {
    async run({ onCall, onPrint }) {
      for (const [i, payload] of payloads.entries()) {
        await onCall({ id: i + 1, payload, waits: false }, new AbortController().signal)
        onPrint?.(`after ${i + 1}`)
      }
      return { kind: 'completed', payload: '{"ok":true}', stats }
    },
    isClosed: false,
    async warm() {},
    practise() {},
    async close() {},
  }
}

it.each([
  ['as reads after one that failed', ['+0-1 ', '+0-1 ', '+0-1 ']],
  ['as reads after one that the program would have caught', ['? ', '? ', '? ']],
  ['as calls after a read that failed', ['+ ', '', '']],
  ['as calls after a read that the program would have caught', ['?7-9 ', '', '?7-9 ']],
])('writes %s', async (_, marks) => {
  const { run } = bench(
    {
      get: { annotations: { readOnlyHint: true }, answers: failure('no') },
      put: { answers: structured({ done: true }) },
    },
    {
      sandbox: forged([`${marks[0]}${call('get')}`, `${marks[1]}${call('put')}`, `${marks[2]}${call('get')}`]),
      readsAhead: (_server, tool) => tool.annotations?.readOnlyHint === true,
    },
  )
  const { calls } = await run('_ = [api]\nresult = 1')
  expect(calls.filter(({ tool }) => tool === 'put')).toHaveLength(1)
})

it.each(['+0:0-1 ', '?0-1', '+x-y ', '+ + ', '! ', '?+ '])('an invalid mark: %s', async (mark) => {
  const { run, sent } = bench(
    { put: { answers: structured({ done: true }) } },
    { sandbox: forged([`${mark}${call('put')}`]) },
  )
  expect((await run('result = 1')).ok).toBe(true)
  expect(sent).toEqual([])
})
