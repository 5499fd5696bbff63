import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../../dist/diagnostics/index.js'
import {
  configurationRemarks,
  type Environment,
  findConfiguration,
  readConfiguration,
  type ServerConfig,
} from '../../dist/gateway/index.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = path.join(folder, 'starbind.json')

function read(content: string, environment: Environment = {}) {
  writeFileSync(file, content)
  return readConfiguration(file, { environment })
}

/** What a person reads, with the file's path written as FILE. */
function complaint(content: string, environment: Environment = {}): string {
  return failure(() => read(content, environment)).replaceAll(file, 'FILE')
}

/** What is wrong with entries of servers, which keeps nobody from reading the rest. */
function faultsIn(read: unknown): readonly Diagnostic[] {
  const { servers = [read as ServerConfig] } = read as { readonly servers?: readonly ServerConfig[] }
  return servers.flatMap(({ connection }) => (connection.type === 'unusable' ? connection.faults : []))
}

function failure(action: () => unknown): string {
  try {
    const faults = faultsIn(action())
    if (faults.length > 0) throw new DiagnosticError(faults)
  } catch (error) {
    if (error instanceof DiagnosticError) return renderDiagnostics(error.diagnostics)
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('a configuration file', () => {
  it('is read with defaults, references and comments', () => {
    const content = `{
      // what MCP hosts share
      "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "files", "\${ROOT:-/data}"], "env": { "TOKEN": "\${TOKEN}", "MODE": "x" } },
        "hub": {
          "type": "http", "url": "https://\${HOST}/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" }, /* ours: */
          "codeMode": true, "bindingLevel": "tool", "toolsToExecute": ["get_*"], "toolsToAutoExecute": [], "timeoutMs": 500,
        },
        "old": { "command": "\${NOT_SET}", "cwd": "sub", "disabled": true },
      },
      "codeMode": {
        "bindingLevel": "tool", "limits": { "wallMs": 1000 }, "language": "starlark", "strict": true,
        "answer": { "maxChars": 900 }, "connectTimeoutMs": 9, "results": { "maxFiles": 7 },
        "stubs": { "descriptionLength": 60, "observationsFile": "cache/seen.json", "observedValues": 4 }
      }
    }`
    expect(read(content, { TOKEN: 'abcdef', HOST: 'hub.test', ROOT: '' })).toEqual({
      servers: [
        {
          name: 'files',
          connection: {
            type: 'stdio',
            command: 'npx',
            args: ['-y', 'files', '/data'],
            env: { TOKEN: 'abcdef', MODE: 'x' },
          },
          disabled: false,
          secrets: ['abcdef'],
          credentials: ['abcdef'],
        },
        {
          name: 'hub',
          connection: { type: 'http', url: 'https://hub.test/mcp', headers: { Authorization: 'Bearer abcdef' } },
          codeMode: true,
          bindingLevel: 'tool',
          toolsToExecute: ['get_*'],
          toolsToAutoExecute: [],
          timeoutMs: 500,
          disabled: false,
          secrets: ['hub.test', 'abcdef', 'Bearer abcdef'],
          credentials: ['abcdef', 'Bearer abcdef'],
        },
        {
          name: 'old',
          connection: { type: 'stdio', command: '${NOT_SET}', args: [], env: {}, cwd: path.join(folder, 'sub') },
          disabled: true,
          secrets: [],
          credentials: [],
        },
      ],
      bindingLevel: 'tool',
      limits: { wallMs: 1000 },
      language: 'starlark',
      strict: true,
      answerMaxChars: 900,
      stubs: {
        descriptionLength: 60,
        observationsFile: path.join(folder, 'cache', 'seen.json'),
        observedValues: 4,
      },
      results: { maxFiles: 7 },
      connectTimeoutMs: 9,
      folder,
      programs: path.join(folder, 'programs'),
    })
  })

  it('takes variables from an env file', () => {
    const content = `{
      "envFile": "vars.env",
      "mcpServers": {
        "hub": { "url": "https://hub.test", "headers": { "Authorization": "Bearer \${HUB_TOKEN}", "Region": "\${REGION}" } },
        "files": { "command": "files", "args": ["\${GONE}"] }
      }
    }`
    writeFileSync(path.join(folder, 'vars.env'), "HUB_TOKEN='a b'\nREGION=us\n")
    const { servers } = read(content, { REGION: 'eu' })
    expect(servers[0]).toMatchObject({
      connection: { headers: { Authorization: 'Bearer a b', Region: 'eu' } },
      credentials: ['a b', 'Bearer a b'],
    })
    expect(servers[1]?.connection.type).toBe('unusable')
    rmSync(path.join(folder, 'vars.env'))
    expect(read(content, { REGION: 'eu' }).servers.map(({ connection }) => connection.type)).toEqual([
      'unusable',
      'unusable',
    ])
    const file = path.join(folder, 'starbind.json')
    expect(configurationRemarks(file, {}).map(({ message }) => message.replaceAll(folder, 'FOLDER'))).toEqual([
      'FOLDER/starbind.json:2:7 envFile: there is no file FOLDER/vars.env',
    ])
    expect(failure(() => read('{ "envFile": 3 }')).replace(folder, 'FOLDER')).toBe(
      'host error [config-wrong-value] FOLDER/starbind.json:1:3 envFile: got something else, want the path of a file with lines of NAME=value',
    )
  })

  it('names the place of its state by references', () => {
    const state = (value: string, environment: Environment) =>
      read(JSON.stringify({ codeMode: { state: value } }), environment).state
    const whole = 'rediss://bind:hush@store.example:6380/3'
    expect(state('${STORE}', { STORE: whole })).toBe(whole)
    expect(state('rediss://bind:${WORD}@store.example:6380/3', { WORD: 'hush' })).toBe(whole)
    expect(state('${STORE:-kept}', {})).toBe(path.join(folder, 'kept'))
  })

  it('may be empty', () => {
    expect(read('{}')).toEqual({
      servers: [],
      bindingLevel: 'server',
      limits: {},
      language: 'starlark',
      strict: false,
      connectTimeoutMs: 30_000,
      folder,
      programs: path.join(folder, 'programs'),
    })
  })

  it('is found in a folder above, starbind.json before .mcp.json', () => {
    const inner = path.join(folder, 'a', 'b')
    mkdirSync(inner, { recursive: true })
    writeFileSync(path.join(folder, 'a', '.mcp.json'), '{}')
    expect(findConfiguration(inner)).toBe(path.join(folder, 'a', '.mcp.json'))
    writeFileSync(path.join(folder, 'a', 'starbind.json'), '{}')
    expect(findConfiguration(inner)).toBe(path.join(folder, 'a', 'starbind.json'))
  })
})

describe('a wrong configuration file', () => {
  it('is reported if it is missing', () => {
    const missing = path.join(folder, 'nowhere.json')
    expect(failure(() => readConfiguration(missing))).toBe(
      `host error [config-missing] there is no configuration file at ${missing}\n` +
        'hint: give the path of an existing file with --config',
    )
  })

  it('is reported if it is a folder', () => {
    expect(failure(() => readConfiguration(folder))).toBe(
      `host error [config-unreadable] the configuration file ${folder} can't be read: it is a folder`,
    )
  })

  it.each([
    ['', '1:1 is not valid JSON: expected a value, found the end of the file'],
    ['{"mcpServers": {}', '1:18 is not valid JSON: expected "," or "}", found the end of the file'],
    ['{\n  mcpServers: {}\n}', '2:3 is not valid JSON: expected a key in double quotes, found "mcpServers"'],
    ['{"a" 1}', '1:6 is not valid JSON: expected ":" after the key, found "1"'],
    ['{"a": "x\ny"}', '1:7 is not valid JSON: this string has no closing quote'],
    ['{"a": "\\q"}', '1:7 is not valid JSON: this string has an escape that JSON does not allow'],
    ['{"a": nope}', '1:7 is not valid JSON: "nope" is not a JSON value'],
    ['{"a": 1, "a": 2}', '1:10 is not valid JSON: the key "a" is written twice'],
    ['{} []', '1:4 is not valid JSON: unexpected "[" after the end of the value'],
    ['['.repeat(300), '1:201 is not valid JSON: more than 200 levels of nesting'],
  ])('gets a message about invalid JSON: %j', (content, message) => {
    expect(complaint(content)).toBe(`host error [config-not-json] FILE:${message}`)
  })

  it('gets a message about unknown keys', () => {
    expect(
      complaint(`{
  "mcpServer": {},
  "mcpServers": { "files": { "comand": "x", "zzz": 1 }, "b": { "command": "x", "env": {} } },
  "codeMode": { "bindinglevel": "tool", "limits": { "wallMS": 5 } }
}`),
    ).toBe(
      `host error [config-unknown-key] FILE:3:30 mcpServers.files.comand is not a known key
hint: write "command"

host error [config-unknown-key] FILE:3:45 mcpServers.files.zzz is not a known key
hint: docs/configuration.md lists all keys

host error [config-unknown-key] FILE:4:53 codeMode.limits.wallMS is not a known key
hint: write "wallMs"

host error [config-unknown-key] FILE:4:17 codeMode.bindinglevel is not a known key
hint: write "bindingLevel"

host error [config-unknown-key] FILE:2:3 mcpServer is not a known key
hint: write "mcpServers"`,
    )
  })

  it.each([
    ['[]', 'FILE:1:1 the whole file: got a list, want an object with the key mcpServers'],
    ['{"mcpServers": []}', 'FILE:1:2 mcpServers: got a list, want an object with one entry for each server'],
    ['{"mcpServers": {"a": "npx"}}', 'FILE:1:17 mcpServers.a: got a string, want an object that describes one server'],
    [
      '{"mcpServers": {"a b": {}}}',
      'FILE:1:17 mcpServers["a b"]: got neither command nor url, want command (a program to start) or url',
    ],
    ['{"mcpServers": {"a": {"type": "http"}}}', 'FILE:1:17 mcpServers.a: got no url, want url, because type is "http"'],
    [
      '{"mcpServers": {"a": {"type": "pigeon"}}}',
      'FILE:1:23 mcpServers.a.type: got "pigeon", want "stdio", "http" or "sse"',
    ],
    [
      '{"mcpServers": {"a": {"command": ""}}}',
      'FILE:1:23 mcpServers.a.command: got an empty string, want a string that is not empty',
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "args": "y"}}}',
      'FILE:1:39 mcpServers.a.args: got a string, want a list of strings',
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "args": ["y", 1]}}}',
      'FILE:1:53 mcpServers.a.args[1]: got 1, want a string',
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "env": {"PORT": 80}}}}',
      'FILE:1:47 mcpServers.a.env.PORT: got 80, want a string',
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "timeoutMs": 0}}}',
      'FILE:1:39 mcpServers.a.timeoutMs: got 0, want at least 1 millisecond',
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "timeoutMs": "5s"}}}',
      'FILE:1:39 mcpServers.a.timeoutMs: got a string, want a whole number of milliseconds',
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "codeMode": "never"}}}',
      'FILE:1:39 mcpServers.a.codeMode: got a string, want true, false or "auto"',
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "headers": {}}}}',
      'FILE:1:39 mcpServers.a.headers: got a value, want no such key for a server that is started with command',
    ],
    [
      '{"mcpServers": {"a": {"url": "http://x", "args": []}}}',
      'FILE:1:42 mcpServers.a.args: got a value, want no such key for a server that is reached at a url',
    ],
    [
      '{"mcpServers": {"a": {"url": "ftp://secret"}}}',
      'FILE:1:23 mcpServers.a.url: got something else, want an http or https URL',
    ],
    [
      '{"mcpServers": {"a": {"url": "http://x", "headers": "Bearer secret"}}}',
      'FILE:1:42 mcpServers.a.headers: got a string, want an object whose values are strings',
    ],
    ['{"serve": {"port": 70000}}', 'FILE:1:12 serve.port: got 70000, want a port number'],
    [
      '{"codeMode": {"stateKey": "one key for everybody"}}',
      'FILE:1:15 codeMode.stateKey: got a value, want none, or redis://… in codeMode.state',
    ],
    [
      '{"codeMode": {"state": "runs", "stateFiles": "files"}}',
      'FILE:1:32 codeMode.stateFiles: got a value, want none, or redis://… in codeMode.state',
    ],
    [
      '{"codeMode": {"runsAtOnce": 4}}',
      'FILE:1:15 codeMode.runsAtOnce: got a value, want none, or redis://… in codeMode.state',
    ],
    [
      '{"codeMode": {"state": "runs", "runsWaiting": 4}}',
      'FILE:1:32 codeMode.runsWaiting: got a value, want none, or redis://… in codeMode.state',
    ],
    [
      '{"codeMode": {"statePrefix": "tests"}}',
      'FILE:1:15 codeMode.statePrefix: got a value, want none, or redis://… in codeMode.state',
    ],
    [
      '{"serve": {"callers": {"x": {"codeMode": 1}}}}',
      'FILE:1:30 serve.callers.x.codeMode: got 1, want true, false or "auto"',
    ],
    ['{"serve": {"audit": {}}}', 'FILE:1:12 serve.audit.file: got nothing, want a string'],
    ['{"codeMode": {"strict": "yes"}}', 'FILE:1:15 codeMode.strict: got a string, want true or false'],
  ])('gets a message about a wrong value: %s', (content, message) => {
    expect(complaint(content)).toBe(`host error [config-wrong-value] ${message}`)
  })

  it('gets a message about limits that the sandbox does not accept', () => {
    expect(complaint('{"codeMode": {"limits": {"wallMs": 0, "memoryBytes": 9e15}}}')).toBe(
      `host error [wrong-limit] FILE:1:26 the configured limit wallMs: got 0 s, want at least 1 ms

host error [wrong-limit] FILE:1:39 the configured limit memoryBytes: got 8789062500000 KiB, want at most 1024 MiB`,
    )
  })

  it('gets a message about unset variables', () => {
    expect(complaint('{"mcpServers": {"a": {"command": "x", "env": {"T": "${TOKEN} ${OTHER:-o}"}}}}')).toBe(
      'host error [config-variable-missing] FILE:1:47 mcpServers.a.env.T refers to the environment variable TOKEN, which is not set\n' +
        'hint: set TOKEN, or give a default: ${TOKEN:-default}',
    )
  })
})
