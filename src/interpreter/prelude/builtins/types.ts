// Questions about types. In strict mode a type is the string that names it.

import { builtin, isCallable } from '../calls/signature.js'
import type { Value } from '../values/values.js'
import { nameClass, typeName } from '../values/values.js'

nameClass((x) => isCallable(x) && x.sig.builtin, 'builtin_function_or_method')

/** Every function here, by name. */
export const typeBuiltins: Readonly<Record<string, Value>> = {
  type: builtin('type', 'x, /', (x) => typeName(x!)),
}
