// `CodeMode`: connects upstreams, sandbox and meta-tools.
// Invariant: after `close` nothing that `open` started is alive.

import { type Bindings, bindServers, CallSchedule, Observations } from '../bindings/index.js'
import { seenFrom } from '../diagnostics/index.js'
import {
  Audit,
  type BindingLevel,
  type CallerFacts,
  CatalogueStore,
  type Configuration,
  type HttpRoutes,
  type HttpServing,
  type Log,
  LoopDelay,
  Metrics,
  offersOf,
  RateLimits,
  type ServerEntry,
  type ServerStatus,
  type ServeSettings,
  serveHttp,
  silentLog,
  stderrLog,
  ToolFilter,
  termsOf,
  Upstreams,
  Watch,
} from '../gateway/index.js'
import { guestImage } from '../interpreter/index.js'
import { Desk, defaultAnswerMaxChars, deskWork, KeptRuns, type RunContext, RunHistory } from '../meta-tools/index.js'
import { openSandbox, openWorkerProcess } from '../sandbox/index.js'
import { FileStore, FileTraces, MemoryStore, MemoryTraces, type Store } from '../state/index.js'
import { openVfs, Room } from '../vfs/index.js'
import { ALL_OWNERS, ArtifactOwners, quotaOf } from './artifact-owners.js'
import { CallSettings } from './call-settings.js'
import { readObservations, writeObservations } from './observations-file.js'
import { configurationOf, type OpenOptions, serverOf } from './open-options.js'
import { SavedPrograms } from './saved-programs.js'
import { Session } from './session.js'
import { directServers, LOCAL, type OwnParts, type SharedParts, worldOf } from './session-parts.js'
import type { TracesParts } from './session-traces.js'
import { version } from './version.js'

/** Longer than any server may take to start, and the longest delay that a timer accepts. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * The servers behind a CodeMode. Changing one leaves the others and their calls alone; the next listing and the next
 * run know of it.
 *
 * @example
 * import { CodeMode, type Servers } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const servers: Servers = codeMode.servers
 * await servers.add('files', { command: 'my-mcp-server', toolsToExecute: ['list_*', 'read_file'] })
 * await servers.update('files', { command: 'my-mcp-server', toolsToExecute: ['*'] })
 * codeMode.setBindingLevel('tool', 'files')
 * await servers.remove('files')
 */
export interface Servers {
  /** The status of each server, in the order of the configuration. */
  status(): ServerStatus[]
  /**
   * Also starts the servers that wait for a request to name them. Resolves when each is ready or has failed, or early
   * when the signal aborts.
   */
  started(options?: { readonly signal?: AbortSignal }): Promise<ServerStatus[]>
  /**
   * Starts one more server. Resolves with its status when it is ready or has failed. Rejects with a DiagnosticError if
   * the entry is wrong or the name is taken.
   */
  add(name: string, entry: ServerEntry): Promise<ServerStatus>
  /** Gives a server a new entry. It is restarted only if its connection changes. */
  update(name: string, entry: ServerEntry): Promise<ServerStatus>
  /**
   * Replaces the servers by those of a configuration. Unchanged ones are unaffected. Resolves with the names of the
   * changed ones when each of them is ready, has failed, or has ended.
   */
  become(configuration: Pick<Configuration, 'servers'>): Promise<string[]>
  /** Ends a server. Resolves when nothing of it is left. */
  remove(name: string): Promise<void>
}

/**
 * Four meta-tools over many MCP servers, and programs that call the servers' tools. A CodeMode is the session that may
 * call every tool; it owns the connections, the workers and all other sessions.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { z } from 'zod'
 *
 * await using codeMode = await CodeMode.open({
 *   servers: {
 *     files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
 *     remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abc' } },
 *     shop: {
 *       inProcess: {
 *         price: {
 *           description: 'The price of an article, in cents.',
 *           inputSchema: z.object({ article: z.string() }),
 *           outputSchema: z.number(),
 *           call: ({ article }: { article: string }) => article.length * 100,
 *         },
 *       },
 *     },
 *   },
 * })
 * for (const { name, state, reason } of codeMode.servers.status()) console.log(name, state, reason)
 * const { result } = await codeMode.run('result = sum([shop.price(article=a) for a in ["tea", "cup"]])')
 */
export class CodeMode extends Session {
  readonly servers: Servers
  readonly #parts: Parts
  readonly #serving = new Set<HttpServing>()

  private constructor(parts: Parts, own: OwnParts) {
    super(parts.shared, own)
    this.#parts = parts
    this.servers = liveServers(parts.shared.upstreams, parts.levels, parts.calls)
  }

  /**
   * Starts the servers and lists their tools. A server that does not start is named in `servers.status()` and the
   * others work. Rejects with a DiagnosticError when the options are wrong.
   */
  static async open(options: OpenOptions = {}): Promise<CodeMode> {
    try {
      return await CodeMode.#open(options)
    } catch (error) {
      throw seenFrom(CodeMode.open, error)
    }
  }

  static async #open(options: OpenOptions): Promise<CodeMode> {
    const configuration = configurationOf(options)
    const { log = stderrLog('warn') } = options
    const { language, limits, bindingLevel, answerMaxChars = defaultAnswerMaxChars } = configuration
    const { sandbox, desk } = await openWorkers(configuration)
    const { clock, random, memory, strict } = configuration
    const dialect = { strict, ...worldOf({ clock, random, memory }) }
    if (options.warm ?? true) {
      desk.warm()
      // A worker that fails to start here fails again, with a message, when a program needs it.
      const image = language === 'javascript' ? language : dialect.strict ? 'starlark-strict' : 'starlark-bare'
      sandbox.warm(guestImage(image)).catch(() => {})
    }
    const { startServers = 'first' } = options
    const servers =
      startServers === 'named'
        ? configuration.servers.map((server) => ({ ...server, lazy: true }))
        : configuration.servers
    const upstreams = await Upstreams.open(servers, {
      waits: startServers === 'first',
      log,
      version,
      connectTimeoutMs: configuration.connectTimeoutMs,
      callersAnswer: options.callersAnswer ?? false,
      ...(options.catalogueFolder === undefined ? {} : { store: new CatalogueStore(options.catalogueFolder, version) }),
      asksAnew: options.freshCatalogues ?? false,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    const { observationsFile, observedValues = 0, descriptionLength } = configuration.stubs ?? {}
    const observations = readObservations(observationsFile, { enumerations: observedValues }, log)
    const bound = new LiveBindings(upstreams, observations)
    const quota = quotaOf(configuration)
    const room = new Room(ALL_OWNERS * quota.maxBytes)
    const owners = new ArtifactOwners(configuration, { quota, room, log })
    const newFiles = (owner?: string) =>
      openVfs({ results: quota, room, artifacts: owner === undefined ? undefined : owners.of(owner) })
    const newHistory = () => new RunHistory(quota.maxBytes, room)
    const levels = new Levels(bindingLevel)
    for (const { name, bindingLevel } of configuration.servers)
      if (bindingLevel !== undefined) levels.set(bindingLevel, name)
    const calls = new CallSettings(configuration)
    const watch = openWatch(configuration.serve ?? {}, upstreams, log)
    const { programs } = configuration
    const saved = new SavedPrograms(programs === false ? undefined : programs, {
      desk,
      bindings: () => bound.now(),
      // A command that starts servers on demand reports broken programs only when asked about programs.
      log: options.startServers === 'named' ? silentLog : log,
    })
    await saved.refresh()
    const { state } = configuration
    const store = typeof state === 'string' ? new FileStore(state) : new MemoryStore()
    const runs = openRuns(configuration, { store, upstreams, log, audit: watch.audit })
    const shared: SharedParts = {
      watch: watch.watch,
      saved,
      upstreams,
      bindings: () => bound.now(),
      serve: configuration.serve ?? {},
      calls,
      runs,
      traces: openTraces(configuration, upstreams),
      store,
      onApproval: options.onApproval,
      newObservations: () => new Observations({ enumerations: observedValues }),
      newFiles,
      newHistory,
      context: {
        sandbox,
        desk,
        language,
        limits,
        answerMaxChars,
        schedule: new CallSchedule({
          callsPerRun: configuration.callsAtOnce,
          callsPerServer: (server) => calls.callsPerServer(server),
        }),
        callTimeoutMs: (server, tool) => calls.timeoutMs(server, tool),
        resultForm: (server, tool) => calls.resultForm(server, tool),
        readsAhead: (server, tool) => calls.readsAhead(server, tool),
        coalesceReads: configuration.coalesceReads ?? false,
      },
      files: {
        language,
        answerMaxChars,
        levelOf: (server) => levels.of(server),
        ...(descriptionLength === undefined ? {} : { descriptionLength }),
      },
    }
    const keep =
      observationsFile === undefined ? () => {} : () => writeObservations(observationsFile, observations, log)
    const own: OwnParts = {
      filter: ToolFilter.all,
      headers: {},
      vfs: newFiles(LOCAL),
      history: newHistory(),
      servers: directServers(shared, ToolFilter.all),
      runs: new Set(),
      approve: [],
      terms: { filters: [], readOnly: false },
      mayApprove: true,
      dialect,
      valuesOwner: LOCAL,
    }
    const loopDelay = new LoopDelay(watch.watch.metrics, log)
    const { audit } = watch
    return new CodeMode({ shared, owners, levels, calls, keep, log, configuration, audit, loopDelay }, own)
  }

  /**
   * From now on, listings show one stub file for each server, or one for each tool; `server` limits the change to one
   * server. The names in programs stay the same.
   */
  setBindingLevel(level: BindingLevel, server?: string): void {
    this.#parts.levels.set(level, server)
  }

  /** Creates the session of a connecting caller, by the settings for serving. */
  accept(facts: CallerFacts): Session {
    this.#parts.loopDelay.tell()
    return this.view(termsOf(facts, this.#parts.shared.serve))
  }

  /**
   * Serves callers over Streamable HTTP, each with a session of its own. Rejects with a DiagnosticError when the
   * address can't be used. `close` ends it, too. `routes` are further paths on the same port, behind the same walls.
   */
  async serveHttp({ routes }: { readonly routes?: HttpRoutes } = {}): Promise<HttpServing> {
    const { shared, configuration, log } = this.#parts
    const serving = await serveHttp({
      version,
      structured: configuration.answerStructured ?? false,
      offers: offersOf(configuration),
      settings: shared.serve,
      open: async (facts) => this.accept(facts),
      servers: () => shared.upstreams.names(),
      toolNamed: (name, only) => this.direct.named(name, only),
      states: () => countStates(this.servers.status()),
      metrics: shared.watch.metrics,
      log,
      routes,
    })
    this.#serving.add(serving)
    return serving
  }

  /**
   * Resumes the background runs that an earlier process with the same `state` has left, each with its caller's rights.
   * Resolves with their names, when all have started.
   */
  async resumeBackground(): Promise<string[]> {
    const { shared, log } = this.#parts
    const orphans = await shared.runs.orphans()
    for (const { id, ...caller } of orphans) {
      const failed = (error: unknown) => log({ level: 'warn', message: `${id} can't be resumed: ${String(error)}` })
      shared.runs.track(this.asCaller(caller).resume(id).catch(failed))
    }
    return orphans.map(({ id }) => id)
  }

  /** The metrics of this CodeMode, in Prometheus' text format. */
  metrics(): string {
    return String(this.#parts.shared.watch.metrics)
  }

  /** Ends every run and every connection. */
  async close(): Promise<void> {
    const { shared, owners, keep, audit, loopDelay } = this.#parts
    loopDelay.close()
    await Promise.all([...this.#serving].map((serving) => serving.close()))
    const { sandbox, desk } = shared.context
    await Promise.all([sandbox.close(), desk.close(), shared.upstreams.close()])
    await shared.runs.close()
    await shared.traces.store.close()
    await owners.close()
    await audit?.close()
    keep()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

interface Parts {
  readonly shared: SharedParts
  readonly owners: ArtifactOwners
  readonly levels: Levels
  readonly calls: CallSettings
  /** Stores observations for the next start. */
  readonly keep: () => void
  readonly log: Log
  readonly configuration: Configuration
  readonly audit: Audit | undefined
  readonly loopDelay: LoopDelay
}

/** The audit log, metrics and spans of calls. */
function openWatch(
  serve: ServeSettings,
  upstreams: Upstreams,
  log: Log,
): { readonly watch: Watch; readonly audit: Audit | undefined } {
  const metrics = new Metrics()
  metrics.onRead(() => {
    const name = 'starbind_servers'
    metrics.clear(name)
    for (const [state, count] of Object.entries(countStates(upstreams.status())))
      metrics.set(name, 'Servers by their state.', count, { state })
    metrics.set('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss())
  })
  const audit = serve.audit === undefined ? undefined : new Audit(serve.audit, (text) => upstreams.redact(text), log)
  return { watch: new Watch({ metrics, limits: new RateLimits(serve.rateLimits ?? []), audit }), audit }
}

function countStates(servers: readonly ServerStatus[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { state } of servers) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

const HOUR_MS = 3_600_000

interface RunsParts {
  readonly store: Store
  readonly upstreams: Upstreams
  readonly log: Log
  readonly audit: Audit | undefined
}

/** The kept runs. */
function openRuns(configuration: Configuration, { store, upstreams, log, audit }: RunsParts): KeptRuns {
  const { state, approvalHours = 24, stateDays = 30, stateBytes = 256_000_000, keepArguments = true } = configuration
  const isFile = typeof state === 'string'
  return new KeptRuns(store, {
    version,
    keepArguments,
    approvalMs: approvalHours * HOUR_MS,
    keepMs: stateDays * 24 * HOUR_MS,
    maxBytes: stateBytes,
    keepsAll: isFile,
    // A store in memory holds nothing that this process does not hold already.
    hide: (json) => (isFile ? upstreams.hideCredentialsInJson(json) : json),
    onAnswer: (runId, { server, tool, arguments: given }, { answer, by }) =>
      audit?.write({
        caller: by,
        program: runId,
        server,
        tool,
        outcome: answer === 'deny' ? 'denied' : 'approved',
        ms: 0,
        arguments: given,
      }),
    complain: (message) => log({ level: 'warn', message: `a run that has ended was not kept: ${message}` }),
  })
}

const MOST_TRACES = 1_000
const TRACE_CHARACTERS = { file: 256_000_000, memory: 16_000_000 }

/** The kept traces. They quote arguments, so they stay in memory where arguments may not be written down. */
function openTraces({ state, stateDays = 30, keepArguments = true }: Configuration, upstreams: Upstreams): TracesParts {
  const folder = keepArguments && typeof state === 'string' ? state : undefined
  const bounds = {
    maxTraces: MOST_TRACES,
    maxCharacters: TRACE_CHARACTERS[folder === undefined ? 'memory' : 'file'],
  }
  return {
    store: folder === undefined ? new MemoryTraces() : new FileTraces(folder),
    bounds: () => ({ ...bounds, since: Date.now() - stateDays * 24 * HOUR_MS }),
    hide: (json) => (folder === undefined ? json : upstreams.hideCredentialsInJson(json)),
  }
}

/** The threads or the process for programs. */
async function openWorkers({
  isolation = 'thread',
  limits,
}: Configuration): Promise<Pick<RunContext, 'sandbox' | 'desk'>> {
  if (isolation === 'thread') return { sandbox: openSandbox({ limits }), desk: new Desk() }
  const { sandbox, workers } = await openWorkerProcess({ limits }, { module: deskWork })
  return { sandbox, desk: new Desk(workers) }
}

/** The current bindings of tools. Unchanged servers keep their derived data. */
class LiveBindings {
  readonly #upstreams: Upstreams
  readonly #observations: Observations
  #servers: ReturnType<Upstreams['servers']>
  #bindings: Bindings

  constructor(upstreams: Upstreams, observations: Observations) {
    this.#upstreams = upstreams
    this.#observations = observations
    this.#servers = upstreams.servers()
    this.#bindings = bindServers(this.#servers, { observations })
  }

  /** The same object until the tools of a server change. A run that keeps it continues with its tools. */
  now(): Bindings {
    const servers = this.#upstreams.servers()
    if (servers !== this.#servers) {
      this.#servers = servers
      this.#bindings = bindServers(servers, { previous: this.#bindings, observations: this.#observations })
    }
    return this.#bindings
  }
}

function liveServers(upstreams: Upstreams, levels: Levels, calls: CallSettings): Servers {
  const put = async (method: 'add' | 'update', name: string, entry: ServerEntry) => {
    try {
      const config = serverOf(name, entry, `servers.${method}`)
      const status = await upstreams[method](config)
      levels.setOwn(name, config.bindingLevel)
      calls.set(name, config)
      return status
    } catch (error) {
      throw seenFrom(servers[method], error)
    }
  }
  const servers: Servers = {
    status: () => upstreams.status(),
    async started({ signal } = {}) {
      await upstreams.reached(upstreams.names(), { signal, withinMs: LONGEST_MS })
      return upstreams.status()
    },
    add: async (name, entry) => await put('add', name, entry),
    update: async (name, entry) => await put('update', name, entry),
    async become({ servers }) {
      const touched = await upstreams.become(servers)
      for (const name of touched) {
        const config = servers.find((server) => server.name === name)
        levels.setOwn(name, config?.bindingLevel)
        calls.set(name, config)
      }
      return touched
    },
    async remove(name) {
      await upstreams.remove(name)
      levels.setOwn(name, undefined)
      calls.set(name, undefined)
    },
  }
  return servers
}

/** The level at which each server is shown: its own, else the common one. */
class Levels {
  #usual: BindingLevel
  readonly #own = new Map<string, BindingLevel>()

  constructor(usual: BindingLevel) {
    this.#usual = usual
  }

  of(server: string): BindingLevel {
    return this.#own.get(server) ?? this.#usual
  }

  /** The value in a server's entry; undefined if there is none. */
  setOwn(server: string, level: BindingLevel | undefined): void {
    if (level === undefined) this.#own.delete(server)
    else this.#own.set(server, level)
  }

  /** For one server; without a server, for all. */
  set(level: BindingLevel, server?: string): void {
    if (server !== undefined) this.#own.set(server, level)
    else {
      this.#own.clear()
      this.#usual = level
    }
  }
}
