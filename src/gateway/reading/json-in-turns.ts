// Parses long JSON texts in pieces, over as many turns of the event loop as necessary. A first pass finds the lists and
// objects that are longer than a piece. A second pass assembles them from their members; the engine parses many members
// at a time.
// Invariant: the result is that of `JSON.parse`, errors included, and no piece of work holds the loop longer than one
// piece takes.

import { DEEPEST } from '../depth.js'

const PIECE = 128 * 1024
const TURN_MS = 8
const LOOK_EVERY = 65_536

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** A text that is not parsed because it takes too long. `message` completes "a message …". */
export class UnreadText extends Error {}

/** The maximum of values in a text is its size divided by this: each value costs later readers time. */
const BYTES_PER_VALUE = 32
/** The engine stores an object with more members as a table, where each member takes several times as long. */
const MANY = 50_000
const MANY_WEIGHT = 4

/**
 * Rejects with a SyntaxError if a text is not JSON, and with UnreadText if it would take too long. `maxBytes`: the
 * maximum size of the text.
 */
export async function parseInTurns(text: string, maxBytes: number): Promise<unknown> {
  const reading = new Reading(text, Math.floor(maxBytes / BYTES_PER_VALUE))
  await reading.findLong()
  return reading.whole()
}

/** The offset of the quote that ends the string at `at`; the end of the text if there is none. */
export function endOfString(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1)
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote < 0 ? text.length : quote
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

/**
 * When this turn's work on the event loop began. All readers share it, so that many of them together take no longer
 * than one.
 */
let turnBegan: number | undefined

/** Decides when to yield to other work. */
export class Turns {
  readonly #ms: number

  constructor(ms = TURN_MS) {
    this.#ms = ms
  }

  get isOver(): boolean {
    const now = performance.now()
    if (turnBegan === undefined) {
      turnBegan = now
      setImmediate(() => {
        turnBegan = undefined
      })
    }
    return now - turnBegan > this.#ms
  }

  /** Resolves in a turn that has time left. Readers continue in the order in which they waited. */
  async next(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.isOver)
  }
}

class Reading {
  readonly #text: string
  readonly #turns = new Turns()
  /** The ends of lists and objects that are longer than a piece, by their starts. */
  readonly #long = new Map<number, number>()

  readonly #maxValues: number

  constructor(text: string, maxValues: number) {
    this.#text = text
    this.#maxValues = maxValues
  }

  async findLong(): Promise<void> {
    const text = this.#text
    const open: number[] = []
    const members = [0]
    const isTable = (count: number) => count > MANY && text.charCodeAt(open.at(-1) ?? 0) === OPEN_OBJECT
    let look = LOOK_EVERY
    let values = 1
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) at = endOfString(text, at)
      else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        values++
        members.push(0)
        if (open.push(at) > DEEPEST) throw new UnreadText('that is nested too deep')
      } else if (code === COMMA) values += isTable(++members[members.length - 1]!) ? MANY_WEIGHT : 1
      else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        const start = open.pop() ?? at
        members.pop()
        if (at - start > PIECE) this.#long.set(start, at)
      }
      if (values > this.#maxValues) throw new UnreadText(`of more than ${this.#maxValues} values`)
      if (at < look) continue
      look = at + LOOK_EVERY
      if (this.#turns.isOver) await this.#turns.next()
    }
  }

  async whole(): Promise<unknown> {
    const start = /\S/.exec(this.#text)?.index ?? 0
    const end = this.#long.get(start)
    if (end === undefined) return JSON.parse(this.#text)
    if (/\S/.test(this.#text.slice(end + 1))) throw new SyntaxError('there is text after the end')
    return this.#value(start, end)
  }

  async #value(start: number, end: number): Promise<unknown> {
    const text = this.#text
    const isList = text.charCodeAt(start) === OPEN_LIST
    if (text.charCodeAt(end) !== (isList ? CLOSE_LIST : CLOSE_OBJECT)) throw new SyntaxError('brackets do not match')
    const made = isList ? new List() : new Members()
    // Members from `begun` on are not parsed yet. The last of them follows the comma at `comma`.
    let [begun, comma, depth] = [start + 1, start, 0]
    let at = start + 1
    while (at < end) {
      const code = text.charCodeAt(at)
      const inner = depth === 0 ? this.#long.get(at) : undefined
      if (inner !== undefined) {
        if (comma >= begun) made.addAll(text.slice(begun, comma))
        made.addOne(text.slice(comma + 1, at), await this.#value(at, inner))
        at = inner + 1
        while (at < end && ' \t\r\n'.includes(text[at]!)) at++
        if (at < end && text.charCodeAt(at) !== COMMA) throw new SyntaxError('a comma is missing')
        if (at === end) return made.value
        comma = at
        begun = at + 1
      } else if (code === QUOTE) at = endOfString(text, at)
      else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++
      else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
      else if (code === COMMA && depth === 0) {
        comma = at
        if (at - begun > PIECE) {
          made.addAll(text.slice(begun, at))
          begun = at + 1
          if (this.#turns.isOver) await this.#turns.next()
        }
      }
      at++
    }
    made.addAll(text.slice(begun, end))
    return made.value
  }
}

/** Throws the error for a comma without a member. */
function nothing(): never {
  throw new SyntaxError('a member is missing')
}

class List {
  readonly value: unknown[] = []

  addAll(text: string): void {
    const items = JSON.parse(`[${text}]`) as unknown[]
    if (items.length === 0) nothing()
    for (const item of items) this.value.push(item)
  }

  /** `before`: the text between the last comma and the item. */
  addOne(before: string, item: unknown): void {
    if (before.trim() !== '') throw new SyntaxError('a comma is missing')
    this.value.push(item)
  }
}

class Members {
  readonly value: Record<string, unknown> = {}

  addAll(text: string): void {
    const members = Object.entries(JSON.parse(`{${text}}`) as object)
    if (members.length === 0) nothing()
    for (const [key, member] of members) this.#set(key, member)
  }

  addOne(before: string, member: unknown): void {
    const [key] = Object.keys(JSON.parse(`{${before}0}`) as object)
    this.#set(key ?? nothing(), member)
  }

  #set(key: string, value: unknown): void {
    if (key === '__proto__')
      Object.defineProperty(this.value, key, { value, enumerable: true, configurable: true, writable: true })
    else this.value[key] = value
  }
}
