// The guest's text for one call, read with suspicion. Knows the form of a call and the limits of numbers; knows no tool.
// Invariant: what comes out is plain JSON data without integers that lost digits.

import { z } from 'zod'
import type { ForeignCall } from '../interpreter/index.js'
import { hasText } from './remembered-text.js'

export type ReadCall =
  | { readonly kind: 'call'; readonly call: ForeignCall }
  /** An integer that would not arrive as it is: where, and its digits. */
  | { readonly kind: 'inexact'; readonly call: ForeignCall; readonly argument: string; readonly digits: string }
  /** Lists and dicts within each other beyond every use. */
  | { readonly kind: 'too-deep'; readonly call: ForeignCall }
  /** Not a call at all. */
  | { readonly kind: 'malformed' }

/** How deep lists and dicts in arguments may be nested. */
export const DEEPEST = 200

const callShape = z.strictObject({
  namespace: z.string().max(1_000),
  member: z.string().max(1_000),
  positional: z.array(z.unknown()),
  named: z.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ),
})

export function readCall(text: string): ReadCall {
  const marked = markBigIntegers(text)
  let raw: unknown
  try {
    raw = JSON.parse(marked)
  } catch {
    return { kind: 'malformed' }
  }
  const parsed = callShape.safeParse(raw)
  if (!parsed.success) return { kind: 'malformed' }
  const call = parsed.data
  if (isDeeper([...call.positional, ...Object.values(call.named)], DEEPEST + 1)) return { kind: 'too-deep', call }
  const found = marked === text ? undefined : findMark(call)
  return found === undefined ? { kind: 'call', call } : { kind: 'inexact', call, ...found }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** No text of a program can be this key by accident. */
const MARK = '\u0000integer'

/** The same text, in which every integer that a double can't hold is an object that says so. */
function markBigIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : JSON.stringify({ [MARK]: token }),
  )
}

function findMark(call: ForeignCall): { argument: string; digits: string } | undefined {
  return findInexact([
    ...call.positional.map((value, i) => [`argument ${i + 1}`, value] as const),
    ...Object.entries(call.named),
  ])
}

/**
 * An integer that would not arrive as it is, among named values. Data that remembers its text is passed over: which of the two will be sent is
 * not known before the arguments are bound.
 */
export function findInexact(
  entries: readonly (readonly [string, unknown])[],
): { argument: string; digits: string } | undefined {
  for (const [argument, value] of entries) {
    const digits = markIn(value)
    if (digits !== undefined) return { argument, digits }
  }
  return undefined
}

function markIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (hasText(value)) return undefined
  if (Object.hasOwn(value, MARK)) return String((value as Record<string, unknown>)[MARK])
  for (const inner of Object.values(value)) {
    const found = markIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}
