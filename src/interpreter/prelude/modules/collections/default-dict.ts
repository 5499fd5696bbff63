// `defaultdict` and `OrderedDict`.

import { given } from '../../calls/expect.js'
import { builtin, call, isCallable } from '../../calls/signature.js'
import { dictDelete, dictEnd, dictFlat, dictItems, dictOf, dictSet, dictUpdate } from '../../containers/dict.js'
import { items } from '../../containers/iterate.js'
import { key } from '../../containers/keys.js'
import { addPairs } from '../../methods/dict-methods.js'
import { equal } from '../../operators/comparison.js'
import { truth } from '../../operators/membership.js'
import { missingKey } from '../../operators/subscript.js'
import { repr } from '../../text/repr.js'
import { contentOf } from '../../values/contents.js'
import { raise, typeError } from '../../values/errors.js'
import { isDict, TUPLE, type Value } from '../../values/values.js'
import { defineDictClass, dictMethod } from './dict-class.js'

type Absent = undefined

function fill(d: object, pairs: Value | Absent, named: Value | Absent, fn: string): void {
  if (pairs !== undefined) {
    if (isDict(pairs)) dictUpdate(d, pairs)
    else addPairs(d, pairs, fn)
  }
  if (named !== undefined) dictUpdate(d, named as object)
}

/** `a | b` as a dict of the operands' kind. */
function union(a: Value, b: Value, operator: string, make: () => Map<Value, Value>): Value | undefined {
  const [left, right] = [contentOf(a) ?? a, contentOf(b) ?? b]
  if (operator !== '|' || !isDict(left) || !isDict(right)) return undefined
  const d = make()
  dictUpdate(d, left)
  dictUpdate(d, right)
  return d
}

// ---- defaultdict -----------------------------------------------------------------------------------------------

class DefaultMap extends Map<Value, Value> {
  $factory: Value = null
}

export const defaultdict: Value = builtin(
  'defaultdict',
  'default_factory=, pairs=, /, **kwargs',
  (factory, pairs, named) => {
    if (factory !== undefined && factory !== null && !isCallable(factory))
      typeError('first argument must be callable or None')
    const d = new DefaultMap()
    d.$factory = factory ?? null
    fill(d, pairs, named, 'defaultdict')
    return d
  },
)

defineDictClass({
  name: 'defaultdict',
  map: DefaultMap,
  callable: defaultdict as never,
  protocol: {
    missing(x, k) {
      const d = x as DefaultMap
      if (d.$factory === null) return undefined
      key(k)
      const v = call(d.$factory, [])
      dictSet(d, k, v)
      return v
    },
    setAttribute(x, name, value) {
      if (name !== 'default_factory') return false
      ;(x as DefaultMap).$factory = value
      return true
    },
    binary: (operator, x, other, reflected) =>
      union(reflected ? other : x, reflected ? x : other, operator, () => {
        const d = new DefaultMap()
        d.$factory = (x as DefaultMap).$factory
        return d
      }),
    repr: (x) => `defaultdict(${repr((x as DefaultMap).$factory)}, ${repr(dictOf(dictFlat(x)))})`,
  },
})
dictMethod('defaultdict', DefaultMap, 'copy', '', function () {
  const d = new DefaultMap()
  d.$factory = (this as DefaultMap).$factory
  dictUpdate(d, this)
  return d
})

// ---- OrderedDict -----------------------------------------------------------------------------------------------

class OrderedMap extends Map<Value, Value> {}

export const OrderedDict: Value = builtin('OrderedDict', 'pairs=, /, **kwargs', (pairs, named) => {
  const d = new OrderedMap()
  fill(d, pairs, named, 'OrderedDict')
  return d
})

const ordered = defineDictClass({
  name: 'OrderedDict',
  map: OrderedMap,
  callable: OrderedDict as never,
  protocol: {
    equals(x, other) {
      if (!(other instanceof OrderedMap)) return undefined
      const [a, b] = [dictFlat(x), dictFlat(other)]
      return a.length === b.length && a.every((v, i) => v === b[i] || equal(v, b[i]!))
    },
    binary: (operator, x, other, reflected) =>
      union(reflected ? other : x, reflected ? x : other, operator, () => new OrderedMap()),
    repr: (x) => ((x as OrderedMap).size === 0 ? 'OrderedDict()' : `OrderedDict(${repr(dictItems(x))})`),
  },
})
dictMethod('OrderedDict', OrderedMap, 'copy', '', function () {
  const d = new OrderedMap()
  dictUpdate(d, this)
  return d
})
dictMethod('OrderedDict', OrderedMap, 'move_to_end', 'key, last=', function (k, last) {
  given(k, 'OrderedDict', 'move_to_end')
  const v = dictDelete(this, k)
  if (v === undefined) throw missingKey(this, k)
  const toEnd = last === undefined || truth(last)
  const rest = toEnd ? [] : dictFlat(this)
  if (!toEnd) this.clear()
  dictSet(this, k, v)
  for (let i = 0; i < rest.length; i += 2) dictSet(this, rest[i]!, rest[i + 1]!)
  return null
})
dictMethod('OrderedDict', OrderedMap, 'popitem', 'last=', function (last) {
  const end = dictEnd(this, last === undefined || truth(last) ? 'last' : 'first')
  if (end === undefined) return raise('KeyError', "'dictionary is empty'", { args: ['dictionary is empty'] })
  dictDelete(this, end[0])
  return [TUPLE, end[0], end[1]]
})
ordered.$members.fromkeys = builtin('fromkeys', 'iterable, value=', (iterable, value) => {
  const d = new OrderedMap()
  for (const k of items(iterable!)) dictSet(d, k, value ?? null)
  return d
})
