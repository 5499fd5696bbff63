// Data that remembers its text. A tool's answer that is one text with a JSON object or array may be meant as text (a
// file reader) or as data (an API). The program's use of the answer decides:
//
//   data  r.key, r.map(…), Object.keys(r), Array.isArray(r), JSON.stringify(r), a result, an argument
//   text  JSON.parse(r), `${r}`, String(r), r + "", console.log(r), r.split("\n") and every other method of strings
//         that objects and arrays don't have
//
// `r.length`, `r[0]`, `r.slice(…)`, `for … of` and `[...r]` of an array work on both. The compiler looks for other uses
// of the answer before the run (../readings.ts) and makes it a text or data. If there are none, or they contradict each
// other, the answer stays undecided, and these operations fail and ask for a decision.
//
// The value is the data, an object or an array whose prototype has the methods of strings besides its own. If the
// program changes the data, the text no longer fits and is forgotten when it is next needed. Invariant:
// `rememberedText(x)` parses to the current value of `x`.

import { parseJson } from './json.js'

const texts = new WeakMap<object, string>()
/** Answers whose kind neither the program nor earlier answers of the tool have decided. */
const undecided = new WeakSet<object>()
let remembered = 0

export function remember(value: unknown, text: string, isUndecided: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  texts.set(value, text)
  if (isUndecided) undecided.add(value)
  remembered++
  return Object.setPrototypeOf(value, Array.isArray(value) ? textArray : textObject)
}

/** The text of an answer that has just arrived. */
export function answeredText(value: unknown): unknown {
  return (typeof value === 'object' && value !== null ? texts.get(value) : undefined) ?? value
}

/** Decides that an answer is data. */
export function answeredData(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) undecided.delete(value)
  return value
}

/** True while the answer may also be used as its text. Members that objects lack are then those of the text. */
export function isUndecided(value: unknown): boolean {
  return Array.isArray(value) && undecided.has(value) && rememberedText(value) !== undefined
}

/** The text of data that remembers one; undefined for every other value. */
export function rememberedText(value: unknown): string | undefined {
  if (remembered === 0 || typeof value !== 'object' || value === null) return undefined
  const text = texts.get(value)
  if (text === undefined) return undefined
  if (same(parseJson(text), value)) return text
  texts.delete(value)
  return undefined
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false
  return keys.every(
    (key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  )
}

/** True for a prototype of this file. To all other code it looks like that of plain objects or arrays. */
export function isTextPrototype(prototype: unknown): boolean {
  return prototype === textObject || prototype === textArray
}

function prototypeOver(base: object, text: (value: object) => string): object {
  const prototype = Object.create(base) as object
  for (const name of Object.getOwnPropertyNames(String.prototype)) {
    if (name === 'constructor' || name === 'length' || (name in base && name !== 'toString')) continue
    const method = (String.prototype as unknown as Record<string, unknown>)[name]
    if (typeof method !== 'function') continue
    Object.defineProperty(prototype, name, {
      value(this: object, ...args: unknown[]) {
        return Reflect.apply(method, text(this), args)
      },
      writable: true,
      configurable: true,
    })
  }
  return prototype
}

const textArray = prototypeOver(
  Array.prototype,
  (value) => rememberedText(value) ?? Array.prototype.join.call(value, ','),
)
const textObject = prototypeOver(Object.prototype, (value) => rememberedText(value) ?? '[object Object]')
Object.defineProperty(textObject, 'length', {
  get(this: object) {
    return rememberedText(this)?.length
  },
  set(this: object, value: unknown) {
    Object.defineProperty(this, 'length', { value, writable: true, enumerable: true, configurable: true })
  },
  configurable: true,
})
