// ls, cat and docs: a person asks what a model would ask.

import { afterAll, describe, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})
place.write('starbind.json', {
  mcpServers: { odd: place.fixture('misbehaving-server'), broken: place.fixture('exits-at-once') },
})

const ask = (...args: string[]) => starbindHere([...args, '--log-level', 'silent'], { cwd: place.folder })

describe('starbind ls', () => {
  it('shows the tree and the servers that are missing', async () => {
    const { status, stdout, stderr } = await ask('ls', '--fresh')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^servers\/\n {2}odd\.pyi {2}# 9 tools/)
    expect(stdout).toMatch(/\n# broken is not available: it ended before it answered\n$/)
  })

  it('searches', async () => {
    const { status, stdout } = await ask('ls', '--fresh', 'echo', 'text')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^odd\.echo {2,}# Says what it was told\n/)
    expect(stdout).toMatch(/\n# broken is not available: it ended before it answered\n$/)
    expect((await ask('ls', 'echo', 'text', '--signatures')).stdout).toContain(
      '\nodd.echo(text: str = ...) -> Any  # Says what it was told\n',
    )
    expect((await ask('ls', 'nothing-like-that')).stdout).toMatch(/^No tool matches "nothing-like-that"/)
  })

  it('prints JSON', async () => {
    const tree = await ask('ls', '--json')
    expect(JSON.parse(tree.stdout)).toEqual({ servers: [{ server: 'odd', tools: 9, path: 'servers/odd.pyi' }] })
    const found = JSON.parse((await ask('ls', 'echo', '--json')).stdout) as { results: { tool: string }[] }
    expect(found.results[0]?.tool).toBe('echo')
  })

  it('names the nearest server for a wrong one', async () => {
    const { status, stdout, stderr } = await ask('ls', '--fresh', '--server', 'od')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toBe(
      'starbind: there is no server "od"\nhint: the nearest names are odd\n# broken is not available: it ended before it answered\n',
    )
  })
})

describe('starbind cat', () => {
  it('prints stub files', async () => {
    const { status, stdout } = await ask('cat', 'servers/odd.pyi')
    expect(status).toBe(0)
    expect(stdout).toContain('def echo(text: str = ...)')
  })

  it('names the nearest file for a wrong one', async () => {
    const { status, stderr } = await ask('cat', 'servers/od.pyi')
    expect(status).toBe(2)
    expect(stderr).toBe('starbind: there is no file "servers/od.pyi"\nhint: the nearest files are servers/odd.pyi\n')
  })
})

describe('starbind docs', () => {
  it('prints everything about a tool', async () => {
    const { status, stdout } = await ask('docs', 'odd', 'echo')
    expect(status).toBe(0)
    expect(stdout).toContain('Says what it was told')
  })

  it('lists the tools of a server without a tool’s name', async () => {
    expect(await ask('docs', 'odd')).toEqual(await ask('ls', '--server', 'odd'))
    expect((await ask('docs', 'odd')).stdout).toMatch(/^servers\/odd\.pyi {2}9 tools\n/)
  })

  it('names the nearest tool for a wrong one', async () => {
    const { status, stderr } = await ask('docs', 'odd', 'ecko')
    expect(status).toBe(2)
    expect(stderr).toBe('starbind: server odd has no tool "ecko"\nhint: the nearest names are echo\n')
  })
})

describe('starbind', () => {
  it('prints its version and its usage', async () => {
    expect(await ask('--version')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    })
    const help = await ask('--help')
    expect(help).toMatchObject({ status: 0, stderr: '' })
    for (const command of ['serve', 'run', 'ls', 'cat', 'docs']) expect(help.stdout).toContain(`\n  ${command} `)
    expect((await ask('run', '--help')).stdout).toContain('--config <file>')
  })

  it('refuses commands that do not exist', async () => {
    expect(await ask('bogus')).toEqual({
      status: 2,
      stdout: '',
      stderr: "starbind: unknown command 'bogus'\nhint: starbind --help lists commands and options\n",
    })
    expect(await ask('help', 'bogus')).toEqual(await ask('bogus'))
    expect(await ask('help', 'keys', 'bogus')).toEqual({
      status: 2,
      stdout: '',
      stderr: "starbind: unknown command 'bogus'\nhint: starbind keys --help shows its options and examples\n",
    })
    expect(await ask('help', 'keys', 'add')).toEqual(await ask('keys', 'add', '--help'))
    expect(await ask('rnu')).toEqual({
      status: 2,
      stdout: '',
      stderr:
        "starbind: unknown command 'rnu'\n(did you mean run?)\nhint: starbind --help lists commands and options\n",
    })
  })
})

describe('without servers', () => {
  const elsewhere = new Workplace()
  afterAll(() => elsewhere.remove())
  const hint =
    'hint: servers are read from starbind.json or .mcp.json, here or in a folder above; starbind import writes one, starbind try has some built in\n'

  it('ls names the files that could configure servers', async () => {
    expect(await starbindHere(['ls'], { cwd: elsewhere.folder })).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'starbind: there is no configuration: no starbind.json or .mcp.json, here or in a folder above\n' +
        'hint: starbind import writes one with the servers of other hosts; starbind try has some built in\n',
    })
    const file = elsewhere.write('empty.json', { mcpServers: {} })
    expect(await starbindHere(['ls', '--config', file], { cwd: elsewhere.folder })).toEqual({
      status: 0,
      stdout: 'No servers are connected, so programs have no tools to call.\n',
      stderr: hint,
    })
    const docs = await starbindHere(['docs', 'github', 'list_issues'], { cwd: elsewhere.folder })
    expect(docs).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(hint) })
  })

  it('cat shows the guide', async () => {
    const guide = await starbindHere(['cat', 'guide.md'], { cwd: elsewhere.folder })
    expect(guide).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('# Writing programs') })
  })
})
