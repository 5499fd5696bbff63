// Reads what a guest reports at the end of a run. The payload is untrusted; a forged one only deceives its own answer.
// Each thread that explains runs loads this: zod's small form starts faster.

import * as z from 'zod/mini'
import { areMarks, MOST_VALUES } from '../diagnostics/index.js'
import type { Outcome } from './program.js'

const place = z.int()
const mark = z.readonly(z.tuple([place, place, z.string()]))
const plain = z.union([z.string(), z.readonly(z.array(z.string()).check(z.maxLength(MOST_VALUES)))])
const markOfText = z.readonly(z.tuple([place, place, z.string(), plain]))
const marks = z.readonly(z.array(z.union([mark, markOfText])))

const failureShape = z
  .object({
    kind: z.string(),
    /** Said by the library alone, whatever a program calls its failures. */
    ends: z.optional(z.enum(['limit', 'host error'])),
    message: z.string(),
    code: z.optional(z.string()),
    hint: z.optional(z.string()),
    /** What of the message came from values; absent where nobody can say. */
    values: z.optional(marks),
    hintValues: z.optional(marks),
    /** The kind of the failure that holds this one as its first. */
    outer: z.optional(z.string()),
    /** A value that can't be taken apart or gone over, by what it is. */
    about: z.optional(z.object({ verb: z.enum(['parted', 'iterated']), what: z.string() })),
    stack: z.string(),
    /** The program made it and its words. */
    isOwn: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ values = [], message }) => areMarks(values, message)),
    z.refine(({ hintValues = [], hint = '' }) => areMarks(hintValues, hint)),
  )

const resultShape = z.object({
  json: z.nullable(z.string()),
  text: z.string(),
  /** What of it is not what the program left there. */
  notes: z.optional(z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(100))),
})

const payloadShape = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.optional(resultShape) }),
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
