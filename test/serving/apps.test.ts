// MCP Apps: what hosts that show apps are given beside the answers, in both eras of the protocol, and what others notice.

import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, expect, it } from 'vitest'
import { main, Workplace } from '../fixtures/command.js'
import { openGateway, textOf } from './callers.js'
import { type Changes, message } from './modern-requests.js'

const place = new Workplace()
afterAll(() => place.remove())

const URI = 'ui://starbind/run'
const MIME_TYPE = 'text/html;profile=mcp-app'
const showing = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME_TYPE] } } }
const modernly: Changes = { meta: { 'io.modelcontextprotocol/clientCapabilities': showing } }
const others = [
  {},
  { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/plain'] } } },
  { extensions: { 'io.modelcontextprotocol/ui': {} } },
]

const read = { annotations: { readOnlyHint: true } }
const shop = {
  price: { ...read, call: ({ id }: { id: number }) => id * 10 },
  order: { call: ({ id }: { id: number }) => `ordered ${id}` },
}
const options = { servers: { shop: { inProcess: shop } }, approve: 'writes' as const }
const program = 'print(shop.price(id=2))\nshop.order(id=7)'

const answered = {
  ...{ server: 'shop', tool: 'price', state: 'ok', reused: false, bytes: 2 },
  ...{ startMs: expect.any(Number), endMs: expect.any(Number) },
}
const waiting = { server: 'shop', tool: 'order', line: 2, state: 'waiting', startMs: expect.any(Number), endMs: null }
const shown = {
  runId: expect.stringMatching(/^run-/),
  endMs: expect.any(Number),
  calls: [answered, waiting],
  left: 0,
  waits: {
    words: 'A program wants to make these calls:\n1. shop.order (line 2): {"id":7}\nIt can also call shop.price.',
    token: expect.stringMatching(/^[\w-]{43}$/),
  },
}

interface Listed {
  readonly name: string
  readonly _meta?: unknown
}

/** Holds the definitions for a host with apps against those for others. */
function expectTheSameFour(withApps: readonly Listed[], without: readonly Listed[]): void {
  expect(without.map(({ name }) => name)).toEqual(['listToolFiles', 'readToolFile', 'getToolDocs', 'executeToolCode'])
  expect(JSON.stringify(without)).not.toContain('_meta')
  const [four, rest] = [withApps.slice(0, 4), withApps.slice(4)]
  const bare = four.map(({ _meta, ...definition }) => definition)
  expect(JSON.stringify(bare)).toBe(JSON.stringify(without))
  expect(four.map(({ _meta }) => _meta)).toEqual([
    ...[undefined, undefined, undefined],
    { ui: { resourceUri: URI, visibility: ['model'] } },
  ])
  // The model's list must not have it.
  expect(rest).toEqual([expect.objectContaining({ name: 'answerWaitingRun', _meta: { ui: { visibility: ['app'] } } })])
}

function expectView({ contents }: { readonly contents: readonly unknown[] }): void {
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
  const text = expect.stringMatching(/^<!doctype html>/)
  expect(contents).toEqual([{ uri: URI, mimeType: MIME_TYPE, text, _meta: { ui: { csp, prefersBorder: true } } }])
  const { text: html } = contents[0] as { readonly text: string }
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script>'])
  expect(html).not.toMatch(/(?:src|href)=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
}

it('a host of a session gets the view, the calls over time and what waits; the model sees no more of it', async () => {
  const { caller } = await openGateway(options)
  const [host, ...plain] = await Promise.all([showing, ...others].map((capabilities) => caller({ capabilities })))
  const { tools } = await host!.listTools()
  for (const other of plain) expectTheSameFour(tools, (await other.listTools()).tools)
  expectView(await host!.readResource({ uri: URI }))
  await expect(plain[0]!.readResource({ uri: URI })).rejects.toThrow(`there is no resource "${URI}" here`)

  const call = { name: 'executeToolCode', arguments: { code: program } }
  const { _meta, ...answer } = await host!.callTool(call)
  expect(_meta).toEqual({ 'starbind/run': shown })
  const { token } = (_meta as { 'starbind/run': typeof shown })['starbind/run'].waits
  expect(JSON.stringify(answer)).not.toContain(token)
  const { _meta: none, ...same } = await plain[0]!.callTool(call)
  expect(none).toBeUndefined()
  expect(Object.keys(same)).toEqual(Object.keys(answer))
  await expect(plain[0]!.callTool({ name: 'answerWaitingRun' })).rejects.toThrow('there is no tool answerWaitingRun')
})

it('a host without sessions gets the same, request by request', async () => {
  const { fetch } = await openGateway(options)
  const ask = async (method: string, params: object, changes?: Changes) => {
    const response = await fetch('/mcp', message(method, { ...params }, changes))
    return ((await response.json()) as { readonly result?: Record<string, never> }).result
  }
  expectTheSameFour((await ask('tools/list', {}, modernly))!.tools!, (await ask('tools/list', {}))!.tools!)
  expectView((await ask('resources/read', { uri: URI }, modernly)) as never)
  expect(await ask('resources/read', { uri: URI })).toBeUndefined()
  const call = { name: 'executeToolCode', arguments: { code: program } }
  expect((await ask('tools/call', call, modernly))!._meta).toMatchObject({ 'starbind/run': shown })
  expect((await ask('tools/call', call))!._meta).not.toHaveProperty('starbind/run')
  expect(await ask('server/discover', {}, modernly)).toEqual(await ask('server/discover', {}))
})

it('a person’s answer goes through the host, once, and the run goes on with it', async () => {
  const { caller } = await openGateway(options)
  const host = await caller({ capabilities: showing })
  const runOf = (answer: unknown) => (answer as { _meta: Record<string, typeof shown> })._meta['starbind/run']!
  const execute = (args: object) => host.callTool({ name: 'executeToolCode', arguments: { ...args } })
  const { runId, waits } = runOf(await execute({ code: `${program}\nshop.order(id=8)` }))
  const answer = { name: 'answerWaitingRun', arguments: { runId, answer: 'allow', token: waits.token } }
  expect(textOf(await host.callTool(answer))).toBe(`executeToolCode(resume="${runId}") goes on`)
  // The next call is another question.
  const next = runOf(await execute({ resume: runId }))
  expect(next.calls.map(({ tool, state }) => [tool, state])).toEqual([
    ['price', 'ok'],
    ['order', 'ok'],
    ['order', 'waiting'],
  ])
  expect(next.waits.token).not.toBe(waits.token)
  const denial = { runId, answer: 'deny', token: next.waits.token }
  await host.callTool({ name: 'answerWaitingRun', arguments: denial })
  const ended = await execute({ resume: runId })
  expect(textOf(ended)).toContain('shop.order was not called: a person denied it')
  expect(runOf(ended)).not.toHaveProperty('waits')
})

it('what nobody can read has no buttons', async () => {
  for (const [keepArguments, code] of [
    [true, 'shop.order(note="n" * 50000)'],
    [false, 'shop.order(id=7)'],
  ] as const) {
    const { caller } = await openGateway({ ...options, keepArguments })
    const host = await caller({ capabilities: showing })
    const { _meta } = await host.callTool({ name: 'executeToolCode', arguments: { code } })
    expect(_meta).toMatchObject({ 'starbind/run': { calls: [{ tool: 'order', state: 'waiting' }] } })
    expect((_meta as { 'starbind/run': typeof shown })['starbind/run'].waits).toEqual({})
  }
})

it('a caller with forms is asked in one first, and the view shows what the person left open', async () => {
  const { caller } = await openGateway(options)
  const host = await caller({ capabilities: { ...showing, elicitation: { form: {} } } })
  const asked: string[] = []
  host.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message)
    return { action: 'cancel' }
  })
  const { _meta } = await host.callTool({ name: 'executeToolCode', arguments: { code: program } })
  expect(asked).toEqual([shown.waits.words])
  expect(_meta).toEqual({ 'starbind/run': shown })
})

it('the published form has the view, over stdio', async () => {
  const config = place.write('starbind.json', { mcpServers: {} })
  const client = new ModernClient({ name: 'host', version: '1' }, { capabilities: showing })
  const args = [main, 'serve', '--no-state', '--config', config]
  await client.connect(new ModernStdio({ command: process.execPath, args, stderr: 'ignore' }))
  try {
    expectView(await client.readResource({ uri: URI }))
    const answer = await client.callTool({ name: 'executeToolCode', arguments: { code: 'result = 1' } })
    expect(answer._meta).toMatchObject({ 'starbind/run': { calls: [], left: 0 } })
  } finally {
    await client.close()
  }
})
