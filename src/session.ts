// One caller's view of a CodeMode: the tools that it may call, its own results and its own runs, over upstreams and workers that all callers
// share. Knows what belongs to the caller and what is shared; what the meta-tools do is theirs.
// Invariant: a session sees and calls nothing that the session which it came from may not, and nothing of its results reaches another session
// unless that was asked for.

import { type Bindings, identifierFor } from './bindings/index.js'
import { type Diagnostic, nearestNames, renderDiagnostics } from './diagnostics/index.js'
import {
  type FilterEntry,
  filterOfHeaders,
  Gate,
  type RequestHeaders,
  type ServerStatus,
  ToolFilter,
  type Upstreams,
} from './gateway/index.js'
import { compile, type Language, type Reach } from './interpreter/index.js'
import {
  type Answer,
  type DefinitionFormat,
  type DefinitionFormats,
  definitionsFor,
  executeToolCode,
  getToolDocs,
  listToolFiles,
  metaTools,
  type OutputFormat,
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

export interface SessionOptions {
  /** What this caller may call: each entry takes away and none gives. Default: all that the session it came from may call. */
  readonly filters?: FilterEntry | readonly FilterEntry[]
  /** The headers of the caller's request. `x-mcp-include-clients` and `x-mcp-include-tools` take away, too. */
  readonly headers?: RequestHeaders
  /** Who this is, for people. Sessions of one name take turns as one. */
  readonly name?: string
  /** Whose `results/` and failed runs these are: this session's own (default), or those of the session it came from. */
  readonly results?: 'own' | 'shared'
}

/** What the sessions of one CodeMode have in common. */
export interface Ground {
  readonly upstreams: Upstreams
  /** All tools, as they are bound now: the same object until the tools of a server change. */
  bindings(): Bindings
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
}

export class Session {
  readonly #ground: Ground
  readonly #own: Own
  readonly #workbench: Workbench
  readonly #files: ToolFiles

  /** Made by `CodeMode.open` and `session`. */
  protected constructor(ground: Ground, own: Own) {
    this.#ground = ground
    this.#own = own
    const { vfs, history, name } = own
    const bound = new NarrowBindings(ground, own.filter)
    this.#workbench = {
      ...ground.workbench,
      get bindings() {
        return bound.now()
      },
      unavailable: () => absentees(this.status()),
      caller: new Gate(ground.upstreams, own),
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

  /** A view for one caller, over the same servers and workers. It needs no closing. */
  session(options: SessionOptions = {}): Session {
    const { filters = [], headers = {}, results = 'own' } = options
    const own = this.#own
    const name = options.name ?? own.name
    const entries = [...[filters].flat(), ...filterOfHeaders(headers)]
    return new Session(this.#ground, {
      filter: entries.reduce((filter: ToolFilter, entry) => filter.narrow(entry), own.filter),
      headers: { ...own.headers, ...headers },
      ...(results === 'shared'
        ? { vfs: openVfs({ results: { of: own.vfs } }), history: own.history }
        : { vfs: this.#ground.newFiles(), history: new RunHistory() }),
      ...(name === undefined ? {} : { name }),
    })
  }

  /** How each server is that this caller may reach, in the order of the configuration, with the tools that it may call. */
  status(): ServerStatus[] {
    const { filter } = this.#own
    return this.#ground.upstreams
      .status()
      .filter(({ name }) => filter.reaches(name))
      .map((status) => ({ ...status, tools: status.tools.filter((tool) => filter.allows(status.name, tool)) }))
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

  /** Answers one call of a meta-tool by name, with arguments as a model sent them: an object or its JSON text. Mistakes are answers, too. */
  async call(
    name: string,
    rawArgs: Readonly<Record<string, unknown>> | string,
    options: CallOptions = {},
  ): Promise<Answer> {
    const { upstreams } = this.#ground
    await upstreams.settled()
    const read = readRawArguments(name, rawArgs)
    if (!read.ok) return { text: renderDiagnostics([read.diagnostic]), isError: true }
    const { args } = read
    switch (name) {
      case 'listToolFiles':
        await upstreams.revive()
        return withAbsentees(listToolFiles(args, this.#files), this.status())
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
    await this.#ground.upstreams.settled()
    const { language = this.#workbench.language, strict, ...rest } = options
    return runProgram({ text: code, language }, this.#workbench, {
      ...rest,
      ...(strict === undefined ? {} : { dialect: { strict } }),
    })
  }

  /** Says what is wrong with a program and which tools it can reach. Nothing runs and no tool is called. */
  async check(code: string, options: Pick<ProgramOptions, 'language' | 'strict'> = {}): Promise<ProgramCheck> {
    await this.#ground.upstreams.settled()
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
}

/** The part of all tools that a filter allows, under the names that all tools have. */
class NarrowBindings {
  readonly #ground: Ground
  readonly #filter: ToolFilter
  #all: Bindings | undefined
  #narrow: Bindings | undefined

  constructor(ground: Ground, filter: ToolFilter) {
    this.#ground = ground
    this.#filter = filter
  }

  /** The same object until the tools of a server change. Who holds on to it goes on with the tools it has. */
  now(): Bindings {
    const all = this.#ground.bindings()
    if (this.#filter === ToolFilter.all) return all
    if (this.#narrow === undefined || all !== this.#all) {
      this.#all = all
      this.#narrow = all.narrow((server, tool) => this.#filter.allows(server.name, tool.name))
    }
    return this.#narrow
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
