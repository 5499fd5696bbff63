// The progress of a server reaches the listeners of the run. running.test.ts tests that of MCP callers.

import path from 'node:path'
import { expect, it } from 'vitest'
import { CodeMode, type RunEvent } from '../../dist/index.js'

const root = path.resolve(import.meta.dirname, '../..')
const everything = {
  command: process.execPath,
  args: [path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
}
const code = 'everything.trigger_long_running_operation(duration=0.2, steps=3)'

it('as events of the library', async () => {
  await using codeMode = await CodeMode.open({ servers: { everything }, warm: false })
  const events: RunEvent[] = []
  expect((await codeMode.run(code, { onEvent: (event) => void events.push(event) })).ok).toBe(true)
  const told = events.filter(({ type }) => type === 'call.progress')
  expect(told).toEqual(
    [1, 2, 3].map((progress, i) => ({
      type: 'call.progress',
      runId: 'run-1',
      parentId: null,
      callId: 'run-1/1',
      server: 'everything',
      tool: 'trigger-long-running-operation',
      progress,
      total: 3,
      time: expect.any(Number),
      sequence: i + 3,
    })),
  )
})
