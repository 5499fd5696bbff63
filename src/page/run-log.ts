// What the latest runs of this process have done, put together from the news of them. Knows nothing of what is stored.
// Invariant: bounded in runs, calls and printed text; runs that have not ended stay.

import type { RunError, RunEvent, RunNews, RunStatistics } from '../index.js'
import type { Call, Print, RunState } from './interface.js'

export interface LoggedRun {
  readonly runId: string
  readonly owner: string
  readonly program: { readonly text: string; readonly language: string }
  /** In milliseconds since 1970. */
  readonly startedAt: number
  endedAt: number | undefined
  state: RunState
  /** Since when it has been waiting for a person. */
  waitsSince: number | undefined
  /** How long the last answer of a person took. */
  waitedMs: number | undefined
  /** When the leg began, after the start of the run; known from its first call. */
  legStartMs: number | undefined
  error: RunError | null
  stats: RunStatistics | undefined
  readonly calls: Map<string, Call>
  readonly prints: Print[]
  printed: number
  failures: number
  bytes: number
  lastLine: number | null
}

const MOST_RUNS = 200
const MOST_CALLS = 50_000
const MOST_PRINTED = 1_000_000
const MOST_PRINTS = 5000

export class RunLog {
  /** The last begun is last. */
  readonly #runs = new Map<string, LoggedRun>()
  #calls = 0

  get(runId: string): LoggedRun | undefined {
    return this.#runs.get(runId)
  }

  /** The last begun first. */
  get latest(): readonly LoggedRun[] {
    return [...this.#runs.values()].reverse()
  }

  /** Enters an event. Returns the run, and the call or the printed text that changed. */
  enter(
    news: RunNews,
  ): { readonly run: LoggedRun; readonly call?: Call | undefined; readonly print?: Print } | undefined {
    if (news.type === 'event') return this.#enterEvent(news, news.event)
    const run = this.#runs.get(news.runId)
    if (run === undefined || news.type === 'state') return run && { run }
    const before = run.calls.get(news.callId)
    if (before === undefined) return undefined
    if (news.line !== null) run.lastLine = news.line
    return { run, call: this.#put(run, news.callId, { ...before, line: news.line, ahead: news.ahead }) }
  }

  #enterEvent(news: RunNews & { readonly type: 'event' }, event: RunEvent): ReturnType<RunLog['enter']> {
    const run = this.#runs.get(news.runId) ?? this.#begin(news, event.time)
    switch (event.type) {
      case 'run.started':
        run.state = 'running'
        return { run }
      case 'call.started':
        return { run, call: this.#put(run, event.callId, begun(run, event)) }
      case 'call.progress': {
        const { callId, progress, total = null, message = null } = event
        const before = run.calls.get(callId)
        return before && { run, call: this.#put(run, callId, { ...before, progress: { progress, total, message } }) }
      }
      case 'call.finished':
        return { run, call: this.#finished(run, event) }
      case 'print':
        return printed(run, event)
      case 'run.finished':
        run.stats = event.stats
        run.error = event.error
        run.endedAt = event.error?.class === 'paused' ? undefined : event.time
        run.state = endState(event)
        return { run }
    }
  }

  #begin({ runId, owner, program }: RunNews & { readonly type: 'event' }, startedAt: number): LoggedRun {
    const run: LoggedRun = {
      runId,
      owner,
      program,
      startedAt,
      endedAt: undefined,
      state: 'running',
      waitsSince: undefined,
      waitedMs: undefined,
      legStartMs: undefined,
      error: null,
      stats: undefined,
      calls: new Map(),
      prints: [],
      printed: 0,
      failures: 0,
      bytes: 0,
      lastLine: null,
    }
    this.#runs.set(runId, run)
    for (const old of this.#runs.values()) {
      if (this.#runs.size <= MOST_RUNS && this.#calls <= MOST_CALLS) break
      if (old.endedAt === undefined) continue
      this.#runs.delete(old.runId)
      this.#calls -= old.calls.size
    }
    return run
  }

  #put(run: LoggedRun, callId: string, call: Call): Call {
    if (!run.calls.has(callId)) this.#calls++
    run.calls.set(callId, call)
    return call
  }

  #finished(run: LoggedRun, event: RunEvent & { readonly type: 'call.finished' }): Call {
    const { callId, record } = event
    const before = run.calls.get(callId) ?? begun(run, { ...event, argumentDigest: record.argumentDigest })
    const { ok, outcome, ms, bytes, argumentBytes } = record
    run.bytes += bytes
    if (!ok) run.failures++
    // Records are exact to the microsecond, but count from the beginning of a leg of the run.
    run.legStartMs ??= event.time - run.startedAt - record.startedAtMs - ms
    const startMs = Math.max(0, run.legStartMs + record.startedAtMs)
    const state = outcome === 'answered' || outcome === 'reused' ? (ok ? 'ok' : 'failed') : outcome
    return this.#put(run, callId, {
      ...before,
      state,
      startMs,
      endMs: startMs + ms,
      reused: outcome === 'reused',
      bytes,
      argumentBytes,
      progress: null,
    })
  }
}

/** A call that has just been sent. */
function begun(
  run: LoggedRun,
  {
    callId,
    server,
    tool,
    argumentDigest,
    time,
  }: RunEvent & { readonly type: 'call.started' | 'call.finished' } & {
    readonly argumentDigest: string
  },
): Call {
  return {
    ...EMPTY,
    number: Number(callId.slice(callId.lastIndexOf('/') + 1)),
    server,
    tool,
    startMs: time - run.startedAt,
    argumentDigest,
  }
}

function printed(run: LoggedRun, { text, time }: RunEvent & { readonly type: 'print' }): ReturnType<RunLog['enter']> {
  const room = MOST_PRINTED - run.printed
  if (room <= 0 || run.prints.length >= MOST_PRINTS) return undefined
  const print = { text: text.slice(0, room), atMs: time - run.startedAt }
  run.printed += print.text.length
  run.prints.push(print)
  return { run, print }
}

function endState({ ok, error }: RunEvent & { readonly type: 'run.finished' }): RunState {
  if (ok) return 'ok'
  if (error?.class === 'paused') return 'waiting'
  return error?.code === 'cancelled' ? 'cancelled' : 'failed'
}

/** A call of which nothing is known. */
export const EMPTY: Call = {
  number: 0,
  server: '',
  tool: '',
  state: 'underway',
  startMs: 0,
  endMs: null,
  reused: false,
  ahead: false,
  line: null,
  approval: null,
  waitedMs: null,
  progress: null,
  bytes: 0,
  argumentBytes: 0,
  argumentDigest: '',
  hasContents: true,
}
