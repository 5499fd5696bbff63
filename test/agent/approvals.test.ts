// Calls that need a person, and calls of the caller's own tools.

import { describe, expect, it } from 'vitest'
import { createAgent, type ToolDefinition } from '../../dist/agent/index.js'
import type { CodeModeSettings } from '../../dist/index.js'
import { call, listening, openShop, says, scripted, shown } from './said.js'

const question = 'Order tea.'
const approve: CodeModeSettings['approve'] = 'writes'
const turn = says([
  call('a', 'shop_price', { article: 'tea' }),
  call('b', 'shop_order', { article: 'tea' }),
  call('c', 'shop_price', { article: 'cup' }),
])
const askPerson: ToolDefinition = { name: 'ask_person', parameters: { type: 'object', properties: {} } }

describe('a turn with a call that needs a person', () => {
  it('ends with the results of the others and the pending call, where nobody can be asked', async () => {
    const { codeMode, called } = await openShop({ approve })
    const { model, requests } = scripted(turn, says('Done.'))
    const agent = createAgent({ codeMode, model, mode: 'direct' })
    const result = await agent.run(question)
    expect(result.why).toBe('pending')
    expect(called).toEqual(['price tea', 'price cup'])
    expect(result.pending).toEqual([
      { call: call('b', 'shop_order', { article: 'tea' }), reason: 'approval', server: 'shop', tool: 'order' },
    ])
    const [tea, cup] = ['{"article":"tea","cents":300}', '{"article":"cup","cents":300}']
    expect(result.made).toEqual([
      { id: 'a', name: 'shop_price', isError: false, text: tea },
      { id: 'c', name: 'shop_price', isError: false, text: cup },
    ])
    expect(result.text).toBe(
      `These calls have been made, with these results: ${JSON.stringify({ shop_price: tea, 'shop_price 2': cup })}\n\nThese calls come next and wait for an answer: shop_order.`,
    )
    expect(requests.length).toBe(1)

    const done = await agent.run(result.messages, { approvals: { b: 'once' } })
    expect(done.why).toBe('answered')
    expect(called).toEqual(['price tea', 'price cup', 'order tea'])
    expect(shown(done.messages).slice(-3)).toEqual([`tool c: ${cup}`, 'tool b: ordered tea', 'assistant: Done.'])
  })

  it('goes on with a denial, which the model reads', async () => {
    const { codeMode, called } = await openShop({ approve })
    const { model } = scripted(turn, says('A pity.'))
    const agent = createAgent({ codeMode, model, mode: 'direct' })
    const { messages } = await agent.run(question)
    const result = await agent.run(messages, { approvals: { b: { deny: 'too dear' } } })
    expect(shown(result.messages).at(-2)).toBe(
      'tool b: tool error [call-denied] shop_order was not called: a person denied it: "too dear"',
    )
    expect(result.text).toBe('A pity.')
    expect(called).not.toContain('order tea')
  })

  it('waits again while nobody answers', async () => {
    const { codeMode } = await openShop({ approve })
    const agent = createAgent({ codeMode, model: scripted(turn).model, mode: 'direct' })
    const { messages } = await agent.run(question)
    const again = await agent.run(messages)
    expect([again.why, again.pending.length, again.messages]).toEqual(['pending', 1, messages])
  })

  it('asks about all such calls at once, and remembers what is allowed for the run', async () => {
    const { codeMode, called } = await openShop({ approve })
    const order = (id: string, article: string) => call(id, 'shop_order', { article })
    const { model } = scripted(says([order('a', 'tea'), order('b', 'cup')]), says([order('c', 'jug')]), says('Done.'))
    const asked: unknown[] = []
    const { events, onEvent } = listening()
    const result = await createAgent({
      codeMode,
      model,
      mode: 'direct',
      onApproval: ({ calls }) => {
        asked.push(calls.map(({ server, tool, arguments: given, line }) => [server, tool, given, line]))
        return ['deny', 'run']
      },
    }).run(question, { onEvent })
    expect(asked).toEqual([
      [
        ['shop', 'order', { article: 'tea' }, null],
        ['shop', 'order', { article: 'cup' }, null],
      ],
    ])
    expect(called).toEqual(['order cup', 'order jug'])
    expect(result.why).toBe('answered')
    const approvals = events.flatMap((one) => (one.type === 'approval' ? [`${one.callId} ${one.state}`] : []))
    expect(approvals).toEqual(['a asked', 'b asked', 'a denied', 'b approved', 'c approved'])
  })

  it('leaves calls open where the person can’t be asked or says later', async () => {
    const { codeMode } = await openShop({ approve })
    for (const onApproval of [() => Promise.reject(new Error('asleep')), () => 'pause' as const]) {
      const result = await createAgent({ codeMode, model: scripted(turn).model, mode: 'direct', onApproval }).run(
        question,
      )
      expect([result.why, result.pending.map(({ reason }) => reason)]).toEqual(['pending', ['approval']])
    }
  })

  it('is made by hand, for callers with approvals of their own', async () => {
    const { codeMode, called } = await openShop({ approve })
    const agent = createAgent({ codeMode, model: scripted(turn).model, mode: 'direct' })
    expect(await agent.execute(call('b', 'shop_order', { article: 'tea' }))).toEqual({
      role: 'tool',
      tool_call_id: 'b',
      content: [{ type: 'text', text: 'ordered tea' }],
    })
    expect(called).toEqual(['order tea'])
    expect((await agent.execute(call('x', 'shop_burn'))).is_error).toBe(true)
  })
})

describe('toolsToAutoExecute', () => {
  it('names the calls that need nobody; calls that are not allowed do not exist', async () => {
    const { codeMode, called } = await openShop()
    const filters = { toolsToExecute: ['shop/price', 'shop/order'], toolsToAutoExecute: ['shop/price'] }
    const session = codeMode.session({ filters })
    const { model, requests } = scripted(
      says([
        call('a', 'shop_price', { article: 'tea' }),
        call('b', 'shop_order', { article: 'tea' }),
        call('c', 'shop_fail'),
      ]),
    )
    const result = await createAgent({ codeMode: session, model, mode: 'direct' }).run(question)
    expect(requests[0]!.tools.map(({ name }) => name)).toEqual(['shop_price', 'shop_order'])
    expect(called).toEqual(['price tea'])
    expect(result.pending.map(({ call: { id } }) => id)).toEqual(['b'])
    expect(result.made.map(({ id, isError }) => [id, isError])).toEqual([
      ['a', false],
      ['c', true],
    ])
  })
})

describe('the automatic calls of a turn', () => {
  it('run together', async () => {
    const both = { count: 0, open: () => {} }
    const meeting = new Promise<void>((resolve) => {
      both.open = resolve
    })
    const { codeMode } = await openShop({
      servers: {
        pair: {
          inProcess: {
            meet: {
              call: () => {
                if (++both.count === 2) both.open()
                return meeting.then(() => 'met')
              },
            },
          },
        },
      },
    })
    const { model } = scripted(says([call('a', 'pair_meet'), call('b', 'pair_meet')]), says('Met.'))
    const result = await createAgent({ codeMode, model, mode: 'direct' }).run(question)
    expect(shown(result.messages).slice(2, 4)).toEqual(['tool a: met', 'tool b: met'])
  })
})

describe('tools of the caller', () => {
  it('are handed back to it, and its answers go to the model', async () => {
    const { codeMode } = await openShop()
    const { model, requests } = scripted(
      says('Let me see.', call('a', 'shop_price', { article: 'tea' }), call('b', 'ask_person', '{"q": 1}')),
      says('Done.'),
    )
    const agent = createAgent({ codeMode, model, mode: 'direct' })
    const first = await agent.run(question, { tools: [askPerson] })
    expect(first.why).toBe('pending')
    expect(first.pending).toEqual([{ call: call('b', 'ask_person', '{"q": 1}'), reason: 'caller' }])
    expect(first.text).toMatch(/^Let me see\.\n\nThese calls have been made/)
    const answer = { role: 'tool', tool_call_id: 'b', content: 'Green tea.' } as const
    const second = await agent.run([...first.messages, answer], { tools: [askPerson] })
    expect(shown(second.messages).slice(-2)).toEqual(['tool b: Green tea.', 'assistant: Done.'])
    expect(requests[1]!.tools).toEqual(requests[0]!.tools)
  })

  it('can’t take the names of others', async () => {
    const { codeMode } = await openShop()
    const agent = createAgent({ codeMode, model: scripted(says('.')).model, mode: 'direct' })
    const tools = [askPerson, { ...askPerson, name: 'shop_price' }, askPerson]
    await expect(agent.run(question, { tools })).rejects.toThrow(
      'host error [tool-names-taken] these tools of the caller have names that are taken: shop_price, ask_person\nhint: give them other names',
    )
  })
})

describe('a program that needs a person', () => {
  it('asks the same function', async () => {
    const { codeMode, called } = await openShop({ approve })
    const code = 'result = shop.order(article="tea")'
    const { model } = scripted(says([call('p', 'executeToolCode', { code })]), says('Done.'))
    const programs: unknown[] = []
    const { events, onEvent } = listening()
    const result = await createAgent({
      codeMode,
      model,
      mode: 'code',
      onApproval: ({ program }) => {
        programs.push(program?.text)
        return 'once'
      },
    }).run(question, { onEvent })
    expect(events.flatMap((one) => (one.type === 'approval' ? [[one.callId, one.name, one.state]] : []))).toEqual([
      ['p', 'shop.order', 'asked'],
      ['p', 'shop.order', 'approved'],
    ])
    expect(programs).toEqual([code])
    expect(called).toEqual(['order tea'])
    expect(shown(result.messages)[2]).toMatch(/^tool p: result: "ordered tea"\n/)
  })

  it('waits where there is nobody, and the model is told', async () => {
    const { codeMode } = await openShop({ approve })
    const { model } = scripted(
      says([call('p', 'executeToolCode', { code: 'result = shop.order(article="tea")' })]),
      says('It waits.'),
    )
    const { events, onEvent } = listening()
    const result = await createAgent({ codeMode, model, mode: 'code' }).run(question, { onEvent })
    expect(result.text).toBe('It waits.')
    expect(shown(result.messages)[2]).toContain('needs-approval')
    expect(events.filter(({ type }) => type === 'approval')).toMatchObject([{ state: 'waiting', callId: 'p' }])
  })
})
