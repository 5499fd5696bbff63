// JSON text to values, exactly: the order of keys is kept, `1.0` is a float and `1` an int of any size, and of
// duplicate keys the last one counts.
//
// JavaScript's parser is a hundred times as fast as one written in the guest, but it loses integral floats and long
// ints, and puts keys that are array indices first. So the host marks the few numbers and keys that the parser would
// spoil (rewrite.ts of the host), the engine parses the result, and one walk restores them. Texts without such numbers
// need no walk. Texts that the engine refuses are parsed again by a parser that reports the mistake or accepts Python's
// extensions (NaN, Infinity). Invariant: a record that is returned never has a key that JavaScript orders differently.

import { dictOf } from '../containers/dict.js'
import { isRewritable, rewritten } from '../text/rewriting.js'
import { float, normal, type RecordDict, type Value } from '../values/values.js'
import { readJson } from './reader.js'

const { parse } = JSON

/** The value of a JSON text. Throws a GuestError that states the mistake and its position. */
export function decodeJson(text: string): Value {
  if (!isRewritable(text)) return readJson(text)
  const marked = rewritten('j', text)
  try {
    if (marked === undefined) return parse(text) as Value
    mark = marked.charAt(0)
    return restored(parse(marked.slice(1)) as Value)
  } catch {
    // Not JSON, or nested too deeply for the engine: the reader finds out which.
    return readJson(text)
  }
}

/** The value of a text that contains nothing that the engine's parser would spoil. */
export function decodePlainJson(text: string): Value {
  try {
    return parse(text) as Value
  } catch {
    return readJson(text)
  }
}

function number(token: string): Value {
  const isFloat = token.indexOf('.') >= 0 || token.indexOf('e') >= 0 || token.indexOf('E') >= 0
  return isFloat ? float(Number(token)) : normal(BigInt(token))
}

// Read from here, because reading a global costs more than a comparison.
const [TEXT, NUMBER, BOOL, LIST] = [String, Number, Boolean, Array]
/** The character that the host put before numbers and keys. */
let mark = ''

/** Restores marked numbers and keys. */
function restored(x: Value): Value {
  if (x === null) return x
  const kind: unknown = x.constructor
  if (kind === TEXT) return (x as string).charAt(0) === mark ? number((x as string).slice(1)) : x
  if (kind === NUMBER || kind === BOOL) return x
  if (kind !== LIST) return restoredRecord(x as RecordDict)
  const all = x as Value[]
  for (let i = 0; i < all.length; i++) {
    const e = all[i]!
    if (isTouched(e)) all[i] = restored(e)
  }
  return x
}

/** False for most values that are right as they are. */
function isTouched(x: Value): boolean {
  if (x === null) return false
  const kind: unknown = x.constructor
  return kind === TEXT ? (x as string) >= mark : kind !== NUMBER && kind !== BOOL
}

function restoredRecord(record: RecordDict): Value {
  let special = false
  for (const k in record) {
    if (k >= mark && k.charAt(0) === mark) special = true
    const e = record[k]!
    if (isTouched(e)) record[k] = restored(e)
  }
  if (!special) return record
  const flat: Value[] = []
  for (const k in record) flat.push(k.charAt(0) === mark ? k.slice(1) : k, record[k]!)
  return dictOf(flat)
}
