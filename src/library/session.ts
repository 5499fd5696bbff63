// One caller's view of a CodeMode: the tools that it may call, its own results and its own runs, over upstreams and
// workers that all callers share. Knows the caller's own parts and the shared ones; the meta-tools do the work.
// Invariant: a session sees and calls only what its parent session may, and its results reach another session only on
// request.

import { DiagnosticError } from '../diagnostics/index.js'
import {
  Direct,
  exposes,
  filterOfHeaders,
  Gate,
  type MemoryUse,
  matchesGlob,
  type ProgramTool,
  type RequestHeaders,
  type ServedFiles,
  type ServedSession,
  type ServerStatus,
  Trace,
} from '../gateway/index.js'
import { type Dialect, type Language, type MainFunction, type Program, wholeText } from '../interpreter/index.js'
import {
  type Answer,
  type CallerOfRun,
  checkProgram,
  checkResult,
  closed,
  type DefinitionFormat,
  type DefinitionFormats,
  definitionFormats,
  definitionsFor,
  metaTools,
  type OutputFormat,
  type ProgramCheck,
  type ResultSchema,
  type RunContext,
  type RunResult,
  readProgram,
  resumeRun,
  runProgram,
  type SavedCall,
  type StartedRun,
  savedNameTaken,
  startRun,
  type ToolFiles,
} from '../meta-tools/index.js'
import { CallerBindings, savedIn } from './caller-bindings.js'
import { checkValue, option } from './check-options.js'
import { type Carrier, MetaToolAnswers } from './meta-tool-answers.js'
import { ProgramRuns } from './program-runs.js'
import { Readiness } from './readiness.js'
import type { SavedProgramStatus } from './saved-programs.js'
import { servedFiles } from './served-files.js'
import { type SessionArtifacts, sessionArtifacts } from './session-artifacts.js'
import { type SessionRuns, sessionRuns } from './session-kept-runs.js'
import {
  type CallOptions,
  checkProgramOptions,
  checkSavedCall,
  checkSessionOptions,
  type ProgramOptions,
  runOptions,
  type ServerBinding,
  type SessionOptions,
  type StartOptions,
} from './session-options.js'
import {
  type CallerTermsKept,
  LONGEST_MS,
  narrowerParts,
  type OwnParts,
  type SharedParts,
  worldOf,
} from './session-parts.js'
import { type SessionTraces, sessionTraces } from './session-traces.js'
import { unreachable } from './unreachable-servers.js'

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
  /** The session that may call everything. */
  readonly #root: Session
  readonly #context: RunContext
  readonly #answers: MetaToolAnswers
  readonly #readiness: Readiness
  readonly #programs: ProgramRuns
  /** Views narrowed by the headers of requests, by the headers' values. */
  readonly #narrowed = new Map<string, Session>()
  /** The tools, resources and prompts that this caller reaches directly. */
  readonly direct: Direct
  /** The runs that are kept, as far as this caller may see them. */
  readonly runs: SessionRuns
  /** The traces that agents have kept, as far as this caller may see them. */
  readonly traces: SessionTraces
  /** The files in `results/` of this caller. */
  readonly artifacts: SessionArtifacts
  /** The same files, as MCP and HTTP serve them. */
  readonly files: ServedFiles

  /** Made by `CodeMode.open` and `session`. */
  protected constructor(...parts: never[])
  /** @internal */
  protected constructor(shared: SharedParts, own: OwnParts, root?: Session)
  protected constructor(shared: SharedParts, own: OwnParts, root?: Session) {
    this.#shared = shared
    this.#own = own
    this.#root = root ?? this
    this.artifacts = sessionArtifacts(own.vfs)
    this.files = servedFiles(own.vfs)
    const gate = new Gate(shared.upstreams, shared.watch, own)
    const bound = new CallerBindings(shared, own)
    this.direct = new Direct({
      upstreams: shared.upstreams,
      gate,
      filter: own.filter,
      servers: own.servers,
      only: own.only,
      taken: metaTools.map((tool) => tool.name),
      files: this.files,
      programs: exposes(shared.serve) ? (listener) => shared.saved.listen(listener) : undefined,
    })
    this.#context = this.#contextOf(bound, gate)
    this.#readiness = new Readiness(shared, own, this.#context)
    this.#programs = new ProgramRuns(shared, own, { gate, context: this.#context })
    const { owner } = this.#programs
    const viewer = () => ({ name: owner, seesAll: own.mayApprove })
    this.traces = sessionTraces(shared.traces, viewer)
    this.runs = sessionRuns(shared.runs, viewer, async (program) => {
      await this.#readiness.ready(await this.#read('replay:', program), {})
      return { ...this.#context, keeping: this.#programs.keeping() }
    })
    this.#answers = new MetaToolAnswers({
      upstreams: shared.upstreams,
      files: this.#toolFilesOf(bound),
      readiness: this.#readiness,
      saved: shared.saved,
      context: this.#context,
      runs: this.runs,
      callsMade: (runId) => shared.runs.callsMade(runId),
      carrierOf: (runId) => this.#carrierOf(runId),
      statusForPrograms: () => this.status().filter(({ name }) => !own.servers.has(name)),
    })
  }

  /** The surroundings of this caller's programs. */
  #contextOf(bound: CallerBindings, caller: Gate): RunContext {
    const { context, saved, store } = this.#shared
    const { vfs, history, name, dialect, valuesOwner } = this.#own
    return {
      ...context,
      get bindings() {
        return bound.now()
      },
      unavailable: () => this.#unavailable(),
      caller,
      vfs,
      history,
      dialect,
      values: { owner: valuesOwner, store },
      saved: {
        attach: (program) => (savedIn(bound.now()) ? saved.attach(program) : program),
        calling: (call) => {
          if (!savedIn(bound.now())) throw new DiagnosticError(savedNameTaken)
          return saved.calling(call)
        },
      },
      ...(name === undefined ? {} : { group: name }),
    }
  }

  /** The files about tools that this caller's models read. */
  #toolFilesOf(bound: CallerBindings): ToolFiles {
    const { files, saved } = this.#shared
    const { vfs, dialect } = this.#own
    return {
      ...files,
      dialect,
      get bindings() {
        return bound.withSaved()
      },
      vfs,
      unavailable: () => this.#unavailable(),
      asks: (server, tool) => saved.server?.tools.includes(tool) !== true && this.#programs.asks(server, tool),
    }
  }

  /**
   * A view for one caller, over the same servers and workers: its own results and runs, and no more tools than this
   * session has. It opens no connection and needs no closing. Throws a DiagnosticError if the options are wrong.
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

  /** The same for options that have been checked already; they may have further keys. */
  protected view(options: SessionOptions): Session {
    return new Session(this.#shared, narrowerParts(this.#shared, this.#own, options), this.#root)
  }

  /** This caller's view, restricted by the headers of one request: the same results and runs. */
  narrowed(headers: RequestHeaders): Session {
    const entries = filterOfHeaders(headers)
    if (entries.length === 0) return this
    const key = JSON.stringify(entries)
    const known = this.#narrowed.get(key) ?? this.session({ filters: entries, results: 'shared' })
    if (this.#narrowed.size >= MOST_VIEWS) this.#narrowed.clear()
    this.#narrowed.set(key, known)
    return known
  }

  /** Ends the runs of this session and its narrower views. */
  end(): void {
    this.#own.runs.end()
  }

  /** True if programs reach some server, or if there is no server at all. */
  get usesPrograms(): boolean {
    const { filter, servers } = this.#own
    const seen = this.#shared.upstreams.names().filter((name) => filter.reaches(name))
    return seen.length === 0 || seen.some((name) => !servers.has(name))
  }

  /**
   * The status of each server that this caller may reach, in the order of the configuration, with the tools that it may
   * call.
   */
  status(): ServerStatus[] {
    return this.#statusOf(this.#shared.upstreams.names())
  }

  #statusOf(names: readonly string[]): ServerStatus[] {
    const { filter } = this.#own
    return this.#shared.upstreams
      .status(names.filter((name) => filter.reaches(name)))
      .map((status) => ({ ...status, tools: status.tools.filter((tool) => filter.allows(status.name, tool)) }))
  }

  /** The names of servers that programs can't reach now, each with the reason. */
  #unavailable(): Readonly<Record<string, string>> {
    const { filter, servers } = this.#own
    const { upstreams } = this.#shared
    return unreachable(
      this.#statusOf(upstreams.notReady()),
      upstreams.names().filter((name) => filter.reaches(name) && servers.has(name)),
    )
  }

  /**
   * Waits until the tools of every server that this caller may reach are known, or the server has failed; starts those
   * whose tools are not. Never rejects.
   */
  async listed({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const names = this.status().map(({ name }) => name)
    await this.#shared.upstreams.reached(names, { signal, looks: true, withinMs: LONGEST_MS })
  }

  /**
   * True if a tool may be called without a person's consent, for hosts that ask people. Names are those of the
   * configuration and of the server.
   */
  autoExecutes(server: string, tool: string): boolean {
    return this.#own.filter.autoExecutes(server, tool) && this.#shared.upstreams.autoExecutes(server, tool)
  }

  /**
   * True when a person is asked before a call of the tool, by any rule: `approve`, `toolsToAutoExecute`. For hosts that
   * let models call tools directly. Names are those of the configuration and of the server.
   */
  needsApproval(server: string, tool: string): boolean {
    const { tools = [] } = this.#shared.upstreams.servers().find(({ name }) => name === server) ?? {}
    const found = tools.find(({ name }) => name === tool)
    return found !== undefined && this.#programs.asks(server, found)
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
        ...(signature.returns.kind === 'record' ? { keys: signature.returns.fields.map(({ key }) => key) } : {}),
      })),
    }))
  }

  /**
   * The four tool definitions in the format of a model's API. They are constant, whatever servers are connected, so
   * prompt caches hold. The functions of `starbind/openai`, `/anthropic`, `/gemini`, `/ai-sdk` and `/langchain` answer
   * calls as well.
   */
  tools<F extends DefinitionFormat>(format: F): DefinitionFormats[F][] {
    checkValue('tools:', 'format', format, option.oneOf(...definitionFormats))
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

  /** Runs a program for a model and answers with its output, its result and one line for each tool called. */
  async executeToolCode(
    args:
      | (({ readonly code: string } | SavedCall) & {
          readonly language?: Language
          readonly timeoutMs?: number
          /** The notation of the result. Default JSON. */
          readonly output?: OutputFormat
          /** The name of a failed run whose answers are reused. */
          readonly reuse?: string
          /** False: the program waits for every call. */
          readonly readAhead?: boolean
          /** `session`: the program may keep values for later runs. Default: as the session says. */
          readonly state?: MemoryUse
          /**
           * True: answers at once with the name of a background run; `readToolFile('runs/NAME')` shows its progress.
           */
          readonly background?: boolean
        })
      | { /** A run to go on with, in place of a program. */ readonly resume: string },
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.call('executeToolCode', { ...args }, options)
  }

  /**
   * Answers one call of a meta-tool by name, with arguments as a model sent them: an object or its JSON text. Mistakes
   * are answers, too, with `isError`. Rejects only if starbind itself fails or has been closed.
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
    const known = isMetaTool(name) ? name : 'unknown'
    this.#shared.watch.metrics.count('starbind_meta_tool_calls_total', 'Calls of meta-tools.', { tool: known })
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': known }
    const failed = (answer: Answer) => answer.isError
    return Trace.of(options.trace).span('request', { name: `tools/call ${known}`, attributes, failed }, (trace) =>
      this.#answers.answer(name, rawArgs, { ...options, within: trace, arrivedAt }),
    )
  }

  /** The caller under whose terms a run continues: its own caller, whoever answers for it. */
  async #carrierOf(runId: unknown): Promise<Carrier> {
    const { owner: by } = this.#programs
    const kept = typeof runId === 'string' ? await this.#shared.runs.callerOf(runId) : undefined
    if (kept === undefined || kept.owner === by || !this.#own.mayApprove) return { runs: this.#programs, by }
    return { runs: this.asCaller(kept).#programs, by }
  }

  /** The view of the caller of a kept run. */
  protected asCaller({ owner, terms }: CallerOfRun): Session {
    const { filters = [], readOnly = true, approve = [] } = terms as Partial<CallerTermsKept>
    const session = this.#root.session({ name: owner, filters, readOnly, results: 'named' })
    return approve.reduce<Session>((narrower, rule) => narrower.session({ approve: rule }), session)
  }

  /**
   * Runs a program for a program: the outcome is data. Never rejects because of a program, a tool or a limit; such
   * failures are in `error`. Rejects with a DiagnosticError if the options are wrong or the CodeMode has been closed.
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
    code: string | SavedCall,
    options: ProgramOptions & { readonly resultSchema?: ResultSchema<Result> } = {},
  ): Promise<RunResult<Result>> {
    this.#mustBeOpen()
    const arrivedAt = performance.now()
    checkProgramOptions.run(options)
    const program = await this.#read('run:', code, options.language)
    const dialect = dialectFor(options)
    await this.#readiness.ready(program, { signal: options.signal, withinMs: options.limits?.wallMs }, dialect)
    const {
      strict: _strict,
      state: _state,
      resultSchema,
      caller: _caller,
      trace: _trace,
      approve: _rule,
      onApproval: _ask,
      ...rest
    } = options
    const result = await this.#programs.during(program.text, options, {
      run: (context, signal) => runProgram(program, context, { ...rest, signal, arrivedAt, dialect }),
      failed: ({ ok }) => !ok,
    })
    // Without a schema there is no check; the type is then the caller's own claim.
    return resultSchema === undefined ? (result as RunResult<Result>) : checkResult(result, resultSchema)
  }

  /**
   * Starts a background run, which continues after a restart in a process with the same `state`. `runs.show` shows it,
   * and `ended` resolves when it has ended or waits for a person. Rejects with a DiagnosticError if the options are
   * wrong or the run can't be kept.
   *
   * @example
   * import { CodeMode } from 'starbind'
   *
   * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } }, state: '.starbind' })
   * const { runId, ended } = await codeMode.start('result = len(files.list(path="."))')
   * console.log(`${runId} has begun`, (await ended).result)
   */
  async start(code: string | SavedCall, options: StartOptions = {}): Promise<StartedRun> {
    this.#mustBeOpen()
    checkProgramOptions.start(options)
    const program = await this.#read('start:', code, options.language)
    const dialect = dialectFor(options)
    await this.#readiness.ready(program, { withinMs: options.limits?.wallMs }, dialect)
    const { strict: _strict, state: _state, trace: _trace, approve: _rule, onApproval: _ask, ...rest } = options
    return this.#programs.during(program.text, options, {
      run: (context) => startRun(program, context, { ...rest, dialect }),
      failed: () => false,
    })
  }

  /**
   * Resumes a run that has been answered, or whose process has ended. For a run without an answer, the person is asked,
   * if there is one. Rejects with a DiagnosticError if there is no such run, or nothing to resume.
   *
   * @example
   * import { CodeMode } from 'starbind'
   *
   * await using codeMode = await CodeMode.open({ servers: { issues: { command: 'my-mcp-server' } }, approve: 'writes' })
   * const { paused } = await codeMode.run('issues.close(number=1)')
   * if (paused !== undefined) {
   *   await codeMode.runs.approve(paused.runId)
   *   console.log((await codeMode.resume(paused.runId)).ok)
   * }
   */
  async resume(
    runId: string,
    options: Pick<ProgramOptions, 'signal' | 'onEvent' | 'parentId' | 'onApproval' | 'approve' | 'caller'> = {},
  ): Promise<RunResult> {
    this.#mustBeOpen()
    checkValue('resume:', 'runId', runId, option.string)
    checkProgramOptions.resume(options)
    const arrivedAt = performance.now()
    const { program } = await this.runs.show(runId)
    const { signal } = options
    await this.#readiness.ready(await this.#read('resume:', program.text), { signal })
    const { runs, by } = await this.#carrierOf(runId)
    return runs.during(
      program.text,
      { ...options, answeredBy: by },
      {
        run: (context, signal) => resumeRun(runId, context, { ...runOptions(options), signal, arrivedAt }),
        failed: ({ ok }) => !ok,
      },
    )
  }

  /**
   * The command-line parameters of a program: the annotated parameters of a function `main` that it defines and does
   * not call. Undefined if there is none. Nothing runs.
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

  /** The program for a text or for a call of a saved program. It can call the current saved programs. */
  async #read(place: string, code: string | SavedCall, language?: Language): Promise<Program> {
    if (typeof code !== 'object' || code === null) checkValue(place, 'code', code, option.string)
    else checkSavedCall(place, code)
    await this.#shared.saved.refresh()
    const { saved } = this.#context
    return typeof code === 'string'
      ? saved!.attach(readProgram(code, language, this.#context.language))
      : saved!.calling(code)
  }

  /** The saved programs that callers of `starbind serve` have as tools of their own: see `serve.expose`. */
  async programTools(): Promise<readonly ProgramTool[]> {
    const { saved, serve } = this.#shared
    const { expose = false } = serve
    if (expose === false || !this.usesPrograms || !savedIn(this.#context.bindings)) return []
    await saved.refresh()
    return saved.tools.filter(
      ({ name }) => (expose === true || expose.some((glob) => matchesGlob(glob, name))) && !isMetaTool(name),
    )
  }

  /** The saved programs as they are now, in the order of their names; those that can't be used have a `problem`. */
  async programs(): Promise<readonly SavedProgramStatus[]> {
    this.#mustBeOpen()
    await this.#shared.saved.refresh()
    return this.#shared.saved.status
  }

  #mustBeOpen(): void {
    if (this.#context.sandbox.isClosed) throw new DiagnosticError(closed)
  }

  /**
   * Reports the mistakes of a program and the tools that it can reach. Nothing runs and no tool is called.
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
    code: string | SavedCall,
    options: Pick<ProgramOptions, 'language' | 'strict' | 'signal' | 'stdin' | 'state'> = {},
  ): Promise<ProgramCheck> {
    this.#mustBeOpen()
    checkProgramOptions.check(options)
    const { signal, language } = options
    const program = await this.#read('check:', code, language)
    const text = wholeText(program)
    await this.#readiness.reach(text, { signal })
    const keeping = this.#programs.keeping()
    const check = () => checkProgram(program, { ...this.#context, keeping }, { dialect: dialectFor(options) })
    const checked = await check()
    return !checked.ok && (await this.#readiness.askAgain(text, signal)) ? check() : checked
  }
}

function isMetaTool(name: string): boolean {
  return metaTools.some((tool) => tool.name === name)
}

/** The dialect for the options of one program. */
function dialectFor({ strict, stdin, state }: Pick<ProgramOptions, 'strict' | 'stdin' | 'state'>): Partial<Dialect> {
  return {
    ...(strict === undefined ? {} : { strict }),
    ...(stdin === undefined ? {} : { input: true }),
    ...worldOf(state === undefined ? {} : { memory: state }),
  }
}

/** The number of cached views of one session. */
const MOST_VIEWS = 20
