// The gate that every call of one caller passes on its way to an upstream, whether a program makes it or the caller itself. Knows who calls and what that
// caller may call; knows neither programs nor connections.
// Invariant: nothing gets past it that the caller's filter does not allow at that moment.

import type { ToolCaller, ToolOutcome } from '../bindings/index.js'
import { DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { RequestHeaders, ToolFilter } from './filter.js'
import { unknownServer, unknownTool } from './messages.js'
import type { CallOptions } from './upstream.js'
import type { Upstreams } from './upstreams.js'

/** The one who calls. */
export interface GateCaller {
  readonly filter: ToolFilter
  readonly headers: RequestHeaders
}

export class Gate implements ToolCaller {
  readonly #upstreams: Upstreams
  readonly #caller: GateCaller

  constructor(upstreams: Upstreams, caller: GateCaller) {
    this.#upstreams = upstreams
    this.#caller = caller
  }

  /** Rejects with a DiagnosticError when the call could not be made or its answer did not arrive. */
  async call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<ToolOutcome> {
    this.#authorise(server, tool)
    return this.#upstreams.call(server, tool, args, options)
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
