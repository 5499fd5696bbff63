// Reads the report of a guest at the end of a run. The payload is untrusted, but a forged one only falsifies the answer
// to its own program. Every thread that explains runs loads this file, so it uses zod's small form, which starts
// faster.

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
    /** The failure that ended the run. Only the guest's library sets it, and programs can't forge it. */
    ends: z.optional(z.enum(['limit', 'host error'])),
    message: z.string(),
    code: z.optional(z.string()),
    hint: z.optional(z.string()),
    /** The parts of the message that came from values. Absent if they are unknown. */
    values: z.optional(marks),
    hintValues: z.optional(marks),
    /** The kind of the error that contains this one as its first. */
    outer: z.optional(z.string()),
    /** A value that can't be destructured or iterated over, and its description. */
    about: z.optional(z.object({ verb: z.enum(['parted', 'iterated']), what: z.string() })),
    stack: z.string(),
    /** True if the program made the error, with its own words. */
    isOwn: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ values = [], message }) => areMarks(values, message)),
    z.refine(({ hintValues = [], hint = '' }) => areMarks(hintValues, hint)),
  )

const resultShape = z.object({
  json: z.nullable(z.string()),
  text: z.string(),
  /** The parts of the result that differ from the program's value. */
  notes: z.optional(z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(100))),
})

const payloadShape = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.optional(resultShape) }),
  z.object({ ok: z.literal(false), error: failureShape }),
])

type ResultPayload = z.infer<typeof resultShape>
export type FailurePayload = z.infer<typeof failureShape>

/** Parses the payload of a completed run; undefined if it is malformed. */
export function readPayload(payload: string): z.infer<typeof payloadShape> | undefined {
  try {
    const raw: unknown = JSON.parse(payload)
    return plainSuccess(raw) ?? payloadShape.safeParse(raw).data
  } catch {
    return undefined
  }
}

/** The common payload, which takes the schema library longer to read than everything else about a short run. */
function plainSuccess(raw: unknown): { readonly ok: true; readonly result: ResultPayload } | undefined {
  const { ok, result } = Object(raw) as { readonly ok?: unknown; readonly result?: unknown }
  if (ok !== true) return undefined
  const { json, text, notes } = Object(result) as Record<keyof ResultPayload, unknown>
  if (notes !== undefined && !(Array.isArray(notes) && notes.length === 0)) return undefined
  if (typeof text !== 'string' || (json !== null && typeof json !== 'string')) return undefined
  return { ok, result: { json, text } }
}

/** The result of a completed run. Undefined if the run failed or its payload is malformed. */
export function resultOf(payload: string): (Outcome & { readonly ok: true }) | undefined {
  const outcome = readPayload(payload)
  if (outcome?.ok !== true) return undefined
  return outcome.result === undefined ? { ok: true } : { ok: true, result: outcome.result }
}
