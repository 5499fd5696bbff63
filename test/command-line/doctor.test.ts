// The commands that help with the configuration: finding what other hosts have, and saying what is wrong.

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'
import { deadOrigin } from '../fixtures/http-server.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const env = { HOME: path.join(place.folder, 'home'), XDG_CONFIG_HOME: path.join(place.folder, 'home', '.config') }
const run = (...args: string[]) => starbindHere(args, { cwd: place.folder, env })
const shown = (text: string) => text.replaceAll(place.folder, 'FOLDER')

describe('starbind doctor', () => {
  it('says in one line for each server what is wrong, and calls nothing', async () => {
    const file = place.write('servers.json', {
      mcpServers: {
        good: place.fixture('changing-server', { lazy: true }),
        odd: place.fixture('misbehaving-server'),
        gone: { command: path.join(place.folder, 'no-such-thing') },
        crash: place.fixture('exits-at-once'),
        far: { url: `${deadOrigin}/mcp` },
        off: { command: 'x', disabled: true },
      },
    })
    const { status, stdout, stderr } = await run('doctor', '--config', file)
    expect([status, stderr]).toEqual([1, ''])
    expect(shown(stdout).split('\n')).toEqual([
      'the configuration FOLDER/servers.json is in order',
      'ok   good   7 tools',
      'ok   odd    9 tools; no_schema is set aside: its inputSchema is not an object schema, and 5 more',
      'BAD  gone   there is no command FOLDER/no-such-thing',
      'BAD  crash  it ended before it answered; its last words were "reading the token file | Error: no token for hunter2secret"',
      `BAD  far    ${deadOrigin} can't be reached: connection refused`,
      'off  off    it is disabled in the configuration',
      '',
    ])
    const json = await run('doctor', '--json', '--config', file)
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      servers: [{ name: 'good', state: 'ready' }, {}, {}, {}, {}, {}],
    })
  })

  it('says what is wrong with the configuration itself', async () => {
    const file = place.write('wrong.json', '{ "mcpServers": { "a": { "comand": "x" } } }')
    const { status, stdout } = await run('doctor', '--config', file)
    expect([status, shown(stdout)]).toEqual([
      1,
      'the configuration FOLDER/wrong.json has 1 wrong entry; the others work\n' +
        'BAD  a  wrong.json:1:26 mcpServers.a.comand is not a key that is known here; write "command"\n',
    ])
    const outside = place.write('outside.json', '{ "mcpServer": {} }')
    const ended = await run('doctor', '--config', outside)
    expect([ended.status, ended.stdout]).toEqual([2, ''])
    expect(shown(ended.stderr)).toContain('[config-unknown-key] outside.json:1:3 mcpServer')
  })
})

describe('starbind import', () => {
  it('finds what hosts have, takes each server once, and overwrites nothing', async () => {
    const write = (name: string, content: string | object) => {
      mkdirSync(path.dirname(path.join(place.folder, name)), { recursive: true })
      place.write(name, content)
    }
    write('.mcp.json', {
      mcpServers: {
        files: { command: 'npx', args: ['files'] },
        me: { command: 'npx', args: ['-y', 'starbind', 'serve'] },
      },
    })
    write('.vscode/mcp.json', '{ // for all\n "servers": { "hub": { "type": "http", "url": "https://h.test" } } }')
    write('home/.claude.json', {
      numStartups: 3,
      mcpServers: { files: { command: 'npx', args: ['files'] } },
      projects: { [place.folder]: { mcpServers: { mine: { command: 'mine' } } } },
    })
    write('home/.cursor/mcp.json', { mcpServers: { files: { command: 'other', env: { TOKEN: 'in-the-clear' } } } })
    write(
      'home/.codex/config.toml',
      'model = "x"\n[mcp_servers.docs]\nurl = "https://d.test"\nbearer_token_env_var = "DOCS"\ntool_timeout_sec = 5\n',
    )
    write('home/.config/zed/settings.json', {
      theme: 'x',
      context_servers: { zed: { source: 'custom', command: { path: 'zed-mcp', args: ['-v'] } } },
    })
    write('home/.gemini/settings.json', '{ broken')
    const { status, stdout, stderr } = await run('import')
    expect([status, stdout]).toEqual([0, 'starbind.json has 6 servers; starbind doctor checks them\n'])
    expect(shown(stderr).split('\n')).toEqual([
      'Claude Code (FOLDER/.mcp.json): files',
      'VS Code (FOLDER/.vscode/mcp.json): hub',
      'Claude Code (FOLDER/home/.claude.json): mine',
      'Cursor (FOLDER/home/.cursor/mcp.json): files-cursor',
      'Gemini CLI (FOLDER/home/.gemini/settings.json): line 1: "broken" is not a JSON value',
      'Codex (FOLDER/home/.codex/config.toml): docs',
      'Zed (FOLDER/home/.config/zed/settings.json): zed',
      '',
    ])
    const file = path.join(place.folder, 'starbind.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: {
        files: { command: 'npx', args: ['files'] },
        hub: { type: 'http', url: 'https://h.test' },
        mine: { command: 'mine' },
        'files-cursor': { command: 'other', env: { TOKEN: 'in-the-clear' } },
        docs: { url: 'https://d.test', bearerToken: '${DOCS}', timeoutMs: 5000 },
        zed: { args: ['-v'], command: 'zed-mcp' },
      },
    })
    expect(statSync(file).mode & 0o077).toBe(0)
    const again = await run('import')
    expect([again.status, again.stderr.split('\n').at(-2)]).toEqual([
      2,
      'starbind: starbind.json exists already; --force overwrites it, --print only shows',
    ])
    const printed = await run('import', '--print', '-o', 'other.json')
    expect([printed.status, existsSync(path.join(place.folder, 'other.json'))]).toEqual([0, false])
  })
})
