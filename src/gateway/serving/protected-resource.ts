// The gateway as a protected resource of OAuth (RFC 9728): its metadata, its challenges, the audiences of its tokens, and
// the tools that scopes allow.
// Invariant: a scope allows exactly the tools that the configuration lists for it.

import type { AuthorizationSettings } from '../configuration/index.js'
import { type FilterEntry, ToolFilter } from '../filter.js'
import { decoded } from './http-walls.js'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Why a request is refused. */
export interface Challenge {
  readonly error?: 'invalid_token' | 'insufficient_scope'
  readonly description?: string
  /** The scopes that the caller should ask for. */
  readonly scopes: readonly string[]
}

export class ProtectedResource {
  readonly #settings: AuthorizationSettings
  readonly #base: () => string

  /** `ownUrl`: the URL of `/mcp`, used if the configuration has no `resource`. */
  constructor(settings: AuthorizationSettings, ownUrl: () => string) {
    this.#settings = settings
    this.#base = () => settings.resource ?? ownUrl()
  }

  /** The accepted audiences for a path. A token for the whole gateway also opens the path of one server. */
  audiences(only: string | undefined): string[] {
    const { audiences = [] } = this.#settings
    return [this.#base(), ...(only === undefined ? [] : [this.#url(only)]), ...audiences]
  }

  /** The metadata document at a path. Undefined: there is none. */
  metadataAt(pathname: string): object | undefined {
    if (!pathname.startsWith(WELL_KNOWN)) return undefined
    const only = this.#serverIn(pathname.slice(WELL_KNOWN.length))
    if (only === undefined) return undefined
    const scopes = this.#allScopes()
    return {
      resource: this.#url(only.name),
      authorization_servers: this.#settings.issuers,
      ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'starbind',
    }
  }

  /** The value of `WWW-Authenticate`. */
  challenge({ error, description, scopes }: Challenge, only: string | undefined): string {
    const { origin, pathname } = new URL(this.#url(only))
    const parts = {
      error,
      error_description: description,
      resource_metadata: `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`,
      scope: scopes.length === 0 ? undefined : scopes.join(' '),
    }
    const words = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]))
    return `Bearer ${words.join(', ')}`
  }

  /** The scopes that a caller without a token should ask for. */
  get firstScopes(): readonly string[] {
    return this.#settings.firstScopes ?? Object.keys(this.#settings.scopes ?? {})
  }

  /** The configured scopes among those of a token, in the order of the configuration. */
  meant(granted: ReadonlySet<string>): string[] {
    return this.#allScopes().filter((scope) => granted.has(scope))
  }

  /** The permissions that these scopes give together. */
  termsOf(scopes: readonly string[]): Pick<FilterEntry, 'toolsToExecute'> & { readonly mayApprove?: boolean } {
    const { scopes: tools, approveScope } = this.#settings
    return {
      ...(tools === undefined ? {} : { toolsToExecute: scopes.flatMap((scope) => tools[scope] ?? []) }),
      ...(approveScope !== undefined && scopes.includes(approveScope) ? { mayApprove: true } : {}),
    }
  }

  /**
   * The first scope of the configuration that reaches a server, or allows a tool of it. Undefined: none does, or these
   * scopes do already.
   */
  missingScope(scopes: readonly string[], server: string, tool?: string): string | undefined {
    const isEnough = (entry: FilterEntry): boolean => {
      const filter = ToolFilter.all.narrow(entry)
      return tool === undefined ? filter.reaches(server) : filter.allows(server, tool)
    }
    if (isEnough(this.termsOf(scopes))) return undefined
    return Object.keys(this.#settings.scopes ?? {}).find((scope) => isEnough(this.termsOf([scope])))
  }

  #allScopes(): string[] {
    const { scopes = {}, approveScope } = this.#settings
    return [...new Set([...Object.keys(scopes), ...(approveScope === undefined ? [] : [approveScope])])]
  }

  /** The view that a metadata path names. The path may be the root, one of ours, or one that a proxy maps to ours. */
  #serverIn(rest: string): { readonly name?: string } | undefined {
    if (rest === '' || rest === '/') return {}
    const outside = new URL(this.#base()).pathname.replace(/\/$/, '')
    for (const base of ['/mcp', outside]) {
      if (rest === base || rest === `${base}/`) return {}
      const name = rest.startsWith(`${base}/`) ? decoded(rest.slice(base.length + 1)) : undefined
      if (name !== undefined) return { name }
    }
    return undefined
  }

  #url(only: string | undefined): string {
    return only === undefined ? this.#base() : `${this.#base().replace(/\/$/, '')}/${encodeURIComponent(only)}`
  }
}
