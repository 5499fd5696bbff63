// `starbind import`: the servers it finds, the files it writes, and those it does not touch.

import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../dist/index.js'
import { starbindHere, Workplace } from '../fixtures/command.js'
import { atTerminal, hasTerminal } from '../fixtures/terminal.js'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

const run = (...args: string[]) => {
  const home = path.join(place.folder, 'home')
  return starbindHere(['import', ...args], {
    cwd: place.folder,
    env: { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') },
  })
}
const shown = (text: string) => text.replaceAll(place.folder, 'FOLDER')
const at = (name: string) => path.join(place.folder, name)
const read = (name: string) => readFileSync(at(name), 'utf8')
const write = (name: string, content: string | object) => {
  mkdirSync(path.dirname(at(name)), { recursive: true })
  place.write(name, content)
}
const written = () => JSON.parse(read('starbind.json'))
const starts = (file: string) => ['-y', 'starbind', 'serve', '--config', file]

describe('starbind import', () => {
  it('finds the servers of hosts, takes each once, and overwrites nothing', async () => {
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
    const { status, stdout, stderr } = await run()
    expect([status, stdout]).toEqual([0, 'starbind.json has 6 servers; starbind doctor checks them\n'])
    expect(shown(stderr).split('\n')).toEqual([
      'Claude Code (FOLDER/.mcp.json): files',
      'VS Code (FOLDER/.vscode/mcp.json): hub',
      'Claude Code (FOLDER/home/.claude.json): mine',
      'Cursor (FOLDER/home/.cursor/mcp.json): files-cursor',
      'Gemini CLI (FOLDER/home/.gemini/settings.json): line 1: "broken" is not a JSON value',
      'Codex (FOLDER/home/.codex/config.toml): docs',
      'Zed (FOLDER/home/.config/zed/settings.json): zed',
      'docs: set DOCS, in the environment or in a file that the key envFile names',
      'starbind.json holds credentials (files-cursor env.TOKEN); --secrets writes them into a file of their own',
      '',
    ])
    expect(written()).toEqual({
      mcpServers: {
        files: { command: 'npx', args: ['files'] },
        hub: { type: 'http', url: 'https://h.test' },
        mine: { command: 'mine' },
        'files-cursor': { command: 'other', env: { TOKEN: 'in-the-clear' } },
        docs: { url: 'https://d.test', bearerToken: '${DOCS}', timeoutMs: 5000 },
        zed: { args: ['-v'], command: 'zed-mcp' },
      },
    })
    expect(statSync(at('starbind.json')).mode & 0o077).toBe(0)
    const again = await run()
    expect([again.status, again.stderr]).toEqual([
      2,
      'starbind: starbind.json exists already; --merge adds to it, --force overwrites it, --print only shows\n',
    ])
    const printed = await run('--print', '-o', 'other.json')
    expect([printed.status, existsSync(at('other.json'))]).toEqual([0, false])
  })

  it('reports that there is nothing, and wrong arguments', async () => {
    expect(await run()).toEqual({
      status: 1,
      stdout: '',
      stderr: 'no host on this machine has MCP servers that could be imported; nothing was written\n',
    })
    const failures = [await run('-o', 'no/such/starbind.json'), await run('-o', '.'), await run('--from', 'emacs')].map(
      ({ status, stderr }) => [status, stderr.split('\n')[0]],
    )
    expect(failures).toEqual([
      [2, 'starbind: there is no folder no/such'],
      [2, 'starbind: . is a folder'],
      [
        2,
        expect.stringMatching(
          /^starbind: option '--from <host...>' argument 'emacs' is invalid\. Allowed choices are claude-code, /,
        ),
      ],
    ])
  })

  it('takes only the servers of the named hosts', async () => {
    write('.cursor/mcp.json', { mcpServers: { a: { command: 'a' } } })
    write('.roo/mcp.json', { mcpServers: { b: { command: 'b' } } })
    write('.mcp.json', { mcpServers: { c: { command: 'c' } } })
    const { stderr } = await run('--from', 'roo-code', 'cursor')
    expect(shown(stderr)).toBe('Cursor (FOLDER/.cursor/mcp.json): a\nRoo Code (FOLDER/.roo/mcp.json): b\n')
    expect(Object.keys(written().mcpServers)).toEqual(['a', 'b'])
    expect((await run('--from', 'roo-code,cursor', '--force')).stderr).toBe(stderr)
    expect((await run('--from', 'roo-code,nowhere', '--force')).stderr).toMatch(
      /^starbind: option '--from <host\.\.\.>' argument 'roo-code,nowhere' is invalid\. Allowed choices are claude-code, /,
    )
  })

  it('leaves out entries that would be refused, so the written file is valid', async () => {
    write('.mcp.json', {
      mcpServers: {
        good: { command: 'a', args: ['${UNSET}'], watchPaths: ['x'] },
        list: { command: 'a', args: 'x' },
        neither: { description: 'x' },
        text: 'a',
        odd: { url: 'ftp://x' },
      },
    })
    const { status, stderr } = await run()
    expect(status).toBe(0)
    expect(shown(stderr)).toBe(
      'Claude Code (FOLDER/.mcp.json): good; good: watchPaths means nothing here; list: args: got a string, want a list of strings; neither: got neither command nor url, want command (a program to start) or url; text: it is not an object; odd: url: got something else, want an http or https URL\n' +
        'good: set UNSET, in the environment or in a file that the key envFile names\n',
    )
    expect(readConfiguration(at('starbind.json')).servers.map(({ name }) => name)).toEqual(['good'])
  })

  it('reports inputs of VS Code and uses their defaults', async () => {
    write('.vscode/mcp.json', {
      inputs: [
        { id: 'hub-token', type: 'promptString', description: 'Token of the hub', password: true },
        { id: 'region', type: 'pickString', default: 'eu' },
      ],
      servers: {
        hub: {
          url: 'https://h.test',
          headers: { Authorization: 'Bearer ${input:hub-token}', Region: '${input:region}' },
        },
      },
    })
    const { stderr } = await run()
    expect(shown(stderr)).toBe(
      'VS Code (FOLDER/.vscode/mcp.json): hub\nhub: set STARBIND_INPUT_HUB_TOKEN (Token of the hub), in the environment or in a file that the key envFile names\n',
    )
    const environment = { STARBIND_INPUT_HUB_TOKEN: 't' }
    expect(readConfiguration(at('starbind.json'), { environment }).servers[0]?.connection).toMatchObject({
      headers: { Authorization: 'Bearer t', Region: 'eu' },
    })
  })

  it('makes paths of the project absolute for a file in another folder', async () => {
    write('.vscode/mcp.json', {
      servers: { a: { command: '${workspaceFolder}/bin/a', cwd: 'sub', envFile: '${workspaceFolder}/.env' } },
    })
    mkdirSync(at('elsewhere'))
    await run('-o', 'elsewhere/starbind.json')
    expect(JSON.parse(shown(read('elsewhere/starbind.json')))).toEqual({
      mcpServers: { a: { command: 'FOLDER/bin/a', cwd: 'FOLDER/sub', envFile: 'FOLDER/.env' } },
    })
  })

  it('adds missing servers to a file and keeps the others', async () => {
    write('.mcp.json', { mcpServers: { a: { command: 'a', env: { A_TOKEN: 's3cret' } }, b: { command: 'b' } } })
    write('.env', 'A_TOKEN=s3cret')
    write(
      'starbind.json',
      '{\n  // ours\n  "envFile": ".env",\n  "mcpServers": {\n    "mine": { "command": "a", "env": { "A_TOKEN": "${A_TOKEN}" } },\n    "b": { "command": "other" }\n  }\n}\n',
    )
    const { status, stdout, stderr } = await run('--merge')
    expect([status, stdout, shown(stderr)]).toEqual([
      0,
      'starbind.json has 3 servers; starbind doctor checks them\n',
      'Claude Code (FOLDER/.mcp.json): b-claude-code\n',
    ])
    expect(read('starbind.json')).toBe(
      '{\n  // ours\n  "envFile": ".env",\n  "mcpServers": {\n    "mine": { "command": "a", "env": { "A_TOKEN": "${A_TOKEN}" } },\n    "b": {\n      "command": "other"\n    },\n    "b-claude-code": {\n      "command": "b"\n    }\n  }\n}\n',
    )
    write('starbind.json', '{ "servers": {} }')
    const other = await run('--merge')
    expect([other.status, other.stderr]).toEqual([
      2,
      "starbind: servers can't be added to starbind.json: it has the form of another program\n",
    ])
  })
})

describe('credentials', () => {
  const secrets = {
    shop: {
      command: 'shop',
      args: ['--api-key', 'k1', '--password=p w\'"', 'postgres://me:pw@db/x', '--verbose'],
      env: { API_KEY: 'e1', LEVEL: 'info' },
    },
    '9-hub': {
      url: 'https://h.test/mcp?access_token=q1&x=1',
      headers: { Authorization: 'Bearer b1', 'X-Api-Key': 'h1', Accept: 'text/plain' },
      oauth: { clientId: 'c', clientSecret: 'o1' },
    },
    other: { command: 'other', env: { API_KEY: 'e2', PEM_KEY: 'line 1\nline 2\n', ODD_KEY: '\n\'"`' } },
  }

  it('are moved into an env file without changing their meaning', async () => {
    write('.mcp.json', { mcpServers: secrets })
    write('.env', '# mine\nAPI_KEY=another')
    mkdirSync(at('.git'))
    write('.gitignore', 'dist')
    const { status, stderr } = await run('--secrets', '--gitignore')
    expect([status, shown(stderr)]).toEqual([
      0,
      'Claude Code (FOLDER/.mcp.json): shop, 9-hub, other\n' +
        '.env has 11 credentials; starbind.json refers to them\n.gitignore has starbind.json and .env\n',
    ])
    expect(written()).toEqual({
      envFile: '.env',
      mcpServers: {
        shop: {
          command: 'shop',
          args: [
            '--api-key',
            '${SHOP_API_KEY_2}',
            '--password=${SHOP_PASSWORD}',
            'postgres://me:${SHOP_PASSWORD_2}@db/x',
            '--verbose',
          ],
          env: { API_KEY: '${SHOP_API_KEY}', LEVEL: 'info' },
        },
        '9-hub': {
          url: 'https://h.test/mcp?access_token=${_9_HUB_ACCESS_TOKEN}&x=1',
          headers: {
            Authorization: 'Bearer ${_9_HUB_AUTHORIZATION}',
            'X-Api-Key': '${_9_HUB_X_API_KEY}',
            Accept: 'text/plain',
          },
          oauth: { clientId: 'c', clientSecret: '${_9_HUB_CLIENTSECRET}' },
        },
        other: {
          command: 'other',
          // No line says what has every kind of quote and a break.
          env: { API_KEY: '${OTHER_API_KEY}', PEM_KEY: '${PEM_KEY}', ODD_KEY: '\n\'"`' },
        },
      },
    })
    expect(read('.gitignore')).toBe('dist\n/starbind.json\n/.env\n')
    expect(read('.env')).toMatch(/^# mine\nAPI_KEY=another\n/)
    expect(statSync(at('.env')).mode & 0o077).toBe(0)
    const connections = (name: string) =>
      readConfiguration(at(name), { environment: {} }).servers.map(({ connection }) => connection)
    expect(connections('starbind.json')).toEqual(connections('.mcp.json'))
    // Another time nothing is left to do.
    const again = await run('--merge', '--secrets', '--gitignore')
    expect(shown(again.stderr)).toBe('Claude Code (FOLDER/.mcp.json): nothing new\n')
  })

  it('are reported if nobody can be asked, with the files that git sees', async () => {
    write('.mcp.json', { mcpServers: { a: secrets.shop } })
    mkdirSync(at('.git'))
    const { stderr } = await run()
    expect(shown(stderr)).toBe(
      'Claude Code (FOLDER/.mcp.json): a\n' +
        'starbind.json holds credentials (a env.API_KEY, a args.1, a args.2, a args.3); --secrets writes them into a file of their own\n' +
        'git sees starbind.json; --gitignore keeps it out\n',
    )
    expect(existsSync(at('.gitignore'))).toBe(false)
  })
})

describe('starbind import --move', () => {
  it('makes every host start starbind instead of the imported servers, and keeps the rest of its file', async () => {
    const claude =
      '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "a", "env": { "KEY": "s3cret" } },\n    "bad": { "command": 3 }\n  }\n}\n'
    write('.mcp.json', claude)
    write(
      'home/.codex/config.toml',
      '# mine\nmodel = "x"\n\n[mcp_servers.a]\ncommand = "b"\n\n[mcp_servers.a.env]\nX = "1"\n\n[tui]\ntheme = "y"\n',
    )
    write(
      'home/.config/goose/config.yaml',
      '# mine\nextensions:\n  memory:\n    type: builtin\n    enabled: true\n  a:\n    type: stdio\n    cmd: c\n    args: []\n    enabled: true\nGOOSE_MODE: auto\n',
    )
    write('real.json', '{ "mcp": { "d": { "type": "local", "command": ["d", "1"] } } }')
    symlinkSync(at('real.json'), at('opencode.json'))
    await run()
    // Credentials are not shown, whether they are new or not.
    const shownOnly = await run('--move', '--merge')
    expect([shownOnly.status, read('.mcp.json')]).toEqual([1, claude])
    expect(shown(shownOnly.stderr)).toContain(`--- FOLDER/.mcp.json
+++ FOLDER/.mcp.json
@@ -2,6 +2,18 @@
   // mine
   "mcpServers": {
-    "a": { "command": "a", "env": { "KEY": "[hidden]" } },
-    "bad": { "command": 3 }
+    "bad": {
+      "command": 3
+    },
+    "starbind": {
+      "type": "stdio",
+      "command": "npx",
+      "args": [
+        "-y",
+        "starbind",
+        "serve",
+        "--config",
+        "FOLDER/starbind.json"
+      ]
+    }
   }
 }
`)
    expect(shownOnly.stderr).not.toContain('s3cret')
    expect(shownOnly.stderr).toMatch(/\nno file of a host was changed: --yes changes them without asking\n$/)

    const { status, stdout } = await run('--move', '--yes', '--force')
    expect([status, shown(stdout)]).toEqual([
      0,
      'starbind.json has 4 servers; starbind doctor checks them\n' +
        'Claude Code starts starbind (FOLDER/.mcp.json); before: FOLDER/.mcp.json.bak\n' +
        'opencode starts starbind (FOLDER/opencode.json); before: FOLDER/real.json.bak\n' +
        'Codex starts starbind (FOLDER/home/.codex/config.toml); before: FOLDER/home/.codex/config.toml.bak\n' +
        'Goose starts starbind (FOLDER/home/.config/goose/config.yaml); before: FOLDER/home/.config/goose/config.yaml.bak\n',
    ])
    expect(read('.mcp.json.bak')).toBe(claude)
    expect(shown(read('home/.codex/config.toml'))).toBe(
      '# mine\nmodel = "x"\n\n[tui]\ntheme = "y"\n\n[mcp_servers.starbind]\ncommand = "npx"\nargs = [ "-y", "starbind", "serve", "--config", "FOLDER/starbind.json" ]\n',
    )
    expect(shown(read('home/.config/goose/config.yaml'))).toBe(
      '# mine\nextensions:\n  memory:\n    type: builtin\n    enabled: true\n  starbind:\n    name: starbind\n    type: stdio\n    enabled: true\n    cmd: npx\n    args:\n      - -y\n      - starbind\n      - serve\n      - --config\n      - FOLDER/starbind.json\n    timeout: 300\nGOOSE_MODE: auto\n',
    )
    expect(JSON.parse(read('opencode.json')).mcp).toEqual({
      starbind: { type: 'local', command: ['npx', ...starts(at('starbind.json'))] },
    })
    expect(Object.keys(written().mcpServers)).toEqual(['a', 'd', 'a-codex', 'a-goose'])
    // What was moved is not moved again.
    const again = await run('--move', '--yes', '--merge')
    expect([again.status, again.stdout]).toEqual([0, 'starbind.json has 4 servers; starbind doctor checks them\n'])
  })

  it('does not change files that only a person can change', async () => {
    const text = 'mcp_servers = { a = { command = "a" } }\n'
    write('home/.codex/config.toml', text)
    const { status, stderr } = await run('--move', '--yes')
    expect([status, shown(stderr)]).toEqual([
      1,
      'Codex (FOLDER/home/.codex/config.toml): a\n' +
        'Codex (FOLDER/home/.codex/config.toml) is not changed: it can only be edited by hand\n',
    ])
    expect(read('home/.codex/config.toml')).toBe(text)
  })
})

describe.skipIf(!hasTerminal)('starbind import at a terminal', () => {
  const typing = (args: readonly string[], ...typed: (readonly [string, string])[]) => {
    const env = { HOME: at('home'), XDG_CONFIG_HOME: at('home/.config') }
    return atTerminal(['import', ...args], { cwd: place.folder, env, typed })
  }
  const text = { mcpServers: { a: { command: 'a', env: { A_KEY: 's3cret' } } } }

  it('offers to move credentials out of git, and asks before it changes a host', async () => {
    write('.cursor/mcp.json', text)
    write('home/.cursor/mcp.json', { mcpServers: { b: { command: 'b' } } })
    mkdirSync(at('.git'))
    const { status, screen } = await typing(
      ['--move'],
      ['into .env instead?', '\n'],
      ['to .gitignore?', 'n\n'],
      ['Let Cursor start starbind like this?', 'y\n'],
      ['Let Cursor start starbind like this?', '\n'],
    )
    expect(status).toBe(1)
    const lines = shown(screen).split('\n')
    expect(lines.filter((line) => !/^[ +@-]/.test(line))).toEqual([
      'Cursor (FOLDER/.cursor/mcp.json): a',
      'Cursor (FOLDER/home/.cursor/mcp.json): b',
      'starbind.json would hold credentials (a env.A_KEY). Write them into .env instead? [Y/n] ',
      'starbind.json has 2 servers; starbind doctor checks them',
      '.env has 1 credential; starbind.json refers to them',
      'Add starbind.json and .env to .gitignore? [Y/n] n',
      'git sees starbind.json and .env; --gitignore keeps them out',
      'Let Cursor start starbind like this? [y/N] y',
      'Cursor starts starbind (FOLDER/.cursor/mcp.json); before: FOLDER/.cursor/mcp.json.bak',
      'Let Cursor start starbind like this? [y/N] ',
      '',
    ])
    expect([read('.env'), existsSync(at('.gitignore'))]).toEqual(['A_KEY=s3cret\n', false])
    expect(JSON.parse(read('.cursor/mcp.json'))).toEqual({
      mcpServers: { starbind: { command: 'npx', args: starts(at('starbind.json')) } },
    })
    expect(JSON.parse(read('home/.cursor/mcp.json'))).toEqual({ mcpServers: { b: { command: 'b' } } })
  })

  it('can be interrupted at a question and has then written nothing', async () => {
    write('.cursor/mcp.json', text)
    const { status, screen } = await typing([], ['instead? [Y/n] ', '^C'])
    expect([status, screen.replace(/^[\s\S]*instead\? \[Y\/n\] /, '')]).toEqual([130, '^C\ninterrupted\n'])
    expect([existsSync(at('starbind.json')), existsSync(at('.env'))]).toEqual([false, false])
  })
})
