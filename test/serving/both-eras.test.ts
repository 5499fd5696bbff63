// Callers of both eras of the protocol, side by side: over HTTP on one port, and over stdio in one process each.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CodeMode, readConfiguration } from '../../dist/index.js'
import { main, Workplace } from '../fixtures/command.js'
import { isLong } from '../random.js'
import { textOf } from './callers.js'

const place = new Workplace()
const env = { LOG: path.join(place.folder, 'log') }
const config = place.write('starbind.json', {
  mcpServers: {
    desk: place.fixture('desk-server', { env }),
    shop: place.fixture('desk-server', { env, codeMode: false }),
  },
  codeMode: { approve: ['desk/close'] },
})

let codeMode: CodeMode
let url: string
beforeAll(async () => {
  codeMode = await CodeMode.open({
    configuration: readConfiguration(config),
    serve: { port: 0 },
    callersAnswer: true,
  })
  url = (await codeMode.serveHttp()).url
})
afterAll(async () => {
  await codeMode.close()
  await vi.waitFor(() => expect(place.alive()).toEqual([]), { timeout: 120_000 })
  place.remove()
})

interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly message?: string | undefined }) => void
}

/** What both SDKs' clients can do. */
interface Caller {
  readonly revision: string | undefined
  list(): Promise<object[]>
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<object>
  /** The forms that its person was shown, who always answers the same. */
  readonly forms: unknown[]
  /** Resolves when it is told that the tools have changed after `change`. */
  toolsChanged(change: () => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

const answer = { action: 'accept' as const, content: { call1: 'once', colour: 'red' } }
const capabilities = { elicitation: { form: {} } }

const command = { command: process.execPath, args: [main, 'serve', '--config', config], stderr: 'ignore' as const }

async function legacy(wire: 'http' | 'stdio'): Promise<Caller> {
  const client = new LegacyClient({ name: 'legacy', version: '1' }, { capabilities })
  const forms: unknown[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    forms.push(params)
    return answer
  })
  const transport = wire === 'stdio' ? new LegacyStdio(command) : new LegacyHttp(new URL(url))
  await client.connect(transport as Parameters<LegacyClient['connect']>[0])
  return {
    revision: (transport as LegacyHttp).protocolVersion ?? '2025-11-25',
    list: async () => (await client.listTools()).tools,
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, options as object),
    forms,
    async toolsChanged(change) {
      const told = new Promise<void>((resolve) =>
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
      )
      await change()
      await told
    },
    close: () => client.close(),
  }
}

async function modern(wire: 'http' | 'stdio', mode: VersionNegotiationMode): Promise<Caller> {
  const client = new ModernClient({ name: 'modern', version: '1' }, { capabilities, versionNegotiation: { mode } })
  const forms: unknown[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    forms.push(params)
    return answer
  })
  await client.connect(wire === 'stdio' ? new ModernStdio(command) : new ModernHttp(new URL(url)))
  return {
    revision: client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools,
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options as object),
    forms,
    async toolsChanged(change) {
      const told = new Promise<void>((resolve) =>
        client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
      )
      const heard = await client.listen({ toolsListChanged: true })
      await change()
      await told
      await heard.close()
    },
    close: () => client.close(),
  }
}

const pin = { pin: '2026-07-28' }
type Row = [string, string, () => Promise<Caller>]
const callers: Row[] = [
  ['v1 over HTTP', '2025-11-25', () => legacy('http')],
  ['v2, which asks, over HTTP', '2026-07-28', () => modern('http', 'auto')],
  ['v2 pinned over HTTP', '2026-07-28', () => modern('http', pin)],
  ['v1 over stdio', '2025-11-25', () => legacy('stdio')],
  ['v2, which asks, over stdio', '2026-07-28', () => modern('stdio', 'auto')],
  // In the long form, because each process of ours starts two servers: over HTTP the pinned client does the same.
  ...(isLong ? [['v2 pinned over stdio', '2026-07-28', () => modern('stdio', pin)] as Row] : []),
]

const NAMES = ['listToolFiles', 'readToolFile', 'getToolDocs', 'executeToolCode']
const definitions = new Set<string>()

describe.each(callers)('a client of %s', (client, revision, connect) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await connect()
  })
  afterAll(() => caller.close())

  it('agrees on the newest revision that both speak', () => {
    expect(caller.revision).toBe(revision)
  })

  it('lists the same four definitions as every other, before and after calls', async () => {
    const own = async () => JSON.stringify((await caller.list()).slice(0, 4))
    definitions.add(await own())
    await caller.call('executeToolCode', { code: 'desk.double(number=2)' })
    definitions.add(await own())
    expect([...definitions].map((one) => (JSON.parse(one) as { name: string }[]).map(({ name }) => name))).toEqual([
      NAMES,
    ])
  })

  it('runs programs and calls tools', async () => {
    const result = await caller.call('executeToolCode', { code: 'print(desk.double(number=2))' })
    expect(textOf(result).split('\n')[0]).toBe('4')
    // A server may take longer to start than the first answers.
    await vi.waitFor(
      async () => expect(await caller.list()).toContainEqual(expect.objectContaining({ name: 'shop_double' })),
      {
        timeout: 120_000,
      },
    )
    expect(textOf(await caller.call('shop_double', { number: 4 }))).toBe('8')
  })

  it('learns what failed, and who has to act', async () => {
    expect(await caller.call('executeToolCode', { code: 'desk.fail()' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('desk.fail failed: "there is no such desk"') }],
    })
    expect(await caller.call('shop_fail')).toMatchObject({
      isError: true,
      content: [{ text: 'there is no such desk' }],
    })
    for (const code of [-32099, -32601, -32020])
      await expect(caller.call('shop_refuse', { code })).rejects.toMatchObject({ code })
    await expect(caller.call('nothing')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('there is no tool nothing; the tools are listToolFiles'),
    })
  })

  // Over a pipe a notification may come in one piece with the answer, and then the SDKs' clients drop it.
  it.skipIf(client.endsWith('stdio'))('is told of progress', async () => {
    const seen: (string | undefined)[] = []
    const onprogress = ({ message }: { readonly message?: string | undefined }) => void seen.push(message)
    await caller.call('executeToolCode', { code: 'desk.double(number=2)' }, { onprogress })
    expect(seen.map((one) => one?.replace(/\d+ ms/g, 'N ms'))).toEqual([
      'desk.double: 1, half',
      'desk.double: 1 bytes in N ms',
    ])
  })

  it('cancels a call', async () => {
    writeFileSync(env.LOG, '')
    const cancel = new AbortController()
    const options = { signal: cancel.signal }
    const calls = [
      caller.call('executeToolCode', { code: 'desk.wait()' }, options),
      caller.call('shop_wait', {}, options),
    ]
    const ends = Promise.allSettled(calls)
    const log = () => readFileSync(env.LOG, 'utf8').split('\n').filter(Boolean)
    await vi.waitFor(() => expect(log()).toEqual(['begun', 'begun']), { timeout: 120_000 })
    cancel.abort()
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await vi.waitFor(() => expect(log()).toEqual(['begun', 'begun', 'cancelled', 'cancelled']), { timeout: 120_000 })
  })

  it('approves a call, and answers a server in the middle of a call', async () => {
    writeFileSync(env.LOG, '')
    caller.forms.length = 0
    const approved = await caller.call('executeToolCode', { code: 'print(desk.close(number=1))' })
    expect(textOf(approved).split('\n')[0]).toBe('closed')
    const asked = await caller.call('executeToolCode', { code: 'print(desk.ask())' })
    expect(textOf(asked).split('\n')[0]).toBe('accept: red')
    expect(textOf(await caller.call('shop_ask'))).toBe('accept: red')
    const colour = expect.objectContaining({ message: 'Which colour?' })
    const approval = expect.objectContaining({
      message: 'A program wants to make these calls:\n1. desk.close (line 1): {"number":1}',
    })
    expect(caller.forms).toEqual([approval, colour, colour])
    // Nothing was repeated.
    expect(readFileSync(env.LOG, 'utf8')).toBe('closed 1\nasked\nasked\n')
  })

  it('is notified when the tools of a server have changed', async () => {
    let grown = ''
    await caller.toolsChanged(async () => {
      grown = textOf(await caller.call('shop_grow'))
    })
    const names = async () => (await caller.list()).map((tool) => (tool as { readonly name: string }).name)
    await vi.waitFor(async () => expect(await names()).toContain(`shop_${grown}`), { timeout: 120_000 })
  })
})
