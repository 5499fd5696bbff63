// Models behind an OpenAI-compatible endpoint: what is sent, what is read, and how failures are told.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { type AgentEvent, type AgentOptions, createAgent, type ModelEndpoint } from '../../dist/agent/index.js'
import { deadOrigin } from '../fixtures/http-server.js'
import { openScriptedModel, type ScriptedReply } from '../fixtures/scripted-model.js'
import { listening, openShop, shown } from './said.js'

const question = 'What does tea cost?'
const price = { id: 'a', name: 'shop_price', arguments: { article: 'tea' } }
const closing: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

async function agentOver(script: readonly ScriptedReply[], options: Partial<AgentOptions & ModelEndpoint> = {}) {
  const { codeMode } = await openShop()
  const endpoint = await openScriptedModel(script)
  closing.push(endpoint.close)
  const { baseUrl = endpoint.baseUrl, apiKey = 'sk-secret', headers, prices, timeoutMs, retries = 0, ...rest } = options
  const model: ModelEndpoint = { baseUrl, apiKey, headers, prices, timeoutMs, retries, name: 'tiny' }
  return { endpoint, agent: createAgent({ codeMode, mode: 'direct', ...rest, model }) }
}

describe('an endpoint', () => {
  it('gets the conversation with the same tools, system message and settings in all rounds', async () => {
    const { agent, endpoint } = await agentOver([{ calls: [price] }, { calls: [price] }, { text: 'Three euros.' }], {
      instructions: 'Be brief.',
      settings: { temperature: 0.5 },
    })
    const result = await agent.run(question, { settings: { seed: 7 } })
    expect(result.text).toBe('Three euros.')
    const [first, second, third] = endpoint.requests.map(({ body }) => body)
    const { messages, ...rest } = first!
    expect(rest).toMatchObject({ model: 'tiny', stream: true, temperature: 0.5, seed: 7 })
    expect(rest.tools![0]).toEqual({
      type: 'function',
      function: {
        name: 'shop_price',
        description: 'The price of an article, in cents.',
        parameters: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
      },
    })
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: question },
    ])
    expect({ ...second, messages }).toEqual(first)
    expect({ ...third, messages }).toEqual(first)
    expect(second!.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'shop_price', arguments: '{"article":"tea"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '{"article":"tea","cents":300}' },
    ])
    expect(endpoint.requests[0]!.headers.authorization).toBe('Bearer sk-secret')
    expect(endpoint.requests[0]!.path).toBe('/v1/chat/completions')
  })

  it('streams text and reasoning, which stay apart', async () => {
    const usage = {
      prompt_tokens: 50,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 4 },
    }
    const { agent } = await agentOver([{ reasoning: ' I know.', text: 'Three euros.', usage }], {
      prices: { input: 1, cached: 0.5, output: 10 },
    })
    const { events, onEvent } = listening()
    const result = await agent.run(question, { onEvent })
    expect(events.map((event) => ('text' in event ? [event.type, event.text] : [event.type]))).toEqual([
      ['reasoning', ' I k'],
      ['reasoning', 'now.'],
      ['text', 'Three '],
      ['text', 'euros.'],
      ['usage'],
    ])
    expect([result.text, result.reasoning]).toEqual(['Three euros.', 'I know.'])
    expect(result.usage.tiny).toEqual({
      generations: 1,
      generationsWithTools: 1,
      turns: 0,
      toolCalls: 0,
      inputTokens: 50,
      outputTokens: 9,
      cachedTokens: 20,
      reasoningTokens: 4,
      cost: (30 + 10 + 90) / 1e6,
    })
  })

  it('waits for a listener that returns a promise', async () => {
    const texts: string[] = []
    let go = () => {}
    const stopping = new AbortController()
    const { agent } = await agentOver([{ text: 'Three euros.' }, { text: 'Four euros.' }])
    const onEvent = (event: AgentEvent) => {
      if (event.type !== 'text') return undefined
      texts.push(event.text)
      return new Promise<void>((resolve) => {
        go = resolve
      })
    }
    const first = agent.run(question, { onEvent })
    await expect.poll(() => texts).toEqual(['Three '])
    go()
    await expect.poll(() => texts).toEqual(['Three ', 'euros.'])
    go()
    expect((await first).text).toBe('Three euros.')
    const second = agent.run(question, { onEvent, signal: stopping.signal })
    await expect.poll(() => texts).toHaveLength(3)
    stopping.abort()
    expect((await second).why).toBe('cancelled')
  })

  it('does not fail with its listener', async () => {
    const { agent } = await agentOver([{ text: 'Three euros.' }])
    expect((await agent.run(question, { onEvent: async () => Promise.reject(new Error('deaf')) })).why).toBe('answered')
  })

  it('may give the whole reply at once', async () => {
    const { agent, endpoint } = await agentOver([{ calls: [price] }, { text: 'Three.' }], {
      settings: { stream: false },
    })
    expect((await agent.run(question)).text).toBe('Three.')
    expect(endpoint.requests[0]!.body.stream).toBe(false)
  })

  it('gets the pictures of tools in a message of the user, after all answers of the turn', async () => {
    const endpoint = await openScriptedModel([
      {
        calls: [
          { id: 'a', name: 'cam_shot' },
          { id: 'b', name: 'cam_shot' },
        ],
      },
      { text: 'Two.' },
    ])
    closing.push(endpoint.close)
    const content = [
      { type: 'text', text: 'before' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'text', text: 'after' },
    ]
    const { codeMode } = await openShop({ servers: { cam: { inProcess: { shot: { call: () => ({ content }) } } } } })
    const model = { baseUrl: endpoint.baseUrl, name: 'tiny' }
    const result = await createAgent({ codeMode, mode: 'direct', model }).run('Shoot.')
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    expect(result.messages[2]!.content).toEqual([
      { type: 'text', text: 'before' },
      picture,
      { type: 'text', text: 'after' },
    ])
    expect(endpoint.requests[1]!.body.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'before\nafter' },
      { role: 'tool', tool_call_id: 'b', content: 'before\nafter' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the answer to the call a:' },
          picture,
          { type: 'text', text: 'From the answer to the call b:' },
          picture,
        ],
      },
    ])
    expect(endpoint.requests[0]!.headers.authorization).toBeUndefined()
  })

  it('gets back what it sends with a call', async () => {
    const extra_content = { google: { thought_signature: 'c2lnbmF0dXJl' } }
    const tea = { index: 0, id: 'a', function: { name: 'shop_price', arguments: '{"article":"tea"}' }, extra_content }
    const { agent, endpoint } = await agentOver([
      {
        chunks: [{ choices: [{ index: 0, delta: { tool_calls: [tea] }, finish_reason: 'tool_calls' }] }],
        ends: 'done',
      },
      { text: 'Three euros.' },
    ])
    expect((await agent.run(question)).why).toBe('answered')
    expect(endpoint.requests[1]!.body.messages[1]!.tool_calls).toEqual([
      {
        id: 'a',
        type: 'function',
        function: { name: 'shop_price', arguments: '{"article":"tea"}' },
        extra_content,
      },
    ])
  })

  it('is asked again where it refuses for now', async () => {
    const { agent, endpoint } = await agentOver(
      [{ status: 503, body: { error: { message: 'busy' } } }, { text: 'Three.' }],
      {
        retries: 1,
        headers: { 'retry-after-ms': '1' },
      },
    )
    expect((await agent.run(question)).text).toBe('Three.')
    expect(endpoint.requests.length).toBe(2)
  })
})

describe('a failure of an endpoint', () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const half = [chunk({ content: 'Thr' })]
  const callPiece = chunk({
    tool_calls: [{ index: 0, id: 'a', function: { name: 'shop_order', arguments: '{"article": ' } }],
  })
  it.each<[string, ScriptedReply, string, number, string]>([
    [
      'a wrong key',
      { status: 401, body: { error: { message: 'Incorrect API key provided: sk-secret' } } },
      'model-key-refused',
      401,
      'URL refused the API key: "401 Incorrect API key provided: …"',
    ],
    [
      'an unknown model',
      { status: 404, body: { error: { message: 'no model tiny' } } },
      'model-refused',
      404,
      'URL answered with the status 404: "404 no model tiny"',
    ],
    [
      'a page',
      { status: 200, type: 'text/html', body: '<!doctype html><title>Welcome</title>' },
      'model-no-api',
      502,
      'URL answered with text/html and not with a chat completion: "an HTML page"',
    ],
    [
      'a page with a status',
      { status: 502, type: 'text/html', body: '<html><body>Bad Gateway</body></html>' },
      'model-refused',
      502,
      'URL answered with the status 502: "an HTML page"',
    ],
    [
      'JSON of another kind',
      { status: 200, body: { status: 'ok' } },
      'model-no-api',
      502,
      'URL answered with application/json and not with a chat completion: "{"status":"ok"}"',
    ],
    [
      'a stream that ends early',
      { chunks: half, ends: 'early' },
      'model-broke-off',
      502,
      'URL ended its reply in the middle: "no finish_reason came"',
    ],
    [
      'a call that ends early',
      { chunks: [callPiece], ends: 'done' },
      'model-broke-off',
      502,
      'URL ended its reply in the middle: "no finish_reason came"',
    ],
    [
      'an event that is no JSON',
      { chunks: [...half, 'data: {"choices": \n\n'], ends: 'done' },
      'model-broke-off',
      502,
      'URL ended its reply in the middle: "Unexpected end of JSON input"',
    ],
    [
      'an error in the stream',
      { chunks: [...half, { error: { message: 'out of memory' } }], ends: 'done' },
      'model-broke-off',
      502,
      'URL ended its reply in the middle: "out of memory"',
    ],
    [
      'a reply without an end',
      { chunks: Array.from({ length: 40 }, () => chunk({ content: 'x'.repeat(100) })), ends: 'never' },
      'model-reply-too-long',
      502,
      'URL sent a reply that is too long: more than 4000 characters or bytes',
    ],
    [
      'a long event',
      { chunks: [`data: ${'x'.repeat(100_000)}`], ends: 'never' },
      'model-reply-too-long',
      502,
      'URL sent a reply that is too long: more than 81536 characters or bytes',
    ],
    [
      'a long page',
      { status: 200, body: ' \n'.repeat(50_000) },
      'model-reply-too-long',
      502,
      'URL sent a reply that is too long: more than 81536 characters or bytes',
    ],
    ['silence', { chunks: half, ends: 'never' }, 'model-too-slow', 504, 'URL sent nothing for 300 ms'],
  ])('%s ends the run, and says whose it is', async (name, reply, code, status, message) => {
    const isSlow = name === 'silence'
    const { agent, endpoint } = await agentOver([reply], { maxReplyChars: 4000, ...(isSlow ? { timeoutMs: 300 } : {}) })
    const { events, onEvent } = listening()
    const result = await agent.run(question, { onEvent })
    expect(result.why).toBe('failed')
    expect(result.error).toMatchObject({ source: 'model', code, status })
    expect(result.error!.message.replace(endpoint.baseUrl, 'URL')).toBe(message)
    expect(shown(result.messages)).toEqual([`user: ${question}`])
    expect(events.at(-1)).toMatchObject({ type: 'error', source: 'model', code, severity: 'error' })
  })

  it('is that of a broken connection', async () => {
    const { agent } = await agentOver([{ chunks: half, ends: 'broken' }])
    expect((await agent.run(question)).error).toMatchObject({ code: 'model-broke-off', status: 502 })
  })

  it('is that nothing listens', async () => {
    const { agent } = await agentOver([], { baseUrl: `${deadOrigin}/v1` })
    const { error } = await agent.run(question)
    expect(error).toMatchObject({ code: 'model-unreachable', status: 502 })
    expect(error!.message).toMatch(/^http:\/\/127\.0\.0\.1:2\/v1 can't be reached: ".*ECONNREFUSED.*"$/)
  })

  it('after a turn keeps what was done', async () => {
    const { agent } = await agentOver([{ calls: [price] }, { status: 429, body: { error: { message: 'slow down' } } }])
    const result = await agent.run(question)
    expect(result.error).toMatchObject({ code: 'model-refused', status: 429 })
    expect(result.messages.at(-1)?.role).toBe('tool')
  })
})

it('a stream may be cut anywhere', async () => {
  const text = 'Drei Euro für Tee. ☕'.repeat(50)
  const chunk = { choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }
  const bytes = Buffer.from(`data: ${JSON.stringify(chunk)}\r\n\r\ndata: [DONE]\n\n`)
  const http = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve))
    response.end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => void http.close(() => resolve())))
  const { codeMode } = await openShop()
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
  const result = await createAgent({ codeMode, model: { baseUrl, name: 'tiny' } }).run(question)
  expect(result.text).toBe(text)
  http.closeAllConnections()
})

it('a key is asked for where there is none', async () => {
  const { codeMode } = await openShop()
  const endpoint = await openScriptedModel([{ status: 401, body: { error: { message: 'no key' } } }])
  closing.push(endpoint.close)
  const result = await createAgent({ codeMode, model: { baseUrl: endpoint.baseUrl, name: 'tiny' } }).run(question)
  expect(result.error).toMatchObject({ code: 'model-key-refused', hint: 'set apiKey' })
  expect(endpoint.requests[0]!.headers.authorization).toBeUndefined()
})

it('a cancelled run ends the request at the endpoint', async () => {
  const { agent, endpoint } = await agentOver([
    { chunks: [{ choices: [{ index: 0, delta: { content: 'Thr' } }] }], ends: 'never' },
  ])
  const controller = new AbortController()
  const result = await agent.run(question, {
    signal: controller.signal,
    onEvent: ({ type }) => type === 'text' && controller.abort(),
  })
  expect(result.why).toBe('cancelled')
  expect(await endpoint.requests[0]!.closed).toBe('gone')
})
