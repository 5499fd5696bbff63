// Configuration faults as diagnostics with a place and a key.
// Invariant: a given value is never shown, because it may be a secret in the wrong place.

import type { z } from 'zod'
import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import { configUnknownKey, configWrongValue } from '../messages.js'
import { knownKeys } from './shape.js'
import type { KeyNames } from './surroundings.js'

/** A schema's issue as diagnostics. */
export function explain(issue: z.core.$ZodIssue, names: KeyNames): Diagnostic[] {
  if (issue.code !== 'unrecognized_keys') {
    const got = issue.code === 'invalid_value' ? JSON.stringify(issue.input) : kindOf(issue.input)
    return [wrong(names, issue.path, got ?? 'nothing', issue.message)]
  }
  const known = knownKeys(issue.path)
  return issue.keys.map((key) => {
    const full = [...issue.path, key]
    return configUnknownKey(names.placeOf(full), keyName(full, names), nearestNames(key, known, 1), known)
  })
}

export function wrong(names: KeyNames, key: readonly PropertyKey[], got: string, want: string): Diagnostic {
  return configWrongValue(names.placeOf(key), keyName(key, names), got, want)
}

/** A value's kind, never the value, which may be a misplaced secret. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (value === '') return 'an empty string'
  return typeof value === 'string' ? 'a string' : 'an object'
}

/** A key in the notation of the configuration's author. */
export function keyName(key: readonly PropertyKey[], { keyOf }: KeyNames): string {
  return key.length === 0 ? 'the whole file' : dotted(keyOf?.(key) ?? key)
}

/** A key as a person would write it. */
export function dotted(key: readonly PropertyKey[]): string {
  return key
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`
      const word = String(part)
      return /^[\w$-]+$/.test(word) ? `${i === 0 ? '' : '.'}${word}` : `[${JSON.stringify(word)}]`
    })
    .join('')
}
