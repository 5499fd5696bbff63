// What modules with immutable values share: registering a kind as a class, and declaring its attributes and methods.

import { boundMethod, method } from '../calls/method-tables.js'
import { builtin, type Callable, type Native } from '../calls/signature.js'
import { attachClass, Class } from '../classes/classes.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { nameClass, type Value } from '../values/values.js'

export interface Kind<T> {
  readonly name: string
  /** The name of the type in messages: `datetime.date`. */
  readonly type: string
  /** JavaScript's class of the values. */
  readonly of: abstract new (
    ...args: never[]
  ) => T
  readonly base: Class
  readonly parameters: string
  readonly make: Native
  readonly attributes: Readonly<Record<string, (x: T) => Value>>
  readonly protocol: Protocol
}

export interface Registered<T> {
  readonly cls: Class
  readonly value: Callable
  method(name: string, parameters: string, fn: (x: T, ...args: (Value | undefined)[]) => Value): void
  /** Adds a function or value to the class itself. */
  onClass(name: string, value: Value): void
}

/** Registers a kind. A derived kind must be registered after the one from which it is derived. */
export function register<T extends object>(kind: Kind<T>): Registered<T> {
  const { name, type, of, attributes, protocol } = kind
  const value = builtin(name, kind.parameters, kind.make)
  const cls = new Class(name, 'builtin', [kind.base])
  attachClass(value, cls)
  if (type.includes('.')) cls.$extras.module = type.slice(0, type.lastIndexOf('.'))
  nameClass((x) => x.constructor === of, type)
  Object.defineProperty(of.prototype, PROTOCOL, {
    value: {
      classValue: () => cls.$value,
      getAttribute(x, attribute) {
        const own = attributes[attribute]
        if (own !== undefined && Object.hasOwn(attributes, attribute)) return own(x as T)
        return boundMethod(x, attribute) ?? cls.$members[attribute]
      },
      attributeNames: () => Object.keys(attributes),
      ...protocol,
    } satisfies Protocol,
  })
  return {
    cls,
    value,
    method(methodName, parameters, fn) {
      method(type, of.prototype, methodName, parameters, function (this: T, ...args: (Value | undefined)[]) {
        return fn(this, ...args)
      } as never)
    },
    onClass(memberName, member) {
      cls.$members[memberName] = member
    },
  }
}

/** The result of a comparison operator, from a negative, zero or positive difference. */
export function answer(difference: number, operator: string): boolean {
  switch (operator) {
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
    case '>':
      return difference > 0
    default:
      return difference >= 0
  }
}
