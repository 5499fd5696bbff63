// `with`: entering and leaving what an object guards.
// Invariant: what was entered is left exactly once, however the block ends; a limit leaves nothing, because nothing of the program runs after it.

import { attributeOrAbsent } from './attributes.js'
import { errorClass } from './classes.js'
import { GuestError } from './errors.js'
import { truth } from './operators.js'
import { call } from './signature.js'
import { typeName, type Value } from './values.js'

export interface Context {
  /** What `as` binds. */
  readonly value: Value
  readonly exit: Value
}

/** `with x`: enters it. */
export function enterContext(x: Value, awaited?: (x: Value) => Value): Context {
  const [enterName, exitName] =
    awaited !== undefined && attributeOrAbsent(x, '__aenter__') !== undefined
      ? ['__aenter__', '__aexit__']
      : ['__enter__', '__exit__']
  const enter = attributeOrAbsent(x, enterName!)
  const exit = attributeOrAbsent(x, exitName!)
  if (enter === undefined || exit === undefined) {
    throw new GuestError('TypeError', `'${typeName(x)}' object does not support the context manager protocol`)
  }
  const value = call(enter, [])
  return { value: awaited === undefined ? value : awaited(value), exit }
}

/** Leaves it after a block that did not fail. */
export function leaveContext(context: Context, awaited?: (x: Value) => Value): void {
  const answer = call(context.exit, [null, null, null])
  awaited?.(answer)
}

/** Leaves it after a failure; true when the failure is over with that. */
export function leaveFailed(context: Context, e: unknown, awaited?: (x: Value) => Value): boolean {
  if (!(e instanceof GuestError)) return false
  const answer = call(context.exit, [errorClass(e).$value, e, null])
  return truth(awaited === undefined ? answer : awaited(answer))
}
