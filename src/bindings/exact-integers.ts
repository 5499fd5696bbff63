// Integers beyond a double's range in arguments. `JSON.stringify` cannot write their digits, so they are written as
// unforgeable texts, and `exactText` restores the digits. There is no arithmetic on them, because that takes long for
// many digits.
// Invariant: every digit survives, and no text of a program is taken for an integer.

import { randomUUID } from 'node:crypto'

/** Random, so no program's text contains it. */
const MARK = `\u0000${randomUUID()}:`
const MARKED = new RegExp(`"\\\\u0000${MARK.slice(1)}(-?\\d+)"`, 'g')

export class ExactInteger {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  toJSON(): string {
    return MARK + this.digits
  }
}

/**
 * Arguments that a worker has written as JSON, passed on as text. Their creator releases them when nothing will write
 * them any more.
 */
export class WrittenJson {
  readonly #number = ++lastWritten

  constructor(text: string) {
    written.set(this.#number, text)
  }

  toJSON(): string {
    return `${MARK}json ${this.#number}`
  }

  release(): void {
    written.delete(this.#number)
  }
}

const written = new Map<number, string>()
let lastWritten = 0
const WRITTEN = new RegExp(`"\\\\u0000${MARK.slice(1)}json (\\d+)"`, 'g')

/** Parses JSON; integers that a double can't hold become ExactIntegers. */
export function parseExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : JSON.stringify(MARK + token),
  )
  if (marked === text) return JSON.parse(text)
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactInteger(value.slice(MARK.length)) : value,
  )
}

/** JSON from `JSON.stringify`, with the digits of ExactIntegers and the texts of WrittenJson inserted. */
export function exactText(json: string): string {
  if (!json.includes(MARK.slice(1))) return json
  return json.replace(MARKED, '$1').replace(WRITTEN, (_, number: string) => written.get(Number(number)) ?? '{}')
}

/** The same value if it contains no ExactInteger; else a copy with the nearest numbers. */
export function roundIntegers(value: unknown): unknown {
  if (value instanceof ExactInteger) return Number(value.digits)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(roundIntegers)
    return items.every((item, i) => item === value[i]) ? value : items
  }
  let isSame = true
  const entries = Object.entries(value).map(([key, inner]) => {
    const rounded = roundIntegers(inner)
    isSame &&= rounded === inner
    return [key, rounded] as const
  })
  return isSame ? value : Object.fromEntries(entries)
}
