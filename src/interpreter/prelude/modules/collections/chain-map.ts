// `ChainMap`: a view of several dicts as one. A read takes the first dict that has the key, and a write goes to the
// first dict.

import { boundMethod, method } from '../../calls/method-tables.js'
import { builtin } from '../../calls/signature.js'
import { attachClass, Class } from '../../classes/classes.js'
import { builtinClass } from '../../classes/known-classes.js'
import {
  dictClear,
  dictDelete,
  dictEquals,
  dictFlat,
  dictGet,
  dictKeys,
  dictOf,
  dictSet,
  dictUpdate,
} from '../../containers/dict.js'
import { addPairs } from '../../methods/dict-methods.js'
import { DictView } from '../../methods/dict-views.js'
import { equal } from '../../operators/comparison.js'
import { quoted, repr } from '../../text/repr.js'
import { contentOf } from '../../values/contents.js'
import { type GuestError, guestError } from '../../values/errors.js'
import { PROTOCOL, type Protocol } from '../../values/protocol.js'
import { said } from '../../values/said.js'
import { isDict, nameClass, type Tuple, type Value } from '../../values/values.js'

class Chain {
  readonly $maps: Value[]
  constructor(maps: Value[]) {
    this.$maps = maps
  }
}

function find(c: Chain, k: Value): Value | undefined {
  for (const m of c.$maps) {
    const v = m instanceof Chain ? find(m, k) : dictGet(m as object, k)
    if (v !== undefined) return v
  }
  return undefined
}

/** All entries in one dict, in the order in which Python iterates over them. */
function merged(c: Chain): object {
  const all = dictOf([])
  for (let i = c.$maps.length - 1; i >= 0; i--) {
    const m = c.$maps[i]!
    dictUpdate(all, m instanceof Chain ? merged(m) : (m as object))
  }
  return all
}

const first = (c: Chain): object => c.$maps[0] as object

export const ChainMap: Value = builtin('ChainMap', '*maps', (maps) => {
  const all = (maps as Tuple).slice(1)
  return new Chain(all.length === 0 ? [dictOf([])] : all)
})
const cls = new Class('ChainMap', 'builtin', [builtinClass('object')])
attachClass(ChainMap as never, cls)

function missing(k: Value): GuestError {
  return guestError('KeyError', said`${quoted(k)}`, { args: [k] })
}

const protocol: Protocol = {
  classValue: () => cls.$value,
  getAttribute(x, name) {
    const c = x as Chain
    if (name === 'maps') return c.$maps
    return name === 'parents' ? new Chain(c.$maps.length > 1 ? c.$maps.slice(1) : [dictOf([])]) : boundMethod(x, name)
  },
  length: (x) => dictKeys(merged(x as Chain)).length,
  contains: (x, k) => find(x as Chain, k) !== undefined,
  items: (x) => dictKeys(merged(x as Chain)),
  getItem(x, k) {
    const v = find(x as Chain, k)
    if (v === undefined) throw missing(k)
    return v
  },
  setItem(x, k, v) {
    dictSet(first(x as Chain), k, v)
    return true
  },
  deleteItem(x, k) {
    if (dictDelete(first(x as Chain), k) === undefined) {
      throw guestError('KeyError', said`'Key not found in the first mapping: ${quoted(k)}'`, {
        args: [`Key not found in the first mapping: ${repr(k)}`],
      })
    }
    return true
  },
  equals: (x, other) =>
    other instanceof Chain || isDict(other)
      ? dictEquals(merged(x as Chain), other instanceof Chain ? merged(other) : other, equal)
      : undefined,
  binary(operator, x, other0, reflected) {
    const other = contentOf(other0) ?? other0
    if (operator !== '|' || !isDict(other)) return undefined
    const all = dictOf(dictFlat(reflected ? other : first(x as Chain)))
    dictUpdate(all, reflected ? merged(x as Chain) : other)
    return new Chain(reflected ? [all] : [all, ...(x as Chain).$maps.slice(1)])
  },
  repr: (x) => `ChainMap(${(x as Chain).$maps.map(repr).join(', ')})`,
}
Object.defineProperty(Chain.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Chain, 'ChainMap')

function define(name: string, parameters: string, fn: (c: Chain, a?: Value, b?: Value) => Value): void {
  method('ChainMap', Chain.prototype, name, parameters, function (this: Chain, a?: Value, b?: Value) {
    return fn(this, a, b)
  } as never)
}

define('get', 'key, default=, /', (c, k, ifAbsent) => find(c, k!) ?? ifAbsent ?? null)
for (const kind of ['keys', 'values', 'items'] as const) define(kind, '/', (c) => new DictView(merged(c), kind))
define('new_child', 'm=', (c, m) => new Chain([m ?? dictOf([]), ...c.$maps]))
define('copy', '/', (c) => new Chain([dictOf(dictFlat(first(c))), ...c.$maps.slice(1)]))
define('pop', 'key, default=, /', (c, k, ifAbsent) => {
  const v = dictDelete(first(c), k!)
  if (v !== undefined) return v
  if (ifAbsent !== undefined) return ifAbsent
  throw missing(k!)
})
method('ChainMap', Chain.prototype, 'update', 'other=, /, **kwargs', function (
  this: Chain,
  more?: Value,
  named?: Value,
) {
  if (more !== undefined) addPairs(first(this), more, 'update')
  if (named !== undefined) dictUpdate(first(this), named as object)
  return null
} as never)
define('clear', '/', (c) => {
  dictClear(first(c))
  return null
})
