// Decides when to request a server's tool list: at connection, after a list-changed notification, and periodically for
// servers that send none.
// Invariant: many notifications cause one request, callers wait for the latest request, and `rest` leaves no timer.

/** A slow list is not requested at once, but after a multiple of its duration. */
const LONG_MS = 250
const BREAKS = 4

/** A changed list is requested after this quiet time, and at the latest after the second time. Milliseconds. */
const QUIET_MS = 50
const RESTLESS_MS = 500

export class Listing {
  /** Requests the list and takes the answer. False: no answer. */
  readonly #list: () => Promise<boolean>
  #change: { readonly since: number; timer: NodeJS.Timeout } | undefined
  #underway: Promise<void> | undefined
  #poll: NodeJS.Timeout | undefined
  /** The list in use is outdated. */
  #isStale = false
  /** No request before this time, because the list takes long. */
  #restsUntil = 0

  constructor(list: () => Promise<boolean>) {
    this.#list = list
  }

  /** The server has announced a change. */
  noteChange(): void {
    const now = performance.now()
    const since = this.#change?.since ?? now
    clearTimeout(this.#change?.timer)
    const wait = Math.max(0, Math.min(QUIET_MS, since + RESTLESS_MS - now), this.#restsUntil - now)
    this.#change = { since, timer: setTimeout(() => this.#ask(), wait) }
    this.#change.timer.unref()
  }

  /** A connection is ready, with a list that is current unless a change was announced before its arrival. */
  begin(pollMs: number): void {
    if (this.#isStale) this.#ask()
    if (pollMs <= 0) return
    this.#poll = setInterval(() => this.#ask(), pollMs)
    this.#poll.unref()
  }

  /** Resolves when the list contains the last announced change. Never rejects. */
  async settled(): Promise<void> {
    const isLong = performance.now() < this.#restsUntil
    if ((this.#change !== undefined && !isLong) || (this.#isStale && this.#poll !== undefined)) this.#ask()
    await this.#underway
  }

  /** True if no change was announced that the list does not contain. */
  get isSettled(): boolean {
    return this.#change === undefined && !this.#isStale && this.#underway === undefined
  }

  /** There is no connection now: the next one sees the announced changes. */
  rest(): void {
    this.#forgetChange()
    clearInterval(this.#poll)
    this.#poll = undefined
    this.#isStale = false
  }

  /** Resolves when no request is pending. */
  async over(): Promise<void> {
    await this.#underway
  }

  #ask(): void {
    this.#forgetChange()
    this.#isStale = false
    const began = performance.now()
    const underway: Promise<void> = this.#list()
      .then((isDone) => {
        if (!isDone) this.#isStale = true
      })
      .finally(() => {
        const tookMs = performance.now() - began
        if (tookMs > LONG_MS) this.#restsUntil = performance.now() + BREAKS * tookMs
        if (this.#underway === underway) this.#underway = undefined
      })
    this.#underway = underway
  }

  #forgetChange(): void {
    clearTimeout(this.#change?.timer)
    this.#change = undefined
  }
}
