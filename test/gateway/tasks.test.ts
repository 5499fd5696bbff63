// Tools whose calls become tasks: the experiment of revision 2025-11-25, with the reference server, and the extension
// of 2026-07-28, with a server that is written by hand, because no SDK has it.

import { createRequire } from 'node:module'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type CallerEnd, checkConfiguration, type ServerEntry, Upstreams } from '../../dist/gateway/index.js'
import { CodeMode } from '../../dist/index.js'
import { openRawHttpServer, type RawRequest, respond } from '../fixtures/raw-http-server.js'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

function keep<T extends { close(): Promise<unknown> }>(one: T): T {
  opened.push(one)
  return one
}

async function open(entry: ServerEntry): Promise<Upstreams> {
  const { servers } = checkConfiguration({ mcpServers: { peer: entry } }, { folder: '/', placeOf: () => 'test' })
  return keep(
    await Upstreams.open(servers, { log: () => {}, version: '0.0.0', connectTimeoutMs: 60_000, callersAnswer: true }),
  )
}

const asked: unknown[] = []
const caller: CallerEnd = {
  who: {},
  ask: async (_, { message }) => {
    asked.push(message)
    return { action: 'accept', content: { interpretation: 'snake', name: 'Ada' } }
  },
  tell: () => {},
}

const failure = (call: ReturnType<Upstreams['call']>) =>
  Promise.resolve(call).then(String, (error: Error) => error.message)

describe('a task of 2025-11-25', () => {
  const folder = path.dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  )
  const everything = { command: process.execPath, args: [path.join(folder, 'dist/index.js'), 'stdio'] }

  it('is waited for in a program, and may ask', async () => {
    asked.length = 0
    await using codeMode = await CodeMode.open({ servers: { everything }, callersAnswer: true })
    const code = 'result = everything.simulate_research_query(topic="python", ambiguous=True)'
    const run = await codeMode.run(code, { caller })
    expect(run.error).toBeNull()
    expect(String(run.result)).toContain('snake')
    expect(asked).toHaveLength(1)
  })
})

/** What a server has said of its task, one after the other; the last stays. `updates`: what it was told. */
async function tasked(states: readonly string[], updates: unknown[] = []) {
  const cancelled: unknown[] = []
  let at = 0
  const state = () => states[Math.min(at++, states.length - 1)]!
  const answer = ({ method, tool, response, id, params }: RawRequest) => {
    if (tool !== 'slow' && !method?.startsWith('tasks/')) return false
    if (method === 'tasks/update') updates.push(params)
    if (method === 'tasks/cancel') cancelled.push(params?.taskId)
    const isTask = method === 'tools/call'
    const type = isTask ? 'task' : 'complete'
    respond(
      response,
      id,
      `{"resultType":"${type}","taskId":"t-1","pollIntervalMs":1,"ttlMs":null,${isTask ? '"status":"working"' : state()}}`,
    )
    return true
  }
  const server = keep(await openRawHttpServer({ isModern: true, tools: ['slow'], answer }))
  return { server, cancelled }
}

const working = '"status":"working","statusMessage":"half"'
const asks =
  '"status":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}}}'
const done = '"status":"completed","result":{"content":[],"structuredContent":{"n":12345678901234567890,"f":1.0}}'

describe('a task of 2026-07-28', () => {
  it('is waited for in a program, tells how it goes, and is answered once', async () => {
    asked.length = 0
    const updates: unknown[] = []
    const { server } = await tasked([working, asks, asks, asks, working, done], updates)
    await using codeMode = await CodeMode.open({ servers: { peer: { url: server.url } }, callersAnswer: true })
    const run = await codeMode.run('r = peer.slow()\nresult = [str(r["n"] + 1), str(r["f"])]', { caller })
    expect(run.error).toBeNull()
    expect(run.result).toEqual(['12345678901234567891', '1.0'])
    expect(asked).toEqual(['Who?'])
    expect(updates).toMatchObject([
      { taskId: 't-1', inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } } },
    ])
  })

  it('fails as the call would have failed', async () => {
    const states = [working, '"status":"failed","error":{"code":-32603,"message":"rate limit"}']
    const upstreams = await open({ url: (await tasked(states)).server.url })
    expect(await failure(upstreams.call('peer', 'slow', {}))).toBe(
      'tool error [tool-refused] peer refused the call of slow: "rate limit"',
    )
  })

  it('is cancelled with the call, and when its time is up', async () => {
    const { server, cancelled } = await tasked([working])
    const upstreams = await open({ url: server.url })
    const progress: unknown[] = []
    const stop = new AbortController()
    const call = upstreams.call(
      'peer',
      'slow',
      {},
      {
        signal: stop.signal,
        onProgress: (one) => {
          progress.push(one)
          stop.abort()
        },
      },
    )
    expect(await failure(call)).toContain('peer.slow was cancelled')
    expect(progress[0]).toMatchObject({ message: 'half' })
    await expect.poll(() => cancelled, { timeout: 20_000 }).toEqual(['t-1'])
    expect(await failure(upstreams.call('peer', 'slow', {}, { timeoutMs: 300 }))).toContain(
      'peer.slow gave no answer within 300 ms',
    )
    await expect.poll(() => cancelled, { timeout: 20_000 }).toEqual(['t-1', 't-1'])
  })
})
