// Servers that send callers hundreds of questions at once (elicitation): each is answered or declined, even if callers
// never answer or leave, and the next caller can be asked again.

import { fileURLToPath } from 'node:url'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, it } from 'vitest'
import { openGateway, textOf } from './callers.js'

const script = fileURLToPath(new URL('../fixtures/flooding-server.mjs', import.meta.url))
const entry = { command: process.execPath, args: [script], codeMode: false, timeoutMs: 120_000 }
const capabilities = { elicitation: { form: {} } }

async function open() {
  const gateway = await openGateway({ servers: { loud: entry }, callersAnswer: true })
  const onlooker = await gateway.caller()
  const asked = async () => {
    const counts = JSON.parse(textOf(await onlooker.callTool({ name: 'loud_asked' })))
    return counts as { open: number; accept: number; decline: number; error: number }
  }
  return { ...gateway, asked }
}

it('questions to a caller who answers are answered, or declined if they are too many', async () => {
  const { caller, asked } = await open()
  const client = await caller({ capabilities })
  let most = 0
  let now = 0
  client.setRequestHandler(ElicitRequestSchema, async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
    return { action: 'accept', content: {} }
  })
  for (let i = 0; i < 2; i++) await client.callTool({ name: 'loud_ask', arguments: { count: 300 } })
  const counts = await asked()
  expect([counts.open, counts.accept + counts.decline + counts.error]).toEqual([0, 600])
  expect(counts.accept).toBeGreaterThanOrEqual(64)
  expect(most).toBeLessThanOrEqual(64)
})

it.each(['leaves', 'gives up its call'])(
  'questions to a caller who never answers and %s are declined then',
  async (way) => {
    const { caller, asked } = await open()
    const client = await caller({ capabilities })
    let reached = 0
    client.setRequestHandler(ElicitRequestSchema, () => {
      reached++
      return new Promise(() => {})
    })
    const stop = new AbortController()
    const call = client.callTool({ name: 'loud_ask', arguments: { count: 300 } }, undefined, { signal: stop.signal })
    call.catch(() => {})
    await expect.poll(() => reached).toBe(64)
    if (way === 'leaves') await client.close()
    else stop.abort()
    await expect.poll(async () => (await asked()).open).toBe(0)
    // There is room again.
    const next = await caller({ capabilities })
    next.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: {} }))
    await next.callTool({ name: 'loud_ask', arguments: { count: 50 } })
    expect((await asked()).accept).toBe(50)
  },
)
