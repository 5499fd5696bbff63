// The library's one object: upstreams, sandbox and meta-tools put together. Knows which part is given what; what happens is theirs.
// Invariant: after `close` nothing that `open` started is alive.

import { type Bindings, bindServers, identifierFor, type Observations } from './bindings/index.js'
import { type Diagnostic, nearestNames, renderDiagnostics } from './diagnostics/index.js'
import {
  type BindingLevel,
  type Configuration,
  checkConfiguration,
  checkServer,
  emptyConfiguration,
  type Log,
  type ResultSettings,
  type ResultsForm,
  type ServerConfig,
  type ServerEntry,
  type ServerStatus,
  type StubSettings,
  silentLog,
  Upstreams,
} from './gateway/index.js'
import { compile, type Dialect, type Language, type Reach } from './interpreter/index.js'
import {
  type Answer,
  type DefinitionFormat,
  type DefinitionFormats,
  defaultAnswerMaxChars,
  definitionsFor,
  executeToolCode,
  getToolDocs,
  listToolFiles,
  metaTools,
  type OutputFormat,
  RunHistory,
  type RunListener,
  type RunResult,
  readToolFile,
  runProgram,
  type ToolFiles,
  unknownMetaTool,
  type Workbench,
} from './meta-tools/index.js'
import { readObservations, writeObservations } from './observations-file.js'
import { type Limits, openSandbox, type Sandbox } from './sandbox/index.js'
import { version } from './version.js'
import { openVfs } from './vfs/index.js'

export interface OpenOptions {
  /** The upstream servers, in the form of `mcpServers`. Relative `cwd`s mean the folder of this process. */
  readonly servers?: Readonly<Record<string, ServerEntry>>
  /** A configuration that was read from a file; the other options override what it says. */
  readonly configuration?: Configuration
  /** One stub file for each server (default) or one for each tool. */
  readonly bindingLevel?: BindingLevel
  /** What a run may use up. Names that are absent take their defaults. */
  readonly limits?: Partial<Limits>
  /** Of programs that do not say. Default Starlark. */
  readonly language?: Language
  /** Pure Starlark, without what Python adds. Default false. */
  readonly strict?: boolean
  /** The longest answer to a model, in characters. Default 24,000. */
  readonly answerMaxChars?: number
  /** How stubs are written, and whether what tools return is remembered over restarts. */
  readonly stubs?: StubSettings
  /** Room for what is kept in `results/`. Default: 32 million bytes in 200 files. */
  readonly results?: ResultSettings
  /** For one call of a tool, in milliseconds. Servers and tools may have their own. Default one minute. */
  readonly callTimeoutMs?: number
  /** Whether text that is JSON is given to programs as data, as text, or as data that remembers its text. Default `auto`: the last. */
  readonly resultForm?: ResultsForm
  /** For one upstream to start and list its tools, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number
  /** Start a worker for programs while the servers start, so that the first program need not wait for it. Default true. */
  readonly warm?: boolean
  /** Is told what people who run this want to know. Default: nothing is told. */
  readonly log?: Log
  /** Gives up opening. */
  readonly signal?: AbortSignal
}

export interface ProgramOptions {
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
  /** A failed run (its `runId`) whose leading calls are not made again where this program makes the same. */
  readonly reuse?: string
}

/** What is known of a program before it runs. */
export type ProgramCheck =
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly ok: true
      /** What would fail where the program may not get to. */
      readonly warnings: readonly Diagnostic[]
      /** The tools it can call. */
      readonly reach: Reach
    }

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Is told what happens in a run, while it happens. */
  readonly onEvent?: RunListener
  /** The request that a run belongs to, for the events. */
  readonly parentId?: string
}

/** The servers behind a CodeMode. Changing one leaves the others and their calls alone; the next listing and the next run know of it. */
export interface Servers {
  /** How each is, in the order of the configuration. */
  status(): ServerStatus[]
  /**
   * Starts one more server. Resolves when it is ready or has failed, which its state tells. Rejects with a DiagnosticError when the entry is
   * wrong or there is a server of that name.
   */
  add(name: string, entry: ServerEntry): Promise<ServerStatus>
  /** Gives a server a whole new entry. It is started anew only where the entry says how it is reached in another way. */
  update(name: string, entry: ServerEntry): Promise<ServerStatus>
  /** Ends a server. Resolves when nothing of it is left. */
  remove(name: string): Promise<void>
}

/** Four meta-tools over many MCP servers, and programs that call their tools. */
export class CodeMode {
  readonly servers: Servers
  readonly #upstreams: Upstreams
  readonly #sandbox: Sandbox
  readonly #workbench: Workbench
  readonly #files: ToolFiles
  readonly #levels: Levels
  /** Keeps what was learnt for the next start. */
  readonly #keep: () => void

  private constructor(
    upstreams: Upstreams,
    sandbox: Sandbox,
    workbench: Workbench,
    files: ToolFiles,
    levels: Levels,
    keep: () => void,
  ) {
    this.#upstreams = upstreams
    this.#sandbox = sandbox
    this.#workbench = workbench
    this.#files = files
    this.#levels = levels
    this.#keep = keep
    this.servers = liveServers(upstreams, levels)
  }

  /**
   * Starts the servers and lists their tools. A server that does not start is named in `servers.status()` and the others work.
   * Rejects with a DiagnosticError when the options are wrong.
   */
  static async open(options: OpenOptions = {}): Promise<CodeMode> {
    const configuration = configurationOf(options)
    const sandbox = openSandbox({ limits: configuration.limits })
    const dialect = { strict: configuration.strict }
    if (options.warm ?? true) warm(sandbox, configuration.language, dialect)
    const upstreams = await Upstreams.open(configuration.servers, {
      log: options.log ?? silentLog,
      version,
      connectTimeoutMs: configuration.connectTimeoutMs,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    const { observationsFile, observedValues = 0, descriptionLength } = configuration.stubs ?? {}
    const log = options.log ?? silentLog
    const observations = readObservations(observationsFile, { enumerations: observedValues }, log)
    const bound = new LiveBindings(upstreams, observations)
    const vfs = openVfs({ results: configuration.results ?? {} })
    const { language, limits, answerMaxChars = defaultAnswerMaxChars } = configuration
    const levels = new Levels(configuration.bindingLevel)
    for (const { name, bindingLevel } of configuration.servers)
      if (bindingLevel !== undefined) levels.set(bindingLevel, name)
    const keep =
      observationsFile === undefined ? () => {} : () => writeObservations(observationsFile, observations, log)
    return new CodeMode(
      upstreams,
      sandbox,
      {
        get bindings() {
          return bound.now()
        },
        unavailable: () => absentees(upstreams.status()),
        caller: upstreams,
        sandbox,
        vfs,
        language,
        dialect,
        limits,
        answerMaxChars,
        history: new RunHistory(),
        ...callSettings(configuration),
      },
      {
        get bindings() {
          return bound.now()
        },
        vfs,
        answerMaxChars,
        levelOf: (server) => levels.of(server),
        ...(descriptionLength === undefined ? {} : { descriptionLength }),
      },
      levels,
      keep,
    )
  }

  /** Shows one stub file for each server or one for each tool from now on; of one server if it is named. Programs call the same names. */
  setBindingLevel(level: BindingLevel, server?: string): void {
    this.#levels.set(level, server)
  }

  /** The four tool definitions in the shape that a model's interface takes. Constant. */
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
    },
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.call('executeToolCode', args, options)
  }

  /** Answers one call of a meta-tool by name, with arguments as a model sent them. Mistakes are answers, too. */
  async call(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<Answer> {
    await this.#upstreams.settled()
    switch (name) {
      case 'listToolFiles':
        await this.#upstreams.revive()
        return withAbsentees(listToolFiles(args, this.#files), this.servers.status())
      case 'readToolFile':
        return readToolFile(args, this.#files)
      case 'getToolDocs':
        return getToolDocs(args, this.#files)
      case 'executeToolCode':
        return executeToolCode(args, this.#workbench, options)
      default: {
        const known = metaTools.map((tool) => tool.name)
        return { text: renderDiagnostics([unknownMetaTool(name, nearestNames(name, known, 1), known)]), isError: true }
      }
    }
  }

  /** Runs a program for a program. Rejects only for wrong options; what the program does wrong is in the result. */
  async run(code: string, options: ProgramOptions = {}): Promise<RunResult> {
    await this.#upstreams.settled()
    const { language = this.#workbench.language, strict, ...rest } = options
    return runProgram({ text: code, language }, this.#workbench, {
      ...rest,
      ...(strict === undefined ? {} : { dialect: { strict } }),
    })
  }

  /** Says what is wrong with a program and which tools it can reach. Nothing runs and no tool is called. */
  async check(code: string, options: Pick<ProgramOptions, 'language' | 'strict'> = {}): Promise<ProgramCheck> {
    await this.#upstreams.settled()
    const { bindings, dialect, unavailable, language } = this.#workbench
    const compilation = compile(
      { text: code, language: options.language ?? language },
      {
        dialect: { ...dialect, ...(options.strict === undefined ? {} : { strict: options.strict }) },
        foreign: bindings.foreign,
        unavailable: unavailable(),
      },
    )
    if (!compilation.ok) return { ok: false, diagnostics: compilation.diagnostics }
    return { ok: true, warnings: compilation.warnings, reach: compilation.program.reach }
  }

  /** Ends every run and every connection. */
  async close(): Promise<void> {
    await Promise.all([this.#sandbox.close(), this.#upstreams.close()])
    this.#keep()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** What is configured for single tools, else for their servers, else for all. */
function callSettings({
  servers,
  callTimeoutMs,
  resultForm,
}: Configuration): Pick<Workbench, 'callTimeoutMs' | 'resultForm'> {
  const byName = new Map(servers.map((server) => [server.name, server]))
  const toolOf = (server: ServerConfig | undefined, tool: string) =>
    server?.tools !== undefined && Object.hasOwn(server.tools, tool) ? server.tools[tool] : undefined
  return {
    callTimeoutMs: (name, tool) => {
      const server = byName.get(name)
      return toolOf(server, tool)?.timeoutMs ?? server?.timeoutMs ?? callTimeoutMs
    },
    // `auto` leaves the choice to the tool's own type.
    resultForm: (name, tool) => {
      const server = byName.get(name)
      const form = toolOf(server, tool)?.results ?? server?.results ?? resultForm
      return form === 'auto' ? undefined : form
    },
  }
}

/** A worker that fails to start here fails again, and says so, when a program needs it. */
function warm(sandbox: Sandbox, language: Language, dialect: Partial<Dialect>): void {
  const compilation = compile({ text: '', language }, { dialect })
  if (compilation.ok) sandbox.warm(compilation.program.image).catch(() => {})
}

/** Tools as they are bound now. Servers that did not change keep what was derived from them. */
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

  /** The same object until the tools of a server change. Who holds on to it goes on with the tools it has. */
  now(): Bindings {
    const servers = this.#upstreams.servers()
    if (servers !== this.#servers) {
      this.#servers = servers
      this.#bindings = bindServers(servers, { previous: this.#bindings, observations: this.#observations })
    }
    return this.#bindings
  }
}

function liveServers(upstreams: Upstreams, levels: Levels): Servers {
  const check = (name: string, entry: ServerEntry, what: string) =>
    checkServer(name, entry, { folder: process.cwd(), placeOf: () => `${what}:` })
  return {
    status: () => upstreams.status(),
    async add(name, entry) {
      const config = check(name, entry, 'servers.add')
      const status = await upstreams.add(config)
      levels.setOwn(name, config.bindingLevel)
      return status
    },
    async update(name, entry) {
      const config = check(name, entry, 'servers.update')
      const status = await upstreams.update(config)
      levels.setOwn(name, config.bindingLevel)
      return status
    },
    async remove(name) {
      await upstreams.remove(name)
      levels.setOwn(name, undefined)
    },
  }
}

/** Servers that have shown no tools and can't be reached now. */
function absent(servers: readonly ServerStatus[]): ServerStatus[] {
  return servers.filter(({ state, tools }) => (state === 'failed' || state === 'connecting') && tools.length === 0)
}

/** The names that programs know unreachable servers by, each with the reason. */
function absentees(servers: readonly ServerStatus[]): Record<string, string> {
  return Object.fromEntries(absent(servers).map((server) => [identifierFor(server.name), server.reason]))
}

/** Says which servers can't be reached now, so that nobody concludes that they do not exist or that their tools are ready. */
function withAbsentees(answer: Answer, servers: readonly ServerStatus[]): Answer {
  const gone = absent(servers)
  const lines = servers
    .filter(({ state }) => state === 'failed' || state === 'connecting')
    .map((server) =>
      gone.includes(server)
        ? `# ${server.name} is not available: ${server.reason}`
        : `# ${server.name} is being reconnected: ${server.reason}`,
    )
  return { ...answer, text: [answer.text, ...lines].join('\n') }
}

/** Which level each server is shown at: its own, else the one of all. */
class Levels {
  #usual: BindingLevel
  readonly #own = new Map<string, BindingLevel>()

  constructor(usual: BindingLevel) {
    this.#usual = usual
  }

  of(server: string): BindingLevel {
    return this.#own.get(server) ?? this.#usual
  }

  /** What a server's entry says; undefined when it says nothing. */
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

function configurationOf(options: OpenOptions): Configuration {
  const { servers, configuration = emptyConfiguration } = options
  const callTimeoutMs = options.callTimeoutMs ?? configuration.callTimeoutMs
  const resultForm = options.resultForm ?? configuration.resultForm
  const given =
    servers === undefined
      ? configuration.servers
      : checkConfiguration({ mcpServers: servers }, { folder: process.cwd(), placeOf: () => 'CodeMode.open:' }).servers
  return {
    servers: given,
    bindingLevel: options.bindingLevel ?? configuration.bindingLevel,
    limits: { ...configuration.limits, ...options.limits },
    language: options.language ?? configuration.language,
    strict: options.strict ?? configuration.strict,
    answerMaxChars: options.answerMaxChars ?? configuration.answerMaxChars ?? defaultAnswerMaxChars,
    stubs: { ...configuration.stubs, ...options.stubs },
    results: { ...configuration.results, ...options.results },
    ...(resultForm === undefined ? {} : { resultForm }),
    ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    connectTimeoutMs: options.connectTimeoutMs ?? configuration.connectTimeoutMs,
  }
}
