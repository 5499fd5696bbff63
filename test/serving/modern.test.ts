// Requests of revision 2026-07-28 over HTTP, as they are on the wire: each stands alone and says who sends it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey, type InProcessTools, removeKey, type ServeSettings } from '../../dist/index.js'
import { tracker } from '../approvals/tracker.js'
import { initialize, openGateway, sharedGateway } from './callers.js'
import { type Changes, message, REVISION, serverInfo } from './modern-requests.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const keysFile = () => path.join(folder, `keys-${++files}.json`)

const execute = (code: string, changes?: Changes) =>
  message('tools/call', { name: 'executeToolCode', arguments: { code } }, changes)

const shop: InProcessTools = {
  count: {
    inputSchema: {
      type: 'object',
      properties: { of: { type: 'string', 'x-mcp-header': 'Of' }, most: { type: 'integer' } },
    },
    call: () => 3,
  },
}

const serversOf = (tools: InProcessTools) => ({
  shop: { inProcess: tools },
  direct: { inProcess: tools, codeMode: false },
})
const shared = sharedGateway({ servers: serversOf(shop) })

/** Without settings, all tests have the same. */
async function gateway(serve?: ServeSettings, tools: InProcessTools = shop) {
  const opened = await (serve === undefined ? shared() : openGateway({ servers: serversOf(tools), serve }))
  const ask = async (init: RequestInit, at = '/mcp') => {
    const response = await opened.fetch(at, init)
    return { status: response.status, ...((await response.json()) as object) }
  }
  return { ...opened, ask }
}

const refused = (status: number, code: number, text: string, data?: object) => ({
  status,
  jsonrpc: '2.0',
  id: 7,
  error: { code, message: text, ...(data === undefined ? {} : { data }) },
})

describe('a request without a session', () => {
  it('discovers the server', async () => {
    const { ask } = await gateway()
    expect(await ask(message('server/discover'))).toEqual({
      status: 200,
      jsonrpc: '2.0',
      id: 7,
      result: {
        resultType: 'complete',
        supportedVersions: [REVISION],
        capabilities: {
          experimental: { starbind: expect.any(Object) },
          tools: { listChanged: true },
          logging: {},
          resources: { subscribe: true, listChanged: true },
          completions: {},
          extensions: { 'io.modelcontextprotocol/tasks': {} },
        },
        instructions: expect.stringContaining('Programs call the tools of these servers: shop.'),
        ttlMs: 300_000,
        cacheScope: 'private',
        _meta: serverInfo,
      },
    })
  })

  it('is answered, by any process, whatever was asked before', async () => {
    const { ask } = await gateway()
    const list = (await ask(message('tools/list'))) as unknown as { result: { tools: { name: string }[] } }
    expect(list.result).toEqual({
      resultType: 'complete',
      ttlMs: 5000,
      cacheScope: 'private',
      _meta: serverInfo,
      tools: list.result.tools,
    })
    expect(list.result.tools.map(({ name }) => name)).toEqual([
      'listToolFiles',
      'readToolFile',
      'getToolDocs',
      'executeToolCode',
      'direct_count',
    ])
    expect(await ask(execute('print(1 + 1)'))).toEqual({
      status: 200,
      jsonrpc: '2.0',
      id: 7,
      result: { resultType: 'complete', content: [{ type: 'text', text: '2' }], _meta: serverInfo },
    })
  })

  it('receives progress and log messages on its own stream, if it asks for them', async () => {
    const { fetch } = await gateway()
    const response = await fetch('/mcp', execute('shop.count()', { meta: { progressToken: 'p' } }))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const events = (await response.text()).split('\n\n').filter(Boolean)
    const sent = events.map((event) => JSON.parse(event.replace('event: message\ndata: ', '')) as { method?: string })
    expect(sent.map(({ method }) => method)).toEqual(['notifications/progress', undefined])
    expect(sent[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1, message: expect.stringMatching(/^shop\.count: \d+ bytes in \d+ ms$/) },
    })
  })
})

describe('a server in the middle of a call', () => {
  const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities'
  /** A server that logs, and asks its caller's model and for its folders. */
  const curious = () => {
    const server = new McpServer({ name: 'curious', version: '1' }, { capabilities: { logging: {} } })
    const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })
    server.registerTool('log', {}, async ({ sendNotification }) => {
      for (const level of ['debug', 'warning', 'error'] as const)
        await sendNotification({ method: 'notifications/message', params: { level, data: `a ${level}` } })
      return text('logged')
    })
    const question = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hm?' } }],
      maxTokens: 9,
    }
    server.registerTool('think', {}, async () => text((await server.server.createMessage(question)).content))
    server.registerTool('look', {}, async () => text((await server.server.listRoots()).roots))
    return server
  }
  const opened = () =>
    openGateway({
      servers: { curious: { inProcess: curious(), codeMode: false, roots: [folder] } },
      callersAnswer: true,
    })

  it('tells log messages from the level that the request names, and none without', async () => {
    const { fetch } = await opened()
    const told = async (logLevel?: string) => {
      const meta = logLevel === undefined ? {} : { 'io.modelcontextprotocol/logLevel': logLevel }
      const response = await fetch('/mcp', message('tools/call', { name: 'curious_log' }, { meta }))
      const sent = [...(await response.text()).matchAll(/^(?:data: )?(\{.*\})$/gm)].map(([, one]) => JSON.parse(one!))
      return sent.map(({ params, result }) => params ?? result.content[0].text)
    }
    const of = (level: string) => ({ level, data: `a ${level}` })
    expect(await told('warning')).toMatchObject([of('warning'), of('error'), '"logged"'])
    expect(await told('emergency')).toEqual(['"logged"'])
    expect(await told()).toEqual(['"logged"'])
  })

  const call = async (
    { fetch }: Awaited<ReturnType<typeof opened>>,
    {
      capabilities = {},
      ...params
    }: { readonly capabilities?: object; readonly name: string } & Record<string, unknown>,
  ) => {
    const init = message('tools/call', params, { meta: { [clientCapabilities]: capabilities } })
    return (await (await fetch('/mcp', init)).json()) as Asked & { readonly error?: object }
  }
  const sampling = { name: 'curious_think', capabilities: { sampling: {} } }
  const sample = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Aha.' } }

  it('asks for a sample as a question of the request, in the process that asked and nowhere else', async () => {
    const [one, other] = [await opened(), await opened()]
    const { requestState, inputRequests } = (await call(one, sampling)).result
    expect(inputRequests).toEqual({
      q1: { method: 'sampling/createMessage', params: expect.objectContaining({ maxTokens: 9 }) },
    })
    const answered = { ...sampling, requestState, inputResponses: { q1: sample } }
    expect((await call(other, answered)).error).toEqual({
      code: -32602,
      message:
        'requestState names no question that is open here: it was answered, it waited too long, or another process asked ' +
        'it; repeat the request without requestState',
    })
    expect(JSON.parse((await call(one, answered)).result.content[0]!.text)).toEqual(sample.content)
    expect((await call(one, { name: 'curious_think' })).result).toMatchObject({
      isError: true,
      content: [{ text: 'MCP error -1: no caller can answer this' }],
    })
  })

  it('gets the folders of the configuration, and not those of its caller', async () => {
    const gateway = await opened()
    const { result } = await call(gateway, { name: 'curious_look', capabilities: { roots: {} } })
    expect([result.resultType, JSON.parse(result.content[0]!.text)]).toEqual([
      'complete',
      [{ uri: pathToFileURL(folder).href, name: path.basename(folder) }],
    ])
  })
})

it('what programs keep is listed and read without a session', async () => {
  const { ask } = await gateway({}, shop)
  await ask(execute('artifacts.save("table.csv", "a,b\\n1,2\\n")'))
  const listed = (await ask(message('resources/list'))) as unknown as { result: object }
  expect(listed.result).toEqual({
    resultType: 'complete',
    resources: [
      {
        uri: 'starbind://results/table.csv',
        name: 'table.csv',
        mimeType: 'text/csv',
        size: 8,
        annotations: { lastModified: expect.any(String) },
      },
    ],
    ttlMs: 5000,
    cacheScope: 'private',
    _meta: serverInfo,
  })
  const read = await ask(message('resources/read', { uri: 'starbind://results/table.csv' }))
  expect(read).toMatchObject({ result: { contents: [{ mimeType: 'text/csv', text: 'a,b\n1,2\n' }] } })
})

interface Asked {
  readonly result: {
    readonly resultType: string
    readonly requestState: string
    readonly inputRequests: Readonly<Record<string, unknown>>
    readonly content: readonly { readonly text: string }[]
  }
}

describe('a request that gets a question', () => {
  const file = keysFile()
  const [own, other] = [addKey(file, 'own'), addKey(file, 'other')]
  const program = { name: 'executeToolCode', arguments: { code: 'print(issues.close(number=1)["number"])' } }
  const elicitation = { meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } } }
  const yes = { action: 'accept', content: { call1: 'once' } }
  const opened = async (folder: string) => {
    const { servers, calls } = tracker()
    const gateway = await openGateway({ servers, approve: 'writes', state: folder, serve: { port: 0, keysFile: file } })
    const ask = async (params: Record<string, unknown>, key = own) => {
      const init = message('tools/call', { ...program, ...params }, { ...elicitation, headers: { 'x-api-key': key } })
      return (await (await gateway.fetch('/mcp', init)).json()) as Asked
    }
    return { ...gateway, ask, calls }
  }

  it('continues in another process, once, and only with answers of its own caller', async () => {
    const state = path.join(folder, 'state')
    const first = await opened(state)
    const { result } = await first.ask({})
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        approval: { method: 'elicitation/create', params: expect.objectContaining({ mode: 'form' }) },
      },
      requestState: expect.stringMatching(/^run-[0-9a-f]{10}\.[\w-]{22}$/),
      _meta: serverInfo,
    })
    await first.codeMode.close()
    const { ask, calls } = await opened(state)
    const { requestState } = result
    const answered = { requestState, inputResponses: { approval: yes } }
    // To others there is no such run.
    const [run] = requestState.split('.')
    expect((await ask(answered, other)).result.content[0]!.text).toBe(
      `program error [no-such-run] there is no run "${run}" here`,
    )
    // The answer to another form is none to this one.
    const another = requestState.replace(/.$/, (last) => (last === '_' ? '-' : '_'))
    const bent = await ask({ ...answered, requestState: another })
    expect(bent.result.resultType).toBe('input_required')
    expect(calls).toEqual([])
    expect((await ask(answered)).result.content[0]!.text.split('\n')[0]).toBe('1')
    expect((await ask(answered)).result.content[0]!.text).toContain('it has ended')
    expect(calls).toEqual(['close 1'])
  })

  it('waits without its caller if that caller has no forms', async () => {
    const { fetch } = await opened(path.join(folder, 'formless'))
    const init = message('tools/call', program, { headers: { 'x-api-key': own } })
    const { result } = (await (await fetch('/mcp', init)).json()) as Asked
    expect([result.resultType, result.content[0]!.text.split('\n')[0]]).toEqual([
      'complete',
      "paused [needs-approval] the program stopped before issues.close and waits for a person's answer",
    ])
  })
})

describe('a request is refused', () => {
  it.each<[string, RequestInit, number, number, string, object?]>([
    [
      'without the header of its revision',
      message('tools/list', {}, { headers: { 'mcp-protocol-version': undefined } }),
      400,
      -32020,
      'the header MCP-Protocol-Version is missing; the body says "2026-07-28"',
    ],
    [
      'where its headers name another revision',
      message('tools/list', {}, { headers: { 'mcp-protocol-version': '2027-01-01' } }),
      400,
      -32020,
      'the header MCP-Protocol-Version says "2027-01-01"; the body says "2026-07-28"',
    ],
    [
      'where its headers name a revision that is spoken, and it does not',
      message('tools/list', {}, { meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }),
      400,
      -32020,
      'the header MCP-Protocol-Version says "2026-07-28"; the body says "2027-01-01"',
    ],
    [
      'without the header of its method',
      message('tools/list', {}, { headers: { 'mcp-method': undefined } }),
      400,
      -32020,
      'the header Mcp-Method is missing; the body says "tools/list"',
    ],
    [
      'where its headers name another method',
      message('tools/call', { name: 'executeToolCode' }, { headers: { 'mcp-method': 'tools/list' } }),
      400,
      -32020,
      'the header Mcp-Method says "tools/list"; the body says "tools/call"',
    ],
    [
      'where its headers name another tool',
      message('tools/call', { name: 'executeToolCode' }, { headers: { 'mcp-name': 'listToolFiles' } }),
      400,
      -32020,
      'the header Mcp-Name says "listToolFiles"; the body says "executeToolCode"',
    ],
    [
      'where a header is not what it says to be',
      message('tools/call', { name: 'executeToolCode' }, { headers: { 'mcp-name': '=?base64?x?=' } }),
      400,
      -32020,
      'the header Mcp-Name is not valid Base64; the body says "executeToolCode"',
    ],
    [
      'without the header of an argument that has one',
      message('tools/call', { name: 'direct_count', arguments: { of: 'rye' } }),
      400,
      -32020,
      'the header Mcp-Param-Of is missing; the body says "rye"',
    ],
    [
      'in a revision that is not spoken',
      message(
        'tools/list',
        {},
        {
          headers: { 'mcp-protocol-version': '2027-01-01' },
          meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' },
        },
      ),
      400,
      -32022,
      'revision "2027-01-01" is not spoken here',
      { supported: [REVISION], requested: '2027-01-01' },
    ],
    [
      'where it does not say what its sender can do',
      message('tools/list', {}, { meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } }),
      400,
      -32602,
      'the request has no io.modelcontextprotocol/clientCapabilities',
      { missing: ['io.modelcontextprotocol/clientCapabilities'] },
    ],
    [
      'where only its headers say its revision',
      message('tools/list', {}, { meta: { 'io.modelcontextprotocol/protocolVersion': undefined } }),
      400,
      -32602,
      'the request has no io.modelcontextprotocol/protocolVersion',
      { missing: ['io.modelcontextprotocol/protocolVersion'] },
    ],
    ['where there is no such method', message('initialize'), 404, -32601, 'Method not found'],
    ['where it wants a session', message('resources/subscribe', { uri: 'a:b' }), 404, -32601, 'Method not found'],
    [
      'where its body is declared as something else',
      message('tools/list', {}, { headers: { 'content-type': 'text/plain' } }),
      415,
      -32000,
      'Content-Type is not application/json',
    ],
  ])('%s', async (_, init, status, code, text, data) => {
    const { ask } = await gateway()
    expect(await ask(init)).toEqual(refused(status, code, text, data))
  })

  it('if the revision does not define it: GET, DELETE, several at once', async () => {
    const { fetch } = await gateway()
    for (const method of ['GET', 'DELETE'])
      expect((await fetch('/mcp', { method, headers: { 'mcp-protocol-version': REVISION } })).status).toBe(405)
    const several = await fetch('/mcp', { ...message('tools/list'), body: `[${message('tools/list').body}]` })
    expect([several.status, await several.json()]).toEqual([
      400,
      { ...refused(400, -32600, 'this is not one JSON-RPC request'), status: undefined, id: null },
    ])
    const notification = { jsonrpc: '2.0', method: 'notifications/anything' }
    expect((await fetch('/mcp', { ...message('tools/list'), body: JSON.stringify(notification) })).status).toBe(202)
  })

  it('by its host, origin, key, path and length, as in the older era', async () => {
    const file = keysFile()
    const key = addKey(file, 'desk', { servers: ['direct'] })
    const { fetch } = await gateway({ keysFile: file, maxRequestBytes: 2000 })
    const with_ = (headers: Record<string, string>) => message('tools/list', {}, { headers })
    const status = async (init: RequestInit, at = '/mcp') => (await fetch(at, init)).status
    expect(await status(with_({ origin: 'http://evil.example' }))).toBe(403)
    expect(await status(with_({}))).toBe(401)
    expect(await status(with_({ 'x-api-key': key }))).toBe(200)
    expect(await status(with_({ 'x-api-key': key }), '/mcp/shop')).toBe(404)
    expect(await status(with_({ 'x-api-key': key }), '/mcp/direct')).toBe(200)
    const long = { ...with_({ 'x-api-key': key }), body: 'x'.repeat(3000) }
    expect(await status(long)).toBe(413)
    removeKey(file, 'desk')
    const { headers } = await fetch('/mcp', with_({ 'x-api-key': key }))
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })
})

describe('callers', () => {
  it('see only what their keys and the headers of each request allow', async () => {
    const file = keysFile()
    const keys = [addKey(file, 'all'), addKey(file, 'none', { toolsToExecute: [] })]
    const { ask } = await gateway({ keysFile: file })
    const names = async (headers: Record<string, string>) => {
      const { result } = (await ask(message('tools/list', {}, { headers }))) as unknown as {
        result: { tools: { name: string }[] }
      }
      return result.tools.map(({ name }) => name).filter((name) => name.startsWith('direct'))
    }
    expect(await names({ 'x-api-key': keys[0]! })).toEqual(['direct_count'])
    expect(await names({ 'x-api-key': keys[1]! })).toEqual([])
    expect(await names({ 'x-api-key': keys[0]!, 'x-mcp-include-clients': 'shop' })).toEqual([])
    expect(await names({ 'x-api-key': keys[0]! })).toEqual(['direct_count'])
  })

  it('have a bounded number of requests underway, each of which ends with its connection or its key', async () => {
    let begun = 0
    const ended: unknown[] = []
    const wait: InProcessTools[string] = {
      call: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          begun++
          signal.addEventListener('abort', () => reject(new Error(`${ended.push('ended')}`)))
        }),
    }
    const file = keysFile()
    const [one, other] = [addKey(file, 'one'), addKey(file, 'other')]
    const { fetch, ask } = await gateway({ keysFile: file, maxRequestsPerKey: 2 }, { wait })
    const as = (key: string, signal?: AbortSignal) =>
      execute('shop.wait()', { headers: { 'x-api-key': key }, ...(signal === undefined ? {} : { signal }) })
    const hangUp = new AbortController()
    const first = fetch('/mcp', as(one, hangUp.signal))
    const second = fetch('/mcp', as(one)).then((response) => response.json())
    await vi.waitFor(() => expect(begun).toBe(2), { timeout: 120_000 })
    const third = { ...as(one), headers: { ...(as(one).headers as object), 'mcp-name': 'executeToolCode' } }
    expect(await ask(third)).toEqual(refused(503, -32000, '2 requests of this caller are underway; wait for one'))
    expect((await fetch('/mcp', message('tools/list', {}, { headers: { 'x-api-key': other } }))).status).toBe(200)
    hangUp.abort()
    await expect(first).rejects.toThrow()
    await vi.waitFor(() => expect(ended.length).toBe(1), { timeout: 120_000 })
    removeKey(file, 'one')
    await vi.waitFor(() => expect(ended.length).toBe(2), { timeout: 120_000 })
    await second
  })

  it('with sessions are served beside them, on the same port', async () => {
    const { fetch, ask } = await gateway()
    const session = (await fetch('/mcp', initialize)).headers.get('mcp-session-id') ?? ''
    expect(session).not.toBe('')
    // A session means nothing to a request that stands alone.
    expect(await ask(message('ping', {}, { headers: { 'mcp-session-id': 'none' } }))).toEqual(
      refused(404, -32601, 'Method not found'),
    )
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const headers = { ...initialize.headers, 'mcp-session-id': session }
    expect((await fetch('/mcp', { ...initialize, headers, body: JSON.stringify(ping) })).status).toBe(200)
  })
})
