// What each host writes, as its documentation shows it, in our words; and the entry that starts starbind there.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { hostNames, importHosts, movedHostText } from '../../dist/index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'starbind-hosts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const command = { command: 'npx', args: ['-y', 'starbind', 'serve', '--config', '/x/starbind.json'] }
const withType = { type: 'stdio', ...command }

interface Written {
  /** Within the project, or within the home folder after `~/`. */
  readonly file: string
  readonly text: string | object
  readonly servers: object
  /** The file's data after the move. */
  readonly moved: object
}

const stdio = (name: string) => ({ [name]: { command: 'npx', args: ['-y', name], env: { LEVEL: '1' } } })
const plain = (file: string, entry: object = command, key = 'mcpServers'): Written => ({
  file,
  text: { theme: 'x', [key]: stdio('a') },
  servers: stdio('a'),
  moved: { theme: 'x', [key]: { starbind: entry } },
})
const storage = '~/.config/Code/User/globalStorage'

const written: readonly (readonly [string, Written])[] = [
  ['claude-code', plain('.mcp.json', withType)],
  ['claude-desktop', plain('~/.config/Claude/claude_desktop_config.json')],
  ['cursor', plain('.cursor/mcp.json')],
  ['vs-code', plain('~/.config/Code - Insiders/User/mcp.json', withType, 'servers')],
  [
    'windsurf',
    {
      file: '~/.codeium/windsurf/mcp_config.json',
      text: {
        mcpServers: { a: { serverUrl: 'https://a.test/mcp', headers: { X: '${env:X}' }, disabledTools: ['t'] } },
      },
      servers: { a: { url: 'https://a.test/mcp', headers: { X: '${env:X}' }, toolsToDeny: ['t'] } },
      moved: { mcpServers: { starbind: command } },
    },
  ],
  [
    'gemini-cli',
    {
      file: '~/.gemini/settings.json',
      text: {
        mcpServers: { a: { command: 'a', env: { T: '$TOKEN', U: '${USER_ID}' }, timeout: 600000, trust: true } },
      },
      servers: { a: { command: 'a', env: { T: '${TOKEN}', U: '${USER_ID}' }, timeoutMs: 600000 } },
      moved: { mcpServers: { starbind: command } },
    },
  ],
  [
    'codex',
    {
      file: '~/.codex/config.toml',
      text: '[mcp_servers."a b"]\ncommand = "a"\nenv_vars = ["T"]\nenabled = false\n[mcp_servers."a b".env]\nX = "1"\n[mcp_servers.h]\nurl = "https://h.test"\n[mcp_servers.h.env_http_headers]\nX-Key = "HKEY"\n',
      servers: {
        'a b': { command: 'a', disabled: true, env: { T: '${T}', X: '1' } },
        h: { url: 'https://h.test', headers: { 'X-Key': '${HKEY}' } },
      },
      moved: { mcp_servers: { starbind: command } },
    },
  ],
  ['zed', plain('~/.config/zed/settings.json', command, 'context_servers')],
  [
    'opencode',
    {
      file: 'opencode.jsonc',
      text: `{ // ours
        "mcp": {
          "a": { "type": "local", "command": ["bun", "x", "a"], "environment": { "K": "{env:KEY}" }, "enabled": true, "timeout": 5000 },
          "b": { "type": "remote", "url": "https://b.test", "oauth": false, "enabled": false }
        }
      }`,
      servers: {
        a: { type: 'stdio', command: 'bun', args: ['x', 'a'], env: { K: '${KEY}' }, timeoutMs: 5000 },
        b: { type: 'http', url: 'https://b.test', disabled: true },
      },
      moved: { mcp: { starbind: { type: 'local', command: [command.command, ...command.args] } } },
    },
  ],
  [
    'opencode',
    {
      file: '~/.config/opencode/opencode.json',
      text: { mcp: { servers: { a: { type: 'local', command: ['a'] } } } },
      servers: { a: { type: 'stdio', command: 'a' } },
      moved: { mcp: { servers: { starbind: { type: 'local', command: [command.command, ...command.args] } } } },
    },
  ],
  [
    'goose',
    {
      file: '~/.config/goose/config.yaml',
      text: 'extensions:\n  developer:\n    type: builtin\n    enabled: true\n  a:\n    type: stdio\n    name: a\n    enabled: true\n    cmd: npx\n    args: ["-y", "a"]\n    env_keys: [A_TOKEN]\n    envs: { LEVEL: "1" }\n    timeout: 300\n    available_tools: [t]\n  b:\n    type: streamable_http\n    uri: https://b.test\n    headers: {}\n    enabled: false\n',
      servers: {
        a: {
          command: 'npx',
          args: ['-y', 'a'],
          env: { A_TOKEN: '${A_TOKEN}', LEVEL: '1' },
          toolsToExecute: ['t'],
          timeoutMs: 300000,
        },
        b: { url: 'https://b.test', headers: {}, disabled: true },
      },
      moved: {
        extensions: {
          developer: { type: 'builtin', enabled: true },
          starbind: { name: 'starbind', type: 'stdio', enabled: true, cmd: 'npx', args: command.args, timeout: 300 },
        },
      },
    },
  ],
  ['amp', plain('~/.config/amp/settings.json', command, 'amp.mcpServers')],
  [
    'cline',
    {
      file: `${storage}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
      text: {
        mcpServers: {
          a: { command: 'a', autoApprove: [], disabled: true, timeout: 60 },
          b: { transport: { type: 'streamableHttp', url: 'https://b.test' } },
        },
      },
      servers: { a: { command: 'a', disabled: true, timeoutMs: 60000 }, b: { type: 'http', url: 'https://b.test' } },
      moved: { mcpServers: { starbind: command } },
    },
  ],
  ['cline', plain('~/.cline/data/settings/cline_mcp_settings.json')],
  ['roo-code', plain(`${storage}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`)],
  ['kilo-code', plain(`${storage}/kilocode.kilo-code/settings/mcp_settings.json`)],
  [
    'kilo-cli',
    {
      file: '~/.config/kilo/kilo.jsonc',
      text: { mcp: { a: { type: 'local', command: ['a'] } } },
      servers: { a: { type: 'stdio', command: 'a' } },
      moved: { mcp: { starbind: { type: 'local', command: [command.command, ...command.args] } } },
    },
  ],
  [
    'copilot-cli',
    {
      file: '~/.copilot/mcp-config.json',
      text: {
        mcpServers: {
          a: { type: 'local', command: 'a', tools: ['*'] },
          b: { type: 'sse', url: 'https://b.test', tools: ['t'] },
        },
      },
      servers: { a: { type: 'stdio', command: 'a' }, b: { type: 'sse', url: 'https://b.test', toolsToExecute: ['t'] } },
      moved: { mcpServers: { starbind: { type: 'local', ...command, tools: ['*'] } } },
    },
  ],
  ['crush', plain('~/.config/crush/crush.json', withType, 'mcp')],
  ['kiro', plain('.kiro/settings/mcp.json')],
  ['junie', plain('~/.junie/mcp/mcp.json')],
  ['lm-studio', plain('~/.lmstudio/mcp.json')],
  ['qwen-code', plain('.qwen/settings.json')],
  ['amazon-q', plain('~/.aws/amazonq/mcp.json', withType)],
  ['factory-droid', plain('~/.factory/mcp.json', withType)],
  ['warp', plain('~/.warp/.mcp.json')],
  ['augment', plain('~/.augment/settings.json', withType)],
  ['antigravity', plain('~/.gemini/config/mcp_config.json')],
  [
    'continue',
    {
      file: '~/.continue/config.yaml',
      text: 'name: me\nmcpServers:\n  - name: a\n    command: npx\n    args: [a]\n    env:\n      T: ${{ secrets.A_TOKEN }}\n  - name: left\n    args: 3\n  - name: b\n    type: streamable-http\n    url: https://b.test\n',
      servers: {
        a: { command: 'npx', args: ['a'], env: { T: '${A_TOKEN}' } },
        b: { type: 'streamable-http', url: 'https://b.test' },
      },
      moved: {
        name: 'me',
        mcpServers: [
          { name: 'left', args: 3 },
          { name: 'starbind', ...command },
        ],
      },
    },
  ],
]

it('the test covers every host', () => {
  expect([...new Set(written.map(([name]) => name))]).toEqual(hostNames())
})

it.each(written)('%s', async (name, { file, text, servers, moved }) => {
  const home = path.join(folder, 'home')
  const project = path.join(folder, 'project')
  const at = file.startsWith('~/') ? path.join(home, file.slice(2)) : path.join(project, file)
  mkdirSync(path.dirname(at), { recursive: true })
  writeFileSync(at, typeof text === 'string' ? text : JSON.stringify(text, null, 2))
  const options = { folder: project, home, platform: 'linux', environment: {}, from: [name] } as const
  const { configuration, found } = await importHosts(options)
  expect(found.map((one) => one.file)).toEqual([at])
  expect(configuration.mcpServers).toEqual(servers)
  const { after } = (await movedHostText(at, configuration.mcpServers, command, options))!
  const data = after.replace(/^(\s*)\{ \/\/ ours/, '{')
  if (file.endsWith('.toml')) expect((await import('smol-toml')).parse(after)).toEqual(moved)
  else if (file.endsWith('.yaml')) expect(parseYaml(after)).toEqual(moved)
  else expect(JSON.parse(data)).toEqual(moved)
})
