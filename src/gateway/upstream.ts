// One upstream: an MCP server that we call, through all the connections it takes. Knows this server's state and its tools; knows neither the
// other upstreams nor who calls. Nothing that a server sends is trusted: each tool is checked on its own and set aside with a reason when it
// is malformed.
//
// A server that fails or is lost is tried again: at the next call or listing, and by itself after waits that grow. Its tools stay known
// meanwhile. One that was started lazily is started at the first listing or call, and rests after a while without calls.
// Invariant: there is at most one connection and one attempt to make one, and after `close` neither, nor any timer.

import type { QuarantinedTool, ToolOutcome, ToolServer } from '../bindings/index.js'
import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import { backOffMs } from './back-off.js'
import type { CallerEnd } from './caller-end.js'
import { ServerCatalogue } from './catalogue.js'
import type { Connection, ServerConfig } from './configuration/index.js'
import { type CallEnd, Link, type RefusalEntry } from './link.js'
import { Listing } from './listing.js'
import type { Log, LogLine } from './log.js'
import {
  type CalledTool,
  callCancelled,
  callNotMade,
  callRefused,
  callTimedOut,
  connectionLost,
  serverNeedsLogin,
  upstreamNotReady,
} from './messages.js'
import { passedHeaders } from './passed-headers.js'
import { Pulse } from './pulse.js'
import { Secrets } from './secrets.js'
import type { Starts } from './starts.js'
import { outcomeOf } from './tool-answer.js'
import type { TraceCarrier } from './trace.js'

/**
 * `idle`: it is started when it is needed. `degraded`: it is connected and does not answer when it is asked how it is. `needs-auth`: it wants a
 * person to log in, or better credentials.
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

export interface UpstreamOptions {
  readonly log: Log
  readonly version: string
  readonly connectTimeoutMs: number
  /** True: callers may be able to answer servers' own requests (sampling, elicitation). Default false. */
  readonly callersAnswer?: boolean
  readonly onNotification?: NotificationListener
  /** Is told whenever a server has a new connection. What callers had set up over the old one is gone. */
  readonly onConnected?: (server: string) => void
  /** Whether somebody waits for what a server tells by itself. Such a server does not rest. */
  readonly isListenedTo?: (server: string) => boolean
  /** Turns for servers that start as processes. Default: all start at once. */
  readonly starts?: Starts
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** The trace that the request belongs to: sent in its `_meta`, and where the connection has headers, in those. */
  readonly trace?: TraceCarrier
  /** Whom the server may ask and tell things meanwhile. */
  readonly caller?: CallerEnd
  /** The headers of the caller's own request, names in small letters. Those that the server's entry lists go along. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Is told of progress; the server is then asked for it. */
  readonly onProgress?: (progress: Readonly<Record<string, unknown>>) => void
}

/** The server's own refusal. */
export class RefusalError extends DiagnosticError {
  readonly refusal: RefusalEntry

  constructor(diagnostic: Diagnostic, refusal: RefusalEntry) {
    super(diagnostic)
    this.refusal = refusal
  }
}

/** Is told what a server says of itself to all callers, such as `notifications/resources/updated`. */
export type NotificationListener = (server: string, method: string, params: Readonly<Record<string, unknown>>) => void

/**
 * How one upstream is, for people.
 *
 * @example
 * import { CodeMode, type ServerStatus } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const waiting: ServerStatus[] = codeMode.servers.status().filter(({ state }) => state !== 'ready')
 * for (const { name, state, reason } of waiting) console.error(name, state, reason)
 */
export interface ServerStatus {
  readonly name: string
  readonly state: UpstreamState
  /** Why it is not ready; empty when it is. */
  readonly reason: string
  /** What the server itself said about that, for people; may be empty. */
  readonly lastWords: string
  /** Names of the tools that may be called, those of a lost server that is being reconnected included. */
  readonly tools: readonly string[]
  /** Tools that it offers and that can't be used. */
  readonly quarantined: readonly QuarantinedTool[]
}

const CALL_TIMEOUT_MS = 60_000
/** Asked for in vain, a server is not asked for again within this time. */
const REST_MS = 1000
/** A connection that lasted so long was a good one. */
const LASTING_MS = 30_000
const PING_MS = 30_000
const PING_AGAIN_MS = 5000
/** So many unanswered pings end a connection that nobody waits for. */
const PINGS_MISSED_MAX = 3
/** For servers that can't say that their tools have changed. */
const POLL_MS = 300_000
/** How long a server that is started lazily stays without a call. */
const IDLE_MS = 300_000

export class Upstream {
  readonly #options: UpstreamOptions
  readonly #after: Promise<void>
  readonly #catalogue = new ServerCatalogue()
  readonly #listing = new Listing(() => this.#list())
  #config: ServerConfig
  #secrets: Secrets
  #state: UpstreamState
  #reason = 'it is being started'
  /** What the server itself said about that. For the people who run it, not for models: error streams hold all kinds of things. */
  #lastWords = ''
  /** The connection at hand, or the last one. */
  #link: Link | undefined
  #capabilities: Readonly<Record<string, unknown>> = {}
  #pulse: Pulse | undefined
  #attempt: Promise<void> | undefined
  #ended: Promise<void> | undefined
  readonly #closing = new AbortController()
  /** In a row, and since when the last of them or the connection at hand. */
  #failures = 0
  #failedAt = Number.NEGATIVE_INFINITY
  #readyAt = 0
  #retry: NodeJS.Timeout | undefined
  #callsUnderway = 0
  #idle: NodeJS.Timeout | undefined

  /** `after`: what has to be over before this server may start, such as the end of the one that it replaces. */
  constructor(config: ServerConfig, options: UpstreamOptions, after: Promise<void> = Promise.resolve()) {
    this.#config = config
    this.#secrets = this.#secretsOf(config)
    this.#options = options
    this.#after = after
    this.#state = 'connecting'
    this.#warnOfConsent()
    if (config.lazy === true) this.#enter('idle', 'it is started when it is needed')
    if (config.disabled) this.#enter('disabled', 'it is disabled in the configuration')
  }

  get config(): ServerConfig {
    return this.#config
  }

  get state(): UpstreamState {
    return this.#state
  }

  get reason(): string {
    return this.#reason
  }

  /** The tools that may be called: the same object until they change. Absent until they are known, and when the server is disabled or closed. */
  get server(): ToolServer | undefined {
    return this.#catalogue.server
  }

  status(): ServerStatus {
    return {
      name: this.#config.name,
      state: this.#state,
      reason: this.#reason,
      lastWords: this.#lastWords,
      tools: this.server?.tools.map((tool) => tool.name) ?? [],
      quarantined: this.#catalogue.quarantined,
    }
  }

  /** Connects, unless that has to wait until the server is needed. Resolves when it is ready or has failed; never rejects. */
  async start(): Promise<void> {
    if (this.#state !== 'idle') await this.connect()
  }

  /** Connects, unless that is done or was found to be useless a moment ago. Resolves when the server is ready or has failed; never rejects. */
  async connect(): Promise<void> {
    if (this.#isClosed || !UNCONNECTED.has(this.#state)) return
    if (this.#attempt === undefined && performance.now() - this.#failedAt < REST_MS) return
    this.#attempt ??= this.#connectOnce().finally(() => {
      this.#attempt = undefined
    })
    await this.#attempt
  }

  /** Resolves when the tools are known and as the server last said. Never rejects. */
  async settled(): Promise<void> {
    if (this.#state === 'idle' && this.server === undefined) await this.connect()
    await this.#listing.settled()
  }

  /** Calls a tool, over a new connection if the old one is gone. Rejects with a DiagnosticError when no answer came. */
  async call(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<ToolOutcome> {
    const called = this.#calledTool(name)
    const raw = await this.#ask('tools/call', { name, arguments: args }, called, options)
    return outcomeOf(this.#secrets.hideCredentials(raw), called)
  }

  /** Calls a tool, as `call` does, with parameters and an answer that are as the protocol carries them. */
  async callAsIs(name: string, params: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<unknown> {
    const raw = await this.#ask('tools/call', { ...params, name }, this.#calledTool(name), options)
    return this.#secrets.hideCredentials(raw)
  }

  /** Asks for anything else that the protocol has, such as `resources/read`. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<unknown> {
    const called = { server: this.#config.name, tool: method, isReadOnly: true }
    return this.#secrets.hideCredentials(await this.#ask(method, params, called, options))
  }

  /** What the server can do, in the protocol's words, as it last said; nothing before that. */
  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#capabilities
  }

  /** True when it can be asked at once. */
  get isConnected(): boolean {
    return this.#standing() !== undefined
  }

  /** A tool as the server lists it, whatever it says of it. Undefined when it may not be called. */
  entryOf(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#catalogue.entryOf(name)
  }

  #calledTool(name: string): CalledTool {
    const tool = this.server?.tools.find((tool) => tool.name === name)
    return { server: this.#config.name, tool: name, isReadOnly: tool?.annotations?.readOnlyHint === true }
  }

  async #ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    called: CalledTool,
    options: CallOptions,
  ): Promise<unknown> {
    const { trace } = options
    const sent =
      trace === undefined ? params : { ...params, _meta: { ...(params._meta as object | undefined), ...trace } }
    const timeoutMs = options.timeoutMs ?? this.#config.timeoutMs ?? CALL_TIMEOUT_MS
    const asking = {
      ...options,
      timeoutMs,
      headers: { ...trace, ...passedHeaders(this.#config.passHeaders ?? [], options.headers) },
    }
    const once = async (): Promise<CallEnd> => {
      const link = this.#standing() ?? (await this.#reach(called, options.signal))
      return link.ask(method, sent, asking)
    }
    this.#callsUnderway++
    try {
      let end = await once()
      // What the server has surely not seen may be sent again.
      if (end.kind === 'unsent') end = await once()
      return this.#rawAnswer(end, called, timeoutMs)
    } finally {
      this.#callsUnderway--
      this.#restLater()
    }
  }

  #rawAnswer(end: CallEnd, called: CalledTool, timeoutMs: number): unknown {
    switch (end.kind) {
      case 'answered':
        this.#failures = 0
        this.#pulse?.noteLife()
        return end.raw
      case 'refused': {
        const refusal = { ...end.error, message: this.#secrets.hide(end.error.message) }
        throw new RefusalError(
          callRefused(called, this.#secrets.hide(end.words)),
          this.#secrets.hideCredentials(refusal),
        )
      }
      case 'timed-out':
        throw new DiagnosticError(callTimedOut(called, timeoutMs))
      case 'cancelled':
        throw new DiagnosticError(callCancelled(called))
      case 'lost':
        throw new DiagnosticError(connectionLost(called))
      case 'unsent':
      case 'unauthorized':
        throw new DiagnosticError(this.whyNot())
    }
  }

  /** Takes what may change under a standing connection. False, and nothing happens, when a new connection is needed for it. */
  reconfigure(config: ServerConfig): boolean {
    const { name, disabled, connection } = this.#config
    const isSame =
      config.name === name && config.disabled === disabled && isSameConnection(config.connection, connection)
    if (this.#isClosed || !isSame) return false
    this.#config = config
    this.#secrets = this.#secretsOf(config)
    this.#warnOfConsent()
    this.#catalogue.show(config)
    this.#tellChange()
    return true
  }

  /** Ends the connection or the attempt to make one. Calls in flight fail. Resolves when nothing is left. */
  close(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  async #end(): Promise<void> {
    this.#closing.abort()
    this.#stopTimers()
    if (this.#state !== 'failed' && this.#state !== 'disabled') this.#enter('closed', 'it was closed')
    this.#catalogue.forget()
    await this.#after
    await this.#attempt
    await this.#link?.close()
    await this.#listing.over()
  }

  #stopTimers(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#idle)
    this.#pulse?.stop()
    this.#listing.rest()
  }

  // Connecting.

  async #connectOnce(): Promise<void> {
    this.#stopTimers()
    this.#enter('connecting', this.#reason)
    // Two processes of one server may be one too many for what they share.
    await this.#after
    await this.#link?.close()
    const endTurn = this.#config.connection.type === 'stdio' ? await this.#options.starts?.turn() : undefined
    try {
      await this.#handshake()
    } finally {
      endTurn?.()
    }
  }

  async #handshake(): Promise<void> {
    // Not AbortSignal.timeout: the SDK goes on listening after the connection stands and would then cancel what is long over.
    const deadline = new AbortController()
    const giveUp = () => deadline.abort()
    const timer = setTimeout(giveUp, this.#connectTimeoutMs)
    if (this.#isClosed) giveUp()
    this.#closing.signal.addEventListener('abort', giveUp, { once: true })
    const link = this.#newLink()
    try {
      if (deadline.signal.aborted) return
      this.#link = link
      await link.connect(deadline.signal)
      const asked = this.#catalogue.ask()
      const raw = await link.listTools(deadline.signal)
      if (!this.#isClosed) this.#succeed(link, raw, asked)
    } catch (error) {
      const state = link.refusesUs(error) ? 'needs-auth' : 'failed'
      const reason = link.explain(error, deadline.signal.aborted)
      await link.close()
      if (!this.#isClosed) this.#fail(state, reason, link)
    } finally {
      clearTimeout(timer)
      this.#closing.signal.removeEventListener('abort', giveUp)
    }
  }

  get #connectTimeoutMs(): number {
    return this.#config.connectTimeoutMs ?? this.#options.connectTimeoutMs
  }

  #newLink(): Link {
    const link: Link = new Link(this.#config, {
      version: this.#options.version,
      connectTimeoutMs: this.#connectTimeoutMs,
      callersAnswer: this.#options.callersAnswer ?? false,
      roots: () => this.#config.roots ?? [],
      onStderr: (line) => this.#say('info', line),
      onOddity: (what) => this.#say('debug', what),
      onLog: (level, words) => this.#say(level, words),
      onToolsChanged: () => {
        if (this.#link === link) this.#listing.noteChange()
      },
      onNotification: (method, params) => this.#options.onNotification?.(this.#config.name, method, params),
      onLost: (needsAuth) => {
        if (this.#link === link && this.#standing() !== undefined) this.#lose(link, needsAuth)
      },
    })
    return link
  }

  #succeed(link: Link, raw: readonly unknown[], asked: number): void {
    this.#enter('ready', '')
    this.#lastWords = ''
    this.#capabilities = link.capabilities
    this.#readyAt = performance.now()
    this.#failedAt = Number.NEGATIVE_INFINITY
    this.#take(link, raw, asked)
    const { pollMs, pingMs = PING_MS, connection } = this.#config
    this.#listing.begin(pollMs ?? (link.tellsChanges ? 0 : POLL_MS))
    if (pingMs > 0 && connection.type !== 'in-process') this.#pulse = this.#newPulse(link, pingMs)
    this.#restLater()
    const { count } = this.#catalogue
    this.#say(this.#failures > 0 ? 'info' : 'debug', `ready with ${count} tool${count === 1 ? '' : 's'}`)
    this.#options.onConnected?.(this.#config.name)
  }

  #newPulse(link: Link, pingMs: number): Pulse {
    return new Pulse({
      everyMs: pingMs,
      againMs: Math.min(pingMs, PING_AGAIN_MS),
      ask: () => link.ping(Math.min(pingMs, PING_AGAIN_MS)),
      onMissed: (missed) => {
        if (this.#link !== link || this.#standing() === undefined) return
        if (missed === 1) this.#say('warn', 'it does not answer pings')
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
    this.#lastWords = this.#secrets.hide(link.lastWords)
    this.#failedAt = performance.now()
    this.#enter(state, this.#secrets.hide(reason))
    const line = ['is not available: ', this.#reason, this.#lastWords && `; ${this.#lastWords}`].join('')
    this.#say(before === this.#reason ? 'debug' : 'warn', line)
    this.#retryLater()
  }

  #lose(link: Link, needsAuth: string | undefined): void {
    if (performance.now() - this.#readyAt > LASTING_MS) this.#failures = 0
    this.#stopTimers()
    this.#lastWords = this.#secrets.hide(link.lastWords)
    this.#enter(needsAuth === undefined ? 'failed' : 'needs-auth', needsAuth ?? 'the connection was lost')
    this.#say('warn', [this.#reason, this.#lastWords && `; ${this.#lastWords}`].join(''))
    this.#retryLater()
  }

  #retryLater(): void {
    this.#failures++
    this.#retry = setTimeout(() => {
      this.#failedAt = Number.NEGATIVE_INFINITY
      void this.connect()
    }, backOffMs(this.#failures))
    // Hoping for a server keeps no process alive.
    this.#retry.unref()
  }

  /** A server that was started because it was needed ends when it has not been for a while. Its tools stay known. */
  #restLater(): void {
    clearTimeout(this.#idle)
    if (this.#config.lazy !== true || this.#standing() === undefined || this.#callsUnderway > 0) return
    this.#idle = setTimeout(() => {
      if (this.#standing() === undefined || this.#callsUnderway > 0) return
      if (this.#options.isListenedTo?.(this.#config.name)) return this.#restLater()
      this.#stopTimers()
      this.#enter('idle', 'it is started when it is needed')
      this.#say('debug', 'rests until it is needed')
      void this.#link?.close()
    }, this.#config.idleMs ?? IDLE_MS)
    this.#idle.unref()
  }

  #standing(): Link | undefined {
    return this.#state === 'ready' || this.#state === 'degraded' ? this.#link : undefined
  }

  /** A new connection. Rejects with the reason when there is none. */
  async #reach(called: CalledTool, signal: AbortSignal | undefined): Promise<Link> {
    await unlessAborted(this.connect(), signal)
    if (signal?.aborted) throw new DiagnosticError(callNotMade(called))
    const link = this.#standing()
    if (link === undefined) throw new DiagnosticError(this.whyNot())
    return link
  }

  /** Why it can't be called. */
  whyNot(): Diagnostic {
    const { name } = this.#config
    if (this.#state === 'needs-auth') return serverNeedsLogin(name, this.#reason)
    return upstreamNotReady(name, this.#reason || this.#state)
  }

  // Tools.

  /** Asks for the tools anew. */
  async #list(): Promise<boolean> {
    const link = this.#standing()
    if (link === undefined) return this.#state !== 'connecting'
    const asked = this.#catalogue.ask()
    try {
      this.#take(link, await link.listTools(), asked)
      return true
    } catch (error) {
      if (!this.#catalogue.isLast(asked) || link !== this.#link || this.#standing() === undefined) return true
      this.#say('warn', `its tools can't be listed anew: ${link.explain(error, false)}`)
      return false
    }
  }

  #take(link: Link, raw: readonly unknown[], asked: number): void {
    if (this.#link !== link || this.#isClosed) return
    const told = new Set(this.#catalogue.quarantined.map((tool) => `${tool.name} ${tool.reason}`))
    const shown = this.#secrets.hideCredentials(raw)
    const taken = this.#catalogue.take(asked, shown, this.#secrets.hide(link.instructions ?? ''), this.#config)
    for (const { name, reason } of this.#catalogue.quarantined)
      if (!told.has(`${name} ${reason}`)) this.#say('warn', `the tool ${name} is set aside: ${reason}`)
    if (taken.kind === 'late') this.#say('debug', 'a list of tools came late and is not used')
    if (taken.kind === 'first' || taken.kind === 'changed') this.#tellChange()
    if (taken.kind !== 'changed') return
    const { now, added, removed } = taken
    this.#say('info', `its tools have changed: ${now} now, ${added} added, ${removed} removed`)
  }

  #tellChange(): void {
    queueMicrotask(() => this.#options.onNotification?.(this.#config.name, 'notifications/tools/list_changed', {}))
  }

  #warnOfConsent(): void {
    if (this.#config.toolsToAutoExecute === undefined) return
    this.#say(
      'warn',
      'toolsToAutoExecute is set, but nobody can be asked here: every tool that may be called is called without asking',
    )
  }

  #enter(state: UpstreamState, reason: string): void {
    this.#state = state
    this.#reason = reason
  }

  #say(level: LogLine['level'], message: string): void {
    this.#options.log({ level, server: this.#config.name, message: this.#secrets.hide(message) })
  }

  /** A text without this server's secrets. */
  redact(text: string): string {
    return this.#secrets.hide(text)
  }

  #secretsOf(config: ServerConfig): Secrets {
    return new Secrets(config, () => this.#link?.secrets() ?? [])
  }
}

/** Where a connection may be made. */
const UNCONNECTED: ReadonlySet<UpstreamState> = new Set(['idle', 'connecting', 'failed', 'needs-auth'])

/** Objects of this process are the same only as themselves. */
function isSameConnection(one: Connection, other: Connection): boolean {
  if (one.type === 'in-process') return other.type === 'in-process' && one.inProcess === other.inProcess
  return JSON.stringify(one) === JSON.stringify(other)
}

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
