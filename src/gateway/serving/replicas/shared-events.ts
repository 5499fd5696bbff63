// The recent events of a session that several replicas serve. Those of requests that can be resumed, and of the stream
// for notifications, are written to the store as well, for the time after this replica.
// Invariant: sending an event never waits for the store.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { roughBytes } from '../../depth.js'
import { EventStore, type Later, MOST_BYTES, MOST_EVENTS } from '../event-store.js'
import type { SessionLine } from './kept-sessions.js'

/** The SDK's name of the stream for messages that belong to no request. */
export const NEWS_STREAM = '_GET_stream'

export interface SharedEvent {
  readonly id: string
  readonly stream: string
  readonly message: JSONRPCMessage
  /** The requests of the stream that are not answered yet. */
  readonly open: readonly RequestId[]
  /** The process that carries them out. */
  readonly process: string
}

/** The requests in the body that the transport accepts now. */
const accepted = new AsyncLocalStorage<readonly RequestId[]>()

/** The streams that `accept` begins are those of these requests. */
export function accepting<T>(requests: readonly RequestId[], accept: () => T): T {
  return accepted.run(requests, accept)
}

export class SharedEvents extends EventStore {
  readonly #line: SessionLine
  readonly #onStored: (event: SharedEvent) => void
  /** By the streams that can be resumed. */
  readonly #open = new Map<string, readonly RequestId[]>()
  #adopted: { readonly last: string; readonly events: Later['events'] } | undefined
  #written: Promise<void> = Promise.resolve()
  #unwritten = 0

  constructor(line: SessionLine, onStored: (event: SharedEvent) => void) {
    super(`${line.tag}-`)
    this.#line = line
    this.#onStored = onStored
  }

  override async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = await super.storeEvent(stream, message)
    const requests = accepted.getStore()
    // The first event of a stream that can be resumed is empty.
    if (!('jsonrpc' in message) && requests !== undefined) this.#open.set(stream, requests)
    const before = this.#open.get(stream)
    if (before === undefined && stream !== NEWS_STREAM) return id
    const answered = 'id' in message && !('method' in message) ? message.id : undefined
    const open = (before ?? []).filter((one) => one !== answered)
    if (open.length > 0) this.#open.set(stream, open)
    else this.#open.delete(stream)
    const event = { id, stream, message, open, process: this.#line.processId }
    this.#onStored(event)
    this.#write(event)
    return id
  }

  /** The requests of a stream that are not answered yet. */
  openIn(stream: string): readonly RequestId[] {
    return this.#open.get(stream) ?? []
  }

  /** The next caller that resumes after `last` gets the events of another replica, on the stream for notifications. */
  adopt(last: string, events: Later['events']): void {
    this.#adopted = { last, events }
  }

  override after(last: string): Later | undefined {
    const { last: adopted, events = [] } = this.#adopted ?? {}
    return last === adopted ? { stream: NEWS_STREAM, events } : super.after(last)
  }

  #write(event: SharedEvent): void {
    if (this.#unwritten >= MOST_EVENTS || roughBytes(event.message, MOST_BYTES) > MOST_BYTES) return
    this.#unwritten++
    const text = JSON.stringify(event)
    this.#written = this.#written
      .then(() => this.#line.record(text, { most: MOST_EVENTS, mostBytes: MOST_BYTES }))
      .catch(() => {})
      .finally(() => this.#unwritten--)
  }
}
