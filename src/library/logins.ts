// Logins to servers, in files of this machine or in the store of a deployment.

import {
  type Configuration,
  login as gatewayLogin,
  logout as gatewayLogout,
  type Log,
  type LoginConditions,
  type ServerConfig,
  SharedLogins,
  stderrLog,
  TokenStore,
} from '../gateway/index.js'
import type { Deployment } from '../state/index.js'
import { openDeployment } from './deployment.js'

/** Undefined: logins are in files of this machine. */
export async function openLogins(
  { stateKey, servers }: Configuration,
  deployment: Deployment | undefined,
  log: Log,
): Promise<SharedLogins | undefined> {
  if (deployment === undefined) return undefined
  const complain = (message: string) => log({ level: 'warn', message })
  if (stateKey !== undefined) return SharedLogins.open(deployment, { stateKey, complain })
  const files = new TokenStore()
  const names = servers.flatMap(({ name, connection }) =>
    connection.type === 'http' && files.read(connection.url).tokens !== undefined ? [name] : [],
  )
  if (names.length > 0)
    complain(`the logins to ${names.join(', ')} are known on this machine only; set stateKey to share logins`)
  return undefined
}

/**
 * The options of a login.
 *
 * @example
 * import { type LoginOptions, login, readConfiguration } from 'starbind'
 *
 * const options: LoginOptions = { open: (url) => console.log(url.href), signal: AbortSignal.timeout(120_000) }
 * for (const server of readConfiguration('starbind.json').servers) await login(server, options)
 */
export interface LoginOptions extends LoginConditions {
  /** With `state: "redis://…"` and a `stateKey` in it, all machines of the deployment are logged in. Default: this one. */
  readonly configuration?: Configuration
}

/**
 * Resolves when tokens for the server are stored. Rejects with a DiagnosticError that has the reason if there are none.
 *
 * @example
 * import { login, readConfiguration } from 'starbind'
 *
 * const configuration = readConfiguration('starbind.json')
 * const server = configuration.servers.find(({ name }) => name === 'tracker')
 * if (server !== undefined) await login(server, { open: (url) => console.log(`log in at ${url}`), configuration })
 */
export async function login(server: ServerConfig, options: LoginOptions): Promise<void> {
  await withLogins(options, (logins) => gatewayLogin(server, options, logins))
}

/**
 * Deletes the tokens of a login. False if there were none. Rejects with a DiagnosticError for a server without logins.
 *
 * @example
 * import { logout, readConfiguration } from 'starbind'
 *
 * const configuration = readConfiguration('starbind.json')
 * const server = configuration.servers.find(({ name }) => name === 'tracker')
 * if (server !== undefined) console.log((await logout(server, { configuration })) ? 'logged out' : 'was not logged in')
 */
export async function logout(
  server: ServerConfig,
  options: Pick<LoginOptions, 'configuration'> = {},
): Promise<boolean> {
  return withLogins(options, (logins) => gatewayLogout(server, logins))
}

async function withLogins<T>(
  { configuration }: Pick<LoginOptions, 'configuration'>,
  work: (logins: SharedLogins | undefined) => Promise<T>,
): Promise<T> {
  const log = stderrLog('warn')
  const deployment = configuration?.stateKey === undefined ? undefined : await openDeployment(configuration, log)
  try {
    const logins = configuration && (await openLogins(configuration, deployment, log))
    try {
      return await work(logins)
    } finally {
      await logins?.close()
    }
  } finally {
    await deployment?.close()
  }
}
