// The built-in types and exceptions under their names, as class values (Python): `type(x) is dict`, `str.upper`,
// `except ValueError`.

import { builtin, type Callable } from '../calls/signature.js'
import { descriptorBuiltins } from '../classes/descriptors.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { NOT_IMPLEMENTED } from '../classes/instances.js'
import { builtinClass, registerClass } from '../classes/known-classes.js'
import { sliceBuiltin } from '../operators/slices.js'
import { moduleExceptions, ownError } from '../values/errors.js'
import { ELLIPSIS, type Value } from '../values/values.js'
import { classBuiltins } from './class-builtins.js'

const typeNames =
  'bool int float str bytes bytearray list tuple dict set frozenset range enumerate zip map filter reversed'.split(' ')

/** The names of the default dialect alone: types as classes, and exceptions. */
export function pythonTypes(functions: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  for (const name of typeNames) {
    const f = functions[name]
    if (f !== undefined) builtinClass(name, f as Callable)
  }
  registerClass('slice', sliceBuiltin as Callable)
  const exit = (name: string): Value =>
    builtin(name, 'code=, /', (code) => {
      const e = ownError('SystemExit', code === undefined ? [] : [code])
      throw e
    })
  const exceptions = Object.fromEntries(
    Object.entries(exceptionClasses).filter(([name]) => !moduleExceptions.has(name)),
  )
  return {
    ...classBuiltins,
    ...descriptorBuiltins,
    ...exceptions,
    slice: sliceBuiltin,
    exit: exit('exit'),
    quit: exit('quit'),
    NotImplemented: NOT_IMPLEMENTED,
    Ellipsis: ELLIPSIS,
    __name__: '__main__',
  }
}
