// Authorises each call of one caller, made by a program or directly.
// Invariant: no call passes that the caller's filter does not allow at that moment.

import { type Awaitable, after } from '../awaitable/index.js'
import {
  commentText,
  cutAtWord,
  type ToolCaller,
  type ToolCallOptions,
  type ToolOutcome,
  type ToolProgress,
} from '../bindings/index.js'
import { DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { CallerEnd } from './caller-end.js'
import type { RequestHeaders, ToolFilter } from './filter.js'
import { unknownServer, unknownTool } from './messages.js'
import type { Params } from './params.js'
import type { Trace, TraceCarrier } from './trace.js'
import type { CallOptions } from './upstream.js'
import type { Upstreams } from './upstreams.js'
import type { Watch, WatchedCall } from './watch.js'

/** The caller. */
interface GateCaller {
  /** By the name of its key or session. */
  readonly name?: string
  readonly filter: ToolFilter
  /** For calls without a request with headers. */
  readonly headers: RequestHeaders
}

/** The properties of one request of the caller. */
export interface GateRequest {
  /** The receiver of upstreams' questions and messages during the request. */
  readonly caller?: CallerEnd | undefined
  readonly trace?: Trace | undefined
  /** The request's own headers. */
  readonly headers?: RequestHeaders | undefined
  /** The digest of the program that makes the calls. */
  readonly program?: (() => string) | undefined
}

/** The limits on a server's progress message: the characters that are read, and those that are passed on. */
const LONGEST_READ = 2_000
const LONGEST_MESSAGE = 200

export class Gate implements ToolCaller {
  readonly #upstreams: Upstreams
  readonly #watch: Watch
  readonly #caller: GateCaller
  readonly #request: GateRequest

  constructor(upstreams: Upstreams, watch: Watch, caller: GateCaller, request: GateRequest = {}) {
    this.#upstreams = upstreams
    this.#watch = watch
    this.#caller = caller
    this.#request = request
  }

  /** The gate for one request of the same caller. */
  during(request: GateRequest): Gate {
    return new Gate(this.#upstreams, this.#watch, this.#caller, request)
  }

  /** Throws or rejects with a DiagnosticError if the call could not be made or its answer did not arrive. */
  call(server: string, tool: string, args: Params, asked: ToolCallOptions = {}): Awaitable<ToolOutcome> {
    const { onProgress } = asked
    const options: CallOptions =
      onProgress === undefined
        ? (asked as Omit<ToolCallOptions, 'onProgress'>)
        : { ...asked, onProgress: (raw) => this.#tellProgress(raw, onProgress) }
    return after(this.#asked(server, options), () =>
      this.#watch.call(this.#watched(server, tool, args, options), {
        authorise: () => this.#authorise(server, tool),
        send: (trace) => this.#upstreams.call(server, tool, args, this.#options(options, trace)),
        failed: (outcome) => outcome.isError,
      }),
    )
  }

  #tellProgress(
    { progress, total, message }: Readonly<Record<string, unknown>>,
    tell: (progress: ToolProgress) => void,
  ): void {
    if (typeof progress !== 'number' || !Number.isFinite(progress)) return
    tell({
      progress,
      ...(typeof total === 'number' && Number.isFinite(total) ? { total } : {}),
      ...(typeof message === 'string'
        ? { message: cutAtWord(commentText(this.#upstreams.redact(message.slice(0, LONGEST_READ))), LONGEST_MESSAGE) }
        : {}),
    })
  }

  /** Calls a tool with the protocol's own parameters and answer. */
  async callAsIs(server: string, tool: string, params: Params, options: CallOptions = {}): Promise<unknown> {
    const args = params.arguments as Params | undefined
    await this.#asked(server, options)
    return this.#watch.call<unknown>(this.#watched(server, tool, args, options), {
      authorise: () => this.#authorise(server, tool),
      send: (trace) => this.#upstreams.callAsIs(server, tool, params, this.#options(options, trace)),
      failed: (answer) => (answer as { readonly isError?: unknown } | null)?.isError === true,
    })
  }

  /** Requests something that is not a tool from a server that is wholly open to the caller. */
  async request(server: string, method: string, params: Params, options: CallOptions = {}): Promise<unknown> {
    if (!this.#caller.filter.coversServer(server)) throw new DiagnosticError(unknownServer(server, []))
    return this.#upstreams.request(server, method, params, this.#options(options, this.#request.trace?.carrier))
  }

  #watched(server: string, tool: string, args: Params | undefined, { signal }: CallOptions): WatchedCall {
    const { trace, program } = this.#request
    return { server, tool, arguments: args, caller: this.#caller.name ?? 'local', program, trace, signal }
  }

  #options(options: CallOptions, trace: TraceCarrier = {}): CallOptions {
    const { caller, headers = this.#caller.headers } = this.#request
    const { signal, timeoutMs, onProgress, kept } = options
    const isTraced = Object.keys(trace).length > 0
    return {
      signal,
      timeoutMs,
      onProgress,
      kept,
      headers: options.headers ?? headers,
      caller,
      trace: isTraced ? trace : undefined,
    }
  }

  /** The server's current declarations count, not those made to an earlier process. */
  #asked(server: string, { signal }: CallOptions): Awaitable<void> {
    return this.#upstreams.isRemembered(server) ? this.#upstreams.reached([server], { signal }) : undefined
  }

  /** A forbidden tool does not exist for the caller: a refusal reveals no more than a wrong name would. */
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
