// One run on the host's side: answers the guest's calls, forwards prints, watches the clock and decides how the run
// ended. Everything from the worker is counted again here, so a worker that exceeds a limit silently is found out.
//
// Two defences stop a run that does not end. The guest's own meter stops it at its next poll. A watchdog here, set a
// little later, terminates the thread, because native loops (regular expressions, sorts, powers of big integers) do not
// poll.
//
// A run that shares its thread may have to move (`detach`, `resume`). A guest is deterministic, so it is run again from
// the beginning with the replies that it had, in the same order (`journal.ts`). No call is made twice and nothing is
// printed twice.
//
// Invariant: `concluded` is called exactly once, and no callback of the caller after it.

import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Arrival, type HostChannel, ProtocolBreach } from './channel.js'
import type { GuestCall, Lookups, RunEnd, RunRequest } from './contract.js'
import type { GuestEnd, GuestStats } from './guest.js'
import { Journal } from './journal.js'
import { nestingDepth } from './json-depth.js'
import type { Later } from './later.js'
import type { LimitName, Limits } from './limits.js'
import { Patience } from './patience.js'
import { type RunStart, sharedMs, type WorkerMessage } from './protocol.js'

/** How a run ended, without the times that only the pool knows. */
export type Conclusion = Exclude<RunEnd<GuestStats>, { readonly kind: 'lost' }>

/** A conclusion without its figures. */
export type Verdict = Conclusion extends infer C
  ? C extends { readonly stats: GuestStats }
    ? Omit<C, 'stats' | 'lookups'>
    : never
  : never

/** The thread and seat of a run's guest. */
export interface RunPlace {
  readonly channel: HostChannel
  /** Others run in the same thread. */
  readonly shared: boolean
  /** The processor time of the work here; undefined if unknown. */
  readonly computedMs: number | undefined
  /** `isAlone`: no other run is underway, so the guest may poll for the next one. */
  begin(start: RunStart, isAlone: boolean): void
  /** The host and the guest have a processor each, so that polling keeps neither from working. */
  readonly isParallel: boolean
  /** Calls functions after YOUNG_MS. */
  readonly later: Later
  /**
   * The run is over for the host, and its guest may not have noticed. Resolves when the guest is not going to do
   * anything more.
   */
  abandon(): Promise<void>
  /** Ends the thread: it has broken the protocol. */
  condemn(): Promise<void>
}

interface HostedRunOptions {
  readonly request: Pick<RunRequest, 'code' | 'onCall' | 'onPrint' | 'lookups'>
  readonly limits: Limits
  readonly concluded: (conclusion: Conclusion) => void
}

/** How long after a deadline the guest may still end by itself. */
const GRACE_MS = 60
/** When the watch over a run begins. Most runs are over before. */
export const YOUNG_MS = GRACE_MS / 2
/** How long a guest that was asked to stop may take. */
const STOP_MS = 150

/**
 * Polling for a run's next call is faster than being woken. If a call was answered within QUICK_MS, the next one mostly
 * comes at once, so the host polls for LOOKING_MS after the answer. It polls for GLANCE_MS in each turn of the event
 * loop, reads the clock after every GLANCES looks, and stays in a turn for up to TURN_MS while calls keep coming.
 */
const QUICK_MS = 1
const LOOKING_MS = 0.1
const GLANCE_MS = 0.02
const TURN_MS = 0.3
const GLANCES = 50
/**
 * A run that waits for one call whose predecessor was answered within AWAITED_MS keeps the host polling for the answer
 * for that time, in short turns of the loop: waking the host would take longer.
 */
const AWAITED_MS = 0.3
/** The host polls for this time for the first call or the end of a run that no other is beside. */
const SHORT_MS = 0.5
/** Of all runs, until their first call is answered. */
const firsts = new Patience()
/** The number of runs that have begun and are not over. */
let underway = 0

/** Made once, because an exception with a stack costs more than the rest of ending a run. */
const OVER = new DOMException('the run is over', 'AbortError')

/** The polling interval for a sleeping guest, when a caller asks. */
const ASLEEP_MS = 1

/** How often a run may be moved. */
const MOST_MOVES = 3

/** The run whose next call or end the host polls for. It is only one, because several would take too much of the loop. */
let looking: HostedRun | undefined

export class HostedRun {
  readonly #options: HostedRunOptions
  /** Ends the calls. */
  #calls: AbortController | undefined
  readonly #startedAt = performance.now()
  readonly #startedAtShared = sharedMs()
  readonly #journal = new Journal()
  readonly #later: Later
  #place: RunPlace
  #number: number
  #detached = false
  #moves = 0
  #callCount = 0
  /** The number of calls without a reply. */
  #unanswered = 0
  #printedPieces = 0
  #passedPieces = 0
  #printedBytes = 0
  #verdict: Verdict | undefined
  #concluded = false
  #over = false
  #timer: NodeJS.Timeout | undefined
  #arrivedAt = 0
  #looksUntil = 0
  /** The last call was answered so soon that the host polls for the next answer, too. */
  #awaits = false
  #patience = firsts

  constructor(place: RunPlace, number: number, options: HostedRunOptions) {
    this.#later = place.later
    this.#place = place
    this.#number = number
    this.#options = options
    if (!place.shared) this.#journal.stop()
    underway++
    this.#begin()
    place.later.enter(this.#watch)
    if (place.isParallel && underway === 1 && looking === undefined && firsts.isWorthPolling())
      this.#lookUntil(this.#startedAt + SHORT_MS)
  }

  /** The caller does not want the run any more. */
  cancel(): void {
    this.#stop({ kind: 'cancelled' })
  }

  /** Leaves its place, for it to be resumed in another. False: it can't be. */
  detach(): boolean {
    if (this.#over || this.#verdict !== undefined || !this.#journal.complete || this.#moves >= MOST_MOVES) return false
    this.#detached = true
    return true
  }

  /** Continues in another place. False: it was concluded meanwhile. */
  resume(place: RunPlace, number: number): boolean {
    if (this.#verdict !== undefined) return false
    this.#moves++
    this.#place = place
    this.#number = number
    this.#detached = false
    this.#callCount = 0
    this.#printedPieces = 0
    this.#journal.rewind()
    this.#begin()
    return true
  }

  /** True when the worker has said how the run ended. */
  get over(): boolean {
    return this.#over
  }

  /** Waits for the reply to a call, as far as the host knows. */
  get waits(): boolean {
    return this.#unanswered > 0
  }

  /** The worker woke the host: output or a call. `raw` is its message. */
  announced(raw: unknown): void {
    this.#guarded(() => {
      if (this.#over) throw new ProtocolBreach('a message arrived after the end')
      this.#place.channel.announced(raw)
      this.#takeArrivals()
    })
  }

  /** The worker says how the run ended. */
  ended(message: WorkerMessage & { kind: 'ended' }): void {
    this.#guarded(() => {
      if (message.run !== this.#number || this.#over) throw new ProtocolBreach('an end arrived out of order')
      // The calls that the program sent before its end were made, whether or not it waited for the reply.
      this.#takeArrivals()
      this.#over = true
      this.#unwatch()
      if (looking === this) {
        looking = undefined
        this.#patience.met()
      }
      this.#passRest()
      this.#conclude(this.#verdict ?? this.#verdictOf(message.end), message)
    })
  }

  /** The thread is gone. */
  lost(error: Error): void {
    this.#over = true
    this.#unwatch()
    try {
      this.#passRest()
    } catch {
      // Damaged output of a thread that is being ended anyway.
    }
    this.#conclude(this.#verdict ?? { kind: 'fault', message: error.message })
  }

  #begin(): void {
    const { code, lookups } = this.#options.request
    const start = { code, limits: this.#options.limits, atMs: this.#startedAtShared, lookups }
    this.#place.begin(start, underway === 1)
  }

  #takeArrivals(): void {
    for (const arrival of this.#place.channel.take()) this.#arrived(arrival)
  }

  /** Polls for the next call for a moment, in separate turns of the loop. */
  #lookOut(): void {
    const now = performance.now()
    const took = now - this.#arrivedAt
    if (this.#patience === firsts) this.#patience = new Patience()
    if (took > QUICK_MS || (looking !== undefined && looking !== this) || !this.#patience.isWorthPolling()) return
    this.#lookUntil(now + LOOKING_MS)
    this.#awaits = took < AWAITED_MS
    // If answers take longer, a polling guest would keep the processor from those who work on them.
    this.#place.channel.repliesSoon(took < LOOKING_MS)
  }

  #lookUntil(end: number): void {
    this.#looksUntil = end
    if (looking !== undefined) return
    looking = this
    this.#place.channel.watch(true)
    setImmediate(this.#look)
  }

  readonly #look = (): void => {
    if (looking !== this) return
    let isLooking = false
    this.#guarded(() => {
      if (this.#over || this.#detached) return
      const turnEnds = performance.now() + TURN_MS
      while (this.#glance()) {
        this.#takeArrivals()
        if (this.#over || this.#detached || performance.now() > turnEnds) break
      }
      const awaits = this.#awaits && this.#unanswered === 1
      isLooking = performance.now() < (awaits ? this.#arrivedAt + AWAITED_MS : this.#looksUntil)
      if (isLooking) return
      // The guest or the server computes for long, or has no processor because others need all of them.
      if (awaits || this.#unanswered === 0) this.#patience.missed()
      // Later messages are announced again, and earlier ones are taken.
      this.#place.channel.watch(false)
      this.#takeArrivals()
    })
    if (isLooking) setImmediate(this.#look)
    else looking = undefined
  }

  /** True if data has arrived. Waits neither for answers nor for the message about the end: they need turns of the loop. */
  #glance(): boolean {
    const { channel } = this.#place
    if (this.#unanswered > 0) return channel.hasArrived
    const until = performance.now() + GLANCE_MS
    do {
      for (let i = 0; i < GLANCES; i++) if (channel.hasArrived) return true
    } while (!channel.hasEnded && performance.now() < until)
    return false
  }

  #arrived(arrival: Arrival): void {
    if (arrival.kind === 'printed') this.#pass([arrival.text])
    else if (this.#verdict === undefined) {
      const { id, payload, waits } = arrival
      this.#arrivedAt = performance.now()
      if (looking === this) this.#patience.met()
      if (this.#journal.replaying) this.#answerAgain(payload)
      else this.#answer({ id, payload, waits })
    }
  }

  /** A call that was made before the run was moved. */
  #answerAgain(payload: string): void {
    this.#callCount++
    if (this.#journal.repeats(payload)) this.#deliver()
    else this.#stop({ kind: 'fault', message: 'the program did not do again what it had done' })
  }

  #answer(call: GuestCall): void {
    this.#journal.called(call.payload)
    const exceeded = this.#exceededBy(call)
    if (exceeded !== undefined) this.#exceeded(exceeded)
    else
      try {
        const reply = this.#options.request.onCall(call, this.#signal, this.#asleep)
        if (typeof reply === 'string') this.#reply(call.id, reply)
        else
          Promise.resolve(reply)
            .then((text) => this.#reply(call.id, text))
            .catch((error: unknown) => this.#callFailed(error))
      } catch (error) {
        this.#callFailed(error)
      }
  }

  get #signal(): AbortSignal {
    if (this.#calls === undefined) {
      this.#calls = new AbortController()
      // Many calls may listen at once.
      setMaxListeners(0, this.#calls.signal)
    }
    return this.#calls.signal
  }

  /** Polls now and then: a guest does not announce its sleep, and few callers ask. */
  readonly #asleep = async (): Promise<void> => {
    while (this.#verdict === undefined && !this.#over && (this.#detached || !this.#place.channel.isAsleep))
      await pause(ASLEEP_MS)
  }

  #exceededBy({ payload }: GuestCall): LimitName | undefined {
    const { limits } = this.#options
    this.#callCount++
    this.#unanswered++
    if (this.#callCount > limits.toolCalls) return 'toolCalls'
    if (Buffer.byteLength(payload) > limits.argumentBytes) return 'argumentBytes'
    if (this.#unanswered > limits.callsInFlight) return 'callsInFlight'
    return nestingDepth(payload) > limits.valueDepth ? 'valueDepth' : undefined
  }

  #reply(id: number, text: string): void {
    if (this.#over || this.#verdict !== undefined) return
    if (typeof text !== 'string') throw new TypeError('its reply is not a string')
    this.#unanswered--
    if (Buffer.byteLength(text) > this.#options.limits.responseBytes) return this.#exceeded('responseBytes')
    this.#journal.replied(id, text)
    this.#deliver()
  }

  /** Hands the guest the replies that it can have now. */
  #deliver(): void {
    if (this.#detached) return
    const { channel } = this.#place
    for (const { id, text } of this.#journal.deliverable()) {
      if (channel.backlogBytes() > this.#options.limits.memoryBytes) return this.#exceeded('memoryBytes')
      channel.reply(id, text)
    }
    this.#lookOut()
  }

  #callFailed(error: unknown): void {
    this.#stop({ kind: 'fault', message: `a call failed in the host: ${wordsOf(error)}` })
  }

  #exceeded(limit: LimitName): void {
    this.#stop({ kind: 'limit', limit, allowed: this.#options.limits[limit] })
  }

  /**
   * Decides the run's end from this side. The caller hears at once; the guest gets a moment to stop before its thread
   * is ended.
   */
  #stop(verdict: Verdict): void {
    if (this.#over || this.#verdict !== undefined) return
    this.#verdict = verdict
    this.#unwatch()
    if (!this.#detached) {
      this.#place.channel.stop()
      this.#timer = setTimeout(() => void this.#place.abandon(), STOP_MS)
      this.#takeRemaining()
    }
    this.#conclude(verdict)
  }

  /** Passes on the remaining output of a run that is ended from this side. */
  #takeRemaining(): void {
    try {
      this.#takeArrivals()
    } catch {
      // Damaged output: the verdict stands.
    }
  }

  /** Passes on unread output. */
  #passRest(): void {
    this.#pass(this.#place.channel.takeRest())
  }

  #pass(printed: readonly string[]): void {
    if (this.#concluded) return
    // A moved guest prints its earlier output again.
    const pieces = printed.filter(() => ++this.#printedPieces > this.#passedPieces)
    this.#passedPieces += pieces.length
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
        return { ...endOfTime(end), kind: 'limit', limit: end.reason, allowed: limits[end.reason] }
      case 'broken':
        return { kind: 'fault', message: `the guest broke: ${end.message}` }
    }
  }

  #conclude(
    verdict: Verdict,
    told: { readonly stats?: GuestStats; readonly lookups?: Lookups | undefined } = {},
  ): void {
    if (this.#concluded) return
    this.#concluded = true
    underway--
    const runMs = performance.now() - this.#startedAt
    const measured = { runMs, callWaitMs: Math.min(runMs, this.#place.channel.awayMs(runMs)), memoryBytes: 0 }
    const { stats = measured, lookups } = told
    this.#options.concluded(
      (lookups === undefined ? { stats, ...verdict } : { stats, lookups, ...verdict }) as Conclusion,
    )
    this.#calls?.abort(OVER)
  }

  /** Ends the thread of a worker that breaks the protocol. */
  #guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!(error instanceof ProtocolBreach)) throw error
      this.#verdict ??= { kind: 'fault', message: `the worker broke the protocol: ${error.message}` }
      void this.#place.condemn()
    }
  }

  // The watchdog sleeps until the earliest moment at which the run could be too late, and looks again then; a call that
  // waits stops the count of computing time, so this moment moves.
  readonly #watch = (): void => {
    const left = this.#msLeft()
    if (left.ms > 0) this.#timer = setTimeout(this.#watch, left.ms + 1)
    // The guest may have ended in time and its message may be waiting behind this timer: one turn of the loop lets it
    // through.
    else this.#timer = setTimeout(() => setImmediate(() => void this.#kill(left.limit)), 0)
  }

  #unwatch(): void {
    this.#later.withdraw(this.#watch)
    clearTimeout(this.#timer)
  }

  #msLeft(): { readonly limit: 'wallMs' | 'cpuMs'; readonly ms: number } {
    const { limits } = this.#options
    const now = performance.now()
    const ran = now - this.#startedAt
    const waited = this.#detached ? ran : this.#place.channel.awayMs(ran)
    const wall = limits.wallMs + GRACE_MS - ran
    const allowed = limits.cpuMs + GRACE_MS
    let cpu = allowed - (ran - waited)
    // It may have had no processor.
    if (cpu <= 0) cpu = Math.max(cpu, allowed - (this.#place.computedMs ?? allowed))
    return cpu < wall ? { limit: 'cpuMs', ms: cpu } : { limit: 'wallMs', ms: wall }
  }

  async #kill(limit: 'wallMs' | 'cpuMs'): Promise<void> {
    if (this.#over || this.#verdict !== undefined) return
    const verdict: Verdict = { kind: 'limit', limit, allowed: this.#options.limits[limit] }
    this.#verdict = verdict
    // The output until now is read after the guest has ended.
    if (!this.#detached) {
      this.#place.channel.stop()
      await this.#place.abandon()
      // If the guest ended by itself, its output is read, and the channel may be the next run's.
      if (!this.#over) this.#takeRemaining()
    }
    this.#conclude(verdict)
  }
}

function endOfTime({ stack }: GuestEnd & { readonly kind: 'stopped' }): { readonly stack?: string } {
  return stack === undefined ? {} : { stack }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The public form of a conclusion. */
export function runEndOf(
  conclusion: Conclusion,
  { wallMs, queueMs }: { readonly wallMs: number; readonly queueMs: number },
): RunEnd {
  const { runMs, callWaitMs, memoryBytes } = conclusion.stats
  return { ...conclusion, stats: { wallMs, queueMs, runMs, callWaitMs, memoryBytes } }
}
