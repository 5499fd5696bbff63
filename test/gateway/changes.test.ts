// Servers that change, die and come back, as real processes: whose stubs are made anew, what a lost call says, and what
// is left behind.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bindServers } from '../../dist/bindings/index.js'
import { checkConfiguration, type LogLine, type ServerEntry, Upstreams } from '../../dist/gateway/index.js'
import { CodeMode } from '../../dist/index.js'
import { listToolFiles, readToolFile } from '../../dist/meta-tools/index.js'
import { openVfs, type Vfs } from '../../dist/vfs/index.js'
import { called } from '../fixtures/called.js'
import { Workplace } from '../fixtures/command.js'
import { ownPort } from '../fixtures/http-server.js'

/** Ends what hangs. Milliseconds. */
const PATIENCE = 120_000

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const script = fileURLToPath(new URL('../fixtures/changing-server.mjs', import.meta.url))

function changing(tools: string, more: ServerEntry = {}): ServerEntry {
  const env = { STARBIND_TEST_MARK: place.mark, ...more.env }
  return { command: process.execPath, args: [script, tools], ...more, env }
}

async function openUpstreams(mcpServers: Record<string, ServerEntry>) {
  const log: LogLine[] = []
  let tell = () => {}
  const { servers } = checkConfiguration({ mcpServers }, { folder: '/', placeOf: () => 'test' })
  const upstreams = await Upstreams.open(servers, {
    log: (line: LogLine) => {
      log.push(line)
      if (line.message.startsWith('the connection was lost')) tell()
    },
    version: '0.0.0',
    connectTimeoutMs: 60_000,
  })
  /** Resolves in the very turn in which a connection is lost: nothing has been tried again yet. */
  const lost = () =>
    new Promise<void>((resolve) => {
      tell = resolve
    })
  return { upstreams, log, lost }
}

function toolsOf(upstreams: Upstreams, server: string): readonly string[] {
  return (
    upstreams
      .servers()
      .find(({ name }) => name === server)
      ?.tools.map((tool) => tool.name) ?? []
  )
}

async function textOf(outcome: ReturnType<Upstreams['call']>): Promise<string> {
  return ((await outcome).content[0] as { text: string }).text
}

/** Kills the server once its tool has written its process id into the file. */
async function killWhenCalled(file: string): Promise<number> {
  const pid = await vi.waitFor(() => {
    const text = readFileSync(file, 'utf8')
    expect(text).not.toBe('')
    return Number(text)
  }, PATIENCE)
  process.kill(pid, 'SIGKILL')
  return pid
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A file system that counts how often each file is made. */
function countingVfs(): { vfs: Vfs; made: Map<string, number> } {
  const made = new Map<string, number>()
  const vfs = openVfs()
  const mount = vfs.mount.bind(vfs)
  vfs.mount = (group, files) =>
    mount(
      group,
      files.map((file) => ({
        ...file,
        make: () => {
          made.set(file.path, (made.get(file.path) ?? 0) + 1)
          return file.make()
        },
      })),
    )
  return { vfs, made }
}

describe('a changed list of tools', () => {
  it('updates the stubs of that server only', async () => {
    const { upstreams } = await openUpstreams({ one: changing('a,b'), two: changing('c') })
    const { vfs, made } = countingVfs()
    let bindings = bindServers(upstreams.servers())
    const readAll = () => {
      bindings = bindServers(upstreams.servers(), { previous: bindings })
      listToolFiles({}, { bindings, vfs })
      const paths = vfs.list('servers')
      return new Map(paths.map((file) => [file, readToolFile({ fileName: file }, { bindings, vfs }).text]))
    }
    const before = readAll()
    expect(before.get('servers/one.pyi')).toContain('def a(')
    const listed = upstreams.servers()
    await upstreams.call('one', 'change', { to: 'a,fresh', times: 20 })
    await vi.waitFor(() => expect(toolsOf(upstreams, 'one')).toContain('fresh'), PATIENCE)
    const after = readAll()
    expect(after.get('servers/one.pyi')).toContain('def fresh(')
    expect(after.has('servers/one/b.pyi')).toBe(false)
    const two = [...before].filter(([file]) => file.startsWith('servers/two') && file.endsWith('.pyi'))
    expect(two.length).toBe(9)
    for (const [file, text] of two) expect([file, after.get(file), made.get(file)]).toEqual([file, text, 1])
    expect([made.get('servers/one.pyi'), made.get('servers/one/a.pyi'), made.get('servers/one/fresh.pyi')]).toEqual([
      2, 2, 1,
    ])
    expect(upstreams.servers()[1]).toBe(listed[1])
    // Twenty notices at once were one question.
    expect(await textOf(upstreams.call('one', 'lists', {}))).toBe('2')
    await upstreams.close()
  })

  it('updates the search index of that server only', () => {
    const read: string[] = []
    const tool = (name: string) => ({
      name,
      inputSchema: { type: 'object' },
      get description() {
        read.push(name)
        return `Reads the ${name} of a thing`
      },
    })
    const one = { name: 'one', tools: [tool('length'), tool('weight')] }
    const before = bindServers([one, { name: 'two', tools: [tool('colour')] }])
    expect(before.search('read weight', 1)[0]?.tool.name).toBe('weight')
    expect(read).toEqual(['length', 'weight', 'colour'])
    const after = bindServers([one, { name: 'two', tools: [tool('smell')] }], { previous: before })
    expect(after.search('read smell', 1)[0]?.tool.name).toBe('smell')
    expect(after.search('read weight', 1)[0]?.tool.name).toBe('weight')
    expect(read).toEqual(['length', 'weight', 'colour', 'smell'])
  })

  it('that arrives late does not replace a newer one', async () => {
    const { upstreams, log } = await openUpstreams({ one: changing('a') })
    await upstreams.call('one', 'hold', {})
    await vi.waitFor(async () => expect(await textOf(upstreams.call('one', 'lists', {}))).toBe('2'), PATIENCE)
    await upstreams.call('one', 'change', { to: 'b' })
    await vi.waitFor(() => expect(toolsOf(upstreams, 'one')).toContain('b'), PATIENCE)
    const newer = upstreams.servers()
    await upstreams.call('one', 'release', {})
    const late = { level: 'debug', server: 'one', message: 'a list of tools arrived too late and is not used' }
    await vi.waitFor(() => expect(log).toContainEqual(late), PATIENCE)
    expect(upstreams.servers()).toBe(newer)
    expect(toolsOf(upstreams, 'one')).not.toContain('a')
    await upstreams.close()
  })

  it('affects the next run and listing, not the run in progress', async () => {
    await using codeMode = await CodeMode.open({ servers: { one: changing('a'), two: changing('') } })
    const definitions = JSON.stringify(codeMode.tools('mcp'))
    const program = 'one.change(to="fresh")\nprint(two.pid() != "", one.lists() != "")\nresult = hasattr(one, "fresh")'
    // Nobody waits long for a server that is slow to list its tools: while no time passes, everybody waits as long as
    // it takes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await codeMode.run(program)).toMatchObject({ ok: true, result: false })
    expect(await codeMode.run('result = one.fresh(text="x")')).toMatchObject({ ok: true, result: 'done' })
    vi.useRealTimers()
    expect((await codeMode.listToolFiles({ server: 'one' })).text).toContain('fresh')
    expect((await codeMode.listToolFiles({ query: 'tool fresh' })).text).toContain('one.fresh(')
    expect((await codeMode.readToolFile({ fileName: 'one/a' })).isError).toBe(true)
    expect((await codeMode.run('one.a()')).error?.message).toContain('a')
    expect(JSON.stringify(codeMode.tools('mcp'))).toBe(definitions)
  })

  it('is described by the first sentence of the server’s instructions', async () => {
    const { upstreams } = await openUpstreams({ one: changing('') })
    expect(upstreams.servers()[0]?.description).toBe('Tools that come and go')
    await upstreams.close()
  })
})

describe('a server that is killed during a call', () => {
  it('fails that call, reports whether it may have taken effect, and answers the next', async () => {
    await using codeMode = await CodeMode.open({ servers: { one: changing('a') } })
    const ask = async (tool: string) => {
      const file = place.write(`${tool}.pid`, '')
      const answering = codeMode.executeToolCode({ code: `one.${tool}(text=${JSON.stringify(file)})` })
      const pid = await killWhenCalled(file)
      const { text, isError } = await answering
      const next = await codeMode.run('result = one.pid()')
      expect(next).toMatchObject({ ok: true })
      expect([isAlive(pid), next.result === String(pid)]).toEqual([false, false])
      expect(isError).toBe(true)
      return text.replaceAll(place.folder, 'FOLDER').split('\n')
    }
    const wrote = await ask('write')
    expect(wrote[0]).toBe(
      'tool error [server-lost] the connection to one was lost before write answered; it may have taken effect',
    )
    expect(wrote.join('\n')).toContain('done before this: one.write (')
    const looked = await ask('look')
    expect(looked[0]).toBe(
      'tool error [server-lost] the connection to one was lost before look answered; it is declared read-only, so nothing was changed',
    )
  })

  it('stays listed and reconnects by itself', async () => {
    const { upstreams, log, lost } = await openUpstreams({ one: changing('a') })
    const listed = upstreams.servers()
    const pid = Number(await textOf(upstreams.call('one', 'pid', {})))
    const isLost = lost()
    process.kill(pid, 'SIGKILL')
    await isLost
    expect(upstreams.status()).toMatchObject([
      { state: 'failed', reason: 'the connection was lost', tools: listed[0]!.tools.map((t) => t.name) },
    ])
    await vi.waitFor(
      () => expect(log.filter(({ message }) => message.startsWith('ready with')).length).toBe(2),
      PATIENCE,
    )
    expect(upstreams.status()).toMatchObject([{ state: 'ready', reason: '' }])
    // The same tools: nothing has to be made anew.
    expect(upstreams.servers()).toBe(listed)
    await upstreams.close()
  })

  it('leaves nothing behind if everything is closed while it reconnects', async () => {
    const { upstreams, lost } = await openUpstreams({ one: changing('a') })
    const pid = Number(await textOf(upstreams.call('one', 'pid', {})))
    const isLost = lost()
    process.kill(pid, 'SIGKILL')
    await isLost
    expect(upstreams.status()).toMatchObject([{ state: 'failed' }])
    const reviving = upstreams.revive()
    expect(upstreams.status()).toMatchObject([{ state: 'connecting' }])
    await upstreams.close()
    await reviving
    expect(place.alive()).toEqual([])
    expect([upstreams.servers(), upstreams.status()[0]?.state]).toEqual([[], 'closed'])
  })
})

describe('a restarted HTTP server', () => {
  let http: Server | undefined
  let boot = 0
  let onHang = () => {}
  /** Knows only the session that it gave out itself. */
  async function start(port: number): Promise<void> {
    const session = `session-${++boot}`
    const server = createServer((request, response) => {
      // A kept connection that the server closes under a request leaves open whether that request arrived.
      response.setHeader('connection', 'close')
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        const { id, method, params } = body === '' ? {} : JSON.parse(body)
        if (method !== 'initialize' && request.headers['mcp-session-id'] !== session)
          return response.writeHead(404).end()
        if (request.method !== 'POST') return response.writeHead(405).end()
        if (id === undefined) return response.writeHead(202).end()
        if (params?.name === 'hang') {
          response.removeHeader('connection')
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': yes\n\n')
          return onHang()
        }
        const result =
          method === 'initialize'
            ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'hub', version: '1' } }
            : method === 'tools/list'
              ? { tools: ['ping', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' } })) }
              : { content: [{ type: 'text', text: session }] }
        response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    http = server
  }
  async function stop(): Promise<void> {
    const server = http
    http = undefined
    server?.closeAllConnections()
    if (server !== undefined) await new Promise((resolve) => server.close(resolve))
  }
  afterAll(stop)

  it('is called in a new session', async () => {
    const port = await ownPort()
    await start(port)
    const { upstreams } = await openUpstreams({ hub: { url: `http://127.0.0.1:${port}/mcp` } })
    const listed = upstreams.servers()
    expect(await textOf(upstreams.call('hub', 'ping', {}))).toBe('session-1')
    await stop()
    await start(port)
    expect(await textOf(upstreams.call('hub', 'ping', {}))).toBe('session-2')
    expect(upstreams.servers()).toBe(listed)

    const arrived = new Promise((resolve) => {
      onHang = () => resolve(undefined)
    })
    const hanging = called(upstreams, 'hub', 'hang', {}).catch((error: Error) => error.message)
    await arrived
    await stop()
    expect(await hanging).toBe(
      'tool error [server-lost] the connection to hub was lost before hang answered; it may have taken effect',
    )
    expect(await called(upstreams, 'hub', 'ping', {}).catch((error: Error) => error.message)).toBe(
      `host error [server-not-available] the server hub is not available: http://127.0.0.1:${port} can't be reached: connection refused`,
    )
    await start(port)
    await vi.waitFor(() => expect(upstreams.status()).toMatchObject([{ state: 'ready' }]), PATIENCE)
    expect(await textOf(upstreams.call('hub', 'ping', {}))).toBe('session-3')
    await upstreams.close()
  })
})

describe('servers at run time', () => {
  it('are added, changed and removed without disturbing others', async () => {
    await using codeMode = await CodeMode.open({ servers: { one: changing('a') } })
    const pid = async (server: string) => String((await codeMode.run(`result = ${server}.pid()`)).result)
    const one = await pid('one')
    expect(await codeMode.servers.add('two', changing('b', { bindingLevel: 'tool' }))).toMatchObject({
      name: 'two',
      state: 'ready',
      tools: ['b', 'change', 'hold', 'release', 'lists', 'pid', 'look', 'write'],
    })
    const two = await pid('two')
    expect((await codeMode.listToolFiles()).text).toContain('\n  two/  # 8 tools: Tools that come and go\n')

    // Another filter: the same process.
    expect(await codeMode.servers.update('two', changing('b', { toolsToExecute: ['pid'] }))).toMatchObject({
      tools: ['pid'],
    })
    expect(await pid('two')).toBe(two)
    expect((await codeMode.listToolFiles()).text).toContain('\n  two.pyi  # 1 tool: Tools that come and go\n')

    // Another command: another process, and the old one is gone.
    expect(await codeMode.servers.update('two', changing('x'))).toMatchObject({ state: 'ready' })
    expect(isAlive(Number(two))).toBe(false)
    const twoAgain = await pid('two')
    expect((await codeMode.servers.update('two', changing('x', { disabled: true }))).state).toBe('disabled')
    expect(isAlive(Number(twoAgain))).toBe(false)
    await codeMode.servers.remove('two')
    expect(codeMode.servers.status().map(({ name }) => name)).toEqual(['one'])
    expect((await codeMode.listToolFiles()).text).not.toContain('two')
    expect(await pid('one')).toBe(one)
  })

  it('get one message if a change is impossible', async () => {
    await using codeMode = await CodeMode.open({ servers: { one: changing('a', { bindingLevel: 'tool' }) } })
    await expect(codeMode.servers.add('one', changing('b'))).rejects.toThrow(
      'host error [server-exists] there is already a server one',
    )
    await expect(codeMode.servers.update('two', changing('b'))).rejects.toThrow(
      'host error [server-not-configured] there is no server two',
    )
    await expect(codeMode.servers.add('two', { comand: 'x' } as ServerEntry)).rejects.toThrow(
      'servers.add: two.comand is not a known key',
    )
    expect(await codeMode.servers.add('nowhere', { command: path.join(place.folder, 'nothing') })).toMatchObject({
      state: 'failed',
      reason: `there is no command ${path.join(place.folder, 'nothing')}`,
    })
  })

  it('have the same names for programs at both levels', async () => {
    await using codeMode = await CodeMode.open({ servers: { one: changing('get-sum,class') } })
    const program = 'result = [one.get_sum(), one.class_()]'
    for (const level of ['server', 'tool'] as const) {
      codeMode.setBindingLevel(level, 'one')
      expect(await codeMode.run(program)).toMatchObject({ ok: true, result: ['done', 'done'] })
      expect((await codeMode.listToolFiles()).text).toContain(level === 'tool' ? '  one/  #' : '  one.pyi  #')
      expect((await codeMode.readToolFile({ fileName: 'one' })).text).toContain('def get_sum(')
    }
  })
})
