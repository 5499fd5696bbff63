// What `cls(…)` does: it makes an object and calls `__init__`. Knows nothing of attributes. Invariant: the callable of a class takes what
// its `__init__` takes without the object, and goes there directly where nothing else has to be done.

import { callBound, withoutFirst } from '../calls/bound-functions.js'
import { callNamed, define, isCallable, type Native, type Signature } from '../calls/signature.js'
import { guestError, ownError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import type { Value } from '../values/values.js'
import { anyArguments, type Class, constructBy, newInstance, OPEN } from './classes.js'
import { StaticMethod } from './descriptors.js'
import { exceptionClass, inheritsFrom, isInstanceOf, objectClass } from './known-classes.js'

/** `cls(…)`. */
export function construct(cls: Class, args: readonly Value[], given: readonly Value[] | undefined): Value {
  if (cls.$make !== undefined) return cls.$make(args, given)
  const make = cls.$members.__new__
  if (make !== undefined && make !== objectClass.$members.__new__) {
    const x = callNamed(make instanceof StaticMethod ? make.$function : make, [cls.$value, ...args], given)
    if (isInstanceOf(x, cls)) initialise(cls, x, args, given)
    return x
  }
  if (inheritsFrom(cls, exceptionClass('BaseException'))) {
    const e = ownError(cls.$name, args)
    e.context = undefined
    if (cls.$kind === 'program') e.$class = cls
    initialise(cls, e, args, given)
    return e
  }
  const x = newInstance(cls)
  initialise(cls, x, args, given)
  return x
}

function initialise(cls: Class, x: Value, args: readonly Value[], given: readonly Value[] | undefined): void {
  const init = cls.$members.__init__
  if (isCallable(init!)) {
    if (
      init.sig.builtin &&
      cls.$kind === 'program' &&
      init === objectClass.$members.__init__ &&
      (args.length > 0 || given !== undefined)
    ) {
      throw guestError('TypeError', said`${asName(cls.$name)}() takes no arguments`)
    }
    callBound(init, x, args, given)
  }
}

/** The most arguments that the callable hands on as they are. */
const MOST_DIRECT = 8

/** Fits the callable of a class to its `__init__`: the arguments of a call are those of the method, without the object. */
export function fitCallable(cls: Class): void {
  const init = cls.$members.__init__
  const usual =
    cls.$members.__new__ === objectClass.$members.__new__ &&
    cls.$make === undefined &&
    !inheritsFrom(cls, exceptionClass('BaseException'))
  const slots = (f: Signature): number => f.parameters.length + (f.argsSlot >= 0 ? 1 : 0) + (f.kwargsSlot >= 0 ? 1 : 0)
  if (
    usual &&
    isCallable(init!) &&
    !init.sig.builtin &&
    init.sig.positional > 0 &&
    slots(init.sig) <= MOST_DIRECT + 1
  ) {
    cls.$init = init as unknown as Native
    const qualified = init.sig.qualified ?? `${cls.$name}.__init__`
    define(cls.$value, {
      ...withoutFirst(init.sig),
      name: cls.$name,
      qualified,
      unbound: { ...init.sig, qualified },
    })
  } else {
    cls.$init = undefined
    define(cls.$value, { ...anyArguments, name: cls.$name, builtin: false })
  }
  const watches = cls.$members.__setattr__ !== objectClass.$members.__setattr__ || cls.$extras.slots !== undefined
  Object.assign(cls.$prototype, { [OPEN]: watches ? undefined : cls.$members })
}

constructBy(construct)
