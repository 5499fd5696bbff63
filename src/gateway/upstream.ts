// One upstream: an MCP server that we call, through all the connections it takes. Knows this server's state and its tools; knows neither the
// other upstreams nor who calls. Nothing that a server sends is trusted: each tool is checked on its own and set aside with a reason when it
// is malformed.
//
// A server that fails or is lost is tried again: at the next call or listing, and by itself after waits that grow. Its tools stay known
// meanwhile. A list of tools has the number of the question that it answers, and one that comes late never takes the place of a newer one.
// Invariant: there is at most one connection and one attempt to make one, and after `close` neither, nor any timer.

import { z } from 'zod'
import {
  type ContentBlock,
  firstSentence,
  type QuarantinedTool,
  sortOut,
  type Tool,
  type ToolOutcome,
  type ToolServer,
} from '../bindings/index.js'
import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import { backOffMs } from './back-off.js'
import type { CallerEnd } from './caller-end.js'
import type { Connection, ServerConfig } from './configuration/index.js'
import { allowsTool } from './filter.js'
import { type CallEnd, Link, type RefusalEntry } from './link.js'
import type { Log } from './log.js'
import {
  answerMalformed,
  type CalledTool,
  callCancelled,
  callNotMade,
  callRefused,
  callTimedOut,
  connectionLost,
  upstreamNotReady,
} from './messages.js'

export type UpstreamState = 'connecting' | 'ready' | 'failed' | 'disabled' | 'closed'

export interface UpstreamOptions {
  readonly log: Log
  readonly version: string
  readonly connectTimeoutMs: number
  /** True: callers may be able to answer servers' own requests (sampling, elicitation). Default false. */
  readonly callersAnswer?: boolean
  readonly onNotification?: NotificationListener
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Whom the server may ask and tell things meanwhile. */
  readonly caller?: CallerEnd
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

/** How one upstream is, for people. */
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
const DESCRIPTION_CHARS = 300
/** A change of the tools is followed when it has been quiet for so long, and at the latest after so long. */
const QUIET_MS = 50
const RESTLESS_MS = 500
/** Asked for in vain, a server is not asked for again within this time. */
const REST_MS = 1000
/** A connection that lasted so long was a good one. */
const LASTING_MS = 30_000

/** What a server lists, checked. */
interface Catalogue {
  readonly tools: readonly Tool[]
  readonly quarantined: readonly QuarantinedTool[]
  readonly description: string
  /** The tools as they were listed. */
  readonly entries: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

export class Upstream {
  readonly #options: UpstreamOptions
  readonly #after: Promise<void>
  #config: ServerConfig
  #state: UpstreamState = 'connecting'
  #reason = 'it is being started'
  /** What the server itself said about that. For the people who run it, not for models: error streams hold all kinds of things. */
  #lastWords = ''
  #catalogue: Catalogue | undefined
  #server: ToolServer | undefined
  /** The connection at hand, or the last one. */
  #link: Link | undefined
  #attempt: Promise<void> | undefined
  #ended: Promise<void> | undefined
  readonly #closing = new AbortController()
  /** In a row, and since when the last of them or the connection at hand. */
  #failures = 0
  #failedAt = Number.NEGATIVE_INFINITY
  #readyAt = 0
  #retry: NodeJS.Timeout | undefined
  /** Numbers of lists of tools: the last that was asked for, and the one in use. */
  #asked = 0
  #used = 0
  #change: { readonly since: number; timer: NodeJS.Timeout } | undefined
  #listing: Promise<void> | undefined
  /** The list in use is known to be old. */
  #isStale = false

  /** `after`: what has to be over before this server may start, such as the end of the one that it replaces. */
  constructor(config: ServerConfig, options: UpstreamOptions, after: Promise<void> = Promise.resolve()) {
    this.#config = config
    this.#options = options
    this.#after = after
    this.#warnOfConsent()
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
    return this.#server
  }

  status(): ServerStatus {
    return {
      name: this.#config.name,
      state: this.#state,
      reason: this.#reason,
      lastWords: this.#lastWords,
      tools: this.#server?.tools.map((tool) => tool.name) ?? [],
      quarantined: this.#catalogue?.quarantined ?? [],
    }
  }

  /** Connects, unless that is done or was found to be useless a moment ago. Resolves when the server is ready or has failed; never rejects. */
  async connect(): Promise<void> {
    if (this.#isClosed || (this.#state !== 'connecting' && this.#state !== 'failed')) return
    if (this.#attempt === undefined && performance.now() - this.#failedAt < REST_MS) return
    this.#attempt ??= this.#connectOnce().finally(() => {
      this.#attempt = undefined
    })
    await this.#attempt
  }

  /** Resolves when the tools are as the server last said. Never rejects. */
  async settled(): Promise<void> {
    if (this.#change !== undefined || (this.#isStale && this.#state === 'ready')) this.#list()
    await this.#listing
  }

  /** Calls a tool, over a new connection if the old one is gone. Rejects with a DiagnosticError when no answer came. */
  async call(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<ToolOutcome> {
    const called = this.#calledTool(name)
    return outcomeOf(await this.#ask('tools/call', { name, arguments: args }, called, options), called)
  }

  /** Calls a tool, as `call` does, with parameters and an answer that are as the protocol carries them. */
  callAsIs(name: string, params: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<unknown> {
    return this.#ask('tools/call', { ...params, name }, this.#calledTool(name), options)
  }

  /** Asks for anything else that the protocol has, such as `resources/read`. */
  request(method: string, params: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<unknown> {
    return this.#ask(method, params, { server: this.#config.name, tool: method, isReadOnly: true }, options)
  }

  /** What the server can do, in the protocol's words; nothing while it is not ready. */
  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#standing()?.capabilities ?? {}
  }

  /** A tool as the server lists it, whatever it says of it. Undefined when it may not be called. */
  entryOf(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#server?.tools.some((tool) => tool.name === name) ? this.#catalogue?.entries.get(name) : undefined
  }

  #calledTool(name: string): CalledTool {
    const tool = this.#server?.tools.find((tool) => tool.name === name)
    return { server: this.#config.name, tool: name, isReadOnly: tool?.annotations?.readOnlyHint === true }
  }

  async #ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    called: CalledTool,
    options: CallOptions,
  ): Promise<unknown> {
    const { signal, caller, onProgress } = options
    const timeoutMs = options.timeoutMs ?? this.#config.timeoutMs ?? CALL_TIMEOUT_MS
    const once = async (): Promise<CallEnd> => {
      const link = this.#standing() ?? (await this.#reach(called, signal))
      return link.ask(method, params, { timeoutMs, signal, caller, onProgress })
    }
    let end = await once()
    // What the server has surely not seen may be sent again.
    if (end.kind === 'unsent') end = await once()
    switch (end.kind) {
      case 'answered':
        this.#failures = 0
        return end.raw
      case 'refused':
        throw new RefusalError(callRefused(called, this.#redact(end.words)), end.error)
      case 'timed-out':
        throw new DiagnosticError(callTimedOut(called, timeoutMs))
      case 'cancelled':
        throw new DiagnosticError(callCancelled(called))
      case 'lost':
        throw new DiagnosticError(connectionLost(called))
      case 'unsent':
        throw new DiagnosticError(this.#notReady())
    }
  }

  /** Takes what may change under a standing connection. False, and nothing happens, when a new connection is needed for it. */
  reconfigure(config: ServerConfig): boolean {
    const { name, disabled, connection } = this.#config
    const isSame =
      config.name === name && config.disabled === disabled && isSameConnection(config.connection, connection)
    if (this.#isClosed || !isSame) return false
    this.#config = config
    this.#warnOfConsent()
    this.#show()
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
    clearTimeout(this.#retry)
    this.#forgetChange()
    if (this.#state !== 'failed' && this.#state !== 'disabled') this.#enter('closed', 'it was closed')
    this.#catalogue = undefined
    this.#server = undefined
    await this.#after
    await this.#attempt
    await this.#link?.close()
    await this.#listing
  }

  // Connecting.

  async #connectOnce(): Promise<void> {
    clearTimeout(this.#retry)
    this.#isStale = false
    this.#enter('connecting', this.#reason)
    // Two processes of one server may be one too many for what they share.
    await this.#after
    await this.#link?.close()
    // Not AbortSignal.timeout: the SDK goes on listening after the connection stands and would then cancel what is long over.
    const deadline = new AbortController()
    const giveUp = () => deadline.abort()
    const timer = setTimeout(giveUp, this.#options.connectTimeoutMs)
    if (this.#isClosed) giveUp()
    this.#closing.signal.addEventListener('abort', giveUp, { once: true })
    const link = this.#newLink()
    try {
      if (deadline.signal.aborted) return
      this.#link = link
      await link.connect(deadline.signal)
      const asked = ++this.#asked
      const raw = await link.listTools(deadline.signal)
      if (!this.#isClosed) this.#succeed(link, raw, asked)
    } catch (error) {
      const reason = link.explain(error, deadline.signal.aborted)
      await link.close()
      if (!this.#isClosed) this.#fail(reason, link)
    } finally {
      clearTimeout(timer)
      this.#closing.signal.removeEventListener('abort', giveUp)
    }
  }

  #newLink(): Link {
    const link: Link = new Link(this.#config.connection, {
      version: this.#options.version,
      connectTimeoutMs: this.#options.connectTimeoutMs,
      callersAnswer: this.#options.callersAnswer ?? false,
      onStderr: (line) => this.#say('info', line),
      onOddity: (what) => this.#say('debug', what),
      onToolsChanged: () => {
        if (this.#link === link) this.#noteChange()
      },
      onNotification: (method, params) => this.#options.onNotification?.(this.#config.name, method, params),
      onLost: () => {
        if (this.#link === link && this.#state === 'ready') this.#lose(link)
      },
    })
    return link
  }

  #succeed(link: Link, raw: readonly unknown[], asked: number): void {
    this.#enter('ready', '')
    this.#lastWords = ''
    this.#readyAt = performance.now()
    this.#failedAt = Number.NEGATIVE_INFINITY
    this.#take(link, raw, asked)
    if (this.#isStale) this.#list()
    const count = this.#catalogue?.tools.length ?? 0
    this.#say(this.#failures > 0 ? 'info' : 'debug', `ready with ${count} tool${count === 1 ? '' : 's'}`)
  }

  #fail(reason: string, link: Link): void {
    const before = this.#reason
    this.#lastWords = this.#redact(link.lastWords)
    this.#failedAt = performance.now()
    this.#enter('failed', this.#redact(reason))
    const line = ['is not available: ', this.#reason, this.#lastWords && `; ${this.#lastWords}`].join('')
    this.#say(before === this.#reason ? 'debug' : 'warn', line)
    this.#retryLater()
  }

  #lose(link: Link): void {
    if (performance.now() - this.#readyAt > LASTING_MS) this.#failures = 0
    this.#forgetChange()
    this.#lastWords = this.#redact(link.lastWords)
    this.#enter('failed', 'the connection was lost')
    this.#say('warn', ['the connection was lost', this.#lastWords && `; ${this.#lastWords}`].join(''))
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

  #standing(): Link | undefined {
    return this.#state === 'ready' ? this.#link : undefined
  }

  /** A new connection. Rejects with the reason when there is none. */
  async #reach(called: CalledTool, signal: AbortSignal | undefined): Promise<Link> {
    await unlessAborted(this.connect(), signal)
    if (signal?.aborted) throw new DiagnosticError(callNotMade(called))
    const link = this.#standing()
    if (link === undefined) throw new DiagnosticError(this.#notReady())
    return link
  }

  #notReady(): Diagnostic {
    return upstreamNotReady(this.#config.name, this.#reason || this.#state)
  }

  // Tools.

  #noteChange(): void {
    const now = performance.now()
    const since = this.#change?.since ?? now
    clearTimeout(this.#change?.timer)
    const wait = Math.max(0, Math.min(QUIET_MS, since + RESTLESS_MS - now))
    this.#change = { since, timer: setTimeout(() => this.#list(), wait) }
    this.#change.timer.unref()
  }

  #forgetChange(): void {
    clearTimeout(this.#change?.timer)
    this.#change = undefined
  }

  /** Asks for the tools anew. `#listing` is the answer to the last question, whatever is underway beside it. */
  #list(): void {
    this.#forgetChange()
    const link = this.#link
    // A change that is told before the first list has come: the list may be from before it.
    this.#isStale = this.#state === 'connecting'
    if (link === undefined || this.#state !== 'ready') return
    const asked = ++this.#asked
    const listing: Promise<void> = link
      .listTools()
      .then(
        (raw) => this.#take(link, raw, asked),
        (error: unknown) => {
          if (asked !== this.#asked || link !== this.#link || this.#state !== 'ready') return
          this.#isStale = true
          this.#say('warn', `its tools have changed and can't be listed: ${link.explain(error, false)}`)
        },
      )
      .finally(() => {
        if (this.#listing === listing) this.#listing = undefined
      })
    this.#listing = listing
  }

  #take(link: Link, raw: readonly unknown[], asked: number): void {
    if (this.#link !== link || this.#isClosed) return
    if (asked < this.#used) return this.#say('debug', 'a list of tools came late and is not used')
    this.#used = asked
    const before = this.#catalogue
    const sorted = sortOut(raw)
    const known = new Map(before?.tools.map((tool) => [tool.name, tool]))
    const tools = sorted.tools.map((tool) => keepSame(known.get(tool.name), tool))
    const description = firstSentence(this.#redact(link.instructions ?? ''), DESCRIPTION_CHARS)
    const isSame =
      before?.tools.length === tools.length &&
      before.description === description &&
      tools.every((tool) => known.get(tool.name) === tool)
    const { quarantined } = sorted
    this.#catalogue = { tools: isSame ? before.tools : tools, quarantined, description, entries: entriesOf(raw) }
    const told = new Set(before?.quarantined.map((tool) => `${tool.name} ${tool.reason}`))
    for (const { name, reason } of quarantined)
      if (!told.has(`${name} ${reason}`)) this.#say('warn', `the tool ${name} is set aside: ${reason}`)
    if (isSame) return
    if (before !== undefined) this.#say('info', changeOf(before.tools, tools))
    this.#show()
  }

  /** Lets programs have the tools that may be called. */
  #show(): void {
    if (this.#catalogue === undefined) return
    const { name } = this.#config
    queueMicrotask(() => this.#options.onNotification?.(name, 'notifications/tools/list_changed', {}))
    const { tools, description } = this.#catalogue
    this.#server = {
      name: this.#config.name,
      tools: tools.filter((tool) => allowsTool(this.#config, tool.name)),
      ...(description === '' ? {} : { description }),
    }
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

  #say(level: 'debug' | 'info' | 'warn', message: string): void {
    this.#options.log({ level, server: this.#config.name, message: this.#redact(message) })
  }

  #redact(message: string): string {
    return this.#config.secrets
      .filter((secret) => secret.length >= 4)
      .sort((a, b) => b.length - a.length)
      .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
  }
}

/** Objects of this process are the same only as themselves. */
function isSameConnection(one: Connection, other: Connection): boolean {
  if (one.type === 'in-process') return other.type === 'in-process' && one.inProcess === other.inProcess
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The first entry of each name: the others are set aside. */
function entriesOf(raw: readonly unknown[]): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const records = raw.filter((entry) => typeof entry === 'object' && entry !== null) as Record<string, unknown>[]
  return new Map(records.reverse().map((entry) => [String(entry.name), entry]))
}

/** The tool that was known, if nothing about it has changed: what was derived from it stays good. */
function keepSame(before: Tool | undefined, now: Tool): Tool {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function changeOf(before: readonly Tool[], now: readonly Tool[]): string {
  const names = (tools: readonly Tool[]) => new Set(tools.map((tool) => tool.name))
  const [old, fresh] = [names(before), names(now)]
  const added = [...fresh].filter((name) => !old.has(name)).length
  const removed = [...old].filter((name) => !fresh.has(name)).length
  return `its tools have changed: ${now.length} now, ${added} added, ${removed} removed`
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

// Answers of calls, as loosely as they can still be used.

function outcomeOf(raw: unknown, called: CalledTool): ToolOutcome {
  const answer = toolAnswer.safeParse(raw)
  if (!answer.success) {
    const issue = answer.error.issues[0]
    const reason = `${issue?.path.join('.') || 'the answer'} is not ${issue?.message}`
    throw new DiagnosticError(answerMalformed(called, reason))
  }
  const { isError, content, structuredContent } = answer.data
  return {
    isError: isError ?? false,
    content: content as readonly ContentBlock[],
    ...(structuredContent === undefined || structuredContent === null ? {} : { structuredContent }),
  }
}

const string = z.string({ error: 'a string' })
const block = z.looseObject({ type: string }, { error: 'an object' }).superRefine((value, context) => {
  const wants: Record<string, readonly string[]> = {
    text: ['text'],
    image: ['data', 'mimeType'],
    audio: ['data', 'mimeType'],
    resource_link: ['uri'],
  }
  for (const key of wants[value.type] ?? []) {
    if (typeof value[key] !== 'string') context.addIssue({ code: 'custom', path: [key], message: 'a string' })
  }
  const resource = value.type === 'resource' ? value.resource : undefined
  if (value.type === 'resource' && typeof (resource as { uri?: unknown } | null | undefined)?.uri !== 'string') {
    context.addIssue({ code: 'custom', path: ['resource'], message: 'a resource with a uri' })
  }
})

const toolAnswer = z.looseObject(
  {
    isError: z.boolean({ error: 'true or false' }).nullish(),
    content: z.array(block, { error: 'a list' }).default([]),
    structuredContent: z.unknown().optional(),
  },
  { error: 'an object' },
)
