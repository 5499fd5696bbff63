// Limits the number of concurrent calls. A program can send many calls before it waits for them: reads that run ahead,
// `parallel`, promises.
//
// One `CallSchedule` serves all runs; each run has a `CallLane`. A call takes a turn before it is sent and releases it
// when its answer has arrived:
//
//   const done = await lane.turn(server, signal)   // undefined: aborted, and the call must not be sent
//   if (done !== undefined) try { … send … } finally { done() }
//
// There are two bounds: one for each lane, and one for each server across lanes. Calls of a lane to one server start in
// order. A full server does not hold back a lane's calls to other servers. When a slot becomes free, lanes take turns:
// a lane that started a call goes to the end, so that a run with a thousand waiting calls costs another run one place
// in line. The sandbox bounds how many calls may wait.
//
// A language that must keep the order of writes sends a call only when it may go out. The schedule treats all calls
// alike.
//
// Invariant: the bounds are never exceeded, and a waiting call that could have a turn has it.

/** Releases the turn. Further calls do nothing. */
type TurnDone = () => void

interface ScheduleOptions {
  /** The maximum number of concurrent calls in one lane. Default 16. */
  readonly callsPerRun?: number | undefined
  /**
   * The maximum number of concurrent calls to one server, by its name in the configuration; undefined:
   * `defaultCallsPerServer`.
   */
  readonly callsPerServer?: (server: string) => number | undefined
}

const defaultCallsPerRun = 16
const defaultCallsPerServer = 8

export class CallSchedule {
  /** Lanes with waiting calls; the order of the set is the order of turns. */
  readonly #waiting = new Set<WaitingLane>()
  readonly #underway = new Map<string, number>()
  readonly #callsPerRun: number
  readonly #callsPerServer: (server: string) => number | undefined

  constructor(options: ScheduleOptions = {}) {
    this.#callsPerRun = options.callsPerRun ?? defaultCallsPerRun
    this.#callsPerServer = options.callsPerServer ?? (() => undefined)
  }

  /** A lane for one run. */
  lane(): CallLane {
    const lane: WaitingLane = { underway: 0, lines: new Map(), asked: 0, watched: new Set() }
    return { turn: (server, signal) => this.#turn(lane, server, signal) }
  }

  #turn(lane: WaitingLane, server: string, signal: AbortSignal | undefined): TurnDone | Promise<TurnDone | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined)
    if (this.#isFree(lane, server) && !lane.lines.has(server)) return this.#begin(lane, server)
    return new Promise((resolve) => {
      const call: WaitingCall = { place: lane.asked++, signal, begin: resolve }
      const line = lane.lines.get(server)
      if (line === undefined) lane.lines.set(server, [call])
      else line.push(call)
      this.#waiting.add(lane)
      this.#watch(lane, signal)
    })
  }

  #isFree(lane: WaitingLane, server: string): boolean {
    const most = this.#callsPerServer(server) ?? defaultCallsPerServer
    return lane.underway < this.#callsPerRun && (this.#underway.get(server) ?? 0) < most
  }

  #begin(lane: WaitingLane, server: string): TurnDone {
    this.#count(lane, server, 1)
    let isOut = true
    return () => {
      if (!isOut) return
      isOut = false
      this.#count(lane, server, -1)
      this.#serve()
    }
  }

  #count(lane: WaitingLane, server: string, change: 1 | -1): void {
    lane.underway += change
    // A server that has none keeps its zero: a deletion costs more than the rest of a turn.
    this.#underway.set(server, (this.#underway.get(server) ?? 0) + change)
  }

  /** Fills every free slot. */
  #serve(): void {
    for (let lane = this.#next(); lane !== undefined; lane = this.#next()) {
      const server = this.#oldest(lane)!
      const call = take(lane, server)
      this.#waiting.delete(lane)
      if (lane.lines.size > 0) this.#waiting.add(lane)
      call.begin(this.#begin(lane, server))
    }
  }

  #next(): WaitingLane | undefined {
    for (const lane of this.#waiting) if (this.#oldest(lane) !== undefined) return lane
    return undefined
  }

  /** The server of the lane's oldest call that could start now. */
  #oldest(lane: WaitingLane): string | undefined {
    let oldest: string | undefined
    let place = Number.POSITIVE_INFINITY
    for (const [server, line] of lane.lines) {
      if (line[0]!.place >= place || !this.#isFree(lane, server)) continue
      oldest = server
      place = line[0]!.place
    }
    return oldest
  }

  /** The calls of a run share a signal: one listener for all of them, however many wait. */
  #watch(lane: WaitingLane, signal: AbortSignal | undefined): void {
    if (signal === undefined || lane.watched.has(signal)) return
    lane.watched.add(signal)
    signal.addEventListener('abort', () => this.#leave(lane, signal), { once: true })
  }

  /** Releases all waiting calls that were aborted. */
  #leave(lane: WaitingLane, signal: AbortSignal): void {
    lane.watched.delete(signal)
    for (const [server, line] of lane.lines) {
      const staying = line.filter((call) => call.signal !== signal)
      if (staying.length === 0) lane.lines.delete(server)
      else lane.lines.set(server, staying)
      for (const call of line) if (call.signal === signal) call.begin(undefined)
    }
    if (lane.lines.size === 0) this.#waiting.delete(lane)
  }
}

/** The calls of one run. */
export interface CallLane {
  /**
   * The right to send one call. Immediate if there is room; resolves with undefined if `signal` aborts while the call
   * waits. The holder releases it when the call has been answered.
   */
  turn(server: string, signal?: AbortSignal): TurnDone | Promise<TurnDone | undefined>
}

interface WaitingCall {
  /** The position among the calls of its lane. */
  readonly place: number
  readonly signal: AbortSignal | undefined
  readonly begin: (turn: TurnDone | undefined) => void
}

interface WaitingLane {
  underway: number
  /** The waiting calls by server; no list is empty. */
  readonly lines: Map<string, WaitingCall[]>
  asked: number
  /** The signals that are listened to. */
  readonly watched: Set<AbortSignal>
}

function take(lane: WaitingLane, server: string): WaitingCall {
  const line = lane.lines.get(server)!
  const call = line.shift()!
  if (line.length === 0) lane.lines.delete(server)
  return call
}
