// The endpoint for chat clients: wrong requests, failing models, and clients that leave.

import { connect } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { RawStream, RecordedRequest, ScriptedReply } from '../fixtures/scripted-model.js'
import { collected, eventsOf, openChat } from './chat-service.js'

let aborted = 0
const hanging = {
  hang: {
    call: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted++
          reject(signal.reason)
        })
      }),
  },
}
const SECRET = 'sk-canary-0123456789'
const service = await openChat({
  servers: { desk: { inProcess: hanging } },
  entry: { mode: 'direct', apiKey: SECRET },
  more: { away: { baseUrl: 'http://127.0.0.1:1/v1' } },
  serve: { maxRequestBytes: 200_000 },
})
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hi' }]
const CHAT = '/v1/chat/completions'

async function answered(path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await service.fetch(path, { method: 'POST', body: text, headers })
  return { status: response.status, ...((await response.json()) as { readonly error: object }) }
}

describe('a wrong request', () => {
  const invalid = (message: string, param: string | null = null, code: string | null = null) => ({
    status: 400,
    error: { message, type: 'invalid_request_error', param, code },
  })
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }

  it.each<[string, unknown, ReturnType<typeof invalid>]>([
    ['no JSON', '{"model"', invalid('the body is not JSON')],
    ['a list', [], invalid('the body: got an empty list, want an object')],
    ['no model', { messages }, invalid('model: got nothing, want the name of a model', 'model')],
    ['no messages', { model: 'm' }, invalid('messages: got nothing, want a list of messages', 'messages')],
    [
      'an empty conversation',
      { model: 'm', messages: [] },
      invalid('messages: got an empty list, want at least one message', 'messages'),
    ],
    [
      'a role that is not there',
      { model: 'm', messages: [{ role: 'robot', content: '' }] },
      invalid(
        'messages[0].role: got "robot", want a message with the role system, developer, user, assistant or tool',
        'messages[0].role',
      ),
    ],
    [
      'a message without content',
      { model: 'm', messages: [{ role: 'user' }] },
      invalid('messages[0].content: got nothing, want a string or a list of parts', 'messages[0].content'),
    ],
    [
      'a part of an unknown type',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
      invalid(
        'messages[0].content[0].type: got "smell", want a part of type text, image_url, input_audio or file',
        'messages[0].content[0].type',
      ),
    ],
    [
      'an answer to nothing',
      { model: 'm', messages: [...messages, { role: 'tool', tool_call_id: 'c1', content: '1' }] },
      invalid(
        `the conversation can't be continued: there is no open call "c1" for an answer`,
        null,
        'conversation-wrong',
      ),
    ],
    [
      'an id that is used twice',
      { model: 'm', messages: [...messages, { role: 'assistant', tool_calls: [call, call] }] },
      invalid(
        `the conversation can't be continued: the call id "c1" is used twice in one message`,
        null,
        'conversation-wrong',
      ),
    ],
    ['several answers', { model: 'm', messages, n: 2 }, invalid('n: got 2, want 1: there is one answer', 'n')],
    [
      'old functions',
      { model: 'm', messages, functions: [] },
      invalid('functions is not supported here: use tools', 'functions', 'unsupported_parameter'),
    ],
    [
      'a tool of another type',
      { model: 'm', messages, tools: [{ type: 'custom', custom: { name: 'a' } }] },
      invalid('tools[0].type: got "custom", want "function"', 'tools[0].type'),
    ],
    [
      'two tools of one name',
      { model: 'm', messages, tools: ['a', 'a'].map((name) => ({ type: 'function', function: { name } })) },
      invalid('there are two tools a', 'tools[1].function.name'),
    ],
    [
      'a number for a switch',
      { model: 'm', messages, stream: 1 },
      invalid('stream: got 1, want true or false', 'stream'),
    ],
  ])('with %s is named', async (_, body, refusal) => {
    expect(await answered(CHAT, body)).toEqual(refusal)
  })

  it.each<[string, unknown, ReturnType<typeof invalid>]>([
    ['no input', { model: 'm' }, invalid('input: got nothing, want a string or a list of items', 'input')],
    [
      'an item of an unknown type',
      { model: 'm', input: [{ type: 'item_reference', id: 'x' }] },
      invalid(
        'input[0]: got an object, want a message, a function_call, a function_call_output or reasoning',
        'input[0]',
      ),
    ],
    [
      'work in the background',
      { model: 'm', input: 'Hi', background: true },
      invalid(
        'background is not supported here: read the answer from the response',
        'background',
        'unsupported_parameter',
      ),
    ],
    [
      'a tool that only OpenAI has',
      { model: 'm', input: 'Hi', tools: [{ type: 'web_search' }] },
      invalid('tools[0].type: got "web_search", want "function"', 'tools[0].type'),
    ],
  ])('for a response with %s is named', async (_, body, refusal) => {
    expect(await answered('/v1/responses', body)).toEqual(refusal)
  })

  it('has no tool of a name that is taken, no unknown path, method or choice of events', async () => {
    const tools = [{ type: 'function', function: { name: 'desk_hang' } }]
    expect(await answered(CHAT, { model: 'm', messages, tools })).toMatchObject({
      status: 400,
      error: { type: 'invalid_request_error' },
    })
    expect(await answered('/v1/embeddings', {})).toMatchObject({
      status: 404,
      error: { message: 'there is nothing at /v1/embeddings', code: 'unknown_url' },
    })
    const get = await service.fetch(CHAT)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    const events = { message: 'x-starbind-events: got "some", want all or none', param: 'x-starbind-events' }
    expect(await answered(CHAT, { model: 'm', messages }, { 'x-starbind-events': 'some' })).toMatchObject({
      error: events,
    })
  })

  it('is not read where it is too long or too deep', async () => {
    const long = [{ role: 'user', content: 'x'.repeat(200_000) }]
    expect(await answered(CHAT, { model: 'm', messages: long })).toMatchObject({
      status: 413,
      error: { type: 'invalid_request_error', code: 'request_too_large' },
    })
    const deep = `{"model":"m","messages":[{"role":"user","content":"Hi"}],"metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(await answered(CHAT, deep)).toMatchObject({
      status: 400,
      error: { message: 'the body is nested more than 1000 levels deep' },
    })
  })
})

describe.each([
  ['a chat completion', CHAT, { messages }],
  ['a response', '/v1/responses', { input: 'Hi' }],
])('bad input of %s', (_, path, question) => {
  const ask = () => answered(path, { model: 'm', ...question })
  const failure = (status: number, type: string, message: string, code: string) => ({
    status,
    error: { type, message, param: null, code },
  })

  it.each<[string, ScriptedReply, ReturnType<typeof failure>]>([
    [
      'refuses the request',
      { status: 400, body: { error: { message: 'max_tokens is too large' } } },
      failure(
        400,
        'invalid_request_error',
        'the endpoint of the model m answered with the status 400: "400 max_tokens is too large"',
        'model-refused',
      ),
    ],
    [
      'gives a page',
      { status: 200, type: 'text/html', body: '<!doctype html><p>Log in' },
      failure(
        502,
        'upstream_error',
        'the endpoint of the model m answered with text/html and not with a chat completion: "an HTML page"',
        'model-no-api',
      ),
    ],
    [
      'says nothing',
      { text: '' },
      failure(
        502,
        'upstream_error',
        'the model m answered with neither text nor calls (finish reason: "stop")',
        'model-silent',
      ),
    ],
  ])('is told to the client where the model %s', async (_, reply, refusal) => {
    service.says(reply)
    expect(await ask()).toEqual(refusal)
  })

  it('is a model that there is not', async () => {
    expect(await answered(path, { ...question, model: 'gpt' })).toEqual({
      status: 404,
      error: {
        message: 'there is no model "gpt"; the models are m, away',
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    })
  })

  it('is told to the model where it is in its calls, and repaired where it can be', async () => {
    const given = ['{"x":', '[1]', '7', 'null']
    service.says({ calls: given.map((text) => ({ id: 'a', name: 'desk_hang', arguments: text })) }, { text: 'Well.' })
    expect((await ask()).error ?? null).toBe(null)
    const answers = service.asked()[1]!.body.messages.filter(({ role }) => role === 'tool')
    expect(new Set(answers.map(({ tool_call_id }) => tool_call_id)).size).toBe(4)
    expect(answers.map(({ content }) => String(content).split('\n')[0])).toEqual([
      'tool error [arguments-not-json] desk_hang was not called: its arguments are not valid JSON: "{"x":"',
      'tool error [arguments-no-object] desk_hang was not called: its arguments are a list, want a JSON object',
      'tool error [arguments-no-object] desk_hang was not called: its arguments are a number, want a JSON object',
      'tool error [arguments-no-object] desk_hang was not called: its arguments are null, want a JSON object',
    ])
  })
})

describe('a failing model', () => {
  it('whose key is refused is the concern of the operator', async () => {
    service.says({ status: 401, body: { error: { message: `Incorrect API key: ${SECRET}` } } })
    const said = await answered(CHAT, { model: 'm', messages, stream: true })
    expect(said).toMatchObject({ status: 502, error: { type: 'upstream_error', code: 'model-key-refused' } })
    expect(JSON.stringify(said)).not.toContain(SECRET)
    expect(service.log.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('refused the API key') })
    expect(JSON.stringify(service.log)).not.toContain(SECRET)
  })

  it('that is away is a bad gateway', async () => {
    expect(await answered(CHAT, { model: 'away', messages })).toMatchObject({
      status: 502,
      error: { code: 'model-unreachable' },
    })
  })

  const broken: ScriptedReply = {
    chunks: [{ choices: [{ index: 0, delta: { role: 'assistant', content: 'Half' }, finish_reason: null }] }],
    ends: 'early',
  }

  it('that breaks off ends the stream with an error and [DONE]', async () => {
    service.says(broken, broken, broken)
    const body = JSON.stringify({ model: 'm', messages, stream: true })
    const events = await eventsOf(await service.fetch(CHAT, { method: 'POST', body }))
    expect(events).toMatchObject([
      { choices: [{ delta: { content: 'Half' } }] },
      { error: { type: 'upstream_error', code: 'model-broke-off', param: null } },
      '[DONE]',
    ])
    expect(Object.keys(events[1] as object)).toEqual(['error'])
    service.says(broken, broken, broken)
    const headers = { 'x-starbind-events': 'all' }
    const shown = await eventsOf(await service.fetch(CHAT, { method: 'POST', body, headers }))
    expect(shown.slice(1)).toMatchObject([
      {
        object: 'error',
        event_type: 'error',
        error: { source: 'model_api', severity: 'error', code: 'model-broke-off', context: { status: 502 } },
      },
      '[DONE]',
    ])
    service.says(broken, broken, broken)
    const stream = await service.client.chat.completions.create({ model: 'm', messages, stream: true })
    await expect(collected(stream)).rejects.toMatchObject({ code: 'model-broke-off' })
  })

  it('that breaks off fails a streamed response', async () => {
    service.says(broken, broken, broken)
    const stream = await service.client.responses.create({ model: 'm', input: 'Hi', stream: true })
    const events = await collected(stream)
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'model-broke-off' },
      {
        type: 'response.failed',
        response: { status: 'failed', output: [{ type: 'message' }], error: { code: 'model-broke-off' } },
      },
    ])
  })
})

describe('a client that leaves', () => {
  it('cancels the request to the model', async () => {
    service.says({ chunks: [{ choices: [{ index: 0, delta: { content: 'Wait' } }] }], ends: 'never' })
    const stream = await service.client.chat.completions.create({ model: 'm', messages, stream: true })
    for await (const _ of stream) break
    expect(await service.asked()[0]?.closed).toBe('gone')
  })

  it('cancels the program, and its call at an MCP server', async () => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    let cancel = (_: unknown) => {}
    const cancelled = new Promise((resolve) => (cancel = resolve))
    const mcp = new McpServer({ name: 'slow', version: '1' })
    mcp.registerTool('wait', {}, (extra) => {
      begin()
      return new Promise((resolve) =>
        extra.signal.addEventListener('abort', () => {
          cancel(extra.signal.reason)
          resolve({ content: [] })
        }),
      )
    })
    const running = await openChat({ servers: { slow: { inProcess: mcp } }, entry: { mode: 'code' } })
    const code = 'slow.wait()\nslow.wait()'
    running.says({ calls: [{ id: 'c1', name: 'executeToolCode', arguments: { code } }] })
    const leaving = new AbortController()
    const asking = running.client.responses.create({ model: 'm', input: 'Go.' }, { signal: leaving.signal })
    await Promise.race([begun, asking])
    leaving.abort()
    await expect(asking).rejects.toThrow('aborted')
    expect(await cancelled).toBeDefined()
    await expect.poll(() => running.codeMode.runs.list()).toEqual([])
    expect(running.asked()).toHaveLength(1)
  })

  it('cancels the calls', async () => {
    service.says({ calls: [{ id: 'c1', name: 'desk_hang' }] })
    const leaving = new AbortController()
    const asking = service.client.chat.completions.create({ model: 'm', messages }, { signal: leaving.signal })
    await expect.poll(() => service.asked()).toHaveLength(1)
    await service.asked()[0]?.closed
    leaving.abort()
    await expect(asking).rejects.toThrow('aborted')
    await expect.poll(() => aborted).toBe(1)
  })

  it('without having read ends the request to the model', async () => {
    const { socket, model } = await notReading({ chunks: chunksOf({}), ends: 'never' })
    socket.destroy()
    expect(await model.closed).toBe('gone')
  })
})

describe('a client that does not read', () => {
  it('holds the model back, and gets everything when it reads', async () => {
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'desk_none', arguments: '{}' } }
    const calls: RawStream = { chunks: chunksOf({ tool_calls: [call] }, 'tool_calls'), ends: 'done' }
    const { socket, model } = await notReading(calls, calls, { chunks: chunksOf({}, 'stop'), ends: 'done' })
    // A model that was not held back would have been asked for all.
    expect(service.asked()).toHaveLength(1)
    let bells = 0
    let tail = ''
    for await (const chunk of socket.setEncoding('latin1').resume()) {
      bells += chunk.split('u').length - 1
      tail = (tail + chunk).slice(-100)
    }
    expect(bells).toBeGreaterThan(3 * PIECES * PIECE)
    expect(tail).toContain('data: [DONE]')
    expect([service.asked().length, await model.closed]).toEqual([3, 'answered'])
  })
})

const PIECES = 16
const PIECE = 60_000

/** More than the sockets of a client hold, in as few characters as possible: each takes six bytes of JSON. */
function chunksOf(delta: object, finish_reason: string | null = null): object[] {
  const piece = { choices: [{ index: 0, delta: { content: '\u0007'.repeat(PIECE) } }] }
  return [...Array.from({ length: PIECES }, () => piece), { choices: [{ index: 0, delta, finish_reason }] }]
}

/** Asks and reads nothing; resolves when the model can't send more. */
async function notReading(...replies: readonly ScriptedReply[]) {
  service.says(...replies)
  const body = JSON.stringify({ model: 'm', messages, stream: true })
  const head = `POST ${CHAT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`
  const socket = connect(service.port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(head + body)
  await expect.poll(() => service.asked()).toHaveLength(1)
  const [model] = service.asked() as [RecordedRequest]
  const seen: number[] = []
  await expect.poll(() => seen.push(model.sent()) > 4 && new Set(seen.slice(-4)).size === 1).toBe(true)
  return { socket, model }
}

describe("the client's headers", () => {
  it('do not reach the model', async () => {
    service.says({ text: 'Hi' })
    const client = service.clientWith('sb_client', { 'x-private': 'mine', cookie: 'a=b' })
    await client.chat.completions.create({ model: 'm', messages })
    const { headers } = service.asked()[0]!
    expect(headers.authorization).toBe(`Bearer ${SECRET}`)
    expect(JSON.stringify(headers)).not.toMatch(/sb_client|mine|a=b/)
  })
})
