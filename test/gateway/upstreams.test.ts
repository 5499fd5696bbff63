import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DiagnosticError } from '../../dist/diagnostics/index.js'
import { checkConfiguration, type LogLine, type ServerEntry, Upstreams } from '../../dist/gateway/index.js'
import { called } from '../fixtures/called.js'
import { deadOrigin, neverIdle } from '../fixtures/http-server.js'

const log: LogLine[] = []
const opened: Upstreams[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((upstreams) => upstreams.close()))
  log.length = 0
})

async function open(mcpServers: Record<string, ServerEntry>, connectTimeoutMs = 60_000): Promise<Upstreams> {
  const environment = { HIDDEN: 'hunter2secret' }
  const options = { environment, folder: '/', placeOf: () => 'test' }
  const { servers } = checkConfiguration({ mcpServers }, options)
  const upstreams = await Upstreams.open(servers, { log: (line) => log.push(line), version: '0.0.0', connectTimeoutMs })
  opened.push(upstreams)
  return upstreams
}

function fixture(name: string, more: ServerEntry = {}): ServerEntry {
  const script = fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url))
  return { command: process.execPath, args: [script], ...more }
}

function reference(name: string, ...args: string[]): ServerEntry {
  const script = fileURLToPath(
    new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  )
  return { command: process.execPath, args: [script, ...args] }
}

async function failure(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DiagnosticError)) throw new Error(`expected a DiagnosticError, got ${error}`)
  return error.message
}

/** False when no process has this id. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a catalogue with malformed tools', () => {
  it('keeps the good tools of all pages and sets the others aside with reasons', async () => {
    const upstreams = await open({ odd: fixture('misbehaving-server') })
    expect(upstreams.status()).toEqual([
      {
        name: 'odd',
        state: 'ready',
        reason: '',
        lastWords: '',
        remembered: false,
        cut: [],
        tools: ['echo', 'odd_output', 'odd_words', 'crash', 'refuse', 'fail', 'hang', 'nonsense', 'secret'],
        quarantined: [
          { name: 'no_schema', reason: 'its inputSchema is not an object schema' },
          { name: 'null_schema', reason: 'its inputSchema is not an object schema' },
          { name: 'list_schema', reason: 'its inputSchema.type is not "object"' },
          { name: 'number 5', reason: 'its name is not a string' },
          { name: 'number 6', reason: 'its entry is not an object' },
          { name: 'echo', reason: 'another tool of this server has the same name' },
        ],
      },
    ])
    expect(upstreams.servers()[0]?.tools.slice(0, 3)).toEqual([
      {
        name: 'echo',
        description: 'Says what it was told',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      },
      { name: 'odd_output', inputSchema: { type: 'object' }, outputSchema: { type: 'array', items: { pattern: '(' } } },
      { name: 'odd_words', inputSchema: {} },
    ])
    expect(log.filter((line) => line.level === 'warn')).toContainEqual({
      level: 'warn',
      server: 'odd',
      message: 'the tool null_schema is set aside: its inputSchema is not an object schema',
    })
  })
})

describe('servers that do not start', () => {
  it('are reported with the reason, and the others work', async () => {
    const upstreams = await open({
      nowhere: { command: 'no-such-command-anywhere' },
      homeless: { command: 'node', cwd: '/no/such/folder' },
      broken: fixture('exits-at-once', { env: { TOKEN: '${HIDDEN}' } }),
      off: { command: 'x', disabled: true },
      unreachable: { url: `${deadOrigin}/mcp` },
      memory: reference('memory'),
    })
    const lines = upstreams
      .status()
      .map(({ name, state, reason, lastWords }) => `${name} ${state} ${reason}; ${lastWords}`)
      // What failed is tried again in the background, and may be connecting just now.
      .map((line) => line.replace(/^(\S+) connecting (?=\S)/, '$1 failed '))
    expect(lines.map((line) => line.replace(/[ ;]+$/, ''))).toEqual([
      'nowhere failed there is no command no-such-command-anywhere',
      'homeless failed its folder /no/such/folder does not exist',
      'broken failed it ended before it answered; its last output was "reading the token file | Error: no token for [hidden]"',
      'off disabled it is disabled in the configuration',
      `unreachable failed ${deadOrigin} can't be reached: connection refused`,
      'memory ready',
    ])
    expect(upstreams.servers().map((server) => server.name)).toEqual(['memory'])
    expect(await failure(called(upstreams, 'nowhere', 'x', {}))).toBe(
      'host error [server-not-available] the server nowhere is not available: there is no command no-such-command-anywhere',
    )
    const outcome = await upstreams.call('memory', 'read_graph', {})
    expect(outcome.isError).toBe(false)
    expect(JSON.stringify(log)).not.toContain('hunter2')
  })

  it('are reported with their output if it is not MCP', async () => {
    // The time for connecting is over when what it prints has been read, however long that takes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const opening = open({ garbage: fixture('prints-garbage') }, 3000)
      await expect.poll(() => log.map(({ message }) => message)).toContainEqual(expect.stringContaining('JSON'))
      await vi.advanceTimersByTimeAsync(3000)
      expect((await opening).status()).toMatchObject([
        {
          state: 'failed',
          reason: 'it did not answer within 3000 ms',
          lastWords: 'it printed "Welcome to", which is not MCP',
        },
      ])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('calls', () => {
  it('return the server’s answer, failures included', async () => {
    const upstreams = await open({ odd: fixture('misbehaving-server') })
    expect(await upstreams.call('odd', 'echo', { text: 'hi' })).toEqual({
      isError: false,
      content: [{ type: 'text', text: '{"text":"hi"}' }],
    })
    expect(await upstreams.call('odd', 'fail', {})).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'no such issue' }],
    })
    const memory = await open({ memory: reference('memory') })
    const { structuredContent } = await memory.call('memory', 'read_graph', {})
    expect(structuredContent).toEqual({ entities: [], relations: [] })
  })

  it('report the reason when no answer comes', async () => {
    const upstreams = await open({
      odd: fixture('misbehaving-server', { env: { TOKEN: '${HIDDEN}' } }),
      hasty: fixture('misbehaving-server', { timeoutMs: 300 }),
    })
    const call = (tool: string, signal?: AbortSignal) =>
      failure(called(upstreams, 'odd', tool, {}, signal ? { signal } : {}))
    expect(await call('refuse')).toBe(
      'tool error [tool-refused] odd refused the call of refuse: "the moon is in the wrong phase"',
    )
    expect(await call('secret')).toBe(
      'tool error [tool-refused] odd refused the call of secret: "the token [hidden] has expired"',
    )
    expect(await call('nonsense')).toBe(
      'tool error [answer-malformed] odd.nonsense answered with something that is not a tool result (content is not a list); it may have taken effect',
    )
    expect(await failure(called(upstreams, 'hasty', 'hang', {}))).toBe(
      'tool error [tool-timeout] hasty.hang gave no answer within 300 ms; it may have taken effect',
    )
    expect(await failure(called(upstreams, 'odd', 'hang', {}, { timeoutMs: 200 }))).toBe(
      'tool error [tool-timeout] odd.hang gave no answer within 200 ms; it may have taken effect',
    )
    const early = new AbortController()
    const cancelled = call('hang', early.signal)
    early.abort()
    expect(await cancelled).toBe(
      'tool error [tool-cancelled] odd.hang was cancelled before it answered; it may have taken effect',
    )
    expect(await call('crash')).toBe(
      'tool error [server-lost] the connection to odd was lost before crash answered; it may have taken effect',
    )
    const odd = () => upstreams.status()[0]
    expect(odd()).toMatchObject({ state: 'failed', reason: 'the connection was lost' })
    expect(odd()?.lastWords).toMatch(/^its last output was ".*out of cheese"$/)
    expect(await upstreams.call('odd', 'echo', {})).toEqual({ isError: false, content: [{ type: 'text', text: '{}' }] })
    expect(odd()).toMatchObject({ state: 'ready', reason: '', lastWords: '' })
    expect(await failure(called(upstreams, 'odds', 'echo', {}))).toBe(
      'program error [unknown-server] there is no server odds\nhint: nearest: odd',
    )
  })

  it('reach only what the filter allows', async () => {
    const upstreams = await open({
      odd: fixture('misbehaving-server', { toolsToExecute: ['odd_*', 'ec*o'] }),
      none: fixture('misbehaving-server', { toolsToExecute: [] }),
    })
    expect(upstreams.servers().map(({ name, tools }) => [name, tools.map((tool) => tool.name)])).toEqual([
      ['odd', ['echo', 'odd_output', 'odd_words']],
      ['none', []],
    ])
    expect(await failure(called(upstreams, 'odd', 'crash', {}))).toBe(
      'program error [unknown-tool] the server odd has no tool crash',
    )
    expect(await failure(called(upstreams, 'none', 'echo', {}))).toBe(
      'program error [unknown-tool] the server none has no tool echo',
    )
  })

  it('can be aborted without affecting others', async () => {
    const upstreams = await open({ odd: fixture('misbehaving-server') })
    const run = new AbortController()
    await upstreams.call('odd', 'echo', {}, { signal: run.signal })
    const hanging = failure(called(upstreams, 'odd', 'hang', {}, { signal: run.signal }))
    run.abort()
    await hanging
    const lines = () => log.map((line) => line.message).filter((message) => /cancel|unexpected/.test(message))
    await vi.waitFor(() => expect(lines()).toEqual(['hang was cancelled']), { timeout: 120_000 })
  })
})

describe('closing', () => {
  it('kills a server that ignores the request to end', async () => {
    const upstreams = await open({ stubborn: fixture('stubborn-server') })
    const { content } = await upstreams.call('stubborn', 'pid', {})
    const pid = Number((content[0] as { text: string }).text)
    expect(isAlive(pid)).toBe(true)
    await upstreams.close()
    expect(isAlive(pid)).toBe(false)
    expect(upstreams.status()[0]?.state).toBe('closed')
  })
})

describe('a server over HTTP', () => {
  let http: Server
  const seen: (string | undefined)[] = []
  beforeAll(async () => {
    http = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        seen.push(request.headers.authorization)
        const { id, method } = body === '' ? {} : JSON.parse(body)
        const result =
          method === 'initialize'
            ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'hub', version: '1' } }
            : method === 'tools/list'
              ? { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] }
              : { content: [{ type: 'text', text: 'pong' }] }
        if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end()
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
    })
    neverIdle(http)
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => http.close())

  it('is called with its headers', async () => {
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    const upstreams = await open({ hub: { url, headers: { Authorization: 'Bearer ${HIDDEN}' } } })
    expect(await upstreams.call('hub', 'ping', {})).toEqual({
      isError: false,
      content: [{ type: 'text', text: 'pong' }],
    })
    expect(new Set(seen)).toEqual(new Set(['Bearer hunter2secret']))
  })
})
