// Classes that inherit from built-in types: `class Stack(list)`. Their objects hold a value of the type as their
// content. The members defined here work on it: the type's methods, and the special methods that operators use. So an
// override in the program's class comes first, and `super().append(x)` reaches the type's own method. A type gets its
// members when the first class inherits from it.
// Invariant: every member accepts both a plain value of the type and an object that holds one.

import { callBound } from '../calls/bound-functions.js'
import { asDigits } from '../calls/expect.js'
import { boundMethodOf, methodNames, notApplying } from '../calls/method-tables.js'
import { builtin, type Callable, call, callNamed } from '../calls/signature.js'
import { dictGet } from '../containers/dict.js'
import { hash } from '../containers/hashing.js'
import { length } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { rounded } from '../numbers/rounding.js'
import { add, floorDiv, mod, mul, negate, positive, power, sub, trueDiv } from '../operators/arithmetic.js'
import { bitAnd, bitOr, bitXor, invert, shiftLeft, shiftRight } from '../operators/bits.js'
import { equal, greater, greaterEqual, less, lessEqual } from '../operators/comparison.js'
import { addInPlace, andInPlace, mulInPlace, orInPlace, subInPlace, xorInPlace } from '../operators/in-place.js'
import { Iterator, stepper } from '../operators/iterators.js'
import { contains, truth } from '../operators/membership.js'
import { Slice } from '../operators/slices.js'
import { deleteIndex, deleteSlice, index, setIndex, setSlice } from '../operators/subscript.js'
import { formatValue } from '../text/format-spec.js'
import { repr, str } from '../text/repr.js'
import { contentOf, setContent } from '../values/contents.js'
import { isDict, isInt, TUPLE, type Tuple, unbool, type Value } from '../values/values.js'
import { asMethod, type Class, Instance, setMember } from './classes.js'
import { Property } from './descriptors.js'
import { NOT_IMPLEMENTED } from './instances.js'
import { builtinClass, isInstanceOf } from './known-classes.js'

/** Immutable types. The content of their objects is set when the object is created. */
const constant = ['str', 'int', 'float', 'bytes', 'tuple', 'frozenset']
const changing = ['dict', 'list', 'set', 'Counter', 'defaultdict', 'OrderedDict', 'deque']
const dicts = ['dict', 'Counter', 'defaultdict', 'OrderedDict']

/** True if classes can inherit from a built-in type. The type then gets its members. */
export function canBeBase(cls: Class): boolean {
  if (!constant.includes(cls.$name) && !changing.includes(cls.$name)) return false
  if (!Object.hasOwn(cls.$extras, 'isBase')) {
    cls.$extras.isBase = true
    if (cls.$bases[0] !== undefined) canBeBase(cls.$bases[0])
    giveMembers(cls)
  }
  return true
}

/** Gives the objects of a class the JSON form and the keys of their content. */
export function takeAfterBases(cls: Class): void {
  for (const c of cls.$order) {
    for (const name of ['protocol', 'hashKey']) {
      if (cls.$extras[name] === undefined && Object.hasOwn(c.$extras, name)) cls.$extras[name] = c.$extras[name]
    }
  }
}

/** The type whose value an object holds: the first built-in type in the order of its class. */
function typeOf(x: Instance): Class | undefined {
  return x.$class.$order.find((c) => c.$kind === 'builtin' && Object.hasOwn(c.$extras, 'isBase'))
}

/** The value of the built-in type: the content of an object, or the value itself. */
function content(x: Value): Value {
  const held = contentOf(x)
  const type = held === undefined && x instanceof Instance ? typeOf(x) : undefined
  if (held !== undefined || type === undefined) return held ?? x
  const made = call(type.$value, [])
  setContent(x as Instance, made)
  return made
}

function plain(x: Value): Value {
  return contentOf(x) ?? x
}

// ---- members ---------------------------------------------------------------------------------------------------

type Member = (self: Value, a: Value, b: Value) => Value

function giveMembers(cls: Class): void {
  const type = cls.$name
  const special = (name: string, parameters: string, f: Member): void =>
    setMember(
      cls,
      name,
      asMethod(builtin(name, `self, ${parameters === '' ? '' : `${parameters}, `}/`, (self, a, b) => f(self!, a!, b!))),
    )
  giveMaking(cls)
  giveMethods(cls)
  giveTexts(cls, special)
  special('__eq__', 'other', (x, other) => (differs(x, other, cls) ? NOT_IMPLEMENTED : equal(content(x), plain(other))))
  if (type !== 'int' && type !== 'float') giveElements(type, special)
  for (const [name, f] of Object.entries(operators[type] ?? {})) giveOperator(cls, name, f, special)
  for (const [name, f] of Object.entries(inPlace[type] ?? {})) {
    special(`__i${name}__`, 'other', (x, other) => {
      f(content(x), plain(other))
      return x
    })
  }
  const orders = dicts.includes(type) || type === 'deque' ? {} : comparisons
  for (const [name, f] of Object.entries(orders)) {
    special(name, 'other', (x, other) =>
      isForeign(other) || differs(x, other, cls) ? NOT_IMPLEMENTED : f(content(x), plain(other)),
    )
  }
  if (type === 'int' || type === 'float') giveConversions(special, cls)
  if (constant.includes(type)) {
    cls.$extras.hashKey = (x: Instance) => key(content(x))
    special('__hash__', '', (x) => hash(content(x)))
  } else setMember(cls, '__hash__', null)
  cls.$extras.protocol = { jsonForm: content }
}

function giveMaking(cls: Class): void {
  const anything = 'self, /, *args, **kwargs'
  if (constant.includes(cls.$name)) {
    setMember(
      cls,
      '__new__',
      builtin('__new__', 'cls, /, *args, **kwargs', (own, args, named) => {
        const x = call(objectNew(cls), [own!]) as object
        setContent(x, callNamed(cls.$value, (args as Tuple).slice(1), [...(named as Map<Value, Value>)].flat()))
        return x
      }),
    )
    setMember(cls, '__init__', asMethod(builtin('__init__', anything, () => null)))
    return
  }
  setMember(
    cls,
    '__init__',
    asMethod(
      builtin('__init__', anything, (self, args, named) => {
        const made = callNamed(cls.$value, (args as Tuple).slice(1), [...(named as Map<Value, Value>)].flat())
        if (self instanceof Instance) setContent(self, made)
        return null
      }),
    ),
  )
}

function objectNew(cls: Class): Value {
  return cls.$order.at(-1)!.$members.__new__!
}

function giveMethods(cls: Class): void {
  const registered = dicts.includes(cls.$name) ? [cls.$name, 'dict'] : [cls.$name]
  for (const type of registered) {
    for (const name of methodNames(type)) {
      if (Object.hasOwn(cls.$members, name)) continue
      const f = builtin(name, 'self, /, *args, **kwargs', (self, args, named) => {
        const own = content(self!)
        if (!isInstanceOf(own, cls)) throw notApplying(cls.$name, name, self!)
        const method = boundMethodOf(type, own, name)!
        return callNamed(method, (args as Tuple).slice(1), [...(named as Map<Value, Value>)].flat())
      })
      setMember(cls, name, asMethod(f))
    }
  }
}

/** Types whose `repr` shows the name of the class. */
const named = ['set', 'frozenset', 'Counter', 'defaultdict', 'OrderedDict', 'deque']

function giveTexts(cls: Class, special: (name: string, parameters: string, f: Member) => void): void {
  special('__repr__', '', (x) => {
    const text = repr(content(x))
    if (!named.includes(cls.$name) || !(x instanceof Instance)) return text
    const own = x.$class.$name
    if (text.startsWith('{')) return `${own}(${text})`
    return own + text.slice(text.indexOf('('))
  })
  if (cls.$name === 'str') special('__str__', '', (x) => content(x))
  special('__format__', 'spec', (x, spec) => {
    const custom = x instanceof Instance ? x.$class.$members.__str__ : undefined
    const shown = custom === undefined || cls.$name !== 'str' ? content(x) : str(x)
    return spec === '' ? str(x) : formatValue(shown, spec as string)
  })
}

function giveElements(type: string, special: (name: string, parameters: string, f: Member) => void): void {
  special('__len__', '', (x) => length(content(x)))
  special('__iter__', '', (x) => new Iterator('iterator', stepper(content(x))))
  special('__contains__', 'item', (x, e) => contains(content(x), e))
  if (type === 'set' || type === 'frozenset') return
  special('__getitem__', 'key', (x, k) => {
    const missing = x instanceof Instance ? x.$class.$members.__missing__ : undefined
    const c = content(x)
    return missing !== undefined && isDict(c) && dictGet(c, k) === undefined
      ? callBound(missing as Callable, x, [k])
      : index(c, k)
  })
  if (constant.includes(type)) return
  special('__setitem__', 'key, value', (x, k, v) => {
    if (k instanceof Slice) setSlice(content(x), k.$start, k.$stop, k.$step, v)
    else setIndex(content(x), k, v)
    return null
  })
  special('__delitem__', 'key', (x, k) => {
    if (k instanceof Slice) deleteSlice(content(x), k.$start, k.$stop, k.$step)
    else deleteIndex(content(x), k)
    return null
  })
}

const isForeign = (other: Value): boolean => other instanceof Instance && contentOf(other) === undefined

/**
 * True if a special method that is called by name must return NotImplemented, because the other operand has another
 * type: `(1).__add__(0.5)`.
 */
function differs(x: Value, other: Value, cls: Class): boolean {
  if (x instanceof Instance || !['int', 'float', 'str', 'bytes', 'list', 'tuple', 'dict', 'set'].includes(cls.$name))
    return false
  const isWhole = cls.$name === 'float' && isInt(unbool(plain(other)))
  return !isWhole && !isInstanceOf(other, cls) && !(cls.$name === 'set' && plain(other) instanceof Set)
}

function giveOperator(
  cls: Class,
  name: string,
  f: (a: Value, b: Value) => Value,
  special: (name: string, parameters: string, f: Member) => void,
): void {
  const isNumber = cls.$name === 'int' || cls.$name === 'float'
  const declines = (x: Value, other: Value): boolean =>
    isForeign(other) ? isNumber || (x instanceof Instance && name !== 'mul') : isNumber && differs(x, other, cls)
  special(`__${name}__`, 'other', (x, other) => (declines(x, other) ? NOT_IMPLEMENTED : f(content(x), plain(other))))
  special(`__r${name}__`, 'other', (x, other) => (declines(x, other) ? NOT_IMPLEMENTED : f(plain(other), content(x))))
}

function giveConversions(special: (name: string, parameters: string, f: Member) => void, cls: Class): void {
  special('__bool__', '', (x) => truth(content(x)))
  special('__neg__', '', (x) => negate(content(x)))
  special('__pos__', '', (x) => positive(content(x)))
  special('__abs__', '', (x) => (less(content(x), 0) ? negate(content(x)) : content(x)))
  special('__float__', '', (x) => call(builtinClass('float').$value, [content(x)]))
  special('__round__', 'ndigits=', (x, digits) => rounded(content(x), asDigits(digits))!)
  giveOperator(cls, 'divmod', (a, b) => [TUPLE, floorDiv(a, b), mod(a, b)], special)
  special('__int__', '', (x) => call(builtinClass('int').$value, [content(x)]))
  for (const [name, get] of Object.entries(parts))
    setMember(
      cls,
      name,
      new Property(
        builtin(name, 'self, /', (x) => get(content(x!))),
        null,
        null,
      ),
    )
  if (cls.$name === 'float') return
  setMember(cls, 'numerator', cls.$members.real!)
  setMember(
    cls,
    'denominator',
    new Property(
      builtin('denominator', 'self, /', () => 1),
      null,
      null,
    ),
  )
  special('__index__', '', content)
  special('__invert__', '', (x) => invert(content(x)))
}

/** The attributes of numbers that are not methods. */
const parts: Readonly<Record<string, (x: Value) => Value>> = {
  real: positive,
  imag: (x) => sub(x, x),
}

const comparisons: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
  __lt__: less,
  __le__: lessEqual,
  __gt__: greater,
  __ge__: greaterEqual,
}

const numeric: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
  add,
  sub,
  mul,
  truediv: trueDiv,
  floordiv: floorDiv,
  mod,
  pow: power,
}
/** Methods that change a value in place. */
const inPlace: Readonly<Record<string, Readonly<Record<string, (a: Value, b: Value) => Value>>>> = {
  list: { add: addInPlace, mul: mulInPlace },
  dict: { or: orInPlace },
  set: { or: orInPlace, and: andInPlace, sub: subInPlace, xor: xorInPlace },
}

const united = { or: bitOr }
const sets = { or: bitOr, and: bitAnd, sub, xor: bitXor }
const operators: Readonly<Record<string, Readonly<Record<string, (a: Value, b: Value) => Value>>>> = {
  int: { ...numeric, and: bitAnd, or: bitOr, xor: bitXor, lshift: shiftLeft, rshift: shiftRight },
  float: numeric,
  str: { add, mul, mod },
  bytes: { add, mul },
  list: { add, mul },
  tuple: { add, mul },
  deque: { add },
  dict: united,
  Counter: { ...united, and: bitAnd, add, sub },
  defaultdict: united,
  OrderedDict: united,
  set: sets,
  frozenset: sets,
}
