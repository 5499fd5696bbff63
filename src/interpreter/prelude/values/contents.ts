// Values of built-in types inside objects. An object of a class that inherits from dict, list or str contains one, and
// so does a member of an enum whose members are strings or numbers. This file imports almost nothing, so every
// operation can use it. Invariant: only objects of the program's classes have a content.

import { rememberedText } from './tool-data.js'
import type { Value } from './values.js'

const CONTENT: unique symbol = Symbol('content') as never

export function setContent(x: object, content: Value): void {
  Object.defineProperty(x, CONTENT, { value: content, enumerable: false, writable: true, configurable: true })
}

/** The value inside an object. Undefined for all other values. */
export function contentOf(x: Value | undefined): Value | undefined {
  return typeof x === 'object' && x !== null ? (x as { [CONTENT]?: Value })[CONTENT] : undefined
}

/**
 * The text of a value that can be used as a string: data that remembers its text, or an object that contains a string.
 */
export function textInside(x: Value | undefined): string | undefined {
  if (typeof x !== 'object' || x === null) return undefined
  const text = rememberedText(x)
  if (text !== undefined) return text
  const content = contentOf(x)
  return typeof content === 'string' ? content : undefined
}
