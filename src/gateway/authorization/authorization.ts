// The OAuth 2.1 client of one server: the SDK's flow (discovery, dynamic registration, PKCE, refresh) over stored
// tokens. It never starts a login by itself.
// Invariant: a verifier and a state belong to one login and are never stored. No credential goes to an authorization
// server that was neither configured nor confirmed by a person: a server may name any authorization server.

import { randomUUID } from 'node:crypto'
import {
  type AddClientAuthentication,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { createPrivateKeyJwtAuth } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { type HttpConnection, hasOwnCredentials, type OAuthSettings } from '../configuration/index.js'
import { type Grant, TokenStore } from './token-store.js'

/**
 * Stored tokens, for connections without a person to log in. Undefined if there are none, or if the configuration
 * itself has an authorization header.
 */
export function storedAuthorization(connection: HttpConnection): Authorization | undefined {
  if (hasOwnCredentials(connection)) return undefined
  const store = new TokenStore()
  const isOwnClient = connection.oauth?.grant === 'client_credentials'
  return isOwnClient || store.read(connection.url).tokens !== undefined
    ? new Authorization(connection, store)
    : undefined
}

export interface LoginWindow {
  /** The redirect URL for the authorization server. */
  readonly redirectUrl: string
  /** Shows the authorization server's page. */
  open(url: URL): void
  /** Asks a person whether credentials may go to an authorization server. */
  confirm(issuer: URL): Promise<boolean>
}

/**
 * A server names an authorization server that must not get our credentials; `message` is the reason, in words for
 * people.
 */
export class UntrustedIssuer extends UnauthorizedError {}

export class Authorization implements OAuthClientProvider {
  readonly clientMetadataUrl?: string
  readonly #connection: HttpConnection
  readonly #store: TokenStore
  readonly #window: LoginWindow | undefined
  readonly #state = randomUUID()
  #verifier = ''

  /** Without a window no login is started, and a request that needs one fails. */
  constructor(connection: HttpConnection, store: TokenStore, window?: LoginWindow) {
    this.#connection = connection
    this.#store = store
    this.#window = window
    const { clientMetadataUrl } = connection.oauth ?? {}
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
    if (connection.oauth?.grant === 'client_credentials') this.#beOwnClient(connection.oauth)
  }

  /** The request to the token endpoint if no person is involved. */
  prepareTokenRequest?: NonNullable<OAuthClientProvider['prepareTokenRequest']>
  addClientAuthentication?: AddClientAuthentication

  #beOwnClient({ clientId = '', privateKey, algorithm = 'RS256' }: OAuthSettings): void {
    this.prepareTokenRequest = (scope) =>
      new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
    if (privateKey === undefined) return
    this.addClientAuthentication = createPrivateKeyJwtAuth({
      issuer: clientId,
      subject: clientId,
      privateKey,
      alg: algorithm,
    })
  }

  get redirectUrl(): string | undefined {
    if (this.#connection.oauth?.grant === 'client_credentials') return undefined
    return this.#window?.redirectUrl ?? this.#grant.redirectUrl ?? 'http://127.0.0.1/callback'
  }

  get clientMetadata(): OAuthClientMetadata {
    const { oauth = {} } = this.#connection
    return {
      client_name: 'starbind',
      redirect_uris: this.redirectUrl === undefined ? [] : [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: oauth.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(oauth.scopes === undefined ? {} : { scope: oauth.scopes.join(' ') }),
    }
  }

  state(): string {
    return this.#state
  }

  /** Receives the discovered authorization server, before anything is sent there. */
  async saveDiscoveryState({ authorizationServerUrl }: OAuthDiscoveryState): Promise<void> {
    const named = new URL(authorizationServerUrl)
    const { issuer, grant } = this.#connection.oauth ?? {}
    if (issuer !== undefined) {
      if (named.href === new URL(issuer).href) return
      throw new UntrustedIssuer(`it names the authorization server ${named.origin} and not ${new URL(issuer).origin}`)
    }
    // A person who logs in sees the owner of the page. Our own credentials would be sent without that check.
    if (grant !== 'client_credentials' || this.#grant.issuer === named.href) return
    if ((await this.#window?.confirm(named)) !== true)
      throw new UntrustedIssuer(`it names the authorization server ${named.origin}, which no person has confirmed`)
    this.#save({ issuer: named.href })
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    const { clientId, clientSecret } = this.#connection.oauth ?? {}
    const { client, redirectUrl, tokens } = this.#grant
    if (clientId !== undefined)
      return {
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        // The authorization server of the login has seen them; another one does not get them without a person.
        ...(this.#window === undefined && tokens?.issuer !== undefined ? { issuer: tokens.issuer } : {}),
      }
    // A registration is valid for its own redirect address only.
    const isUsable = this.#window === undefined || redirectUrl === this.#window.redirectUrl
    return isUsable ? client : undefined
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#save({ client, redirectUrl: this.redirectUrl })
  }

  tokens(): OAuthTokens | undefined {
    return this.#grant.tokens
  }

  /** Secrets of the stored login. */
  secrets(): string[] {
    const { access_token, refresh_token, id_token } = this.#grant.tokens ?? {}
    return [access_token, refresh_token, id_token].filter((token) => token !== undefined)
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#save({ tokens })
  }

  redirectToAuthorization(url: URL): void {
    if (this.#window === undefined) this.#save({ scope: url.searchParams.get('scope') ?? undefined })
    else this.#window.open(url)
  }

  /** The scopes of the next login; undefined: those that the server names. */
  get wantedScope(): string | undefined {
    return this.#grant.scope
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

  /** Deletes the data of an earlier login. */
  beginAnew(): void {
    this.#save({ tokens: undefined, issuer: undefined })
  }

  /** Read each time: another process may have logged in meanwhile. */
  get #grant(): Grant {
    return this.#store.read(this.#connection.url)
  }

  #save(change: Partial<Grant>): void {
    this.#store.write({ ...this.#grant, ...change })
  }
}
