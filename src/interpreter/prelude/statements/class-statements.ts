// Class statements of generated code. A class is begun with its bases, so that methods can refer to it in `super()`,
// and finished with the bindings of the body. The `$extras` of the base finish special kinds of classes (enums, named
// tuples).

import { callBound } from '../calls/bound-functions.js'
import { isCallable } from '../calls/signature.js'
import { canBeBase, takeAfterBases } from '../classes/built-in-bases.js'
import { attachClass, Class, classIn, descriptorMethod, setMember } from '../classes/classes.js'
import { classCallable } from '../classes/construct.js'
import { ClassMethod, Property, StaticMethod } from '../classes/descriptors.js'
import { originOf } from '../classes/generic-types.js'
import { settleClass } from '../classes/instances.js'
import { objectClass } from '../classes/known-classes.js'
import { asksOperators } from '../classes/tuple-class.js'
import { items } from '../containers/iterate.js'
import { guestError } from '../values/errors.js'
import { protocolOf } from '../values/protocol.js'
import { asName, joined, said } from '../values/said.js'
import { typeOf, type Value } from '../values/values.js'

export interface ClassBody {
  readonly names: readonly string[]
  readonly values: readonly (Value | undefined)[]
  /** The annotated names in order, without class variables. */
  readonly annotated: readonly string[]
  /** The docstring, if the program reads docstrings. */
  readonly doc?: string
}

/** Begins a class. `given` has the keyword arguments of the statement, alternating names and values. */
export function beginClass(name: string, bases: readonly Value[], given: readonly Value[]): Class {
  const classes: Class[] = []
  for (const b of bases.map(originOf)) {
    const cls = classIn(b)
    // Bases for type checkers, like Generic[T], contribute nothing.
    if (cls === undefined && protocolOf(b)?.isTypingOnly?.(b as object) === true) continue
    if (cls === undefined) throw guestError('TypeError', said`cannot inherit from a value of type '${typeOf(b)}'`)
    if (cls === objectClass && bases.length > 1) continue
    if (
      cls.$kind === 'builtin' &&
      cls !== objectClass &&
      cls.$extras.inheritable !== true &&
      !(cls.$kind === 'builtin' && canBeBase(cls)) &&
      !bases.some((o) => classIn(originOf(o))?.$extras.finish !== undefined)
    ) {
      throw guestError('TypeError', said`type '${asName(cls.$name)}' is not an acceptable base type`)
    }
    classes.push(cls)
  }
  // The base that makes a special kind of class comes first: `class Color(str, Enum)`.
  classes.sort((a, b) => Number(b.$extras.finish !== undefined) - Number(a.$extras.finish !== undefined))
  const cls = new Class(name, 'program', classes.length === 0 ? [objectClass] : classes)
  takeAfterBases(cls)
  const named = given.indexOf('metaclass')
  if (named >= 0 && named % 2 === 0) cls.$extras.abstract = true
  cls.$extras.given = named < 0 ? given : [...given.slice(0, named), ...given.slice(named + 2)]
  attachClass(classCallable(cls), cls)
  return cls
}

/** Methods that are class methods even without a decorator. */
const HOOKS = new Set(['__init_subclass__', '__class_getitem__'])

/** Finishes a class with the members of its body. */
export function finishClass(cls: Class, body: ClassBody): Value {
  asksOperators(cls, body.names)
  body.names.forEach((name, i) => {
    const value = body.values[i]
    if (value === undefined) return
    if (value instanceof Property && value.$name === '') value.$name = name
    setMember(cls, name, HOOKS.has(name) && !(value instanceof ClassMethod) ? new ClassMethod(value) : value)
  })
  if (Object.hasOwn(cls.$members, '__eq__') && !Object.hasOwn(cls.$members, '__hash__'))
    setMember(cls, '__hash__', null)
  if (hashesItself(cls)) cls.$extras.hashKey = undefined
  cls.$extras.annotated = body.annotated
  if (body.doc !== undefined) setMember(cls, '__doc__', body.doc)
  else if (cls.$members.__doc__ !== undefined) setMember(cls, '__doc__', null)
  cls.$extras.slots = slotsOf(cls)
  settleClass(cls)
  const finish = cls.$extras.finish as ((cls: Class, body: ClassBody) => Value | undefined) | undefined
  const other = finish?.(cls, body)
  forbidAbstract(cls)
  announce(cls)
  return other ?? cls.$value
}

/**
 * The names of all fields, if the class and all its bases have `__slots__`. Undefined if objects can have any field.
 */
function slotsOf(cls: Class): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const c of cls.$order) {
    if (c === objectClass) continue
    const own = Object.hasOwn(c.$members, '__slots__') ? c.$members.__slots__! : undefined
    if (own === undefined) return undefined
    for (const name of typeof own === 'string' ? [own] : items(own)) names.add(name as string)
  }
  return names.has('__dict__') ? undefined : names
}

/** True if the program defines how objects of a class hash. Otherwise the type from which they inherit does. */
function hashesItself(cls: Class): boolean {
  const hash = cls.$members.__hash__
  return hash === null || (hash !== undefined && isCallable(hash) && !hash.sig.builtin)
}

/** Calls `__set_name__` and `__init_subclass__`. */
function announce(cls: Class): void {
  for (const [name, member] of Object.entries(cls.$members)) {
    const named = descriptorMethod(member, '__set_name__')
    if (named !== undefined) callBound(named, member, [cls.$value, name])
  }
  if (cls.$extras.finish !== undefined) return
  const given = cls.$extras.given as readonly Value[]
  const hook = cls.$bases[0]!.$members.__init_subclass__
  const f = hook instanceof ClassMethod ? hook.$function : undefined
  if (f !== undefined && isCallable(f) && (!f.sig.builtin || given.length > 0)) callBound(f, cls.$value, [], given)
}

function forbidAbstract(cls: Class): void {
  if (!cls.$order.some((c) => c.$extras.abstract === true)) return
  const names = abstractNames(cls)
  if (names.length === 0) return
  cls.$make = () => {
    throw guestError(
      'TypeError',
      said`Can't instantiate abstract class ${asName(cls.$name)} with abstract method${names.length === 1 ? '' : 's'} ${joined(names.map(asName), ', ')}`,
    )
  }
  settleClass(cls)
}

function abstractNames(cls: Class): string[] {
  const names: string[] = []
  for (const name in cls.$members) {
    const m = cls.$members[name]
    const f = m instanceof Property ? m.$get : m instanceof ClassMethod || m instanceof StaticMethod ? m.$function : m
    if (f !== null && f !== undefined && (f as { $abstract?: boolean }).$abstract === true) names.push(name)
  }
  return names.sort()
}
