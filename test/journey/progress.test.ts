// The progress of a server reaches the listeners of the run. running.test.ts tests that of MCP callers.

import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode, type RunEvent } from '../../dist/index.js'

const root = path.resolve(import.meta.dirname, '../..')
const everything = {
  command: process.execPath,
  args: [path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
}
const code = 'everything.trigger_long_running_operation(duration=0.2, steps=3)'

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: { everything }, warm: false })
})
afterAll(() => codeMode.close())

it('progress arrives as events of the library', async () => {
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

it('events have increasing numbers and times, whatever a listener does with them', async () => {
  const events: RunEvent[] = []
  const slow = async (event: RunEvent) => {
    events.push(event)
    await new Promise(() => {})
  }
  const program = 'print(everything.echo(message="a"))\nprint("b")'
  expect(await codeMode.run(program, { onEvent: slow, parentId: 'request-7' })).toMatchObject({ ok: true })
  expect(events.map(({ type }) => type)).toEqual([
    'run.started',
    'call.started',
    'call.finished',
    'print',
    'print',
    'run.finished',
  ])
  expect(events.map(({ runId, parentId, sequence }) => [runId, parentId, sequence])).toEqual(
    events.map((_, i) => ['run-2', 'request-7', i + 1]),
  )
  const times = events.map(({ time }) => time)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const failing = () => {
    throw new Error('a listener of its own')
  }
  expect((await codeMode.run(program, { onEvent: failing })).logs).toEqual(['Echo: a', 'b'])
})
