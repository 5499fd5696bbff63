// Finds the values in the text of a thrown value: its keys, strings and numbers. They occur in the text in the same
// order as in the value.
// Invariant: if the parts that were found do not make up the text, the whole text counts as one value.

import { type Mark, markOf, Shown, shown } from './said.js'
import { isTextPrototype } from './tool-data.js'

const MOST_LEAVES = 100
const DEEPEST = 3

const isArray = Array.isArray
const { getOwnPropertyDescriptor: descriptorOf, getPrototypeOf, keys: keysOf } = Object
const plainPrototype = Object.prototype
const SIMPLE_KEY = /^[a-zA-Z_][a-zA-Z_0-9]*$/
/** The text between two values. */
const STRUCTURE = /^[\s,:{}[\]]*$/

export interface ThrownText {
  readonly text: string
  /** The start of the text in the message. */
  readonly start: number
  /** True if the program wrote the object in its `throw`. Strings directly in it are then its own words. */
  readonly isWritten: boolean
  readonly inspect: (value: unknown) => string
}

/** The marks of a text that shows a value. */
export function marksIn(value: unknown, thrown: ThrownText): Mark[] {
  const { text, start } = thrown
  const whole = (): Mark[] => {
    const one = shown(value)
    if (one instanceof Shown) return [markOf(new Shown(text, one.what, one.plain), start)]
    return one === text ? [] : [[start, start + text.length, isArray(value) ? 'an array' : one]]
  }
  if (typeof value !== 'object' || value === null) return whole()
  const leaves: (Shown | string)[] = []
  if (!gather(value, leaves, 0, thrown)) return whole()
  const marks: Mark[] = []
  let at = 0
  for (const leaf of leaves) {
    const written = typeof leaf === 'string' ? leaf : leaf.text
    const found = text.indexOf(written, at)
    if (found < 0 || !STRUCTURE.test(text.slice(at, found))) return whole()
    if (typeof leaf !== 'string') marks.push(markOf(leaf, start + found))
    at = found + written.length
  }
  return STRUCTURE.test(text.slice(at)) ? marks : whole()
}

/**
 * Adds the contents of a plain object or an array, in order, with the program's own words as texts. Returns false if
 * the text shows more than that.
 */
function gather(value: object, leaves: (Shown | string)[], depth: number, thrown: ThrownText): boolean {
  const prototype: unknown = getPrototypeOf(value)
  const isPlain = isArray(value) || prototype === plainPrototype || prototype === null || isTextPrototype(prototype)
  if (!isPlain || depth > DEEPEST) return false
  const { inspect, isWritten } = thrown
  const add = (text: string, leaf: Shown): void => {
    leaves.push(isWritten && depth === 0 ? text : leaf)
  }
  for (const key of keysOf(value)) {
    if (leaves.length > MOST_LEAVES) return false
    const member = descriptorOf(value, key)
    if (member === undefined || !('value' in member)) return false
    const inner: unknown = member.value
    if (!isArray(value)) {
      const text = SIMPLE_KEY.test(key) ? key : inspect(key)
      add(text, new Shown(text, '*', key))
    }
    if (typeof inner === 'object' && inner !== null) {
      if (!gather(inner, leaves, depth + 1, thrown)) return false
      continue
    }
    const text = inspect(inner)
    const one = shown(inner)
    if (one instanceof Shown) add(text, new Shown(text, one.what, one.plain))
    else leaves.push(text)
  }
  return true
}
