// The builtins that ask about classes: `object`, `type`, `isinstance`, `issubclass`, `vars` and `super`. Knows their parameters; what they answer is
// found out elsewhere. Invariant: `super` without arguments, which a class statement fills in, ends here in an error.

import { classIn, Instance } from './classes.js'
import { guestError } from './errors.js'
import { objectClass, typeClass } from './known-classes.js'
import { objectAttribute } from './object-attributes.js'
import { builtin } from './signature.js'
import { superOf } from './super.js'
import { isInstance, isSubclass } from './type-tests.js'
import type { Value } from './values.js'

export const classBuiltins: Readonly<Record<string, Value>> = {
  object: objectClass.$value,
  type: typeClass.$value,
  isinstance: builtin('isinstance', 'object, classinfo, /', (x, type) => isInstance(x!, type!)),
  issubclass: builtin('issubclass', 'cls, classinfo, /', (x, type) => isSubclass(x!, type!)),
  vars: builtin('vars', 'object, /', (x) => {
    if (x instanceof Instance) return objectAttribute(x, x.$class, x.$fields, '__dict__')!
    throw guestError('TypeError', 'vars() argument must have __dict__ attribute')
  }),
  super: builtin('super', 'type=, object=, /', (type, x) => {
    const cls = type === undefined ? undefined : classIn(type)
    if (cls === undefined || x === undefined)
      throw guestError('RuntimeError', 'super(): no arguments', { hint: 'call it inside a method of a class' })
    return superOf(cls, x)
  }),
}
