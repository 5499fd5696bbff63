// Calls functions that are mostly withdrawn before their time: one timer serves all of them.
// Invariant: no function is called before its time, or after it was withdrawn.

export class Later {
  readonly #ms: number
  /** With their times, in the order in which they are due. */
  readonly #acts = new Map<() => void, number>()
  #isSet = false

  constructor(ms: number) {
    this.#ms = ms
  }

  /** Calls a function when the time has passed, unless it is withdrawn. Does not keep the process alive. */
  enter(act: () => void): void {
    this.#acts.delete(act)
    this.#acts.set(act, performance.now() + this.#ms)
    if (!this.#isSet) this.#set(this.#ms)
  }

  withdraw(act: () => void): void {
    this.#acts.delete(act)
  }

  #set(ms: number): void {
    this.#isSet = true
    setTimeout(this.#due, ms).unref()
  }

  readonly #due = (): void => {
    this.#isSet = false
    for (const [act, at] of this.#acts) {
      const leftMs = at - performance.now()
      if (leftMs > 0) {
        if (!this.#isSet) this.#set(Math.ceil(leftMs))
        return
      }
      this.#acts.delete(act)
      act()
    }
  }
}
