// Limits the number of servers that start at once. Starting takes processor time, and forty simultaneous starts on two
// cores are all late.
// Invariant: turns are granted in order, and each is released once.

import { availableParallelism } from 'node:os'

/**
 * A server that has been starting for this long is waiting for something and does not keep others from starting.
 * Milliseconds.
 */
const BUSY_MS = 1000

export class Starts {
  readonly #most: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(most = 2 * availableParallelism()) {
    this.#most = most
  }

  /** Resolves at this server's turn, with a function that ends the turn. */
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
