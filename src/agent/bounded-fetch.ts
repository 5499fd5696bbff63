// The fetch of a model's client: a reply comes in whole lines, within a bound, and not too slowly.
// Invariant: every byte is copied once, however a server cuts its reply into pieces.

import { modelReplyTooLong, modelTimedOut } from './messages.js'
import { ModelError } from './model-error.js'

export interface ReplyBounds {
  /** The endpoint, for messages. */
  readonly where: string
  readonly maxBytes: number
  /** The longest silence. */
  readonly timeoutMs: number
}

export function boundedFetch(bounds: ReplyBounds): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(wholeLines(response.body, bounds), { status, statusText, headers })
  }
}

/** The client's reader joins the pieces of a line anew for each piece, so it gets lines and no pieces. */
function wholeLines(body: ReadableStream<Uint8Array>, { where, maxBytes, timeoutMs }: ReplyBounds) {
  const reader = body.getReader()
  let held: Uint8Array[] = []
  let bytes = 0
  const next = async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ModelError(modelTimedOut(where, timeoutMs), 504)), timeoutMs)
    })
    try {
      return await Promise.race([reader.read(), late])
    } finally {
      clearTimeout(timer)
    }
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await next()
          if (done) {
            if (held.length > 0) controller.enqueue(Buffer.concat(held))
            return controller.close()
          }
          bytes += value.length
          if (bytes > maxBytes) throw new ModelError(modelReplyTooLong(where, maxBytes), 502)
          const end = value.lastIndexOf(LINE_FEED) + 1
          if (end === 0) held.push(value)
          else {
            controller.enqueue(Buffer.concat([...held, value.subarray(0, end)]))
            held = end < value.length ? [value.subarray(end)] : []
            return
          }
        }
      } catch (error) {
        controller.error(error)
        await reader.cancel().catch(() => {})
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

const LINE_FEED = 10
