// The body of a request, as long as it may be. Invariant: no more than that is ever held.

import type { IncomingMessage } from 'node:http'

export class BodyTooLong extends Error {}

/** Rejects with BodyTooLong as soon as the body turns out to be longer. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLong = () => new BodyTooLong(`the body is longer than ${maxBytes} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLong()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw tooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
