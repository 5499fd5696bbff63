// What a session over HTTP has to do because other replicas serve it, too: it passes on what concerns them, and hears
// what concerns it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { roughBytes } from '../../depth.js'
import type { Choice } from '../mcp-server.js'
import { BodyRefused } from '../unread.js'
import { StreamsElsewhere } from './followed-stream.js'
import { Followers } from './followers.js'
import type { Said, SessionLine } from './kept-sessions.js'
import { concernsAnother, type HttpTransport, isTagged, RelayedTransport } from './relayed-transport.js'
import { NEWS_STREAM, SharedEvents } from './shared-events.js'

interface SharedSessionOptions {
  readonly id: string
  readonly line: SessionLine
  /** True while a request of the caller is carried out here. */
  readonly carriesOut: (id: RequestId) => boolean
  /** The caller has chosen something at another replica. */
  readonly onChoice: (choice: Choice) => void
  /** The caller has ended the session at another replica. */
  readonly onEnded: () => void
  /** The caller is back on a stream of this replica, at another one; it has left again. */
  readonly onCome: () => void
  readonly onLeave: () => void
}

/** The maximum size of what one replica passes on to another. */
const MOST_PASSED_ON = 1024 * 1024
/** As many messages as the transport accepts in one body. */
const MOST_MESSAGES = 100

export class SharedSession {
  readonly events: SharedEvents
  readonly #options: SharedSessionOptions
  readonly #followers: Followers
  readonly #elsewhere: StreamsElsewhere
  #relayed: RelayedTransport | undefined
  /** The caller's stream for notifications is, or was last, at this replica. */
  #isListening = false

  constructor(options: SharedSessionOptions) {
    const { line, onCome, onLeave } = options
    this.#options = options
    this.events = new SharedEvents(line, (event) => this.#followers.tell(event))
    const onNewsLeft = () => {
      this.#isListening = false
    }
    this.#followers = new Followers({ line, events: this.events, onCome, onLeave, onNewsLeft })
    this.#elsewhere = new StreamsElsewhere(line)
    line.listen((said) => this.#hear(said))
  }

  /** The transport that knows the other replicas. */
  over(transport: HttpTransport): Transport {
    const { tag } = this.#options.line
    this.#relayed = new RelayedTransport(transport, { tag, isListening: () => this.#isListening })
    return this.#relayed
  }

  /** Passes messages of the caller on to the replicas that carry out their requests. */
  async passOn(body: unknown): Promise<void> {
    const { line, carriesOut } = this.#options
    const all = [body].flat()
    if (all.length > MOST_MESSAGES) return
    const messages = all.filter((message) => concernsAnother(message, { tag: line.tag, carriesOut }))
    if (messages.length === 0) return
    if (roughBytes(messages, MOST_PASSED_ON) > MOST_PASSED_ON)
      throw new BodyRefused(413, `an answer for another replica has more than ${MOST_PASSED_ON / 1024} KiB`)
    await line.tell({ type: 'messages', messages })
  }

  /** True if a request resumes a stream that another replica began. */
  resumesElsewhere({ method, headers }: IncomingMessage): boolean {
    const last = headers['last-event-id']
    return method === 'GET' && isTagged(last) && !last.startsWith(`${this.#options.line.tag}-`)
  }

  /** Prepares a stream for the transport. True: the stream is served, and the transport gets no request. */
  async listen(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { method, headers } = request
    if (method !== 'GET' || !headers.accept?.includes('text/event-stream')) return false
    const last = headers['last-event-id'] as string | undefined
    let stream = last === undefined ? NEWS_STREAM : this.events.after(last)?.stream
    if (last !== undefined && this.resumesElsewhere(request)) {
      const found = await this.#elsewhere.find(last)
      if (found !== undefined && found.stream !== NEWS_STREAM) {
        found.serve(response, this.#options.id)
        return true
      }
      found?.leave()
      stream = found?.stream ?? undefined
      if (found !== undefined) this.events.adopt(last, found.events)
    }
    if (stream !== NEWS_STREAM) return false
    // One replica tells the caller about changes.
    this.#isListening = true
    await this.#options.line.tell({ type: 'listening' }).catch(() => {})
    return false
  }

  close(): void {
    this.#followers.close()
    this.#elsewhere.close()
    this.#options.line.leave()
  }

  #hear(said: Said): void {
    const { line, onChoice, onEnded } = this.#options
    switch (said.type) {
      case 'messages':
        for (const message of said.messages) this.#relayed?.receive(message)
        return
      case 'listening':
        this.#isListening = false
        return
      case 'chosen':
        return onChoice(said.choice)
      case 'ended':
        return onEnded()
      case 'follow':
        if (said.to === line.tag) this.#followers.add(said.by, said.last)
        return
      case 'stays':
        return this.#followers.stay(said.by)
      case 'left':
        return this.#followers.leave(said.by)
      case 'events':
        return this.#elsewhere.hear(said)
    }
  }
}
