// Data that remembers its text. A tool's answer that is one text with a JSON object or list may be meant as text (a
// file reader) or as data (an API), and the protocol does not tell them apart. The program's use of the answer decides:
//
//   data  x["k"], x.get("k"), x.items(), sorted(x), json.dumps(x), isinstance(x, dict), a result, an argument
//   text  json.loads(x), x.splitlines() and every other method of str that dicts and lists don't have, str(x),
//         print(x), isinstance(x, str), f"{x}", x + "…", x == "…", sep.join([x]), re.search(p, x), x[:80] of a dict
//
// `len`, `in`, `for` and `x[0]` work on both; a hashed answer is text, since data can't be hashed. The compiler looks
// for other uses of the answer before the run (infer/readings.ts) and makes it a text or data. If there are none, or
// they contradict each other, the answer stays undecided, and these operations fail and ask for a decision.
//
// The value *is* the data, a record or a list like any other, with the text under a symbol that is never enumerated. So
// operations on data cost the same as usual, and generated code needs no special cases. Only operations that would fail
// for a dict or a list (no such method, no such operand), or that make text, look for the symbol. A copy is data alone.
// If the program changes the data, the text no longer fits and is forgotten. A request for the text notices this by
// parsing it again, which costs a native parse and one comparison.
//
// Every operation can use this file. Invariant: `answerText(x)` parses to the current value of `x`.

import { type GuestError, guestError } from './errors.js'
import { python } from './mode.js'
import { said, word } from './said.js'
import type { Value } from './values.js'

const TEXT: unique symbol = Symbol('text') as never

interface Remembered {
  readonly text: string
  /** True while neither the program nor earlier answers of the tool have decided the kind. */
  undecided: boolean
  /** True if the program has decided that it is data. */
  isData: boolean
  readonly says: (text: string, x: Value) => boolean
}

/**
 * The same value, which from now on remembers the text that it was parsed from. `says` tests whether the text still
 * denotes the value.
 */
export function remember(x: Value, text: string, says: Remembered['says'], undecided: boolean): Value {
  if (typeof x === 'object' && x !== null) {
    hidden.value = { text, says, undecided, isData: false }
    defineProperty(x, TEXT, hidden)
  }
  return x
}

/** Shared by all answers, because creating one for each would cost too much. */
const hidden: PropertyDescriptor = { value: undefined, enumerable: false, writable: true, configurable: true }
const { defineProperty } = Object

/** The text of an answer that has just arrived. */
export function answeredText(x: Value): Value {
  return rememberedIn(x)?.text ?? x
}

/** Decides that an answer is data. */
export function answeredData(x: Value): Value {
  const remembered = rememberedIn(x)
  if (remembered !== undefined) {
    remembered.undecided = false
    remembered.isData = true
  }
  return x
}

/** True while the answer may also be used as its text. */
export function isUndecided(x: Value): boolean {
  return rememberedIn(x)?.undecided === true && rememberedText(x) !== undefined
}

function rememberedIn(x: Value | undefined): Remembered | undefined {
  return typeof x === 'object' && x !== null ? (x as { [TEXT]?: Remembered })[TEXT] : undefined
}

/** The text of an answer, if it may stand for the answer. Undefined for every other value. */
export function rememberedText(x: Value | undefined): string | undefined {
  return rememberedIn(x)?.isData === true ? undefined : answerText(x)
}

/** The text of an answer if it still denotes the value, for parsing and for tools that take a text. */
export function answerText(x: Value | undefined): string | undefined {
  const remembered = rememberedIn(x)
  if (remembered === undefined) return undefined
  if (remembered.says(remembered.text, x!)) return remembered.text
  delete (x as unknown as { [TEXT]?: Remembered })[TEXT]
  return undefined
}

/**
 * Throws if an operation on two undecided answers has another result for their texts than for their data. `operation`
 * spells it as the program does.
 */
export function decideBoth(a: Value, b: Value, operation: (a: string, b: string) => string): void {
  if (isUndecided(a) && isUndecided(b)) throw textOrData((as) => operation(as('a'), as('b')))
}

/** True if the texts of two equal answers are equal too. */
export function sameText(a: Value, b: Value): boolean {
  return rememberedIn(a)?.text === rememberedIn(b)?.text
}

/** `written` returns the operation, with each answer spelled as requested. */
export function textOrData(written: (as: (name: string) => string) => string): GuestError {
  const data = written((name) => (python ? `json.loads(${name})` : `json.decode(${name})`))
  const text = written((name) => `str(${name})`)
  return guestError('TypeError', 'a tool answered text that is JSON: do you mean the text or the data?', {
    code: 'text-or-data',
    hint: said`write ${word(data)} for the data, or ${word(text)} for the text`,
  })
}
