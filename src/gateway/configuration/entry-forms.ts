// Converts the server entries of other hosts: Claude, Cursor, VS Code, Windsurf, Gemini, Cline and others.
// Invariant: an unknown key is kept, so that a message names it as written.

type Entry = Readonly<Record<string, unknown>>

/** Their keys and ours, if only the name differs. */
const RENAMED: Readonly<Record<string, string>> = {
  serverUrl: 'url',
  httpUrl: 'url',
  environment: 'env',
  http_headers: 'headers',
  transport: 'type',
  transportType: 'type',
  transport_type: 'type',
  includeTools: 'toolsToExecute',
  enabledTools: 'toolsToExecute',
  enabled_tools: 'toolsToExecute',
  excludeTools: 'toolsToDeny',
  disabledTools: 'toolsToDeny',
  disabled_tools: 'toolsToDeny',
}

/** Keys that only people and other hosts' dialogs use. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'alwaysAllow',
  'autoApprove',
  'comment',
  'description',
  'dev',
  'gallery',
  'icon',
  'iconPath',
  'metadata',
  'required',
  'sandboxEnabled',
  'settings',
  'source',
  'tags',
  'trust',
  'version',
])

const TYPES: Readonly<Record<string, string>> = {
  local: 'stdio',
  remote: 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  'http-stream': 'http',
}

/** A value that is not an entry is returned unchanged. `original` maps our keys to the original ones. */
export function ownEntry(raw: unknown): { readonly value: unknown; readonly original: ReadonlyMap<string, string> } {
  const original = new Map<string, string>()
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { value: raw, original }
  const value: Record<string, unknown> = {}
  for (const [key, given] of Object.entries(raw as Entry)) {
    if (PASSED_OVER.has(key)) continue
    for (const [own, meant] of ownKeys(key, given)) {
      value[own] = meant
      if (own !== key) original.set(own, key)
    }
  }
  return { value, original }
}

function ownKeys(key: string, given: unknown): (readonly [string, unknown])[] {
  const own = RENAMED[key] ?? key
  if (own === 'type') return [[own, typeof given === 'string' ? (TYPES[given] ?? given) : given]]
  if (key === 'command' && Array.isArray(given)) return [[key, given[0]], ...rest('args', given.slice(1))]
  if (key === 'enabled' && typeof given === 'boolean') return given ? [] : [['disabled', true]]
  // Cline uses seconds, Gemini and Claude milliseconds. Nobody means a tenth of a second, or a quarter of an hour.
  if (key === 'timeout' && typeof given === 'number') return [['timeoutMs', given < 1000 ? given * 1000 : given]]
  if (key === 'auth' && isRecord(given)) return [['oauth', cursorOauth(given)]]
  if (key === 'requestInit' && isRecord(given) && 'headers' in given) return [['headers', given.headers]]
  // Codex
  if (key === 'bearer_token_env_var') return [['bearerToken', `\${${given}}`]]
  if (key === 'tool_timeout_sec' && typeof given === 'number') return [['timeoutMs', given * 1000]]
  if (key === 'startup_timeout_sec' && typeof given === 'number') return [['connectTimeoutMs', given * 1000]]
  if (key === 'startup_timeout_ms') return [['connectTimeoutMs', given]]
  return [[own, given]]
}

function cursorOauth({ CLIENT_ID, CLIENT_SECRET, ...rest }: Entry): Entry {
  return {
    ...rest,
    ...(CLIENT_ID === undefined ? {} : { clientId: CLIENT_ID }),
    ...(CLIENT_SECRET === undefined ? {} : { clientSecret: CLIENT_SECRET }),
  }
}

function rest(key: string, values: readonly unknown[]): (readonly [string, unknown])[] {
  return values.length === 0 ? [] : [[key, values]]
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
