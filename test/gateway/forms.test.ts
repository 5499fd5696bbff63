// Configuration as other hosts write it, spread over files, and with variables of the environment beside it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../../dist/diagnostics/index.js'
import { serveEntry } from '../../dist/gateway/configuration/serving.js'
import { variables } from '../../dist/gateway/configuration/variables.js'
import { type Environment, readConfiguration, type ServerConfig } from '../../dist/gateway/index.js'
import { defaultConfiguration } from '../../dist/index.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-forms-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: unknown): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}

const read = (content: unknown, environment: Environment = {}, name = 'starbind.json') =>
  readConfiguration(write(name, content), { environment })

function server(content: unknown, environment: Environment = {}, name = 'starbind.json'): ServerConfig {
  return read(content, environment, name).servers[0]!
}

/** What is wrong with entries of servers, which keeps nobody from reading the rest. */
function faultsIn(read: unknown): readonly Diagnostic[] {
  const { servers = [read as ServerConfig] } = read as { readonly servers?: readonly ServerConfig[] }
  return servers.flatMap(({ connection }) => (connection.type === 'unusable' ? connection.faults : []))
}

function complaint(action: () => unknown): string {
  try {
    const faults = faultsIn(action())
    if (faults.length > 0) throw new DiagnosticError(faults)
  } catch (error) {
    if (error instanceof DiagnosticError) return renderDiagnostics(error.diagnostics).replaceAll(folder, 'FOLDER')
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('a file of VS Code', () => {
  const document = {
    inputs: [
      { type: 'promptString', id: 'api-key', password: true },
      { type: 'pickString', id: 'mode', options: ['a', 'b'], default: 'a' },
    ],
    servers: {
      files: {
        type: 'stdio',
        command: 'npx',
        args: ['${workspaceFolder}', '${userHome}', '${input:mode}', '${env:WHO}'],
        env: { API_KEY: '${input:api-key}' },
        envFile: '${workspaceFolder}/.env',
        dev: { watch: 'x' },
      },
    },
  }

  it('has servers, inputs and variables', () => {
    write('.env', 'REGION=eu # where\nAPI_KEY="not this"\nTOKEN=from-the-file\n')
    const found = server(document, { STARBIND_INPUT_API_KEY: 'secret-input', WHO: 'ada' }, '.vscode/mcp.json')
    expect(found.connection).toEqual({
      type: 'stdio',
      command: 'npx',
      args: [folder, homedir(), 'a', 'ada'],
      env: { REGION: 'eu', API_KEY: 'secret-input', TOKEN: 'from-the-file' },
    })
    expect(found.credentials).toEqual(['secret-input', 'from-the-file'])
  })

  it('is refused if it needs an input that nobody can give', () => {
    write('.env', '')
    expect(complaint(() => server(document, { WHO: 'ada' }, '.vscode/mcp.json'))).toBe(
      "host error [config-input-missing] FOLDER/.vscode/mcp.json:29:9 servers.files.env.API_KEY refers to the input api-key, and starbind can't ask a person for it\n" +
        'hint: set the environment variable STARBIND_INPUT_API_KEY',
    )
    rmSync(path.join(folder, '.env'))
    expect(
      complaint(() => server(document, { WHO: 'ada', STARBIND_INPUT_API_KEY: 'x' }, '.vscode/mcp.json')),
    ).toContain("servers.files.envFile: got a file that can't be read, want a file with lines of NAME=value")
  })

  it('may be a part of the settings', () => {
    const found = server({ 'editor.fontSize': 12, mcp: { servers: { hub: { url: 'https://hub.test' } } } })
    expect(found).toMatchObject({ name: 'hub', connection: { type: 'http', url: 'https://hub.test' } })
  })
})

describe('a file of another host', () => {
  it.each<[string, object, object]>([
    [
      'Windsurf',
      { serverUrl: 'https://h.test/mcp', disabledTools: ['rm'] },
      { url: 'https://h.test/mcp', toolsToDeny: ['rm'] },
    ],
    [
      'Gemini',
      { httpUrl: 'https://h.test', trust: true, timeout: 5000, includeTools: ['a'], excludeTools: ['b'] },
      { url: 'https://h.test', timeoutMs: 5000, toolsToExecute: ['a'], toolsToDeny: ['b'] },
    ],
    [
      'Cline',
      { type: 'streamableHttp', url: 'https://h.test', autoApprove: [], timeout: 60 },
      { type: 'http', url: 'https://h.test', timeoutMs: 60_000 },
    ],
    [
      'Cursor',
      { url: 'https://h.test', auth: { CLIENT_ID: 'me', CLIENT_SECRET: 'hush', scopes: ['a'] } },
      { url: 'https://h.test', oauth: { clientId: 'me', clientSecret: 'hush', scopes: ['a'] } },
    ],
    [
      'opencode',
      { type: 'local', command: ['npx', '-y', 'x'], environment: { A: 'b' }, enabled: false },
      { command: 'npx', args: ['-y', 'x'], env: { A: 'b' }, disabled: true },
    ],
    [
      'Claude',
      { type: 'sse', url: 'https://h.test', headers: { 'X-Key': '${K:-k}' } },
      { type: 'sse', url: 'https://h.test', headers: { 'X-Key': 'k' } },
    ],
  ])('means the same as ours: %s', (_, theirs, ours) => {
    expect(server({ mcpServers: { one: theirs } })).toEqual(server({ mcpServers: { one: ours } }))
  })

  it('gets messages with the names of its own keys', () => {
    expect(complaint(() => read('{"mcpServers": {"a": {"serverUrl": "ftp://x"}}}'))).toBe(
      'host error [config-wrong-value] FOLDER/starbind.json:1:23 mcpServers.a.serverUrl: got something else, want an http or https URL',
    )
  })
})

describe("Bifrost's JSON", () => {
  const document = {
    mcp: {
      client_configs: [
        {
          name: 'filesystem',
          is_code_mode_client: true,
          connection_type: 'stdio',
          stdio_config: { command: 'npx', args: ['-y', '@anthropic/mcp-filesystem'], envs: ['HOME_KEY'] },
          tools_to_execute: ['*'],
          tools_to_auto_execute: ['read_file', 'list_dir'],
          tool_pricing: { read_file: 0.1 },
        },
        {
          client_id: 'x',
          name: 'hub',
          connection_type: 'http',
          connection_string: 'env.HUB_URL',
          headers: { Authorization: { value: 'env.HUB_TOKEN' }, 'x-plain': 'yes' },
          tools_to_execute: [],
          tool_sync_interval: '10m',
          is_ping_available: false,
          disabled: false,
          allowed_extra_headers: ['x-user'],
        },
        { name: 'none', connection_type: 'sse', connection_string: 'https://h.test/sse', tool_sync_interval: '-1s' },
      ],
      tool_manager_config: {
        code_mode_binding_level: 'tool',
        tool_execution_timeout: '1m30s',
        max_agent_depth: 10,
      },
    },
  }
  const environment = { HOME_KEY: 'a-key', HUB_URL: 'https://hub.test/mcp', HUB_TOKEN: 'Bearer hub-token' }

  it('is read as it is', () => {
    const { servers, bindingLevel, callTimeoutMs } = read(document, environment)
    expect([bindingLevel, callTimeoutMs]).toEqual(['tool', 90_000])
    expect(servers).toMatchObject([
      {
        name: 'filesystem',
        connection: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', '@anthropic/mcp-filesystem'],
          env: { HOME_KEY: 'a-key' },
        },
        toolsToExecute: ['*'],
        toolsToAutoExecute: ['read_file', 'list_dir'],
      },
      {
        name: 'hub',
        connection: {
          type: 'http',
          url: 'https://hub.test/mcp',
          headers: { Authorization: 'Bearer hub-token', 'x-plain': 'yes' },
        },
        toolsToExecute: [],
        passHeaders: ['x-user'],
        pollMs: 600_000,
        pingMs: 0,
        disabled: false,
      },
      { name: 'none', connection: { type: 'http', only: 'sse' }, toolsToExecute: [], pollMs: 0 },
    ])
  })

  it('gets messages with its own line numbers', () => {
    expect(complaint(() => read(document, {}))).toContain(
      'FOLDER/starbind.json:14:11 mcp.client_configs[0].stdio_config.envs.HOME_KEY',
    )
    const wrong = { mcp: { client_configs: [{ name: 'a', connection_type: 'pigeon', connection_string: 'x' }] } }
    expect(complaint(() => read(wrong))).toContain(
      'FOLDER/starbind.json:6:9 mcp.client_configs[0].connection_type: got "pigeon"',
    )
  })
})

describe("an unsupported part of Bifrost's JSON", () => {
  const client = (more: object) => ({
    mcp: {
      client_configs: [{ name: 'a', connection_type: 'http', connection_string: 'https://h.test', ...more }],
    },
  })

  it('is refused if it would change which servers are trusted', () => {
    const tls_config = { insecure_skip_verify: true, ca_cert_pem: '-----BEGIN CERTIFICATE-----' }
    const hint =
      'hint: remove the key, write the certificate of the authority to a file and start starbind with NODE_EXTRA_CA_CERTS=FILE'
    expect(complaint(() => read(client({ tls_config })))).toBe(
      `host error [config-not-supported] FOLDER/starbind.json:9:11 mcp.client_configs[0].tls_config.insecure_skip_verify is not supported: certificates are always checked
${hint}

host error [config-not-supported] FOLDER/starbind.json:10:11 mcp.client_configs[0].tls_config.ca_cert_pem is not supported: a server has no certificate authority of its own
${hint}`,
    )
    for (const harmless of [{}, { insecure_skip_verify: false, ca_cert_pem: '' }])
      expect(server(client({ tls_config: harmless })).connection).toMatchObject({ url: 'https://h.test' })
  })

  it('is refused if all callers would act as one', () => {
    const hint =
      'hint: name the header that callers send themselves in per_user_header_keys; or let all of them share one login with auth_type oauth'
    expect(complaint(() => read(client({ auth_type: 'per_user_oauth' })))).toBe(
      `host error [config-not-supported] FOLDER/starbind.json:8:9 mcp.client_configs[0].auth_type is not supported: callers have no logins of their own at a server
${hint}`,
    )
    expect(complaint(() => read(client({ auth_type: 'token_exchange', token_exchange: {} })))).toBe(
      `host error [config-not-supported] FOLDER/starbind.json:9:9 mcp.client_configs[0].token_exchange is not supported: tokens of callers are not exchanged
${hint}`,
    )
    expect(server(client({ auth_type: 'per_user_oauth', disabled: true })).disabled).toBe(true)
  })

  it('does not include headers of users, which callers send', () => {
    const keys = { auth_type: 'per_user_headers', per_user_header_keys: ['X-User-Token'] }
    expect(server(client({ ...keys, allowed_extra_headers: ['x-team'] })).passHeaders).toEqual([
      'x-user-token',
      'x-team',
    ])
    expect(server(client(keys)).passHeaders).toEqual(['x-user-token'])
  })

  it('does not include headers of callers, where a star excludes credentials', () => {
    expect(server(client({ allowed_extra_headers: ['*'] })).passHeaders).toEqual(['*'])
  })
})

describe('a configuration in many files', () => {
  it('has the servers of all files, each relative to its own file', () => {
    write('more/servers.d/hub.json', { url: 'https://hub.test' })
    write('more/servers.d/two.json', {
      mcpServers: { files: { command: 'npx', cwd: 'here' }, old: { command: 'x', disabled: true } },
    })
    write('more/one.json', { servers: { last: { command: 'last' } } })
    const { servers } = read({ include: ['more/servers.d', 'more/one.json'], mcpServers: { own: { command: 'own' } } })
    expect(servers.map(({ name }) => name)).toEqual(['own', 'hub', 'files', 'old', 'last'])
    expect(servers[2]?.connection).toMatchObject({ cwd: path.join(folder, 'more', 'servers.d', 'here') })
  })

  it('gets messages with the name of the right file', () => {
    write('bad/hub.json', '{\n  "url": 7\n}')
    write('bad/own.json', { command: 'again' })
    expect(complaint(() => read({ include: 'bad', mcpServers: { own: { command: 'own' } } }))).toBe(
      'host error [config-server-twice] FOLDER/bad/own.json:1:1 there is already a server own, at FOLDER/starbind.json:4:5\nhint: give one of them another name',
    )
    rmSync(path.join(folder, 'bad', 'own.json'))
    expect(complaint(() => read({ include: 'bad' }))).toBe(
      'host error [config-wrong-value] FOLDER/bad/hub.json:2:3 url: got 7, want a string',
    )
    expect(complaint(() => read({ include: 'nowhere' }))).toContain('[config-missing]')
    // What can't be read is a server that can't be used, and the others are there.
    write('bad/text.json', 'no JSON')
    write('bad/good.json', { command: 'good' })
    expect(
      read({ include: ['bad', 'nowhere'] }).servers.map(({ name, connection }) => [name, connection.type]),
    ).toEqual([
      ['good', 'stdio'],
      ['hub', 'unusable'],
      ['text', 'unusable'],
      ['nowhere', 'unusable'],
    ])
    expect(complaint(() => read({ include: [3] }))).toBe(
      'host error [config-wrong-value] FOLDER/starbind.json:2:3 include: got something else, want the path of a file or folder, or a list of them',
    )
  })
})

describe('variables of the environment', () => {
  it('set every limit and switch, and override the file', () => {
    const file = { codeMode: { limits: { wallMs: 1, cpuMs: 2 }, language: 'starlark', answer: { maxChars: 900 } } }
    const found = read(file, {
      STARBIND_TIMEOUT: '5s',
      STARBIND_MEMORY_BYTES: '32MiB',
      STARBIND_LANGUAGE: 'javascript',
      STARBIND_STRICT: '1',
      STARBIND_ANSWER_STRUCTURED: 'true',
      STARBIND_STUBS_DESCRIPTION_LENGTH: '70',
      STARBIND_BINDING_LEVEL: '',
    })
    expect(found).toMatchObject({
      limits: { wallMs: 5000, cpuMs: 2, memoryBytes: 32 * 2 ** 20 },
      language: 'javascript',
      strict: true,
      answerMaxChars: 900,
      answerStructured: true,
      stubs: { descriptionLength: 70 },
      bindingLevel: 'server',
    })
  })

  it('are named in messages, and work without a file', () => {
    const environment = { STARBIND_TIMEOUT: 'soon', STARBIND_STRICT: 'maybe', STARBIND_CPU_MS: '0' }
    expect(complaint(() => defaultConfiguration({ environment }))).toBe(
      `host error [config-wrong-value] the environment variable STARBIND_STRICT: codeMode.strict: got a string, want true or false

host error [config-wrong-value] the environment variable STARBIND_TIMEOUT: codeMode.limits.wallMs: got a string, want a whole number`,
    )
    expect(complaint(() => defaultConfiguration({ environment: { STARBIND_CPU_MS: '0' } }))).toContain(
      'the environment variable STARBIND_CPU_MS: the configured limit cpuMs: got 0 s, want at least 1 ms',
    )
    expect(defaultConfiguration({ environment: { STARBIND_TIMEOUT: '2s' } })).toMatchObject({
      limits: { wallMs: 2000 },
    })
  })

  it('set the block `serve`, too', () => {
    const file = { serve: { port: 1, host: 'localhost', audit: { file: 'here.jsonl', keepFiles: 3 } } }
    const found = read(file, {
      STARBIND_PORT: '8080',
      STARBIND_ALLOWED_HOSTS: 'hub.example.com, hub',
      STARBIND_ALLOWED_ORIGINS: 'https://app.example.com',
      STARBIND_KEYS_FILE: '/etc/keys.json',
      STARBIND_MAX_SESSIONS: '7',
      STARBIND_SESSION_IDLE_MS: '5m',
      STARBIND_CODE_MODE: 'auto',
      STARBIND_AUDIT_FILE: '/var/log/calls.jsonl',
      STARBIND_AUDIT_ARGUMENTS: 'true',
      STARBIND_RATE_LIMITS: '[{"server": "hub", "calls": 60}]',
    })
    expect(found.serve).toEqual({
      port: 8080,
      host: 'localhost',
      allowedHosts: ['hub.example.com', 'hub'],
      allowedOrigins: ['https://app.example.com'],
      keysFile: '/etc/keys.json',
      maxSessions: 7,
      sessionIdleMs: 300_000,
      codeMode: 'auto',
      audit: { file: '/var/log/calls.jsonl', arguments: true, keepFiles: 3 },
      rateLimits: [{ server: 'hub', calls: 60 }],
    })
    const environment = { STARBIND_CODE_MODE: 'perhaps', STARBIND_RATE_LIMITS: '[{"calls": 0}]' }
    expect(complaint(() => defaultConfiguration({ environment }))).toBe(
      `host error [config-wrong-value] the environment variable STARBIND_CODE_MODE: serve.codeMode: got a string, want true, false or "auto"

host error [config-wrong-value] the environment variable STARBIND_RATE_LIMITS: serve.rateLimits[0].calls: got 0, want at least 1`,
    )
  })

  it('have distinct names, one for each single value', () => {
    const names = variables.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const serve = variables.filter(({ key }) => key[0] === 'serve').map(({ key }) => key[1])
    // What differs from caller to caller is no value.
    expect(Object.keys(serveEntry.shape).filter((key) => !serve.includes(key))).toEqual(['callers'])
  })
})
