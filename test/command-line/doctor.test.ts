// The report of `starbind doctor` about a configuration and its servers.

import { chmodSync, mkdirSync } from 'node:fs'
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
  it('reports the problem of each server in one line and calls no tool', async () => {
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
      'BAD  crash  it ended before it answered; it said "Error: no token for hunter2secret"',
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

  it('names the hosts whose servers could be imported where there is no configuration', async () => {
    const elsewhere = new Workplace()
    const env = { HOME: elsewhere.folder, USERPROFILE: elsewhere.folder, XDG_CONFIG_HOME: elsewhere.folder }
    const examined = async () => starbindHere(['doctor'], { cwd: elsewhere.folder, env })
    const missing = 'starbind: there is no configuration: no starbind.json or .mcp.json, here or in a folder above\n'
    const hint = 'hint: write one, for example with starbind add files; starbind try has some built in\n'
    expect(await examined()).toEqual({ status: 2, stdout: '', stderr: missing + hint })
    mkdirSync(path.join(elsewhere.folder, '.cursor'))
    elsewhere.write('.cursor/mcp.json', { mcpServers: { far: { url: `${deadOrigin}/mcp` } } })
    const found = 'hint: starbind import writes one with the servers of Cursor; starbind try has some built in\n'
    expect(await examined()).toEqual({ status: 2, stdout: '', stderr: missing + found })
    elsewhere.remove()
  })

  it('suggests a fix for a silent server, and reports names in lists that match nothing', async () => {
    const script = place.write('npx', '#!/usr/bin/env node\nsetTimeout(() => {}, 600_000)\n')
    chmodSync(script, 0o755)
    const wait = { connectTimeoutMs: 300 }
    const file = place.write('slow.json', {
      mcpServers: {
        npx: { command: script, args: ['-y', 'x'], ...wait },
        slow: { command: process.execPath, args: ['-e', 'setTimeout(() => {}, 600_000)'], ...wait },
        lists: place.fixture('plain-server', {
          toolsToExecute: ['echo', 'ecko', 'a*'],
          toolsToAutoExecute: ['nobody'],
        }),
        auto: place.fixture('plain-server', { toolsToAutoExecute: ['echo', 'nobody'] }),
      },
    })
    const { stdout } = await run('doctor', '--config', file)
    expect(
      shown(stdout)
        .replace(/:\d+:\d+/g, ':LINE')
        .split('\n'),
    ).toEqual([
      'the configuration FOLDER/slow.json is in order',
      'BAD  npx    it did not answer within 300 ms; npx may still be fetching it: run it once by hand, or raise its connectTimeoutMs (slow.json:LINE)',
      'BAD  slow   it did not answer within 300 ms; if it is only slow, raise its connectTimeoutMs (slow.json:LINE)',
      'ok   lists  2 tools; slow.json:LINE toolsToExecute names unknown tools: ecko',
      expect.stringMatching(
        /^ok {3}auto {3}\d+ tools; slow\.json:LINE toolsToAutoExecute names unknown tools: nobody$/,
      ),
      '',
    ])
  })

  it('names keys as in their file, with the line', async () => {
    const { command, args, env } = place.fixture('plain-server') as {
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
    const hang = ['-e', 'setTimeout(() => {}, 600_000)']
    const client = (name: string, stdio: object, more: object = {}) => ({
      name,
      connection_type: 'stdio',
      is_code_mode_client: true,
      stdio_config: stdio,
      ...more,
    })
    const bifrost = place.write('own-words.json', {
      mcp: {
        client_configs: [
          client('lists', { command, args, envs: Object.keys(env) }, { tools_to_execute: ['echo', 'ecko'] }),
          client('slow', { command: process.execPath, args: hang }),
        ],
      },
    })
    const given = { ...env, STARBIND_CONNECT_TIMEOUT_MS: '2000' }
    const ended = await starbindHere(['doctor', '--config', bifrost], { cwd: place.folder, env: given })
    const isOwn = (line: string) => !line.includes('STARBIND_TEST_MARK')
    expect(shown(ended.stdout).split('\n').filter(isOwn)).toEqual([
      'the configuration FOLDER/own-words.json is in order',
      expect.stringMatching(
        /^ok {3}lists {2}1 tool; own-words\.json:\d+:9 tools_to_execute names unknown tools: ecko$/,
      ),
      'BAD  slow   it did not answer within 2000 ms; if it is only slow, raise STARBIND_CONNECT_TIMEOUT_MS',
      '',
    ])
    const file = place.write('code.json', {
      servers: {
        slow: { command: process.execPath, args: hang, startup_timeout_sec: 0.3 },
        typo: { command: 'x', enabled_tools: 'echo' },
      },
    })
    expect(shown((await run('doctor', '--config', file)).stdout).split('\n')).toEqual([
      'the configuration FOLDER/code.json has 1 wrong entry; the others work',
      'BAD  slow  it did not answer within 300 ms; if it is only slow, raise its startup_timeout_sec (code.json:9:7)',
      'BAD  typo  code.json:13:7 servers.typo.enabled_tools: got a string, want a list of tool names',
      '',
    ])
  })

  it('shows the line of stderr with the reason, wherever it is', async () => {
    const says = (code: string) => ({ command: process.execPath, args: ['-e', code] })
    const stack = Array.from({ length: 30 }, (_, i) => `    at f${i} (/x.js:1:1)`)
    const prints = (...lines: string[]) =>
      says(`console.error(${JSON.stringify(lines.join('\n'))}); process.exitCode = 1`)
    const file = place.write('says.json', {
      mcpServers: {
        node: prints(
          'starting',
          'Error: Cannot find module "./x"',
          ...stack,
          "  code: 'MODULE_NOT_FOUND'",
          '}',
          '',
          'Node.js v20.1.0',
        ),
        python: prints(
          'Traceback (most recent call last):',
          '  File "x.py", line 1',
          'ModuleNotFoundError: No module named y',
        ),
        npm: prints(
          'npm error code E404',
          'npm error 404 Not Found - GET https://r.test/x',
          'npm error A complete log of this run can be found in: /x',
        ),
        words: prints('The token is missing.', 'Bye.'),
        silent: prints('Bye.'),
        mute: { command: process.execPath, args: ['-e', 'require("fs").closeSync(0); process.exitCode = 3'] },
      },
    })
    const { stdout } = await run('doctor', '--config', file)
    expect(stdout.split('\n').map((line) => line.replace(/^.*; /, ''))).toEqual([
      expect.any(String),
      'it said "Error: Cannot find module \\"./x\\""',
      'it said "ModuleNotFoundError: No module named y"',
      'it said "npm error 404 Not Found - GET https://r.test/x"',
      'it said "The token is missing."',
      'its last output was "Bye."',
      'its process ended with status 3',
      '',
    ])
  })

  it('shows the last words of a server that is being retried', async () => {
    const [first, again] = ['first', 'again'].map((name) => path.join(place.folder, `${name}.mark`))
    const says = (code: string) => ({ command: process.execPath, args: ['-e', `const fs = require('fs'); ${code}`] })
    const plain = JSON.stringify(path.resolve('test/fixtures/plain-server.mjs'))
    const file = place.write('again.json', {
      mcpServers: {
        // It ends at once, and hangs when it is started again.
        crash: {
          ...says(
            `if (fs.existsSync('${first}')) { fs.writeFileSync('${again}', ''); setInterval(() => {}, 1000) }
             else { fs.writeFileSync('${first}', ''); console.error('starting\\nError: no token'); process.exitCode = 1 }`,
          ),
          // It is not started a second time within one attempt, to be offered the handshake.
          protocol: '2025',
        },
        // It answers after that.
        late: says(
          `const look = setInterval(() => { if (fs.existsSync('${again}')) { clearInterval(look); serve() } }, 20)
           const serve = () => { process.argv[1] = ${plain}; import(${plain}) }`,
        ),
      },
    })
    const { stdout } = await run('doctor', '--config', file)
    expect(stdout.split('\n').slice(1)).toEqual([
      'BAD  crash  it ended before it answered; it said "Error: no token"',
      expect.stringMatching(/^ok {3}late {3}\d+ tools/),
      '',
    ])
  })

  it('lists settings without effect: unknown keys of Bifrost, unknown variables', async () => {
    const file = place.write('bifrost.json', {
      mcp: {
        client_configs: [
          {
            name: 'a',
            disabled: true,
            connection_type: 'stdio',
            stdio_config: { command: 'x', env: [] },
            tool_pricing: {},
            tols_to_execute: ['*'],
          },
        ],
      },
    })
    const variables = { STARBIND_TIMEOT: '5s', STARBIND_WALL_MS: '5s', STARBIND_QUICK_AND_DIRTY: '1' }
    const { stdout } = await starbindHere(['doctor', '--config', file], {
      cwd: place.folder,
      env: { ...env, ...variables },
    })
    const lines = shown(stdout)
      .split('\n')
      .filter((line) => line.startsWith('note '))
    expect(lines).toEqual([
      'note bifrost.json:13:9 mcp.client_configs[0].tols_to_execute is not a known key; write "tools_to_execute"',
      'note bifrost.json:10:11 mcp.client_configs[0].stdio_config.env is not a known key; write "envs"',
      'note the environment variable STARBIND_TIMEOT is not known; set STARBIND_TIMEOUT',
      'note the environment variable STARBIND_QUICK_AND_DIRTY is not known; docs/configuration.md lists all variables',
    ])
  })

  it('reports a wrong configuration', async () => {
    const file = place.write('wrong.json', '{ "mcpServers": { "a": { "comand": "x" } } }')
    const { status, stdout } = await run('doctor', '--config', file)
    expect([status, shown(stdout)]).toEqual([
      1,
      'the configuration FOLDER/wrong.json has 1 wrong entry; the others work\n' +
        'BAD  a  wrong.json:1:26 mcpServers.a.comand is not a known key; write "command"\n',
    ])
    const outside = place.write('outside.json', '{ "mcpServer": {} }')
    const ended = await run('doctor', '--config', outside)
    expect([ended.status, ended.stdout]).toEqual([2, ''])
    expect(shown(ended.stderr)).toContain('[config-unknown-key] outside.json:1:3 mcpServer')
  })
})
