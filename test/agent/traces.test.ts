// Kept conversations of agents: what is kept, its form, and how people see it.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createAgent,
  figuresText,
  listTraces,
  type Message,
  type ModelReply,
  showTrace,
  type TraceMode,
  traceHtml,
  traceParts,
} from '../../dist/agent/index.js'
import { keepTrace } from '../../dist/agent/traces/kept-trace.js'
import { call, openShop, says, scripted } from './said.js'

const text = z.strictObject({ type: z.literal('text'), text: z.string() })
const some = z.array(z.looseObject({ type: z.string() }))
/** The form of every kept message. */
const form = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'user']), content: some }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.array(text),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string(),
          type: z.literal('function'),
          function: z.strictObject({ name: z.string(), arguments: z.string() }),
        }),
      )
      .min(1)
      .exactOptional(),
    reasoning_content: z.string().exactOptional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    content: some,
    is_error: z.literal(true).exactOptional(),
  }),
])

const thoughtful: ModelReply = {
  ...says('', call('a', 'shop_price', { article: 'tea' }), call('b', 'shop_fail')),
  message: {
    role: 'assistant',
    content: [{ type: 'text', text: '' }],
    reasoning_content: ' I need prices. ',
    tool_calls: [call('a', 'shop_price', { article: 'tea' }), call('b', 'shop_fail')],
  },
}

async function traced(traces: TraceMode | undefined, runs: readonly string[] = ['agent-1']) {
  const { codeMode } = await openShop()
  const { model } = scripted(thoughtful, says('It costs 3 euros.'))
  const agent = createAgent({ codeMode, model, mode: 'direct', name: 'scripted', instructions: 'Be brief.', traces })
  let messages: readonly Message[] = []
  for (const runId of runs)
    ({ messages } = await agent.run([...messages, { role: 'user', content: 'What does tea cost?' }], { runId }))
  return { codeMode, messages }
}

const usage = {
  generations: 2,
  generationsWithTools: 2,
  turns: 1,
  toolCalls: 2,
  inputTokens: 200,
  outputTokens: 20,
  cachedTokens: 0,
  reasoningTokens: 0,
}

describe('a kept conversation', () => {
  it('is nothing unless it is asked for, the last message, or all of them', async () => {
    expect(await listTraces((await traced(undefined)).codeMode)).toEqual([])
    expect(await listTraces((await traced('none')).codeMode)).toEqual([])
    const last = await traced('last_message')
    expect((await showTrace(last.codeMode, 'agent-1')).messages).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'It costs 3 euros.' }] },
    ])
    const all = await traced('all_messages')
    expect(await showTrace(all.codeMode, 'agent-1')).toEqual({
      traceId: 'agent-1',
      owner: 'local',
      changedAt: expect.any(Number),
      startedAt: expect.any(Number),
      trace: 'all_messages',
      why: 'answered',
      question: 'What does tea cost?',
      usage: { scripted: usage },
      omitted: 0,
      messages: all.messages,
    })
  })

  it('has typed blocks, the reasoning apart, and answers paired with calls', async () => {
    const { codeMode } = await traced('all_messages')
    const { messages } = await showTrace(codeMode, 'agent-1')
    expect(z.array(form).safeParse(messages).error).toBe(undefined)
    expect(messages[2]).toEqual(thoughtful.message)
    expect(messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []))).toEqual(['a', 'b'])
  })

  it('has all turns of one conversation, and what they took together', async () => {
    const { codeMode, messages } = await traced('all_messages', ['chat-1', 'chat-1'])
    const [one, ...more] = await listTraces(codeMode)
    expect(more).toEqual([])
    expect(one?.usage).toEqual({
      scripted: { ...usage, generations: 3, generationsWithTools: 3, inputTokens: 300, outputTokens: 30 },
    })
    expect((await showTrace(codeMode, 'chat-1')).messages).toEqual(messages)
  })

  it('is deleted alone, by those who see it', async () => {
    const { codeMode } = await traced('all_messages', ['agent-1', 'agent-2'])
    const stranger = codeMode.session({ name: 'ann' })
    await expect(stranger.traces.delete('agent-1')).rejects.toThrow('program error [no-such-trace]')
    await codeMode.traces.delete('agent-1')
    expect((await listTraces(codeMode)).map(({ traceId }) => traceId)).toEqual(['agent-2'])
    await expect(codeMode.traces.delete('agent-1')).rejects.toThrow('program error [no-such-trace]')
  })

  it('that can not be kept is an event of the run, and the run goes on', async () => {
    const { codeMode } = await openShop()
    await codeMode.session({ name: 'ann' }).traces.keep({ traceId: 'taken', facts: {}, messages: [] })
    const agent = createAgent({ codeMode, model: scripted(says('Yes.')).model, traces: 'all_messages' })
    const warnings: unknown[] = []
    const { why } = await agent.run('Is it there?', {
      runId: 'taken',
      onEvent: (event) => event.type === 'error' && warnings.push([event.severity, event.code]),
    })
    expect([why, warnings]).toEqual(['answered', [['warning', 'trace-not-kept']]])
    await expect(showTrace(codeMode, 'taken')).rejects.toThrow('host error [trace-unreadable]')
    expect(await listTraces(codeMode)).toEqual([])
  })

  it('is bounded: the longest texts are cut first, and the middle of very many messages is missing', async () => {
    const { codeMode } = await openShop()
    const said = (words: string): Message => ({ role: 'user', content: [{ type: 'text', text: words }] })
    const kept = async (messages: readonly Message[]) => {
      const run = { runId: 'long', why: 'answered', messages, usage: {} } as const
      await keepTrace(codeMode, run, { mode: 'all_messages', startedAt: 0, isNamed: true })
      const trace = await showTrace(codeMode, 'long')
      return {
        ...trace,
        texts: trace.messages.flatMap(({ content }) => content.map((one) => 'text' in one && one.text)),
      }
    }
    const { texts } = await kept([said('short'), said('x'.repeat(900_000)), said('y'.repeat(900_000))])
    expect(texts[0]).toBe('short')
    expect(texts[1]).toMatch(/^x+… \(400,0\d\d more characters\)$/)
    expect(texts[2]).toMatch(/^y+… \(400,0\d\d more characters\)$/)
    const many = await kept(Array.from({ length: 2_500 }, (_, i) => said(`${i}`)))
    expect([many.omitted, many.texts.length, many.texts[999], many.texts[1_000]]).toEqual([500, 2_000, '999', '1500'])
    expect(traceParts(many).slice(999, 1_002)).toEqual([
      { kind: 'user', title: 'user', text: '999' },
      { kind: 'gap', title: '…', text: '500 messages are not kept' },
      { kind: 'user', title: 'user', text: '1500' },
    ])
  })
})

describe('the parts of a conversation', () => {
  const content = [{ type: 'text', text: 'x' }] as const
  const parts = (...messages: readonly Message[]) =>
    traceParts({ messages, omitted: 0 }).map(({ kind, title, text }) => [kind, title, text])

  it('number the calls, and answers have the number of their call, also if ids are used twice', () => {
    const code = 'x = 1\nresult = x\n'
    expect(
      parts(
        {
          role: 'user',
          content: [...content, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
        },
        {
          role: 'assistant',
          content: [{ type: 'text', text: '' }],
          reasoning_content: ' hm \n',
          tool_calls: [
            call('same', 'executeToolCode', { language: 'starlark', code }),
            call('b', 'list', '{"open": tru'),
          ],
        },
        { role: 'tool', tool_call_id: 'b', content, is_error: true },
        { role: 'tool', tool_call_id: 'same', content },
        { role: 'assistant', content: [], tool_calls: [call('same', 'get', { ids: [1, 2] })] },
        { role: 'tool', tool_call_id: 'same', content },
        { role: 'tool', tool_call_id: 'lost', content },
      ),
    ).toEqual([
      ['user', 'user', 'x\n[a picture: image/png]'],
      ['reasoning', 'reasoning', 'hm'],
      ['call', '#1 executeToolCode', 'language: "starlark"\ncode:\n  x = 1\n  result = x'],
      ['call', '#2 list', '{"open": tru'],
      ['failure', 'answer to #2 list, failed', 'x'],
      ['answer', 'answer to #1 executeToolCode', 'x'],
      ['call', '#3 get', 'ids: [\n  1,\n  2\n]'],
      ['answer', 'answer to #3 get', 'x'],
      ['answer', 'an answer without a call', 'x'],
    ])
  })

  it('have a footer', () => {
    const one = { ...usage, toolCalls: 1, inputTokens: 12_000 }
    expect(figuresText({ a: one })).toBe('1 tool call in 1 turn, 12,020 tokens (12,000 in, 20 out)')
    expect(figuresText({ a: one, b: one })).toBe('2 tool calls in 2 turns, 24,040 tokens (24,000 in, 40 out)')
    expect(figuresText({})).toBe('0 tool calls in 0 turns')
  })
})

describe('the page of a conversation', () => {
  /** Ways in which text becomes script. */
  const attacks = [
    '<script>alert(1)</script>',
    '</pre></section><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    "' onmouseover='alert(1)",
    '<a href="javascript:alert(1)">x</a>',
    '</title></style><iframe srcdoc="<script>alert(1)</script>">',
    '<!--<img src="--><img src=x onerror=alert(1)//">',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<form action=javascript:alert(1)><input type=submit>',
    '\u0000<scr\u0000ipt>\u2028alert(1)',
    '{{constructor.constructor("alert(1)")()}}<math><mtext></mtext></math>',
  ]

  it('has no markup but its own, whatever a person, a model or a tool has written', () => {
    const content = (one: string) => [{ type: 'text' as const, text: one }]
    const trace = {
      owner: 'local',
      changedAt: 0,
      startedAt: 0,
      trace: 'all_messages',
      question: '',
      omitted: 0,
    } as const
    const page = (one: string) =>
      traceHtml({
        ...trace,
        traceId: one,
        why: one,
        usage: { [one]: usage },
        messages: [
          { role: 'system', content: content(one) },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: one } }] },
          {
            role: 'assistant',
            content: content(one.repeat(200)),
            reasoning_content: one,
            tool_calls: [call(one, one, { [one]: one }), call('b', one, one)],
          },
          { role: 'tool', tool_call_id: one, content: content(one), is_error: true },
        ],
      })
    const skeleton = (html: string) => html.match(/<[^>]*>/g)?.filter((tag) => tag !== '<details>')
    const harmless = skeleton(page('x'.repeat(20)))
    for (const attack of attacks) {
      expect(skeleton(page(attack))).toEqual(harmless)
      expect(page(attack)).not.toMatch(/[\x00-\x08]/)
    }
    expect(page('<b>').includes('&lt;b&gt;')).toBe(true)
    expect(harmless).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    )
    expect(page('x')).not.toMatch(/<script|\bsrc=|\bhref=|url\(/)
  })

  it('shows pictures that are in it, and nothing else as a picture', () => {
    const pictures = (...addresses: readonly string[]) => {
      const content = addresses.map((url) => ({ type: 'image_url' as const, image_url: { url } }))
      const about = { traceId: 'a', owner: 'local', changedAt: 0, startedAt: 0, question: '', omitted: 0, usage: {} }
      const messages: Message[] = [{ role: 'tool', tool_call_id: 'b', content }]
      return traceHtml({ ...about, trace: 'all_messages', why: 'answered', messages }).match(/<img[^>]*>/g) ?? []
    }
    const png = 'data:image/png;base64,iVBORw0KGgo='
    expect(pictures(png, png)).toEqual([`<img alt="a picture" src="${png}">`, `<img alt="a picture" src="${png}">`])
    expect(
      pictures(
        'https://example.com/spy.png',
        'data:image/svg+xml;base64,PHN2Zz4=',
        'data:text/html;base64,PHNjcmlwdD4=',
        'data:image/png;base64,iVBO" onerror="alert(1)',
        'data:image/png;base64,iVBO… (12 more characters)',
        `data:image/png;base64,${'A'.repeat(5_000_000)}`,
      ),
    ).toEqual([])
  })
})
