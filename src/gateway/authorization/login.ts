// Logs in to a server: opens the authorization page in a browser and receives the code at a loopback address.
// Invariant: the listener is closed when `login` settles, and a code without this login's state is refused.

import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetchWithinOrigin } from '@modelcontextprotocol/sdk/shared/transport.js'
import { DiagnosticError } from '../../diagnostics/index.js'
import type { HttpConnection, ServerConfig } from '../configuration/index.js'
import { loginFailed, loginUnneeded } from '../messages.js'
import type { Authorization } from './authorization.js'
import { type Logins, TokenStore } from './token-store.js'

/** The conditions of a login. */
export interface LoginOptions {
  /** Shows the page where a person logs in. */
  readonly open: (url: URL) => void
  /**
   * Asks whether the authorization server that a server names may have the credentials of the configuration, if no
   * person logs in (`client_credentials`) and `oauth.issuer` does not name it. Default: it may not.
   */
  readonly confirm?: (issuer: URL) => Promise<boolean>
  /** Ends the login. */
  readonly signal?: AbortSignal
}

/** Resolves when tokens for the server are stored. Rejects with a DiagnosticError if there are none. */
export async function login(
  server: ServerConfig,
  options: LoginOptions,
  store: Logins = new TokenStore(),
): Promise<void> {
  const connection = httpConnection(server)
  await store.fresh(connection.url)
  // Only a login needs them, and they take a while to load.
  const [{ auth }, { Authorization }] = await Promise.all([loadAuth(), import('./authorization.js')])
  const landing = await openLanding(connection.oauth?.callbackPort ?? 0)
  try {
    const wanted = await firstChallenge(connection)
    if (wanted === undefined) throw new DiagnosticError(loginUnneeded(server.name))
    const { open, confirm = async () => false } = options
    const authorization = new Authorization(connection, store, { redirectUrl: landing.url, open, confirm })
    authorization.beginAnew()
    const scope = authorization.wantedScope ?? wanted.scope
    authorization.challenged({ scope })
    const flow = { serverUrl: connection.url, ...wanted, ...(scope === undefined ? {} : { scope }) }
    // Listens before the page opens, because a browser may return at once.
    const coming = landing.code(authorization, options.signal)
    coming.catch(() => {})
    if ((await auth(authorization, flow)) === 'AUTHORIZED') return
    const authorizationCode = await coming
    await auth(authorization, { ...flow, authorizationCode })
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    throw new DiagnosticError(loginFailed(server.name, error instanceof Error ? error.message : String(error)))
  } finally {
    landing.close()
  }
}

/** Deletes the tokens of a login. False if there were none. */
export async function logout(server: ServerConfig, store: Logins = new TokenStore()): Promise<boolean> {
  const { url } = httpConnection(server)
  await store.fresh(url)
  return store.remove(url)
}

const loadAuth = () => import('@modelcontextprotocol/sdk/client/auth.js')

function httpConnection({ name, connection }: ServerConfig): HttpConnection {
  if (connection.type === 'http') return connection
  throw new DiagnosticError(loginUnneeded(name))
}

/** The server's answer about logging in, to a request without a token. Undefined if it needs no token. */
async function firstChallenge(
  connection: HttpConnection,
): Promise<{ readonly resourceMetadataUrl?: URL; readonly scope?: string } | undefined> {
  const headers = {
    ...connection.headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' })
  const isOlder = connection.only === 'sse'
  // A redirect to another origin is not followed: our headers are for the server.
  const fetchHere = fetchWithinOrigin()
  const response = await fetchHere(connection.url, isOlder ? { headers } : { method: 'POST', headers, body })
  await response.body?.cancel()
  if (response.status >= 300 && response.status < 400)
    throw new Error('it redirects to another origin, which must not receive its headers; check its url')
  if (response.status !== 401) return undefined
  const { resourceMetadataUrl, scope } = (await loadAuth()).extractWWWAuthenticateParams(response)
  const scopes = connection.oauth?.scopes?.join(' ') ?? scope
  return {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scopes === undefined ? {} : { scope: scopes }),
  }
}

/** The listener that the browser is redirected to. */
interface Landing {
  readonly url: string
  /** The code of this login. Rejects if the authorization server refuses, or the signal aborts. */
  code(login: Authorization, signal: AbortSignal | undefined): Promise<string>
  close(): void
}

const PATH = '/callback'

async function openLanding(port: number): Promise<Landing> {
  const { createServer } = await import('node:http')
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: given } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${given}${PATH}`,
    code: (login, signal) => codeFrom(server, login, signal),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function codeFrom(server: Server, login: Authorization, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('it was cancelled'))
    if (signal?.aborted) giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
      if (pathname !== PATH) return tell(response, 404, 'Not found.')
      if (searchParams.get('state') !== login.state())
        return tell(response, 400, 'This is not the login that starbind began.')
      // Nothing else that it says counts.
      if (!login.isFromIssuer(searchParams.get('iss'))) {
        tell(response, 400, 'This is not the authorization server where the login began.')
        return reject(new Error('the answer is not from the authorization server where the login began'))
      }
      const code = searchParams.get('code')
      if (code === null) {
        tell(response, 400, 'The login failed. You can close this window.')
        return reject(
          new Error(searchParams.get('error_description') ?? searchParams.get('error') ?? 'no code came back'),
        )
      }
      tell(response, 200, 'You are logged in. You can close this window.')
      resolve(code)
    })
  })
}

function tell(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${words}\n`)
}
