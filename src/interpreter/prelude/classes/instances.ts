// The protocol of the program's objects, from the special methods of their class: operators, comparison, iteration,
// text, hashing. Invariant: a protocol has a part only if the class has the method for it, so operators recognise a
// missing one.

import { callBound } from '../calls/bound-functions.js'
import { type Callable, isCallable } from '../calls/signature.js'
import { dictGet } from '../containers/dict.js'
import { key } from '../containers/keys.js'
import { equal } from '../operators/comparison.js'
import { allOf, Iterator } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { GuestError, guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import { asName, said } from '../values/said.js'
import { isInt, nameClass, type RecordDict, toNumber, typeOf, unbool, type Value } from '../values/values.js'
import { type Class, classIn, Instance } from './classes.js'
import { fitCallable } from './construct.js'
import { errorClass } from './known-classes.js'
import { fieldsOf, objectAttribute, setObjectAttribute } from './object-attributes.js'

/** `NotImplemented`: the result of a special method for operands that it does not know. */
class NotImplementedType {}
export const NOT_IMPLEMENTED: object = new NotImplementedType()
Object.defineProperty(NotImplementedType.prototype, PROTOCOL, {
  value: { repr: () => 'NotImplemented', truth: () => true } satisfies Protocol,
})
nameClass((x) => x === NOT_IMPLEMENTED, 'NotImplementedType')

const operatorNames: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'truediv',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '@': 'matmul',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'lshift',
  '>>': 'rshift',
  divmod: 'divmod',
  round: 'round',
}
const unaryNames: Readonly<Record<string, string>> = {
  '-': '__neg__',
  '+': '__pos__',
  '~': '__invert__',
  int: '__int__',
  float: '__float__',
  abs: '__abs__',
  index: '__index__',
  floor: '__floor__',
  ceil: '__ceil__',
  trunc: '__trunc__',
}
const orderNames: Readonly<Record<string, string>> = { '<': '__lt__', '<=': '__le__', '>': '__gt__', '>=': '__ge__' }

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** `x.__name__(…)`. Undefined if the class has no such method or the method does not know the operands. */
export function special(cls: Class, x: object, name: string, args: readonly Value[]): Value | undefined {
  const f = cls.$members[name]
  if (!isCallable(f!)) return undefined
  const answer = callBound(f, x, args)
  return answer === NOT_IMPLEMENTED ? undefined : answer
}

function textOf(cls: Class, x: object, name: string): string {
  const text = special(cls, x, name, [])
  if (typeof text !== 'string')
    throw guestError('TypeError', said`${asName(name)} returned non-string (type ${typeOf(text ?? null)})`)
  return text
}

/** The parts of the protocol that each special method adds. */
const partsOf: Readonly<Record<string, (cls: Class) => Protocol>> = {
  __str__: (cls) => ({ str: (x) => textOf(cls, x, '__str__') }),
  __repr__: (cls) => ({ repr: (x) => textOf(cls, x, '__repr__') }),
  __format__: (cls) => ({ format: (x, spec) => special(cls, x, '__format__', [spec]) as string }),
  __eq__: (cls) => ({ equals: (x, other) => told(special(cls, x, '__eq__', [other])) }),
  __lt__: ordered,
  __le__: ordered,
  __gt__: ordered,
  __ge__: ordered,
  __hash__: (cls) => ({ hash: (x) => hashOf(cls, x) }),
  __len__: (cls) => ({ length: (x) => lengthOf(cls, x), truth: (x) => lengthOf(cls, x) > 0 }),
  __bool__: (cls) => ({ truth: (x) => truth(special(cls, x, '__bool__', []) ?? true) }),
  __contains__: (cls) => ({
    contains: (x, element) => truth(special(cls, x, '__contains__', [element]) ?? false),
  }),
  __getitem__: (cls) => ({
    getItem: (x, i) => special(cls, x, '__getitem__', [i]),
    iterate: (x) => byIndex(cls, x),
    items: allOf,
  }),
  __setitem__: (cls) => ({ setItem: (x, i, value) => special(cls, x, '__setitem__', [i, value]) !== undefined }),
  __delitem__: (cls) => ({ deleteItem: (x, i) => special(cls, x, '__delitem__', [i]) !== undefined }),
  __next__: (cls) => ({ next: (x) => nextOf(cls, x), items: allOf }),
  __iter__: (cls) => ({ iterate: (x) => iteratorOf(cls, x), items: allOf }),
  __call__: (cls) => ({ call: (x, args, named) => callBound(cls.$members.__call__ as Callable, x, args, named) }),
}

function ordered(cls: Class): Protocol {
  return { order: (x, other, operator) => told(special(cls, x, orderNames[operator]!, [other])) }
}

/** The truth value of a result, if there is one. */
function told(answer: Value | undefined): boolean | undefined {
  return answer === undefined ? undefined : truth(answer)
}

/** The protocol of the objects of `cls`. */
function instanceProtocol(cls: Class): Protocol {
  const p: Mutable<Protocol> = {
    ...attributesOf(cls),
    ...operatorsOf(cls),
    normalKey: (x) => keyOf(cls, x as Instance),
  }
  for (const [name, part] of Object.entries(partsOf)) {
    const member = cls.$members[name]
    if (member !== undefined && member !== null) Object.assign(p, part(cls))
  }
  const more = cls.$extras.protocol as Partial<Protocol> | undefined
  // If the class defines `__getattr__` or the like, only running it shows whether an attribute exists.
  if (more?.getAttribute !== undefined) delete p.lacks
  return more === undefined ? p : { ...p, ...more }
}

function attributesOf(cls: Class): Protocol {
  return {
    getAttribute: (x, name) => objectAttribute(x, cls, fieldsOf(x), name),
    lacks: (x, name) =>
      cls.$members[name] === undefined &&
      cls.$members.__getattr__ === undefined &&
      dictGet(fieldsOf(x), name) === undefined &&
      !name.startsWith('__'),
    setAttribute: (x, name, value) => {
      setObjectAttribute(x, cls, name, value)
      return true
    },
    deleteAttribute: (x, name) => {
      callBound(cls.$members.__delattr__ as Callable, x, [name])
      return true
    },
    callMethod: (x, name, args, named) => {
      const f = cls.$members[name]
      if (typeof f !== 'function' || classIn(f) !== undefined || !isCallable(f) || f.sig.builtin || '$self' in f)
        return undefined
      if ((fieldsOf(x) as RecordDict)[name] !== undefined) return undefined
      return callBound(f, x, args, named)
    },
    attributeNames: (x) => [...Object.keys(fieldsOf(x)), ...namesOf(cls)],
    truth: () => true,
    repr: () => `<__main__.${cls.$name} object>`,
  }
}

function operatorsOf(cls: Class): Protocol {
  return {
    binary: (operator, x, other, reflected) =>
      special(
        cls,
        x,
        `__${reflected ? 'r' : ''}${operatorNames[operator]!}__`,
        operator === 'round' && other === null ? [] : [other],
      ),
    unary: (operator, x) => {
      const name = unaryNames[operator]
      if (name === undefined) return undefined
      const own = special(cls, x, name, [])
      return own ?? (operator === 'int' || operator === 'float' ? special(cls, x, '__index__', []) : undefined)
    },
  }
}

/** `a op= b` for an object that changes in place. Undefined if it does not. */
export function changeInPlace(operator: string, a: Value, b: Value): Value | undefined {
  return a instanceof Instance ? special(a.$class, a, `__i${operatorNames[operator]!}__`, [b]) : undefined
}

function namesOf(cls: Class): string[] {
  const names: string[] = []
  for (const name in cls.$members) names.push(name)
  return names
}

function lengthOf(cls: Class, x: object): number {
  const n = special(cls, x, '__len__', [])
  if (n === undefined || !isInt(n))
    throw guestError('TypeError', said`'${typeOf(n ?? null)}' object cannot be interpreted as an integer`)
  const length = toNumber(n)
  if (length < 0) throw guestError('ValueError', '__len__() should return >= 0')
  return length
}

export function isKind(e: unknown, kind: string): boolean {
  return e instanceof GuestError && errorClass(e).$order.some((c) => c.$name === kind && c.$kind === 'exception')
}

function nextOf(cls: Class, x: object): Value | undefined {
  try {
    return special(cls, x, '__next__', [])
  } catch (e) {
    if (isKind(e, 'StopIteration')) return undefined
    throw e
  }
}

function iteratorOf(cls: Class, x: object): Value {
  const it = special(cls, x, '__iter__', []) ?? null
  if (it === x || it instanceof Iterator || protocolOf(it)?.next !== undefined) return it
  throw guestError('TypeError', said`iter() returned non-iterator of type '${typeOf(it)}'`, {
    hint: 'return iter(…) of the list',
  })
}

function byIndex(cls: Class, x: object): Value {
  let i = 0
  return new Iterator('iterator', () => {
    try {
      return special(cls, x, '__getitem__', [i++])
    } catch (e) {
      if (isKind(e, 'IndexError') || isKind(e, 'StopIteration')) return undefined
      throw e
    }
  })
}

nameClass(
  (x) => x instanceof Instance,
  (x) => (x as Instance).$class.$name,
)

/**
 * Adapts the protocol to the members of a class. Called when the class is complete, and when it gets a special method.
 */
export function settleClass(cls: Class): void {
  Object.defineProperty(cls.$prototype, PROTOCOL, { value: instanceProtocol(cls), configurable: true })
  fitCallable(cls)
}

// ---- hashing ---------------------------------------------------------------------------------------------------

function hashOf(cls: Class, x: object): Value {
  const h = unbool(special(cls, x, '__hash__', []) ?? null)
  if (!isInt(h)) throw guestError('TypeError', '__hash__ method should return an integer')
  return h
}

/** Objects that were used as keys, by their hash. The first of equal objects is the key of all. */
const hashed = new Map<Value, Instance[]>()

function keyOf(cls: Class, x: Instance): Value | undefined {
  const own = cls.$extras.hashKey as ((x: Instance) => Value) | undefined
  if (own !== undefined) return own(x)
  const hash = cls.$members.__hash__
  if (hash === null || (hash === undefined && cls.$members.__eq__ !== undefined)) {
    throw guestError('TypeError', said`unhashable type: '${asName(cls.$name)}'`, {
      hint: 'use a tuple of its fields as the key',
    })
  }
  if (hash === undefined) return undefined
  const h = key(hashOf(cls, x))
  let same = hashed.get(h)
  if (same === undefined) {
    same = []
    hashed.set(h, same)
  }
  const found = same.find((y) => y === x || equal(y, x))
  if (found !== undefined) return found
  same.push(x)
  return x
}
