// The sessions of a deployment with several replicas: each replica can go on with a session that another one opened.
// A session is a document, and its replicas tell each other what concerns all of them.
// Invariant: only its owner finds a session.

import { createHash } from 'node:crypto'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { Deployment, JournalBounds } from '../../../state/index.js'
import { roughBytes } from '../../depth.js'
import type { RequestHeaders } from '../../filter.js'
import type { Params } from '../../params.js'
import type { Choice } from '../mcp-server.js'
import { BodyRefused } from '../unread.js'

/** What a replica needs to go on with a session. */
interface KeptSession {
  /** The digest of its owner's key; null: it has none. */
  readonly owner: string | null
  /** The only visible server. */
  readonly only: string | null
  /** The parameters of the `initialize` request. */
  readonly initialize: Params
  /** The headers with which the caller chose its tools. No credentials. */
  readonly headers: RequestHeaders
  readonly openedAt: number
  readonly choices: readonly Choice[]
}

/** What one replica tells the others about a session. */
export type Said =
  /** Messages of the caller for a request that another replica carries out. */
  | { readonly type: 'messages'; readonly messages: readonly JSONRPCMessage[] }
  /** The caller's stream for notifications is here now. */
  | { readonly type: 'listening' }
  | { readonly type: 'chosen'; readonly choice: Choice }
  | { readonly type: 'ended' }
  /** A caller is back: the replica `to` sends what came after the event `last`, and what comes, to the follower `by`. */
  | { readonly type: 'follow'; readonly to: string; readonly by: string; readonly last: string }
  | { readonly type: 'stays' | 'left'; readonly by: string }
  | StreamNews

export interface StreamNews {
  readonly type: 'events'
  readonly by: string
  /** Null: the event is no longer stored. */
  readonly stream: string | null
  readonly events: readonly { readonly id: string; readonly message: JSONRPCMessage }[]
  /** The requests of the stream that are not answered yet. */
  readonly open: readonly RequestId[]
  /** The process that carries them out. */
  readonly process: string
}

const MOST_INITIALIZE = 64 * 1024
const MOST_CHOICES = 256
const LONGEST_CHOICE = 2048
/** How often a session that is used is kept for longer. */
const RENEW_MS = 10_000

export class KeptSessions {
  readonly #deployment: Deployment
  readonly #ttlMs: number
  /** Names this replica in ids that callers see. */
  readonly #tag: string

  constructor(deployment: Deployment, idleMs: number) {
    this.#deployment = deployment
    this.#ttlMs = idleMs + RENEW_MS
    this.#tag = createHash('sha256').update(deployment.processId).digest('hex').slice(0, 12)
  }

  /** Rejects with a DiagnosticError if it can't be kept. */
  async open(id: string, { initialize, ...kept }: Omit<KeptSession, 'choices' | 'openedAt'>): Promise<SessionLine> {
    if (roughBytes(initialize, MOST_INITIALIZE) > MOST_INITIALIZE)
      throw new BodyRefused(413, `initialize has more than ${MOST_INITIALIZE / 1024} KiB`)
    const { protocolVersion, capabilities, clientInfo } = initialize
    const own = { protocolVersion, capabilities, clientInfo }
    const line = this.#line(id, { ...kept, initialize: own, openedAt: Date.now(), choices: [] })
    await line.keep()
    await line.join()
    return line
  }

  /** Rejects with a DiagnosticError if the store can't be asked. */
  async find(id: string, owner: string | undefined): Promise<SessionLine | undefined> {
    if (!SESSION_ID.test(id)) return undefined
    const text = await this.#deployment.documents.read(documentOf(id))
    if (text === undefined) return undefined
    const kept = JSON.parse(text) as KeptSession
    if (kept.owner !== (owner ?? null)) return undefined
    const line = this.#line(id, kept)
    await line.join()
    return line
  }

  #line(id: string, kept: KeptSession): SessionLine {
    return new SessionLine({ id, kept, deployment: this.#deployment, ttlMs: this.#ttlMs, tag: this.#tag })
  }
}

/** Ids are made by `randomUUID`; the store is asked for no other. */
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const documentOf = (id: string) => `session:${id}`

interface LineOptions {
  readonly id: string
  readonly kept: KeptSession
  readonly deployment: Deployment
  readonly ttlMs: number
  readonly tag: string
}

/** One session, as far as other replicas know it. */
export class SessionLine {
  readonly tag: string
  readonly #options: LineOptions
  #kept: KeptSession
  #renewedAt = Number.NEGATIVE_INFINITY
  #leave: () => void = () => {}
  #hear: (said: Said) => void = () => {}

  constructor(options: LineOptions) {
    this.#options = options
    this.#kept = options.kept
    this.tag = options.tag
  }

  get kept(): KeptSession {
    return this.#kept
  }

  get processId(): string {
    return this.#options.deployment.processId
  }

  isAlive(processId: string): Promise<boolean> {
    return this.#options.deployment.isAlive(processId)
  }

  /** Keeps an event for the other replicas. Rejects with a DiagnosticError. */
  async record(event: string, bounds: Omit<JournalBounds, 'ttlMs'>): Promise<void> {
    const { id, deployment, ttlMs } = this.#options
    await deployment.journals.add(documentOf(id), event, { ...bounds, ttlMs })
  }

  /** The events that all replicas have kept, the oldest first. */
  recorded(): Promise<readonly string[]> {
    return this.#options.deployment.journals.read(documentOf(this.#options.id))
  }

  async join(): Promise<void> {
    const { id, deployment, tag } = this.#options
    this.#leave = await deployment.channels.listen(documentOf(id), (text) => {
      const { from, ...said } = JSON.parse(text) as Said & { readonly from: string }
      if (from === tag) return
      if (said.type === 'chosen') this.#note(said.choice)
      this.#hear(said)
    })
  }

  leave(): void {
    this.#leave()
  }

  /** `listener` gets what other replicas say, until `leave`. */
  listen(listener: (said: Said) => void): void {
    this.#hear = listener
  }

  /** Rejects with a DiagnosticError if the store can't be asked. */
  async tell(said: Said): Promise<void> {
    const { id, deployment, tag } = this.#options
    await deployment.channels.publish(documentOf(id), JSON.stringify({ from: tag, ...said }))
  }

  /** Called while the session is used. Never rejects. */
  renew(): void {
    if (performance.now() - this.#renewedAt < RENEW_MS) return
    this.keep().catch(() => {})
  }

  async keep(): Promise<void> {
    this.#renewedAt = performance.now()
    const { id, deployment, ttlMs } = this.#options
    await deployment.documents.write(documentOf(id), JSON.stringify(this.#kept), { ttlMs })
  }

  /** Makes a choice hold at every replica. While the store is gone, it holds here only. */
  async choose(choice: Choice): Promise<void> {
    if (roughBytes(choice, LONGEST_CHOICE) > LONGEST_CHOICE) return
    this.#note(choice)
    await Promise.all([this.keep(), this.tell({ type: 'chosen', choice })]).catch(() => {})
  }

  /** Ends the session at every replica. */
  async end(): Promise<void> {
    const { id, deployment } = this.#options
    await deployment.documents.remove(documentOf(id))
    await this.tell({ type: 'ended' })
  }

  #note({ method, params }: Choice): void {
    const replaced = (other: Choice) =>
      method === 'logging/setLevel' ? other.method === method : other.params.uri === params.uri
    const others = this.#kept.choices.filter((other) => !replaced(other))
    const choices = method === 'resources/unsubscribe' ? others : [...others, { method, params }]
    this.#kept = { ...this.#kept, choices: choices.slice(-MOST_CHOICES) }
  }
}
