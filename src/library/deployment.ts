// The deployment that a CodeMode is part of: the processes that keep their runs in one Redis.

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
  const settings = Object.entries(configuration).filter(([name]) => !OWN_SETTINGS.has(name))
  return Object.fromEntries([
    ...settings.map(([name, value]) => [name, digestOf(JSON.stringify(value) ?? '')]),
    ...configuration.servers.map((server) => [`server ${server.name}`, digestOf(textOf(server))]),
  ])
}

function textOf({ secrets, credentials, connection, ...server }: ServerConfig): string {
  // Objects in this process have no text.
  const shown = connection.type === 'in-process' ? connection.type : connection
  const text = JSON.stringify({ ...server, connection: shown })
  return [...secrets, ...credentials].reduce(
    (rest, secret) => rest.replaceAll(JSON.stringify(secret).slice(1, -1), ''),
    text,
  )
}

function digestOf(text: string): string {
  return sha256(text).slice(0, 16)
}
