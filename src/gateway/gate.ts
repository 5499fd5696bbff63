// The gate that every call of one caller passes on its way to an upstream, whether a program makes it or the caller itself. Knows who calls and what that
// caller may call; knows neither programs nor connections.
// Invariant: nothing gets past it that the caller's filter does not allow at that moment.

import type { ToolCaller, ToolOutcome } from '../bindings/index.js'
import { DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { CallerEnd } from './caller-end.js'
import type { RequestHeaders, ToolFilter } from './filter.js'
import { unknownServer, unknownTool } from './messages.js'
import type { CallOptions } from './upstream.js'
import type { Upstreams } from './upstreams.js'

/** The one who calls. */
export interface GateCaller {
  readonly filter: ToolFilter
  readonly headers: RequestHeaders
}

/** What one request of the caller brings with it. */
export interface GateRequest {
  /** Whom upstreams may ask and tell things while the request is carried out. */
  readonly caller?: CallerEnd | undefined
  /** The caller's trace, as it came. */
  readonly trace?: Readonly<Record<string, string>> | undefined
}

type Params = Readonly<Record<string, unknown>>

export class Gate implements ToolCaller {
  readonly #upstreams: Upstreams
  readonly #caller: GateCaller
  readonly #request: GateRequest

  constructor(upstreams: Upstreams, caller: GateCaller, request: GateRequest = {}) {
    this.#upstreams = upstreams
    this.#caller = caller
    this.#request = request
  }

  /** The gate for one request of the same caller. */
  during(request: GateRequest): Gate {
    return new Gate(this.#upstreams, this.#caller, request)
  }

  /** Rejects with a DiagnosticError when the call could not be made or its answer did not arrive. */
  async call(server: string, tool: string, args: Params, options: CallOptions = {}): Promise<ToolOutcome> {
    return this.#pass(server, tool, (own) => this.#upstreams.call(server, tool, args, { ...options, ...own }))
  }

  /** Calls a tool with parameters and an answer that are as the protocol carries them. */
  async callAsIs(server: string, tool: string, params: Params, options: CallOptions = {}): Promise<unknown> {
    return this.#pass(server, tool, (own) => this.#upstreams.callAsIs(server, tool, params, { ...options, ...own }))
  }

  /** Asks for something that is not a tool, of a server that is wholly open to the caller. */
  async request(server: string, method: string, params: Params, options: CallOptions = {}): Promise<unknown> {
    if (!this.#caller.filter.coversServer(server)) throw new DiagnosticError(unknownServer(server, []))
    return this.#upstreams.request(server, method, params, { ...options, ...this.#own() })
  }

  #pass<T>(server: string, tool: string, send: (own: CallOptions) => Promise<T>): Promise<T> {
    this.#authorise(server, tool)
    return send(this.#own())
  }

  #own(): CallOptions {
    const { caller } = this.#request
    return { headers: this.#caller.headers, ...(caller === undefined ? {} : { caller }) }
  }

  /** What a caller may not call is not there for it: a refusal tells nothing that a wrong name would not. */
  #authorise(server: string, tool: string): void {
    const { filter } = this.#caller
    if (filter.allows(server, tool)) return
    const visible = this.#upstreams.status().filter(({ name }) => filter.reaches(name))
    const known = visible.find(({ name }) => name === server)
    const names = visible.map(({ name }) => name)
    if (known === undefined) throw new DiagnosticError(unknownServer(server, nearestNames(server, names)))
    const tools = known.tools.filter((name) => filter.allows(server, name))
    throw new DiagnosticError(unknownTool(server, tool, nearestNames(tool, tools)))
  }
}
