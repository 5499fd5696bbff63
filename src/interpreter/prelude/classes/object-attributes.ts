// Attribute access on objects: fields, class members and properties.
// Invariant: a property precedes a field of the same name, and a field precedes every other member.

import { bindFunction, callBound } from '../calls/bound-functions.js'
import { builtin, type Callable, call } from '../calls/signature.js'
import { dictGet, dictSet } from '../containers/dict.js'
import { type GuestError, guestError, ownError } from '../values/errors.js'
import { protocolOf } from '../values/protocol.js'
import { asName, inQuotes, said } from '../values/said.js'
import { type RecordDict, typeOf, type Value } from '../values/values.js'
import {
  asMethod,
  binds,
  type Class,
  classIn,
  descriptorMethod,
  Instance,
  inheritsFrom,
  newInstance,
  OPEN,
} from './classes.js'
import { ClassMethod, Property, StaticMethod } from './descriptors.js'
import { classOf, exceptionClass, objectClass } from './known-classes.js'

/** The value of `x.name` for a member of `cls`. */
export function memberFor(x: Value, cls: Class, member: Value): Value {
  if (typeof member === 'function') return binds(member) ? bindFunction(member, x) : member
  if (member instanceof Property) return propertyValue(member, x)
  if (member instanceof StaticMethod) return member.$function
  if (member instanceof ClassMethod) return bindFunction(member.$function as Callable, cls.$value)
  const own = descriptorMethod(member, '__get__')
  if (own !== undefined) return callBound(own, member, [x, cls.$value])
  const get = protocolOf(member)?.bindTo
  return get === undefined ? member : get(member as object, x)
}

function propertyValue(p: Property, x: Value): Value {
  if (p.$get === null) throw guestError('AttributeError', 'unreadable attribute')
  const value = call(p.$get, [x])
  if (p.$kept) fieldsOf(x)[p.$name] = value
  return value
}

/** The record of an object's fields. */
export function fieldsOf(x: Value): RecordDict {
  if (x instanceof Instance) return x.$fields
  return ((x as GuestError).attributes ??= {}) as RecordDict
}

/** `x.name` for an object of a class; undefined if there is no such attribute. */
export function objectAttribute(x: Value, cls: Class, fields: RecordDict, name: string): Value | undefined {
  const member = cls.$members[name]
  if (member instanceof Property && !member.$kept) return propertyValue(member, x)
  if (descriptorMethod(member, '__set__') !== undefined) return memberFor(x, cls, member!)
  const field = dictGet(fields, name)
  if (field !== undefined) return field
  if (member !== undefined) return memberFor(x, cls, member)
  switch (name) {
    case '__class__':
      return cls.$value
    case '__dict__':
      if (cls.$extras.slots !== undefined) break
      // The program may turn the dict into another kind of dict, so generated code may no longer set fields directly.
      if (x instanceof Instance) x[OPEN] = undefined
      return fields
    case '__doc__':
      return null
    case '__module__':
      return '__main__'
    default:
      break
  }
  const fallback = cls.$members.__getattr__
  return fallback === undefined ? undefined : callBound(fallback as Callable, x, [name])
}

/** `x.name = value` for an object of a class. */
export function setObjectAttribute(x: Value, cls: Class, name: string, value: Value): void {
  const custom = cls.$members.__setattr__
  if (custom !== undefined && custom !== objectClass.$members.__setattr__) {
    callBound(custom as Callable, x, [name, value])
    return
  }
  setField(x, cls, name, value)
}

function setField(x: Value, cls: Class, name: string, value: Value): void {
  const member = cls.$members[name]
  if (member instanceof Property && !member.$kept) {
    if (member.$set === null)
      throw guestError(
        'AttributeError',
        said`property ${inQuotes(name)} of '${asName(cls.$name)}' object has no setter`,
      )
    call(member.$set, [x, value])
    return
  }
  const own = descriptorMethod(member, '__set__')
  if (own !== undefined) callBound(own, member!, [x, value])
  else {
    allowField(cls, name, member)
    dictSet(fieldsOf(x), name, value)
  }
}

/** Fails if the class has `__slots__` and they do not allow a field of this name. */
function allowField(cls: Class, name: string, member: Value | undefined): void {
  const slots = cls.$extras.slots as ReadonlySet<string> | undefined
  if (slots === undefined || slots.has(name)) return
  throw guestError(
    'AttributeError',
    member === undefined
      ? said`'${asName(cls.$name)}' object has no attribute ${inQuotes(name)}`
      : said`'${asName(cls.$name)}' object attribute ${inQuotes(name)} is read-only`,
  )
}

function deleteField(x: Value, cls: Class, name: string): void {
  const member = cls.$members[name]
  if (member instanceof Property && !member.$kept) {
    if (member.$delete === null)
      throw guestError(
        'AttributeError',
        said`property ${inQuotes(name)} of '${asName(cls.$name)}' object has no deleter`,
      )
    call(member.$delete, [x])
    return
  }
  const own = descriptorMethod(member, '__delete__')
  if (own !== undefined) {
    callBound(own, member!, [x])
    return
  }
  const fields = fieldsOf(x)
  if (dictGet(fields, name) === undefined)
    throw guestError('AttributeError', said`'${asName(cls.$name)}' object has no attribute ${inQuotes(name)}`)
  delete fields[name]
}

Object.assign(objectClass.$members, {
  __init__: asMethod(builtin('__init__', 'self, /, *args, **kwargs', () => null)),
  __new__: builtin('__new__', 'cls, /, *args, **kwargs', (cls) => {
    const c = classIn(cls!)
    if (c === undefined)
      throw guestError('TypeError', said`object.__new__(X): X is not a type object (${typeOf(cls!)})`)
    if (!inheritsFrom(c, exceptionClass('BaseException'))) return newInstance(c)
    const e = ownError(c.$name, [])
    e.$class = c
    return e
  }),
  __init_subclass__: new ClassMethod(asMethod(builtin('__init_subclass__', 'cls, /', () => null))),
  __setattr__: asMethod(
    builtin('__setattr__', 'self, name, value, /', (x, name, value) => {
      setField(x!, classOf(x!), name as string, value!)
      return null
    }),
  ),
  __delattr__: asMethod(
    builtin('__delattr__', 'self, name, /', (x, name) => {
      deleteField(x!, classOf(x!), name as string)
      return null
    }),
  ),
})
