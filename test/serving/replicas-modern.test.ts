// Requests of revision 2026-07-28 at two replicas: what one has answered, the other goes on with.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { tracker } from '../approvals/tracker.js'
import { redisServer, whyNoRedis } from '../fixtures/redis.js'
import { message } from './modern-requests.js'
import { openReplicas, type Replica, type Replicas } from './replicas.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-modern-replicas-'))
afterAll(() => rmSync(folder, { recursive: true }))
const keysFile = path.join(folder, 'keys.json')
const [own, other] = [addKey(keysFile, 'own'), addKey(keysFile, 'other')]

const NONE =
  'requestState names no question that is open here: it was answered, it waited too long, or another process asked it; ' +
  'repeat the request without requestState'

interface Answer {
  readonly error?: { readonly code: number; readonly message: string }
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  readonly result: any
}

/** Asks its caller something in the middle of a call. */
function desk(): McpServer {
  const server = new McpServer({ name: 'desk', version: '1' })
  server.registerTool('ask', { annotations: { readOnlyHint: true } }, async () => {
    const requestedSchema = { type: 'object' as const, properties: { colour: { type: 'string' as const } } }
    const { action, content } = await server.server.elicitInput({ message: 'Which colour?', requestedSchema })
    return { content: [{ type: 'text', text: `${action}: ${content?.colour}` }] }
  })
  return server
}

describe.skipIf(redisServer === undefined)(`callers without sessions (${redisServer ?? whyNoRedis})`, () => {
  let replicas: Replicas
  let [one, two]: Replica[] = []
  const trackers = [0, 1].map(() => tracker(() => new Promise(() => {})))
  const calls = () => trackers.map((each) => each.calls)
  beforeAll(async () => {
    replicas = await openReplicas((index) => ({
      servers: { ...trackers[index]!.servers, desk: { inProcess: desk() } },
      approve: 'writes',
      callersAnswer: true,
      serve: { keysFile, taskAfterMs: 1 },
    }))
    ;[one, two] = replicas.all
  })
  afterAll(() => replicas.close())

  const asker =
    (capabilities: object) =>
    async ({ fetch }: Replica, method: string, params: Record<string, unknown>, key = own) => {
      const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
      return (await (
        await fetch('/mcp', message(method, params, { meta, headers: { 'x-api-key': key } }))
      ).json()) as Answer
    }
  const ask = asker({ elicitation: {} })
  const task = asker({ elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } })
  const program = (code: string) => ({ name: 'executeToolCode', arguments: { code } })
  const yes = { action: 'accept', content: { call1: 'once' } }
  const firstLine = ({ result }: Answer) => result.content[0].text.split('\n')[0]
  const becomes = (replica: Replica, taskId: string, status: string) =>
    expect.poll(async () => (await task(replica, 'tasks/get', { taskId })).result?.status).toBe(status)

  it('answer a question at another replica, once', async () => {
    const called = program('print(issues.close(number=1)["number"])')
    const { requestState } = (await ask(one!, 'tools/call', called)).result
    const answered = { ...called, requestState, inputResponses: { approval: yes } }
    expect(firstLine(await ask(two!, 'tools/call', answered, other))).toContain('[no-such-run]')
    expect(firstLine(await ask(two!, 'tools/call', answered))).toBe('1')
    for (const replica of [one!, two!])
      expect(firstLine(await ask(replica, 'tools/call', answered))).toContain('it has ended')
    expect(calls()).toEqual([[], ['close 1']])
  })

  it('ask after a task, answer it and cancel it at another replica', async () => {
    const { taskId } = (await task(one!, 'tools/call', program('issues.close(number=2)'))).result
    await becomes(two!, taskId, 'input_required')
    const { inputRequests } = (await task(two!, 'tasks/get', { taskId })).result
    await task(two!, 'tasks/update', { taskId, inputResponses: { [Object.keys(inputRequests)[0]!]: yes } })
    await becomes(one!, taskId, 'completed')
    expect(calls().flat()).toEqual(['close 1', 'close 2'])

    const second = (await task(one!, 'tools/call', program('issues.slow(number=3)'))).result.taskId
    await becomes(two!, second, 'working')
    expect((await task(two!, 'tasks/cancel', { taskId: second })).error).toBeUndefined()
    for (const replica of [one!, two!]) await becomes(replica, second, 'cancelled')
  })

  it('answer the question of a server only where it is held', async () => {
    const called = program('print(desk.ask())')
    const { requestState, inputRequests } = (await ask(one!, 'tools/call', called)).result
    const [name] = Object.keys(inputRequests)
    const red = { action: 'accept', content: { colour: 'red' } }
    const answered = { ...called, requestState, inputResponses: { [name!]: red } }
    expect((await ask(two!, 'tools/call', answered)).error).toEqual({ code: -32602, message: NONE })
    expect(firstLine(await ask(one!, 'tools/call', answered))).toBe('accept: red')
  })
})
