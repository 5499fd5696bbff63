// Agents as tools of programs and models.

import { describe, expect, it } from 'vitest'
import { addAgents, createAgent, type ModelRequest, type SubAgent } from '../../dist/agent/index.js'
import { call, listening, openShop, says, scripted, shown } from './said.js'

const description = 'Knows the shop.'

describe('an agent as a tool', () => {
  it('is called by a program, with read-only tools alone', async () => {
    const { codeMode, called } = await openShop()
    const clerk = scripted(says([call('a', 'shop_price', { article: 'tea' })]), says('Tea costs 3 euros.'))
    const agent: SubAgent = { description, model: clerk.model, mode: 'direct', instructions: 'Be brief.' }
    await addAgents(codeMode, { clerk: agent })
    const run = await codeMode.run('result = agents.clerk(task="What does tea cost?")')
    expect(run.result).toBe('Tea costs 3 euros.')
    expect(called).toEqual(['price tea'])
    expect(clerk.requests[0]!.tools.map(({ name }) => name)).toEqual(['shop_price'])
    expect(shown(clerk.requests[0]!.messages)).toEqual(['system: Be brief.', 'user: What does tea cost?'])
  })

  it('is called by a model, and may write where its entry says so', async () => {
    const { codeMode, called } = await openShop({ approve: ['shop/fail'] })
    const clerk = scripted(says([call('a', 'shop_order', { article: 'tea' })]), says('Ordered.'))
    await addAgents(codeMode, {
      clerk: { description, model: clerk.model, mode: 'direct', writes: true, tools: ['shop/order'] },
    })
    const boss = scripted(says([call('b', 'agents_clerk', { task: 'Order tea.' })]), says('Done.'))
    const result = await createAgent({ codeMode, model: boss.model, mode: 'direct' }).run('Tea, please.')
    expect(shown(result.messages).slice(-2)).toEqual(['tool b: Ordered.', 'assistant: Done.'])
    expect(called).toEqual(['order tea'])
    expect(clerk.requests[0]!.tools.map(({ name }) => name)).toEqual(['shop_order'])
  })

  it('tells its steps to those who listen to the run above', async () => {
    const { codeMode } = await openShop()
    const tea = says([call('a', 'shop_price', { article: 'tea' }), call('c', 'shop_price', { article: 'cup' })])
    const clerk = scripted(tea, says('Done.'), tea, says('Done.'))
    await addAgents(codeMode, { clerk: { description, model: clerk.model, mode: 'direct' } })
    const code = 'result = agents.clerk(task="Look.")'
    const boss = scripted(
      says([call('b', 'agents_clerk', { task: 'Look.' })]),
      says([call('d', 'executeToolCode', { code })]),
      says('Done.'),
    )
    const { events, onEvent } = listening()
    await createAgent({ codeMode, model: boss.model, mode: 'both' }).run('Look.', { onEvent })
    const told = events.flatMap((event) =>
      event.type === 'progress' ? [[event.parentId, event.name, event.progress, event.message]] : [],
    )
    expect(told).toEqual([
      [null, 'agents_clerk', 1, 'shop_price'],
      [null, 'agents_clerk', 2, 'shop_price'],
      ['d', 'agents.clerk', 1, 'shop_price'],
      ['d', 'agents.clerk', 2, 'shop_price'],
    ])
  })

  it('fails where it has no answer', async () => {
    const { codeMode } = await openShop({ approve: 'writes' })
    const waits = scripted(says([call('a', 'shop_order', { article: 'tea' })]))
    const mute = scripted(says(''))
    await addAgents(codeMode, {
      waits: { description, model: waits.model, mode: 'direct', writes: true },
      mute: { description, model: mute.model, name: 'm' } as never,
    }).catch((error: Error) => expect(error.message).toContain('addAgents: mute: name is not a known option'))
    await addAgents(codeMode, {
      waits: { description, model: waits.model, mode: 'direct', writes: true },
      mute: { description, model: mute.model },
    })
    const agent = createAgent({ codeMode, model: mute.model, mode: 'direct' })
    const made = await agent.execute(call('x', 'agents_waits', { task: 'Order.' }))
    expect(shown([made])).toEqual([
      'tool x: tool error [tool-answered-failure] agents_waits failed: nobody approves its calls of shop_order',
    ])
    expect(shown([await agent.execute(call('x', 'agents_mute', { task: 'Order.' }))])[0]).toMatch(
      /agents_mute failed: the model .* answered with neither text nor calls/,
    )
  })

  it('that is added again has its new bounds', async () => {
    const { codeMode, called } = await openShop()
    const asks = ({ tools }: ModelRequest) =>
      tools.length === 0 ? says('Done.') : says([call('a', 'shop_price', { article: 'tea' })])
    const turns = async (maxTurns: number) => {
      await addAgents(codeMode, { clerk: { description, model: scripted(asks).model, mode: 'direct', maxTurns } })
      called.length = 0
      await codeMode.run('agents.clerk(task="Look.")')
      return called.length
    }
    expect([await turns(1), await turns(3)]).toEqual([1, 3])
  })

  it('does not take the place of a server of that name', async () => {
    const { codeMode } = await openShop({ servers: { agents: { inProcess: { hire: { call: () => 'hired' } } } } })
    const reader: SubAgent = { description, model: scripted(says('.')).model }
    await expect(addAgents(codeMode, { reader })).rejects.toThrow('agents')
    expect(codeMode.status().map(({ tools }) => tools)).toEqual([['hire']])
  })

  it('calls agents only as deep as its entry says', async () => {
    const { codeMode } = await openShop()
    const depths: string[][] = []
    const nests = scripted(({ tools, messages }) => {
      if (messages.at(-1)!.role === 'tool') return says(`(${shown(messages).at(-1)})`)
      depths.push(tools.map(({ name }) => name).filter((name) => name.startsWith('agents_')))
      return says([call('a', 'agents_deep', { task: 'Go on.' })])
    })
    await addAgents(codeMode, { deep: { description, model: nests.model, mode: 'direct', maxDepth: 3 } })
    const { result } = await codeMode.run('result = agents.deep(task="Go.")')
    expect(depths).toEqual([['agents_deep'], ['agents_deep'], []])
    expect(result).toMatch(
      /^\(tool a: \(tool a: \(tool a: tool error \[tool-not-offered\] there is no tool "agents_deep"/,
    )
  })
})
