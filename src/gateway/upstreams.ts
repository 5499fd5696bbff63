// All upstreams: started in parallel, failing independently, added and removed at any time, closed together.
// Invariant: a call reaches an upstream only if the current filter allows the tool.

import { type Awaitable, after } from '../awaitable/index.js'
import type { ToolOutcome, ToolServer } from '../bindings/index.js'
import { DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { CodeModeUse, ServerConfig } from './configuration/index.js'
import { autoExecutesTool } from './filter.js'
import { isInsideItself } from './itself.js'
import { LogLevels } from './log-levels.js'
import { closedAlready, serverExists, serverNotConfigured, unknownServer, unknownTool } from './messages.js'
import { MessageReader } from './reading/large-message.js'
import { Starts } from './starts.js'
import { Subscriptions } from './subscriptions.js'
import {
  type CallOptions,
  type NotificationListener,
  type ServerStatus,
  Upstream,
  type UpstreamOptions,
} from './upstream.js'

interface UpstreamsOptions extends Omit<UpstreamOptions, 'onNotification' | 'onConnected' | 'isListenedTo' | 'reader'> {
  /** False: opening waits for no server. Default true. */
  readonly waits?: boolean
  /** Cancels opening: starting servers are stopped. */
  readonly signal?: AbortSignal
}

/** The maximum time that a listing waits for servers that are slow to answer. Milliseconds. */
const PATIENCE_MS = 2000
/**
 * A server that has not answered within this time, or by the end of a shorter wait, is not awaited again by callers that
 * did not name it. Milliseconds.
 */
const SLOW_MS = 1500
/** The share of a wait that counts as all of it, because timers are not exact. */
const WHOLE = 0.95

/** No servers, if one of them started this starbind. */
function withoutItself(servers: readonly ServerConfig[]): readonly ServerConfig[] {
  return isInsideItself(servers) ? servers.map((config) => ({ ...config, disabled: true })) : servers
}

export class Upstreams {
  readonly #upstreams: Map<string, Upstream>
  readonly #options: UpstreamOptions
  readonly #reader = new MessageReader()
  /** Removed upstreams that may not have ended yet. */
  readonly #leaving = new Set<Promise<void>>()
  #servers: readonly ToolServer[] = []
  #isClosed = false
  /** The callers' subscriptions to resources. */
  readonly subscriptions = new Subscriptions()
  /** The callers' log levels. */
  readonly logLevels = new LogLevels()
  readonly #listeners = new Set<NotificationListener>()

  private constructor(servers: readonly ServerConfig[], options: UpstreamsOptions) {
    this.#options = {
      ...options,
      reader: this.#reader,
      starts: new Starts(),
      onNotification: (...told) => this.#tell(...told),
      onConnected: (server) => void this.#renew(server),
      isListenedTo: (server) => this.subscriptions.madeAt(server).length > 0,
    }
    this.#upstreams = new Map(
      withoutItself(servers).map((config) => [config.name, new Upstream(config, this.#options)]),
    )
  }

  /**
   * Starts every server that is not disabled. Resolves when each is ready or has failed, or at once if there is nothing
   * to wait for; never rejects.
   */
  static async open(servers: readonly ServerConfig[], options: UpstreamsOptions): Promise<Upstreams> {
    const upstreams = new Upstreams(servers, options)
    const giveUp = () => void upstreams.close()
    if (options.signal?.aborted) giveUp()
    options.signal?.addEventListener('abort', giveUp, { once: true })
    await Promise.all([...upstreams.#upstreams.values()].map((upstream) => upstream.recall()))
    const started = Promise.all([...upstreams.#upstreams.values()].map((upstream) => upstream.start()))
    void started.then(() => options.signal?.removeEventListener('abort', giveUp))
    if (options.waits ?? true) await started
    return upstreams
  }

  /**
   * The servers that programs can reach, with the tools they may call, in the order of the configuration. The same
   * array until something changes, and in a changed one the same objects for servers that did not change.
   */
  servers(): readonly ToolServer[] {
    if (!this.#areUnchanged)
      this.#servers = [...this.#upstreams.values()].flatMap(({ server }) => (server === undefined ? [] : [server]))
    return this.#servers
  }

  get #areUnchanged(): boolean {
    let at = 0
    for (const { server } of this.#upstreams.values())
      if (server !== undefined && server !== this.#servers[at++]) return false
    return at === this.#servers.length
  }

  /** In the order of the names; default: all servers. */
  status(names: readonly string[] = this.names()): ServerStatus[] {
    return names.flatMap((name) => this.#upstreams.get(name)?.status() ?? [])
  }

  /** The names of servers without a connection. */
  notReady(): string[] {
    const names: string[] = []
    for (const [name, { state }] of this.#upstreams) if (state !== 'ready') names.push(name)
    return names
  }

  /** True if every server has listed its tools to this process, and none has announced a change: nobody has to wait. */
  get areSettled(): boolean {
    for (const upstream of this.#upstreams.values()) if (!upstream.isSettled) return false
    return true
  }

  /** Waits briefly until `servers` has the announced changes. Never rejects. */
  settled(): Promise<void> {
    return patiently([...this.#upstreams.values()].map((upstream) => upstream.settled()))
  }

  /**
   * The same, and retries failed and lost connections. Servers with cached tools, and servers that were slow to answer
   * a short while ago, are not awaited.
   */
  revive(withinMs?: number): Promise<void> {
    const reach = async (upstream: Upstream) => {
      const started = upstream.start()
      if (upstream.isRemembered || upstream.isHanging) return
      await started
      await upstream.settled()
    }
    return waitFor([...this.#upstreams.values()], reach, { withinMs })
  }

  /**
   * Waits for named servers, as long as their start takes: until each has its current list, or can't be reached. Cached
   * tools suffice for listings. Never rejects.
   */
  async reached(names: readonly string[], { withinMs, signal, looks = false }: Waiting = {}): Promise<void> {
    const all = names.flatMap((name) => this.#upstreams.get(name) ?? [])
    if (all.length === 0) return
    const reach = async (upstream: Upstream) => {
      if (looks ? upstream.server === undefined : !upstream.isAsked) await upstream.connect()
      await upstream.settled()
    }
    await waitFor(all, reach, { withinMs, signal })
  }

  /** Loads the code of connections to servers, so that it is there when they are reached. */
  expect(names: readonly string[]): void {
    for (const name of names) this.#upstreams.get(name)?.expect()
  }

  /**
   * Starts one more server. Resolves when it is ready or has failed. Rejects with a DiagnosticError when there is one
   * of that name.
   */
  async add(config: ServerConfig): Promise<ServerStatus> {
    if (this.#isClosed) throw new DiagnosticError(closedAlready)
    if (this.#upstreams.has(config.name)) throw new DiagnosticError(serverExists(config.name))
    return this.#start(config)
  }

  /**
   * Gives a server another configuration. It is restarted only if the old connection is not suitable. Resolves when it
   * is ready or has failed. Rejects with a DiagnosticError when there is no such server.
   */
  async update(config: ServerConfig): Promise<ServerStatus> {
    if (this.#isClosed) throw new DiagnosticError(closedAlready)
    const before = this.#find(config.name)
    if (before.reconfigure(config)) return before.status()
    return this.#start(config, this.#leave(before))
  }

  /**
   * Sets the servers, in this order: new ones are started, changed ones updated, missing ones ended, and the rest is
   * unaffected. Resolves with the names of the affected servers, when each is ready, has failed, or has ended.
   * `keep`: the names of others that stay.
   */
  async become(all: readonly ServerConfig[], keep: readonly string[] = []): Promise<string[]> {
    if (this.#isClosed) throw new DiagnosticError(closedAlready)
    const servers = withoutItself(all)
    const wanted = [...servers.map(({ name }) => name), ...keep]
    const gone = [...this.#upstreams.keys()].filter((name) => !wanted.includes(name))
    const changed = servers.filter((config) => !isSameConfig(this.#upstreams.get(config.name)?.config, config))
    const done = [
      ...gone.map((name) => this.remove(name)),
      ...changed.map((config) => (this.#upstreams.has(config.name) ? this.update(config) : this.add(config))),
    ]
    this.#arrange(wanted)
    await Promise.all(done)
    return [...gone, ...changed.map(({ name }) => name)]
  }

  /** Ends the connection to a server and begins a new one, with changes of its entry. */
  async restart(name: string, changes: Partial<Pick<ServerConfig, 'disabled'>> = {}): Promise<ServerStatus> {
    if (this.#isClosed) throw new DiagnosticError(closedAlready)
    const before = this.#find(name)
    return this.#start({ ...before.config, ...changes }, this.#leave(before))
  }

  /** The entry of a server. Throws a DiagnosticError if there is no such server. */
  configOf(name: string): ServerConfig {
    return this.#find(name).config
  }

  #arrange(names: readonly string[]): void {
    const known = new Map(this.#upstreams)
    this.#upstreams.clear()
    for (const name of names) {
      const upstream = known.get(name)
      if (upstream !== undefined) this.#upstreams.set(name, upstream)
    }
  }

  /** Ends a server. Resolves when its process has ended. Rejects with a DiagnosticError if there is no such server. */
  async remove(name: string): Promise<void> {
    const upstream = this.#find(name)
    this.#upstreams.delete(name)
    await this.#leave(upstream)
  }

  call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Awaitable<ToolOutcome> {
    return after(this.#withTool(server, tool), (upstream) => upstream.call(tool, args, options))
  }

  /** Calls a tool, as `call` does, with parameters and an answer that are as the protocol carries them. */
  async callAsIs(
    server: string,
    tool: string,
    params: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<unknown> {
    return (await this.#withTool(server, tool)).callAsIs(tool, params, options)
  }

  /** The server of a tool that may be called now. */
  #withTool(server: string, tool: string): Awaitable<Upstream> {
    const upstream = this.#known(server)
    return after(upstream.isAsked ? undefined : upstream.connect(), () => {
      requireTool(upstream, tool)
      return upstream
    })
  }

  /** Records that a part of a server's list was left out. */
  noteCut(server: string, what: string): void {
    this.#upstreams.get(server)?.noteCut(what)
  }

  /** The maximum size of a server's list, in bytes. */
  listMaxBytes(server: string): number {
    return this.#upstreams.get(server)?.listMaxBytes ?? 0
  }

  /** Asks a server for something that is not a tool, such as `resources/read`. */
  async request(
    server: string,
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<unknown> {
    const upstream = this.#known(server)
    if (upstream.server === undefined) await upstream.connect()
    if (upstream.server === undefined) throw new DiagnosticError(upstream.whyNot())
    return upstream.request(method, params, options)
  }

  /** A server's last known capabilities, in the protocol's form; empty before its first connection. */
  capabilities(server: string): Readonly<Record<string, unknown>> {
    return this.#upstreams.get(server)?.capabilities ?? {}
  }

  /** True if the server currently declares the tool read-only. */
  isReadOnly(server: string, tool: string): boolean {
    const listed = this.#upstreams.get(server)?.server?.tools.find(({ name }) => name === tool)
    return listed?.annotations?.readOnlyHint === true
  }

  /** The names of servers whose tools are those that they listed to an earlier process. */
  remembered(): string[] {
    return [...this.#upstreams.values()].flatMap(({ isRemembered, config }) => (isRemembered ? [config.name] : []))
  }

  /** True while a server's tools are those that it listed to an earlier process. */
  isRemembered(server: string): boolean {
    return this.#upstreams.get(server)?.isRemembered ?? false
  }

  /** True when a server can be asked at once. */
  isConnected(server: string): boolean {
    return this.#upstreams.get(server)?.isConnected ?? false
  }

  /** A text without the secrets of any server. */
  redact(text: string): string {
    return [...this.#upstreams.values()].reduce((left, upstream) => upstream.redact(left), text)
  }

  /** JSON text without the credentials of any server. */
  hideCredentialsInJson(json: string): string {
    return [...this.#upstreams.values()].reduce((left, upstream) => upstream.hideCredentialsInJson(left), json)
  }

  /** All servers, in the order of the configuration. */
  names(): string[] {
    return [...this.#upstreams.keys()]
  }

  /** True if some server's own entry restricts the tools that may be called without approval. */
  get haveRules(): boolean {
    return [...this.#upstreams.values()].some(({ config }) => config.toolsToAutoExecute !== undefined)
  }

  /** Whether a server's own entry lets a tool be called without approval. */
  autoExecutes(server: string, tool: string): boolean {
    const config = this.#upstreams.get(server)?.config
    return config !== undefined && autoExecutesTool(config, tool)
  }

  /** The `codeMode` of a server's entry. */
  codeModeOf(server: string): CodeModeUse | undefined {
    return this.#upstreams.get(server)?.config.codeMode
  }

  /** Whether a server's resources, or prompts, are for callers. */
  opens(server: string, kind: 'resources' | 'prompts'): boolean {
    return this.#upstreams.get(server)?.config[kind] ?? false
  }

  /** A tool as its server lists it, unvalidated. Undefined if it may not be called. */
  entryOf(server: string, tool: string): Readonly<Record<string, unknown>> | undefined {
    return this.#upstreams.get(server)?.entryOf(tool)
  }

  #tell(...told: Parameters<NotificationListener>): void {
    for (const listener of this.#listeners) listener(...told)
  }

  /**
   * Renews the callers' subscriptions and log level over a server's new connection. Subscribers are notified, because
   * they may have missed a change. Never rejects.
   */
  async #renew(server: string): Promise<void> {
    const renewed = this.subscriptions.madeAt(server).map(async (uri) => {
      await this.#upstreams.get(server)?.request('resources/subscribe', { uri })
      this.#tell(server, 'notifications/resources/updated', { uri })
    })
    for (const outcome of await Promise.allSettled([this.setLogLevel(server), ...renewed]))
      if (outcome.status === 'rejected')
        this.#options.log({
          level: 'warn',
          server,
          message: `what callers set up is not renewed: ${outcome.reason.message}`,
        })
  }

  /**
   * Asks a server for the level that its callers want, if it has levels and they want one. Rejects with a
   * DiagnosticError when it refuses.
   */
  async setLogLevel(server: string, options: CallOptions = {}): Promise<void> {
    const level = this.logLevels.of(server)
    if (level === undefined || !this.isConnected(server) || this.capabilities(server).logging === undefined) return
    await this.request(server, 'logging/setLevel', { level }, options)
  }

  /** Passes servers' notifications for all callers to a listener, until the returned function is called. */
  listen(listener: NotificationListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #known(server: string): Upstream {
    const upstream = this.#upstreams.get(server)
    if (upstream !== undefined) return upstream
    throw new DiagnosticError(unknownServer(server, nearestNames(server, this.#upstreams.keys())))
  }

  /** Ends every connection; after it no process that was started here is alive. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...[...this.#upstreams.values()].map((upstream) => upstream.close()), ...this.#leaving])
    await this.#reader.close()
  }

  async #start(config: ServerConfig, after?: Promise<void>): Promise<ServerStatus> {
    const upstream = new Upstream(config, this.#options, after)
    this.#upstreams.set(config.name, upstream)
    await upstream.recall()
    await Promise.all([upstream.start(), after])
    return upstream.status()
  }

  #leave(upstream: Upstream): Promise<void> {
    const left = upstream.close().finally(() => this.#leaving.delete(left))
    this.#leaving.add(left)
    return left
  }

  #find(name: string): Upstream {
    const upstream = this.#upstreams.get(name)
    if (upstream === undefined) throw new DiagnosticError(serverNotConfigured(name, [...this.#upstreams.keys()]))
    return upstream
  }
}

function requireTool(upstream: Upstream, tool: string): void {
  const { config, server } = upstream
  // A list from an earlier process permits no calls.
  if (server === undefined || upstream.isRemembered) throw new DiagnosticError(upstream.whyNot())
  if (server.tools.some(({ name }) => name === tool)) return
  const allowed = server.tools.map(({ name }) => name)
  throw new DiagnosticError(unknownTool(config.name, tool, nearestNames(tool, allowed)))
}

function isSameConfig(one: ServerConfig | undefined, other: ServerConfig): boolean {
  if (one?.connection.type === 'in-process' || other.connection.type === 'in-process') return one === other
  return JSON.stringify(one) === JSON.stringify(other)
}

interface Waiting {
  /** The longest wait, in milliseconds. Default: `PATIENCE_MS`. */
  readonly withinMs?: number | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
  /** True: no tool will be called. Default false. */
  readonly looks?: boolean | undefined
}

/** Records servers that are slow. */
async function waitFor(
  upstreams: readonly Upstream[],
  reach: (upstream: Upstream) => Promise<void>,
  { withinMs = PATIENCE_MS, signal }: Waiting = {},
): Promise<void> {
  const began = performance.now()
  const isLate = () => performance.now() - began >= Math.min(SLOW_MS, WHOLE * withinMs)
  const slow = new Set(upstreams)
  const reached = upstreams.map(async (upstream) => {
    await reach(upstream)
    if (!isLate()) slow.delete(upstream)
  })
  await patiently(reached, withinMs, signal)
  if (!signal?.aborted && isLate()) for (const upstream of slow) upstream.noteWaitedFor()
}

async function patiently(
  all: readonly Promise<void>[],
  withinMs: number | undefined = PATIENCE_MS,
  signal?: AbortSignal,
): Promise<void> {
  let stop = (): void => {}
  const enough = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs)
    stop = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  await Promise.race([Promise.all(all), enough])
  signal?.removeEventListener('abort', stop)
  stop()
}
