// A module: a value with attributes and nothing else.

import { python } from '../values/mode.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { nameClass, type Value } from '../values/values.js'

export class Module {
  readonly $name: string
  readonly $members: Readonly<Record<string, Value>>
  constructor(name: string, members: Readonly<Record<string, Value>>) {
    this.$name = name
    this.$members = members
  }
}

const protocol: Protocol = {
  getAttribute: (x, name) => {
    const m = x as Module
    return Object.hasOwn(m.$members, name) ? m.$members[name] : python && name === '__name__' ? m.$name : undefined
  },
  attributeNames: (x) => Object.keys((x as Module).$members),
  truth: () => true,
  repr: (x) => (python ? `<module '${(x as Module).$name}' (built-in)>` : `<module "${(x as Module).$name}">`),
}
Object.defineProperty(Module.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Module, 'module')

export function module(name: string, members: Readonly<Record<string, Value>>): Module {
  return new Module(name, members)
}
