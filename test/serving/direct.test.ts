// Tools, resources and prompts that are passed through: a caller gets exactly what their server sent.

import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListResourcesRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey, CodeMode, type InProcessTools, type ServerEntry } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { callerOf, openGateway, textOf } from './callers.js'

const place = new Workplace()
afterAll(() => {
  expect(place.alive()).toEqual([])
  place.remove()
})
const script = path.resolve(import.meta.dirname, '../conformance-mcp/fixture-server.mjs')
const fixture: ServerEntry = {
  command: process.execPath,
  args: [script],
  codeMode: false,
  resources: true,
  prompts: true,
}
const shop: InProcessTools = {
  count: { outputSchema: { type: 'integer' }, call: () => 3 },
  'sell.now': { call: () => 'sold' },
}

/** A gateway for all tests that leave it as it is. */
const shared = await CodeMode.open({
  servers: { shop: { inProcess: shop }, fixture },
  callersAnswer: true,
  serve: { port: 0 },
})
const { url } = await shared.serveHttp()
afterAll(() => shared.close())
const sharedCaller = (options?: Parameters<typeof callerOf>[1]) => callerOf(url, options)

describe('a server that is not in code mode', () => {
  it('has its tools listed with their whole definitions', async () => {
    const { caller } = await openGateway({ servers: { 'my.fixture': fixture } })
    const client = await caller()
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name.startsWith('my_fixture_test_simple_text'))).toEqual({
      name: expect.stringMatching(/^my_fixture_test_simple_text_[0-9a-f]{8}$/),
      title: 'Title of test_simple_text',
      description: 'Description of test_simple_text',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true },
      icons: [{ src: 'data:image/png;base64,AA==' }],
      _meta: { 'fixture/of': 'test_simple_text' },
    })
    expect(tools.map(({ name }) => name)).not.toContain('executeToolCode')
  })

  it('may stand beside servers in code mode, and programs do not reach it', async () => {
    const client = await sharedCaller()
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.slice(0, 5)).toEqual([
      'listToolFiles',
      'readToolFile',
      'getToolDocs',
      'executeToolCode',
      'fixture_test_simple_text',
    ])
    const code = 'fixture.test_simple_text()'
    expect(textOf(await client.callTool({ name: 'executeToolCode', arguments: { code } }))).toContain(
      'its tools are called directly and not by programs',
    )
    await expect(client.callTool({ name: 'shop_count' })).rejects.toThrow(
      'there is no tool shop_count; the tools are listTool',
    )
  })

  it('passes on structured content, errors and refusals unchanged', async () => {
    const { caller } = await openGateway({
      servers: { shop: { inProcess: shop }, fixture },
      serve: { codeMode: false },
    })
    const client = await caller()
    expect(await client.callTool({ name: 'shop_count' })).toMatchObject({ structuredContent: { result: 3 } })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('shop_'))).toEqual([
      'shop_count',
      expect.stringMatching(/^shop_sell_now_[0-9a-f]{8}$/),
    ])
    expect(await client.callTool({ name: 'fixture_test_error_handling' })).toEqual({
      content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
      isError: true,
    })
  })

  it('speaks to the caller that waits for it: progress, logging, questions', async () => {
    const client = await sharedCaller({ capabilities: { sampling: {}, elicitation: {} } })
    const said: unknown[] = []
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void said.push(params.data))
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'test',
      content: { type: 'text', text: 'a thought' },
    }))
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { username: 'ada' } }))
    const progress: number[] = []
    const onprogress = (one: { progress: number }) => void progress.push(one.progress)
    await client.callTool({ name: 'fixture_test_tool_with_progress' }, undefined, { onprogress })
    await client.callTool({ name: 'fixture_test_tool_with_logging' })
    const sampled = await client.callTool({ name: 'fixture_test_sampling', arguments: { prompt: 'think' } })
    const asked = await client.callTool({ name: 'fixture_test_elicitation', arguments: { message: 'who?' } })
    await expect.poll(() => progress).toEqual([0, 50, 100])
    await expect
      .poll(() => said)
      .toEqual(['Tool execution started', 'Tool processing data', 'Tool execution completed'])
    expect(textOf(sampled)).toBe('LLM response: a thought')
    expect(textOf(asked)).toBe('User response: action=accept, content={"username":"ada"}')
  })

  it('asks the caller even while a program runs', async () => {
    const { caller } = await openGateway({ servers: { fixture: { ...fixture, codeMode: true } }, callersAnswer: true })
    const client = await caller({ capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { username: 'ada' } }))
    const code = 'print(fixture.test_elicitation(message="who?"))'
    const answer = await client.callTool({ name: 'executeToolCode', arguments: { code } })
    expect(textOf(answer)).toContain('User response: action=accept, content={"username":"ada"}')
  })

  it('gets a refusal if the caller cannot answer', async () => {
    const client = await sharedCaller()
    const asked = await client.callTool({ name: 'fixture_test_elicitation', arguments: { message: 'who?' } })
    expect(textOf(asked)).toBe('User response: action=decline, content=undefined')
    const sampled = await client.callTool({ name: 'fixture_test_sampling', arguments: { prompt: 'x' } })
    expect(sampled).toMatchObject({ isError: true })
    expect(textOf(sampled)).toContain('no caller can answer this')
  })

  it('is notified when its caller cancels', async () => {
    const seen: string[] = []
    const wait = {
      call: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise<string>((_, reject) => {
          seen.push('begun')
          signal.addEventListener('abort', () => {
            seen.push('cancelled')
            reject(new Error('stopped'))
          })
        }),
    }
    const { caller } = await openGateway({ servers: { slow: { inProcess: { wait }, codeMode: false } } })
    const client = await caller()
    const cancel = new AbortController()
    const call = client.callTool({ name: 'slow_wait' }, undefined, { signal: cancel.signal }).catch(() => 'gone')
    await vi.waitFor(() => expect(seen).toEqual(['begun']), { timeout: 120_000 })
    cancel.abort()
    expect(await call).toBe('gone')
    await vi.waitFor(() => expect(seen).toEqual(['begun', 'cancelled']), { timeout: 120_000 })
  })

  it('tells callers that its tools have changed', async () => {
    const { codeMode, caller } = await openGateway({ servers: { shop: { inProcess: shop, codeMode: false } } })
    const client = await caller()
    await client.listTools()
    const told = new Promise<void>((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    )
    await codeMode.servers.update('shop', { inProcess: shop, codeMode: false, toolsToDeny: ['sell*'] })
    await told
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['shop_count'])
  })
})

describe('resources and prompts', () => {
  it('have prefixed names among several servers', async () => {
    const client = await sharedCaller()
    const { resources } = await client.listResources()
    expect(resources[0]).toMatchObject({ uri: 'mcp://fixture/test://static-text', name: 'fixture_test://static-text' })
    const uri = 'mcp://fixture/test://template/7/data'
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: 'application/json', text: '{"id":"7","templateTest":true,"data":"Data for ID: 7"}' },
    ])
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('fixture_test_simple_prompt')
    const prompt = await client.getPrompt({
      name: 'fixture_test_prompt_with_arguments',
      arguments: { arg1: 'a', arg2: 'b' },
    })
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: "Prompt with arguments: arg1='a', arg2='b'" })
    await expect(client.readResource({ uri: 'mcp://shop/x' })).rejects.toThrow(
      'there is no resource "mcp://shop/x" here',
    )
  })

  it('send updates to the subscriber', async () => {
    const [one, two] = [await sharedCaller(), await sharedCaller()]
    const told: string[] = []
    one.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(`one ${params.uri}`))
    two.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(`two ${params.uri}`))
    await one.subscribeResource({ uri: 'mcp://fixture/test://watched-resource' })
    await vi.waitFor(() => expect(told).toEqual(['one mcp://fixture/test://watched-resource']), { timeout: 120_000 })
  })

  it('send notices of changed lists to permitted callers', async () => {
    const capabilities = { resources: { listChanged: true }, prompts: { listChanged: true } }
    const library = new Server({ name: 'library', version: '1' }, { capabilities })
    library.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: 'book://1', name: 'one' }] }))
    const { caller } = await openGateway({
      servers: { library: { inProcess: library, resources: true, prompts: true } },
    })
    const client = await caller()
    const told: string[] = []
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void told.push('resources'))
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => void told.push('prompts'))
    expect((await client.listResources()).resources).toEqual([{ uri: 'mcp://library/book://1', name: 'library_one' }])
    await library.sendResourceListChanged()
    await library.sendPromptListChanged()
    await vi.waitFor(() => expect(told).toEqual(['resources', 'prompts']), { timeout: 120_000 })
  })

  it('send updates again after their server was killed and is back', async () => {
    const { caller } = await openGateway({
      servers: { fixture: { ...fixture, env: { STARBIND_TEST_MARK: place.mark }, lazy: true, idleMs: 1 } },
    })
    const client = await caller()
    const told: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri))
    const uri = 'mcp://fixture/test://watched-resource'
    await client.subscribeResource({ uri })
    await vi.waitFor(() => expect(told).toEqual([uri]), { timeout: 120_000 })
    const [process_] = place.alive()
    process.kill(Number(process_), 'SIGKILL')
    // One from us, because an update may have been missed, and one with which this server greets a subscriber.
    await vi.waitFor(() => expect(told).toEqual([uri, uri, uri]), { timeout: 120_000 })
    expect(place.alive()).not.toContain(process_)
    await client.unsubscribeResource({ uri })
    await vi.waitFor(() => expect(place.alive()).toEqual([]), { timeout: 120_000 })
  })

  it('exist only for callers that may use the whole server', async () => {
    const { caller } = await openGateway({ servers: { fixture } })
    const client = await caller({ headers: { 'x-mcp-include-tools': 'fixture/test_simple_text' } })
    expect((await client.listResources()).resources).toEqual([])
    await expect(client.readResource({ uri: 'mcp://fixture/test://static-text' })).rejects.toThrow(
      'there is no resource',
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['fixture_test_simple_text'])
    await expect(client.callTool({ name: 'fixture_test_error_handling' })).rejects.toThrow('there is no tool')
  })
})

describe('the way to tools', () => {
  const names = async (client: { listTools(): Promise<{ tools: { name: string }[] }> }) =>
    (await client.listTools()).tools.map(({ name }) => name)
  const servers = { shop: { inProcess: shop } }
  const meta = ['listToolFiles', 'readToolFile', 'getToolDocs', 'executeToolCode']

  it('is chosen by the client’s name, by a header and by the number of tools', async () => {
    const { caller } = await openGateway({ servers, serve: { callers: { 'cursor*': { codeMode: false } } } })
    expect(await names(await caller())).toEqual(meta)
    expect((await names(await caller({ name: 'Cursor-vscode' })))[0]).toBe('shop_count')
    const headers = { 'x-starbind-code-mode': 'false' }
    expect((await names(await caller({ headers })))[0]).toBe('shop_count')
    const many = await openGateway({ servers, serve: { codeMode: 'auto', autoTokens: 5 } })
    expect(await names(await many.caller())).toEqual(meta)
    const few = await openGateway({ servers, serve: { codeMode: 'auto' } })
    expect((await names(await few.caller()))[0]).toBe('shop_count')
  })

  it('is chosen by the key, which overrides the client’s name and is overridden by a header', async () => {
    const keysFile = path.join(mkdtempSync(path.join(place.folder, 'keys-')), 'keys.json')
    const directly = { 'x-api-key': addKey(keysFile, 'directly', { codeMode: false }) }
    const automatic = { 'x-api-key': addKey(keysFile, 'automatic', { codeMode: 'auto' }) }
    const silent = { 'x-api-key': addKey(keysFile, 'silent') }
    const callers = { 'cursor*': { codeMode: true } }
    const { caller } = await openGateway({ servers, serve: { keysFile, callers, codeMode: true } })
    expect((await names(await caller({ headers: directly })))[0]).toBe('shop_count')
    expect((await names(await caller({ headers: directly, name: 'cursor' })))[0]).toBe('shop_count')
    expect((await names(await caller({ headers: automatic })))[0]).toBe('shop_count')
    expect(await names(await caller({ headers: silent }))).toEqual(meta)
    expect(await names(await caller({ headers: { ...directly, 'x-starbind-code-mode': 'true' } }))).toEqual(meta)
  })

  it('is the same for programs of this process', async () => {
    await using codeMode = await CodeMode.open({ servers: { shop: { inProcess: shop, codeMode: false } } })
    expect(codeMode.direct.tools().map(({ name }) => name)).toContain('shop_count')
    expect(await codeMode.direct.call('shop_count', {})).toMatchObject({ structuredContent: { result: 3 } })
    await expect(codeMode.direct.call('shop_none', {})).rejects.toThrow('there is no tool "shop_none" here')
  })
})
