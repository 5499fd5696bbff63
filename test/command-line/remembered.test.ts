// Cached tool lists: questions about servers start nothing, and programs start the servers that they can reach.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CodeMode, readConfiguration } from '../../dist/index.js'
import { main, starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more })
const state = path.join(place.folder, 'state')
const kept = path.join(state, 'starbind', 'catalogues')
const env = { XDG_STATE_HOME: state }
const run = (...args: string[]) => starbindHere(args, { cwd: place.folder, env })
const fileOf = (server: string, name: string) => path.join(place.folder, server, name)
const lists = (server: string, ...tools: object[]) => writeFileSync(fileOf(server, 'tools.json'), JSON.stringify(tools))
const hangs = (server: string) => writeFileSync(fileOf(server, 'hangs'), '')
const entryOf = (server: string, more: object = {}) =>
  place.fixture('listed-server', { env: { LISTED: path.join(place.folder, server) }, ...more })

/** How often each server was started. */
const starts = () =>
  Object.fromEntries(
    ['near', 'far'].map((server) => {
      const file = fileOf(server, 'starts')
      return [server, existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0]
    }),
  )

beforeEach(() => {
  rmSync(state, { recursive: true, force: true })
  for (const server of ['near', 'far']) {
    rmSync(path.join(place.folder, server), { recursive: true, force: true })
    mkdirSync(path.join(place.folder, server))
    lists(server, tool('one', { description: 'The first.' }))
  }
  place.write('starbind.json', { mcpServers: { near: entryOf('near'), far: entryOf('far') } })
})

describe('a cached tool list', () => {
  const tree = [
    'servers/',
    '  far.pyi  # 1 tool: one',
    '  near.pyi  # 1 tool: one',
    'guide.md  # how to write programs',
    '# 2 tools. Search: starbind ls WORDS. One server: starbind ls --server far.',
    '',
  ].join('\n')
  const asked: readonly (readonly [args: string[], stdout: string])[] = [
    [['ls'], tree],
    [['ls', '--server', 'near'], 'servers/near.pyi  1 tool\n  one  # The first\n'],
    [['cat', 'servers/near.pyi'], expect.stringContaining('def one(**extra: Any)')],
    [['docs', 'near', 'one'], expect.stringContaining('The first.')],
    [['check', '-e', 'near.one()'], 'ok\nreaches: near.one\n'],
    [['complete', '--', 'docs', 'near', ''], 'one\t\n:4\n'],
  ]

  it('lets commands answer without starting a server', async () => {
    expect(await run('ls', '--fresh')).toEqual({ status: 0, stdout: tree, stderr: '' })
    expect(starts()).toEqual({ near: 1, far: 1 })
    for (const server of ['near', 'far']) hangs(server)
    for (const [args, stdout] of asked)
      expect([args, await run(...args)]).toEqual([args, { status: 0, stdout, stderr: '' }])
    expect(starts()).toEqual({ near: 1, far: 1 })
  })

  it('is renewed with --fresh, and after the entry has changed', async () => {
    await run('ls', '--fresh')
    lists('near', tool('two'))
    expect((await run('cat', 'servers/near.pyi')).stdout).toContain('def one(')
    expect((await run('cat', 'servers/near.pyi', '--fresh')).stdout).toContain('def two(')
    expect((await run('cat', 'servers/near.pyi')).stdout).toContain('def two(')
    expect(starts()).toEqual({ near: 2, far: 1 })
    lists('near', tool('three'))
    place.write('starbind.json', { mcpServers: { near: { ...entryOf('near'), cwd: '/' } } })
    expect((await run('cat', 'servers/near.pyi')).stdout).toContain('def three(')
    expect(starts()).toEqual({ near: 3, far: 1 })
  })

  it('is not assumed to be complete', async () => {
    await run('ls', '--fresh')
    lists('near', tool('two', { description: 'The second.' }))
    expect((await run('check', '-e', 'near.one()')).status).toBe(0)
    expect(await run('check', '-e', 'near.two()')).toEqual({ status: 0, stdout: 'ok\nreaches: near.two\n', stderr: '' })
    lists('near', tool('three', { description: 'The third.' }))
    expect((await run('docs', 'near', 'three')).stdout).toContain('The third.')
    lists('near', tool('four'))
    hangs('near')
    expect(await run('docs', 'near', 'four')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'starbind: server near has no tool "four"\nhint: starbind ls --server near lists its tools\n',
    })
  })

  it('contains no credential, and only its owner can read it', async () => {
    lists('near', tool('one', { description: 'For hunter2hunter2.' }))
    const env = { LISTED: path.join(place.folder, 'near'), API_KEY: 'hunter2hunter2' }
    place.write('starbind.json', { mcpServers: { near: entryOf('near', { env }) } })
    expect((await run('cat', 'servers/near.pyi')).stdout).toContain('For [hidden]')
    const names = readdirSync(kept).sort()
    expect(names).toEqual(['json', 'revision'].map((end) => expect.stringMatching(`^[0-9a-f]{64}\\.${end}$`)))
    expect(statSync(kept).mode & 0o777).toBe(0o700)
    for (const file of names.map((name) => path.join(kept, name))) {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).not.toContain('hunter2')
    }
  })

  it.each<[what: string, spoil: (file: string) => void]>([
    ['empty', (file) => truncateSync(file)],
    ['cut', (file) => truncateSync(file, 20)],
    ['of another form', (file) => writeFileSync(file, '{"tools": {"one": {}}}')],
    [
      'nested without end',
      (file) =>
        writeFileSync(file, `{"instructions":"","capabilities":{},"tools":[${'['.repeat(2000)}${']'.repeat(2000)}]}`),
    ],
    [
      'too long',
      (file) => writeFileSync(file, `{"instructions":"${'x'.repeat(4_000_000)}","capabilities":{},"tools":[]}`),
    ],
    ['not a file', (file) => [rmSync(file), mkdirSync(file)]],
  ])('is ignored if its file is %s', async (_, spoil) => {
    place.write('starbind.json', { mcpServers: { near: entryOf('near') } })
    await run('ls', '--fresh')
    for (const name of readdirSync(kept)) spoil(path.join(kept, name))
    expect((await run('cat', 'servers/near.pyi')).stdout).toContain('def one(')
    expect(starts().near).toBe(2)
  })

  it('is deleted if the cache is too large, the oldest first', async () => {
    mkdirSync(kept, { recursive: true })
    for (let i = 0; i < 300; i++) writeFileSync(path.join(kept, `${i}.json`), '{}')
    await run('ls', '--fresh')
    expect(readdirSync(kept)).toHaveLength(200)
    await run('ls')
    expect(starts()).toEqual({ near: 1, far: 1 })
  })
})

describe('a server that hangs and was never listed', () => {
  const short = (reason: string) =>
    [
      'servers/',
      '  near.pyi  # 1 tool: one',
      'guide.md  # how to write programs',
      '# 1 tool. Search: starbind ls WORDS. One server: starbind ls --server near.',
      `# far is not connected now: ${reason}`,
      '',
    ].join('\n')
  const hint = 'hint: --fresh waits until every server has started\n'
  const hung = short('it did not answer a short while ago; it is tried again when it is named')
  const marks = () => readdirSync(kept).filter((name) => name.endsWith('.hangs'))

  const late = short('it is still starting')

  it('delays two commands, and then only those that name it', async () => {
    await run('cat', 'servers/near.pyi')
    hangs('far')
    for (const stdout of [late, late, hung, hung]) expect(await run('ls')).toEqual({ status: 0, stdout, stderr: hint })
    expect((await run('check', '-e', 'nowhere.one()')).status).toBe(1)
    expect(starts()).toEqual({ near: 1, far: 2 })
    rmSync(fileOf('far', 'hangs'))
    expect((await run('cat', 'servers/far.pyi')).stdout).toContain('def one(')
    expect([marks(), (await run('ls')).stdout]).toEqual([[], expect.stringContaining('far.pyi  # 1 tool: one')])
    expect(starts()).toEqual({ near: 1, far: 3 })
  })

  it('is asked again by the next command, which may find it awake', async () => {
    await run('cat', 'servers/near.pyi')
    hangs('far')
    expect((await run('ls')).stdout).toBe(late)
    rmSync(fileOf('far', 'hangs'))
    expect([(await run('ls')).stdout, marks()]).toEqual([expect.stringContaining('far.pyi  # 1 tool: one'), []])
  })

  it('is waited for by those that name it, until it has failed', async () => {
    const codeMode = { connectTimeoutMs: 2500 }
    place.write('starbind.json', { mcpServers: { near: entryOf('near'), far: entryOf('far') }, codeMode })
    hangs('far')
    const stderr = "host error [server-unavailable] far can't be reached: it did not answer within 2500 ms\n"
    expect(await run('docs', 'far')).toEqual({ status: 1, stdout: '', stderr })
    expect(await run('ls', '--server', 'far')).toEqual({ status: 1, stdout: '', stderr })
    expect(starts()).toEqual({ near: 0, far: 2 })
  })

  it('is waited for by a listing that would be empty without it', async () => {
    const plain = JSON.stringify(path.resolve('test/fixtures/plain-server.mjs'))
    const late = `setTimeout(() => (process.argv[1] = ${plain}, import(${plain})), 2100)`
    place.write('starbind.json', { mcpServers: { far: { command: process.execPath, args: ['-e', late] } } })
    expect((await run('ls')).stdout).toContain('far.pyi  # 25 tools')
  })

  it('does not delay the first listing of starbind serve', async () => {
    const cwd = place.folder
    place.write('starbind.json', { mcpServers: { near: entryOf('near', { cwd }), far: entryOf('far', { cwd }) } })
    await run('cat', 'servers/near.pyi')
    hangs('far')
    for (let i = 0; i < 2; i++) await run('ls')
    const configuration = readConfiguration(path.join(place.folder, 'starbind.json'))
    // As `serve` opens it. While no timer fires, a listing that waited would never come.
    await using codeMode = await CodeMode.open({ configuration, catalogueFolder: kept, startServers: 'meanwhile' })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { text } = await codeMode.listToolFiles().finally(() => vi.useRealTimers())
    expect(text.split('\n').filter((line) => /near\.pyi|far/.test(line))).toEqual([
      '  near.pyi  # 1 tool: one',
      '# far is not connected now: it is still starting',
    ])
  })

  it('delays a listing for no longer than its caller wants', async () => {
    for (const server of ['near', 'far']) hangs(server)
    await using codeMode = await CodeMode.open({ servers: { far: { ...entryOf('far'), lazy: true } } })
    const answered: string[] = []
    const list = async (name: string, options: object) => {
      const { text } = await codeMode.call('listToolFiles', {}, options)
      answered.push(`${name}: ${text.split('\n').at(-1)}`)
    }
    await Promise.all([list('patient', {}), list('hurried', { waitMs: 1 })])
    expect(answered).toEqual([
      'hurried: # far is not connected now: it is still starting',
      'patient: # far is not connected now: it is still starting',
    ])
  })

  it('is retried after a while', async () => {
    hangs('far')
    for (let i = 0; i < 2; i++) await run('ls')
    rmSync(fileOf('far', 'hangs'))
    const earlier = new Date(Date.now() - 301_000)
    for (const name of marks()) utimesSync(path.join(kept, name), earlier, earlier)
    expect((await run('ls')).stdout).toContain('far.pyi  # 1 tool: one')
    expect(starts()).toEqual({ near: 1, far: 3 })
  })
})

describe('starbind run', () => {
  it('starts the servers that a program can reach, and not those that it only mentions', async () => {
    await run('ls', '--fresh')
    hangs('far')
    expect(await run('run', '--json', '-e', '# not far\nresult = near.one()')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"result":"one"'),
    })
    expect(starts()).toEqual({ near: 2, far: 1 })
  })

  it('uses a server’s current list', async () => {
    await run('ls', '--fresh')
    lists('near', tool('two'))
    const gone = await run('run', '-e', 'near.one()')
    expect([gone.status, gone.stderr.split('\n')[0]]).toEqual([1, 'program error [unknown-tool] near has no tool one'])
    lists('near', tool('three'))
    expect(await run('run', '-e', 'result = near.three()')).toMatchObject({ status: 0, stdout: 'result: "three"\n' })
    expect((await run('cat', 'servers/near.pyi')).stdout).toContain('def three(')
  })
})

describe('starbind repl', () => {
  it('answers while an unused server is still starting', async () => {
    hangs('far')
    const stdin = '.cat near\nnear.one()\n'
    expect(await starbindHere(['repl'], { cwd: place.folder, env, stdin })).toEqual({
      status: 0,
      stdout: expect.stringMatching(/def one\(.*\nresult: "one"\n$/s),
      stderr: expect.stringMatching(/^called near\.one ×1: \d+ ms, 3 bytes\n$/),
    })
    expect(starts()).toEqual({ near: 1, far: 0 })
  })
})

describe('starbind serve', () => {
  it('lists cached tools at once, and names the servers that are still starting', async () => {
    await run('ls', '--fresh')
    hangs('far')
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [main, 'serve', '--log-level', 'silent'],
        cwd: place.folder,
        env: { ...(process.env as Record<string, string>), ...env },
        stderr: 'ignore',
      }),
    )
    const { content } = await client.callTool({ name: 'listToolFiles', arguments: {} })
    await client.close()
    const [{ text }] = content as [{ text: string }]
    expect(text.split('\n').slice(0, 3)).toEqual(['servers/', '  far.pyi  # 1 tool: one', '  near.pyi  # 1 tool: one'])
    expect(text.split('\n').filter((line) => line.startsWith('# far'))).toEqual([
      '# far is not connected now: it is still starting',
    ])
  })
})

describe('the library', () => {
  const servers = () => ({ near: { ...entryOf('near'), lazy: true } })

  it('caches lists in a given folder: lazy servers have stubs and start for their first call', async () => {
    const catalogueFolder = path.join(place.folder, 'state', 'own')
    const open = (more: object = {}) => CodeMode.open({ servers: servers(), catalogueFolder, ...more })
    for (let i = 0; i < 2; i++) {
      await using codeMode = await open()
      const { text } = await codeMode.readToolFile({ fileName: 'servers/near/one.pyi' })
      expect(text).toContain('def one(')
      expect(codeMode.servers.status()[0]).toMatchObject(
        i === 0 ? { state: 'ready', remembered: false } : { state: 'idle', remembered: true, tools: ['one'] },
      )
      expect((await codeMode.listToolFiles()).text.split('\n').at(-1)).toMatch(/^# 1 tool\. /)
      expect(starts().near).toBe(1)
    }
    await using codeMode = await open()
    expect((await codeMode.run('result = near.one()')).result).toBe('one')
    expect(codeMode.servers.status()[0]).toMatchObject({ state: 'ready', remembered: false })
    await using fresh = await open({ freshCatalogues: true })
    expect(fresh.servers.status()[0]).toMatchObject({ state: 'idle', tools: [] })
  })

  it('caches nothing by default', async () => {
    await using codeMode = await CodeMode.open({ servers: servers() })
    await codeMode.readToolFile({ fileName: 'servers/near/one.pyi' })
    expect(existsSync(state)).toBe(false)
  })
})
