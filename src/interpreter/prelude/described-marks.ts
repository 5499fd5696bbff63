// The marks of a message at the end of a run: the range of each value, a description without its content, and the text
// by which a reader can recognise the value. See diagnostics/values.ts of the host.
// Invariant: marks are ordered and their number is bounded. A description contains only the value's type and size.

import { classOf } from './classes/known-classes.js'
import { dictFlat } from './containers/dict.js'
import { setElements } from './containers/set.js'
import { quoted } from './text/repr.js'
import type { HostMark } from './values/errors.js'
import { Alternative, asName, type Mark, type Said, type Shown } from './values/said.js'
import { Bytes, isDict, isTuple, TUPLE, typeName, type Value } from './values/values.js'

const MOST_MARKS = 200
/** Containers of more parts than this are described as a whole. */
const MOST_PARTS = 20
/** Longer texts are not searched for. */
const LONGEST_PLAIN = 1000

export function described(said: Said): HostMark[] {
  const out: HostMark[] = []
  for (const mark of said.marks.flatMap(parts)) {
    if (out.length === MOST_MARKS - 1) return [...out, [mark.start, said.text.length, 'and more']]
    const instead = description(mark.shown)
    if (instead === undefined) continue
    const plain = plainTexts(mark.shown)
    const { start, end } = mark
    const isShort = plain.every((text) => text.length <= LONGEST_PLAIN)
    out.push(isShort ? [start, end, instead, plain.length === 1 ? plain[0]! : plain] : [start, end, instead])
  }
  return out
}

/** The marks of a text whose origin is unknown. */
export function unknownText(text: string): HostMark[] {
  return [[0, text.length, textDescription(text)]]
}

/** The values in a short tuple, list, dict or set whose text is unchanged. */
function parts(mark: Mark): Mark[] {
  if (mark.shown instanceof Alternative) return [mark]
  const { value, text, isName } = mark.shown
  if (isName) return nameParts(mark)
  const inside = elementsOf(value as Value)
  if (inside === undefined || inside.length === 0 || inside.length > MOST_PARTS) return [mark]
  const marks: Mark[] = []
  let at = 0
  for (const element of inside) {
    const shown = quoted(element)
    const found = text.indexOf(shown.text, at)
    // Between elements there are only brackets, commas and colons.
    if (found < 0 || found - at > 2) return [mark]
    marks.push({ start: mark.start + found, end: mark.start + found + shown.text.length, shown })
    at = found + shown.text.length
  }
  return text.length - at > 2 ? [mark] : marks.flatMap(parts)
}

/** A qualified name like `Owned.__init__` has two marks. */
function nameParts({ start, shown }: Mark): Mark[] {
  return [...shown.text.matchAll(/[^.]+/g)].map(({ 0: name, index }) => ({
    start: start + index,
    end: start + index + name.length,
    shown: asName(name),
  }))
}

function elementsOf(x: Value): readonly Value[] | undefined {
  if (typeName(x) === 'tuple' && isTuple(x)) return x.slice(1)
  if (typeName(x) === 'list' && Array.isArray(x) && x[0] !== TUPLE) return x as Value[]
  if (typeName(x) === 'dict' && isDict(x)) return dictFlat(x)
  return typeName(x) === 'set' ? setElements(x as Set<Value>) : undefined
}

/** The description of a value. Undefined if the name of its type says everything. */
function description(shown: Shown | Alternative): string | undefined {
  if (shown instanceof Alternative) return shown.instead().text
  const { isName, text } = shown
  const value = shown.value as Value
  if (isName) return '*'
  if (value === null) return undefined
  if (typeof value === 'string') return textDescription(value)
  const type = typeName(value)
  const isOurs = classOf(value).$kind !== 'program'
  if (value instanceof Bytes) return `${type} of length ${value.b.length}`
  const inside = elementsOf(value)
  if (inside === undefined) return isOurs ? `${/^[aeiou]/i.test(type) ? 'an' : 'a'} ${type}` : 'an object'
  const count = type === 'dict' ? inside.length / 2 : inside.length
  return text.length > 2 ? `a ${type} of ${count} ${count === 1 ? 'item' : 'items'}` : undefined
}

function plainTexts(shown: Shown | Alternative): readonly string[] {
  if (shown instanceof Alternative) return shown.words().marks.flatMap((mark) => plainTexts(mark.shown))
  return [typeof shown.value === 'string' ? shown.value : shown.text]
}

const SORTS: readonly (readonly [string, RegExp])[] = [
  ['letters', /\p{L}/u],
  ['digits', /\p{N}/u],
  ['spaces', /\s/],
  ['other signs', /[^\p{L}\p{N}\s]/u],
]

/** The description of a text: `a str of 7 characters (letters, digits)`. */
function textDescription(text: string): string {
  const sorts = SORTS.filter(([, sort]) => sort.test(text)).map(([name]) => name)
  let length = 0
  for (const _ of text) length++
  return `a ${typeName(text)} of ${length} character${length === 1 ? '' : 's'}${sorts.length === 0 ? '' : ` (${sorts.join(', ')})`}`
}
