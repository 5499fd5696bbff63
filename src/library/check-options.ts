// Options that a program gives to the library: their names and the kinds of their values, because programs in JavaScript have no compiler that
// looks. What is inside of them is checked where it is used. Invariant: an option that there is not is never passed over in silence: a misspelt
// `filters` would let everything be called.

import { type Diagnostic, DiagnosticError, nearestNames } from '../diagnostics/index.js'
import { configUnknownKey, configWrongValue } from '../gateway/index.js'

/** What a value has to be; a list names the words that it may be. */
export type Kind = 'object' | 'function' | 'boolean' | 'number' | 'string' | 'strings' | 'anything' | readonly string[]

/** The kind of every option that there is. */
export type Kinds<Options> = Readonly<Record<keyof Options, Kind>>

/** Throws a DiagnosticError with every option that there is not and every value of the wrong kind. `place` is what they were given to: `CodeMode.open:`. */
export function checkOptions<Options extends object>(place: string, options: Options, kinds: Kinds<Options>): void {
  if (!fits(options, 'object')) throw new DiagnosticError(wrongValue(place, 'options', options, 'object'))
  const wrong = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (!Object.hasOwn(kinds, name)) return [unknownOption(place, name, Object.keys(kinds))]
    const kind = kinds[name as keyof Options]
    return fits(value, kind) ? [] : [wrongValue(place, name, value, kind)]
  })
  if (wrong.length > 0) throw new DiagnosticError(wrong)
}

/** Throws a DiagnosticError unless the value is of the kind. */
export function checkValue(place: string, name: string, value: unknown, kind: Kind): void {
  if (!fits(value, kind)) throw new DiagnosticError(wrongValue(place, name, value, kind))
}

const words: Readonly<Record<Exclude<Kind, readonly string[]>, string>> = {
  object: 'an object',
  function: 'a function',
  boolean: 'true or false',
  number: 'a number above 0',
  string: 'a string',
  strings: 'a list of strings',
  anything: 'anything',
}

function unknownOption(place: string, name: string, known: readonly string[]): Diagnostic {
  const near = nearestNames(name, known, 2)
  const { hint, ...fact } = configUnknownKey(place, name, near, known)
  return near.length > 0 && hint !== undefined ? { ...fact, hint } : fact
}

function wrongValue(place: string, name: string, value: unknown, kind: Kind): Diagnostic {
  const want = typeof kind === 'string' ? words[kind] : kind.map((word) => `"${word}"`).join(' or ')
  return configWrongValue(place, name, gotOf(value, kind), want)
}

function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind !== 'string') return kind.includes(value as string)
  switch (kind) {
    case 'anything':
      return true
    case 'number':
      return typeof value === 'number' && value > 0
    case 'strings':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    default:
      return typeof value === kind && value !== null && !Array.isArray(value)
  }
}

/** A value is shown only where it stands for a word. */
function gotOf(value: unknown, kind: Kind): string {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  if (typeof value === 'string') return typeof kind === 'string' ? 'a string' : JSON.stringify(value)
  return Array.isArray(value) ? 'a list' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
}
