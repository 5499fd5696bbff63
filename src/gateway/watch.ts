// Applies rate limits to a call and records it: audit log, metrics, span.
// Invariant: a refused call is recorded like any other and not sent.

import { type Awaitable, after, lastly, settled } from '../awaitable/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import type { Audit } from './audit.js'
import type { Metrics } from './metrics.js'
import type { RateLimits } from './rate-limits.js'
import { isCollected, Trace, type TraceCarrier } from './trace.js'

export interface WatchedCall {
  readonly server: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  readonly caller: string
  /** The digest of the program that makes the call. */
  readonly program?: (() => string) | undefined
  readonly trace?: Trace | undefined
  readonly signal?: AbortSignal | undefined
}

interface EndedCall {
  readonly server: string
  readonly tool: string
  /** False: the tool or the call failed. */
  readonly ok: boolean
  readonly ms: number
}

export interface WatchOptions {
  readonly metrics: Metrics
  readonly limits: RateLimits
  readonly audit?: Audit | undefined
}

export class Watch {
  readonly metrics: Metrics
  readonly #options: WatchOptions
  readonly #listeners = new Set<(call: EndedCall) => void>()

  constructor(options: WatchOptions) {
    this.metrics = options.metrics
    this.#options = options
  }

  /**
   * Makes a call and records it. `authorise` throws if it may not be made; `send` receives the trace context for the
   * upstream.
   */
  call<T>(call: WatchedCall, steps: CallSteps<T>): Awaitable<T> {
    const { trace = Trace.of() } = call
    const started = performance.now()
    return settled(
      () => (isCollected() ? this.#spanned(call, trace, steps) : this.#sent(call, trace, steps)),
      (result) => {
        this.#tell(call, steps.failed(result) ? 'failed' : 'answered', performance.now() - started)
        return result
      },
      (error) => {
        this.#tell(call, codeOf(error), performance.now() - started)
        throw error
      },
    )
  }

  #spanned<T>(call: WatchedCall, trace: Trace, steps: CallSteps<T>): Awaitable<T> {
    const { server, tool } = call
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool, 'starbind.server': server }
    const { failed } = steps
    return trace.span('call', { name: `tools/call ${server}.${tool}`, attributes, failed }, (inner) =>
      this.#sent(call, inner, steps),
    )
  }

  #sent<T>(call: WatchedCall, { carrier }: Trace, { authorise, send }: CallSteps<T>): Awaitable<T> {
    authorise()
    const { audit, limits } = this.#options
    const entered = audit === undefined ? limits.enter(call) : after(audit.admit(call), () => limits.enter(call))
    return after(entered, (leave) => lastly(() => send(carrier), leave))
  }

  /** Tells of every call that was made, until the returned function is called. */
  listen(listener: (call: EndedCall) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell({ server, tool, caller, program, arguments: args }: WatchedCall, outcome: string, ms: number): void {
    this.#options.audit?.write({ caller, program: program?.(), server, tool, outcome, ms, arguments: args })
    const { metrics } = this
    // An unknown name would create a new series.
    if (outcome === 'unknown-tool' || outcome === 'unknown-server') {
      metrics.count('starbind_calls_refused_total', 'Calls that the caller is not allowed to make.')
      return
    }
    for (const listener of this.#listeners) listener({ server, tool, ok: outcome === 'answered', ms })
    metrics.count('starbind_calls_total', 'Calls of tools.', { server, tool, outcome })
    metrics.observe('starbind_call_seconds', 'Duration of tool calls.', ms / 1000, { labels: { server } })
  }
}

interface CallSteps<T> {
  readonly authorise: () => void
  readonly send: (carrier: TraceCarrier) => Awaitable<T>
  /** True if the tool reported a failure. */
  readonly failed: (result: T) => boolean
}

function codeOf(error: unknown): string {
  return error instanceof DiagnosticError ? (error.diagnostics[0]?.code ?? 'failed') : 'failed'
}
