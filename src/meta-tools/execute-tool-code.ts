// The whole journey of a program, from a model's submission to the answer. Each step is one call into another room;
// ARCHITECTURE.md has a section for each number.
// Invariant: no program makes these functions reject. Failures of programs, tools and limits are answers.

import { randomInt } from 'node:crypto'
import { type Bindings, type CallRecord, serverCalled, toolCalled } from '../bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import type { Dialect, Language, Program, RunInput, RunWorld } from '../interpreter/index.js'
import { type Limits, limitCeilings } from '../sandbox/index.js'
import { type Answer, answerText, brief } from './answer.js'
import { readLimits } from './check-program.js'
import type { Preparation } from './desk.js'
import type { Concluded, ConcludeTask } from './desk-work.js'
import { endUnexplained, languageTaken, nothingRan, unknownRun } from './messages.js'
import type { OutputFormat } from './output-format.js'
import { RunCalls, runAttempts } from './read-ahead/index.js'
import { concludeAtOnce, failure, type Remains, resultFields } from './remains.js'
import type { RunContext } from './run-context.js'
import { guarded, type RunIdentity, type RunListener } from './run-events.js'
import { type CallSummary, callLines, callsMade, type RunFacts, type RunResult, runError } from './run-result.js'
import { readSubmission } from './submission.js'

/** A seed is a whole number below it. */
const MOST_SEED = 2 ** 47

export interface RunOptions {
  /** Ends the run and the calls that it waits for. */
  readonly signal?: AbortSignal
  readonly dialect?: Partial<Dialect>
  readonly limits?: Partial<Limits>
  /** Is told what happens, while it happens. */
  readonly onEvent?: RunListener
  /** `performance.now()` when the request arrived, from when the run's time counts. Default: now. */
  readonly arrivedAt?: number
  /** The run or request that this run belongs to, for the events. */
  readonly parentId?: string
  /** A run whose leading calls are not made again where this program makes the same. */
  readonly reuse?: string
  /** Lets a later run reuse the calls of this one even where it succeeds. */
  readonly keepCalls?: boolean
  /** False: the program waits for every call. Default: it runs ahead of those that `readsAhead` says. */
  readonly readAhead?: boolean
  /**
   * When the run begins, in milliseconds since 1970; lets the program know. Default: now, where the dialect has a clock.
   */
  readonly now?: number
  /** What random numbers follow from; lets the program have some. Default: a new one, where the dialect has chance. */
  readonly seed?: number
  /** What `sys.argv` holds, the program's own name included. */
  readonly argv?: readonly string[]
  /** What `sys.stdin` reads; lets the program have it. */
  readonly stdin?: string
}

/** Runs what a model submitted and answers in text. `raw` are the arguments as they came. */
export async function executeToolCode(
  raw: Readonly<Record<string, unknown>>,
  context: RunContext,
  options: RunOptions = {},
): Promise<Answer> {
  // 1. MetaToolCall → Program. What a model sent is untrusted until it has been read.
  const submission = readSubmission(raw, context.language)
  if (!submission.ok) return { text: renderDiagnostics([submission.diagnostic]), isError: true }
  const { timeoutMs, reuse, readAhead } = submission
  const wallMs = timeoutMs === undefined ? {} : { wallMs: Math.min(timeoutMs, limitCeilings.wallMs) }
  const limits = { ...options.limits, ...wallMs }

  // 2. to 5. Program → RunResult.
  const taken = { ...(reuse === undefined ? {} : { reuse }), ...(readAhead === undefined ? {} : { readAhead }) }
  const { maxChars, format } = { maxChars: context.answerMaxChars, format: submission.output }
  const run = await runToEnd(submission.program, context, { ...options, ...taken, limits }, { maxChars, format })

  // 6. RunResult → Answer. The model sees what was printed, the result and one line for each tool; never what went
  //    through the program.
  const { text, path } = run.answer ?? answerText(run.facts, { maxChars, format, keep: keeping(context) })
  return {
    text,
    isError: !run.facts.ok,
    get structured() {
      return resultOf(run.facts)
    },
    get brief() {
      return brief(resultOf(run.facts), path)
    },
  }
}

/** Runs a program. */
export async function runProgram(program: Program, context: RunContext, options: RunOptions = {}): Promise<RunResult> {
  return resultOf((await runToEnd(program, context, options)).facts)
}

/** A run with its result as text: parsing it is left to those who want it. */
type EndedRun = RunFacts & { readonly ok: boolean; readonly error: RunResult['error'] }

function resultOf({ ok, error, ...facts }: EndedRun): RunResult {
  if (!ok) return { ...facts, ok, error: error!, result: null }
  const { resultJson, ...rest } = facts
  const text = facts.resultText ?? null
  if (resultJson === undefined) return { ...rest, ok, error: null, result: text }
  try {
    return { ...facts, ok, error: null, result: JSON.parse(resultJson) }
  } catch {
    // A guest whose world was changed can say what is no JSON.
    return { ...rest, ok, error: null, result: text }
  }
}

interface Ended {
  readonly facts: EndedRun
  /** Where it was asked for and written on the way. */
  readonly answer?: { readonly text: string; readonly path?: string }
}

interface AnswerWanted {
  readonly maxChars: number
  readonly format: OutputFormat
}

function keeping({ vfs }: RunContext) {
  return (name: string, whole: string): string => vfs.keep(name, whole)
}

async function runToEnd(
  program: Program,
  context: RunContext,
  options: RunOptions,
  wanted?: AnswerWanted,
): Promise<Ended> {
  const runId = context.history.begin()
  const identity = { runId, parentId: options.parentId ?? null }
  const tell = guarded(options.onEvent)
  const ended = await runStages(program, context, { ...options, onEvent: tell }, { identity, wanted })
  const { ok, error, stats } = ended.facts
  tell({ type: 'run.finished', ...identity, ok, error, stats })
  return ended
}

async function runStages(
  program: Program,
  context: RunContext,
  options: RunOptions & { readonly onEvent: RunListener },
  { identity, wanted }: { readonly identity: RunIdentity; readonly wanted: AnswerWanted | undefined },
): Promise<Ended> {
  const { bindings, sandbox, desk, group } = context
  const { arrivedAt = performance.now(), signal } = options
  const { runId } = identity
  const begin = (language: Language) => options.onEvent({ type: 'run.started', ...identity, language })
  const refuse = (diagnostics: readonly Diagnostic[]) => {
    begin(program.language)
    return refused(diagnostics, program, { runId, arrivedAt, compileMs: 0, notes: [] })
  }
  const limits = readLimits(program, context.limits, options.limits)
  if (!limits.ok) return refuse(limits.diagnostics)
  const earlier = options.reuse === undefined ? undefined : context.history.replay(options.reuse)
  if (options.reuse !== undefined && earlier === undefined)
    return refuse([unknownRun(options.reuse, context.history.names)])
  const recall = earlier?.reply

  // 2. Program → CompiledProgram. Scanned, parsed, resolved, checked, compiled in a thread of its own: what can be
  //    known to be wrong is said before anything happens.
  const turn = { ...(signal === undefined ? {} : { signal }), ...(group === undefined ? {} : { group }) }
  const preparation = await desk.prepare(program, bindings, {
    ...turn,
    dialect: { ...context.dialect, ...allowedBy(options), ...options.dialect },
    unavailable: context.unavailable(),
    limits: limits.resolved,
    elapsedMs: performance.now() - arrivedAt,
    ...(options.readAhead === false || context.readsAhead === undefined ? {} : { readsAhead: context.readsAhead }),
  })
  const { program: taken, compilation } = preparation
  const compileMs = rounded(preparation.workMs)
  begin(taken.language)
  const notes = taken.language === program.language ? [] : [languageTaken(taken.language)]
  if (!compilation.ok) return refused(compilation.diagnostics, taken, { runId, arrivedAt, compileMs, notes })

  const world = worldOf(compilation.program.dialect, { ...earlier?.world, ...options })
  // 3. CompiledProgram → Run. A pristine guest in a worker thread; this thread only answers its calls.
  const calls = new RunCalls(context, options.onEvent, identity, {
    runStarted: arrivedAt,
    limits: limits.resolved,
    recall,
    language: taken.language,
    reach: compilation.program.reach,
  })
  // 4. GuestCall → ToolCall → ToolOutcome. `calls` authorises and checks each at its moment, and enters it in the
  //    ledger however it ends.
  const { stats, lookups, ...end } = await runAttempts(compilation.program, sandbox, calls, {
    ...turn,
    limits: limits.resolved,
    arrivedAt,
    readMs: compileMs,
    // The calls of an earlier run are taken over in the order of the program.
    waits: recall !== undefined,
    world: { ...world, ...inputOf(options) },
    ...(earlier?.lookups === undefined ? {} : { lookups: earlier.lookups }),
    sourceBytes: Buffer.byteLength(program.text),
  })

  // 5. Run → RunResult. What the guest said, in the words of the program's language; how the run ended, in ours.
  const remains = remainsOf(taken, end, calls, { bindings, notes })
  const answer = wanted && { ...wanted, runId, path: context.vfs.pathFor(`${runId}.json`) }
  const concluded: Concluded = concludeAtOnce(remains) ?? (await explained(preparation, { remains, answer }, context))
  const isKept =
    (concluded.failure !== undefined || options.keepCalls === true) &&
    context.history.remember(runId, calls.inOrder(), { world, lookups })
  const facts: EndedRun = {
    runId,
    ...world,
    ...endedFields(concluded, calls, isKept),
    logs: remains.logs,
    stats: {
      wallMs: since(arrivedAt),
      compileMs,
      runMs: rounded(stats.runMs),
      toolWaitMs: rounded(stats.callWaitMs),
      memoryBytes: stats.memoryBytes,
    },
  }
  if (concluded.answer === undefined) return { facts }
  const { text, whole } = concluded.answer
  return { facts, answer: whole === undefined ? { text } : { text, path: keeping(context)(`${runId}.json`, whole) } }
}

/** How a run ended, and the calls that it made. */
function endedFields({ failure, result, report }: Concluded, { ledger }: RunCalls, isKept: boolean) {
  const ok = failure === undefined
  return {
    ok,
    error: failure === undefined ? null : runError(failure),
    ...resultFields(result),
    report,
    reusable: !ok && isKept && ledger.some((record) => record.ok && !record.safeToRepeat),
    calls: ledger.map(summarised),
  }
}

/** Who gives them allows them. */
function allowedBy({ now, seed, stdin }: RunOptions): Partial<Dialect> {
  return {
    ...(now === undefined ? {} : { clock: true }),
    ...(seed === undefined ? {} : { random: true }),
    ...(stdin === undefined ? {} : { input: true }),
  }
}

function inputOf({ argv, stdin }: RunOptions): RunInput {
  return { ...(argv === undefined ? {} : { argv }), ...(stdin === undefined ? {} : { stdin }) }
}

/** What a run lets its program know, as it is recorded. An earlier run is taken up in its world. */
function worldOf({ clock, random }: Dialect, { now, seed }: RunWorld): RunWorld {
  return {
    ...(clock ? { now: now ?? Date.now() } : {}),
    ...(random ? { seed: seed ?? randomInt(MOST_SEED) } : {}),
  }
}

/** What a run left behind. */
function remainsOf(
  program: Program,
  end: Remains['end'],
  calls: RunCalls,
  { bindings, notes }: { readonly bindings: Bindings; readonly notes: readonly string[] },
): Remains {
  const { ledger, logs, failed, ended } = calls
  const names = (record: CallRecord) => guestNames(bindings, record)
  const isFailedRead = failed?.reply !== undefined && failed.ahead === 'for good'
  return {
    program,
    end,
    ...(isFailedRead ? { failedRead: { reply: failed.reply!, place: failed.place } } : {}),
    ...(ended === undefined ? {} : { ended }),
    logs,
    ledger: ledger.map(({ server, tool, ok }) => ({ server, tool, ok })),
    done: callsMade(ledger, names),
    callLines: callLines(ledger, names),
    notes,
  }
}

/** What takes longer to say than a moment is said in another thread. */
async function explained(
  preparation: Preparation,
  { remains, answer }: { readonly remains: Remains; readonly answer: ConcludeTask['answer'] | undefined },
  { desk, group }: RunContext,
): Promise<Concluded> {
  const task = { remains, ...(answer === undefined ? {} : { answer }) }
  const concluded = await desk.conclude(preparation, task, group === undefined ? {} : { group })
  return concluded ?? failure(remains, endUnexplained)
}

function summarised({
  server,
  tool,
  ok,
  ms,
  bytes,
  startedAtMs,
  argumentDigest,
  outcome,
  safeToRepeat,
}: CallRecord): CallSummary {
  return {
    server,
    tool,
    ok,
    ms: rounded(ms),
    bytes,
    startedAtMs: rounded(startedAtMs),
    argumentDigest,
    outcome,
    safeToRepeat,
  }
}

/** The names that the program used for what the ledger calls by the upstream's names. */
function guestNames(bindings: Bindings, { server, tool }: CallRecord) {
  const bound = serverCalled(bindings.servers, server)
  return { server: bound?.name ?? server, tool: (bound && toolCalled(bound, tool))?.name ?? tool }
}

/** Mistakes that were known before anything ran. */
function refused(
  diagnostics: readonly Diagnostic[],
  program: Program,
  { runId, arrivedAt, compileMs, notes }: Refusal,
): Ended {
  const report = [renderDiagnostics(diagnostics, program.text), nothingRan, ...notes].join('\n')
  const stats = { wallMs: since(arrivedAt), compileMs, runMs: 0, toolWaitMs: 0, memoryBytes: 0 }
  const error = runError(diagnostics[0]!)
  return { facts: { runId, ok: false, error, report, reusable: false, logs: [], calls: [], stats } }
}

interface Refusal {
  readonly runId: string
  readonly arrivedAt: number
  readonly compileMs: number
  readonly notes: readonly string[]
}

function since(start: number): number {
  return rounded(performance.now() - start)
}

/** To the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
