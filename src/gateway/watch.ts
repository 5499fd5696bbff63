// Applies rate limits to a call and records it: audit log, metrics, span.
// Invariant: a refused call is recorded like any other and not sent.

import { type Awaitable, after, lastly, settled } from '../awaitable/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import type { Audit } from './audit.js'
import type { Metrics } from './metrics.js'
import type { RateLimits } from './rate-limits.js'
import { Trace, type TraceCarrier } from './trace.js'

export interface WatchedCall {
  readonly server: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  readonly caller: string
  readonly program?: string | undefined
  readonly trace?: Trace | undefined
  readonly signal?: AbortSignal | undefined
}

export interface WatchOptions {
  readonly metrics: Metrics
  readonly limits: RateLimits
  readonly audit?: Audit | undefined
}

export class Watch {
  readonly metrics: Metrics
  readonly #options: WatchOptions

  constructor(options: WatchOptions) {
    this.metrics = options.metrics
    this.#options = options
  }

  /**
   * Makes a call and records it. `authorise` throws if it may not be made; `send` receives the trace context for the
   * upstream.
   */
  call<T>(call: WatchedCall, { authorise, send, failed }: CallSteps<T>): Awaitable<T> {
    const { server, tool, caller, signal, trace = Trace.of() } = call
    const { audit, limits } = this.#options
    const started = performance.now()
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool, 'starbind.server': server }
    const sent = ({ carrier }: Trace): Awaitable<T> => {
      authorise()
      const entered = after(audit?.admit(call), () => limits.enter({ server, tool, caller, signal }))
      return after(entered, (leave) => lastly(() => send(carrier), leave))
    }
    return settled(
      () => trace.span('call', { name: `tools/call ${server}.${tool}`, attributes, failed }, sent),
      (result) => {
        this.#tell(call, failed(result) ? 'failed' : 'answered', performance.now() - started)
        return result
      },
      (error) => {
        this.#tell(call, codeOf(error), performance.now() - started)
        throw error
      },
    )
  }

  #tell({ server, tool, caller, program, arguments: args }: WatchedCall, outcome: string, ms: number): void {
    this.#options.audit?.write({ caller, program, server, tool, outcome, ms, arguments: args })
    const { metrics } = this
    // An unknown name would create a new series.
    if (outcome === 'unknown-tool' || outcome === 'unknown-server') {
      metrics.count('starbind_calls_refused_total', 'Calls that the caller is not allowed to make.')
      return
    }
    metrics.count('starbind_calls_total', 'Calls of tools.', { server, tool, outcome })
    metrics.observe('starbind_call_seconds', 'Duration of tool calls.', ms / 1000, { server })
  }
}

export interface CallSteps<T> {
  readonly authorise: () => void
  readonly send: (carrier: TraceCarrier) => Awaitable<T>
  /** True if the tool reported a failure. */
  readonly failed: (result: T) => boolean
}

function codeOf(error: unknown): string {
  return error instanceof DiagnosticError ? (error.diagnostics[0]?.code ?? 'failed') : 'failed'
}
