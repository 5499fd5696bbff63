// Iterables of `for` loops in which generated code itself counts, or takes keys and values together.

import { boundMethod } from '../calls/method-tables.js'
import { call } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { dictFlat } from '../containers/dict.js'
import { items, unpack } from '../containers/iterate.js'
import { guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { said, word } from '../values/said.js'
import { isDict, isInt, typeOf, type Value } from '../values/values.js'

/** The items of `x.items()`, as alternating keys and values. */
export function itemPairs(x: Value): readonly Value[] {
  if (isDict(x)) return dictFlat(x)
  const out: Value[] = []
  const pairs = x === null ? undefined : boundMethod(x, 'items')
  for (const pair of items(pairs === undefined ? callAttribute(x, 'items', []) : call(pairs, []))) {
    const two = unpack(pair, 2)
    out.push(two[0]!, two[1]!)
  }
  return out
}

/** A bound of range(), as a number to which a loop can count. */
export function rangeBound(x: Value, what: string): number {
  const n = python && typeof x === 'boolean' ? (x ? 1 : 0) : x
  if (!isInt(n)) {
    throw guestError(
      'TypeError',
      python
        ? said`'${typeOf(x)}' object cannot be interpreted as an integer`
        : said`range: for parameter ${word(what)}: got ${typeOf(x)}, want int`,
      typeof x === 'object' && Array.isArray(x)
        ? { hint: 'iterate over the list itself, or over range(len(x))' }
        : undefined,
    )
  }
  return typeof n === 'number' ? n : n.n > 0n ? Number.MAX_SAFE_INTEGER : -Number.MAX_SAFE_INTEGER
}

export function rangeStep(n: number): number {
  if (n === 0)
    throw guestError('ValueError', python ? 'range() arg 3 must not be zero' : 'range: step argument must not be zero')
  return n
}
