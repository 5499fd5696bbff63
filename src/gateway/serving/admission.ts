// Decides who may connect over HTTP: holders of API keys, and holders of access tokens if authorization servers are
// configured.
// Invariant: if credentials are required, a request without valid ones is refused. If there are authorization servers,
// the refusal names them.

import type { IncomingHttpHeaders } from 'node:http'
import { DiagnosticError } from '../../diagnostics/index.js'
import type { ServeSettings } from '../configuration/index.js'
import { isLoopback } from '../loopback.js'
import { keyNeeded, resourceNeeded } from '../messages.js'
import type { AccessTokens } from './access-tokens.js'
import type { Caller } from './caller.js'
import { defaultKeysFile, Keys } from './keys.js'
import { type Challenge, ProtectedResource } from './protected-resource.js'

/** The answer to a refused request. */
export interface Refusal {
  readonly status: 401 | 403 | 503
  readonly message: string
  /** The header `WWW-Authenticate`. */
  readonly challenge?: string
}

export interface Admitted {
  /** Undefined: the request has no credentials, and none are required. */
  readonly caller: Caller | undefined
  /** The expiry of the access token, in milliseconds since 1970. */
  readonly until?: number
}

export interface Wanted {
  readonly server: string
  /** Absent: any tool of the server. */
  readonly tool?: string
  /** The server in the path of the request. */
  readonly only: string | undefined
}

export class Admission {
  readonly #settings: ServeSettings
  readonly #keys: Keys
  readonly #demandsKey: boolean
  readonly #resource: ProtectedResource | undefined
  #tokens: AccessTokens | undefined

  /** `ownUrl`: the URL of `/mcp` on this machine. `onChange`: called when keys were added or removed. */
  constructor(settings: ServeSettings, { ownUrl, onChange }: { ownUrl: () => string; onChange: () => void }) {
    const { host = '127.0.0.1', keysFile, authorization } = settings
    this.#settings = settings
    this.#keys = new Keys(keysFile ?? defaultKeysFile(), onChange)
    this.#resource = authorization === undefined ? undefined : new ProtectedResource(authorization, ownUrl)
    this.#demandsKey = !isLoopback(host) || keysFile !== undefined || authorization !== undefined || !this.#keys.isEmpty
  }

  /** Rejects with a DiagnosticError if the address must not be served with these settings. */
  async open(): Promise<void> {
    const { host = '127.0.0.1', keysFile, authorization } = this.#settings
    if (!isLoopback(host) && this.#keys.isEmpty && authorization === undefined)
      throw new DiagnosticError(keyNeeded(host, keysFile))
    if (authorization === undefined || this.#resource === undefined) return
    if (!isLoopback(host) && authorization.resource === undefined) throw new DiagnosticError(resourceNeeded(host))
    const { AccessTokens } = await import('./access-tokens.js')
    this.#tokens = new AccessTokens(authorization, this.#resource)
  }

  close(): void {
    this.#keys.close()
  }

  /** False if the caller's key was removed or changed. */
  holds(caller: Caller): boolean {
    return caller.scopes !== undefined || this.#keys.holds(caller)
  }

  metadataAt(pathname: string): object | undefined {
    return this.#resource?.metadataAt(pathname)
  }

  /** `only`: the server in the path of the request. */
  async admit(headers: IncomingHttpHeaders, only: string | undefined): Promise<Admitted | Refusal> {
    const { 'x-api-key': own, authorization = '' } = headers
    const bearer = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1]
    const key = own === undefined ? bearer : String(own)
    const caller = key === undefined ? undefined : this.#keys.find(key)
    if (caller !== undefined || !this.#demandsKey) return { caller }
    if (key === undefined) return this.#challenged(401, this.#needed(), {}, only)
    if (own !== undefined || !looksLikeToken(key) || this.#tokens === undefined)
      return this.#challenged(401, UNKNOWN_KEY, { error: 'invalid_token' }, only)
    return this.#admitHolder(this.#tokens, key, only)
  }

  async #admitHolder(tokens: AccessTokens, token: string, only: string | undefined): Promise<Admitted | Refusal> {
    const found = await tokens.holderOf(token, only)
    if ('status' in found) {
      const { status, message } = found
      if (status === 503) return { status, message }
      return this.#challenged(status, message, { error: 'invalid_token', description: message }, only)
    }
    const isEnough = this.#settings.authorization?.scopes === undefined || found.caller.scopes?.length !== 0
    return isEnough ? found : this.#lacking(found.caller, this.#resource?.firstScopes ?? [], only)
  }

  /** Refuses a caller who needs another scope for a server or a tool. Undefined: no scope is missing. */
  lacks(caller: Caller, { server, tool, only }: Wanted): Refusal | undefined {
    const scope = this.#resource?.missingScope(caller.scopes ?? [], server, tool)
    return scope === undefined ? undefined : this.#lacking(caller, [scope], only)
  }

  /** Also names the scopes that the caller has, because a new token replaces the old one. */
  #lacking({ scopes = [] }: Caller, missing: readonly string[], only: string | undefined): Refusal {
    const message = `the access token lacks a scope: ${missing.join(' ')}`
    const all = [...new Set([...scopes, ...missing])]
    return this.#challenged(403, message, { error: 'insufficient_scope', description: message, scopes: all }, only)
  }

  #challenged(status: 401 | 403, message: string, challenge: Partial<Challenge>, only: string | undefined): Refusal {
    const plain = challenge.error === undefined ? 'Bearer' : `Bearer error="${challenge.error}"`
    const scopes = challenge.scopes ?? this.#resource?.firstScopes ?? []
    return { status, message, challenge: this.#resource?.challenge({ ...challenge, scopes }, only) ?? plain }
  }

  #needed(): string {
    return this.#resource === undefined
      ? 'a key is needed: Authorization: Bearer KEY'
      : 'an access token or a key is needed: Authorization: Bearer TOKEN'
  }
}

const UNKNOWN_KEY = 'the key is unknown or was removed; starbind keys list shows all keys'

/** A JSON Web Token has three parts; a key has none. */
function looksLikeToken(key: string): boolean {
  return /^[\w-]+\.[\w-]*\.[\w-]*$/.test(key)
}
