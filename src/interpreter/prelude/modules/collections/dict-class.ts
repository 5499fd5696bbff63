// The common base of the dicts of `collections`: a Map with a JavaScript prototype of its class. Its `constructor` is
// Map, so fast paths for dicts accept it. They differ from dicts only in missing keys.

import { boundMethod, boundMethodOf, method } from '../../calls/method-tables.js'
import type { Callable } from '../../calls/signature.js'
import { attachClass, Class } from '../../classes/classes.js'
import { builtinClass } from '../../classes/known-classes.js'
import { PROTOCOL, type Protocol } from '../../values/protocol.js'
import { nameClass, type Value } from '../../values/values.js'

type MapClass = new () => Map<Value, Value>

interface DictClass {
  readonly name: string
  readonly map: MapClass
  /** The class as a value. */
  readonly callable: Callable
  readonly protocol: Protocol
}

/** Registers a kind of dict. */
export function defineDictClass({ name, map, callable, protocol }: DictClass): Class {
  const cls = new Class(name, 'builtin', [builtinClass('dict')])
  attachClass(callable, cls)
  nameClass((x) => x instanceof map, name)
  Object.defineProperty(map.prototype, 'constructor', { value: Map, writable: true, configurable: true })
  Object.defineProperty(map.prototype, PROTOCOL, {
    value: {
      classValue: () => cls.$value,
      getAttribute: (x, attribute) => boundMethod(x, attribute) ?? boundMethodOf('dict', x, attribute),
      ...protocol,
    } satisfies Protocol,
  })
  return cls
}

/** Declares a method of a kind of dict. */
export function dictMethod(
  cls: string,
  map: MapClass,
  name: string,
  parameters: string,
  fn: (this: Map<Value, Value>, a?: Value, b?: Value) => Value,
): void {
  method(cls, map.prototype as object, name, parameters, fn as never)
}
