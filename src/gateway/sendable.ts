// Checks that a value can be written into a message before it reaches a shared connection. A value that cannot be
// written, or that the other side cannot read, fails for its own caller only.
// Invariant: the check takes no more stack for a deep value than for a flat one, and stops early in a long one.

import { ExactInteger } from '../bindings/index.js'
import { DEEPEST } from './depth.js'

/** The reason why a value can't be written, in words that follow "it"; undefined if it can. */
export function whyUnsendable(value: unknown, maxBytes: number): string | undefined {
  try {
    return new Look(maxBytes).at(value)
  } catch {
    return 'is no data'
  }
}

/** The maximum number of values in a message. */
const MOST_VALUES = 100_000

class Look {
  readonly #maxBytes: number
  #bytes = 0
  #values = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  at(value: unknown): string | undefined {
    let level: object[] = []
    const first = this.#one(value, level)
    if (first !== undefined) return first
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > DEEPEST) return `is nested more than ${DEEPEST} levels deep`
      const below: object[] = []
      for (const one of level) {
        const wrong = Array.isArray(one) ? this.#items(one, below) : this.#members(one, below)
        if (wrong !== undefined) return wrong
      }
      level = below
    }
    return undefined
  }

  #items(list: readonly unknown[], below: object[]): string | undefined {
    for (const item of list) {
      const wrong = this.#one(item, below)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

  #members(object: object, below: object[]): string | undefined {
    for (const key of Object.keys(object)) {
      const wrong = this.#one(key, below) ?? this.#one((object as Readonly<Record<string, unknown>>)[key], below)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

  #one(value: unknown, below: object[]): string | undefined {
    this.#bytes += typeof value === 'string' ? value.length + 3 : 4
    if (++this.#values > MOST_VALUES) return `holds more than ${MOST_VALUES} values`
    if (this.#bytes > this.#maxBytes) return `is longer than ${this.#maxBytes} bytes`
    if (typeof value === 'bigint') return 'holds a BigInt, which JSON does not have'
    if (typeof value === 'string' && LONE_SURROGATE.test(value)) return 'holds half of a character (a lone surrogate)'
    if (typeof value === 'object' && value !== null && !(value instanceof ExactInteger)) below.push(value)
    return undefined
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u
