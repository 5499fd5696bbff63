// The recent events of one session, so that a caller can resume a broken stream (`Last-Event-ID`).
// Invariant: the number and bytes of events are bounded, and a stored event has all its successors stored.

import type { EventStore as Events } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { roughBytes } from '../depth.js'

export const MOST_EVENTS = 256
export const MOST_BYTES = 1024 * 1024

interface Event {
  readonly id: string
  readonly stream: string
  readonly message: JSONRPCMessage
  readonly bytes: number
}

export interface Later {
  readonly stream: string
  readonly events: readonly Pick<Event, 'id' | 'message'>[]
}

export class EventStore implements Events {
  #events: Event[] = []
  #bytes = 0
  #count = 0
  readonly #prefix: string

  /** `prefix`: the beginning of every id. */
  constructor(prefix = '') {
    this.#prefix = prefix
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const event = { id: `${this.#prefix}${++this.#count}`, stream, message, bytes: roughBytes(message, MOST_BYTES + 1) }
    this.#events.push(event)
    this.#bytes += event.bytes
    while (this.#events.length > MOST_EVENTS || this.#bytes > MOST_BYTES) this.#bytes -= this.#events.shift()!.bytes
    return event.id
  }

  /** Undefined for unknown events, and for those that are no longer stored. */
  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.after(id)?.stream
  }

  /** The events that followed on the same stream. Undefined as above. */
  after(last: string): Later | undefined {
    const at = this.#events.findIndex((event) => event.id === last)
    if (at < 0) return undefined
    const { stream } = this.#events[at]!
    return {
      stream,
      events: this.#events.slice(at + 1).filter((event) => event.stream === stream && 'jsonrpc' in event.message),
    }
  }

  async replayEventsAfter(
    last: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const later = this.after(last)
    if (later === undefined) throw new Error('this event is no longer stored')
    for (const { id, message } of later.events) await send(id, message)
    return later.stream
  }
}
