// A stream that a caller resumes here, although another replica carries out its requests: what that one sends is passed
// on. If it is gone, what it has stored is sent, and its open requests fail.
// Invariant: every event is sent once, in order, and no request is left without an answer.

import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { replicaGone } from '../../messages.js'
import { errorCodes } from '../../protocol-error.js'
import { STAY_MS } from './followers.js'
import type { SessionLine, StreamNews } from './kept-sessions.js'
import type { SharedEvent } from './shared-events.js'

const ASK_MS = 500
/** A replica without an answer for this long is gone, too. Longer than its lease. */
const PATIENCE_MS = 20_000
/** The same for events of which nothing is stored. */
const UNKNOWN_MS = 2_000

/** The streams of other replicas that callers resume here. */
export class StreamsElsewhere {
  readonly #line: SessionLine
  readonly #followed = new Map<string, FollowedStream>()

  constructor(line: SessionLine) {
    this.#line = line
  }

  hear(news: StreamNews): void {
    this.#followed.get(news.by)?.hear(news)
  }

  close(): void {
    for (const stream of this.#followed.values()) stream.end()
  }

  /** The stream of an event. Undefined: the event is no longer stored. */
  async find(last: string): Promise<FollowedStream | undefined> {
    const by = `${this.#line.tag}.${randomUUID()}`
    const stream = new FollowedStream(this.#line, { by, last, onEnd: () => this.#followed.delete(by) })
    this.#followed.set(by, stream)
    const isFound = await stream.ask()
    if (isFound) return stream
    stream.leave()
    return undefined
  }
}

interface FollowedOptions {
  readonly by: string
  readonly last: string
  readonly onEnd: () => void
}

class FollowedStream {
  readonly #line: SessionLine
  readonly #options: FollowedOptions
  /** Those that were sent, or wait for it. */
  readonly #known = new Set<string>()
  readonly #waiting: { readonly id: string; readonly message: JSONRPCMessage }[] = []
  #stream: string | null | undefined
  #open: readonly RequestId[] = []
  #process: string | undefined
  #wake: () => void = () => {}
  #send: (() => void) | undefined
  #response: ServerResponse | undefined

  constructor(line: SessionLine, options: FollowedOptions) {
    this.#line = line
    this.#options = options
  }

  get stream(): string | null | undefined {
    return this.#stream
  }

  /** The events until now. */
  get events(): readonly { readonly id: string; readonly message: JSONRPCMessage }[] {
    return this.#waiting
  }

  hear({ stream, events, open, process }: Omit<StreamNews, 'by' | 'type'>): void {
    this.#stream = stream
    this.#open = open
    this.#process = process
    for (const event of events) {
      if (this.#known.has(event.id)) continue
      this.#known.add(event.id)
      this.#waiting.push(event)
    }
    this.#wake()
    this.#send?.()
  }

  /** Resolves when the other replica has answered, or with what it has stored if it is gone. */
  async ask(): Promise<boolean> {
    const { by, last } = this.#options
    const { process } = (await this.#stored()).at(-1) ?? {}
    const patienceMs = process === undefined ? UNKNOWN_MS : PATIENCE_MS
    for (const until = performance.now() + patienceMs; performance.now() < until; ) {
      await this.#line.tell({ type: 'follow', to: last.split('-')[0]!, by, last })
      await this.#woken(ASK_MS)
      if (this.#stream !== undefined) return this.#stream !== null
      if (process !== undefined && !(await this.#line.isAlive(process))) break
    }
    return this.#takeOver()
  }

  /** Sends everything to the caller, until the requests of the stream are answered. */
  serve(response: ServerResponse, session: string): void {
    // The caller may have left in the meantime.
    if (response.destroyed) return this.leave()
    this.#response = response
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      'Mcp-Session-Id': session,
    })
    response.flushHeaders()
    this.#send = () => {
      for (const { id, message } of this.#waiting.splice(0))
        response.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`)
      if (this.#open.length === 0) response.end()
    }
    const timer = setInterval(() => {
      response.write(': keepalive\n\n')
      void this.#stay().catch(() => {})
    }, STAY_MS)
    response.once('close', () => {
      clearInterval(timer)
      this.leave()
    })
    this.#send()
  }

  end(): void {
    this.#response?.end()
  }

  leave(): void {
    const { by, onEnd } = this.#options
    onEnd()
    this.#line.tell({ type: 'left', by }).catch(() => {})
  }

  async #stay(): Promise<void> {
    await this.#line.tell({ type: 'stays', by: this.#options.by })
    if (this.#process === undefined || (await this.#line.isAlive(this.#process))) return
    await this.#takeOver()
  }

  /** Ends the stream in the name of a replica that is gone. */
  async #takeOver(): Promise<boolean> {
    const rest = await this.#stored()
    const latest = rest.at(-1)
    if (latest === undefined && this.#process === undefined) return false
    const { stream, process, open } = latest ?? { stream: this.#stream!, process: this.#process!, open: this.#open }
    const stored = rest.slice(1).filter(({ message }) => 'jsonrpc' in message)
    const failed = open.map((id) => ({ id: `${this.#options.last}-${id}`, message: failure(id) }))
    this.hear({ stream, process, open: [], events: [...stored, ...failed] })
    return true
  }

  /** What the other replica has stored of this stream, from the last event that the caller has. */
  async #stored(): Promise<SharedEvent[]> {
    const all = (await this.#line.recorded()).map((text) => JSON.parse(text) as SharedEvent)
    const at = all.findIndex(({ id }) => id === this.#options.last)
    return at < 0 ? [] : all.slice(at).filter(({ stream }) => stream === all[at]!.stream)
  }

  async #woken(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }
}

function failure(id: RequestId): JSONRPCMessage {
  const [{ class: kind, code, message, hint }] = [replicaGone()]
  return {
    jsonrpc: '2.0',
    id,
    error: { code: errorCodes.internalError, message: `${kind} [${code}] ${message}\nhint: ${hint}` },
  }
}
