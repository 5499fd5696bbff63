// Schemas of the library's options, because JavaScript callers have no compiler that checks them.
// Invariant: an unknown option is refused; a misspelt `filters` would allow everything.

import { z } from 'zod'
import { type Diagnostic, DiagnosticError, nearestNames } from '../diagnostics/index.js'
import { approvalRule, configUnknownKey, configWrongValue } from '../gateway/index.js'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Schemas of options. Each `error` names the wanted value. */
export const option = {
  approvalRule,
  /** Checked elsewhere. */
  anything: <T>() => z.unknown() as z.ZodType<T>,
  object: <T extends object>() => z.custom<T>(isObject, { error: 'an object' }),
  function: <T>() => z.custom<T>((value) => typeof value === 'function', { error: 'a function' }),
  boolean: z.boolean({ error: 'true or false' }),
  amount: z.number({ error: 'a number above 0' }).positive({ error: 'a number above 0' }),
  whole: z.int({ error: 'a whole number of at least 0' }).min(0, { error: 'a whole number of at least 0' }),
  moment: z
    .int({ error: 'whole milliseconds since 1970' })
    .min(-62_135_596_800_000, { error: 'a moment from the year 1 on' })
    .max(253_402_300_799_999, { error: 'a moment up to the year 9999' }),
  string: z.string({ error: 'a string' }),
  strings: z.array(z.string({ error: 'a list of strings' }), { error: 'a list of strings' }) as z.ZodType<
    readonly string[]
  >,
  oneOf: <const Word extends string>(...words: readonly Word[]): z.ZodType<Word> =>
    z.enum(words, { error: words.map((word) => `"${word}"`).join(' or ') }),
}

/** Options that may all be absent. */
export function optionsOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<{ [Name in keyof Shape]: z.ZodOptional<Shape[Name]> }, z.core.$strict> {
  return z.strictObject(shape, { error: 'an object' }).partial()
}

/** Checks options; throws a DiagnosticError with all mistakes. `place` names the call: `CodeMode.open:`. */
export function checkOf(place: string, schema: z.ZodObject): (options: object) => void {
  const known = Object.keys(schema.shape)
  return (options) => {
    // The usual case: zod would take longer over an empty record than a whole tool call takes.
    if (isPlainEmpty(options)) return
    const { error } = schema.safeParse(options)
    if (error === undefined) return
    const faults = error.issues.flatMap((issue): (readonly [name: string, fault: Diagnostic])[] => {
      if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => [name, unknownOption(place, name, known)])
      const name = issue.path[0] as keyof typeof options | undefined
      const got = gotOf(name === undefined ? options : options[name], issue)
      return [[name ?? '', configWrongValue(place, name ?? 'options', got, issue.message)]]
    })
    const written = Object.keys(options ?? {})
    faults.sort(([a], [b]) => written.indexOf(a) - written.indexOf(b))
    throw new DiagnosticError(faults.map(([, fault]) => fault))
  }
}

function isPlainEmpty(value: unknown): boolean {
  return (
    isObject(value) && Object.getPrototypeOf(value) === Object.prototype && Object.keys(value as object).length === 0
  )
}

/** Throws a DiagnosticError if the value does not match the schema. */
export function checkValue(place: string, name: string, value: unknown, schema: z.ZodType): void {
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue !== undefined) throw new DiagnosticError(configWrongValue(place, name, gotOf(value, issue), issue.message))
}

function unknownOption(place: string, name: string, known: readonly string[]): Diagnostic {
  const near = nearestNames(name, known, 2)
  const { hint, ...fact } = configUnknownKey(place, name, near, known)
  return near.length > 0 && hint !== undefined ? { ...fact, hint } : fact
}

/** A value is shown only if it is a keyword. */
function gotOf(value: unknown, { code }: z.core.$ZodIssue): string {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  if (typeof value === 'string') return code === 'invalid_value' ? JSON.stringify(value) : 'a string'
  return Array.isArray(value) ? 'a list' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
}
