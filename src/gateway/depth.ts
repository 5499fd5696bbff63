// The nesting depth of a value and the width of a message. Recursive functions here and in QuickJS walk the servers'
// data, and one deep value would exhaust their stack. The MCP SDK takes long over each member of an envelope.
// Invariant: measuring a deep value takes no more stack than a flat one.

/** Deeper than real data, and within the limit of those functions. */
export const DEEPEST = 1000

/** Values that parsing found to be shallow, because walking a long value again takes long. */
const shallow = new WeakSet<object>()

export function noteShallow(value: unknown): void {
  if (isBranch(value)) shallow.add(value)
}

/** True for a value with lists and objects in each other more than `DEEPEST` levels deep. */
export function isTooDeep(value: unknown): boolean {
  return isBranch(value) && !shallow.has(value) && !isWithin(value, USUAL) && isDeeper(value)
}

/** Most values are not deeper, and their levels need no lists. */
const USUAL = 16

function isWithin(value: unknown, levels: number): boolean {
  if (!isBranch(value)) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isWithin(item, levels - 1))
  for (const key in value) if (!isWithin((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return false
  return true
}

function isDeeper(value: object): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= DEEPEST) return true
    const below: object[] = []
    for (const one of level)
      for (const inner of Array.isArray(one) ? one : Object.values(one)) if (isBranch(inner)) below.push(inner)
    level = below
  }
  return false
}

/** Many times the width of any real message. */
export const WIDEST = 5000

/** True if a message, its `params` or its `_meta` has too many members. The data in it may have any number. */
export function isTooWide(message: unknown): boolean {
  const params = memberOf(message, 'params')
  return [message, params, memberOf(params, '_meta')].some((part) => isBranch(part) && hasMany(part))
}

function memberOf(value: unknown, name: string): unknown {
  return isBranch(value) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

function hasMany(value: object): boolean {
  let members = 0
  for (const _ in value) if (++members > WIDEST) return true
  return false
}

/** The approximate size of a value's JSON, or a little more than `enough` if it is larger, without writing it. */
export function roughBytes(value: unknown, enough: number): number {
  let bytes = 0
  const rest: unknown[] = [value]
  while (rest.length > 0 && bytes <= enough) {
    const one = rest.pop()
    bytes += typeof one === 'string' ? one.length + 3 : 5
    if (!isBranch(one)) continue
    if (Array.isArray(one)) {
      bytes += one.length
      for (const item of bytes > enough ? [] : one) rest.push(item)
    } else
      for (const [key, inner] of Object.entries(one)) {
        bytes += key.length + 4
        rest.push(inner)
      }
  }
  return bytes
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
