// Converts Bifrost's configuration (`mcp.client_configs`, `mcp.tool_manager_config`). Keys without a meaning here, such
// as prices, are ignored; keys that would change the trusted servers, or the identity of callers, are refused.
// Invariant: a tool that Bifrost would not allow is not allowed here; an absent list of tools means none, as in
// Bifrost.

type Entry = Readonly<Record<string, unknown>>

/** A key of the document that is not supported. */
export interface Refused {
  readonly key: readonly PropertyKey[]
  readonly what: string
  readonly instead: string
}

/** A key that Bifrost's form does not have. */
interface UnknownKey {
  readonly key: readonly PropertyKey[]
  /** The known keys in its place. */
  readonly known: readonly string[]
}

export interface OwnForm {
  readonly value: unknown
  readonly refused?: readonly Refused[]
  /** Keys that Bifrost does not know, either. */
  readonly unknown?: readonly UnknownKey[]
  /** The document's name for a key of ours. */
  original(key: readonly PropertyKey[]): readonly PropertyKey[]
}

/** Undefined if the document is not in Bifrost's form. */
export function fromBifrost(raw: Entry): OwnForm | undefined {
  const { mcp } = raw
  if (!isRecord(mcp) || !Array.isArray(mcp.client_configs)) return undefined
  const clients = mcp.client_configs.map((client) => (isRecord(client) ? client : {}))
  const names = clients.map((client, i) => String(client.name ?? `client_configs[${i}]`))
  const manager = isRecord(mcp.tool_manager_config) ? mcp.tool_manager_config : {}
  return {
    value: {
      mcpServers: Object.fromEntries(clients.map((client, i) => [names[i], server(client)])),
      codeMode: present({
        bindingLevel: manager.code_mode_binding_level,
        callTimeoutMs: milliseconds(manager.tool_execution_timeout),
      }),
    },
    unknown: clients.flatMap((client, i) => unknownIn(client, i)),
    refused: clients.flatMap((client, i) => refusedOf(client, ['mcp', 'client_configs', i])),
    original: ([block, name, key, ...rest]) => {
      if (block === 'codeMode') return ['mcp', 'tool_manager_config', KEYS[String(name)] ?? String(name)]
      if (block !== 'mcpServers') return ['mcp']
      const path = (KEYS[String(key)] ?? '').split('.').filter((part) => part !== '')
      return ['mcp', 'client_configs', names.indexOf(String(name)), ...path, ...rest]
    },
  }
}

/** The keys with a meaning here, and those with a meaning to Bifrost only. */
const CLIENT_KEYS = (
  'client_id name is_code_mode_client connection_type connection_string stdio_config headers auth_type oauth_config ' +
  'oauth_config_id tools_to_execute tools_to_auto_execute tool_sync_interval is_ping_available tool_execution_timeout ' +
  'tool_pricing disabled allow_on_all_virtual_keys allowed_extra_headers per_user_header_keys tls_config ' +
  'token_exchange needs_session_stickiness endpoint_slug openapi_config state config_hash vk_configs'
).split(' ')
const STDIO_KEYS = ['command', 'args', 'envs']

function unknownIn(client: Entry, index: number): UnknownKey[] {
  const place = ['mcp', 'client_configs', index]
  const within = (entry: Entry, path: readonly PropertyKey[], known: readonly string[]): UnknownKey[] =>
    Object.keys(entry).flatMap((name) => (known.includes(name) ? [] : [{ key: [...path, name], known }]))
  const stdio = isRecord(client.stdio_config) ? client.stdio_config : {}
  return [...within(client, place, CLIENT_KEYS), ...within(stdio, [...place, 'stdio_config'], STDIO_KEYS)]
}

function refusedOf(client: Entry, place: readonly PropertyKey[]): Refused[] {
  return client.disabled === true ? [] : [...refusedTrust(client, place), ...refusedIdentity(client, place)]
}

/** Node trusts one list of certificate authorities for the whole process. */
function refusedTrust(client: Entry, place: readonly PropertyKey[]): Refused[] {
  const tls = isRecord(client.tls_config) ? client.tls_config : {}
  const key = (name: string) => [...place, 'tls_config', name]
  const skip = { key: key('insecure_skip_verify'), what: 'certificates are always checked', instead: TRUST }
  const own = { key: key('ca_cert_pem'), what: 'a server has no certificate authority of its own', instead: TRUST }
  return [
    ...(tls.insecure_skip_verify === true ? [skip] : []),
    ...(typeof tls.ca_cert_pem === 'string' && tls.ca_cert_pem !== '' ? [own] : []),
  ]
}

/** All callers share one login here. If these keys were ignored, every caller would act as the person who logged in. */
function refusedIdentity(client: Entry, place: readonly PropertyKey[]): Refused[] {
  const login = {
    key: [...place, 'auth_type'],
    what: 'callers have no logins of their own at a server',
    instead: AS_CALLER,
  }
  const exchange = {
    key: [...place, 'token_exchange'],
    what: 'tokens of callers are not exchanged',
    instead: AS_CALLER,
  }
  const isExchange = client.auth_type === 'token_exchange' || isRecord(client.token_exchange)
  return [...(client.auth_type === 'per_user_oauth' ? [login] : []), ...(isExchange ? [exchange] : [])]
}

const TRUST =
  'remove the key, write the certificate of the authority to a file and start starbind with NODE_EXTRA_CA_CERTS=FILE'

const AS_CALLER =
  'name the header that callers send themselves in per_user_header_keys; or let all of them share one login with auth_type oauth'

/** The place of a key of ours in a client's entry. */
const KEYS: Readonly<Record<string, string>> = {
  type: 'connection_type',
  url: 'connection_string',
  command: 'stdio_config.command',
  args: 'stdio_config.args',
  env: 'stdio_config.envs',
  headers: 'headers',
  passHeaders: 'allowed_extra_headers',
  oauth: 'oauth_config',
  codeMode: 'is_code_mode_client',
  toolsToExecute: 'tools_to_execute',
  toolsToAutoExecute: 'tools_to_auto_execute',
  timeoutMs: 'tool_execution_timeout',
  callTimeoutMs: 'tool_execution_timeout',
  bindingLevel: 'code_mode_binding_level',
  pollMs: 'tool_sync_interval',
  pingMs: 'is_ping_available',
  disabled: 'disabled',
}

function server(client: Entry): Entry {
  const stdio = isRecord(client.stdio_config) ? client.stdio_config : {}
  const isStdio = client.connection_type === 'stdio'
  return present({
    type: client.connection_type,
    ...(isStdio
      ? { command: stdio.command, args: stdio.args, env: variables(stdio.envs) }
      : {
          url: reference(client.connection_string),
          headers: headers(client.headers),
          passHeaders: passHeaders(client),
          oauth: isRecord(client.oauth_config) ? oauth(client.oauth_config) : undefined,
        }),
    codeMode: client.is_code_mode_client === true,
    toolsToExecute: list(client.tools_to_execute) ?? [],
    toolsToAutoExecute: list(client.tools_to_auto_execute),
    timeoutMs: milliseconds(client.tool_execution_timeout),
    pollMs: milliseconds(client.tool_sync_interval),
    pingMs: client.is_ping_available === false ? 0 : undefined,
    disabled: client.disabled,
  })
}

/** Keys with a value for each user become headers that callers send. */
function passHeaders(client: Entry): unknown[] | undefined {
  const own = list(client.per_user_header_keys)
  const more = list(client.allowed_extra_headers)
  return own === undefined ? more : [...own, ...(more ?? [])]
}

function oauth(config: Entry): Entry {
  return present({
    clientId: reference(config.client_id),
    clientSecret: reference(config.client_secret),
    scopes: config.scopes,
  })
}

function headers(raw: unknown): unknown {
  if (!isRecord(raw)) return raw
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, reference(value)]))
}

/** `env.NAME`, alone or as the value of a record, is a reference to a variable. */
function reference(raw: unknown): unknown {
  const value = isRecord(raw) ? (raw.env_var ?? raw.value) : raw
  const variable = typeof value === 'string' ? /^env\.(\w+)$/.exec(value)?.[1] : undefined
  return variable === undefined ? value : `\${${variable}}`
}

/** Variables that must exist. */
function variables(raw: unknown): unknown {
  return Array.isArray(raw) ? Object.fromEntries(raw.map((name) => [name, `\${${name}}`])) : raw
}

function list(raw: unknown): unknown[] | undefined {
  return Array.isArray(raw) ? raw : undefined
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Go's notation (`1m30s`), or a number of seconds. A negative value means never, which is 0 here. Anything else is left
 * for the validation to report.
 */
function milliseconds(raw: unknown): unknown {
  if (typeof raw === 'number') return Math.max(0, raw * 1000)
  if (typeof raw !== 'string' || !/^-?(\d+(\.\d+)?(ms|s|m|h))+$/.test(raw)) return raw
  const parts = [...raw.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  const sum = parts.reduce((total, [, amount, unit]) => total + Number(amount) * UNITS[unit!]!, 0)
  return raw.startsWith('-') ? 0 : Math.round(sum)
}

function present(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
