// Structured answers, and tool sets.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../../dist/agent/index.js'
import { call, openShop, says, scripted, shown } from './said.js'

const question = 'What does tea cost?'
const answer = z.object({ cents: z.number().transform((cents) => cents / 100) })
const price = says([call('a', 'shop_price', { article: 'tea' })])

describe('a structured answer', () => {
  it('is the output of the schema, which the model was told', async () => {
    const { codeMode } = await openShop()
    const { model, requests } = scripted(says('```json\n{"cents": 300}\n```'))
    const result = await createAgent({ codeMode, model, answer }).run(question)
    expect([result.why, result.answer?.cents]).toEqual(['answered', 3])
    const plain = z.object({ cents: z.number() })
    const told = scripted(says('{"cents": 300}'))
    await createAgent({ codeMode, model: told.model, answer: plain, instructions: 'Be brief.' }).run(question)
    expect(shown(told.requests[0]!.messages)[0]).toBe(
      `system: Be brief.\n\nWrite your final answer as JSON and nothing else. It must fit this JSON Schema: ${JSON.stringify(z.toJSONSchema(plain, { io: 'input' }))}`,
    )
    expect(requests.length).toBe(1)
  })

  it('that does not fit is corrected, and then the conversation starts again behind the tools', async () => {
    const { codeMode, called } = await openShop()
    const { model, requests } = scripted(
      price,
      says('Three euros.'),
      says('{"cents": "300"}'),
      says('{"cent": 300}'),
      says('{"cents": 300}'),
    )
    const agent = createAgent({ codeMode, model, mode: 'direct', answer, corrections: 2, restarts: 1 })
    const result = await agent.run(question)
    expect([result.why, result.answer]).toEqual(['answered', { cents: 3 }])
    expect(called).toEqual(['price tea'])
    const lengths = requests.map(({ messages }) => messages.length)
    expect(lengths).toEqual([2, 4, 6, 8, 4])
    expect(shown(requests[3]!.messages).slice(4)).toEqual([
      'assistant: Three euros.',
      expect.stringMatching(
        /^user: This answer does not fit: it is not JSON: .*\. Write the whole answer again, as JSON/,
      ),
      'assistant: {"cents": "300"}',
      'user: This answer does not fit: cents: Invalid input: expected number, received string. Write the whole answer again, as JSON and nothing else.',
    ])
    expect(shown(result.messages).at(-1)).toBe('assistant: {"cents": 300}')
    expect(result.messages.length).toBe(5)
  })

  it('that never fits ends the run, with both budgets', async () => {
    const { codeMode } = await openShop()
    const { model, requests } = scripted({ ...says('{"cents": 3'), finish: 'length' })
    const result = await createAgent({ codeMode, model, answer, corrections: 1, restarts: 1 }).run(question)
    expect(requests.length).toBe(4)
    expect([result.why, result.answer, result.error?.code]).toEqual(['misfit', undefined, 'answer-misfit'])
    expect(result.error!.message).toMatch(
      /^no answer fits the schema after 1 corrections and 1 restarts: it was cut off; it is not JSON: /,
    )
  })
})

describe('a tool set', () => {
  const tool = { call: () => 'done' }
  const servers = {
    wiki: { inProcess: { search: tool, edit: tool } },
    web: { inProcess: { search: tool, fetch: tool } },
  }
  const toolSets = {
    reading: { servers: ['wiki', 'web'], tools: ['search', 'fetch', 'browse'] },
    writing: { servers: ['wiki', 'blog', 'forum'], tools: ['edit'], maxTurns: 0 },
    looking: { servers: ['web'], maxTurns: 1 },
  }

  it('has the tools under their own names, and its own bounds', async () => {
    const { codeMode } = await openShop({ servers })
    const { model, requests } = scripted(says([call('a', 'fetch'), call('b', 'edit')]))
    const agent = createAgent({ codeMode, model, mode: 'direct', toolSets, toolSet: 'looking', maxTurns: 5 })
    const result = await agent.run(question)
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['search', 'fetch'],
      ['search', 'fetch'],
      [],
    ])
    expect(shown(result.messages).slice(2, 4)).toEqual([
      'tool a: done',
      'tool b: tool error [tool-not-offered] there is no tool "edit"; nothing was called\nhint: the tools are search, fetch',
    ])
  })

  it('restricts programs, too', async () => {
    const { codeMode } = await openShop({ servers })
    const code = 'result = web.fetch() + wiki.edit()'
    const { model } = scripted(says([call('a', 'executeToolCode', { code })]), says('.'))
    const result = await createAgent({ codeMode, model, mode: 'code', toolSets }).run(question, { toolSet: 'looking' })
    expect(shown(result.messages)[2]).toContain('undefined: wiki')
  })

  it('is checked before the run, with everything that is wrong', async () => {
    const { codeMode } = await openShop({ servers })
    const { model, requests } = scripted(says('.'))
    const agent = createAgent({ codeMode, model, mode: 'direct', toolSets })
    const reading = [
      'host error [tool-set-tools] the tool set reading names tools that none of its servers has (wiki, web): browse',
      'host error [tool-set-clashes] the tool set reading has tools of one name at several servers: search (wiki, web)',
      'hint: name the wanted tools in a set for each server',
    ]
    const writing = [
      'host error [tool-set-servers] the tool set writing names servers that do not exist: blog, forum',
      'hint: the servers are wiki, web',
    ]
    await expect(agent.run(question, { toolSet: 'reading' })).rejects.toThrow(reading.join('\n'))
    await expect(agent.check()).rejects.toThrow([...reading, ...writing].join('\n'))
    await expect(agent.tools({ toolSet: 'raeding' })).rejects.toThrow(
      'host error [tool-set-unknown] there is no tool set raeding\nhint: the tool sets are reading, writing, looking',
    )
    expect(requests).toEqual([])
  })
})

describe('wrong options', () => {
  it('are all named', async () => {
    const { codeMode } = await openShop()
    const wrong = { codeMode, model: { baseUrl: 'localhost', name: '' }, maxTurn: 3, mode: 'programs', maxCost: -1 }
    expect(() => createAgent(wrong as never)).toThrow(
      [
        'host error [agent-option-wrong] createAgent: model.baseUrl: want an http or https URL',
        'host error [agent-option-wrong] createAgent: model.name: want a string that is not empty',
        'host error [agent-option-wrong] createAgent: mode: want "code", "direct", "both" or "auto"',
        'host error [agent-option-wrong] createAgent: maxCost: want a number of at least 0',
      ].join('\n'),
    )
    expect(() => createAgent(wrong as never)).toThrow('createAgent: maxTurn is not a known option')
  })

  it.each<[string, unknown, string]>([
    ['no messages', [], "the conversation can't be continued: it is empty"],
    ['a role that there is not', [{ role: 'bot', content: 'x' }], 'messages.0.role: want a message with the role'],
    [
      'content of another kind',
      [{ role: 'user', content: 7 }],
      'messages.0.content: want a string or a list of blocks',
    ],
    [
      'answers without calls, and calls without answers',
      [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: '', tool_calls: [call('a', 'f'), call('b', 'f'), call('b', 'f')] },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'z', content: '1' },
        { role: 'user', content: 'y' },
      ],
      'the call id "b" is used twice in one message; there is no open call "z" for an answer; the call "b" has no answer',
    ],
  ])('refuse %s', async (_, messages, words) => {
    const { codeMode } = await openShop()
    const { model, requests } = scripted(says('.'))
    await expect(createAgent({ codeMode, model }).run(messages as never)).rejects.toThrow(words)
    expect(requests).toEqual([])
  })
})
