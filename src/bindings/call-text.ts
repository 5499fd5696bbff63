// Parses the guest's text for one call, which is untrusted.
// Invariant: the result is plain JSON data, with ExactIntegers in place of integers beyond a double's range.

import type { ForeignCall } from '../interpreter/index.js'
import { parseExact } from './exact-integers.js'

export type ReadCall =
  | { readonly kind: 'call'; readonly call: ForeignCall }
  /** The arguments are nested more than DEEPEST levels deep. */
  | { readonly kind: 'too-deep'; readonly call: ForeignCall }
  /** The text is not a call. */
  | { readonly kind: 'malformed' }

/** The maximum nesting of lists and dicts in arguments. */
export const DEEPEST = 200

const LONGEST_NAME = 1_000

export function readCall(text: string): ReadCall {
  let raw: unknown
  try {
    raw = parseExact(text)
  } catch {
    return { kind: 'malformed' }
  }
  if (!isCall(raw)) return { kind: 'malformed' }
  const isTooDeep = isDeeper(raw.positional, DEEPEST + 1) || isDeeper(raw.named, DEEPEST + 1)
  return { kind: isTooDeep ? 'too-deep' : 'call', call: raw }
}

/** Checked by hand: programs make thousands of calls, and a schema library takes longer than parsing. */
function isCall(raw: unknown): raw is ForeignCall {
  if (!isRecord(raw) || Object.keys(raw).length !== 4) return false
  const { namespace, member, positional, named } = raw
  return isName(namespace) && isName(member) && Array.isArray(positional) && isRecord(named)
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_NAME
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true
  return false
}
