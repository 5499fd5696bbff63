// Members of a class body other than plain functions and values: properties, static methods and class methods.

import { builtin, callNamed } from '../calls/signature.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { nameClass, type Value } from '../values/values.js'

export class Property {
  readonly $get: Value | null
  readonly $set: Value | null
  readonly $delete: Value | null
  /** True if the value is computed once and then stored in the object. */
  readonly $kept: boolean
  /** The name under which it is stored. */
  $name: string
  constructor(get: Value | null, set: Value | null, remove: Value | null, kept = false) {
    this.$get = get
    this.$set = set
    this.$delete = remove
    this.$kept = kept
    this.$name = ''
  }
}

const change: Record<string, (p: Property, f: Value) => Property> = {
  getter: (p, f) => new Property(f, p.$set, p.$delete),
  setter: (p, f) => new Property(p.$get, f, p.$delete),
  deleter: (p, f) => new Property(p.$get, p.$set, f),
}

const propertyProtocol: Protocol = {
  getAttribute(x, name) {
    const p = x as Property
    if (name === 'fget') return p.$get
    if (name === 'fset') return p.$set
    const changed = change[name]
    return changed === undefined ? undefined : builtin(name, 'function, /', (f) => changed(p, f!))
  },
  truth: () => true,
  repr: () => '<property object>',
}
Object.defineProperty(Property.prototype, PROTOCOL, { value: propertyProtocol })
nameClass((x) => x instanceof Property, 'property')

export class StaticMethod {
  readonly $function: Value
  constructor(f: Value) {
    this.$function = f
  }
}

export class ClassMethod {
  readonly $function: Value
  constructor(f: Value) {
    this.$function = f
  }
}

function wrapperProtocol(name: string): Protocol {
  return {
    getAttribute: (x, wanted) => (wanted === '__func__' ? (x as StaticMethod).$function : undefined),
    call: (x, args, named) => callNamed((x as StaticMethod).$function, args, named),
    truth: () => true,
    repr: () => `<${name} object>`,
  }
}

Object.defineProperty(StaticMethod.prototype, PROTOCOL, { value: wrapperProtocol('staticmethod') })
Object.defineProperty(ClassMethod.prototype, PROTOCOL, { value: wrapperProtocol('classmethod') })
nameClass((x) => x instanceof StaticMethod, 'staticmethod')
nameClass((x) => x instanceof ClassMethod, 'classmethod')

/** The builtins that create descriptors. */
export const descriptorBuiltins: Readonly<Record<string, Value>> = {
  property: builtin(
    'property',
    'fget=, fset=, fdel=, doc=',
    (get, set, remove) => new Property(get ?? null, set ?? null, remove ?? null),
  ),
  staticmethod: builtin('staticmethod', 'function, /', (f) => new StaticMethod(f!)),
  classmethod: builtin('classmethod', 'function, /', (f) => new ClassMethod(f!)),
}
