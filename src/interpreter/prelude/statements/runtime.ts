// Small helpers that only generated code calls: displays, unpacking of arguments, reading of variables, literal formats.

import { boundMethod } from '../calls/method-tables.js'
import { call, isCallable, type Native, type Signature } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { mappingEntries } from '../classes/mappings.js'
import { dictFlat, dictOf, dictSet, dictSize } from '../containers/dict.js'
import { items, unpack } from '../containers/iterate.js'
import { contains } from '../operators/membership.js'
import { formatPercent } from '../operators/percent-format.js'
import { quoted } from '../text/repr.js'
import { guestError } from '../values/errors.js'
import { python, strict } from '../values/mode.js'
import { asName, inQuotes, said, word } from '../values/said.js'
import { isDict, isInt, nameClass, TUPLE, typeOf, type Value } from '../values/values.js'

/** Stands before the operand of `**` in a dict display. */
export const SPREAD: object = Object.freeze(Object.create(null))

/** `...` as a value. */
export const ELLIPSIS: object = Object.freeze(Object.create(null))
nameClass((x) => x === ELLIPSIS, 'ellipsis')

/** Takes None's place as the receiver of a method call, so that the failure is the guest's own. */
class NoneReceiver {}
export const NONE: object = new NoneReceiver()
nameClass((x) => x instanceof NoneReceiver, 'NoneType')

export function isIn(element: Value, container: Value): boolean {
  return contains(container, element)
}

/** A dict display: keys and values alternating, `SPREAD` before a dict to merge. */
export function dictDisplay(flat: readonly Value[]): Value {
  if (!flat.includes(SPREAD)) return dictOf(flat)
  const out = dictOf([])
  for (let i = 0; i < flat.length; i += 2) {
    if (flat[i] === SPREAD) {
      const more = mappingEntries(flat[i + 1]!)
      if (more === undefined) throw guestError('TypeError', said`'${typeOf(flat[i + 1]!)}' object is not a mapping`)
      for (let j = 0; j < more.length; j += 2) dictSet(out, more[j]!, more[j + 1]!)
    } else dictSet(out, flat[i]!, flat[i + 1]!)
  }
  return out
}

/** An entry of a dict display in strict mode, where every key may stand once. */
export function dictEntry(d: object, k: Value, v: Value): void {
  const size = dictSize(d)
  dictSet(d, k, v)
  if (dictSize(d) === size) throw guestError('ValueError', said`duplicate key: ${quoted(k)}`, { code: 'duplicate-key' })
}

/** The names and values of a dict argument of a call: `f(**x)`. */
export function starNamed(x: Value): readonly Value[] {
  const flat = python ? mappingEntries(x) : isDict(x) ? dictFlat(x) : undefined
  if (flat === undefined) throw guestError('TypeError', said`argument after ** must be a mapping, not ${typeOf(x)}`)
  for (let i = 0; i < flat.length; i += 2) {
    if (typeof flat[i] !== 'string') {
      throw guestError(
        'TypeError',
        python ? 'keywords must be strings' : said`keywords must be strings, not ${typeOf(flat[i]!)}`,
      )
    }
  }
  return flat
}

/** Keys and values alternating of what `x.items()` gives. */
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

/** A bound of range(), as a number a loop can count to. */
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

/** The failure of reading a variable without a value; a `free` one belongs to a function around. */
export function unassigned(name: string, kind: 'global' | 'free' | 'local'): never {
  if (strict) {
    const owner = kind === 'global' ? 'global' : 'local'
    throw guestError('NameError', said`${owner} variable ${asName(name)} referenced before assignment`, {
      code: 'unassigned-name',
    })
  }
  const hint =
    kind === 'global'
      ? said`assign ${asName(name)} before this line runs`
      : said`assign ${asName(name)} on every path before this line`
  const extras = { code: 'unassigned-name', hint }
  const nowhere = 'where it is not associated with a value'
  if (kind === 'global') throw guestError('NameError', said`name ${inQuotes(name)} is not defined`, extras)
  if (kind === 'free') {
    throw guestError(
      'NameError',
      said`cannot access free variable ${inQuotes(name)} ${nowhere} in enclosing scope`,
      extras,
    )
  }
  throw guestError('UnboundLocalError', said`cannot access local variable ${inQuotes(name)} ${nowhere}`, extras)
}

export function percentD(x: Value): string {
  return ((x as number) | 0) === x ? `${x as number}` : formatPercent('%d', [TUPLE, x])
}

// Calls with few arguments without an array.

export function call0(f: Value): Value {
  return isCallable(f) && f.sig.n === 0 ? (f as unknown as Native)() : call(f, [])
}

export function call1(f: Value, a: Value): Value {
  return isCallable(f) && f.sig.n === 1 ? (f as unknown as Native)(a) : call(f, [a])
}

export function call2(f: Value, a: Value, b: Value): Value {
  return isCallable(f) && f.sig.n === 2 ? (f as unknown as Native)(a, b) : call(f, [a, b])
}

export function call3(f: Value, a: Value, b: Value, c: Value): Value {
  return isCallable(f) && f.sig.n === 3 ? (f as unknown as Native)(a, b, c) : call(f, [a, b, c])
}

/** Marks a function as being called, where recursion is off. */
export function beginCall(sig: Signature): void {
  if (sig.active === true) {
    throw guestError('RuntimeError', said`function ${asName(sig.name)} called recursively`, {
      code: 'recursion',
      hint: 'use a loop: recursion is switched off',
    })
  }
  sig.active = true
}
