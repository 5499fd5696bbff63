// Pings a silent connection.
// Invariant: at most one ping is pending, none is sent while answers arrive anyway, and `stop` leaves no timer.

interface HeartbeatOptions {
  /** The interval between an answer and the next ping, in milliseconds. */
  readonly everyMs: number
  /** The interval between an unanswered ping and the next, in milliseconds. */
  readonly againMs: number
  /** Sends a ping. Rejects if no answer arrives in time. */
  readonly ask: () => Promise<void>
  /** Called for each unanswered ping, with the number of consecutive ones. */
  readonly onMissed: (missed: number) => void
  /** Called for an answer after unanswered pings. */
  readonly onBack: () => void
}

export class Heartbeat {
  readonly #options: HeartbeatOptions
  #timer: NodeJS.Timeout | undefined
  #missed = 0
  #isStopped = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#wait(options.everyMs)
  }

  /** The other side has sent something, so it is alive. */
  noteLife(): void {
    if (this.#isStopped || this.#timer === undefined) return
    if (this.#missed > 0) this.#comeBack()
    this.#timer.refresh()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #wait(ms: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#ask(), ms)
    // The heartbeat keeps no process alive.
    this.#timer.unref()
  }

  async #ask(): Promise<void> {
    this.#timer = undefined
    try {
      await this.#options.ask()
      if (this.#isStopped) return
      if (this.#missed > 0) this.#comeBack()
      this.#wait(this.#options.everyMs)
    } catch {
      if (this.#isStopped) return
      this.#missed++
      this.#options.onMissed(this.#missed)
      this.#wait(this.#options.againMs)
    }
  }

  #comeBack(): void {
    this.#missed = 0
    this.#options.onBack()
  }
}
