// The methods of dicts. A dict is a Map, or a record or shell, which inherits from Object.prototype as every other
// object does. So each method exists twice: for Maps, without further tests, and for everything else that inherits it,
// which may not be a dict.

import { given, wrongCount } from '../calls/expect.js'
import { method, onType } from '../calls/method-tables.js'
import { builtin } from '../calls/signature.js'
import { mappingEntries } from '../classes/mappings.js'
import { otherwise } from '../classes/method-answers.js'
import {
  dictClear,
  dictCopy,
  dictDelete,
  dictEnd,
  dictGet,
  dictItems,
  dictKeys,
  dictOf,
  dictSet,
  dictUpdate,
  dictValues,
} from '../containers/dict.js'
import { items, notIterable } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { mutable } from '../containers/locks.js'
import { missingKey } from '../operators/subscript.js'
import { quoted } from '../text/repr.js'
import { GuestError, guestError, raise } from '../values/errors.js'
import { python } from '../values/mode.js'
import { asName, said } from '../values/said.js'
import { isDict, TUPLE, typeOf, type Value } from '../values/values.js'
import { DictView, isDisjoint } from './dict-views.js'

type Absent = undefined
type MapDict = Map<Value, Value>
type Implementation<Receiver> = (this: Receiver, a?: Value, b?: Value) => Value

/** Declares a method. `onMap` is for Maps alone. Without it `onDict` serves both. */
function define(
  name: string,
  parameters: string,
  onDict: (d: object, a: Value | Absent, b: Value | Absent) => Value,
  onMap?: Implementation<MapDict>,
): void {
  const any = function (this: object, a?: Value, b?: Value): Value {
    if (isDict(this)) return onDict(this, a, b)
    return otherwise(this, name, [a, b])
  }
  method('dict', Map.prototype, name, parameters, (onMap ?? any) as never)
  method('dict', Object.prototype, name, parameters, any as never)
}

function none(extra: Value | Absent, name: string): void {
  if (extra !== undefined) throw wrongCount('dict', name, 1, 0, 0)
}

define(
  'get',
  'key, default=, /',
  (d, k, ifAbsent) => {
    given(k, 'dict', 'get', 1, 2)
    const v = dictGet(d, k)
    return v === undefined ? (ifAbsent === undefined ? null : ifAbsent) : v
  },
  function (k, ifAbsent) {
    if (k === undefined) throw wrongCount('dict', 'get', 0, 1, 2)
    let v = this.get(k)
    if (v === undefined && typeof k !== 'string' && typeof k !== 'number') v = this.get(key(k))
    return v === undefined ? (ifAbsent === undefined ? null : ifAbsent) : v
  },
)

define('keys', '/', (d, extra) => {
  none(extra, 'keys')
  return python ? new DictView(d, 'keys') : dictKeys(d)
})
define('values', '/', (d, extra) => {
  none(extra, 'values')
  return python ? new DictView(d, 'values') : dictValues(d)
})
define('items', '/', (d, extra) => {
  none(extra, 'items')
  return python ? new DictView(d, 'items') : dictItems(d)
})

function setDefault(d: object, k: Value | Absent, ifAbsent: Value | Absent): Value {
  given(k, 'dict', 'setdefault', 1, 2)
  const v = dictGet(d, k)
  if (v !== undefined) return v
  const added = ifAbsent === undefined ? null : ifAbsent
  dictSet(d, k, added)
  return added
}

define('setdefault', 'key, default=, /', setDefault, function (k, ifAbsent) {
  // An entry under the key itself needs no normalised key.
  const v = this.get(k as Value)
  return v === undefined ? setDefault(this, k, ifAbsent) : v
})

define('pop', 'key, default=, /', (d, k, ifAbsent) => {
  given(k, 'dict', 'pop', 1, 2)
  const v = dictDelete(d, k)
  if (v !== undefined) return v
  if (ifAbsent !== undefined) return ifAbsent
  throw python ? missingKey(d, k) : guestError('KeyError', said`pop: missing key: ${quoted(k)}`, { args: [k] })
})

define('popitem', '/', (d, extra) => {
  none(extra, 'popitem')
  mutable(d)
  const entry = dictEnd(d, python ? 'last' : 'first')
  if (entry === undefined)
    return raise('KeyError', python ? "'popitem(): dictionary is empty'" : 'popitem: empty dict', {
      args: ['popitem(): dictionary is empty'],
    })
  dictDelete(d, entry[0])
  return [TUPLE, entry[0], entry[1]]
})

define('clear', '/', (d, extra) => {
  none(extra, 'clear')
  dictClear(d)
  return null
})

define('update', 'pairs=, /, **kwargs', (d, pairs, kwargs) => {
  mutable(d)
  if (pairs !== undefined) addPairs(d, pairs, 'update')
  if (kwargs !== undefined) dictUpdate(d, kwargs as object)
  return null
})

/** Adds the entries of a dict, or pairs from an iterable, to `d`. */
export function addPairs(d: object, from: Value, fn: string): void {
  if (isDict(from)) {
    dictUpdate(d, from)
    return
  }
  const entries = python ? mappingEntries(from) : undefined
  if (entries !== undefined) {
    for (let i = 0; i < entries.length; i += 2) dictSet(d, entries[i]!, entries[i + 1]!)
    return
  }
  const pairs = items(from)
  for (let i = 0; i < pairs.length; i++) {
    const p = pairs[i]!
    const n = Array.isArray(p) ? p.length - (p[0] === TUPLE ? 1 : 0) : -1
    if (n === 2) {
      const pair = p as Value[]
      dictSet(d, pair[pair.length - 2]!, pair[pair.length - 1]!)
    } else {
      const pair = pairItems(p, i, fn)
      dictSet(d, pair[0]!, pair[1]!)
    }
  }
}

function pairItems(p: Value, i: number, fn: string): readonly Value[] {
  let pair: readonly Value[]
  try {
    pair = items(p)
  } catch (e) {
    if (!(e instanceof GuestError) || e.message !== notIterable(p).message) throw e
    throw guestError(
      'TypeError',
      python
        ? said`cannot convert dictionary update sequence element #${i} to a sequence`
        : said`${asName(fn)}: dictionary update sequence element #${i} is not iterable (${typeOf(p)})`,
    )
  }
  if (pair.length !== 2) {
    throw guestError(
      'ValueError',
      said`${python ? '' : said`${asName(fn)}: `}dictionary update sequence element #${i} has length ${pair.length}; 2 is required`,
    )
  }
  return pair
}

function fromKeys(iterable: Value, value: Value | Absent): object {
  const d = dictOf([])
  for (const k of items(iterable)) dictSet(d, k, value ?? null)
  return d
}

if (python) {
  define('copy', '/', (d, extra) => {
    none(extra, 'copy')
    return dictCopy(d)
  })
  method('dict_keys', DictView.prototype, 'isdisjoint', 'other, /', function (this: DictView, other: Value | Absent) {
    given(other, 'dict_keys', 'isdisjoint')
    return isDisjoint(this, other)
  } as never)
}

onType(
  'dict',
  'fromkeys',
  builtin('fromkeys', 'iterable, value=, /', (iterable, value) => fromKeys(iterable!, value)),
)
