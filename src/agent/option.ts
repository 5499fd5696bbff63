// Schemas of the values that several options of agents have. Each `error` names the wanted value.

import { z } from 'zod'

export const text = z.string({ error: 'a string' })
export const someText = text.min(1, { error: 'a string that is not empty' })
export const flag = z.boolean({ error: 'true or false' })
export const count = z.int({ error: 'a whole number of at least 0' }).min(0, { error: 'a whole number of at least 0' })
export const someCount = z
  .int({ error: 'a whole number of at least 1' })
  .min(1, { error: 'a whole number of at least 1' })
export const amount = z.number({ error: 'a number of at least 0' }).min(0, { error: 'a number of at least 0' })
export const names = z.array(someText, { error: 'a list of names' }) as z.ZodType<readonly string[]>

/** An object whose fields are checked elsewhere, or not at all. */
export function record<Value = unknown>(value: z.ZodType<Value> = z.unknown() as never, error = 'an object') {
  return z.record(z.string(), value, { error }) as z.ZodType<Readonly<Record<string, Value>>>
}

export function callback<Function>() {
  return z.custom<Function>((value) => typeof value === 'function', { error: 'a function' })
}

export function object<Type extends object>() {
  return z.custom<Type>((value) => typeof value === 'object' && value !== null, { error: 'an object' })
}

/** The type of the records that a schema describes. See scripts/declarations.mjs. */
export type Declared<Schema extends z.ZodType> = {
  readonly [Key in keyof z.output<Schema>]: z.output<Schema>[Key]
}
