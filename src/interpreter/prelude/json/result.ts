// A run's result as JSON, as a web framework would write it. Keys that are numbers, bools or None become strings as in
// `json.dumps`. Dates, decimals, UUIDs, paths, enums, sets, dataclasses and objects have a JSON form. Only values
// without one become text, and a note names them.
// Invariant: only values that contain themselves or are nested too deeply have no result.

import { attributeOrAbsent, callAttribute } from '../classes/attributes.js'
import { Instance } from '../classes/classes.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { items } from '../containers/iterate.js'
import { DictView } from '../methods/dict-views.js'
import { Elems } from '../methods/elems.js'
import { str } from '../text/repr.js'
import { GuestError } from '../values/errors.js'
import { Bytes, float, normal, Range, typeName, type Value } from '../values/values.js'
import { encode, encodeJson } from './encode.js'

interface ResultText {
  /** Null for a value without a JSON form. */
  readonly json: string | null
  readonly notes: readonly string[]
}

/** The maximum number of places in notes. */
const MOST_NOTES = 5
/** The maximum length of a place, in characters. */
const LONGEST = 200

/** The result's text. `lenient`: by the rules of the default dialect. */
export function resultText(x: Value, lenient: boolean): ResultText {
  const plain = written(() => encodeJson(x))
  if (plain !== undefined || !lenient) return { json: plain ?? null, notes: [] }
  const path: (string | number)[] = []
  const strange: string[] = []
  const note = (what: string, isKey = false): void => {
    const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `[${JSON.stringify(key)}]`)).join('')
    strange.push(`${isKey ? 'a key of ' : ''}result${cut(place)} is ${what}`)
  }
  const json = written(() =>
    encode(x, {
      comma: ',',
      colon: ':',
      python: true,
      path,
      as: plainForm,
      nonFinite(v) {
        note(`${Number.isNaN(v) ? 'nan' : v < 0 ? '-inf' : 'inf'}, which JSON has no number for: it is null`)
        return 'null'
      },
      instead(v, isKey) {
        note(`of type ${cut(typeName(v))}, which JSON has no form for: it is text`, isKey)
        return str(v)
      },
    }),
  )
  if (json === undefined) return { json: null, notes: [] }
  const more = strange.length - MOST_NOTES
  return {
    json,
    notes: more > 0 ? [...strange.slice(0, MOST_NOTES), `${more} more values of the result are such`] : strange,
  }
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

function written(write: () => string): string | undefined {
  try {
    return write()
  } catch (e) {
    if (e instanceof GuestError) return undefined
    throw e
  }
}

/** The replacement of an object. Undefined for values that have a JSON form or no replacement. */
function plainForm(x: object): Value | undefined {
  if (x instanceof Set || x instanceof Range || x instanceof DictView || x instanceof Elems) return items(x as Value)
  if (x instanceof Bytes) return textOf(x)
  if (isMember(x)) return attributeOrAbsent(x as Value, 'value')
  const kind = typeName(x as Value)
  switch (x instanceof Instance ? '' : kind.slice(kind.lastIndexOf('.') + 1)) {
    case 'datetime':
    case 'date':
    case 'time':
      return callAttribute(x as Value, 'isoformat', [])
    case 'timedelta':
      return callAttribute(x as Value, 'total_seconds', [])
    case 'Decimal':
      return decimal(str(x as Value))
    case 'UUID':
    case 'PurePosixPath':
    case 'PosixPath':
    case 'Path':
    case 'PurePath':
    case 'Fraction':
      return str(x as Value)
    case 'deque':
      return items(x as Value)
    default:
      return x instanceof Instance && Object.keys(fieldsOf(x as Value)).length > 0 ? fieldsOf(x as Value) : undefined
  }
}

function isMember(x: object): boolean {
  return x instanceof Instance && attributeOrAbsent(x as Value, '_name_') !== undefined
}

/** The text of bytes in UTF-8. Undefined for other bytes. */
function textOf(x: Bytes): Value | undefined {
  try {
    return callAttribute(x as Value, 'decode', [])
  } catch (e) {
    if (e instanceof GuestError) return undefined
    throw e
  }
}

/** The number of a decimal: without a fraction an int, otherwise a float. */
function decimal(text: string): Value {
  return /^-?\d+$/.test(text) ? normal(BigInt(text)) : float(Number(text))
}
