// One upstream: an MCP server that we call. It outlives its connections. Tools are validated one by one, and malformed
// ones are set aside with a reason. The tools of a lost server stay known.
// Invariant: an older tool list never replaces a newer one.

import { type Awaitable, after, lastly } from '../awaitable/index.js'
import type { KeptForCall, QuarantinedTool, Tool, ToolOutcome, ToolServer } from '../bindings/index.js'
import type { Diagnostic } from '../diagnostics/index.js'
import type { Logins } from './authorization/token-store.js'
import { rawAnswerOf } from './call-answer.js'
import type { CallerEnd } from './caller-end.js'
import { type Described, type ReadList, ServerCatalogue, type Taken } from './catalogue.js'
import type { CatalogueStore } from './catalogue-store.js'
import { type Connection, SECRET_NAME, type ServerConfig } from './configuration/index.js'
import { Intake } from './intake.js'
import { KnownRevision } from './known-revision.js'
import { type Kept, Lifeline, type UpstreamState } from './lifeline.js'
import type { AskOptions, CallEnd, Link } from './link.js'
import { Listing } from './listing.js'
import type { Log, LogLine } from './log.js'
import type { CalledTool } from './messages.js'
import { passedHeaders } from './passed-headers.js'
import { type MessageReader, wholeAnswer } from './reading/large-message.js'
import { callResourceTool, isResourceTool, type Readable } from './resource-tools.js'
import { Secrets } from './secrets.js'
import type { Starts } from './starts.js'
import { outcomeOf } from './tool-answer.js'
import type { TraceCarrier } from './trace.js'
import { expectTransport } from './transports/open-transport.js'

export interface UpstreamOptions {
  readonly log: Log
  readonly version: string
  readonly connectTimeoutMs: number
  /** True: callers may be able to answer requests of servers (sampling, elicitation). Default false. */
  readonly callersAnswer?: boolean
  readonly onNotification?: NotificationListener
  /** Called whenever a server has a new connection. The callers' subscriptions over the old one are gone. */
  readonly onConnected?: (server: string) => void
  /** Whether a caller waits for a server's notifications. Such a server does not become idle. */
  readonly isListenedTo?: (server: string) => boolean
  /** Turns for servers that start as processes. Default: all start at once. */
  readonly starts?: Starts
  /** Reads long messages. */
  readonly reader: MessageReader
  /** Where logins are. Default: in files. */
  readonly logins?: Logins | undefined
  /** The store of tool lists across processes. Default: none. */
  readonly store?: CatalogueStore
  /** True: lists are kept there, and those of earlier processes are not used. Default false. */
  readonly asksAnew?: boolean
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** The trace of the request. It is sent in `_meta`, and in headers if the transport has them. */
  readonly trace?: TraceCarrier | undefined
  /** Receives the server's questions and messages during the request. */
  readonly caller?: CallerEnd | undefined
  /** The headers of the caller's request, with lower-case names. Those that the server's entry lists are passed on. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
  /** Receives progress. If present, the server is asked for it. */
  readonly onProgress?: ((progress: Readonly<Record<string, unknown>>) => void) | undefined
  /** For a server of this process alone. */
  readonly kept?: KeptForCall | undefined
}

/** Receives a server's notifications for all callers, such as `notifications/resources/updated`. */
export type NotificationListener = (server: string, method: string, params: Readonly<Record<string, unknown>>) => void

/**
 * The status of one upstream, for people.
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
  /** Why the server is not ready. Empty: it is ready. */
  readonly reason: string
  /** The server's own output about that, for people. May be empty. */
  readonly lastWords: string
  /** The line of that output that names the cause. Absent: no line does. */
  readonly saidWhy?: string
  /**
   * Names of what programs may call there, also of a lost server that is being reconnected: its tools, and the functions
   * for its resources and prompts.
   */
  readonly tools: readonly string[]
  /** True: these tools were listed to an earlier process, and the server was not asked since. */
  readonly remembered: boolean
  /** The offered tools that can't be used. */
  readonly quarantined: readonly QuarantinedTool[]
  /** The dropped parts of its messages, in words for people; empty if there are none. */
  readonly cut: readonly string[]
  /** What whoever lets programs use the server has to know, in words for people. Absent: nothing. */
  readonly remark?: string
}

const CALL_TIMEOUT_MS = 60_000
/** For servers that can't say that their tools have changed. */
const POLL_MS = 300_000
const MOST_CUTS = 10
const HANGS = 'it did not answer a short while ago; it is tried again when it is named'
const UNANSWERED: ReadonlySet<UpstreamState> = new Set(['connecting', 'failed'])

/** Programs have functions for what is on these lists, so they are looked at again with the tools. */
const LISTS_CHANGED: ReadonlySet<string> = new Set([
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
])

const NO_HEADERS: Readonly<Record<string, string>> = {}

export class Upstream {
  readonly #options: UpstreamOptions
  readonly #catalogue = new ServerCatalogue()
  readonly #listing = new Listing(() => this.#list())
  readonly #intake = new Intake({
    maxBytes: () => this.#config.maxBytes,
    onCut: (what) => this.#say('warn', what),
  })
  #listCut: string | undefined
  readonly #otherCuts = new Set<string>()
  #config: ServerConfig
  #secrets: Secrets
  #capabilities: Readonly<Record<string, unknown>> = {}
  #ended: Promise<void> | undefined
  #isRemembered = false
  #isHanging = false
  readonly #known: KnownRevision
  readonly #lifeline: Lifeline

  /** `after`: must resolve before this server may start, such as the end of its predecessor. */
  constructor(config: ServerConfig, options: UpstreamOptions, after: Promise<void> = Promise.resolve()) {
    this.#config = config
    this.#secrets = this.#secretsOf(config)
    this.#options = options
    this.#known = new KnownRevision(() => this.#config, options.store)
    this.#lifeline = new Lifeline(this.#kept(), { starts: options.starts, after })
  }

  get config(): ServerConfig {
    return this.#config
  }

  /** Something that it listed was left out. */
  noteCut(what: string): void {
    if (!this.#otherCuts.has(what)) this.#say('warn', what)
    if (this.#otherCuts.size < MOST_CUTS) this.#otherCuts.add(what)
  }

  /** The maximum size of one of its lists, in bytes. */
  get listMaxBytes(): number {
    return this.#intake.partMaxBytes
  }

  get state(): UpstreamState {
    return this.#lifeline.state
  }

  get reason(): string {
    return this.#isHanging && this.state === 'idle' ? HANGS : this.#lifeline.reason
  }

  /**
   * The tools that may be called: the same object until they change. Absent until they are known, and when the server
   * is disabled or closed.
   */
  get server(): ToolServer | undefined {
    return this.#catalogue.server
  }

  status(): ServerStatus {
    const { saidWhy } = this.#lifeline
    const { connection } = this.#config
    const isShell = connection.type === 'builtin' && connection.settings.builtin === 'shell'
    const remark = isShell ? this.server?.description : undefined
    return {
      name: this.#config.name,
      state: this.#lifeline.state,
      reason: this.reason,
      lastWords: this.#lifeline.lastWords,
      ...(saidWhy === '' ? {} : { saidWhy }),
      tools: this.server === undefined ? [] : namesOf(this.server),
      remembered: this.#isRemembered,
      quarantined: this.#catalogue.quarantined,
      cut: [...(this.#listCut === undefined ? [] : [this.#listCut]), ...this.#otherCuts, ...this.#intake.cut],
      ...(remark === undefined ? {} : { remark }),
    }
  }

  /** True while the tools are those that the server listed to an earlier process. */
  get isRemembered(): boolean {
    return this.#isRemembered
  }

  /**
   * True if somebody waited for the server a short while ago, here or in two earlier processes, and it has not answered
   * since.
   */
  get isHanging(): boolean {
    return this.#isHanging
  }

  /** Notes that somebody waited for the server for long. */
  noteWaitedFor(): void {
    if (!UNANSWERED.has(this.state)) return
    if (!this.#isHanging) this.#options.store?.noteHanging(this.#config)
    this.#isHanging = true
  }

  /** True when the server has listed its tools to this process. */
  get isAsked(): boolean {
    return this.server !== undefined && !this.#isRemembered
  }

  /** Takes the tools that the server listed to an earlier process, if any. Must be called first. */
  async recall(): Promise<void> {
    const { store, asksAnew = false } = this.#options
    if (store === undefined || asksAnew || this.#config.disabled) return
    await store.load(this.#config)
    this.#isHanging = store.isHanging(this.#config)
    const asked = this.#catalogue.ask()
    const stored = store.read(this.#config)
    if (stored === undefined) return
    const read = await this.#shown(stored.tools)
    if (this.#lifeline.isClosed || !this.#catalogue.isLast(asked)) return
    this.#isRemembered = true
    this.#capabilities = stored.capabilities
    this.#accept(read, stored, asked)
  }

  /**
   * Connects, unless that has to wait until the server is needed. Resolves when it is ready or has failed; never
   * rejects.
   */
  start(): Promise<void> {
    return this.#lifeline.start()
  }

  /**
   * Connects, unless that is done or was found to be useless a moment ago. Resolves when the server is ready or has
   * failed; never rejects.
   */
  connect(): Promise<void> {
    return this.#lifeline.connect()
  }

  /** Loads the code of a connection, which will probably be needed. */
  expect(): void {
    if (this.isConnected) return
    void import('./link.js')
    expectTransport(this.#config.connection)
  }

  /** Why it can't be called. */
  whyNot(): Diagnostic {
    return this.#lifeline.whyNot()
  }

  /** True if the tools are known and as the server last said. */
  get isSettled(): boolean {
    return this.isAsked && this.#listing.isSettled
  }

  /** Resolves when the tools are known and as the server last said. Never rejects. */
  async settled(): Promise<void> {
    if (this.state === 'idle' && this.server === undefined) await this.connect()
    await this.#listing.settled()
  }

  /**
   * Calls a tool, over a new connection if the old one is gone. Throws or rejects with a DiagnosticError when no answer
   * came.
   */
  call(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions = {}): Awaitable<ToolOutcome> {
    const tool = this.#toolOf(name)
    const called = this.#calledTool(name, tool)
    const answer = isResourceTool(tool)
      ? this.#callResourceTool(called, args, options)
      : this.#ask('tools/call', { name, arguments: args }, called, options)
    const shown = after(answer, (raw) => this.#secrets.hideCredentialsInTurns(raw))
    return after(shown, (raw) => outcomeOf(raw, called))
  }

  #callResourceTool(
    called: CalledTool,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? this.#config.timeoutMs ?? CALL_TIMEOUT_MS
    return callResourceTool(called, args, {
      ask: async (method, params) => wholeAnswer(await this.#ask(method, params, called, options)),
      bounds: { maxBytes: this.listMaxBytes, timeoutMs },
      onCut: (what) => this.noteCut(what),
    })
  }

  /** Calls a tool, as `call` does, with parameters and an answer that are as the protocol carries them. */
  async callAsIs(name: string, params: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<unknown> {
    const raw = await this.#ask('tools/call', { ...params, name }, this.#calledTool(name), options)
    return this.#secrets.hideCredentialsInTurns(wholeAnswer(raw))
  }

  /** Asks for anything else that the protocol has, such as `resources/read`. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<unknown> {
    const called = { server: this.#config.name, tool: method, isReadOnly: true }
    return this.#secrets.hideCredentialsInTurns(await this.#ask(method, params, called, options))
  }

  /** The server's last known capabilities, in the protocol's form; empty before the first connection. */
  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#capabilities
  }

  /** True if the server can be asked at once. */
  get isConnected(): boolean {
    return this.#lifeline.standing !== undefined
  }

  /** A tool as the server lists it, unvalidated. Undefined if it may not be called. */
  entryOf(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#catalogue.entryOf(name)
  }

  #toolOf(name: string): Tool | undefined {
    return this.server?.tools.find((tool) => tool.name === name)
  }

  #calledTool(name: string, tool = this.#toolOf(name)): CalledTool {
    return { server: this.#config.name, tool: name, isReadOnly: tool?.annotations?.readOnlyHint === true }
  }

  #ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    called: CalledTool,
    options: CallOptions,
  ): Awaitable<unknown> {
    const { trace, signal, caller, onProgress, kept } = options
    const sent =
      trace === undefined ? params : { ...params, _meta: { ...(params._meta as object | undefined), ...trace } }
    const timeoutMs = options.timeoutMs ?? this.#config.timeoutMs ?? CALL_TIMEOUT_MS
    const { passHeaders = [] } = this.#config
    const passed = passHeaders.length === 0 ? NO_HEADERS : passedHeaders(passHeaders, options.headers)
    const isForCaller = passed !== NO_HEADERS && Object.keys(passed).some((name) => SECRET_NAME.test(name))
    const headers = trace === undefined ? passed : { ...trace, ...passed }
    const asking: AskOptions = { timeoutMs, signal, caller, headers, isForCaller, onProgress, kept }
    const once = (): Awaitable<CallEnd> => {
      const reached = this.#lifeline.standing ?? this.#lifeline.reach(called, signal)
      return after(reached, (link) => link.ask(method, sent, asking))
    }
    const done = this.#lifeline.callBegins()
    return lastly(() => {
      // A request that the server certainly has not received may be sent again.
      const end = after(once(), (end) => (end.kind === 'unsent' ? once() : end))
      return after(end, (end) => {
        if (end.kind === 'answered') this.#lifeline.noteLife()
        return rawAnswerOf(end, called, { timeoutMs, secrets: this.#secrets, whyNot: () => this.whyNot() })
      })
    }, done)
  }

  /** Applies changes that need no new connection. False, without a change, if one is needed. */
  reconfigure(config: ServerConfig): boolean {
    const { name, disabled, protocol, connection } = this.#config
    const isSame =
      config.name === name &&
      config.disabled === disabled &&
      config.protocol === protocol &&
      isSameConnection(config.connection, connection)
    if (this.#lifeline.isClosed || !isSame) return false
    this.#config = config
    this.#secrets = this.#secretsOf(config)
    this.#catalogue.show(config)
    this.#tellChange()
    return true
  }

  /** Ends the connection or the attempt to make one. Calls in flight fail. Resolves when nothing is left. */
  close(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end(): Promise<void> {
    const ended = this.#lifeline.close()
    this.#catalogue.forget()
    await ended
    await this.#listing.over()
  }

  // The connection.

  /** The callbacks for the lifeline. */
  #kept(): Kept {
    const config = () => this.#config
    const timeoutMs = () => this.#connectTimeoutMs
    return {
      get config() {
        return config()
      },
      get connectTimeoutMs() {
        return timeoutMs()
      },
      newLink: () => this.#newLink(),
      prepare: async (link, signal) => {
        const asked = this.#catalogue.ask()
        const read = await this.#read(link, signal)
        return () => this.#take(link, read, asked)
      },
      onReady: (link) => this.#begin(link),
      onStopped: () => this.#listing.rest(),
      isListenedTo: () => this.#options.isListenedTo?.(this.#config.name) ?? false,
      say: (level, message, reason) => this.#say(level, message, reason),
      hide: (text) => this.#secrets.hide(text),
    }
  }

  get #connectTimeoutMs(): number {
    return this.#config.connectTimeoutMs ?? this.#options.connectTimeoutMs
  }

  #begin(link: Link): void {
    this.#capabilities = link.capabilities
    this.#listing.begin(this.#config.pollMs ?? (link.tellsChanges ? 0 : POLL_MS))
    const { count } = this.#catalogue
    const level = this.#lifeline.isBack ? 'info' : 'debug'
    this.#say(level, `ready with ${count} tool${count === 1 ? '' : 's'}`)
    this.#options.onConnected?.(this.#config.name)
  }

  // Loaded on demand: a process that starts no server needs no client.
  async #newLink(): Promise<Link> {
    const { Link: NewLink } = await import('./link.js')
    const link: Link = new NewLink(this.#config, {
      version: this.#options.version,
      connectTimeoutMs: this.#connectTimeoutMs,
      callersAnswer: this.#options.callersAnswer ?? false,
      logins: this.#options.logins,
      roots: () => this.#config.roots ?? [],
      intake: this.#intake,
      onListCut: (what) => {
        if (what !== undefined && what !== this.#listCut) this.#say('warn', what)
        this.#listCut = what
      },
      onStderr: (line) => this.#say('info', line),
      lighten: (text) => this.#options.reader.lighten(text, this.#config.name),
      onOddity: (what) => this.#say('debug', what),
      onLog: (level, words) => this.#say(level, words),
      onToolsChanged: () => {
        if (this.#lifeline.link === link) this.#listing.noteChange()
      },
      onUnheard: () => {
        if (this.#lifeline.link === link && this.#config.pollMs === undefined) this.#listing.begin(POLL_MS)
      },
      onNotification: (method, params) => {
        if (LISTS_CHANGED.has(method) && this.#lifeline.link === link) this.#listing.noteChange()
        this.#options.onNotification?.(this.#config.name, method, params)
      },
      onLost: (loss) => this.#lifeline.lost(link, loss),
      known: this.#known,
    })
    return link
  }

  // Tools.

  /** Lists the tools again. */
  async #list(): Promise<boolean> {
    const link = this.#lifeline.standing
    if (link === undefined) return this.state !== 'connecting'
    const asked = this.#catalogue.ask()
    try {
      this.#take(link, await this.#read(link), asked)
      return true
    } catch (error) {
      if (!this.#catalogue.isLast(asked) || link !== this.#lifeline.standing) return true
      this.#say('warn', `its tools can't be listed anew: ${link.explain(error, false).reason}`)
      return false
    }
  }

  /** The tools as they are listed now, without credentials. */
  async #read(link: Link, signal?: AbortSignal): Promise<ReadList & { readonly readable: Readable }> {
    const [tools, readable] = await Promise.all([link.listTools(signal), link.readable(signal)])
    return { ...(await this.#shown(tools)), readable }
  }

  #shown(raw: readonly unknown[]): Promise<ReadList> {
    return this.#catalogue.read(raw, (entry) => this.#secrets.hideCredentials(entry))
  }

  #take(link: Link, read: ReadList & { readonly readable: Readable }, asked: number): void {
    if (this.#lifeline.link !== link || this.#lifeline.isClosed) return
    const instructions = this.#secrets.hide(link.instructions ?? '')
    const wasRemembered = this.#isRemembered
    this.#isRemembered = false
    this.#isHanging = false
    const { capabilities } = link
    const { readable } = read
    const taken = this.#accept(read, { instructions, readable }, asked)
    if (taken.kind === 'late') return this.#say('debug', 'a list of tools arrived too late and is not used')
    if (taken.kind !== 'same')
      this.#options.store?.write(this.#config, { instructions, capabilities, tools: read.shown, readable })
    else if (wasRemembered) this.#options.store?.confirm(this.#config)
    if (taken.kind !== 'changed') return
    const { now, added, removed } = taken
    this.#say('info', `its tools have changed: ${now} now, ${added} added, ${removed} removed`)
  }

  #accept(read: ReadList, described: Omit<Described, 'config'>, asked: number): Taken {
    const told = new Set(this.#catalogue.quarantined.map((tool) => `${tool.name} ${tool.reason}`))
    const taken = this.#catalogue.take(asked, read, { ...described, config: this.#config })
    // The code that started it has the failure.
    for (const { name, reason } of this.#catalogue.quarantined)
      if (!told.has(`${name} ${reason}`))
        this.#say(this.#isRemembered ? 'debug' : 'warn', `the tool ${name} is set aside: ${reason}`)
    if (taken.kind === 'first' || taken.kind === 'changed') this.#tellChange()
    return taken
  }

  #tellChange(): void {
    queueMicrotask(() => this.#options.onNotification?.(this.#config.name, 'notifications/tools/list_changed', {}))
  }

  #say(level: LogLine['level'], message: string, reason?: string): void {
    const line = { level, server: this.#config.name, message: this.#secrets.hide(message) }
    this.#options.log(reason === undefined ? line : { ...line, reason })
  }

  /** A text without this server's secrets. */
  redact(text: string): string {
    return this.#secrets.hide(text)
  }

  /** JSON text without this server's credentials. */
  hideCredentialsInJson(json: string): string {
    return this.#secrets.hideCredentialsInJson(json)
  }

  #secretsOf(config: ServerConfig): Secrets {
    return new Secrets(config, () => this.#lifeline.link?.secrets() ?? [])
  }
}

/** Objects of this process are the same only as themselves. */
function isSameConnection(one: Connection, other: Connection): boolean {
  if (one.type === 'in-process') return other.type === 'in-process' && one.inProcess === other.inProcess
  return JSON.stringify(one) === JSON.stringify(other)
}

const names = new WeakMap<ToolServer, readonly string[]>()

/** The names of a server's tools, which thousands of tools make costly to collect for every run. */
function namesOf(server: ToolServer): readonly string[] {
  const known = names.get(server)
  if (known !== undefined) return known
  const made = Object.freeze(server.tools.map(({ name }) => name))
  names.set(server, made)
  return made
}
