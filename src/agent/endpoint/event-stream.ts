// A stream of server-sent events to one client.
// Invariant: what a client does not read stays within a bound, and a stream ends once.

import type { ServerResponse } from 'node:http'

/** A client with more unread bytes is dropped: what servers report of calls can't be held back. */
const MOST_UNREAD = 4 * 1024 * 1024

export class EventStream {
  readonly #response: ServerResponse
  #room: Promise<void> | undefined

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** True as soon as the status is sent. */
  get isOpen(): boolean {
    return this.#response.headersSent
  }

  /** Resolves when the client has read, or is gone; undefined: it can take more now. */
  room(): Promise<void> | undefined {
    const response = this.#response
    if (!response.writableNeedDrain || response.destroyed) return undefined
    this.#room ??= new Promise((resolve) => {
      const go = () => {
        response.off('drain', go).off('close', go)
        this.#room = undefined
        resolve()
      }
      response.on('drain', go).on('close', go)
    })
    return this.#room
  }

  /** Sends one event; `name` for clients that expect names. */
  send(payload: unknown, name?: string): void {
    this.#write(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(payload)}\n\n`)
  }

  /** Ends the stream with the mark that clients of chat completions wait for, or without it. */
  end(mark?: '[DONE]'): void {
    if (mark !== undefined) this.#write(`data: ${mark}\n\n`)
    this.#response.end()
  }

  #write(text: string): void {
    const response = this.#response
    if (response.destroyed || response.writableEnded) return
    if (!response.headersSent)
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-cache, no-transform',
        'X-Content-Type-Options': 'nosniff',
        // Proxies that collect a stream would hold it back.
        'X-Accel-Buffering': 'no',
      })
    // One piece may be longer than that.
    if (response.writableLength > MOST_UNREAD) response.destroy()
    else response.write(text)
  }
}
