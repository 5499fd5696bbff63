// Programs as tasks: their callers ask after them, answer them and cancel them, in this process or the next.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey } from '../../dist/index.js'
import { tracker } from '../approvals/tracker.js'
import { openGateway } from './callers.js'
import { type Changes, message, serverInfo } from './modern-requests.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-tasks-'))
afterAll(() => rmSync(folder, { recursive: true }))
const keysFile = path.join(folder, 'keys.json')
const [own, other] = [addKey(keysFile, 'own'), addKey(keysFile, 'other')]

const TASKS = 'io.modelcontextprotocol/tasks'
const capabilities = { elicitation: {}, extensions: { [TASKS]: {} } }
const never = new Promise<void>(() => {})
const wholeTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

interface Answer {
  readonly error?: object
  readonly result: Readonly<Record<string, unknown>> & { readonly taskId: string }
}

let folders = 0
/** A gateway in front of the tracker; those with the same state share their runs. */
async function opened(state = path.join(folder, `state-${++folders}`), slow = never) {
  const { servers, calls } = tracker(() => slow)
  const serve = { port: 0, keysFile, taskAfterMs: 1 }
  const gateway = await openGateway({ servers, approve: 'writes', state, serve })
  const ask = async (method: string, params: Record<string, unknown>, key = own, changes: Changes = {}) => {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
    const init = message(method, params, { meta, ...changes, headers: { 'x-api-key': key } })
    return (await (await gateway.fetch('/mcp', init)).json()) as Answer
  }
  const run = async (code: string) => ask('tools/call', { name: 'executeToolCode', arguments: { code } })
  /** The task when it has this status. */
  const becomes = (taskId: string, status: string) =>
    vi.waitFor(
      async () => {
        const { result } = await ask('tasks/get', { taskId })
        expect(result.status).toBe(status)
        return result
      },
      { timeout: 120_000, interval: 20 },
    )
  return { ...gateway, state, calls, ask, run, becomes }
}

const begun = {
  taskId: expect.stringMatching(/^run-[0-9a-f]{10}$/),
  createdAt: expect.stringMatching(wholeTime),
  lastUpdatedAt: expect.stringMatching(wholeTime),
  ttlMs: 86_400_000,
  pollIntervalMs: 1000,
  _meta: serverInfo,
}
const complete = { resultType: 'complete' }
const ack = { ...complete, _meta: serverInfo }

describe('a program that takes long', () => {
  it('becomes a task that ends with its answer', async () => {
    let go: () => void = () => {}
    const slow = new Promise<void>((resolve) => {
      go = resolve
    })
    const { run, ask, becomes, calls } = await opened(undefined, slow)
    const { result } = await run('print(issues.slow(number=1)["number"])')
    expect(result).toEqual({ resultType: 'task', status: 'working', ...begun })
    const { taskId } = result
    expect((await ask('tasks/get', { taskId })).result).toEqual({ ...complete, status: 'working', ...begun })
    go()
    const { result: answer, ...rest } = await becomes(taskId, 'completed')
    expect(rest).toEqual({ ...complete, status: 'completed', ...begun })
    const { content, ...others } = answer as { content: { text: string }[] }
    expect([content[0]!.text.split('\n')[0], others]).toEqual(['1', {}])
    expect(calls).toEqual(['slow 1'])
    // Cancelling what has ended changes nothing.
    expect((await ask('tasks/cancel', { taskId })).result).toEqual(ack)
    expect((await ask('tasks/get', { taskId })).result.status).toBe('completed')
  })

  it('is answered directly if it is quick, or if its caller does not know tasks', async () => {
    let go: () => void = () => {}
    const slow = new Promise<void>((resolve) => {
      go = resolve
    })
    const { ask } = await opened(undefined, slow)
    const params = { name: 'executeToolCode', arguments: { code: 'print(issues.slow(number=1)["number"])' } }
    const meta = { 'io.modelcontextprotocol/clientCapabilities': {} }
    const waits = ask('tools/call', params, own, { meta })
    go()
    expect((await waits).result.resultType).toBe('complete')
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await ask(method, { taskId: 'run-1' }, own, { meta })).error).toEqual({
        code: -32021,
        message: `this needs the extension ${TASKS}`,
        data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
      })
  })

  it('becomes a task with a failed result if it fails', async () => {
    const { run, becomes } = await opened(undefined, Promise.resolve())
    const { result } = await run('issues.slow(number=1)\nissues.fails(number=2)')
    const ended = result.resultType === 'task' ? (await becomes(result.taskId, 'completed')).result : result
    expect(ended).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('issues.fails failed: "no such issue"') }],
    })
  })

  it('is cancelled with its task', async () => {
    const { run, ask, becomes } = await opened()
    const { taskId } = (await run('issues.slow(number=1)')).result
    expect((await ask('tasks/cancel', { taskId })).result).toEqual(ack)
    expect(await becomes(taskId, 'cancelled')).toEqual({ ...complete, status: 'cancelled', ...begun })
  })

  it('is visible to its own caller only', async () => {
    const { run, ask } = await opened()
    const { taskId } = (await run('issues.slow(number=1)')).result
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const none = { code: -32602, message: `there is no run "${taskId}" here` }
      expect((await ask(method, { taskId }, other)).error).toEqual(none)
    }
    expect((await ask('tasks/get', { taskId })).result.status).toBe('working')
  })
})

describe('a program whose process ended', () => {
  it('goes on in the next when somebody asks after it, and repeats no call that was answered', async () => {
    const first = await opened()
    const { taskId } = (await first.run('issues.get(number=1)\nprint(issues.slow(number=2)["number"])')).result
    await vi.waitFor(() => expect(first.calls).toEqual(['get 1']), { timeout: 120_000 })
    await first.codeMode.close()

    const { becomes, calls } = await opened(first.state, Promise.resolve())
    const { result } = await becomes(taskId, 'completed')
    expect((result as { content: { text: string }[] }).content[0]!.text.split('\n')[0]).toBe('2')
    expect([first.calls, calls]).toEqual([['get 1'], ['slow 2']])
  })
})

describe('a program that waits for a person', () => {
  it('is a task with a question, and continues in another process with the answer', async () => {
    const first = await opened()
    const { result } = await first.run('issues.close(number=1)\nprint(issues.close(number=2)["number"])')
    const { taskId } = result
    expect((await first.becomes(taskId, 'input_required')).inputRequests).toEqual(expect.any(Object))
    await first.codeMode.close()

    const { ask, becomes, calls } = await opened(first.state)
    for (const number of [1, 2]) {
      const { inputRequests } = await becomes(taskId, 'input_required')
      const [[key, asked] = []] = Object.entries(inputRequests as Record<string, { params: { message: string } }>)
      expect(asked!.params.message).toContain(`1. issues.close (line ${number}): {"number":${number}}`)
      const yes = { action: 'accept', content: { call1: 'once' } }
      // The answer to another form is none.
      await ask('tasks/update', { taskId, inputResponses: { 'approval-x': yes } })
      expect((await ask('tasks/get', { taskId })).result.inputRequests).toEqual(inputRequests)
      expect((await ask('tasks/update', { taskId, inputResponses: { [key!]: yes } })).result).toEqual(ack)
    }
    const { result: answer } = await becomes(taskId, 'completed')
    expect((answer as { content: { text: string }[] }).content[0]!.text.split('\n')[0]).toBe('2')
    expect(calls).toEqual(['close 1', 'close 2'])
  })

  it('continues when somebody else has answered, and ends when it is cancelled', async () => {
    const { run, ask, becomes, codeMode, calls } = await opened()
    const { taskId } = (await run('issues.close(number=1)')).result
    await becomes(taskId, 'input_required')
    await codeMode.session({ name: 'own' }).runs.approve(taskId)
    await becomes(taskId, 'completed')
    expect(calls).toEqual(['close 1'])
    const second = (await run('issues.close(number=2)')).result.taskId
    await ask('tasks/cancel', { taskId: second })
    expect((await ask('tasks/get', { taskId: second })).result).toEqual({ ...complete, status: 'cancelled', ...begun })
    expect(calls).toEqual(['close 1'])
  })
})
