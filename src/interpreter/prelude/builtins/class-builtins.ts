// The builtins about classes: `object`, `type`, `isinstance`, `issubclass`, `vars` and `super`. Generated code passes
// the arguments of a bare `super()`. Without them it is an error here.

import { builtin } from '../calls/signature.js'
import { attribute } from '../classes/attributes.js'
import { classIn, Instance } from '../classes/classes.js'
import { objectClass, typeClass } from '../classes/known-classes.js'
import { objectAttribute } from '../classes/object-attributes.js'
import { superOf } from '../classes/super.js'
import { isInstance, isSubclass } from '../classes/type-tests.js'
import { guestError } from '../values/errors.js'
import type { Value } from '../values/values.js'

export const classBuiltins: Readonly<Record<string, Value>> = {
  object: objectClass.$value,
  type: typeClass.$value,
  isinstance: builtin('isinstance', 'object, classinfo, /', (x, type) => isInstance(x!, type!)),
  issubclass: builtin('issubclass', 'cls, classinfo, /', (x, type) => isSubclass(x!, type!)),
  vars: builtin('vars', 'object, /', (x) => {
    if (x instanceof Instance) return objectAttribute(x, x.$class, x.$fields, '__dict__')!
    if (classIn(x!) !== undefined) return attribute(x!, '__dict__')
    throw guestError('TypeError', 'vars() argument must have __dict__ attribute')
  }),
  super: builtin('super', 'type=, object=, /', (type, x) => {
    const cls = type === undefined ? undefined : classIn(type)
    if (cls === undefined || x === undefined)
      throw guestError('RuntimeError', 'super(): no arguments', { hint: 'call it inside a method of a class' })
    return superOf(cls, x)
  }),
}
