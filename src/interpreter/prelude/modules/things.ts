// Objects of modules that are nothing but their attributes: locks, executors, streams.

import { PROTOCOL, type Protocol } from '../protocol.js'
import { nameClass, type Value } from '../values.js'

export class Thing {
  readonly $type: string
  readonly $parts: Readonly<Record<string, Value>>
  constructor(type: string, parts: Readonly<Record<string, Value>>) {
    this.$type = type
    this.$parts = parts
  }
}

const protocol: Protocol = {
  getAttribute: (x, name) => {
    const parts = (x as Thing).$parts
    return Object.hasOwn(parts, name) ? parts[name] : undefined
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
