// One caller's view of a CodeMode: the tools that it may call, its own results and its own runs, over upstreams and
// workers that all callers share. Knows what belongs to the caller and what is shared; what the meta-tools do is
// theirs.
// Invariant: a session sees and calls nothing that the session which it came from may not, and nothing of its results
// reaches another session unless that was asked for.

import { createHash } from 'node:crypto'
import type { Bindings } from '../bindings/index.js'
import { DiagnosticError, nearestNames, renderDiagnostics } from '../diagnostics/index.js'
import {
  Direct,
  type FilterEntry,
  filterOfHeaders,
  Gate,
  type RequestHeaders,
  type ServedSession,
  type ServerStatus,
  type ToolFilter,
  Trace,
} from '../gateway/index.js'
import type { Dialect, Language, MainFunction, Program, Reach } from '../interpreter/index.js'
import {
  type Answer,
  checkProgram,
  checkResult,
  closed,
  type DefinitionFormat,
  type DefinitionFormats,
  definitionFormats,
  definitionsFor,
  describing,
  executeToolCode,
  inTurns,
  listing,
  metaTools,
  type OutputFormat,
  type ProgramCheck,
  type ResultSchema,
  type RunContext,
  type RunResult,
  reading,
  readProgram,
  readRawArguments,
  runProgram,
  type ToolFiles,
  unknownMetaTool,
} from '../meta-tools/index.js'
import { defaultLimits, limitCeilings } from '../sandbox/index.js'
import { openVfs } from '../vfs/index.js'
import { CallerBindings } from './caller-bindings.js'
import { checkValue, option } from './check-options.js'
import {
  type CallOptions,
  checkProgramOptions,
  checkSessionOptions,
  type ProgramOptions,
  type ServerBinding,
  type SessionOptions,
} from './session-options.js'
import { directServers, type OwnParts, observationsFor, type SharedParts, worldOf } from './session-parts.js'
import { namedIn, unreachable, withUnreachable } from './unreachable-servers.js'

/**
 * One caller's view: the meta-tools and programs, over the tools that this caller may call. Made by `CodeMode.open` and
 * by `session`.
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
  readonly #shared: SharedParts
  readonly #own: OwnParts
  readonly #context: RunContext
  readonly #files: ToolFiles
  readonly #gate: Gate
  /** What the headers of requests left over, by what they say. */
  readonly #narrowed = new Map<string, Session>()
  /** What this caller reaches without programs. */
  readonly direct: Direct

  /** Made by `CodeMode.open` and `session`. */
  protected constructor(shared: SharedParts, own: OwnParts) {
    this.#shared = shared
    this.#own = own
    const { vfs, history, name } = own
    const bound = new CallerBindings(shared, own)
    this.#gate = new Gate(shared.upstreams, shared.watch, own)
    this.direct = new Direct({
      upstreams: shared.upstreams,
      gate: this.#gate,
      filter: own.filter,
      servers: own.servers,
      only: own.only,
      taken: metaTools.map((tool) => tool.name),
    })
    this.#context = {
      ...shared.context,
      get bindings() {
        return bound.now()
      },
      unavailable: () => unreachable(this.status(), own.servers),
      caller: this.#gate,
      vfs,
      history,
      dialect: own.dialect,
      ...(name === undefined ? {} : { group: name }),
    }
    this.#files = {
      ...shared.files,
      dialect: own.dialect,
      get bindings() {
        return bound.now()
      },
      vfs,
      unavailable: () => unreachable(this.status(), own.servers),
    }
  }

  /**
   * A view for one caller, over the same servers and workers: its own results and runs, and no more tools than this
   * session has. Makes no connection and needs no closing. Throws a DiagnosticError when the options are wrong.
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
    checkSessionOptions(options)
    return this.view(options)
  }

  /** The same for options that were checked where they were read, and may have more keys. */
  protected view(options: SessionOptions): Session {
    const { filters = [], headers = {}, results = 'own', only = this.#own.only, codeMode } = options
    const shared = this.#shared
    const own = this.#own
    const name = options.name ?? own.name
    const single: readonly FilterEntry[] = options.only === undefined ? [] : [{ servers: [options.only] }]
    const entries = [...single, ...[filters].flat(), ...filterOfHeaders(headers)]
    const narrow = entries.reduce((narrower: ToolFilter, entry) => narrower.narrow(entry), own.filter)
    const { upstreams } = shared
    const filter = options.readOnly ? narrow.only((server, tool) => upstreams.isReadOnly(server, tool)) : narrow
    const isShared = results === 'shared'
    return new Session(shared, {
      filter,
      headers: { ...own.headers, ...headers },
      servers: isShared && codeMode === undefined ? own.servers : directServers(shared, filter, codeMode),
      ...(isShared
        ? { vfs: openVfs({ results: { of: own.vfs } }), history: own.history, runs: own.runs }
        : { vfs: shared.newFiles(), history: shared.newHistory(), runs: new Set() }),
      ...observationsFor(shared, own, isShared),
      dialect: { ...own.dialect, ...worldOf(options) },
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
    const seen = this.#shared.upstreams.names().filter((name) => filter.reaches(name))
    return seen.length === 0 || seen.some((name) => !servers.has(name))
  }

  /**
   * How each server is that this caller may reach, in the order of the configuration, with the tools that it may call.
   */
  status(): ServerStatus[] {
    const { filter } = this.#own
    return this.#shared.upstreams
      .status()
      .filter(({ name }) => filter.reaches(name))
      .map((status) => ({ ...status, tools: status.tools.filter((tool) => filter.allows(status.name, tool)) }))
  }

  /**
   * True when a tool may be called without anybody's consent: for hosts that ask people. Names are those of the
   * configuration and of the server.
   */
  autoExecutes(server: string, tool: string): boolean {
    return this.#own.filter.autoExecutes(server, tool) && this.#shared.upstreams.autoExecutes(server, tool)
  }

  #statusForPrograms(): ServerStatus[] {
    return this.status().filter(({ name }) => !this.#own.servers.has(name))
  }

  /**
   * The names that programs may write, as they are now: every server with its tools, and every tool with its
   * parameters.
   */
  bindings(): ServerBinding[] {
    return this.#context.bindings.servers.map(({ name, source, tools }) => ({
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
   * The four tool definitions in the shape that a model's interface takes. Constant, whatever servers there are, so
   * prompt caches hold. The functions of `starbind/openai`, `/anthropic`, `/gemini`, `/ai-sdk` and `/langchain` answer
   * calls as well.
   */
  tools<F extends DefinitionFormat>(format: F): DefinitionFormats[F][] {
    checkValue('tools:', 'format', format, option.oneOf(definitionFormats))
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
   * Answers one call of a meta-tool by name, with arguments as a model sent them: an object or its JSON text. Mistakes
   * are answers, too, with `isError`; this rejects only where starbind itself fails or has been closed.
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
    this.#mustBeOpen()
    const arrivedAt = performance.now()
    const known = metaTools.some((tool) => tool.name === name) ? name : 'unknown'
    this.#shared.watch.metrics.count('starbind_meta_tool_calls_total', 'Calls of meta-tools.', { tool: known })
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': known }
    const failed = (answer: Answer) => answer.isError
    return Trace.of(options.trace).span('request', { name: `tools/call ${known}`, attributes, failed }, (trace) =>
      this.#answer(name, rawArgs, { ...options, within: trace, arrivedAt }),
    )
  }

  async #answer(
    name: string,
    rawArgs: Readonly<Record<string, unknown>> | string,
    options: CallOptions & Within & { readonly arrivedAt: number },
  ): Promise<Answer> {
    const { upstreams } = this.#shared
    const read = readRawArguments(name, rawArgs)
    if (!read.ok) return { text: renderDiagnostics([read.diagnostic]), isError: true }
    const { args } = read
    const { signal } = options
    switch (name) {
      case 'listToolFiles':
        if (args.server === undefined) await upstreams.revive()
        else await this.#look(String(args.server), { signal, withinMs: LISTING_MS })
        return withUnreachable(await inTurns(listing(args, this.#files)), this.#statusForPrograms())
      case 'readToolFile':
        return this.#answerFor(JSON.stringify(args), signal, () => inTurns(reading(args, this.#files)))
      case 'getToolDocs':
        return this.#answerFor(JSON.stringify(args.server ?? ''), signal, () => inTurns(describing(args, this.#files)))
      case 'executeToolCode': {
        const code = typeof args.code === 'string' ? args.code : ''
        const { timeoutMs } = args
        await this.#ready(readProgram(code, undefined, this.#context.language), {
          signal,
          withinMs: typeof timeoutMs === 'number' ? timeoutMs : undefined,
        })
        return this.#run(code, options, {
          run: (context, signal) =>
            executeToolCode(args, context, { ...runOptions(options), signal, arrivedAt: options.arrivedAt }),
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
   * Runs a program for a program: what came of it is data. Never rejects for what a program, a tool or a limit does;
   * that is in `error`. Rejects with a DiagnosticError when the options are wrong or all of this has been closed.
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
    this.#mustBeOpen()
    const arrivedAt = performance.now()
    checkValue('run:', 'code', code, option.string)
    checkProgramOptions.run(options)
    const program = readProgram(code, options.language, this.#context.language)
    const dialect = dialectFor(options)
    await this.#ready(program, { signal: options.signal, withinMs: options.limits?.wallMs }, dialect)
    const { strict: _strict, resultSchema, caller: _caller, trace: _trace, approve: _approve, ...rest } = options
    const result = await this.#run(code, options, {
      run: (context, signal) => runProgram(program, context, { ...rest, signal, arrivedAt, dialect }),
      failed: ({ ok }) => !ok,
    })
    // Without a schema nobody has looked; the type is then the caller's own claim.
    return resultSchema === undefined ? (result as RunResult<Result>) : checkResult(result, resultSchema)
  }

  /**
   * What a program wants to be given when a person starts it: the annotated parameters of a function `main` that it
   * defines and does not call. Undefined where there is none. Nothing runs.
   *
   * @example
   * import { CodeMode } from 'starbind'
   *
   * await using codeMode = await CodeMode.open()
   * const program = 'def main(name: str, count: int = 1):\n    return name * count'
   * const main = await codeMode.mainOf(program)
   * if (main?.parameters[0]?.type === 'str') console.log(await codeMode.run(`${program}\nresult = main("a")`))
   */
  async mainOf(code: string, { language }: Pick<ProgramOptions, 'language'> = {}): Promise<MainFunction | undefined> {
    this.#mustBeOpen()
    checkValue('mainOf:', 'code', code, option.string)
    return this.#context.desk.mainOf(readProgram(code, language, this.#context.language))
  }

  /**
   * Waits until the tools of the servers that a text names are known, and for no others: at most for as long as a
   * program may run. Resolves with their names.
   */
  async #reach(text: string, patience: Patience = {}): Promise<string[]> {
    const { filter } = this.#own
    const names = this.#shared.upstreams.names().filter((name) => filter.reaches(name))
    const named = namedIn(text, names)
    await this.#shared.upstreams.reached(named, { ...this.#within(patience), looks: true })
    return named
  }

  /** The same; what names none may mean any of them, so that the nearest names are known. */
  async #look(text: string, patience: Patience): Promise<void> {
    if ((await this.#reach(text, patience)).length === 0 && !OWN_FILES.test(text)) await this.#shared.upstreams.revive()
  }

  /** An answer about servers that a text names. */
  async #answerFor(text: string, signal: AbortSignal | undefined, answer: () => Promise<Answer>): Promise<Answer> {
    await this.#look(text, { signal })
    const first = await answer()
    return first.isError && (await this.#askAgain(text, signal)) ? answer() : first
  }

  /**
   * What is not there may be new: asks the servers that a text names and whose tools are only remembered, and does not
   * wait for long. Resolves with whether there are any.
   */
  async #askAgain(text: string, signal: AbortSignal | undefined): Promise<boolean> {
    const { filter } = this.#own
    const { upstreams } = this.#shared
    const remembered = upstreams.remembered().filter((name) => filter.reaches(name))
    const named = namedIn(text, remembered)
    await upstreams.reached(named, { signal, withinMs: LISTING_MS })
    return named.length > 0
  }

  /**
   * Waits for the servers that a program can call. Where tools are remembered, a first look at the program tells which
   * those are; a program that is refused may know better than what is remembered.
   */
  async #ready(program: Program, patience: Patience, dialect: Partial<Dialect> = {}): Promise<void> {
    const { upstreams } = this.#shared
    const began = performance.now()
    const named = await this.#reach(program.text, patience)
    const remembered = upstreams.remembered().filter((name) => named.includes(name))
    if (remembered.length === 0) return
    const checked = await checkProgram(program, this.#context, { dialect })
    const called = (name: string) => !checked.ok || reaches(checked.reach, guestName(name, this.#context.bindings))
    const { signal, withinMs } = this.#within(patience)
    const left = Math.max(0, withinMs - (performance.now() - began))
    await upstreams.reached(remembered.filter(called), { signal, withinMs: left })
  }

  #within({ signal, withinMs }: Patience): { readonly signal: AbortSignal | undefined; readonly withinMs: number } {
    const most = withinMs ?? this.#context.limits.wallMs ?? defaultLimits.wallMs
    return { signal, withinMs: Math.min(most, limitCeilings.wallMs) }
  }

  #mustBeOpen(): void {
    if (this.#context.sandbox.isClosed) throw new DiagnosticError(closed)
  }

  /** Runs a program that ends with the session, in the name of one request of its caller. */
  async #run<T>(code: string, options: RunRequest, { run, failed }: RunSteps<T>): Promise<T> {
    const { watch } = this.#shared
    const started = performance.now()
    const program = createHash('sha256').update(code).digest('hex').slice(0, 16)
    const { within = Trace.of(options.trace), caller: answering, headers, approve } = options
    const attributes = { 'starbind.program': program }
    const result = await within.span('run', { name: 'run', attributes, failed }, (trace) =>
      this.#during(options, (signal) => {
        const caller = this.#gate.during({ caller: answering, trace, program, headers, approve })
        return run({ ...this.#context, caller }, signal)
      }),
    )
    const outcome = failed(result) ? 'failed' : 'ok'
    watch.metrics.count('starbind_runs_total', 'Programs that were run.', { outcome })
    watch.metrics.observe('starbind_run_seconds', 'How long programs ran.', (performance.now() - started) / 1000)
    return result
  }

  /** Does something that the end of the session ends, too. */
  async #during<T>({ signal }: RunRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
  async check(
    code: string,
    options: Pick<ProgramOptions, 'language' | 'strict' | 'signal' | 'stdin'> = {},
  ): Promise<ProgramCheck> {
    this.#mustBeOpen()
    checkValue('check:', 'code', code, option.string)
    checkProgramOptions.check(options)
    const { signal, language } = options
    await this.#reach(code, { signal })
    const program = readProgram(code, language, this.#context.language)
    const check = () => checkProgram(program, this.#context, { dialect: dialectFor(options) })
    const checked = await check()
    return !checked.ok && (await this.#askAgain(code, signal)) ? check() : checked
  }
}

interface Patience {
  readonly signal?: AbortSignal | undefined
  readonly withinMs?: number | undefined
}

/** What the options of one program make of the dialect. */
function dialectFor({ strict, stdin }: Pick<ProgramOptions, 'strict' | 'stdin'>): Partial<Dialect> {
  return { ...(strict === undefined ? {} : { strict }), ...(stdin === undefined ? {} : { input: true }) }
}

/** What programs call a server. */
function guestName(server: string, { servers }: Bindings): string | undefined {
  return servers.find(({ source }) => source.name === server)?.name
}

function reaches({ tools, widened }: Reach, namespace: string | undefined): boolean {
  if (widened === 'all') return true
  return tools.some((tool) => tool.namespace === namespace) || widened.some((name) => name === namespace)
}

/** Files that are no server's. */
const OWN_FILES = /\bguide\b|\bresults\//

/** Nobody waits longer for a listing. */
const LISTING_MS = 2000

interface Within {
  /** The span that a run belongs to. */
  readonly within: Trace
}

type RunRequest = Pick<CallOptions, 'signal' | 'caller' | 'trace' | 'headers'> &
  Pick<ProgramOptions, 'approve'> &
  Partial<Within>

interface RunSteps<T> {
  readonly run: (context: RunContext, signal: AbortSignal) => Promise<T>
  readonly failed: (result: T) => boolean
}

/** How many views of one session are kept for requests to come. */
const MOST_VIEWS = 20

function runOptions({ onEvent, parentId }: CallOptions): Pick<ProgramOptions, 'onEvent' | 'parentId'> {
  return { ...(onEvent === undefined ? {} : { onEvent }), ...(parentId === undefined ? {} : { parentId }) }
}
