// `super()`: the members that follow a class in the order of an object's class. Invariant: the order is that of the
// object's class, even in a method from one of several bases.

import { callBound } from '../calls/bound-functions.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { nameClass, type Value } from '../values/values.js'
import { memberOfClass } from './class-protocol.js'
import { binds, type Class, classIn } from './classes.js'
import { classOf } from './known-classes.js'
import { memberFor } from './object-attributes.js'

/** `super()` in a method of `cls` for the object or class `x`. */
export class Super {
  readonly $class: Class
  readonly $object: Value
  constructor(cls: Class, x: Value) {
    this.$class = cls
    this.$object = x
  }
}

export function superOf(cls: Class, x: Value): Value {
  return new Super(cls, x)
}

function memberBehind(s: Super, name: string): { readonly member: Value; readonly cls: Class } | undefined {
  const own = classIn(s.$object) ?? classOf(s.$object)
  const order = own.$order
  for (let i = order.indexOf(s.$class) + 1; i < order.length; i++) {
    const members = order[i]!.$members
    if (Object.hasOwn(members, name)) return { member: members[name]!, cls: own }
  }
  return undefined
}

const superProtocol: Protocol = {
  getAttribute(x, name) {
    const s = x as Super
    const found = memberBehind(s, name)
    if (found === undefined) return undefined
    if (name === '__new__') return found.member
    const onClass = classIn(s.$object)
    return onClass === undefined ? memberFor(s.$object, found.cls, found.member) : memberOfClass(onClass, found.member)
  },
  callMethod(x, name, args, given) {
    const s = x as Super
    const found = memberBehind(s, name)
    return found !== undefined && binds(found.member) && classIn(s.$object) === undefined
      ? callBound(found.member, s.$object, args, given)
      : undefined
  },
  attributeNames: () => [],
  repr: (x) => `<super: ${(x as Super).$class.$name}>`,
}

Object.defineProperty(Super.prototype, PROTOCOL, { value: superProtocol })

nameClass((x) => x instanceof Super, 'super')
