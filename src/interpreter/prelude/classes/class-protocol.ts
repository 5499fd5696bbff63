// The protocol of classes as values: attributes, `cls | other`, text. Invariant: only classes of the program can be
// changed.

import { bindFunction, callBound } from '../calls/bound-functions.js'
import { typeMember } from '../calls/method-tables.js'
import { builtin, type Callable, call, isCallable } from '../calls/signature.js'
import { guestError } from '../values/errors.js'
import type { Protocol } from '../values/protocol.js'
import { asName, inQuotes, said } from '../values/said.js'
import { tuple, type Value } from '../values/values.js'
import { canBeBase } from './built-in-bases.js'
import {
  type Class,
  classIn,
  classProtocol,
  descriptorMethod,
  type Members,
  removeMember,
  setMember,
} from './classes.js'
import { ClassMethod, StaticMethod } from './descriptors.js'
import { generic, united } from './generic-types.js'
import { settleClass } from './instances.js'
import { typeClass } from './known-classes.js'

// The protocol is complete for those who import it from this file.
export { classProtocol }

/** Types without type parameters. `int[0]` means nothing. */
const NOT_GENERIC: ReadonlySet<string> = new Set(['bool', 'bytes', 'float', 'int', 'object', 'range', 'str'])

const asValue: Protocol = {
  getAttribute: (x, name) => classAttribute(classIn(x)!, name),
  lacks: (x, name) => classIn(x)!.$members[name] === undefined && classAttribute(classIn(x)!, name) === undefined,
  setAttribute(x, name, value) {
    const cls = classIn(x)!
    if (cls.$kind !== 'program') {
      throw guestError(
        'TypeError',
        said`cannot set ${inQuotes(name)} attribute of immutable type '${asName(cls.$name)}'`,
      )
    }
    setMember(cls, name, value)
    if (name.startsWith('__')) settleClass(cls)
    return true
  },
  deleteAttribute: (x, name) => removeMember(classIn(x)!, name),
  attributeNames: (x) => namesIn(classIn(x)!.$members),
  callMethod(x, name, args, given) {
    const cls = classIn(x)!
    const member = cls.$members[name]
    return member instanceof ClassMethod && isCallable(member.$function)
      ? callBound(member.$function, cls.$value, args, given)
      : undefined
  },
  equals(x, other) {
    if (typeof other !== 'string') return undefined
    const { $name, $kind } = classIn(x)!
    return $kind === 'builtin' && (other === $name || (other === 'string' && $name === 'str'))
  },
  binary: (operator, x, other, reflected) =>
    operator === '|' ? united(reflected ? other : x, reflected ? x : other) : undefined,
  getItem(x, index) {
    if (NOT_GENERIC.has(classIn(x)!.$name) && classIn(x)!.$kind === 'builtin') return undefined
    const own = classIn(x)!.$members.__class_getitem__
    if (own !== undefined) return call(memberOfClass(classIn(x)!, own), [index])
    return generic(x, index)
  },
  truth: () => true,
  repr: (x) => {
    const cls = classIn(x)!
    const home = moduleOf(cls)
    return `<class '${home === 'builtins' ? '' : `${home}.`}${cls.$name}'>`
  },
}

Object.assign(classProtocol, asValue)

/** The module in which CPython has the class. */
function moduleOf(cls: Class): string {
  if (Object.hasOwn(cls.$extras, 'module')) return cls.$extras.module as string
  return cls.$kind === 'program' ? '__main__' : 'builtins'
}

/** The members of a built-in type, including its special methods. Undefined for types that have none. */
export function specialMembersOf(cls: Class): Members | undefined {
  return cls.$kind === 'builtin' && canBeBase(cls) ? cls.$members : undefined
}

function classAttribute(cls: Class, name: string): Value | undefined {
  if (cls.$kind === 'builtin' && name.startsWith('__')) canBeBase(cls)
  const member = cls.$members[name]
  if (member !== undefined) return memberOfClass(cls, member)
  for (const c of cls.$order) {
    if (c.$kind !== 'builtin') continue
    const found = typeMember(c.$name, name)
    if (found !== undefined) return found
  }
  switch (name) {
    case '__name__':
      return ownName(cls)
    case '__qualname__':
      return cls.$value.sig.qualified?.replace(/\.__init__$/, '') ?? ownName(cls)
    case '__module__':
      return moduleOf(cls)
    case '__doc__':
      return null
    case '__mro__':
      return tuple(cls.$order.map((c) => c.$value))
    case '__bases__':
      return tuple(cls.$bases.map((c) => c.$value))
    case '__base__':
      return cls.$bases[0]?.$value ?? null
    case '__subclasses__':
      // `__subclasses__` lists only the program's own classes, because the program can't see others.
      if (cls.$kind === 'builtin') return undefined
      return builtin('__subclasses__', '', () => cls.$subclasses.map((c) => c.$value))
    case '__class__':
      return typeClass.$value
    case '__dict__':
      return Object.assign({}, cls.$members)
    case 'mro':
      return builtin('mro', '', () => cls.$order.map((c) => c.$value))
    default:
      return undefined
  }
}

/** The name of a class, with its module if it has one. */
function ownName(cls: Class): string {
  return cls.$kind === 'builtin' ? cls.$name.slice(cls.$name.lastIndexOf('.') + 1) : cls.$name
}

export function memberOfClass(cls: Class, member: Value): Value {
  if (member instanceof StaticMethod) return member.$function
  if (member instanceof ClassMethod) return bindFunction(member.$function as Callable, cls.$value)
  const get = descriptorMethod(member, '__get__')
  if (get !== undefined) return callBound(get, member, [null, cls.$value])
  return member
}

function namesIn(members: Members): string[] {
  const names: string[] = []
  for (const name in members) if (!names.includes(name)) names.push(name)
  return names
}
