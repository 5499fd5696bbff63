// How many servers start at once. Starting costs processor time, and forty at once on two processors are all late;
// waiting for a server that takes its time costs none. Knows turns only.
// Invariant: turns are taken in the order in which they were asked for, and each is given back once.

import { availableParallelism } from 'node:os'

/** Whoever has started for so long is waiting for something and does not keep others from starting. Milliseconds. */
const BUSY_MS = 3000

export class Starts {
  readonly #most: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(most = 2 * availableParallelism()) {
    this.#most = most
  }

  /** Resolves when it is this one's turn, with what gives the turn back. */
  async turn(): Promise<() => void> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    let isOver = false
    const end = () => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
    const timer = setTimeout(end, BUSY_MS)
    timer.unref()
    return end
  }
}
