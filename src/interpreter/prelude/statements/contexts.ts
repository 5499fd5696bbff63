// `with`: enters and leaves contexts. Invariant: a context that was entered is left exactly once, however the block
// ends. The exception is a limit, after which no code of the program runs.

import { call } from '../calls/signature.js'
import { attributeOrAbsent } from '../classes/attributes.js'
import { errorClass } from '../classes/known-classes.js'
import { GuestError, guestError } from '../values/errors.js'
import { said } from '../values/said.js'
import { typeOf, type Value } from '../values/values.js'

interface Context {
  /** The value that `as` binds. */
  value: Value
  readonly exit: Value
}

/** Enters the context of `with x`. For `async with` the value must still be awaited. */
export function enterContext(x: Value, isAsync = false): Context {
  const [enterName, exitName] =
    isAsync && attributeOrAbsent(x, '__aenter__') !== undefined
      ? ['__aenter__', '__aexit__']
      : ['__enter__', '__exit__']
  const enter = attributeOrAbsent(x, enterName!)
  const exit = attributeOrAbsent(x, exitName!)
  if (enter === undefined || exit === undefined) {
    throw guestError('TypeError', said`'${typeOf(x)}' object does not support the context manager protocol`)
  }
  return { value: call(enter, []), exit }
}

/** Leaves the context after a block that did not fail. */
export function leaveContext(context: Context): Value {
  return call(context.exit, [null, null, null])
}

/** Leaves the context after a failure. Returns true if the context swallows the failure. */
export function leaveFailed(context: Context, e: unknown): Value {
  return e instanceof GuestError ? call(context.exit, [errorClass(e).$value, e, null]) : false
}
