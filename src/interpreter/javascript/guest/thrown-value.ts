// What of the text of a thrown value came from values: its keys and the texts and numbers in it. They stand in the text in the order of the value.
// Invariant: where what was found does not make up the text, all of the text is one value.

import { type Mark, markOf, Shown, shown } from './said.js'
import { isTextPrototype } from './tool-data.js'

const MOST_LEAVES = 100
const DEEPEST = 3

const isArray = Array.isArray
const { getPrototypeOf, keys: keysOf } = Object
const plainPrototype = Object.prototype
/** What stands between two leaves. */
const STRUCTURE = /^[\s,:{}[\]]*$/

/** The marks of a text that shows a value, which stands at `start` of a message. */
export function marksIn(text: string, value: unknown, inspect: (value: unknown) => string, start: number): Mark[] {
  const whole = (): Mark[] => {
    const leaf = leafOf(value, () => text)
    if (typeof leaf === 'string') return [[start, start + text.length, isArray(value) ? 'an array' : 'an object']]
    return [markOf(new Shown(text, leaf.what, leaf.plain), start)]
  }
  if (typeof value !== 'object' || value === null) return whole()
  const leaves: (Shown | string)[] = []
  if (!gather(value, leaves, 0, inspect)) return whole()
  const marks: Mark[] = []
  let at = 0
  for (const leaf of leaves) {
    const shownText = typeof leaf === 'string' ? leaf : leaf.text
    const found = text.indexOf(shownText, at)
    if (found < 0 || !STRUCTURE.test(text.slice(at, found))) return whole()
    if (typeof leaf !== 'string') marks.push(markOf(leaf, start + found))
    at = found + shownText.length
  }
  return STRUCTURE.test(text.slice(at)) ? marks : whole()
}

/** Adds what is in a plain object or an array, in order; false when that is not all that is shown. */
function gather(
  value: object,
  leaves: (Shown | string)[],
  depth: number,
  inspect: (value: unknown) => string,
): boolean {
  const prototype: unknown = getPrototypeOf(value)
  const isPlain = isArray(value) || prototype === plainPrototype || prototype === null || isTextPrototype(prototype)
  if (!isPlain || depth > DEEPEST) return false
  for (const key of keysOf(value)) {
    if (leaves.length > MOST_LEAVES) return false
    const inner = (value as Record<string, unknown>)[key]
    if (!isArray(value)) leaves.push(new Shown(/^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key) ? key : inspect(key), '*', key))
    if (typeof inner === 'object' && inner !== null) {
      if (!gather(inner, leaves, depth + 1, inspect)) return false
    } else leaves.push(leafOf(inner, inspect))
  }
  return true
}

function leafOf(value: unknown, inspect: (value: unknown) => string): Shown | string {
  const one = shown(value)
  return one instanceof Shown ? new Shown(inspect(value), one.what, one.plain) : inspect(value)
}
