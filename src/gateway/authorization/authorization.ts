// The OAuth 2.1 client of one server: the SDK's flow (discovery, dynamic registration, PKCE, refresh) over stored
// tokens. It never starts a login by itself.
// Invariant: a verifier and a state belong to one login and are never stored. No credential goes to an authorization
// server that was neither configured nor confirmed by a person: a server may name any authorization server. A login
// ends at the authorization server where it began.

import { randomUUID } from 'node:crypto'
import type {
  AddClientAuthentication,
  OAuthClientProvider,
  OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { createPrivateKeyJwtAuth } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import {
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthTokens,
  OAuthTokensSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { type HttpConnection, hasOwnCredentials, type OAuthSettings } from '../configuration/index.js'
import { UntrustedIssuer } from '../http-error.js'
import type { Grant, Logins } from './token-store.js'

/**
 * Stored tokens, for connections without a person to log in. Undefined if there are none, or if the configuration
 * itself has an authorization header.
 */
export function storedAuthorization(connection: HttpConnection, store: Logins): Authorization | undefined {
  if (hasOwnCredentials(connection)) return undefined
  const isOwnClient = connection.oauth?.grant === 'client_credentials'
  return isOwnClient || store.read(connection.url).tokens !== undefined
    ? new Authorization(connection, store)
    : undefined
}

interface LoginWindow {
  /** The redirect URL for the authorization server. */
  readonly redirectUrl: string
  /** Shows the authorization server's page. */
  open(url: URL): void
  /** Asks a person whether credentials may go to an authorization server. */
  confirm(issuer: URL): Promise<boolean>
}

/** For the registration. The SDK's types lack it, but the SDK sends it. */
const NATIVE: object = { application_type: 'native' }

/** An authorization server, by the name that it gives itself. */
interface Issuer {
  readonly name: string
  /** It says its name in each answer. */
  readonly saysName: boolean
}

/**
 * Throws an UntrustedIssuer for one that says that it stands at another origin than the MCP server names. Within an
 * origin, tenants are often described by one document, which has the name of the whole.
 */
function issuerIn({
  authorizationServerUrl,
  authorizationServerMetadata,
  resourceMetadata,
}: OAuthDiscoveryState): Issuer {
  const { issuer: name = authorizationServerUrl, ...metadata } = authorizationServerMetadata ?? {}
  // Where the MCP server names none, its own origin may tell of another.
  if (resourceMetadata !== undefined && originOf(name) !== originOf(authorizationServerUrl))
    throw new UntrustedIssuer(`${new URL(authorizationServerUrl).origin} calls itself the authorization server ${name}`)
  const { authorization_response_iss_parameter_supported: saysName } = metadata as Readonly<Record<string, unknown>>
  return { name, saysName: saysName === true }
}

/** The scopes of both lists. */
function together(one: string | undefined, other: string | undefined): string | undefined {
  const all = [one, other].flatMap((scopes) => scopes?.split(' ') ?? [])
  return all.length === 0 ? undefined : [...new Set(all)].join(' ')
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

interface Challenge {
  readonly scope?: string | undefined
  readonly error?: string | undefined
  /** The access token of the request. */
  readonly refused?: string | undefined
}

export class Authorization implements OAuthClientProvider {
  readonly clientMetadataUrl?: string
  readonly #connection: HttpConnection
  readonly #store: Logins
  readonly #window: LoginWindow | undefined
  readonly #state = randomUUID()
  #verifier = ''
  /** The scopes that the server names, for our own account, unless the configuration has some. */
  #named: string | undefined
  /** The scopes that the open page asks for. */
  #asked: string | undefined
  /** The access token that the server refused last. */
  #refused: string | undefined
  /** The access token of a renewal that is stored. By now, another process may have stored a newer one. */
  #stored: string | undefined
  /** The access token that lacked a scope. Renewing it would not give it one. */
  #lacking: string | undefined
  /** The authorization server of this login; its page is open once `isBegun`. */
  #issuer: Issuer | undefined
  #isBegun = false

  /** Without a window no login is started, and a request that needs one fails. */
  constructor(connection: HttpConnection, store: Logins, window?: LoginWindow) {
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
    this.prepareTokenRequest = (configured) => {
      const scope = configured ?? this.#named
      return new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
    }
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
      // A program of this machine, which the browser comes back to: without this, some demand addresses of web sites.
      ...NATIVE,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: oauth.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(oauth.scopes === undefined ? {} : { scope: oauth.scopes.join(' ') }),
    }
  }

  state(): string {
    return this.#state
  }

  /**
   * Receives a challenge, whose scopes count before those that the server supports. A token that lacks a scope is
   * replaced by one that has it, beside those that it had.
   */
  challenged({ scope, error, refused }: Challenge): void {
    const { tokens } = this.#grant
    this.#refused = refused
    const isLacking = error === 'insufficient_scope'
    if (isLacking) this.#lacking = tokens?.access_token
    if (scope !== undefined) this.#named = isLacking ? together(tokens?.scope, scope) : scope
  }

  /** Receives the discovered authorization server, before anything is sent there. */
  async saveDiscoveryState(found: OAuthDiscoveryState): Promise<void> {
    this.#named ??= found.resourceMetadata?.scopes_supported?.join(' ')
    const named = new URL(found.authorizationServerUrl)
    const chosen = issuerIn(found)
    if (this.#isBegun && chosen.name !== this.#issuer?.name)
      throw new UntrustedIssuer(`it names the authorization server ${named.origin}, where the login did not begin`)
    this.#issuer = chosen
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
    const { tokens } = this.#grant
    if (tokens === undefined || tokens.access_token !== this.#lacking) return tokens
    const { refresh_token: _, ...rest } = tokens
    return rest
  }

  /** Secrets of the stored login. */
  secrets(): string[] {
    const { access_token, refresh_token, id_token } = this.#grant.tokens ?? {}
    return [access_token, refresh_token, id_token].filter((token) => token !== undefined)
  }

  /** An authorization server that grants the requested scopes need not repeat them. */
  saveTokens(tokens: OAuthTokens): void {
    if (tokens.access_token === this.#stored && this.#grant.tokens?.issuer !== undefined) return
    const scope = tokens.scope ?? this.#asked ?? this.#grant.tokens?.scope
    this.#save({ tokens: { ...tokens, ...(scope === undefined ? {} : { scope }) } })
  }

  /**
   * The answer to a request for new tokens. A refresh token may be valid once only, so if another process has used it
   * meanwhile, the answer has the tokens that the other one got.
   */
  async renewed(refreshToken: string, send: () => Promise<Response>): Promise<Response> {
    const { url } = this.#connection
    return this.#store.alone(url, async () => {
      const { tokens } = this.#grant
      const isNewer =
        tokens?.refresh_token !== refreshToken || ![undefined, tokens.access_token].includes(this.#refused)
      if (tokens !== undefined && isNewer) {
        this.#stored = tokens.access_token
        return Response.json(tokens)
      }
      const response = await send()
      const renewed = response.ok ? OAuthTokensSchema.safeParse(await response.clone().json()) : undefined
      if (renewed?.success) {
        const issuer = tokens?.issuer === undefined ? {} : { issuer: tokens.issuer }
        this.saveTokens({ refresh_token: refreshToken, ...renewed.data, ...issuer })
        this.#stored = renewed.data.access_token
      }
      return response
    })
  }

  redirectToAuthorization(url: URL): void {
    const scope = url.searchParams.get('scope') ?? undefined
    if (this.#window === undefined) return this.#save({ scope: together(this.#grant.tokens?.scope, scope) })
    this.#asked = scope
    this.#isBegun = true
    this.#window.open(url)
  }

  /**
   * Whether an answer with this `iss` is one of the authorization server where the login began (RFC 9207). Its name is
   * compared as it is written.
   */
  isFromIssuer(iss: string | null): boolean {
    return iss === null ? this.#issuer?.saysName !== true : iss === this.#issuer?.name
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
