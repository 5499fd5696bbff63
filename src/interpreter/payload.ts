// Reads what a guest reports at the end of a run. The payload is untrusted; a forged one only deceives its own answer.

import { z } from 'zod'
import { areMarks, MOST_VALUES } from '../diagnostics/index.js'
import type { Outcome } from './program.js'

const place = z.number().int()
const mark = z.tuple([place, place, z.string()]).readonly()
const plain = z.string().or(z.array(z.string()).max(MOST_VALUES).readonly())
const markOfText = z.tuple([place, place, z.string(), plain]).readonly()
const marks = z.array(mark.or(markOfText)).readonly()

const failureShape = z
  .object({
    kind: z.string(),
    /** Said by the library alone, whatever a program calls its failures. */
    ends: z.enum(['limit', 'host error']).optional(),
    message: z.string(),
    code: z.string().optional(),
    hint: z.string().optional(),
    /** What of the message came from values; absent where nobody can say. */
    values: marks.optional(),
    hintValues: marks.optional(),
    /** The kind of the failure that holds this one as its first. */
    outer: z.string().optional(),
    /** A value that can't be taken apart or gone over, by what it is. */
    about: z.object({ verb: z.enum(['parted', 'iterated']), what: z.string() }).optional(),
    stack: z.string(),
    /** The program made it and its words. */
    isOwn: z.boolean().optional(),
  })
  .refine(({ values = [], message }) => areMarks(values, message))
  .refine(({ hintValues = [], hint = '' }) => areMarks(hintValues, hint))

const resultShape = z.object({
  json: z.string().nullable(),
  text: z.string(),
  /** What of it is not what the program left there. */
  notes: z.array(z.string().max(1_000)).max(100).optional(),
})

const payloadShape = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: resultShape.optional() }),
  z.object({ ok: z.literal(false), error: failureShape }),
])

export type FailurePayload = z.infer<typeof failureShape>

/** Reads what a completed run returned; undefined when it makes no sense. */
export function readPayload(payload: string): z.infer<typeof payloadShape> | undefined {
  try {
    return payloadShape.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

/**
 * What a completed run came to, if it says that it went through; undefined when it failed or returned nothing that
 * makes sense.
 */
export function resultOf(payload: string): (Outcome & { readonly ok: true }) | undefined {
  const outcome = readPayload(payload)
  if (outcome?.ok !== true) return undefined
  return outcome.result === undefined ? { ok: true } : { ok: true, result: outcome.result }
}
