// Calls of generated code: calls with few arguments, which need no array, calls with `**`, and methods of None.

import { call, isCallable, type Native, type Signature } from '../calls/signature.js'
import { mappingEntries } from '../classes/mappings.js'
import { dictFlat } from '../containers/dict.js'
import { guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { asName, said } from '../values/said.js'
import { isDict, nameClass, typeOf, type Value } from '../values/values.js'

/** Replaces None as the receiver of a method call, so that the failure is the guest's own. */
class NoneReceiver {}
export const NONE: object = new NoneReceiver()
nameClass((x) => x instanceof NoneReceiver, 'NoneType')

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

/** Marks a function as being called. Used where recursion is off. */
export function beginCall(sig: Signature): void {
  if (sig.active === true) {
    throw guestError('RuntimeError', said`function ${asName(sig.name)} called recursively`, {
      code: 'recursion',
      hint: 'use a loop: recursion is switched off',
    })
  }
  sig.active = true
}
