// Turns one server entry into a connection, and checks how its keys go together.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse as parseVariables } from 'dotenv'
import type { Diagnostic } from '../../diagnostics/index.js'
import { BUILTIN_KEYS, builtinSettings } from './builtin-entry.js'
import { wrong } from './complaints.js'
import type { Connection, Root, ServerConfig } from './configuration.js'
import { defined } from './defined.js'
import { describeTool, type InProcess, isMcpClient, isMcpServer } from './in-process.js'
import { References, SECRET_NAME } from './references.js'
import type { OAuthSettings, ServerEntry } from './shape.js'
import type { CheckOptions } from './surroundings.js'

/** Adds mistakes to `faults`; the config is usable only if there are none. */
export function serverConfig(
  name: string,
  entry: ServerEntry,
  options: CheckOptions,
  faults: Diagnostic[],
): ServerConfig {
  const references = new References(['mcpServers', name], options, entry.disabled === true ? undefined : faults)
  return {
    name,
    connection: connectionOf(entry, { name, references, options, faults }),
    ...defined({
      codeMode: entry.codeMode,
      resources: entry.resources,
      prompts: entry.prompts,
      bindingLevel: entry.bindingLevel,
      toolsToExecute: entry.toolsToExecute,
      toolsToAutoExecute: entry.toolsToAutoExecute,
      toolsToDeny: entry.toolsToDeny,
      // Whoever configures a shell decides on it anew.
      approve: entry.approve ?? (entry.builtin === 'shell' ? 'always' : undefined),
      passHeaders: entry.passHeaders?.map((header) => header.toLowerCase()),
      timeoutMs: entry.timeoutMs,
      results: entry.results,
      tools: entry.tools,
      lazy: entry.lazy,
      idleMs: entry.idleMs,
      pingMs: entry.pingMs,
      pollMs: entry.pollMs,
      connectTimeoutMs: entry.connectTimeoutMs,
      maxBytes: entry.maxBytes,
      roots: rootsOf(entry.roots ?? options.roots, references, options),
      protocol: entry.protocol,
      callsAtOnce: entry.callsAtOnce,
      reads: entry.reads,
      writes: entry.writes,
      readAhead: entry.readAhead,
    }),
    disabled: entry.disabled ?? false,
    secrets: [...references.secrets],
    credentials: [...references.credentials],
  }
}

function rootsOf(
  roots: readonly string[] | undefined,
  references: References,
  { folder }: CheckOptions,
): readonly Root[] | undefined {
  return roots?.map((root, i) => {
    const place = path.resolve(folder, references.resolve(root, ['roots', i]))
    return { uri: pathToFileURL(place).href, name: path.basename(place) }
  })
}

interface EntryContext {
  readonly name: string
  readonly references: References
  readonly options: CheckOptions
  readonly faults: Diagnostic[]
}

type ConnectionType = Exclude<Connection['type'], 'unusable'>

/** The keys that do not belong to every kind of connection. */
const OWN_KEYS = {
  stdio: ['command', 'args', 'env', 'envFile', 'cwd'],
  http: ['url', 'headers', 'bearerToken', 'passHeaders', 'oauth'],
  builtin: BUILTIN_KEYS,
  'in-process': ['passHeaders'],
} as const satisfies Record<ConnectionType, readonly (keyof ServerEntry)[]>

const KINDS: Record<ConnectionType, string> = {
  stdio: 'a server that is started with command',
  http: 'a server that is reached at a url',
  builtin: 'a built-in server',
  'in-process': 'a server in this process',
}

function connectionOf(entry: ServerEntry, context: EntryContext): Connection {
  const type = typeOf(entry)
  const own: readonly string[] = OWN_KEYS[type]
  for (const key of new Set(Object.values(OWN_KEYS).flat()))
    if (entry[key] !== undefined && !own.includes(key))
      complain(context, [key], 'a value', `no such key for ${KINDS[type]}`)
  const isHere = type === 'in-process' || type === 'builtin'
  if (entry.protocol === '2026' && (entry.type === 'sse' || isHere)) {
    const kind = isHere ? KINDS[type] : 'a server that speaks the older HTTP with SSE'
    complain(context, ['protocol'], '"2026"', `"auto" or "2025" for ${kind}`)
  }
  const needed = type === 'stdio' ? 'command' : 'url'
  if (!isHere && entry[needed] === undefined) {
    const want =
      entry.type === undefined ? 'command (a program to start) or url' : `${needed}, because type is "${entry.type}"`
    complain(context, [], entry.type === undefined ? 'neither command nor url' : `no ${needed}`, want)
  }
  switch (type) {
    case 'stdio':
      return stdioConnection(entry, context)
    case 'http':
      return httpConnection(entry, context)
    case 'builtin':
      return {
        type: 'builtin',
        settings: builtinSettings(entry, { ...context, complain: (...fault) => complain(context, ...fault) }),
      }
    case 'in-process':
      return inProcessConnection(entry.inProcess!, context)
  }
}

function typeOf({ type, url, inProcess, builtin }: ServerEntry): ConnectionType {
  if (inProcess !== undefined) return 'in-process'
  if (builtin !== undefined) return 'builtin'
  if (type === undefined) return url === undefined ? 'stdio' : 'http'
  return type === 'stdio' ? 'stdio' : 'http'
}

function complain(
  { name, options, faults }: EntryContext,
  key: readonly PropertyKey[],
  got: string,
  want: string,
): void {
  faults.push(wrong(options, ['mcpServers', name, ...key], got, want))
}

function stdioConnection(entry: ServerEntry, context: EntryContext): Connection {
  const { references, options } = context
  const cwd =
    entry.cwd === undefined ? options.startIn : path.resolve(options.folder, references.resolve(entry.cwd, ['cwd']))
  return {
    type: 'stdio',
    command: references.resolve(entry.command ?? '', ['command']),
    args: references.resolveArguments(entry.args ?? []),
    env: references.resolveEach({ ...fileVariables(entry, context), ...entry.env }, 'env', SECRET_NAME),
    ...defined({ cwd }),
  }
}

/** The variables of an `envFile`, unexpanded. */
function fileVariables({ envFile, disabled }: ServerEntry, context: EntryContext): Record<string, string> {
  if (envFile === undefined || disabled === true) return {}
  const file = path.resolve(context.options.folder, context.references.resolve(envFile, ['envFile']))
  try {
    return parseVariables(readFileSync(file, 'utf8'))
  } catch {
    complain(context, ['envFile'], "a file that can't be read", 'a file with lines of NAME=value')
    return {}
  }
}

function httpConnection(entry: ServerEntry, context: EntryContext): Connection {
  const { references } = context
  const url = references.resolve(entry.url ?? 'http://localhost', ['url'])
  const isResolved = !url.includes('${')
  if (isResolved && (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)))
    complain(context, ['url'], 'something else', 'an http or https URL')
  else if (isResolved) references.hideSecretsOf(new URL(url))
  const bearer = entry.bearerToken === undefined ? {} : { Authorization: `Bearer ${entry.bearerToken}` }
  return {
    type: 'http',
    url,
    headers: references.resolveEach({ ...bearer, ...entry.headers }, 'headers', /./),
    ...defined({
      only: entry.type === 'sse' || entry.type === 'streamable-http' ? entry.type : undefined,
      oauth: entry.oauth === undefined ? undefined : oauthSettings(entry.oauth, references),
    }),
  }
}

function oauthSettings(oauth: OAuthSettings, references: References): OAuthSettings {
  const texts = Object.entries(oauth).filter(([, value]) => typeof value === 'string') as [string, string][]
  return { ...oauth, ...references.resolveEach(Object.fromEntries(texts), 'oauth', SECRET_NAME) }
}

function inProcessConnection(inProcess: InProcess, context: EntryContext): Connection {
  for (const [tool, given] of isMcpServer(inProcess) || isMcpClient(inProcess) ? [] : Object.entries(inProcess)) {
    try {
      describeTool(tool, given)
    } catch (error) {
      const got = `a schema that JSON Schema can't express (${(error as Error).message})`
      complain(context, ['inProcess', tool], got, 'schemas of data')
    }
  }
  return { type: 'in-process', inProcess }
}
