// The guest's text for one call, read with suspicion. Knows the form of a call and the limits of numbers; knows no tool.
// Invariant: what comes out is plain JSON data, in which integers that a double can't hold are ExactIntegers.

import { z } from 'zod'
import type { ForeignCall } from '../interpreter/index.js'
import { parseExact } from './exact-integers.js'

export type ReadCall =
  | { readonly kind: 'call'; readonly call: ForeignCall }
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
  let raw: unknown
  try {
    raw = parseExact(text)
  } catch {
    return { kind: 'malformed' }
  }
  const parsed = callShape.safeParse(raw)
  if (!parsed.success) return { kind: 'malformed' }
  const call = parsed.data
  const isTooDeep = isDeeper([...call.positional, ...Object.values(call.named)], DEEPEST + 1)
  return { kind: isTooDeep ? 'too-deep' : 'call', call }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
