// Output during pending reads is processed in time linear in its length.

import { expect, it } from 'vitest'
import { bindServers } from '../../dist/bindings/index.js'
import { RunCalls } from '../../dist/meta-tools/read-ahead/index.js'
import { defaultLimits } from '../../dist/sandbox/index.js'
import { bench } from '../meta-tools/bench.js'
import { excess } from './growth.js'

it.each([
  ['before one of them is answered', 'none'],
  ['after all of them are answered', 'all'],
])('prints %s', (_, answered) => {
  const tools = [{ name: 'get', inputSchema: { type: 'object' as const }, annotations: { readOnlyHint: true } }]
  const answer = { isError: false, content: [], structuredContent: {} }
  const { context } = bench({})
  const printing = (n: number) => {
    const caller = { call: () => (answered === 'all' ? answer : new Promise<never>(() => {})) }
    const calls = new RunCalls(
      { ...context, bindings: bindServers([{ name: 'api', tools }]), caller, readsAhead: () => true },
      () => {},
      { runId: 'run', parentId: null },
      {
        runStarted: 0,
        limits: { ...defaultLimits, toolCalls: 10 * n },
        language: 'starlark',
        reach: { tools: [], widened: 'all' },
        isWatched: false,
      },
    )
    const { signal } = new AbortController()
    const payload = (i: number) =>
      `+0 ${JSON.stringify({ namespace: 'api', member: 'get', positional: [], named: { i } })}`
    for (let id = 1; id <= n; id++) void calls.answer({ id, payload: payload(id), waits: false }, signal)
    return () => {
      for (let i = 0; i < 3 * n; i++) calls.print('x')
    }
  }
  expect(excess(printing, 2_000)).toBe(undefined)
})
