// The endpoint for chat clients: OpenAI's own client in front of it, a scripted model behind it.

import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { InProcessCall } from '../../dist/index.js'
import { eventsOf, openChat } from './chat-service.js'

const shop = {
  count: { description: 'Counts the stock.', annotations: { readOnlyHint: true }, call: () => 3 },
  sell: { description: 'Sells one piece.', call: () => 'sold' },
  break: { call: () => Promise.reject(new Error('the shelf fell')) },
}
const telling = {
  annotations: { readOnlyHint: true },
  call: async (_: unknown, { tellProgress }: InProcessCall) => tellProgress({ progress: 1, total: 2, message: 'half' }),
}
const servers = { shop: { inProcess: shop } }
const direct = await openChat({ servers, entry: { mode: 'direct' } })
const question: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How many?' }]
const usage = { prompt_tokens: 100, completion_tokens: 10 }

/** A value with the ids and times that are new each time written as words. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (key, one) => (['created', 'created_at', 'time', 'ms'].includes(key) ? 0 : one))
  return JSON.parse(text.replace(/\b(chatcmpl-|agent-|resp_|msg_|fc_)[0-9a-f-]{32,36}/g, '$1ID'))
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}, { fetch } = direct) =>
  fetch(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })

/** `server_tool` definitions of the client, which answers calls of them itself. */
const askTool = {
  name: 'ask_person',
  description: 'Asks.',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
}
const chatTools: OpenAI.ChatCompletionFunctionTool[] = [{ type: 'function', function: askTool }]

describe('a chat completion', () => {
  it('is the answer after all calls, to the unchanged client', async () => {
    direct.says(
      { text: 'Let me see.', calls: [{ id: 'c1', name: 'shop_count' }], usage },
      { text: 'There are 3.', usage },
    )
    const completion = await direct.client.chat.completions.create({ model: 'm', messages: question })
    expect(plain(completion)).toEqual({
      id: 'chatcmpl-ID',
      object: 'chat.completion',
      created: 0,
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Let me see.\n\nThere are 3.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 200,
        completion_tokens: 20,
        total_tokens: 220,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    })
    expect(direct.asked()[1]?.body.messages).toEqual([
      { role: 'user', content: 'How many?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'shop_count', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '3' },
    ])
  })

  it('streams plain chunks: the role in the first, the finish in the last, and [DONE]', async () => {
    direct.says({ text: 'Wait', calls: [{ id: 'c1', name: 'shop_count' }] }, { text: '3.' })
    const response = await post('/v1/chat/completions', { model: 'm', messages: question, stream: true })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: 'chatcmpl-ID',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'm',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    })
    expect(plain(await eventsOf(response))).toEqual([
      chunk({ role: 'assistant', content: 'Wa' }),
      chunk({ content: 'it' }),
      chunk({ content: '\n\n3' }),
      chunk({ content: '.' }),
      chunk({}, 'stop'),
      '[DONE]',
    ])
  })

  it('streams to the client, with the usage if it asks', async () => {
    direct.says({ text: 'There are 3.', usage })
    const stream = direct.client.chat.completions.stream({
      model: 'm',
      messages: question,
      stream_options: { include_usage: true },
    })
    expect(await stream.finalContent()).toBe('There are 3.')
    expect(await stream.totalUsage()).toMatchObject({ prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 })
  })

  it('keeps system prompt, settings and tools in all rounds', async () => {
    direct.says(
      { calls: [{ id: 'c1', name: 'shop_count' }] },
      { calls: [{ id: 'c2', name: 'shop_sell' }] },
      { text: 'Done.' },
    )
    await direct.client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'developer', content: 'Be brief.' }, ...question],
      temperature: 0.3,
      seed: 7,
      stop: ['END'],
      max_completion_tokens: 50,
      response_format: { type: 'json_object' },
      parallel_tool_calls: false,
      tools: chatTools,
    })
    const rounds = direct.asked().map(({ body: { messages, ...rest } }) => ({ system: messages[0], ...rest }))
    expect(rounds).toHaveLength(3)
    const { tools = [], ...first } = rounds[0]!
    expect(tools.map(({ function: { name } }) => name)).toEqual(['shop_count', 'shop_sell', 'shop_break', 'ask_person'])
    expect(first).toEqual({
      model: 'm',
      system: { role: 'system', content: 'Be brief.' },
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.3,
      seed: 7,
      stop: ['END'],
      max_completion_tokens: 50,
      response_format: { type: 'json_object' },
      parallel_tool_calls: false,
    })
    expect(rounds.slice(1)).toEqual([rounds[0], rounds[0]])
  })

  it("hands calls of the client's tools back, and goes on with the rounds that the client never saw", async () => {
    direct.says(
      { calls: [{ id: 'c1', name: 'shop_count' }] },
      {
        text: 'I have to ask.',
        calls: [
          { id: 'c2', name: 'shop_sell' },
          { id: 'c3', name: 'ask_person', arguments: { text: 'Sure?' } },
        ],
      },
      { text: 'Sold.' },
    )
    const first = await direct.client.chat.completions.create({ model: 'm', messages: question, tools: chatTools })
    const { message, finish_reason } = first.choices[0]!
    expect({ message, finish_reason }).toEqual({
      message: {
        role: 'assistant',
        content:
          'I have to ask.\n\nThese calls have been made, with these results: {"shop_sell":"sold"}\n\nThese calls come next and wait for an answer: ask_person.',
        refusal: null,
        tool_calls: [{ id: 'c3', type: 'function', function: { name: 'ask_person', arguments: '{"text":"Sure?"}' } }],
      },
      finish_reason: 'tool_calls',
    })
    const answer: OpenAI.ChatCompletionMessageParam = { role: 'tool', tool_call_id: 'c3', content: 'yes' }
    const second = await direct.client.chat.completions.create({
      model: 'm',
      messages: [...question, message, answer],
      tools: chatTools,
    })
    expect(second.choices[0]?.message.content).toBe('Sold.')
    expect(direct.asked()[2]?.body.messages).toEqual([
      { role: 'user', content: 'How many?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'shop_count', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '3' },
      {
        role: 'assistant',
        content: 'I have to ask.',
        tool_calls: [
          { id: 'c2', type: 'function', function: { name: 'shop_sell', arguments: '{}' } },
          { id: 'c3', type: 'function', function: { name: 'ask_person', arguments: '{"text":"Sure?"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'sold' },
      { role: 'tool', tool_call_id: 'c3', content: 'yes' },
    ])
  })

  it('tells calls of the same id in two conversations apart', async () => {
    const calls = [{ id: 'c1', name: 'ask_person', arguments: {} }]
    const made = { calls: [{ id: 'c0', name: 'shop_count' }] }
    direct.says(made, { text: 'First.', calls }, { text: 'Second.', calls }, { text: 'Done.' })
    const ask = async (content: string) => {
      const messages = [{ role: 'user' as const, content }]
      const { choices } = await direct.client.chat.completions.create({ model: 'm', messages, tools: chatTools })
      return [...messages, choices[0]!.message, { role: 'tool' as const, tool_call_id: 'c1', content: 'yes' }]
    }
    const first = await ask('One?')
    await ask('Two?')
    await direct.client.chat.completions.create({ model: 'm', messages: first, tools: chatTools })
    expect(direct.asked()[3]?.body.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'One?'],
      ['assistant', null],
      ['tool', '3'],
      ['assistant', 'First.'],
      ['tool', 'yes'],
    ])
  })

  it("works with the client's own loop over its tools", async () => {
    direct.says(
      { calls: [{ id: 'c1', name: 'shop_count' }] },
      { calls: [{ id: 'c2', name: 'ask_person', arguments: { text: 'Sure?' } }] },
      { text: 'Then no.' },
    )
    const asked: unknown[] = []
    const answering = (args: unknown) => {
      asked.push(args)
      return 'no'
    }
    const runner = direct.client.chat.completions.runTools({
      model: 'm',
      messages: question,
      stream: true,
      tools: [{ type: 'function', function: { ...askTool, function: answering, parse: JSON.parse } }],
    })
    expect(await runner.finalContent()).toBe('Then no.')
    expect(asked).toEqual([{ text: 'Sure?' }])
  })
})

describe('a response', () => {
  it('is the answer after all calls, to the unchanged client', async () => {
    direct.says({ calls: [{ id: 'c1', name: 'shop_count' }], usage }, { text: 'There are 3.', usage })
    const response = await direct.client.responses.create({
      model: 'm',
      instructions: 'Be brief.',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'How many?' }] }],
      max_output_tokens: 50,
      reasoning: { effort: 'low' },
      text: { format: { type: 'json_schema', name: 'count', schema: { type: 'object' } } },
    })
    expect(plain(response)).toMatchObject({
      id: 'resp_ID',
      object: 'response',
      status: 'completed',
      model: 'm',
      instructions: 'Be brief.',
      output_text: 'There are 3.',
      output: [
        { id: 'msg_ID', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'There are 3.' }] },
      ],
      usage: { input_tokens: 200, output_tokens: 20, total_tokens: 220 },
    })
    const { messages, tools: _, ...settings } = direct.asked()[0]!.body
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How many?' },
    ])
    expect(settings).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 50,
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'count', schema: { type: 'object' } } },
    })
  })

  it('streams the events that the client builds a response from', async () => {
    direct.says({
      text: 'One moment.',
      calls: [
        { id: 'c1', name: 'shop_count' },
        { id: 'c2', name: 'ask_person', arguments: { text: 'Sure?' } },
      ],
    })
    const tools = [{ type: 'function' as const, strict: null, ...askTool }]
    const stream = direct.client.responses.stream({ model: 'm', input: 'How many?', tools })
    const types: string[] = []
    stream.on('event', ({ type }) => types.push(type))
    const { output, status } = await stream.finalResponse()
    expect(status).toBe('completed')
    expect(plain(output)).toEqual([
      {
        id: 'msg_ID',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [
          {
            type: 'output_text',
            text: 'One moment.\n\nThese calls have been made, with these results: {"shop_count":"3"}\n\nThese calls come next and wait for an answer: ask_person.',
            annotations: [],
            logprobs: [],
            parsed: null,
          },
        ],
      },
      {
        id: 'fc_ID',
        type: 'function_call',
        status: 'completed',
        call_id: 'c2',
        name: 'ask_person',
        arguments: '{"text":"Sure?"}',
        parsed_arguments: null,
      },
    ])
    expect(types.filter((type, i) => type !== types[i - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  it('continues another by its id, with the calls that were made', async () => {
    direct.says({ calls: [{ id: 'c1', name: 'shop_count' }] }, { text: 'There are 3.' }, { text: 'Yes.' })
    const first = await direct.client.responses.create({ model: 'm', instructions: 'Be brief.', input: 'How many?' })
    await direct.client.responses.create({
      model: 'm',
      previous_response_id: first.id,
      instructions: 'Be long.',
      input: 'Sure?',
    })
    expect(direct.asked()[2]?.body.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be long.'],
      ['user', 'How many?'],
      ['assistant', null],
      ['tool', '3'],
      ['assistant', 'There are 3.'],
      ['user', 'Sure?'],
    ])
    const unknown = direct.client.responses.create({ model: 'm', previous_response_id: 'resp_x', input: 'Sure?' })
    await expect(unknown).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
  })

  it("goes on when the client sends its tool's output", async () => {
    direct.says({ calls: [{ id: 'c9', name: 'ask_person', arguments: {} }] }, { text: 'Sold.' })
    const tools = [{ type: 'function' as const, strict: null, ...askTool }]
    const first = await direct.client.responses.create({ model: 'm', input: 'Sell.', tools })
    const second = await direct.client.responses.create({
      model: 'm',
      tools,
      input: [
        { role: 'user', content: 'Sell.' },
        ...(first.output as OpenAI.Responses.ResponseFunctionToolCall[]),
        { type: 'function_call_output', call_id: 'c9', output: 'yes' },
      ],
    })
    expect(second.output_text).toBe('Sold.')
    expect(direct.asked()[1]?.body.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Sell.'],
      ['assistant', null],
      ['tool', 'yes'],
    ])
  })
})

describe('calls that need a person', async () => {
  const asking = await openChat({
    servers: { shop: { inProcess: shop, approve: ['sell'] } },
    entry: { mode: 'direct' },
  })
  const twoCalls = {
    calls: [
      { id: 'c1', name: 'shop_count' },
      { id: 'c2', name: 'shop_sell', arguments: {} },
    ],
  }
  const mixed =
    'These calls have been made, with these results: {"shop_count":"3"}\n\nThese calls come next and wait for an answer: shop_sell.'

  it.each([
    ['approve', 'sold'],
    ['deny', 'tool error [call-denied] shop_sell was not called: a person denied it'],
    ['The shop is closed.', 'The shop is closed.'],
  ])('are in the mixed response, and go on with the answer %j', async (answer, result) => {
    asking.says(twoCalls, { text: 'Done.' })
    const first = await asking.client.chat.completions.create({ model: 'm', messages: question })
    const { message, finish_reason } = first.choices[0]!
    expect({ message, finish_reason }).toEqual({
      message: {
        role: 'assistant',
        content: mixed,
        refusal: null,
        tool_calls: [{ id: 'c2', type: 'function', function: { name: 'shop_sell', arguments: '{}' } }],
      },
      finish_reason: 'stop',
    })
    const second = await asking.client.chat.completions.create({
      model: 'm',
      messages: [...question, message, { role: 'tool', tool_call_id: 'c2', content: answer }],
    })
    expect(second.choices[0]?.message.content).toBe('Done.')
    expect(asking.asked()[1]?.body.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '3' },
      { role: 'tool', tool_call_id: 'c2', content: result },
    ])
  })

  it('are items of a response, after the message', async () => {
    asking.says(twoCalls, { text: 'Done.' })
    const first = await asking.client.responses.create({ model: 'm', input: 'Sell.' })
    expect(plain(first.output)).toMatchObject([
      { type: 'message', content: [{ type: 'output_text', text: mixed }] },
      { type: 'function_call', call_id: 'c2', name: 'shop_sell', arguments: '{}' },
    ])
    const second = await asking.client.responses.create({
      model: 'm',
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: 'c2', output: 'approve' }],
    })
    expect(second.output_text).toBe('Done.')
    expect(asking.asked()[1]?.body.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'c2', content: 'sold' })
  })
})

describe('tool events', () => {
  const events = async (body: object = {}) =>
    plain(
      await eventsOf(
        await post(
          '/v1/chat/completions',
          { model: 'm', messages: question, stream: true, ...body },
          {
            'x-starbind-events': 'all',
          },
        ),
      ),
    ) as Record<string, unknown>[]
  const shown = (all: Record<string, unknown>[]) => all.filter(({ event_type }) => event_type !== undefined)

  it('are paired by id and mark failures, between the chunks', async () => {
    const calls = [
      { id: 'c1', name: 'shop_count' },
      { id: 'c2', name: 'shop_break' },
    ]
    direct.says({ calls }, { text: 'Oh.' })
    const all = await events()
    const head = { id: 'chatcmpl-ID', model: 'm', choices: [], created: 0, time: 0, run_id: 'agent-ID' }
    const of = (id: string, tool: string) => ({ id, parent_id: null, name: `shop_${tool}`, server: 'shop', tool })
    const failure = expect.stringContaining('the shelf fell')
    const bySequence = (a: Record<string, unknown>, b: Record<string, unknown>) =>
      Number(a.sequence) - Number(b.sequence)
    expect(shown(all)).toEqual(shown(all).sort(bySequence))
    expect(shown(all).map(({ sequence: _, ...event }) => event)).toEqual(
      expect.arrayContaining([
        { ...head, event_type: 'tool_call', object: 'tool.call', tool_call: { ...of('c1', 'count'), arguments: {} } },
        { ...head, event_type: 'tool_call', object: 'tool.call', tool_call: { ...of('c2', 'break'), arguments: {} } },
        {
          ...head,
          event_type: 'tool_response',
          object: 'tool.response',
          tool_response: { ...of('c1', 'count'), response: '3', ms: 0 },
        },
        {
          ...head,
          event_type: 'tool_response',
          object: 'tool.response',
          tool_response: { ...of('c2', 'break'), response: failure, error: failure, ms: 0 },
        },
      ]),
    )
    expect(shown(all)).toHaveLength(4)
    const at = (type: string) => all.findIndex(({ event_type }) => event_type === type)
    expect(at('tool_call')).toBeLessThan(at('tool_response'))
    expect(all.at(-1)).toBe('[DONE]')
  })

  it('have the progress of calls, and what happens to calls that need approval', async () => {
    const asking = await openChat({
      servers: { shop: { inProcess: { ...shop, tell: telling } } },
      approve: ['shop/sell'],
      entry: { mode: 'both', events: true },
    })
    const all = async (path: string, body: object) => {
      const response = await post(path, { model: 'm', stream: true, ...body }, {}, asking)
      return (await eventsOf(response)) as Record<string, unknown>[]
    }
    const contents = (events: readonly Record<string, unknown>[], type: string) =>
      events.filter(({ event_type }) => event_type === type).map((event) => event[type])
    const code = 'shop.tell()\nshop.sell()'
    const calls = [
      { id: 'c1', name: 'shop_tell' },
      { id: 'c2', name: 'shop_sell' },
      { id: 'c3', name: 'executeToolCode', arguments: { code } },
    ]
    asking.says({ calls })
    const chunks = await all('/v1/chat/completions', { messages: question })
    const of = (id: string, tool: string) => ({ id, parent_id: null, name: `shop_${tool}`, server: 'shop', tool })
    const half = { progress: 1, total: 2, message: 'half' }
    const inside = { id: expect.any(String), parent_id: 'c3', name: 'shop.tell', server: 'shop', tool: 'tell' }
    expect(contents(chunks, 'progress')).toHaveLength(2)
    expect(contents(chunks, 'progress')).toEqual(
      expect.arrayContaining([
        { ...of('c1', 'tell'), ...half },
        { ...inside, ...half },
      ]),
    )
    expect(contents(chunks, 'approval')).toEqual([
      { ...of('c2', 'sell'), state: 'waiting', arguments: {} },
      expect.objectContaining({ id: 'c3', state: 'waiting', reason: expect.stringContaining('shop.sell') }),
    ])
    asking.says(
      { calls: [{ id: 'c4', name: 'shop_sell' }] },
      { calls: [{ id: 'c5', name: 'shop_sell' }] },
      { text: 'Sold.' },
    )
    const waiting = await all('/v1/responses', { input: 'Sell.' })
    const { response } = waiting.at(-1) as { readonly response: { readonly id: string } }
    const answer = (call_id: string, output: string) => [{ type: 'function_call_output', call_id, output }]
    const approved = await all('/v1/responses', { previous_response_id: response.id, input: answer('c4', 'approve') })
    const { response: next } = approved.at(-1) as { readonly response: { readonly id: string } }
    const denied = await all('/v1/responses', { previous_response_id: next.id, input: answer('c5', 'deny') })
    const states = [waiting, approved, denied].map((events) =>
      (contents(events, 'approval') as { id: string; state: string }[]).map(({ id, state }) => `${id} ${state}`),
    )
    expect(states).toEqual([['c4 waiting'], ['c4 approved', 'c5 waiting'], ['c5 denied']])
    expect(approved.map(({ type }) => type)).toContain('starbind.approval')
  })

  it('do not disturb the client', async () => {
    direct.says({ calls: [{ id: 'c1', name: 'shop_count' }] }, { text: 'There are 3.' })
    const client = direct.clientWith('anything', { 'x-starbind-events': 'all' })
    const stream = client.chat.completions.stream({ model: 'm', messages: question })
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe('There are 3.')
  })

  it('have the calls of a program below the call of executeToolCode', async () => {
    const inCode = await openChat({ servers, entry: { mode: 'code', events: true } })
    const code = 'result = int(shop.count()) + 1'
    inCode.says({ calls: [{ id: 'c1', name: 'executeToolCode', arguments: { code } }] }, { text: 'Four.' })
    const response = await inCode.fetch('/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: question, stream: true }),
    })
    const all = shown((await eventsOf(response)) as Record<string, unknown>[])
    const calls = all.flatMap(({ tool_call }) => (tool_call === undefined ? [] : [tool_call])) as object[]
    expect(calls).toMatchObject([
      { id: 'c1', parent_id: null, name: 'executeToolCode' },
      { parent_id: 'c1', name: 'shop.count', server: 'shop', tool: 'count' },
    ])
    const ends = all.flatMap(({ tool_response }) => (tool_response === undefined ? [] : [tool_response])) as {
      id: string
    }[]
    expect(ends.map(({ id }) => id)).toEqual((calls as { id: string }[]).map(({ id }) => id).reverse())
    inCode.says({ text: 'Hi.' })
    const without = await inCode
      .clientWith('x', { 'x-starbind-events': 'none' })
      .chat.completions.create({ model: 'm', messages: question })
    expect(without.choices[0]?.message.content).toBe('Hi.')
  })
})
