import { z } from 'zod'

/**
 * The type of the records that a schema describes. The build writes such types out in the declarations, each field with
 * its comment: see scripts/declarations.mjs.
 */
export type Declared<Schema extends z.ZodType> = {
  readonly [Key in keyof z.output<Schema>]: z.output<Schema>[Key]
}

// Schemas of values that many entries have. Each `error` names the wanted value.

export const text = z.string({ error: 'a string' })
export const someText = text.min(1, { error: 'a string that is not empty' })
export const yesOrNo = z.boolean({ error: 'true or false' })
export const amount = z.int({ error: 'a whole number' })
export const atLeastNone = amount.min(0, { error: 'at least 0' })
export const atLeastOne = amount.min(1, { error: 'at least 1' })

export function listOf<T>(schema: z.ZodType<T>, error: string): z.ZodType<readonly T[]> {
  return z.array(schema, { error })
}

export function recordOf<T>(schema: z.ZodType<T>, error: string): z.ZodType<Readonly<Record<string, T>>> {
  return z.record(z.string(), schema, { error })
}

/** One of some words; `error` lists them. */
export function oneOf<const Word extends string>(...words: readonly Word[]): z.ZodType<Word> {
  const quoted = words.map((word) => JSON.stringify(word))
  const last = quoted.pop()
  return z.enum(words, { error: quoted.length === 0 ? last! : `${quoted.join(', ')} or ${last}` })
}
