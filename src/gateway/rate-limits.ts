// Limits a caller's calls in a period, and its concurrent calls. The first limit refuses, the second queues. Several
// processes count the calls of a period together; concurrent calls are those of this process.
// Invariant: a call frees its slot however it ends.

import { createHash } from 'node:crypto'
import type { Awaitable } from '../awaitable/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import type { Rates } from '../state/index.js'
import type { RateLimitEntry } from './configuration/index.js'
import { matchesGlob } from './filter.js'
import { rateLimited } from './messages.js'

interface LimitedCall {
  readonly server: string
  readonly tool: string
  /** The caller, by the name of its key or session. */
  readonly caller: string
  readonly signal?: AbortSignal | undefined
}

const MINUTE_MS = 60_000

export class RateLimits {
  readonly #limits: readonly Limit[]

  /** `rates`: counts for several processes. */
  constructor(entries: readonly RateLimitEntry[], rates?: Rates) {
    this.#limits = entries.map((entry) => new Limit(entry, rates))
  }

  /**
   * Admits a call and returns the function that releases it. Rejects with a DiagnosticError if the limit is reached.
   */
  enter(call: LimitedCall): Awaitable<() => void> {
    if (this.#limits.length === 0) return nothing
    const mine = this.#limits.filter((limit) => limit.concerns(call))
    return mine.length === 0 ? nothing : enterAll(mine, call)
  }
}

function nothing(): void {}

async function enterAll(mine: readonly Limit[], call: LimitedCall): Promise<() => void> {
  for (const limit of mine) await limit.count(call)
  const leaves: (() => void)[] = []
  const leave = () => {
    for (const one of leaves.splice(0)) one()
  }
  try {
    // Sequentially and always in the same order, which prevents deadlocks.
    for (const limit of mine) leaves.push(await limit.enter(call))
    return leave
  } catch (error) {
    leave()
    throw error
  }
}

class Limit {
  readonly #entry: RateLimitEntry
  /** By caller: the start of the period, and the number of calls. */
  readonly #windows = new Map<string, { readonly since: number; count: number }>()
  readonly #places = new Map<string, Places>()
  readonly #rates: Rates | undefined
  /** The same in every process with this entry. */
  readonly #name: string

  constructor(entry: RateLimitEntry, rates: Rates | undefined) {
    this.#entry = entry
    this.#rates = rates
    this.#name = createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16)
  }

  concerns({ server, tool, caller }: LimitedCall): boolean {
    const entry = this.#entry
    return (
      matchesGlob(entry.server ?? '*', server) &&
      matchesGlob(entry.tool ?? '*', tool) &&
      matchesGlob(entry.key ?? '*', caller)
    )
  }

  /** Counts a call. Rejects with a DiagnosticError if there were too many. */
  async count(call: LimitedCall): Promise<void> {
    const { calls, perMs = MINUTE_MS } = this.#entry
    if (calls === undefined) return
    const who = this.#who(call)
    const waitMs =
      (await this.#rates?.count(who, { name: this.#name, calls, perMs })) ?? this.#countHere(who, calls, perMs)
    if (waitMs === 0) return
    const wait = Math.max(1, Math.ceil(waitMs / 1000))
    throw new DiagnosticError(rateLimited(call, { calls, seconds: perMs / 1000, wait }))
  }

  /** Returns the time to wait; 0: the call is within the limit. */
  #countHere(who: string, calls: number, perMs: number): number {
    // Not the time of day, which may jump.
    const now = performance.now()
    for (const [oldest, { since }] of this.#windows) {
      // The oldest come first.
      if (now - since < perMs) break
      this.#windows.delete(oldest)
    }
    const window = this.#windows.get(who) ?? { since: now, count: 0 }
    this.#windows.set(who, window)
    return ++window.count <= calls ? 0 : Math.max(1, window.since + perMs - now)
  }

  async enter(call: LimitedCall): Promise<() => void> {
    const { concurrent } = this.#entry
    if (concurrent === undefined) return () => {}
    const who = this.#who(call)
    const places = this.#places.get(who) ?? new Places(concurrent)
    this.#places.set(who, places)
    try {
      await places.take(call.signal)
    } finally {
      if (places.isUnused) this.#places.delete(who)
    }
    return () => {
      places.leave()
      if (places.isUnused) this.#places.delete(who)
    }
  }

  #who({ caller }: LimitedCall): string {
    return this.#entry.shared === true ? 'all' : caller
  }
}

/** A number of slots, granted in the order of requests. */
class Places {
  #free: number
  readonly #most: number
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
    this.#free = most
  }

  get isUnused(): boolean {
    return this.#free === this.#most && this.#waiting.length === 0
  }

  async take(signal: AbortSignal | undefined): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(signal?.reason)
      }
      const go = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      if (signal?.aborted) return reject(signal.reason)
      this.#waiting.push(go)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
