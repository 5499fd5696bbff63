// Cuts values that do not fit into an answer: texts keep their ends, lists their first and last items, dicts their
// keys; deep values fold into a few words.
// Invariant: the result has at most the allowed length, JSON stays JSON, and every cut states the omitted amount.

import { compactText, dictOf, type JsonEntry, type JsonNode, listOf, sizeOf } from './json-tree.js'

/** Keeps the beginning and the end of a text, three to one, and states the omitted amount between them. */
export function cutText(text: string, maxChars: number, remedy = ''): string {
  if (text.length <= maxChars) return text
  const note = (missing: number) =>
    `\n[… ${missing} of ${text.length} characters left out${remedy === '' ? '' : `; ${remedy}`} …]\n`
  const room = maxChars - note(text.length).length
  if (room <= 0) return text.slice(0, Math.max(0, maxChars))
  const { head, tail } = ends(text, room)
  return head + note(text.length - head.length - tail.length) + tail
}

/** Keeps whole lines at both ends, three to one; a line that is too long keeps its ends. */
export function cutLines(lines: readonly string[], maxChars: number): string {
  const whole = lines.join('\n')
  if (whole.length <= maxChars) return whole
  const note = (missing: number) => `[… ${missing} of ${lines.length} lines left out …]`
  const room = maxChars - note(lines.length).length - 2
  if (room < 80) return cutText(whole, maxChars)
  const longest = Math.max(80, Math.floor(room / 4))
  const short = lines.map((line) => (line.length <= longest ? line : cutLine(line, longest)))
  const { first, last } = endsOf(short, (line) => line.length + 1, room)
  const missing = lines.length - first - last
  if (missing === 0) return short.join('\n')
  return [...short.slice(0, first), note(missing), ...short.slice(lines.length - last)].join('\n')
}

function cutLine(line: string, maxChars: number): string {
  const note = (missing: number) => `[… ${missing} characters …]`
  const { head, tail } = ends(line, Math.max(0, maxChars - note(line.length).length))
  return head + note(line.length - head.length - tail.length) + tail
}

function ends(text: string, room: number): { head: string; tail: string } {
  const head = text.slice(0, Math.ceil(room * 0.75))
  const tail = text.slice(text.length - Math.floor(room * 0.25))
  // Never half of a surrogate pair.
  return {
    head: /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head,
    tail: /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail,
  }
}

/** The number of elements from the start and from the end that fit, three to one. */
function endsOf<T>(all: readonly T[], sizeOfOne: (one: T) => number, room: number): { first: number; last: number } {
  let first = 0
  let last = 0
  let left = room
  while (first + last < all.length) {
    const fromEnd = first >= 3 * (last + 1) || (first > 0 && last === 0)
    const size = sizeOfOne(fromEnd ? all[all.length - 1 - last]! : all[first]!)
    if (size > left) break
    left -= size
    if (fromEnd) last++
    else first++
  }
  return { first, last }
}

/** The least length of a part of a JSON text. */
const LEAST = 40

/** The JSON text of a value, shortened to at most `maxChars`, which must be at least 40. */
export function cutJson(node: JsonNode, maxChars: number): string {
  if (sizeOf(node) <= maxChars) return compactText(node)
  const cut = shortened(node, maxChars)
  return cut !== undefined && sizeOf(cut) <= maxChars ? compactText(cut) : compactText(folded(node, maxChars))
}

function part(node: JsonNode, maxChars: number): JsonNode {
  if (sizeOf(node) <= maxChars) return node
  const cut = shortened(node, maxChars)
  return cut !== undefined && sizeOf(cut) <= maxChars ? cut : folded(node, maxChars)
}

function shortened(node: JsonNode, maxChars: number): JsonNode | undefined {
  if (maxChars < LEAST) return undefined
  switch (node.kind) {
    case 'scalar':
      return undefined
    case 'string':
      return cutString(node.text, maxChars)
    case 'list':
      return cutList(node.items, maxChars)
    case 'dict':
      return cutDict(node.entries, maxChars)
  }
}

function text(words: string): JsonNode {
  return { kind: 'string', text: JSON.stringify(words) }
}

/** A short description in place of a value. */
function folded(node: JsonNode, maxChars: number): JsonNode {
  const words =
    node.kind === 'list'
      ? `… list of ${node.items.length} …`
      : node.kind === 'dict'
        ? `… dict of ${node.entries.length} …`
        : node.kind === 'string'
          ? `… ${node.text.length - 2} characters …`
          : `… number of ${node.text.length} digits …`
  return words.length + 2 <= maxChars ? text(words) : text('…')
}

function cutString(raw: string, maxChars: number): JsonNode {
  const whole = JSON.parse(raw) as string
  let room = maxChars - 34
  // Escapes lengthen a text, so a few steps find the part that fits.
  for (let step = 0; step < 20 && room > 0; step++) {
    const { head, tail } = ends(whole, room)
    const cut = text(`${head}… ${whole.length - head.length - tail.length} characters left out …${tail}`)
    if (sizeOf(cut) <= maxChars) return cut
    room = Math.floor(room * 0.75)
  }
  return text(`… ${whole.length} characters …`)
}

function cutList(items: readonly JsonNode[], maxChars: number): JsonNode {
  const note = (missing: number) => text(`… ${missing} of ${items.length} items left out …`)
  const room = maxChars - sizeOf(note(items.length)) - 3
  const { first, last } = endsOf(items, (item) => sizeOf(item) + 1, room)
  if (first + last === items.length) return listOf(items)
  if (first > 0 && (last > 0 || room < 2 * LEAST))
    return listOf([...items.slice(0, first), note(items.length - first - last), ...items.slice(items.length - last)])
  // Not even one item at each end fits whole.
  if (items.length === 1) return listOf([part(items[0]!, maxChars - 2)])
  if (items.length === 2 && room >= 2 * LEAST) {
    const shares = fairShares(items.map(sizeOf), maxChars - 3)
    return listOf(items.map((item, i) => part(item, shares[i]!)))
  }
  const ending = part(items.at(-1)!, Math.max(LEAST, Math.floor(room * 0.25)))
  const opening = part(items[0]!, Math.max(LEAST, room - sizeOf(ending) - 2))
  return listOf([opening, note(items.length - 2), ending])
}

function cutDict(entries: readonly JsonEntry[], maxChars: number): JsonNode {
  const note = (missing: number): JsonEntry => ['"…"', text(`${missing} of ${entries.length} keys left out`)]
  const [noteKey, noteText] = note(entries.length)
  const keysOnly = entries.reduce((sum, [key]) => sum + key.length + 3, 1)
  // Every key with a part of its value, if there is room; else as many keys as fit.
  const fits = keysOnly + entries.length * FOLDED <= maxChars
  const { first, last } = fits
    ? { first: entries.length, last: 0 }
    : endsOf(entries, ([key]) => key.length + 3 + FOLDED, maxChars - noteKey.length - sizeOf(noteText) - 4)
  const kept = [...entries.slice(0, first), ...entries.slice(entries.length - last)]
  const missing = entries.length - kept.length
  const taken =
    kept.reduce((sum, [key]) => sum + key.length + 2, 2) + (missing > 0 ? noteKey.length + sizeOf(noteText) + 2 : 0)
  const shares = fairShares(
    kept.map(([, one]) => sizeOf(one)),
    maxChars - taken,
  )
  const cut = kept.map(([key, one], i): JsonEntry => [key, part(one, shares[i]!)])
  return dictOf(missing > 0 ? [...cut.slice(0, first), note(missing), ...cut.slice(first)] : cut)
}

/** The approximate length of a folded value. */
const FOLDED = 22

/**
 * Distributes a budget: each share is as large as requested; if that is too much, the larger requests get equal parts.
 */
export function fairShares(wanted: readonly number[], available: number): number[] {
  const shares = wanted.map(() => 0)
  const hungry = wanted.map((_, i) => i).filter((i) => wanted[i]! > 0)
  hungry.sort((a, b) => wanted[a]! - wanted[b]!)
  let left = Math.max(0, available)
  hungry.forEach((i, served) => {
    shares[i] = Math.min(wanted[i]!, Math.floor(left / (hungry.length - served)))
    left -= shares[i]!
  })
  return shares
}
