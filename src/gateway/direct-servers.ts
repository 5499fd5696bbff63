// Decides which servers a caller reaches directly, tool by tool, and which through programs. Programs pay off where
// there are many tools, so "auto" counts them.
// Invariant: the decision for a server does not change during a session, so that definitions that a model has read stay
// valid.

import type { CodeModeUse } from './configuration/index.js'
import type { ToolFilter } from './filter.js'
import type { Upstreams } from './upstreams.js'

interface DirectServersOptions {
  readonly filter: ToolFilter
  /** The caller's setting, which overrides those of servers. */
  readonly forCaller?: CodeModeUse | undefined
  /** The setting of servers without one. Default true. */
  readonly usual?: CodeModeUse | undefined
  /** With "auto", the maximum tokens of definitions that are offered directly. */
  readonly autoTokens?: number | undefined
}

const AUTO_TOKENS = 6000
/** The average of JSON in real catalogues. */
const CHARACTERS_PER_TOKEN = 4.4

export class DirectServers {
  readonly #upstreams: Upstreams
  readonly #options: DirectServersOptions
  readonly #known = new Map<string, boolean>()

  constructor(upstreams: Upstreams, options: DirectServersOptions) {
    this.#upstreams = upstreams
    this.#options = options
  }

  has(server: string): boolean {
    const known = this.#known.get(server)
    if (known !== undefined) return known
    const use = this.#useOf(server)
    if (use === 'auto') this.#decideTogether()
    else this.#known.set(server, !use)
    return this.#known.get(server) ?? false
  }

  #useOf(server: string): CodeModeUse {
    return this.#options.forCaller ?? this.#upstreams.codeModeOf(server) ?? this.#options.usual ?? true
  }

  /** All "auto" servers are direct or none is, because half of them would cost both the tokens and the meta-tools. */
  #decideTogether(): void {
    const auto = this.#upstreams.names().filter((name) => !this.#known.has(name) && this.#useOf(name) === 'auto')
    const tokens = auto.reduce((sum, name) => sum + this.#tokensOf(name), 0)
    const isDirect = tokens <= (this.#options.autoTokens ?? AUTO_TOKENS)
    for (const name of auto) this.#known.set(name, isDirect)
  }

  #tokensOf(server: string): number {
    const tools = this.#upstreams.servers().find(({ name }) => name === server)?.tools ?? []
    const allowed = tools.filter(({ name }) => this.#options.filter.allows(server, name))
    return JSON.stringify(allowed).length / CHARACTERS_PER_TOKEN
  }
}
