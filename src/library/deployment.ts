// The deployment that a CodeMode is part of: the processes that keep their runs in one Redis.

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sha256 } from '../bindings/index.js'
import { type Configuration, defined, isStoreUrl, type Log, type ServerConfig } from '../gateway/index.js'
import { type Deployment, openRedis } from '../state/index.js'

/** Undefined: this process has its own state. Rejects with a DiagnosticError if the store can't be used. */
export async function openDeployment(configuration: Configuration, log: Log): Promise<Deployment | undefined> {
  const { state, statePrefix = 'starbind', runsAtOnce, runsWaiting } = configuration
  if (!isStoreUrl(state)) return undefined
  const deployment = await openRedis({ url: state, prefix: statePrefix }, defined({ runsAtOnce, runsWaiting }))
  await deployment.compareSettings(digestsOf(configuration)).catch(() => {})
  const differences = deployment.differentSettings()
  if (differences.length > 0) log({ level: 'warn', message: othersDiffer(statePrefix, differences) })
  return deployment
}

function othersDiffer(prefix: string, differences: readonly string[]): string {
  return (
    `another process that keeps its runs under ${prefix} has other settings: ${differences.slice(0, 10).join(', ')}; ` +
    'it may continue runs of this one, so give it the same settings, or another statePrefix'
  )
}

/** What may differ between the machines of one deployment. */
const OWN_SETTINGS: ReadonlySet<string> = new Set([
  'servers',
  'folder',
  'state',
  'statePrefix',
  'stateFiles',
  'stateBucket',
  'stateKey',
  'programs',
  'serve',
  'models',
  'agents',
  'stubs',
  'isolation',
])

/** A digest of each server and of each setting that a run depends on, without credentials. */
function digestsOf(configuration: Configuration): Record<string, string> {
  const { servers, folder = process.cwd() } = configuration
  const settings = Object.entries(configuration).filter(([name]) => !OWN_SETTINGS.has(name))
  return Object.fromEntries([
    ...settings.map(([name, value]) => [name, digestOf(textOf(value, folder))]),
    ...servers.map((server) => [`server ${server.name}`, digestOf(textOfServer(server, folder))]),
  ])
}

function textOfServer({ secrets, credentials, connection, ...server }: ServerConfig, folder: string): string {
  // Objects in this process have no text.
  const shown = connection.type === 'in-process' ? connection.type : connection
  return [...secrets, ...credentials].reduce(
    (rest, secret) => rest.replaceAll(JSON.stringify(secret).slice(1, -1), ''),
    textOf({ ...server, connection: shown }, folder),
  )
}

/** JSON text that is the same on each machine, wherever the folder of the configuration is. */
function textOf(value: unknown, folder: string): string {
  return JSON.stringify(value, (_key, one) => (typeof one === 'string' ? placeFrom(folder, one) : one)) ?? ''
}

/** A path or URL in the folder, relative to it. Any other text stays as it is. */
function placeFrom(folder: string, text: string): string {
  const bases = [folder, pathToFileURL(folder).href]
  const base = bases.find((one) => text === one || text.startsWith(`${one}/`) || text.startsWith(`${one}${path.sep}`))
  return base === undefined ? text : `.${text.slice(base.length).replaceAll(path.sep, '/')}`
}

function digestOf(text: string): string {
  return sha256(text).slice(0, 16)
}
