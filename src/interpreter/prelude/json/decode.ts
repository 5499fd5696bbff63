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
    return marked === undefined ? (parse(text) as Value) : restored(parse(marked) as Value)
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
  return /[.eE]/.test(token) ? float(Number(token)) : normal(BigInt(token))
}

/** Restores marked numbers and keys. */
function restored(x: Value): Value {
  if (typeof x === 'string') return x.charCodeAt(0) === 0xfdd0 ? number(x.slice(1)) : x
  if (typeof x !== 'object' || x === null) return x
  if (Array.isArray(x)) {
    for (let i = 0; i < x.length; i++) {
      const e = x[i] as Value
      if (typeof e === 'string' ? e.charCodeAt(0) === 0xfdd0 : typeof e === 'object' && e !== null) x[i] = restored(e)
    }
    return x
  }
  return restoredRecord(x as RecordDict)
}

function restoredRecord(record: RecordDict): Value {
  let special = false
  for (const k in record) {
    if (k.charCodeAt(0) === 0xfdd0) special = true
    const e = record[k]!
    if (typeof e === 'string' ? e.charCodeAt(0) === 0xfdd0 : typeof e === 'object' && e !== null)
      record[k] = restored(e)
  }
  if (!special) return record
  const flat: Value[] = []
  for (const k in record) flat.push(k.charCodeAt(0) === 0xfdd0 ? k.slice(1) : k, record[k]!)
  return dictOf(flat)
}
