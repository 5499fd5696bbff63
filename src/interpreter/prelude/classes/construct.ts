// Implements `cls(…)`: creates an object and calls `__init__`.
// Invariant: the callable of a class takes the parameters of `__init__` without the object, and calls it directly if
// nothing else is necessary.

import { callBound, withoutFirst } from '../calls/bound-functions.js'
import {
  type Callable,
  callNamed,
  define,
  isCallable,
  type Native,
  parseSignature,
  type Signature,
} from '../calls/signature.js'
import { guestError, ownError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import type { Tuple, Value } from '../values/values.js'
import { type Class, classOfObject, inheritsFrom, isException, newInstance, OPEN, rootOf } from './classes.js'
import { StaticMethod } from './descriptors.js'

/** `cls(…)`. */
function construct(cls: Class, args: readonly Value[], given: readonly Value[] | undefined): Value {
  if (cls.$make !== undefined) return cls.$make(args, given)
  const make = cls.$members.__new__
  if (make !== undefined && make !== rootOf(cls).$members.__new__) {
    const x = callNamed(make instanceof StaticMethod ? make.$function : make, [cls.$value, ...args], given)
    const own = classOfObject(x)
    if (own !== undefined && inheritsFrom(own, cls)) initialise(cls, x, args, given)
    return x
  }
  if (isException(cls)) {
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
      init === rootOf(cls).$members.__init__ &&
      cls.$members.__new__ === rootOf(cls).$members.__new__ &&
      (args.length > 0 || given !== undefined)
    ) {
      throw guestError('TypeError', said`${asName(cls.$name)}() takes no arguments`)
    }
    callBound(init, x, args, given)
  }
}

const anyArguments = parseSignature('', '*args, **kwargs')

/** The callable that creates objects of a class. `fitCallable` gives it the signature of `__init__`. */
export function classCallable(cls: Class): Callable {
  // Absent arguments are `undefined` for a method of the program too, so it does not matter if more are passed than
  // were given.
  const f = (a?: Value, b?: Value, c?: Value, d?: Value, e?: Value, g?: Value, h?: Value, i?: Value): Value => {
    const init = cls.$init
    if (init === undefined) {
      const given = b as Map<string, Value>
      return construct(cls, (a as Tuple).slice(1), given.size === 0 ? undefined : [...given].flat())
    }
    const x = new cls.$maker()
    init(x, a, b, c, d, e, g, h, i)
    return x
  }
  return define(f as object, { ...anyArguments, name: cls.$name, builtin: cls.$kind !== 'program' })
}

/** The maximum number of arguments that the callable passes on unchanged. */
const MOST_DIRECT = 8

/** Fits the callable of a class to `__init__`: the arguments of a call are those of the method, without the object. */
export function fitCallable(cls: Class): void {
  const init = cls.$members.__init__
  const usual = cls.$members.__new__ === rootOf(cls).$members.__new__ && cls.$make === undefined && !isException(cls)
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
  const watches = cls.$members.__setattr__ !== rootOf(cls).$members.__setattr__ || cls.$extras.slots !== undefined
  Object.assign(cls.$prototype, { [OPEN]: watches ? undefined : cls.$members })
}
