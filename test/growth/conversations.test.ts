// A process that has had many conversations holds no more than one that has had few: through the agent, and through the
// endpoint for chat clients.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createAgent } from '../../dist/agent/index.js'
import { openChat } from '../agent/chat-service.js'
import { call, openShop, says } from '../agent/said.js'
import { amount } from '../random.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const ROUNDS = 4
/** A conversation with a call takes some thousand bytes, and code that gets warm a few in a short round. */
const MOST_BYTES = amount(4_000, 300)

/** The bytes that stay of each conversation, in the round where they are fewest: what is kept of all is in each. */
async function kept(converse: () => Promise<unknown>): Promise<number> {
  const conversations = amount(30, 1000)
  const held: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (let i = 0; i < conversations; i++) await converse()
    // What ended a moment ago is let go in the next turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    held.push(process.memoryUsage().heapUsed)
  }
  return Math.min(...held.slice(1).map((bytes, i) => bytes - held[i]!)) / conversations
}

it('conversations with an agent', async () => {
  const { codeMode } = await openShop()
  const model = async ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
    messages.at(-1)?.role === 'tool' ? says('Three.') : says([call('a', 'shop_price', { article: 'tea' })])
  const agent = createAgent({ codeMode, model, mode: 'direct' })
  expect(await kept(() => agent.run('What does tea cost?'))).toBeLessThan(MOST_BYTES)
})

it('conversations of chat clients', async () => {
  const shop = { price: { annotations: { readOnlyHint: true }, call: () => 'x'.repeat(1000) } }
  const http = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { readonly messages: readonly { readonly role: string }[] }
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'shop_price', arguments: '{}' } }
    const delta = messages.at(-1)?.role === 'tool' ? { content: 'Three.' } : { tool_calls: [call] }
    const chunk = { choices: [{ index: 0, delta, finish_reason: 'stop' }] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
  const service = await openChat({ servers: { shop: { inProcess: shop } }, more: { own: { baseUrl, mode: 'direct' } } })
  const messages = [{ role: 'user', content: 'What does tea cost?' }]
  const body = JSON.stringify({ model: 'own', stream: true, messages })
  const left = await kept(async () => {
    const response = await service.fetch('/v1/chat/completions', { method: 'POST', body })
    expect(await response.text()).toContain('Three.')
  })
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
  expect(left).toBeLessThan(MOST_BYTES)
})
