// One server's OAuth 2.1 client: the SDK's flow (discovery, dynamic registration, PKCE, refresh) over what is stored. Knows what the flow asks for;
// shows nothing to anybody, and starts no login by itself.
// Invariant: a verifier and a state belong to one login and are never stored.

import { randomUUID } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { type Connection, hasOwnCredentials } from '../configuration/index.js'
import { type Grant, TokenStore } from './token-store.js'

type HttpConnection = Extract<Connection, { type: 'http' }>

/**
 * Stored tokens, for connections that are made while nobody is there to log in. Undefined where there are none, or where the configuration says
 * by itself how requests are authorised.
 */
export function storedAuthorization(connection: HttpConnection): Authorization | undefined {
  if (hasOwnCredentials(connection)) return undefined
  const store = new TokenStore()
  return store.read(connection.url).tokens === undefined ? undefined : new Authorization(connection, store)
}

export interface LoginWindow {
  /** Where the authorization server sends the person back to. */
  readonly redirectUrl: string
  /** Shows the authorization server's page. */
  open(url: URL): void
}

export class Authorization implements OAuthClientProvider {
  readonly #connection: HttpConnection
  readonly #store: TokenStore
  readonly #window: LoginWindow | undefined
  readonly #state = randomUUID()
  #verifier = ''

  /** Without a window, a login that becomes necessary is not begun, and the request fails. */
  constructor(connection: HttpConnection, store: TokenStore, window?: LoginWindow) {
    this.#connection = connection
    this.#store = store
    this.#window = window
  }

  get redirectUrl(): string {
    return this.#window?.redirectUrl ?? this.#grant.redirectUrl ?? 'http://127.0.0.1/callback'
  }

  get clientMetadata(): OAuthClientMetadata {
    const { oauth = {} } = this.#connection
    return {
      client_name: 'starbind',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: oauth.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(oauth.scopes === undefined ? {} : { scope: oauth.scopes.join(' ') }),
    }
  }

  state(): string {
    return this.#state
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    const { clientId, clientSecret } = this.#connection.oauth ?? {}
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }
    const { client, redirectUrl } = this.#grant
    // A registration is good for the address that it was made with.
    const isUsable = this.#window === undefined || redirectUrl === this.#window.redirectUrl
    return isUsable ? client : undefined
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#save({ client, redirectUrl: this.redirectUrl })
  }

  tokens(): OAuthTokens | undefined {
    return this.#grant.tokens
  }

  /** What is kept of the login and must not be shown. */
  secrets(): string[] {
    const { access_token, refresh_token, id_token } = this.#grant.tokens ?? {}
    return [access_token, refresh_token, id_token].filter((token) => token !== undefined)
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#save({ tokens })
  }

  redirectToAuthorization(url: URL): void {
    this.#window?.open(url)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'client') this.#save({ client: undefined, redirectUrl: undefined })
    if (scope === 'all' || scope === 'tokens') this.#save({ tokens: undefined })
  }

  /** Read each time: another process may have logged in meanwhile. */
  get #grant(): Grant {
    return this.#store.read(this.#connection.url)
  }

  #save(change: Partial<Grant>): void {
    this.#store.write({ ...this.#grant, ...change })
  }
}
