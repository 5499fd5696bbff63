// Reads long server messages in a host worker. The worker replaces a long message by a short one that has the answer's
// data as one text. Its findings about that text are under a key that no server can know.
// Invariant: for a reader that does not look at its data, the message is unchanged.

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ToolOutcome } from '../../bindings/index.js'
import { type HostWorkers, openHostWorkers } from '../../sandbox/index.js'
import { bulkOf } from './bulk.js'

/** A worker's findings about the data of an answer. */
type ReadAnswer = NonNullable<ToolOutcome['read']> & {
  /** The data is nested too deep and is left out. */
  readonly isTooDeep?: boolean | undefined
}

/** The number of characters above which a worker reads a message. */
const LONG = 128 * 1024
const READ_MS = 20_000

/** The key for the findings in a message; random for each process. */
const KEY = `starbind/read-${randomUUID()}`

const readShape = z.object({
  structured: z.string().optional(),
  lone: z.string().optional(),
  isJson: z.array(z.boolean()),
  files: z.array(z.object({ sha256: z.string(), isBase64: z.boolean() }).nullable()).optional(),
  mark: z.string().optional(),
  sample: z.string().optional(),
  isTooDeep: z.boolean().optional(),
}) satisfies z.ZodType<ReadAnswer>

export class MessageReader {
  readonly #workers: HostWorkers

  constructor(
    workers = openHostWorkers({
      module: new URL('./large-message-work.js', import.meta.url).href,
      maxThreads: 2,
      maxWaiting: 10_000,
    }),
  ) {
    this.#workers = workers
  }

  /** The text in a form that is parsed quickly, or unchanged. The worker serves servers in turns. */
  lighten(text: string, server: string): string | Promise<string> {
    return text.length <= LONG ? text : this.#read(text, server)
  }

  close(): Promise<void> {
    return this.#workers.close()
  }

  async #read(text: string, group: string): Promise<string> {
    const request = { input: { text, key: KEY }, withinMs: 3 * READ_MS, workMs: READ_MS, group }
    const end = await this.#workers.run(request)
    return end.kind === 'done' && typeof end.value === 'string' ? end.value : text
  }
}

/** A worker's findings about an answer; undefined for answers that were parsed here. */
export function readAnswerIn(result: unknown): ReadAnswer | undefined {
  const read = typeof result === 'object' && result !== null ? (result as Record<string, unknown>)[KEY] : undefined
  return read === undefined ? undefined : readShape.safeParse(read).data
}

/**
 * An answer of this process, whose data is never parsed on its way. `text` is its text, `lone` the JSON of a result
 * that is not an object.
 */
export function writtenAnswer(
  text: string,
  { lone, structured = `{"result":${lone}}` }: { readonly lone?: string; readonly structured?: string },
): { content: { type: 'text'; text: string }[] } {
  const read: ReadAnswer = { structured, lone, isJson: [] }
  return { content: [{ type: 'text', text }], ...{ [KEY]: read } }
}

/** An answer with its data as its server sent it, for callers that receive all of it. */
export function wholeAnswer(result: unknown): unknown {
  const read = readAnswerIn(result)
  if (read === undefined) return result
  const { [KEY]: _, ...rest } = result as Readonly<Record<string, unknown>>
  if (read.structured === undefined) return rest
  const { content } = rest as { readonly content?: readonly unknown[] }
  const whole = (_: string, value: unknown) => {
    const isMark = read.mark !== undefined && typeof value === 'string' && value.startsWith(read.mark)
    return isMark ? bulkOf(content?.[Number(value.slice(read.mark.length + 1))]) : value
  }
  return { ...rest, structuredContent: JSON.parse(read.structured, read.mark === undefined ? undefined : whole) }
}
