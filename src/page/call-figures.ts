// Figures of calls since this process began: by server, by tool, and by minute.
// Invariant: bounded in servers, tools, minutes and remembered durations, whoever calls what.

import type { ServerCall } from '../index.js'
import type { CallFigures as Figures, Server } from './interface.js'

const MOST_SERIES = 5000
const REMEMBERED = 200
const MINUTES = 60
const MINUTE_MS = 60_000

interface Series {
  calls: number
  failures: number
  /** The durations of the last calls. */
  readonly last: number[]
}

type Minute = Server['minutes'][number]

export class CallFigures {
  readonly #series = new Map<string, Series>()
  /** By server; the latest is last. */
  readonly #minutes = new Map<string, Minute[]>()

  enter({ server, tool, ok, ms }: ServerCall, now = Date.now()): void {
    for (const key of [server, `${server}/${tool}`]) {
      const series = this.#series.get(key) ?? this.#newSeries(key)
      if (series === undefined) continue
      series.calls++
      if (!ok) series.failures++
      series.last[series.calls % REMEMBERED] = ms
    }
    if (this.#series.has(server)) this.#enterMinute(server, { ok, ms }, Math.floor(now / MINUTE_MS) * MINUTE_MS)
  }

  of(server: string, tool?: string): Figures {
    const {
      calls = 0,
      failures = 0,
      last = [],
    } = this.#series.get(tool === undefined ? server : `${server}/${tool}`) ?? {}
    const sorted = last.filter((ms) => ms !== undefined).sort((a, b) => a - b)
    const at = (share: number): number | null =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
    return { calls, failures, medianMs: at(0.5), slowMs: at(0.95) }
  }

  minutes(server: string, now = Date.now()): Minute[] {
    return (this.#minutes.get(server) ?? []).filter(({ at }) => at > now - MINUTES * MINUTE_MS)
  }

  #newSeries(key: string): Series | undefined {
    if (this.#series.size >= MOST_SERIES) return undefined
    const series: Series = { calls: 0, failures: 0, last: [] }
    this.#series.set(key, series)
    return series
  }

  #enterMinute(server: string, { ok, ms }: Pick<ServerCall, 'ok' | 'ms'>, at: number): void {
    const minutes = this.#minutes.get(server) ?? []
    this.#minutes.set(server, minutes)
    const before = minutes.at(-1)?.at === at ? minutes.pop()! : { at, calls: 0, failures: 0, meanMs: 0, maxMs: 0 }
    minutes.push({
      at,
      calls: before.calls + 1,
      failures: before.failures + (ok ? 0 : 1),
      meanMs: before.meanMs + (ms - before.meanMs) / (before.calls + 1),
      maxMs: Math.max(before.maxMs, ms),
    })
    if (minutes.length > MINUTES) minutes.shift()
  }
}
