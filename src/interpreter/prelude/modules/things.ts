// Objects of modules that consist of attributes: locks, executors, streams.

import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { nameClass, type Value } from '../values/values.js'

export class Thing {
  readonly $type: string
  readonly $parts: Record<string, Value>
  /** The attributes that programs may set. */
  readonly $open: readonly string[]
  constructor(type: string, parts: Readonly<Record<string, Value>>, open: readonly string[] = []) {
    this.$type = type
    this.$parts = parts
    this.$open = open
  }
}

const protocol: Protocol = {
  getAttribute: (x, name) => {
    const parts = (x as Thing).$parts
    return Object.hasOwn(parts, name) ? parts[name] : undefined
  },
  lacks: (x, name) => !Object.hasOwn((x as Thing).$parts, name),
  setAttribute: (x, name, value) => {
    const thing = x as Thing
    if (!thing.$open.includes(name)) return false
    thing.$parts[name] = value
    return true
  },
  attributeNames: (x) => Object.keys((x as Thing).$parts),
  truth: () => true,
  repr: (x) => `<${(x as Thing).$type} object>`,
}
Object.defineProperty(Thing.prototype, PROTOCOL, { value: protocol })
nameClass(
  (x) => x instanceof Thing,
  (x) => (x as Thing).$type,
)
