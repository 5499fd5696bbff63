// The loop over a model: modes, turns, bounds and what a model does wrong.

import { describe, expect, it } from 'vitest'
import { createAgent } from '../../dist/agent/index.js'
import { call, listening, openShop, says, scripted, shown } from './said.js'

const question = 'What does tea cost?'

describe('an agent', () => {
  it('lets a model call tools directly until it answers, and returns the whole conversation', async () => {
    const { codeMode, called } = await openShop()
    const { model, requests } = scripted(
      says('I look.', call('a', 'shop_price', { article: 'tea' }), call('b', 'shop_price', { article: 'cup' })),
      says('Both cost 3 euros.'),
    )
    const { events, onEvent } = listening()
    const agent = createAgent({ codeMode, model, mode: 'direct', name: 'scripted', instructions: 'Be brief.' })
    const result = await agent.run(question, { onEvent })
    expect(result.why).toBe('answered')
    expect(result.text).toBe('Both cost 3 euros.')
    expect(shown(result.messages)).toEqual([
      'system: Be brief.',
      `user: ${question}`,
      'assistant: a:shop_price b:shop_price I look.',
      'tool a: {"article":"tea","cents":300}',
      'tool b: {"article":"cup","cents":300}',
      'assistant: Both cost 3 euros.',
    ])
    expect(called).toEqual(['price tea', 'price cup'])
    expect(requests.map(({ messages }) => messages.length)).toEqual([2, 5])
    expect(requests[0]!.tools.map(({ name }) => name)).toEqual(['shop_price', 'shop_order', 'shop_fail'])
    expect(requests[1]!.tools).toEqual(requests[0]!.tools)
    expect(result.usage).toEqual({
      scripted: {
        generations: 2,
        generationsWithTools: 2,
        turns: 1,
        toolCalls: 2,
        inputTokens: 200,
        outputTokens: 20,
        cachedTokens: 0,
        reasoningTokens: 0,
      },
    })
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
    expect(events.map((event) => ('callId' in event ? `${event.type} ${event.callId}` : event.type))).toEqual([
      'text',
      'usage',
      'turn',
      'tool_call a',
      'tool_call b',
      'tool_response a',
      'tool_response b',
      'text',
      'usage',
    ])
  })

  it('goes on with a conversation, whose instructions are there once', async () => {
    const { codeMode } = await openShop()
    const { model, requests } = scripted(says('Three.'), says('Four.'))
    const agent = createAgent({ codeMode, model, instructions: 'Be brief.' })
    const first = await agent.run(question)
    const second = await agent.run([...first.messages, { role: 'user', content: 'And a cup?' }])
    expect(shown(second.messages)).toEqual([
      'system: Be brief.',
      `user: ${question}`,
      'assistant: Three.',
      'user: And a cup?',
      'assistant: Four.',
    ])
    expect(requests[1]!.messages).toEqual(second.messages.slice(0, 4))
  })

  it('lets a model write programs, whose calls are parts of its own', async () => {
    const { codeMode, called } = await openShop()
    const code = 'result = sum([shop.price(article=a)["cents"] for a in ["tea", "cups"]])'
    const { model, requests } = scripted(says([call('p', 'executeToolCode', { code })]), says('700 cents.'))
    const { events, onEvent } = listening()
    const result = await createAgent({ codeMode, model, mode: 'code' }).run(question, { onEvent })
    expect(requests[0]!.tools.map(({ name }) => name)).toEqual([
      'listToolFiles',
      'readToolFile',
      'getToolDocs',
      'executeToolCode',
    ])
    expect(shown(result.messages)[2]).toMatch(/^tool p: result: 700\n/)
    expect(called).toEqual(['price tea', 'price cups'])
    const calls = events.flatMap((event) => (event.type === 'tool_call' ? [[event.name, event.parentId]] : []))
    expect(calls).toEqual([
      ['executeToolCode', null],
      ['shop.price', 'p'],
      ['shop.price', 'p'],
    ])
    const ids = (type: string) => events.flatMap((one) => (one.type === type && 'callId' in one ? [one.callId] : []))
    expect(ids('tool_response').sort()).toEqual(ids('tool_call').sort())
  })

  it.each([
    ['both', undefined, 7],
    ['auto', undefined, 3],
    ['auto', 1, 4],
  ] as const)('offers the tools of the mode %s (autoTokens: %s)', async (mode, autoTokens, count) => {
    const { codeMode } = await openShop()
    const agent = createAgent({ codeMode, model: scripted(says('.')).model, mode, autoTokens })
    expect((await agent.tools()).length).toBe(count)
  })
})

it('reaches servers through programs that have not listed their tools yet', async () => {
  const lazy = { command: process.execPath, args: ['-e', ''], lazy: true }
  const { codeMode } = await openShop({ servers: { lazy }, startServers: 'named' })
  const agent = createAgent({ codeMode, model: scripted(says('.')).model })
  expect((await agent.tools()).map(({ kind }) => kind)).toEqual(Array(4).fill('meta-tool'))
})

describe('what a model does wrong', () => {
  it('is told to it, and ends nothing', async () => {
    const { codeMode, called } = await openShop()
    const { model } = scripted(
      says([
        call('a', 'shop_prize', { article: 'tea' }),
        call('b', 'shop_price', '{"article": "tea"'),
        call('c', 'shop_price', '["tea"]'),
        call('d', 'shop_fail', ''),
        call('e', 'shop_price', { article: 'tea' }),
        call('f', 'shop_order', '"tea"'),
      ]),
      says('So be it.'),
    )
    const result = await createAgent({ codeMode, model, mode: 'direct' }).run(question)
    expect(shown(result.messages).slice(2)).toEqual([
      'tool a: tool error [tool-not-offered] there is no tool "shop_prize"; nothing was called\nhint: the tools are shop_price, shop_order, shop_fail',
      'tool b: tool error [arguments-not-json] shop_price was not called: its arguments are not valid JSON: "{"article": "tea""\nhint: write the arguments as one JSON object',
      'tool c: tool error [arguments-no-object] shop_price was not called: its arguments are a list, want a JSON object',
      'tool d: tool error [tool-answered-failure] shop_fail failed: the till is empty',
      'tool e: {"article":"tea","cents":300}',
      'tool f: tool error [arguments-no-object] shop_order was not called: its arguments are a string, want a JSON object',
      'assistant: So be it.',
    ])
    expect(called).toEqual(['fail', 'price tea'])
  })

  it('ends the run where the agent is strict', async () => {
    const { codeMode } = await openShop()
    const { model, requests } = scripted(
      says([call('a', 'shop_fail'), call('b', 'shop_price', { article: 'tea' })]),
      says('So be it.'),
    )
    const result = await createAgent({ codeMode, model, mode: 'direct', strict: true }).run(question)
    expect(result.why).toBe('failed')
    expect(result.error).toEqual({
      source: 'tool',
      code: 'tool-failed',
      message: 'tool error [tool-answered-failure] shop_fail failed: the till is empty',
    })
    expect(requests.length).toBe(1)
    expect(shown(result.messages).length).toBe(4)
  })

  it('with ids that are used twice is repaired, so that every answer has its call', async () => {
    const { codeMode } = await openShop()
    const price = call('a', 'shop_price', { article: 'tea' })
    const { model, requests } = scripted(says([price, price, { ...price, id: '' }]), says([price]), says('Three.'))
    const { events, onEvent } = listening()
    const result = await createAgent({ codeMode, model, mode: 'direct' }).run(question, { onEvent })
    expect(result.why).toBe('answered')
    const ids = requests[2]!.messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []))
    expect(new Set(ids).size).toBe(4)
    expect(ids[0]).toBe('a')
    expect(
      requests[2]!.messages.flatMap((one) => (one.role === 'assistant' ? one.tool_calls!.map(({ id }) => id) : [])),
    ).toEqual(ids)
    expect(events.filter(({ type }) => type === 'error')).toMatchObject([
      { code: 'call-id-repeated', severity: 'warning', source: 'model' },
      { code: 'call-id-repeated', severity: 'warning', source: 'model' },
    ])
  })

  it('is said where it gives neither text nor calls', async () => {
    const { codeMode } = await openShop()
    const result = await createAgent({ codeMode, model: scripted(says('  ')).model, name: 'mute' }).run(question)
    expect(result.why).toBe('failed')
    expect(result.error).toEqual({
      source: 'model',
      code: 'model-silent',
      message: 'the model mute answered with neither text nor calls (finish reason: "stop")',
      status: 502,
    })
  })
})

describe('bounds', () => {
  const asks = (id: string) => says([call(id, 'shop_price', { article: 'tea' })])

  it('of turns refuse the calls of one more reply, and then ask without tools', async () => {
    const { codeMode, called } = await openShop()
    let n = 0
    const { model, requests } = scripted(({ tools }) =>
      tools.length === 0
        ? says('Three.', call('last', 'shop_order', { article: 'tea' }))
        : says([call(`a${++n}`, 'shop_price', { article: 'tea' }), call(`b${n}`, 'shop_price', { article: 'cup' })]),
    )
    const agent = createAgent({ codeMode, model, mode: 'direct', maxTurns: 2, refusal: 'Enough.' })
    const result = await agent.run(question)
    expect(result.why).toBe('turns')
    expect(result.text).toBe('Three.')
    expect(called).toEqual(['price tea', 'price cup', 'price tea', 'price cup'])
    expect(requests.map(({ tools }) => tools.length)).toEqual([3, 3, 3, 0])
    expect(shown(result.messages).slice(-4)).toEqual([
      'assistant: a3:shop_price b3:shop_price ',
      'tool a3: Enough.',
      'tool b3: Enough.',
      'assistant: Three.',
    ])
  })

  it.each([
    ['tokens', { maxTokens: 220 }],
    ['cost', { maxCost: 0.00025, prices: { input: 1, output: 1 } }],
  ] as const)('of %s end the run before the next request', async (why, bounds) => {
    const { codeMode } = await openShop()
    const { model, requests } = scripted(asks('a'), asks('b'), asks('c'), asks('d'))
    const result = await createAgent({ codeMode, model, mode: 'direct', ...bounds }).run(question)
    expect([result.why, requests.length]).toEqual([why, why === 'tokens' ? 2 : 3])
    expect(result.messages.at(-1)?.role).toBe('tool')
  })

  it('of one reply and its calls hold', async () => {
    const { codeMode, called } = await openShop()
    const { model } = scripted(
      says([
        call('a', 'shop_price', { article: 'x'.repeat(100) }),
        call('b', 'shop_price', { article: 'tea' }),
        call('c', 'shop_price', { article: 'cup' }),
      ]),
      says('Three.'),
    )
    const agent = createAgent({
      codeMode,
      model,
      mode: 'direct',
      maxCallsPerTurn: 2,
      maxArgumentChars: 50,
      maxAnswerChars: 9,
    })
    const result = await agent.run(question)
    expect(shown(result.messages).slice(2, 5)).toEqual([
      'tool a: limit [arguments-too-long] shop_price was not called: its arguments have 114 characters, and 50 are allowed',
      'tool b: {"article\n[cut: 29 characters in all]',
      'tool c: limit [too-many-calls] not called: the reply has 3 calls, and 2 are allowed in one\nhint: make the remaining calls in the next reply',
    ])
    expect(called).toEqual(['price tea'])
  })

  it('of calls that are read end the run', async () => {
    const { codeMode, called } = await openShop()
    const many = Array.from({ length: 1001 }, (_, i) => call(`c${i}`, 'shop_price', { article: 'tea' }))
    const result = await createAgent({ codeMode, model: scripted(says(many)).model, mode: 'direct' }).run(question)
    expect([result.error?.code, result.messages.length, called]).toEqual(['model-calls-too-much', 1, []])
  })

  it('of time end a tool, and the model is told', async () => {
    const { codeMode } = await openShop({
      servers: {
        slow: {
          inProcess: {
            wait: {
              call: (_: unknown, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
            },
          },
        },
      },
    })
    const { model } = scripted(says([call('a', 'slow_wait')]), says('It hangs.'))
    const result = await createAgent({ codeMode, model, mode: 'direct', toolTimeoutMs: 20 }).run(question)
    expect(shown(result.messages)[2]).toBe(
      'tool a: tool error [tool-timeout] slow.wait gave no answer within 20 ms; it may have taken effect',
    )
    expect(result.why).toBe('answered')
  })
})

describe('a cancelled run', () => {
  it('ends the model’s request', async () => {
    const { codeMode } = await openShop()
    const controller = new AbortController()
    const model = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        controller.abort()
      })
    const result = await createAgent({ codeMode, model }).run(question, { signal: controller.signal })
    expect([result.why, result.error, shown(result.messages)]).toEqual(['cancelled', undefined, [`user: ${question}`]])
  })

  it('ends its calls, and each has an answer', async () => {
    const controller = new AbortController()
    const { codeMode } = await openShop({
      servers: {
        slow: {
          inProcess: {
            wait: {
              call: (_: unknown, { signal }) =>
                new Promise((resolve) => {
                  signal.addEventListener('abort', resolve)
                  controller.abort()
                }),
            },
          },
        },
      },
    })
    const { model, requests } = scripted(says([call('a', 'slow_wait')]), says('never'))
    const result = await createAgent({ codeMode, model, mode: 'direct' }).run(question, { signal: controller.signal })
    expect([result.why, requests.length]).toEqual(['cancelled', 1])
    expect(shown(result.messages)[2]).toBe('tool a: tool error [call-cancelled] slow_wait was cancelled')
  })
})
