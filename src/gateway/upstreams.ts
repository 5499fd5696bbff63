// All upstreams together: started in parallel, each failing on its own, closed as one. Knows which server has which tools and who may reach
// them; knows nothing of programs. Invariant: a call reaches an upstream only when the filter in force at that moment allows the tool.

import type { QuarantinedTool, Tool, ToolCaller, ToolOutcome, ToolServer } from '../bindings/index.js'
import { DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { ServerConfig } from './config.js'
import { allows } from './filter.js'
import { unknownServer, unknownTool, upstreamNotReady } from './messages.js'
import { type CallOptions, Upstream, type UpstreamOptions, type UpstreamState } from './upstream.js'

/** How one upstream is, for people. */
export interface ServerStatus {
  readonly name: string
  readonly state: UpstreamState
  /** Why it is not ready; empty when it is. */
  readonly reason: string
  /** What the server itself said about that, for people; may be empty. */
  readonly lastWords: string
  /** Names of the tools that may be called. */
  readonly tools: readonly string[]
  /** Tools that it offers and that can't be used. */
  readonly quarantined: readonly QuarantinedTool[]
}

export interface UpstreamsOptions extends UpstreamOptions {
  /** Gives up: servers that are starting are stopped. */
  readonly signal?: AbortSignal
}

export class Upstreams implements ToolCaller {
  private readonly upstreams: ReadonlyMap<string, Upstream>

  private constructor(upstreams: ReadonlyMap<string, Upstream>) {
    this.upstreams = upstreams
  }

  /** Starts every server that is not disabled. Resolves when each is ready or has failed; never rejects. */
  static async open(servers: readonly ServerConfig[], options: UpstreamsOptions): Promise<Upstreams> {
    const upstreams = new Upstreams(new Map(servers.map((config) => [config.name, new Upstream(config, options)])))
    const giveUp = () => void upstreams.close()
    if (options.signal?.aborted) giveUp()
    options.signal?.addEventListener('abort', giveUp, { once: true })
    await Promise.all([...upstreams.upstreams.values()].map((upstream) => upstream.connect()))
    options.signal?.removeEventListener('abort', giveUp)
    return upstreams
  }

  /** The servers that programs can reach, with the tools they may call, in the order of the configuration. */
  servers(): ToolServer[] {
    return [...this.upstreams.values()]
      .filter((upstream) => upstream.state === 'ready')
      .map((upstream) => ({
        name: upstream.config.name,
        tools: allowedTools(upstream),
        ...(upstream.instructions === undefined ? {} : { description: upstream.instructions }),
      }))
  }

  status(): ServerStatus[] {
    return [...this.upstreams.values()].map((upstream) => ({
      name: upstream.config.name,
      state: upstream.state,
      reason: upstream.reason,
      lastWords: upstream.lastWords,
      tools: allowedTools(upstream).map((tool) => tool.name),
      quarantined: upstream.quarantined,
    }))
  }

  async call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<ToolOutcome> {
    const upstream = this.upstreams.get(server)
    if (upstream === undefined)
      throw new DiagnosticError(unknownServer(server, nearestNames(server, this.upstreams.keys())))
    if (upstream.state !== 'ready') throw new DiagnosticError(upstreamNotReady(server, upstream.reason))
    const allowed = allowedTools(upstream).map((known) => known.name)
    if (!allowed.includes(tool)) throw new DiagnosticError(unknownTool(server, tool, nearestNames(tool, allowed)))
    return upstream.call(tool, args, options)
  }

  /** Ends every connection; after it no process that was started here is alive. */
  async close(): Promise<void> {
    await Promise.all([...this.upstreams.values()].map((upstream) => upstream.close()))
  }
}

function allowedTools(upstream: Upstream): Tool[] {
  return upstream.tools.filter((tool) => allows(upstream.config.toolsToExecute, tool.name))
}
