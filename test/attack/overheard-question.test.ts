// An upstream that serves several callers at once sends requests and notifications: their call is unknown, so no caller
// may see them.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ElicitRequestSchema,
  ListToolsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { expect, it, vi } from 'vitest'
import { openGateway, textOf } from '../serving/callers.js'

it('messages caused by one call are never shown to another caller', async () => {
  const server = new Server({ name: 'gossip', version: '1' }, { capabilities: { tools: {}, logging: {} } })
  const release: (() => void)[] = []
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['wait', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name === 'wait') await new Promise<void>((resolve) => release.push(resolve))
    else await server.sendLoggingMessage({ level: 'error', data: 'a secret of the one who asks' })
    const properties = { answer: { type: 'string' as const } }
    const asked = { message: 'a secret of the one who asks', requestedSchema: { type: 'object' as const, properties } }
    const text = params.name === 'wait' ? 'waited' : JSON.stringify(await server.elicitInput(asked))
    return { content: [{ type: 'text', text }] }
  })
  const { caller } = await openGateway({
    servers: { gossip: { inProcess: server, codeMode: false } },
    callersAnswer: true,
  })
  const heard: string[] = []
  const join = async (name: string) => {
    const client = await caller({ name, capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, () => {
      heard.push(`${name} was asked`)
      return { action: 'accept', content: { answer: name } }
    })
    client.setNotificationHandler(LoggingMessageNotificationSchema, () => void heard.push(`${name} was told`))
    return client
  }
  const [one, two] = [await join('one'), await join('two')]
  const waiting = one.callTool({ name: 'gossip_wait' })
  await vi.waitFor(() => expect(release.length).toBe(1), { timeout: 120_000 })
  expect(textOf(await two.callTool({ name: 'gossip_ask' }))).toBe('{"action":"decline"}')
  expect(heard).toEqual([])
  release[0]?.()
  await waiting
  expect(textOf(await two.callTool({ name: 'gossip_ask' }))).toBe('{"action":"accept","content":{"answer":"two"}}')
  expect(heard).toEqual(['two was told', 'two was asked'])
})
