// The caller on whose behalf an upstream works, as far as that upstream may send it messages: progress, logs, sampling,
// elicitation.
// Invariant: an upstream reaches a caller only while that caller, and no other, waits for it.

/**
 * The requests and notifications that servers may send to the caller during its request.
 *
 * @example
 * import { type CallerEnd, CodeMode } from 'starbind'
 *
 * const caller: CallerEnd = {
 *   who: {},
 *   ask: async (method) => (method === 'elicitation/create' ? { action: 'decline' } : Promise.reject(new Error(method))),
 *   tell: (method, params) => console.error(method, params),
 * }
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } }, callersAnswer: true })
 * await codeMode.run('files.upload_file(path="a.txt")', { caller })
 */
export interface CallerEnd {
  /** The identity: the same object for all requests of one caller. */
  readonly who: object
  /** Answers a request of the upstream, such as `elicitation/create`. Rejects when the caller can't or will not. */
  ask(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
  /**
   * Answers a form about calls that a run waits for, where the run can wait without the caller. A rejection leaves it
   * waiting. Default: `ask` answers it.
   */
  decide?(runId: string, form: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Receives the upstream's notifications in the meantime, such as `notifications/message`. */
  tell(method: string, params: Readonly<Record<string, unknown>>): void
}

interface WaitingCall {
  readonly end: CallerEnd | undefined
  /** Aborts when the call is over. Created at the first request to the caller, because most calls have none. */
  over?: AbortController
}

/** The callers that wait for one upstream now. */
export class WaitingCallers {
  /** One entry for each call; undefined for callers that can't receive requests. */
  readonly #calls = new Set<WaitingCall>()

  /** A caller waits until the returned function is called. */
  add(end: CallerEnd | undefined): () => void {
    const call: WaitingCall = { end }
    this.#calls.add(call)
    return () => {
      this.#calls.delete(call)
      call.over?.abort()
    }
  }

  /** The only waiting caller, by its latest call; undefined if there is none, or more than one. */
  get only(): { readonly end: CallerEnd; readonly over: AbortSignal } | undefined {
    const calls = [...this.#calls]
    const last = calls.at(-1)
    if (last?.end === undefined || calls.some(({ end }) => end?.who !== last.end?.who)) return undefined
    last.over ??= new AbortController()
    return { end: last.end, over: last.over.signal }
  }
}
