// One run on the host's side: it answers the guest's calls, passes on what is printed, watches the clock and decides how the run ended. Whatever
// comes from the worker is counted again here; a worker that exceeds a limit without saying so is found out.
//
// Two lines of defence stand against a run that does not end. The guest's own meter stops it at its next poll; and a watchdog on this side, set
// a little later, terminates the thread, because a native loop (a regular expression, a sort, a power of big integers) does not poll.
//
// Invariant: `concluded` is called exactly once, and nothing of the caller's is called after it.

import { type ArrivedCall, type HostChannel, ProtocolBreach } from './channel.js'
import type { RunEnd, RunRequest } from './contract.js'
import type { GuestEnd, GuestStats } from './guest.js'
import { nestingDepth } from './json-depth.js'
import type { LimitName, Limits } from './limits.js'
import type { HostMessage, WorkerMessage } from './protocol.js'

/** How a run ended, without the times that only the pool knows. */
export type Conclusion = { readonly stats: GuestStats } & (
  | { readonly kind: 'completed'; readonly payload: string }
  | { readonly kind: 'threw'; readonly name: string; readonly message: string; readonly stack: string }
  | { readonly kind: 'limit'; readonly limit: LimitName; readonly allowed: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'fault'; readonly message: string }
)

/** A conclusion without its figures. */
export type Verdict = Conclusion extends infer C
  ? C extends { readonly stats: GuestStats }
    ? Omit<C, 'stats'>
    : never
  : never

/** What a run needs of its thread. */
interface Thread {
  readonly channel: HostChannel
  post(message: HostMessage): void
  terminate(): Promise<void>
}

export interface HostedRunOptions {
  readonly request: Pick<RunRequest, 'code' | 'onCall' | 'onPrint' | 'signal'>
  readonly limits: Limits
  readonly concluded: (conclusion: Conclusion) => void
}

/** How long after a deadline the guest may still end by itself. */
const GRACE_MS = 60
/** How long a guest that was asked to stop may take. */
const STOP_MS = 150

export class HostedRun {
  readonly #thread: Thread
  readonly #number: number
  readonly #options: HostedRunOptions
  readonly #calls = new AbortController()
  readonly #startedAt = performance.now()
  #waitedMs = 0
  #callSince: number | undefined
  #callCount = 0
  #printedBytes = 0
  #verdict: Verdict | undefined
  #concluded = false
  #over = false
  #timer: NodeJS.Timeout | undefined

  constructor(thread: Thread, number: number, options: HostedRunOptions) {
    this.#thread = thread
    this.#number = number
    this.#options = options
    const { code, signal } = options.request
    thread.post({ kind: 'run', run: number, code, limits: options.limits })
    this.#watch()
    signal?.addEventListener('abort', this.#onAbort)
    if (signal?.aborted) this.#onAbort()
  }

  /** True when the worker has said how the run ended. */
  get over(): boolean {
    return this.#over
  }

  /** The worker woke the host: output or a call. `raw` is what it sent. */
  announced(raw: unknown): void {
    this.#guarded(() => {
      if (this.#over) throw new ProtocolBreach('a message arrived after the end')
      this.#passOutput()
      const call = this.#thread.channel.takeCall(raw)
      if (call !== undefined && this.#verdict === undefined) this.#answer(call)
    })
  }

  /** The worker says how the run ended. */
  ended(message: WorkerMessage & { kind: 'ended' }): void {
    this.#guarded(() => {
      if (message.run !== this.#number || this.#over) throw new ProtocolBreach('an end arrived out of order')
      this.#over = true
      clearTimeout(this.#timer)
      this.#passOutput()
      this.#conclude(this.#verdict ?? this.#verdictOf(message.end), message.stats)
    })
  }

  /** The thread is gone. */
  lost(error: Error): void {
    this.#over = true
    clearTimeout(this.#timer)
    try {
      this.#passOutput()
    } catch {
      // Damaged output of a thread that is being ended anyway.
    }
    this.#conclude(this.#verdict ?? { kind: 'fault', message: error.message })
  }

  #answer(call: ArrivedCall): void {
    const exceeded = this.#exceededBy(call)
    if (exceeded !== undefined) this.#exceeded(exceeded)
    else
      try {
        this.#callSince = performance.now()
        const reply = this.#options.request.onCall(call, this.#calls.signal)
        if (typeof reply === 'string') this.#reply(reply)
        else
          Promise.resolve(reply)
            .then((text) => this.#reply(text))
            .catch((error: unknown) => this.#callFailed(error))
      } catch (error) {
        this.#callFailed(error)
      }
  }

  #exceededBy({ payload }: ArrivedCall): LimitName | undefined {
    const { limits } = this.#options
    this.#callCount++
    if (this.#callCount > limits.toolCalls) return 'toolCalls'
    if (Buffer.byteLength(payload) > limits.argumentBytes) return 'argumentBytes'
    return nestingDepth(payload) > limits.valueDepth ? 'valueDepth' : undefined
  }

  #reply(text: string): void {
    if (this.#over || this.#verdict !== undefined) return
    if (typeof text !== 'string') throw new TypeError('its reply is not a string')
    this.#settleWait()
    if (Buffer.byteLength(text) > this.#options.limits.responseBytes) this.#exceeded('responseBytes')
    else this.#thread.channel.reply(text)
  }

  #callFailed(error: unknown): void {
    this.#stop({ kind: 'fault', message: `a call failed in the host: ${wordsOf(error)}` })
  }

  #exceeded(limit: LimitName): void {
    this.#stop({ kind: 'limit', limit, allowed: this.#options.limits[limit] })
  }

  /** Decides the run's end from this side. The caller hears at once; the guest gets a moment to stop before its thread is ended. */
  #stop(verdict: Verdict): void {
    if (this.#over || this.#verdict !== undefined) return
    this.#verdict = verdict
    this.#thread.channel.stop()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#thread.terminate(), STOP_MS)
    try {
      this.#passOutput()
    } catch {
      // Damaged output: the verdict stands.
    }
    this.#conclude(verdict)
  }

  #settleWait(): void {
    if (this.#callSince === undefined) return
    this.#waitedMs += performance.now() - this.#callSince
    this.#callSince = undefined
  }

  #passOutput(): void {
    const { channel } = this.#thread
    const pieces = channel.takePrinted()
    if (this.#over) pieces.push(...channel.takeUnfinished())
    if (this.#concluded) return
    for (const piece of pieces) this.#printedBytes += Buffer.byteLength(piece)
    if (this.#printedBytes > this.#options.limits.printedBytes) throw new ProtocolBreach('more output than is allowed')
    try {
      for (const piece of pieces) this.#options.request.onPrint?.(piece)
    } catch (error) {
      const verdict: Verdict = { kind: 'fault', message: `the output could not be passed on: ${wordsOf(error)}` }
      if (this.#over) this.#verdict ??= verdict
      else this.#stop(verdict)
    }
  }

  #verdictOf(end: GuestEnd): Verdict {
    const { limits } = this.#options
    switch (end.kind) {
      case 'completed':
        if (Buffer.byteLength(end.payload) > limits.resultBytes) {
          return { kind: 'limit', limit: 'resultBytes', allowed: limits.resultBytes }
        }
        return end
      case 'threw':
        return end
      case 'stopped':
        if (end.reason === 'outside') return { kind: 'fault', message: 'the worker stopped without being asked to' }
        return { kind: 'limit', limit: end.reason, allowed: limits[end.reason] }
      case 'broken':
        return { kind: 'fault', message: `the guest broke: ${end.message}` }
    }
  }

  #conclude(verdict: Verdict, stats?: GuestStats): void {
    if (this.#concluded) return
    this.#concluded = true
    this.#options.request.signal?.removeEventListener('abort', this.#onAbort)
    this.#settleWait()
    const measured = { runMs: performance.now() - this.#startedAt, callWaitMs: this.#waitedMs, memoryBytes: 0 }
    this.#options.concluded({ ...verdict, stats: stats ?? measured } as Conclusion)
    this.#calls.abort()
  }

  readonly #onAbort = (): void => this.#stop({ kind: 'cancelled' })

  /** Ends the thread of a worker that breaks the protocol. */
  #guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!(error instanceof ProtocolBreach)) throw error
      this.#verdict ??= { kind: 'fault', message: `the worker broke the protocol: ${error.message}` }
      void this.#thread.terminate()
    }
  }

  // The watchdog sleeps until the earliest moment at which the run could be too late, and looks again then; a call that waits stops the count
  // of computing time, so this moment moves.
  #watch(): void {
    const left = this.#msLeft()
    if (left.ms > 0) this.#timer = setTimeout(() => this.#watch(), left.ms + 1)
    // The guest may have ended in time and its message may be waiting behind this timer: one turn of the loop lets it through.
    else this.#timer = setTimeout(() => setImmediate(() => void this.#kill(left.limit)), 0)
  }

  #msLeft(): { readonly limit: 'wallMs' | 'cpuMs'; readonly ms: number } {
    const { limits } = this.#options
    const now = performance.now()
    const ran = now - this.#startedAt
    const waited = this.#waitedMs + (this.#callSince === undefined ? 0 : now - this.#callSince)
    const wall = limits.wallMs + GRACE_MS - ran
    const cpu = limits.cpuMs + GRACE_MS - (ran - waited)
    return cpu < wall ? { limit: 'cpuMs', ms: cpu } : { limit: 'wallMs', ms: wall }
  }

  async #kill(limit: 'wallMs' | 'cpuMs'): Promise<void> {
    if (this.#over || this.#verdict !== undefined) return
    this.#verdict = { kind: 'limit', limit, allowed: this.#options.limits[limit] }
    // What the guest printed until now is read after its thread has ended (`lost`).
    await this.#thread.terminate()
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The public form of a conclusion. */
export function runEndOf(
  { stats, ...verdict }: Conclusion,
  times: { readonly wallMs: number; readonly queueMs: number },
): RunEnd {
  return { ...verdict, stats: { ...times, ...stats } } as RunEnd
}
