// Runs, approvals and events over the page's interface: real programs, real HTTP.

import { expect, it } from 'vitest'
import type { Call } from '../../dist/page/interface.js'
import { openPage } from './page-service.js'

const read = { annotations: { readOnlyHint: true } }
const shop = {
  price: {
    ...read,
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
    call: ({ id }: { id: number }) => id * 10,
  },
  order: { call: ({ id }: { id: number }) => `ordered ${id}` },
  broken: { ...read, call: () => Promise.reject(new Error('the shelf fell')) },
}
const servers = { shop: { inProcess: shop } }
const program = `# totals
prices = [shop.price(id=i) for i in range(3)]
print("a price", prices[1])
shop.order(id=7)
result = {"sum": sum(prices)}
`

it('shows a run with its calls, their lines and contents, and tells of it as it happens', async () => {
  const { ask, events } = await openPage({ servers })
  const told = events(({ type, run }) => type === 'run' && run.state === 'ok')
  const { status, body } = await ask('POST', 'runs', { code: program })
  expect([status, body]).toEqual([201, { runId: expect.stringMatching(/^run-/) }])
  const seen = (await told).map(({ event }) => event)
  const { runId } = body
  expect(seen[0]).toEqual({ type: 'hello', resumed: false })
  expect(seen.filter(({ type }) => type === 'call').at(-1)).toMatchObject({ runId, call: { tool: 'order', line: 4 } })
  expect(seen.find(({ type }) => type === 'print')).toMatchObject({ runId, print: { text: 'a price 10' } })

  const { body: run } = await ask('GET', `runs/${runId}`)
  expect(run).toMatchObject({
    runId,
    owner: 'local',
    state: 'ok',
    firstLine: 'prices = [shop.price(id=i) for i in range(3)]',
    language: 'starlark',
    calls: 4,
    failures: 0,
    program,
    resultJson: '{"sum":30}',
    currentLine: null,
    prints: [{ text: 'a price 10' }],
    error: null,
    kept: true,
  })
  expect(run.timeline.map(({ number, tool, state, line }: Call) => [number, tool, state, line])).toEqual([
    [1, 'price', 'ok', 2],
    [2, 'price', 'ok', 2],
    [3, 'price', 'ok', 2],
    [4, 'order', 'ok', 4],
  ])
  expect((await ask('GET', `runs/${runId}/calls/2`)).body).toEqual({ arguments: { id: 1 }, answer: '10', isCut: false })
  expect((await ask('GET', `runs/${runId}/calls/9`)).body).toEqual({
    error: { code: 'not-found', message: 'there is no call "9"' },
  })
  expect((await ask('GET', `runs/${runId}/timeline.svg`)).body).toContain('<title>shop.order, line 4: ')
  expect((await ask('POST', `runs/${runId}/replay`)).body).toEqual({ same: true, difference: null })
  const { body: list } = await ask('GET', 'runs?limit=1')
  expect(list).toMatchObject({ runs: [{ runId, state: 'ok', calls: 4, bytes: run.bytes }], next: expect.any(String) })
  expect((await ask('GET', `runs?limit=1&before=${list.next}`)).body).toEqual({ runs: [], next: null })
})

it('lets a person answer what a run waits for, and the run continues', async () => {
  const { ask, events, codeMode } = await openPage({ servers, approve: 'writes' })
  const asked = events(({ type }) => type === 'approval')
  const { runId } = (await ask('POST', 'runs', { code: program })).body
  const { approval } = (await asked).at(-1)!.event
  expect(approval).toMatchObject({
    runId,
    owner: 'local',
    calls: [{ server: 'shop', tool: 'order', arguments: { id: 7 }, line: 4, reason: 'approval' }],
    done: [{ server: 'shop', tool: 'price', ok: true, count: 3 }],
  })
  expect((await ask('GET', 'approvals')).body).toEqual({ approvals: [approval] })
  expect((await ask('GET', `runs/${runId}`)).body.timeline.at(-1)).toMatchObject({
    tool: 'order',
    state: 'waiting',
    endMs: null,
  })
  // Another call than the one that waits.
  const [{ server, tool, argumentDigest }] = approval.calls
  const unseen = { scope: 'once', shown: [{ server, tool, argumentDigest: 'of other arguments' }] }
  expect(await ask('POST', `approvals/${runId}/allow`, unseen)).toMatchObject({
    status: 409,
    body: { error: { code: 'nothing-to-answer' } },
  })
  const gone = events(({ type, run }) => type === 'run' && run.state === 'ok')
  const shown = [{ server, tool, argumentDigest }]
  expect((await ask('POST', `approvals/${runId}/allow`, { scope: 'once', shown })).status).toBe(200)
  expect((await gone).map(({ event }) => event.type)).toContain('approval-gone')
  expect((await ask('GET', `runs/${runId}`)).body.timeline.at(-1)).toMatchObject({
    tool: 'order',
    state: 'ok',
    approval: { answer: 'once', by: 'local', reason: null },
  })
  expect((await ask('POST', `approvals/${runId}/deny`, {})).body).toMatchObject({
    error: { code: 'nothing-to-answer' },
  })

  // Somebody else answers, for a run that waits in this process.
  const other = codeMode.run(program, { onApproval: () => new Promise<never>(() => {}) })
  const waiting = await events(({ type }) => type === 'approval', (await gone).at(-1)!.id)
  const { runId: second } = waiting.at(-1)!.event.approval
  expect((await ask('POST', `approvals/${second}/deny`, { reason: 'not today' })).status).toBe(200)
  expect(await other).toMatchObject({ ok: false, error: { message: expect.stringContaining('not today') } })
})

it('resumes a stream without a gap, and says so where there is one', async () => {
  const { ask, events } = await openPage({ servers })
  const first = events(({ type, run }) => type === 'run' && run.state === 'ok')
  await ask('POST', 'runs', { code: 'print(1)' })
  const seen = await first
  const again = await events(({ type, run }) => type === 'run' && run.state === 'ok', seen[1]!.id)
  expect(again[0]!.event).toEqual({ type: 'hello', resumed: true })
  expect(again.slice(1).map(({ id }) => id)).toEqual(seen.slice(2).map(({ id }) => id))
  expect((await events(() => true, 'abc-17'))[0]!.event).toEqual({ type: 'hello', resumed: false })
})

it('tells failures with their line, and cancels', async () => {
  const { ask, events } = await openPage({ servers })
  const over = events(({ type, run }) => type === 'run' && run.state === 'failed')
  const { runId } = (await ask('POST', 'runs', { code: 'x = 1\nshop.broken()' })).body
  await over
  const { body } = await ask('GET', `runs/${runId}`)
  expect(body).toMatchObject({ state: 'failed', failures: 1, error: { class: 'tool error', line: 2 } })
  expect(body.timeline).toMatchObject([{ state: 'failed', line: 2 }])
  const begun = events(({ type }) => type === 'run')
  const endless = (await ask('POST', 'runs', { code: 'while True:\n    pass' })).body
  await begun
  expect((await ask('POST', `runs/${endless.runId}/cancel`)).body).toMatchObject({ state: 'cancelled' })
  expect((await ask('POST', 'runs', { code: 'x', nonsense: 1 })).body).toEqual({
    error: { code: 'wrong-request', message: 'the body: Unrecognized key: "nonsense"' },
  })
})
