// Data that remembers its text. What a tool answers as one text that is a JSON object or list may be meant as text (a
// file reader) or as data (an API), and nothing on the wire tells them apart. The program tells, by what it does with
// the answer:
//
//   data  x["k"], x.get("k"), x.items(), sorted(x), json.dumps(x), isinstance(x, dict), a result, an argument
// text  json.loads(x), x.splitlines() and every other method of str that dicts and lists don't have, str(x), print(x),
//         isinstance(x, str), f"{x}", x + "…", x == "…", sep.join([x]), re.search(p, x), x[:80] of a dict
//
// `len`, `in`, `for` and `x[0]` mean something of either; what is hashed is text, since data can't be. Before it runs,
// the compiler looks for what else the program does with the answer (infer/readings.ts): then it is made a text, or is
// data from there on. Where that says nothing, or both, the answer stays undecided, and these ask for a decision.
//
// The value *is* the data, a record or a list like any other, and the text hangs on it under a symbol that nothing
// enumerates: data operations cost what they always cost, and generated code needs to know nothing. Only where an
// operation would fail for a dict or a list (no such method, no such operand), or makes text, one looks for the symbol.
// A copy is data alone.
// A program may change the data; then the text is of something else and forgotten. Whether it did is seen by parsing
// the text again, when the text is asked for, which costs a native parse and one comparison.
//
// Every operation can ask this file. Invariant: `answerText(x)` is a text that parses to what `x`
// is now.

import { type GuestError, guestError } from './errors.js'
import { python } from './mode.js'
import { said, word } from './said.js'
import type { Value } from './values.js'

const TEXT: unique symbol = Symbol('text') as never

interface Remembered {
  readonly text: string
  /** Neither the program nor earlier answers of the tool have decided the kind. */
  undecided: boolean
  /** The program has decided that it is data. */
  isData: boolean
  readonly says: (text: string, x: Value) => boolean
}

/**
 * The same value, which remembers the text that it was parsed from; `says` finds out whether the text still says what
 * the value is.
 */
export function remember(x: Value, text: string, says: Remembered['says'], undecided: boolean): Value {
  if (typeof x === 'object' && x !== null) {
    hidden.value = { text, says, undecided, isData: false }
    defineProperty(x, TEXT, hidden)
  }
  return x
}

/** Made once: every answer needs one. */
const hidden: PropertyDescriptor = { value: undefined, enumerable: false, writable: true, configurable: true }
const { defineProperty } = Object

/** An answer that has just come, as the text that it was. */
export function answeredText(x: Value): Value {
  return rememberedIn(x)?.text ?? x
}

/** An answer, as data from now on. */
export function answeredData(x: Value): Value {
  const remembered = rememberedIn(x)
  if (remembered !== undefined) {
    remembered.undecided = false
    remembered.isData = true
  }
  return x
}

/** True while it may also be used as its text. */
export function isUndecided(x: Value): boolean {
  return rememberedIn(x)?.undecided === true && rememberedText(x) !== undefined
}

function rememberedIn(x: Value | undefined): Remembered | undefined {
  return typeof x === 'object' && x !== null ? (x as { [TEXT]?: Remembered })[TEXT] : undefined
}

/** The text of an answer that may stand for it; undefined for every other value. */
export function rememberedText(x: Value | undefined): string | undefined {
  return rememberedIn(x)?.isData === true ? undefined : answerText(x)
}

/** The text that an answer was, where it still says what the answer is: for parsing, and for tools that want a text. */
export function answerText(x: Value | undefined): string | undefined {
  const remembered = rememberedIn(x)
  if (remembered === undefined) return undefined
  if (remembered.says(remembered.text, x!)) return remembered.text
  delete (x as unknown as { [TEXT]?: Remembered })[TEXT]
  return undefined
}

/**
 * Throws where an operation on two answers gives something else for their texts than for their data, and nobody knows
 * which of them is meant. `operation`: how the program writes it.
 */
export function decideBoth(a: Value, b: Value, operation: (a: string, b: string) => string): void {
  if (isUndecided(a) && isUndecided(b)) throw textOrData((as) => operation(as('a'), as('b')))
}

/** Two equal answers: are their texts? */
export function sameText(a: Value, b: Value): boolean {
  return rememberedIn(a)?.text === rememberedIn(b)?.text
}

/** `written`: the operation, where each of its answers is written as is told. */
export function textOrData(written: (as: (name: string) => string) => string): GuestError {
  const data = written((name) => (python ? `json.loads(${name})` : `json.decode(${name})`))
  const text = written((name) => `str(${name})`)
  return guestError('TypeError', 'a tool answered text that is JSON: do you mean the text or the data?', {
    code: 'text-or-data',
    hint: said`write ${word(data)} for the data, or ${word(text)} for the text`,
  })
}
