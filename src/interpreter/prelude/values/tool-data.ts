// Data that remembers its text. What a tool answers as one text that is a JSON object or list may be meant as text (a
// file reader) or as data (an API), and nothing on the wire tells them apart. The program tells, by what it does with
// the answer:
//
//   data  x["k"], x.get("k"), x.items(), len(x), for, in, ==, sorted(x), json.dumps(x), isinstance(x, dict), a result, an argument
//   text  json.loads(x), x.splitlines() and every other method of str that dicts and lists don't have, isinstance(x, str), str(x), print(x),
//         f"{x}", x + "…", x == "…", sep.join([x]), re.search(p, x), x[:80] of a dict
//
// `len`, `in` and `for` mean the data: a program that wants them of the text has made it text first (`str(x)`,
// `x.strip()`), and so it is with lists, which have slices, `index` and `count` of their own. `type(x)` is that of the
// data.
//
// The value *is* the data, a record or a list like any other, and the text hangs on it under a symbol that nothing
// enumerates: data operations cost what they always cost, and generated code needs to know nothing. Only where an
// operation would fail for a dict or a list (no such method, no such operand), or makes text, one looks for the symbol.
// A copy is data alone.
// A program may change the data; then the text is of something else and forgotten. Whether it did is seen by parsing
// the text again, when the text is asked for, which costs a native parse and one comparison.
//
// This file is a leaf, so that every operation can ask it. Invariant: `rememberedText(x)` is a text that parses to what
// `x` is now.

import type { Value } from './values.js'

const TEXT: unique symbol = Symbol('text') as never

interface Remembered {
  readonly text: string
  readonly says: (text: string, x: Value) => boolean
}

/**
 * The same value, which remembers the text that it was parsed from; `says` finds out whether the text still says what
 * the value is.
 */
export function remember(x: Value, text: string, says: Remembered['says']): Value {
  if (typeof x === 'object' && x !== null) {
    const value: Remembered = { text, says }
    Object.defineProperty(x, TEXT, { value, enumerable: false, writable: true, configurable: true })
  }
  return x
}

/** The text of data that remembers one; undefined for every other value. */
export function rememberedText(x: Value | undefined): string | undefined {
  if (typeof x !== 'object' || x === null) return undefined
  const remembered = (x as { [TEXT]?: Remembered })[TEXT]
  if (remembered === undefined) return undefined
  if (remembered.says(remembered.text, x)) return remembered.text
  delete (x as { [TEXT]?: Remembered })[TEXT]
  return undefined
}
