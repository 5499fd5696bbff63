// `structuredClone` of plain data: JSON's values, dates, Maps, Sets, regular expressions, errors, bytes and BigInts.
// Parts that the value shares are shared in the copy.

import { copyOf, typeError } from './errors.js'
import { said } from './said.js'
import { rememberedText } from './tool-data.js'

export function structuredClone(value: unknown): unknown {
  return cloned(value, new Map())
}

function cloned(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw refused(typeof value as 'function' | 'symbol')
  if (typeof value !== 'object' || value === null) return value
  const known = seen.get(value)
  if (known !== undefined) return known
  const copy = empty(value)
  seen.set(value, copy)
  if (value instanceof Map)
    for (const [k, v] of value) (copy as Map<unknown, unknown>).set(cloned(k, seen), cloned(v, seen))
  else if (value instanceof Set) for (const v of value) (copy as Set<unknown>).add(cloned(v, seen))
  else if (Array.isArray(value) || isRecord(value) || rememberedText(value) !== undefined || isInstance(value))
    for (const key of Object.keys(value))
      Object.defineProperty(copy, key, {
        value: cloned((value as Record<string, unknown>)[key], seen),
        writable: true,
        enumerable: true,
        configurable: true,
      })
  return copy
}

function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function isInstance(value: object): boolean {
  return !(
    value instanceof Date ||
    value instanceof RegExp ||
    value instanceof Error ||
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer
  )
}

function empty(value: object): object {
  if (Array.isArray(value)) return new Array(value.length)
  if (value instanceof Map) return new Map()
  if (value instanceof Set) return new Set()
  if (value instanceof Date) return new Date(value.getTime())
  if (value instanceof RegExp) return new RegExp(value.source, value.flags)
  if (value instanceof Error) return copyOf(value)
  if (value instanceof ArrayBuffer) return value.slice(0)
  if (ArrayBuffer.isView(value)) return new (value.constructor as new (of: unknown) => object)(value)
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet)
    throw refused('promise or weak collection')
  return {}
}

function refused(what: 'function' | 'symbol' | 'promise or weak collection'): TypeError {
  return typeError(said`a ${what} can't be cloned`, { code: 'not-cloneable' })
}
