// Keeps one upstream connected: attempts, backoff, heartbeat, idle rest. Its owner provides the rest as `Kept`.
//
// A server that fails or is lost is retried when it is needed and after backoff. A lazy server is connected on first
// use and disconnected after a while without calls.
// Invariant: there is at most one connection and one attempt, and after `close` neither, nor any timer.

import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import { backOffMs } from './back-off.js'
import type { ServerConfig } from './configuration/index.js'
import { Heartbeat } from './heartbeat.js'
import { LeadsToItself } from './itself.js'
import type { Link, Loss } from './link.js'
import type { LogLine } from './log.js'
import { type CalledTool, callNotMade, serverNeedsLogin, upstreamNotReady } from './messages.js'
import type { Starts } from './starts.js'

/**
 * `idle`: the server starts on demand. `degraded`: it is connected and does not answer pings. `needs-auth`: it requires
 * a login or other credentials.
 *
 * @example
 * import type { UpstreamState } from 'starbind'
 *
 * export const needsPerson = (state: UpstreamState) => state === 'needs-auth' || state === 'failed'
 */
export type UpstreamState =
  | 'idle'
  | 'connecting'
  | 'ready'
  | 'degraded'
  | 'needs-auth'
  | 'failed'
  | 'disabled'
  | 'closed'

/** The server that is kept connected. */
export interface Kept {
  /** The current entry. */
  readonly config: ServerConfig
  readonly connectTimeoutMs: number
  /** A connection that has not been made yet. It reports its loss to `lost`. */
  newLink(): Promise<Link>
  /**
   * Prepares a new connection for use. The resolved function commits the result, once the connection is the one in use.
   */
  prepare(link: Link, signal: AbortSignal): Promise<() => void>
  onReady(link: Link): void
  /** Stops all work over an ended connection. */
  onStopped(): void
  /** True while it must stay connected without calls. */
  isListenedTo(): boolean
  /** `reason`: see LogLine. */
  say(level: LogLine['level'], message: string, reason?: string): void
  /** A text without secrets. */
  hide(text: string): string
}

interface LifelineOptions {
  /** Turns for servers that start as processes. Default: all start at once. */
  readonly starts?: Starts | undefined
  /** Must resolve before this server may start. */
  readonly after: Promise<void>
}

/** After a failure, the server is not tried again within this time. */
const REST_MS = 1000
/** A connection that lasted this long resets the backoff. */
const LASTING_MS = 30_000
const PING_MS = 30_000
const PING_AGAIN_MS = 5000
/** The number of unanswered pings that ends a connection without pending calls. */
const PINGS_MISSED_MAX = 3
/** The time for which a lazy server stays connected without a call. */
const IDLE_MS = 300_000

const STARTING = 'it is still starting'

export class Lifeline {
  readonly #kept: Kept
  readonly #options: LifelineOptions
  #state: UpstreamState
  #reason = 'it is being started'
  /**
   * The server's own words about its failure. For operators, not for models: error streams contain all kinds of things.
   */
  #lastWords = ''
  /** The line of its output with the reason; empty if there is none. */
  #saidWhy = ''
  #link: Link | undefined
  #heartbeat: Heartbeat | undefined
  #attempt: Promise<void> | undefined
  #ended: Promise<void> | undefined
  readonly #closing = new AbortController()
  /** The number of consecutive failures, and the time of the last of them or of the current connection. */
  #failures = 0
  #failedAt = Number.NEGATIVE_INFINITY
  #readyAt = 0
  #retry: NodeJS.Timeout | undefined
  #callsUnderway = 0
  #idle: NodeJS.Timeout | undefined

  constructor(kept: Kept, options: LifelineOptions) {
    this.#kept = kept
    this.#options = options
    this.#state = 'connecting'
    this.#reason = STARTING
    if (kept.config.lazy === true) this.#enter('idle', 'it starts on demand')
    if (kept.config.disabled) this.#enter('disabled', 'it is disabled in the configuration')
  }

  get state(): UpstreamState {
    return this.#state
  }

  get reason(): string {
    return this.#reason
  }

  get lastWords(): string {
    return this.#lastWords
  }

  get saidWhy(): string {
    return this.#saidWhy
  }

  /** The current connection, or the last one. */
  get link(): Link | undefined {
    return this.#link
  }

  /** The current connection; undefined if there is none. */
  get standing(): Link | undefined {
    return this.#state === 'ready' || this.#state === 'degraded' ? this.#link : undefined
  }

  /** True if there were failures before the current connection. */
  get isBack(): boolean {
    return this.#failures > 0
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /** Connects, unless the server starts on demand. Resolves when it is ready or has failed; never rejects. */
  async start(): Promise<void> {
    if (this.#state !== 'idle') await this.connect()
  }

  /**
   * Connects, unless it is connected or has just failed. Resolves when the server is ready or has failed; never
   * rejects.
   */
  async connect(): Promise<void> {
    if (this.isClosed || !UNCONNECTED.has(this.#state)) return
    if (this.#attempt === undefined && performance.now() - this.#failedAt < REST_MS) return
    this.#attempt ??= this.#connectOnce().finally(() => {
      this.#attempt = undefined
    })
    await this.#attempt
  }

  /** A connection for a call. Rejects with the reason if there is none. */
  async reach(called: CalledTool, signal: AbortSignal | undefined): Promise<Link> {
    await unlessAborted(this.connect(), signal)
    if (signal?.aborted) throw new DiagnosticError(callNotMade(called))
    const link = this.standing
    if (link === undefined) throw new DiagnosticError(this.whyNot())
    return link
  }

  /** The reason why the server can't be called. */
  whyNot(): Diagnostic {
    const { name } = this.#kept.config
    if (this.#state === 'needs-auth') return serverNeedsLogin(name, this.#reason)
    return upstreamNotReady(name, this.#reason || this.#state)
  }

  /** A call lasts until the returned function is called: the server does not become idle meanwhile. */
  callBegins(): () => void {
    this.#callsUnderway++
    return () => {
      this.#callsUnderway--
      this.#restLater()
    }
  }

  /** The server has answered. */
  noteLife(): void {
    this.#failures = 0
    this.#heartbeat?.noteLife()
  }

  /** A connection has ended. */
  lost(link: Link, loss: Loss): void {
    if (this.#link === link && this.standing !== undefined) this.#lose(link, loss)
  }

  /** Ends the connection or the attempt to make one. Calls in flight fail. Resolves when nothing is left. */
  close(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end(): Promise<void> {
    this.#closing.abort()
    this.#stopTimers()
    if (this.#state !== 'failed' && this.#state !== 'disabled') this.#enter('closed', 'it was closed')
    await this.#options.after
    await this.#attempt
    await this.#link?.close()
  }

  #stopTimers(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#idle)
    this.#heartbeat?.stop()
    this.#kept.onStopped()
  }

  // Connecting.

  async #connectOnce(): Promise<void> {
    this.#stopTimers()
    this.#enter('connecting', this.#failures > 0 ? this.#reason : STARTING)
    // Two processes of one server may conflict over shared resources.
    await this.#options.after
    await this.#link?.close()
    const endTurn = this.#kept.config.connection.type === 'stdio' ? await this.#options.starts?.turn() : undefined
    try {
      await this.#handshake()
    } finally {
      endTurn?.()
    }
  }

  async #handshake(): Promise<void> {
    // Not AbortSignal.timeout: the SDK keeps listening after the connection stands and would then cancel finished
    // requests.
    const deadline = new AbortController()
    const giveUp = () => deadline.abort()
    const timer = setTimeout(giveUp, this.#kept.connectTimeoutMs)
    if (this.isClosed) giveUp()
    this.#closing.signal.addEventListener('abort', giveUp, { once: true })
    const link = await this.#kept.newLink()
    try {
      if (deadline.signal.aborted) return
      this.#link = link
      await link.connect(deadline.signal)
      const take = await this.#kept.prepare(link, deadline.signal)
      if (!this.isClosed) this.#succeed(link, take)
    } catch (error) {
      if (error instanceof LeadsToItself) return await this.#leaveOut(error, link)
      const { state, reason } = link.explain(error, deadline.signal.aborted)
      await link.close()
      if (!this.isClosed) this.#fail(state, reason, link)
    } finally {
      clearTimeout(timer)
      this.#closing.signal.removeEventListener('abort', giveUp)
    }
  }

  async #leaveOut({ message }: LeadsToItself, link: Link): Promise<void> {
    await link.close()
    if (this.isClosed) return
    this.#enter('disabled', message)
    this.#kept.say('warn', message)
  }

  #succeed(link: Link, take: () => void): void {
    this.#enter('ready', '')
    this.#lastWords = ''
    this.#saidWhy = ''
    this.#readyAt = performance.now()
    this.#failedAt = Number.NEGATIVE_INFINITY
    take()
    const { pingMs = PING_MS, connection } = this.#kept.config
    const isHere = connection.type === 'in-process' || connection.type === 'builtin'
    if (pingMs > 0 && !isHere) this.#heartbeat = this.#newPulse(link, pingMs)
    this.#restLater()
    this.#kept.onReady(link)
  }

  #newPulse(link: Link, pingMs: number): Heartbeat {
    return new Heartbeat({
      everyMs: pingMs,
      againMs: Math.min(pingMs, PING_AGAIN_MS),
      ask: () => link.ping(Math.min(pingMs, PING_AGAIN_MS)),
      onMissed: (missed) => {
        if (this.#link !== link || this.standing === undefined) return
        if (missed === 1) this.#kept.say('warn', 'it does not answer pings')
        this.#enter('degraded', `it has not answered ${missed} ping${missed === 1 ? '' : 's'}`)
        // A server that computes for a caller may be too busy for pings; the caller has a time limit of its own.
        if (missed >= PINGS_MISSED_MAX && this.#callsUnderway === 0) link.drop()
      },
      onBack: () => {
        if (this.#link === link && this.#state === 'degraded') this.#enter('ready', '')
      },
    })
  }

  #fail(state: 'failed' | 'needs-auth', reason: string, link: Link): void {
    const before = this.#reason
    this.#keepWords(link)
    this.#failedAt = performance.now()
    this.#enter(state, this.#kept.hide(reason))
    const line = ['is not available: ', this.#reason, this.#lastWords && `; ${this.#lastWords}`].join('')
    this.#kept.say(before === this.#reason ? 'debug' : 'warn', line, this.#reason)
    this.#retryLater()
  }

  #lose(link: Link, { state, reason }: Loss): void {
    if (performance.now() - this.#readyAt > LASTING_MS) this.#failures = 0
    this.#stopTimers()
    this.#keepWords(link)
    this.#enter(state, this.#kept.hide(reason))
    this.#kept.say('warn', [this.#reason, this.#lastWords && `; ${this.#lastWords}`].join(''))
    this.#retryLater()
  }

  /** The next attempt is a new link, which has received nothing yet. */
  #keepWords(link: Link): void {
    this.#lastWords = this.#kept.hide(link.lastWords)
    this.#saidWhy = this.#kept.hide(link.reasonLine)
  }

  #retryLater(): void {
    this.#failures++
    this.#retry = setTimeout(() => {
      this.#failedAt = Number.NEGATIVE_INFINITY
      void this.connect()
    }, backOffMs(this.#failures))
    // A pending retry keeps no process alive.
    this.#retry.unref()
  }

  /** Ends a lazy server after a while without calls. Its tools stay known. */
  #restLater(): void {
    clearTimeout(this.#idle)
    if (this.#kept.config.lazy !== true || this.standing === undefined || this.#callsUnderway > 0) return
    this.#idle = setTimeout(() => {
      if (this.standing === undefined || this.#callsUnderway > 0) return
      if (this.#kept.isListenedTo()) return this.#restLater()
      this.#stopTimers()
      this.#enter('idle', 'it starts on demand')
      this.#kept.say('debug', 'rests until it is needed')
      void this.#link?.close()
    }, this.#kept.config.idleMs ?? IDLE_MS)
    this.#idle.unref()
  }

  #enter(state: UpstreamState, reason: string): void {
    this.#state = state
    this.#reason = reason
  }
}

/** The states in which a connection may be made. */
const UNCONNECTED: ReadonlySet<UpstreamState> = new Set(['idle', 'connecting', 'failed', 'needs-auth'])

/** Resolves with the promise, or early when the signal aborts. */
async function unlessAborted(done: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return done
  let stop: (() => void) | undefined
  const aborted = new Promise<void>((resolve) => {
    stop = resolve
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', stop, { once: true })
  })
  await Promise.race([done, aborted])
  if (stop !== undefined) signal.removeEventListener('abort', stop)
}
