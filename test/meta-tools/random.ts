// Random values that a seed repeats.

export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 up to, not including, `n`. */
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * n)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!
  }

  json(depth: number): unknown {
    const kind = this.below(depth === 0 ? 4 : 7)
    if (kind === 0) return this.pick([null, true, false])
    if (kind === 1) return this.below(1_000_000) / this.pick([1, 3, 1000])
    if (kind < 4) return this.text(this.pick([3, 20, 300]))
    if (kind < 6) return Array.from({ length: this.below(this.pick([3, 40])) }, () => this.json(depth - 1))
    return Object.fromEntries(
      Array.from({ length: this.below(this.pick([4, 30])) }, () => [
        `k${this.text(this.pick([4, 30]))}`,
        this.json(depth - 1),
      ]),
    )
  }

  text(most: number): string {
    return Array.from({ length: this.below(most) }, () =>
      this.pick(['a', 'b', 'é', '"', '\\', '\n', '😀', '\u0001']),
    ).join('')
  }
}
