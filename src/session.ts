// One caller's view of a CodeMode: the tools that it may call, its own results and its own runs, over upstreams and workers that all callers
// share. Knows what belongs to the caller and what is shared; what the meta-tools do is theirs.
// Invariant: a session sees and calls nothing that the session which it came from may not, and nothing of its results reaches another session
// unless that was asked for.

import { createHash } from 'node:crypto'
import { type Bindings, identifierFor, type Observations } from './bindings/index.js'
import { type Diagnostic, nearestNames, renderDiagnostics } from './diagnostics/index.js'
import {
  type CallerEnd,
  type CodeModeUse,
  Direct,
  DirectServers,
  type FilterEntry,
  filterOfHeaders,
  Gate,
  type RequestHeaders,
  type ServedSession,
  type ServerStatus,
  type ServeSettings,
  ToolFilter,
  Trace,
  type TraceCarrier,
  type UpstreamState,
  type Upstreams,
  type Watch,
} from './gateway/index.js'
import { compileRecognised, type Language, type Program, type Reach } from './interpreter/index.js'
import {
  type Answer,
  checkResult,
  type DefinitionFormat,
  type DefinitionFormats,
  definitionsFor,
  executeToolCode,
  getToolDocs,
  listToolFiles,
  metaTools,
  type OutputFormat,
  type ResultSchema,
  RunHistory,
  type RunListener,
  type RunResult,
  readRawArguments,
  readToolFile,
  runProgram,
  type ToolFiles,
  unknownMetaTool,
  type Workbench,
} from './meta-tools/index.js'
import type { Limits } from './sandbox/index.js'
import { openVfs, type Vfs } from './vfs/index.js'

/**
 * How `run` runs a program.
 *
 * @example
 * import { CodeMode, type ProgramOptions } from 'starbind'
 *
 * const options: ProgramOptions = { language: 'starlark', limits: { wallMs: 5000 }, signal: AbortSignal.timeout(10_000) }
 * await using codeMode = await CodeMode.open()
 * console.log(await codeMode.run('result = 6 * 7', options))
 */
export interface ProgramOptions {
  /** Default: as the configuration says, or as the program is evidently written. */
  readonly language?: Language
  /** Pure Starlark, without what Python adds. */
  readonly strict?: boolean
  /** Ends the run and the calls that it waits for. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
  /** Is told what happens, while it happens. */
  readonly onEvent?: RunListener
  /** The run or request that this run belongs to, for the events. */
  readonly parentId?: string
  /** A run (its `runId`) whose leading calls are not made again where this program makes the same. It failed, or was told to `keepCalls`. */
  readonly reuse?: string
  /** False: the program waits for every call. Default: it runs ahead of calls that only read, where nothing is configured otherwise. */
  readonly readAhead?: boolean
  /** Lets a later program `reuse` this run's calls even where it succeeds. Default: only those of runs that fail. */
  readonly keepCalls?: boolean
  /** Whom servers may ask and tell things meanwhile. */
  readonly caller?: CallerEnd
  /** The caller's trace, as W3C's headers have it: `traceparent`, `tracestate`, `baggage`. */
  readonly trace?: TraceCarrier
}

/**
 * A server as programs know it.
 *
 * @example
 * import { CodeMode, type ServerBinding } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { 'my-files': { command: 'my-mcp-server' } } })
 * const bindings: ServerBinding[] = codeMode.bindings()
 * for (const { name, server } of bindings) console.log(`programs write ${name} for ${server}`)
 */
export interface ServerBinding {
  /** What programs write. */
  readonly name: string
  /** Its name in the configuration. */
  readonly server: string
  readonly tools: readonly ToolBinding[]
}

/**
 * A tool as programs know it.
 *
 * @example
 * import { CodeMode, type ToolBinding } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const tools: ToolBinding[] = codeMode.bindings().flatMap((server) => server.tools)
 * for (const { name, parameters } of tools) console.log(`${name}(${parameters.join(', ')})`)
 */
export interface ToolBinding {
  /** What programs write. */
  readonly name: string
  /** Its name at its server. */
  readonly tool: string
  /** What programs write for its parameters, in the order of positional arguments. */
  readonly parameters: readonly string[]
}

/**
 * What is known of a program before it runs.
 *
 * @example
 * import { CodeMode, type ProgramCheck } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const checked: ProgramCheck = await codeMode.check('files.delete_file(path="a")')
 * if (checked.ok) for (const { namespace, member } of checked.reach.tools) console.log(`${namespace}.${member}`)
 * else console.error(checked.diagnostics)
 */
export type ProgramCheck =
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly ok: true
      /** What would fail where the program may not get to. */
      readonly warnings: readonly Diagnostic[]
      /** The tools it can call. */
      readonly reach: Reach
    }

/**
 * What a call of a meta-tool is given besides its arguments.
 *
 * @example
 * import { type CallOptions, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const options: CallOptions = { signal: AbortSignal.timeout(5000), onEvent: ({ type }) => console.log(type) }
 * console.log(await codeMode.call('executeToolCode', { code: 'print("hello")' }, options))
 */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Is told what happens in a run, while it happens. */
  readonly onEvent?: RunListener | undefined
  /** The request that a run belongs to, for the events. */
  readonly parentId?: string | undefined
  /** Whom servers may ask and tell things meanwhile. */
  readonly caller?: CallerEnd | undefined
  /** The caller's trace, as W3C's headers have it: `traceparent`, `tracestate`, `baggage`. */
  readonly trace?: TraceCarrier | undefined
  /** Those of the caller's request; servers get what their entries' `passHeaders` list. Default: those of the session. */
  readonly headers?: RequestHeaders | undefined
}

/**
 * What sets a caller's view apart from the one that it came from.
 *
 * @example
 * import { CodeMode, type SessionOptions } from 'starbind'
 *
 * const options: SessionOptions = { name: 'alice', filters: { servers: ['files'] }, results: 'own' }
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const alice = codeMode.session(options)
 * console.log((await alice.listToolFiles()).text)
 */
export interface SessionOptions {
  /** What this caller may call: each entry takes away and none gives. Default: all that the session it came from may call. */
  readonly filters?: FilterEntry | readonly FilterEntry[]
  /** The headers of the caller's request. `x-mcp-include-clients` and `x-mcp-include-tools` take away, too. */
  readonly headers?: RequestHeaders
  /** Who this is, for people. Sessions of one name take turns as one. */
  readonly name?: string
  /** Whether this caller reaches tools through programs or directly. Default: as servers and the configuration say. */
  readonly codeMode?: CodeModeUse | undefined
  /** The one server that this caller sees; its tools, called directly, have their own names. */
  readonly only?: string | undefined
  /** Whose `results/` and failed runs these are: this session's own (default), or those of the session it came from. */
  readonly results?: 'own' | 'shared'
}

/** What the sessions of one CodeMode have in common. */
export interface Ground {
  readonly upstreams: Upstreams
  /** All tools, as they are bound now: the same object until the tools of a server change. */
  bindings(): Bindings
  readonly serve: ServeSettings
  readonly watch: Watch
  /** Observations of which there are none yet. */
  newObservations(): Observations
  /** A file system with an empty `results/`. */
  newFiles(): Vfs
  /** What programs run with, whoever submits them. */
  readonly workbench: Omit<Workbench, 'bindings' | 'unavailable' | 'caller' | 'vfs' | 'history'>
  /** How stubs are shown, whoever reads them. */
  readonly files: Omit<ToolFiles, 'bindings' | 'vfs'>
}

/** What belongs to one session. */
export interface Own {
  readonly name?: string
  readonly filter: ToolFilter
  readonly headers: RequestHeaders
  readonly vfs: Vfs
  readonly history: RunHistory
  readonly servers: DirectServers
  /** What this caller's calls have shown; absent: all callers learn together. */
  readonly observations?: Observations
  readonly only?: string
  /** Of what is underway. */
  readonly runs: Set<AbortController>
}

/**
 * One caller's view: the meta-tools and programs, over the tools that this caller may call. Made by `CodeMode.open` and by `session`.
 *
 * @example
 * import { CodeMode, type Session } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const reader: Session = codeMode.session({ filters: { toolsToExecute: ['files/read_*', 'files/list_*'] }, name: 'reader' })
 * const answer = await reader.executeToolCode({ code: 'print(files.list_files())' })
 * console.log(answer.isError, answer.text)
 */
export class Session implements ServedSession {
  readonly #ground: Ground
  readonly #own: Own
  readonly #workbench: Workbench
  readonly #files: ToolFiles
  readonly #gate: Gate
  /** What the headers of requests left over, by what they say. */
  readonly #narrowed = new Map<string, Session>()
  /** What this caller reaches without programs. */
  readonly direct: Direct

  /** Made by `CodeMode.open` and `session`. */
  protected constructor(ground: Ground, own: Own) {
    this.#ground = ground
    this.#own = own
    const { vfs, history, name } = own
    const bound = new NarrowBindings(ground, own)
    this.#gate = new Gate(ground.upstreams, ground.watch, own)
    this.direct = new Direct({
      upstreams: ground.upstreams,
      gate: this.#gate,
      filter: own.filter,
      servers: own.servers,
      only: own.only,
      taken: metaTools.map((tool) => tool.name),
    })
    this.#workbench = {
      ...ground.workbench,
      get bindings() {
        return bound.now()
      },
      unavailable: () => unreachable(this.status(), own.servers),
      caller: this.#gate,
      vfs,
      history,
      ...(name === undefined ? {} : { group: name }),
    }
    this.#files = {
      ...ground.files,
      get bindings() {
        return bound.now()
      },
      vfs,
    }
  }

  /**
   * A view for one caller, over the same servers and workers: its own results and runs, and no more tools than this session has. Makes no connection
   * and needs no closing.
   *
   * @example
   * import { CodeMode } from 'starbind'
   * import { openaiChat } from 'starbind/openai'
   *
   * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
   * const guest = codeMode.session({ name: 'guest', filters: { toolsToExecute: ['files/read_*'] } })
   * const { tools, answer } = openaiChat(guest)
   * console.log(tools.length, await answer([]), guest.bindings())
   */
  session(options: SessionOptions = {}): Session {
    const { filters = [], headers = {}, results = 'own', only = this.#own.only, codeMode } = options
    const ground = this.#ground
    const own = this.#own
    const name = options.name ?? own.name
    const single: readonly FilterEntry[] = options.only === undefined ? [] : [{ servers: [options.only] }]
    const entries = [...single, ...[filters].flat(), ...filterOfHeaders(headers)]
    const filter = entries.reduce((narrower: ToolFilter, entry) => narrower.narrow(entry), own.filter)
    const isShared = results === 'shared'
    return new Session(ground, {
      filter,
      headers: { ...own.headers, ...headers },
      servers: isShared && codeMode === undefined ? own.servers : directServers(ground, filter, codeMode),
      ...(isShared
        ? { vfs: openVfs({ results: { of: own.vfs } }), history: own.history, runs: own.runs }
        : { vfs: ground.newFiles(), history: new RunHistory(), runs: new Set() }),
      ...observationsFor(ground, own, isShared),
      ...(name === undefined ? {} : { name }),
      ...(only === undefined ? {} : { only }),
    })
  }

  /** This caller's view as far as the headers of one request leave it: the same results and runs. */
  narrowed(headers: RequestHeaders): Session {
    const entries = filterOfHeaders(headers)
    if (entries.length === 0) return this
    const key = JSON.stringify(entries)
    const known = this.#narrowed.get(key) ?? this.session({ filters: entries, results: 'shared' })
    if (this.#narrowed.size >= MOST_VIEWS) this.#narrowed.clear()
    this.#narrowed.set(key, known)
    return known
  }

  /** Ends the runs that this session and its narrower views have underway. */
  end(): void {
    for (const run of this.#own.runs) run.abort()
  }

  /** True when there is a server that programs reach, or none at all. */
  get usesPrograms(): boolean {
    const { filter, servers } = this.#own
    const seen = this.#ground.upstreams.names().filter((name) => filter.reaches(name))
    return seen.length === 0 || seen.some((name) => !servers.has(name))
  }

  /** How each server is that this caller may reach, in the order of the configuration, with the tools that it may call. */
  status(): ServerStatus[] {
    const { filter } = this.#own
    return this.#ground.upstreams
      .status()
      .filter(({ name }) => filter.reaches(name))
      .map((status) => ({ ...status, tools: status.tools.filter((tool) => filter.allows(status.name, tool)) }))
  }

  /** True when a tool may be called without anybody's consent: for hosts that ask people. Names are those of the configuration and of the server. */
  autoExecutes(server: string, tool: string): boolean {
    return this.#own.filter.autoExecutes(server, tool) && this.#ground.upstreams.autoExecutes(server, tool)
  }

  #statusForPrograms(): ServerStatus[] {
    return this.status().filter(({ name }) => !this.#own.servers.has(name))
  }

  /** The names that programs may write, as they are now: every server with its tools, and every tool with its parameters. */
  bindings(): ServerBinding[] {
    return this.#workbench.bindings.servers.map(({ name, source, tools }) => ({
      name,
      server: source.name,
      tools: tools.map(({ name, tool, signature }) => ({
        name,
        tool: tool.name,
        parameters: signature.parameters.map((parameter) => parameter.name),
      })),
    }))
  }

  /**
   * The four tool definitions in the shape that a model's interface takes. Constant, whatever servers there are, so prompt caches hold. The functions
   * of `starbind/openai`, `/anthropic`, `/gemini`, `/ai-sdk` and `/langchain` answer calls as well.
   */
  tools<F extends DefinitionFormat>(format: F): DefinitionFormats[F][] {
    return definitionsFor(format)
  }

  /** The tree of stub files, or the tools that match the words of `query`. */
  async listToolFiles(args: { readonly query?: string; readonly server?: string } = {}): Promise<Answer> {
    return this.call('listToolFiles', args)
  }

  /** The text of files, or some of their lines. Lines count from 1, both ends included. */
  async readToolFile(args: {
    readonly fileName?: string
    readonly fileNames?: readonly string[]
    readonly startLine?: number
    readonly endLine?: number
  }): Promise<Answer> {
    return this.call('readToolFile', args)
  }

  /** Everything known about tools of one server. */
  async getToolDocs(args: {
    readonly server: string
    readonly tool?: string
    readonly tools?: readonly string[]
  }): Promise<Answer> {
    return this.call('getToolDocs', args)
  }

  /** Runs a program for a model: what it printed, its result and one line for each tool it called. */
  async executeToolCode(
    args: {
      readonly code: string
      readonly language?: Language
      readonly timeoutMs?: number
      /** The notation of the result. Default JSON. */
      readonly output?: OutputFormat
      /** A failed run whose leading calls are taken over. */
      readonly reuse?: string
      /** False: the program waits for every call. */
      readonly readAhead?: boolean
    },
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.call('executeToolCode', args, options)
  }

  /**
   * Answers one call of a meta-tool by name, with arguments as a model sent them: an object or its JSON text. Mistakes are answers, too, with
   * `isError`; this rejects only where starbind itself fails.
   *
   * @example
   * import { CodeMode } from 'starbind'
   *
   * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
   * const { text, isError } = await codeMode.call('readToolFile', '{"fileName": "guide.md"}')
   * console.log(isError ? 'a mistake' : 'fine', text)
   */
  async call(
    name: string,
    rawArgs: Readonly<Record<string, unknown>> | string,
    options: CallOptions = {},
  ): Promise<Answer> {
    const known = metaTools.some((tool) => tool.name === name) ? name : 'unknown'
    this.#ground.watch.metrics.count('starbind_meta_tool_calls_total', 'Calls of meta-tools.', { tool: known })
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': known }
    const failed = (answer: Answer) => answer.isError
    return Trace.of(options.trace).span('request', { name: `tools/call ${known}`, attributes, failed }, (trace) =>
      this.#answer(name, rawArgs, { ...options, within: trace }),
    )
  }

  async #answer(
    name: string,
    rawArgs: Readonly<Record<string, unknown>> | string,
    options: CallOptions & Within,
  ): Promise<Answer> {
    const { upstreams } = this.#ground
    await upstreams.settled()
    const read = readRawArguments(name, rawArgs)
    if (!read.ok) return { text: renderDiagnostics([read.diagnostic]), isError: true }
    const { args } = read
    switch (name) {
      case 'listToolFiles':
        await upstreams.revive()
        return withAbsentees(listToolFiles(args, this.#files), this.#statusForPrograms())
      case 'readToolFile':
        return readToolFile(args, this.#files)
      case 'getToolDocs':
        return getToolDocs(args, this.#files)
      case 'executeToolCode': {
        const code = typeof args.code === 'string' ? args.code : ''
        return this.#run(code, options, {
          run: (workbench, signal) => executeToolCode(args, workbench, { ...runOptions(options), signal }),
          failed: (answer) => answer.isError,
        })
      }
      default: {
        const known = metaTools.map((tool) => tool.name)
        return { text: renderDiagnostics([unknownMetaTool(name, nearestNames(name, known, 1), known)]), isError: true }
      }
    }
  }

  /**
   * Runs a program for a program: what came of it is data. Never rejects for what a program, a tool or a limit does; that is in `error`.
   *
   * @example
   * import { CodeMode } from 'starbind'
   * import { z } from 'zod'
   *
   * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
   * const run = await codeMode.run('result = {"files": len(files.list(path="."))}', {
   *   resultSchema: z.object({ files: z.number() }),
   *   onEvent: (event) => event.type === 'call.started' && console.log(event.server, event.tool),
   *   limits: { wallMs: 5_000 },
   * })
   * if (run.ok) console.log(run.result.files + 1)
   * else console.error(run.error.code, run.report)
   */
  async run<Result = unknown>(
    code: string,
    options: ProgramOptions & { readonly resultSchema?: ResultSchema<Result> } = {},
  ): Promise<RunResult<Result>> {
    await this.#ground.upstreams.settled()
    const { strict, resultSchema, caller: _caller, trace: _trace, ...rest } = options
    const result = await this.#run(code, options, {
      run: (workbench, signal) =>
        runProgram(this.#program(code, options.language), workbench, {
          ...rest,
          signal,
          ...(strict === undefined ? {} : { dialect: { strict } }),
        }),
      failed: ({ ok }) => !ok,
    })
    // Without a schema nobody has looked; the type is then the caller's own claim.
    return resultSchema === undefined ? (result as RunResult<Result>) : checkResult(result, resultSchema)
  }

  #program(text: string, language: Language | undefined): Program {
    return { text, language: language ?? this.#workbench.language, guessed: language === undefined }
  }

  /** Runs a program that ends with the session, in the name of one request of its caller. */
  async #run<T>(code: string, options: RunContext, { run, failed }: RunSteps<T>): Promise<T> {
    const { watch } = this.#ground
    const started = performance.now()
    const program = createHash('sha256').update(code).digest('hex').slice(0, 16)
    const { within = Trace.of(options.trace) } = options
    const attributes = { 'starbind.program': program }
    const result = await within.span('run', { name: 'run', attributes, failed }, (trace) =>
      this.#during(options, (signal) => {
        const caller = this.#gate.during({ caller: options.caller, trace, program, headers: options.headers })
        return run({ ...this.#workbench, caller }, signal)
      }),
    )
    const outcome = failed(result) ? 'failed' : 'ok'
    watch.metrics.count('starbind_runs_total', 'Programs that were run.', { outcome })
    watch.metrics.observe('starbind_run_seconds', 'How long programs ran.', (performance.now() - started) / 1000)
    return result
  }

  /** Does something that the end of the session ends, too. */
  async #during<T>({ signal }: RunContext, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { runs } = this.#own
    const controller = new AbortController()
    const abort = () => controller.abort()
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    runs.add(controller)
    try {
      return await work(controller.signal)
    } finally {
      runs.delete(controller)
      signal?.removeEventListener('abort', abort)
    }
  }

  /**
   * Says what is wrong with a program and which tools it can reach. Nothing runs and no tool is called.
   *
   * @example
   * import { CodeMode, renderDiagnostics } from 'starbind'
   *
   * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
   * const program = 'files.delete(path="a")'
   * const checked = await codeMode.check(program)
   * if (!checked.ok) console.error(renderDiagnostics(checked.diagnostics, program))
   * else if (checked.reach.tools.some(({ member }) => member === 'delete')) console.log('it may delete')
   */
  async check(code: string, options: Pick<ProgramOptions, 'language' | 'strict'> = {}): Promise<ProgramCheck> {
    await this.#ground.upstreams.settled()
    const { bindings, dialect, unavailable } = this.#workbench
    const { compilation } = compileRecognised(this.#program(code, options.language), {
      dialect: { ...dialect, ...(options.strict === undefined ? {} : { strict: options.strict }) },
      foreign: bindings.foreign,
      unavailable: unavailable(),
    })
    if (!compilation.ok) return { ok: false, diagnostics: compilation.diagnostics }
    return { ok: true, warnings: compilation.warnings, reach: compilation.program.reach }
  }
}

interface Within {
  /** The span that a run belongs to. */
  readonly within: Trace
}

type RunContext = Pick<CallOptions, 'signal' | 'caller' | 'trace' | 'headers'> & Partial<Within>

interface RunSteps<T> {
  readonly run: (workbench: Workbench, signal: AbortSignal) => Promise<T>
  readonly failed: (result: T) => boolean
}

/** How many views of one session are kept for requests to come. */
const MOST_VIEWS = 20

/** Where a session learns what tools return. */
function observationsFor(ground: Ground, own: Own, isShared: boolean): Pick<Own, 'observations'> {
  if (ground.serve.observations !== 'session') return {}
  if (!isShared) return { observations: ground.newObservations() }
  return own.observations === undefined ? {} : { observations: own.observations }
}

/** Which servers a caller reaches directly. */
export function directServers(ground: Ground, filter: ToolFilter, forCaller?: CodeModeUse): DirectServers {
  const { codeMode: usual, autoTokens } = ground.serve
  return new DirectServers(ground.upstreams, { filter, forCaller, usual, autoTokens })
}

function runOptions({ onEvent, parentId }: CallOptions): Pick<ProgramOptions, 'onEvent' | 'parentId'> {
  return { ...(onEvent === undefined ? {} : { onEvent }), ...(parentId === undefined ? {} : { parentId }) }
}

/** The part of all tools that a caller's programs may call, under the names that all tools have. */
class NarrowBindings {
  readonly #ground: Ground
  readonly #own: Own
  #all: Bindings | undefined
  #narrow: Bindings | undefined

  constructor(ground: Ground, own: Own) {
    this.#ground = ground
    this.#own = own
  }

  /** The same object until the tools of a server change. Who holds on to it goes on with the tools it has. */
  now(): Bindings {
    const all = this.#ground.bindings()
    if (this.#narrow === undefined || all !== this.#all) {
      const { filter, servers, observations } = this.#own
      const isWhole =
        observations === undefined &&
        filter === ToolFilter.all &&
        !all.servers.some(({ source }) => servers.has(source.name))
      const keep = (server: string, tool: string) => !servers.has(server) && filter.allows(server, tool)
      this.#all = all
      this.#narrow = isWhole
        ? all
        : all.narrow((server, tool) => keep(server.name, tool.name), {
            ...(observations === undefined ? {} : { observations }),
          })
    }
    return this.#narrow
  }
}

const UNREACHED: ReadonlySet<UpstreamState> = new Set(['failed', 'connecting', 'needs-auth'])

/** Servers that have shown no tools and can't be reached now. */
function absent(servers: readonly ServerStatus[]): ServerStatus[] {
  return servers.filter(({ state, tools }) => UNREACHED.has(state) && tools.length === 0)
}

/** The names of servers that programs can't reach, each with the reason. */
function unreachable(servers: readonly ServerStatus[], direct: DirectServers): Record<string, string> {
  const reasons = servers.flatMap(({ name }) => (direct.has(name) ? [[identifierFor(name), NOT_BY_PROGRAMS]] : []))
  return Object.fromEntries([
    ...absent(servers).map((server) => [identifierFor(server.name), server.reason]),
    ...reasons,
  ])
}

const NOT_BY_PROGRAMS = 'its tools are called directly and not by programs'

/** Says which servers can't be reached now, so that nobody concludes that they do not exist or that their tools are ready. */
function withAbsentees(answer: Answer, servers: readonly ServerStatus[]): Answer {
  const gone = absent(servers)
  const lines = servers
    .filter(({ state }) => UNREACHED.has(state))
    .map((server) =>
      gone.includes(server)
        ? `# ${server.name} is not available: ${server.reason}`
        : `# ${server.name} is being reconnected: ${server.reason}`,
    )
  return { ...answer, text: [answer.text, ...lines].join('\n') }
}
