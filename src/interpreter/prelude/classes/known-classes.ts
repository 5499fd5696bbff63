// The built-in classes (`object`, `type`, the built-in types, the exceptions), and the class of any value.
// Invariant: there is one class for each name.

import { builtin, type Callable } from '../calls/signature.js'
import { exceptionBases, GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, said } from '../values/said.js'
import { rememberedText } from '../values/tool-data.js'
import { TUPLE, type Tuple, typeName, type Value } from '../values/values.js'
import { attachClass, Class, classIn, classOfObject, inheritsFrom, newInstance } from './classes.js'
import { classCallable } from './construct.js'

const named = new Map<string, Class>()

/** The built-in types by name, with their bases besides `object`. */
const typeBases: Readonly<Record<string, string>> = {
  bool: 'int',
  Counter: 'dict',
  defaultdict: 'dict',
  OrderedDict: 'dict',
  datetime: 'date',
  timezone: 'tzinfo',
}

/** The built-in type of this name, with the callable `f`. Without `f`, a class that can't be called yet. */
export function builtinClass(name: string, f?: Callable): Class {
  const known = named.get(name)
  if (known !== undefined) {
    // Other types may already inherit from it.
    if (f !== undefined) attachClass(f, known)
    return known
  }
  const cls = new Class(name, 'builtin', name === 'object' ? [] : [builtinClass(typeBases[name] ?? 'object')])
  named.set(name, cls)
  attachClass(f ?? uncallable(name), cls)
  return cls
}

/** Registers the constructor of a kind of values, so that `type(x)` finds it. */
export function registerClass(name: string, f: Callable): Class {
  const cls = new Class(name, 'builtin', [builtinClass('object')])
  named.set(name, cls)
  attachClass(f, cls)
  return cls
}

function uncallable(name: string): Callable {
  return builtin(name, '*args, **kwargs', () => {
    throw guestError('TypeError', said`cannot create '${asName(name)}' instances`)
  })
}

export const objectClass: Class = builtinClass(
  'object',
  builtin('object', '', () => newInstance(objectClass)),
)

export const typeClass: Class = builtinClass(
  'type',
  builtin('type', '*args', (args) => {
    const given = args as Tuple
    if (given.length !== 2) {
      throw guestError('TypeError', 'type() takes 1 argument here: classes cannot be made while the program runs', {
        hint: 'write a class statement',
      })
    }
    return classOf(given[1]!).$value
  }),
)

const exceptions: Record<string, Class> = Object.create(null)

/** The class of a built-in exception. */
export function exceptionClass(kind: string): Class {
  const known = exceptions[kind]
  if (known !== undefined) return known
  const base = exceptionBases[kind]
  const cls = new Class(kind, 'exception', [base === null || base === undefined ? objectClass : exceptionClass(base)])
  exceptions[kind] = cls
  attachClass(classCallable(cls), cls)
  return cls
}

export function errorClass(e: GuestError): Class {
  return (e.$class as Class | undefined) ?? exceptionClass(e.kind)
}

/** The type name of the commonest values, found by quick tests. Undefined for all others. */
function plainType(x: Value): string | undefined {
  switch (typeof x) {
    case 'string':
      return python ? 'str' : 'string'
    case 'number':
      return x % 1 === 0 ? 'int' : 'float'
    case 'boolean':
      return 'bool'
    case 'object': {
      if (x === null) return 'NoneType'
      const kind = x.constructor
      if (kind === Map || kind === Object) return protocolOf(x) === undefined ? 'dict' : undefined
      if (kind !== Array || protocolOf(x) !== undefined) return undefined
      return (x as Value[])[0] === TUPLE ? 'tuple' : 'list'
    }
    default:
      return undefined
  }
}

/** The class of any value. */
export function classOf(x: Value): Class {
  const plain = plainType(x)
  if (plain !== undefined) return builtinClass(plain)
  if (x instanceof GuestError) return errorClass(x)
  if (classIn(x) !== undefined) return typeClass
  return classOfObject(x) ?? builtinClass(typeName(x))
}

/**
 * The classes with which `isinstance` can compare the result of `plainType`: a plain value belongs to one of them only,
 * except that a bool is an int.
 */
const PLAIN_TYPES: ReadonlySet<string> = new Set(['str', 'int', 'float', 'bool', 'list', 'tuple', 'dict'])

export function isInstanceOf(x: Value, cls: Class): boolean {
  if (cls.$kind === 'builtin' && PLAIN_TYPES.has(cls.$name)) {
    const plain = plainType(x)
    if (plain === cls.$name) return true
    if (plain !== undefined && cls.$name !== 'str') return plain === 'bool' && cls.$name === 'int'
  }
  if (cls.$has !== undefined ? cls.$has(x) : inheritsFrom(classOf(x), cls)) return true
  return cls.$name === 'str' && cls.$kind === 'builtin' && rememberedText(x) !== undefined
}
