// What objects of the program's classes can do, read from the special methods of their class: operators, comparison, iteration, text, hashing.
// Invariant: a class's protocol has a part only where the class has the method for it, so that operators see what an object can't do.

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
import { isInt, nameClass, type RecordDict, toNumber, typeOf, type Value } from '../values/values.js'
import { type Class, classIn, Instance } from './classes.js'
import { fitCallable } from './construct.js'
import { errorClass } from './known-classes.js'
import { fieldsOf, objectAttribute, setObjectAttribute } from './object-attributes.js'

/** `NotImplemented`: a special method's answer for operands it does not know. */
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

/** `x.__name__(…)`; undefined when the class has no such method or does not know the operands. */
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

/** The protocol of the objects of `cls`. */
export function instanceProtocol(cls: Class): Protocol {
  const has = (name: string): boolean => {
    const m = cls.$members[name]
    return m !== undefined && m !== null
  }
  const p: Mutable<Protocol> = {
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
    normalKey: (x) => keyOf(cls, x as Instance),
    truth: has('__bool__')
      ? (x) => truth(special(cls, x, '__bool__', []) ?? true)
      : has('__len__')
        ? (x) => lengthOf(cls, x) > 0
        : () => true,
    repr: has('__repr__') ? (x) => textOf(cls, x, '__repr__') : () => `<__main__.${cls.$name} object>`,
    binary: (operator, x, other, reflected) =>
      special(
        cls,
        x,
        `__${reflected ? 'r' : ''}${operatorNames[operator]!}__`,
        operator === 'round' ? (other === null ? [] : [other]) : [other],
      ),
    unary: (operator, x) => {
      const name = unaryNames[operator]
      return name === undefined
        ? undefined
        : (special(cls, x, name, []) ??
            (operator === 'int' || operator === 'float' ? special(cls, x, '__index__', []) : undefined))
    },
  }
  if (has('__str__')) p.str = (x) => textOf(cls, x, '__str__')
  if (has('__format__')) p.format = (x, spec) => special(cls, x, '__format__', [spec]) as string
  if (has('__eq__')) {
    p.equals = (x, other) => {
      const answer = special(cls, x, '__eq__', [other])
      return answer === undefined ? undefined : truth(answer)
    }
  }
  if (Object.values(orderNames).some(has)) {
    p.order = (x, other, operator) => {
      const answer = special(cls, x, orderNames[operator]!, [other])
      return answer === undefined ? undefined : truth(answer)
    }
  }
  if (has('__hash__')) p.hash = (x) => special(cls, x, '__hash__', [])
  if (has('__len__')) p.length = (x) => lengthOf(cls, x)
  if (has('__contains__')) p.contains = (x, element) => truth(special(cls, x, '__contains__', [element]) ?? false)
  if (has('__getitem__')) p.getItem = (x, i) => special(cls, x, '__getitem__', [i])
  if (has('__setitem__')) p.setItem = (x, i, value) => special(cls, x, '__setitem__', [i, value]) !== undefined
  if (has('__delitem__')) p.deleteItem = (x, i) => special(cls, x, '__delitem__', [i]) !== undefined
  if (has('__next__')) p.next = (x) => nextOf(cls, x)
  if (has('__iter__')) p.iterate = (x) => iteratorOf(cls, x)
  else if (has('__getitem__')) p.iterate = (x) => byIndex(cls, x)
  if (p.iterate !== undefined || p.next !== undefined) p.items = allOf
  if (has('__call__')) p.call = (x, args, named) => callBound(cls.$members.__call__ as Callable, x, args, named)
  const more = cls.$extras.protocol as Partial<Protocol> | undefined
  // Whoever finds attributes elsewhere, too, is asked for them.
  if (more?.getAttribute !== undefined) delete p.lacks
  return more === undefined ? p : { ...p, ...more }
}

/** `a op= b` for an object that changes itself; undefined where it does not. */
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

/** Fits everything to the members of a class: to be called when it is complete, and when it gets a special method. */
export function settleClass(cls: Class): void {
  Object.defineProperty(cls.$prototype, PROTOCOL, { value: instanceProtocol(cls), configurable: true })
  fitCallable(cls)
}

// ---- hashing ---------------------------------------------------------------------------------------------------

/** Objects that were used as keys, by their hash: equal ones share the first of them. */
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
  const h = key(special(cls, x, '__hash__', []) ?? null)
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
