// A model answers for the person: it calls the tool of the view that hosts show beside an answer (MCP Apps).

import { expect, it } from 'vitest'
import { openGateway } from '../serving/callers.js'

const showing = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
const onlyThePerson =
  'MCP error -32000: only the person who sees the waiting calls beside an answer can answer here, and once; ' +
  'executeToolCode with resume shows them again'

it('without the token of exactly this question, nothing is approved or denied', async () => {
  const orders: number[] = []
  const order = ({ id }: { id: number }) => orders.push(id)
  const { caller, codeMode } = await openGateway({
    servers: { shop: { inProcess: { order: { call: order } } } },
    approve: 'writes',
  })
  const [host, stranger] = [await caller({ capabilities: showing }), await caller({ capabilities: showing })]
  const execute = async (args: object, by = host) => {
    const { content, structuredContent, _meta } = await by.callTool({ name: 'executeToolCode', arguments: { ...args } })
    const { runId, waits } = (_meta as Record<string, { runId: string; waits?: { token: string } }>)['starbind/run']!
    return { runId, token: waits?.token, seen: JSON.stringify({ content, structuredContent }) }
  }
  const answer = (args: object, by = host) => by.callTool({ name: 'answerWaitingRun', arguments: { ...args } })
  const refused = async (args: object, by = host) => {
    for (const way of ['allow', 'deny'])
      await expect(answer({ ...args, answer: way }, by)).rejects.toThrow(onlyThePerson)
  }

  const first = await execute({ code: 'shop.order(id=1)\nshop.order(id=1)' })
  const second = await execute({ code: 'shop.order(id=1)\nshop.order(id=1)' })
  const { runId, token } = first
  // What a model sees has the name of the run, and not the token.
  expect(first.seen).toContain(runId)
  expect(first.seen).not.toContain(token)
  const file = await host.callTool({ name: 'readToolFile', arguments: { fileName: `runs/${runId}` } })
  expect(JSON.stringify(file)).not.toContain(token)

  await refused({ runId })
  for (const guessed of ['', runId, 'A'.repeat(43), `${token}A`, token!.toLowerCase(), [token], { token }, null, true])
    await refused({ runId, token: guessed })
  // The token of a run with the same program and calls.
  await refused({ runId, token: second.token })
  await expect(answer({ runId, token, answer: 'run' })).rejects.toThrow(onlyThePerson)
  // Another caller with the token.
  const invisible = `there is no run "${runId}" here`
  await expect(answer({ runId, token, answer: 'allow' }, stranger)).rejects.toThrow(invisible)
  expect(orders).toEqual([])

  await answer({ runId, token, answer: 'allow' })
  await refused({ runId, token })
  // The second call of the program has the same tool and arguments, and is another question.
  const next = await execute({ resume: runId })
  expect(orders).toEqual([1])
  expect(next.token).not.toBe(token)
  await refused({ runId, token })
  expect(orders).toEqual([1])

  // The question that was shown has been answered elsewhere.
  await codeMode.session({ mayApprove: true }).runs.deny(second.runId)
  await refused({ runId: second.runId, token: second.token })
})

it('an approval is for the calls that were shown', async () => {
  const { codeMode } = await openGateway({
    servers: { shop: { inProcess: { order: { call: () => 1 } } } },
    approve: 'writes',
  })
  const { paused } = await codeMode.run('shop.order(id=1)')
  const { runId, calls } = paused!
  const other = calls.map((call) => ({ ...call, argumentDigest: 'another' }))
  await expect(codeMode.runs.approve(runId, { shown: other })).rejects.toThrow('it has been answered')
  expect((await codeMode.runs.show(runId)).state).toBe('paused')
  expect((await codeMode.runs.approve(runId, { shown: calls })).state).toBe('approved')
})
