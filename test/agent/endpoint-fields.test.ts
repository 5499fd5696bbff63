// Every field of a request is passed on to the model, used, or refused. A field that a new version of the client's types
// brings fails the type check until it has its row here.

import { readFileSync } from 'node:fs'
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { openChat } from './chat-service.js'

/** What becomes of a field: the parameters that reach the model, `used`, or the words of a refusal. */
type Fate =
  | { readonly given: unknown; readonly reaches: object }
  | { readonly given: unknown; readonly refused: string }
  | 'used'
type Fates<Params> = { readonly [Field in keyof Required<Params>]: Fate }

const asIs = <Name extends string>(name: Name, given: unknown): Fate => ({ given, reaches: { [name]: given } })
const refused = (given: unknown, words: string): Fate => ({ given, refused: words })

/** Those that both forms have under one name. */
const inBoth = {
  metadata: asIs('metadata', { order: '7' }),
  model: 'used',
  moderation: refused({ input: true }, 'moderation is not supported here: an answer may be made of several replies'),
  parallel_tool_calls: asIs('parallel_tool_calls', false),
  prompt_cache_key: asIs('prompt_cache_key', 'k'),
  prompt_cache_options: asIs('prompt_cache_options', { mode: 'explicit' }),
  prompt_cache_retention: asIs('prompt_cache_retention', '24h'),
  safety_identifier: asIs('safety_identifier', 's'),
  service_tier: asIs('service_tier', 'flex'),
  stream: 'used',
  temperature: asIs('temperature', 0.3),
  tool_choice: { given: 'none', reaches: { tool_choice: 'none' } },
  tools: 'used',
  top_p: asIs('top_p', 0.9),
  user: asIs('user', 'ada'),
} as const
const obfuscation = refused(
  { include_obfuscation: true },
  'stream_options.include_obfuscation: got true, want false: it has no effect here',
)

const chat: Fates<OpenAI.ChatCompletionCreateParams> = {
  ...inBoth,
  audio: refused({ voice: 'ash', format: 'mp3' }, 'audio is not supported here: answers are text'),
  frequency_penalty: asIs('frequency_penalty', 0.1),
  function_call: refused('auto', 'function_call is not supported here: use tool_choice'),
  functions: refused([], 'functions is not supported here: use tools'),
  logit_bias: asIs('logit_bias', { 5: -1 }),
  logprobs: refused(true, 'logprobs is not supported here: an answer may be made of several replies'),
  max_completion_tokens: asIs('max_completion_tokens', 50),
  max_tokens: asIs('max_tokens', 50),
  messages: 'used',
  modalities: refused(['audio'], 'modalities[0]: got "audio", want "text": answers are text'),
  n: refused(2, 'n: got 2, want 1: there is one answer'),
  prediction: asIs('prediction', { type: 'content', content: 'x' }),
  presence_penalty: asIs('presence_penalty', 0.2),
  reasoning_effort: asIs('reasoning_effort', 'low'),
  response_format: asIs('response_format', { type: 'json_object' }),
  seed: asIs('seed', 7),
  stop: asIs('stop', ['END']),
  store: asIs('store', true),
  stream_options: obfuscation,
  top_logprobs: refused(2, 'top_logprobs is not supported here: an answer may be made of several replies'),
  verbosity: asIs('verbosity', 'low'),
  web_search_options: asIs('web_search_options', { search_context_size: 'low' }),
}

const responses: Fates<OpenAI.Responses.ResponseCreateParams> = {
  ...inBoth,
  background: refused(true, 'background is not supported here: read the answer from the response'),
  context_management: refused([], 'context_management is not supported here: send a shorter input'),
  conversation: refused('c', 'conversation is not supported here: use previous_response_id or send the whole input'),
  include: refused(
    ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    'include[1]: got "message.output_text.logprobs", want parts that an answer here can have',
  ),
  input: 'used',
  instructions: 'used',
  max_output_tokens: { given: 50, reaches: { max_completion_tokens: 50 } },
  previous_response_id: 'used',
  prompt: refused({ id: 'p' }, 'prompt is not supported here: send instructions and input'),
  reasoning: { given: { effort: 'low', summary: 'auto' }, reaches: { reasoning_effort: 'low' } },
  store: 'used',
  stream_options: obfuscation,
  text: {
    given: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: {}, strict: true } },
    reaches: {
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {}, strict: true } },
    },
  },
  top_logprobs: refused(2, 'top_logprobs: got 2, want 0: an answer may be made of several replies'),
  truncation: refused('auto', 'truncation: got "auto", want "disabled": no messages are left out'),
}

const service = await openChat({ servers: { shop: { inProcess: { count: { call: () => 3 } } } } })
const hello = [{ role: 'user' as const, content: 'Hi' }]
const sent = async (path: string, body: object) => {
  const response = await service.fetch(path, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe.each([
  ['/v1/chat/completions', 'Chat Completions', chat, { messages: hello }],
  ['/v1/responses', 'Responses', responses, { input: hello }],
] as const)('the fields of a request to %s', (path, form, fates, question) => {
  const all = Object.entries<Fate>(fates)
  const passed = all.flatMap(([name, fate]) => (fate !== 'used' && 'reaches' in fate ? [[name, fate] as const] : []))

  it('reach the model', async () => {
    service.says({ text: 'Hello.' })
    const given = Object.fromEntries(passed.map(([name, fate]) => [name, fate.given]))
    expect(await sent(path, { ...given, ...question, unheard_of: 1 })).toMatchObject({ status: 200 })
    const { model, messages, tools, stream, stream_options, ...params } = service.asked()[0]!.body
    expect(params).toEqual(Object.assign({ unheard_of: 1 }, ...passed.map(([, { reaches }]) => reaches)))
  })

  it('are refused where they could have no effect', async () => {
    for (const [name, fate] of all) {
      if (fate === 'used' || !('refused' in fate)) continue
      const { status, body } = await sent(path, { ...question, [name]: fate.given })
      expect([name, status, body.error]).toMatchObject([name, 400, { message: fate.refused }])
    }
  })

  it('are all in docs/endpoint.md', () => {
    const docs = readFileSync('docs/endpoint.md', 'utf8')
    const section = docs.split(`**${form}.**`)[1]?.split('\n\n**')[0] ?? ''
    const fateOf = (fate: Fate) => (fate === 'used' ? 'used' : 'reaches' in fate ? 'passed on' : 'refused')
    const named = section.split('\n').flatMap((line) => {
      const [, fate = '', names = ''] = line.split('|').map((cell) => cell.trim())
      return [...names.matchAll(/`([a-z_]+)`/g)].map(([, name]) => `${name} ${fate}`)
    })
    const partly = ['include', 'modalities', 'stream_options', 'truncation', 'n']
    const expected = all.map(([name, fate]) => `${name} ${partly.includes(name) ? 'used' : fateOf(fate)}`)
    expect(expected.filter((row) => !named.includes(row))).toEqual([])
  })
})

describe('messages and tools', () => {
  const definition = {
    name: 'ask',
    description: 'Asks.',
    parameters: { type: 'object', properties: {}, additionalProperties: false, required: [] },
    strict: true,
  }
  const mark = { prompt_cache_breakpoint: { type: 'explicit' } }

  it('of a chat completion reach the model with all that they say', async () => {
    service.says({ text: 'Hello.' })
    const call = { id: 'c1', type: 'function', function: { name: 'ask', arguments: '{}' } }
    const messages = [
      { role: 'developer', name: 'boss', content: [{ type: 'text', text: 'Be brief.', ...mark }] },
      { role: 'user', name: 'ada', content: 'Hi' },
      { role: 'assistant', name: 'bo', content: null, refusal: 'I will not.' },
      { role: 'user', content: [{ type: 'file', file: { file_id: 'f1' } }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'yes', ...mark }] },
    ]
    const tools = [{ type: 'function', function: definition }]
    expect(
      await sent('/v1/chat/completions', { messages, tools, stream_options: { include_obfuscation: false } }),
    ).toMatchObject({
      status: 200,
    })
    const { body } = service.asked()[0]!
    expect(body.messages).toEqual([
      { role: 'system', name: 'boss', content: [{ type: 'text', text: 'Be brief.', ...mark }] },
      { role: 'user', name: 'ada', content: 'Hi' },
      { role: 'assistant', name: 'bo', content: 'I will not.' },
      { role: 'user', content: [{ type: 'file', file: { file_id: 'f1' } }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'yes', ...mark }] },
    ])
    expect(body.tools).toContainEqual({ type: 'function', function: definition })
  })

  it('of a response do, too', async () => {
    service.says({ text: 'Hello.' })
    const input = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi', ...mark },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
          { type: 'input_file', file_id: 'f1' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Ask first.' }] },
      { type: 'function_call', call_id: 'c1', name: 'ask', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'yes' },
    ]
    const tools = [{ type: 'function', ...definition }]
    const { status, body: response } = await sent('/v1/responses', {
      input,
      tools,
      include: [],
      truncation: 'disabled',
    })
    expect([status, response]).toMatchObject([200, { truncation: 'disabled', tool_choice: 'auto', tools: [] }])
    const { body } = service.asked()[0]!
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi', ...mark },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          { type: 'file', file: { file_id: 'f1' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ask', arguments: '{}' } }],
        reasoning_content: 'Ask first.',
      },
      { role: 'tool', tool_call_id: 'c1', content: 'yes' },
    ])
    expect(body.tools).toContainEqual({ type: 'function', function: definition })
  })

  it.each<[string, object, string]>([
    [
      'an old call of a function',
      { messages: [...hello, { role: 'assistant', content: '', function_call: { name: 'ask', arguments: '{}' } }] },
      'messages[1].function_call: got an object, want tool_calls',
    ],
    [
      'a spoken answer',
      { messages: [...hello, { role: 'assistant', audio: { id: 'a' } }] },
      'messages[1].audio: got an object, want no audio: answers are text',
    ],
    [
      'allowed tools',
      { messages: hello, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } },
      'tool_choice: got an object, want "auto", "none", "required" or a function',
    ],
    [
      "a file of the provider's as a picture",
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'input[0].content[0].file_id: got "f", want an image_url',
    ],
    [
      'a file without content',
      { input: [{ role: 'user', content: [{ type: 'input_file' }] }] },
      'input[0].content[0].file_data: got nothing, want a string, or a file_id',
    ],
    [
      'a summary of the reasoning',
      { input: 'Hi', reasoning: { summary: 'detailed' } },
      'reasoning.summary: got "detailed", want "auto": reasoning is shown as it is, in the events of x-starbind-events',
    ],
    [
      'a tool for programs of the provider',
      { input: 'Hi', tools: [{ type: 'function', name: 'f', allowed_callers: ['programmatic'] }] },
      'tools[0].allowed_callers: got a list, want a list with "direct"',
    ],
    [
      'a tool that is loaded later',
      { input: 'Hi', tools: [{ type: 'function', name: 'f', defer_loading: true }] },
      'tools[0].defer_loading: got true, want false: it has no effect here',
    ],
  ])('are refused with %s', async (_, question, words) => {
    const path = 'messages' in question ? '/v1/chat/completions' : '/v1/responses'
    expect(await sent(path, question)).toMatchObject({ status: 400, body: { error: { message: words } } })
  })
})
