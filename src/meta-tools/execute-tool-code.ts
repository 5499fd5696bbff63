// The whole journey of a program, from a model's submission to the answer. Each step is one call into another room;
// ARCHITECTURE.md has a section for each number.
// Invariant: no program makes these functions reject. Failures of programs, tools and limits are answers.

import { randomInt } from 'node:crypto'
import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../diagnostics/index.js'
import type { Dialect, Language, Program, RunInput, RunWorld } from '../interpreter/index.js'
import { type Limits, type Lookups, limitCeilings } from '../sandbox/index.js'
import { type Answer, answerText, brief } from './answer.js'
import { readLimits } from './check-program.js'
import type { Preparation } from './desk.js'
import type { Concluded, ConcludeTask } from './desk-work.js'
import { askedCall, type Question } from './ledger/approval.js'
import { interviewed } from './ledger/interview.js'
import { type LegEnd, runLegs } from './ledger/legs.js'
import type { LiveRun } from './ledger/live-run.js'
import { askingTools, reachedTools } from './ledger/policy.js'
import {
  cannotResume,
  endUnexplained,
  languageTaken,
  otherVersion,
  runBegun,
  stillWaiting,
  unknownRun,
} from './messages.js'
import type { OutputFormat } from './output-format.js'
import { RunCalls, runAttempts } from './read-ahead/index.js'
import { concludeAtOnce, failure, type Remains } from './remains.js'
import type { RunContext, RunKeeping } from './run-context.js'
import { guarded, type RunIdentity, type RunListener } from './run-events.js'
import { type EndedRun, endedFields, pauseOf, refused, remainsOf, resultOf, rounded, since } from './run-facts.js'
import type { RunResult } from './run-result.js'
import { readSubmission } from './submission.js'

/** A seed is a whole number below it. */
const MOST_SEED = 2 ** 47

export interface RunOptions {
  /** Ends the run and the calls that it waits for. */
  readonly signal?: AbortSignal
  readonly dialect?: Partial<Dialect>
  readonly limits?: Partial<Limits>
  /** Receives the events of the run as they happen. */
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
  /** The seed of random numbers, which also enables them. Default: a new one, if the dialect has randomness. */
  readonly seed?: number
  /** The value of `sys.argv`, with the program's own name, and the end of `process.argv`. */
  readonly argv?: readonly string[]
  /** The content of `sys.stdin`, which also enables it. */
  readonly stdin?: string
  /** A run that is taken up, and not a new one. */
  readonly taken?: LiveRun
  /** The lookups of an earlier leg or process. */
  readonly lookups?: Lookups
}

/** Runs a submission of a model and answers in text. `raw` are the unvalidated arguments. */
export async function executeToolCode(
  raw: Readonly<Record<string, unknown>>,
  context: RunContext,
  options: RunOptions = {},
): Promise<Answer> {
  // 1. MetaToolCall → Program. The submission is untrusted until it has been validated.
  const submission = readSubmission(raw, context.language)
  if (!submission.ok) return { text: renderDiagnostics([submission.diagnostic]), isError: true }
  if ('resume' in submission) return resumedAnswer(submission.resume, context, options)
  const { timeoutMs, reuse, readAhead } = submission
  const wallMs = timeoutMs === undefined ? {} : { wallMs: Math.min(timeoutMs, limitCeilings.wallMs) }
  const limits = { ...options.limits, ...wallMs }

  // 2. to 5. Program → RunResult.
  const taken = { ...(reuse === undefined ? {} : { reuse }), ...(readAhead === undefined ? {} : { readAhead }) }
  const { maxChars, format } = { maxChars: context.answerMaxChars, format: submission.output }
  const running = { ...options, ...taken, limits }
  if (submission.background) return begunAnswer(await startRun(submission.program, context, running))
  const run = await runToEnd(submission.program, context, running, { maxChars, format })

  // 6. RunResult → Answer. The model sees the printed lines, the result and one line for each tool; never intermediate
  //    values.
  const { text, path } = run.answer ?? answerText(run.facts, { maxChars, format, keep: keptIn(context) })
  return {
    text,
    isError: !run.facts.ok && run.question === undefined,
    get structured() {
      return resultOf(run.facts)
    },
    get brief() {
      return brief(resultOf(run.facts), path)
    },
  }
}

/**
 * Resumes a run that waits, or whose process has ended. Rejects with a DiagnosticError if there is no such run, or
 * nothing to resume.
 */
export async function resumeRun(runId: string, context: RunContext, options: RunOptions = {}): Promise<RunResult> {
  const { runs, owner, seesAll, interviewer } = context.keeping!
  const { arrivedAt = performance.now() } = options
  const run = await runs.takeUp(runId, { name: owner, seesAll })
  const { question } = run.body
  if (question !== undefined) {
    const { signal = new AbortController().signal } = options
    const isAnswered = question.calls.every(({ approval }) => approval !== undefined)
    const goesOn = isAnswered
      ? await run.answered(question)
      : interviewer !== undefined && (await interviewed(run, question, interviewer, signal))
    if (!goesOn) return waitsOn(run, question, arrivedAt)
  }
  return runAgain(run, context, options)
}

/** Runs the program of a kept run again, with its recorded inputs. */
export async function runAgain(taken: LiveRun, context: RunContext, options: RunOptions): Promise<RunResult> {
  const { program, dialect, limits, input } = taken.body.settings
  return resultOf((await runToEnd(program, context, { ...options, dialect, limits, ...input, taken })).facts)
}

/** A run that has no answer yet. */
async function waitsOn(run: LiveRun, question: Question, arrivedAt: number): Promise<RunResult> {
  await run.release()
  const calls = question.calls.filter(({ approval }) => approval === undefined).map(askedCall)
  const diagnostic = stillWaiting(run.id)
  const nothing = { runId: run.id, arrivedAt, compileMs: 0, notes: [] }
  const { facts } = refused([diagnostic], run.body.settings.program, nothing)
  return resultOf({ ...facts, report: renderDiagnostics([diagnostic]), paused: { runId: run.id, calls } })
}

/** Resumes a run and answers in text. */
async function resumedAnswer(runId: string, context: RunContext, options: RunOptions): Promise<Answer> {
  try {
    const run = await resumeRun(runId, context, options)
    const { text, path } = answerText(run, { maxChars: context.answerMaxChars, keep: keptIn(context) })
    return { text, isError: !run.ok && run.paused === undefined, structured: run, brief: brief(run, path) }
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return { text: renderDiagnostics(error.diagnostics), isError: true }
  }
}

function begunAnswer({ runId }: StartedRun): Answer {
  return { text: runBegun(runId), isError: false, structured: { runId } }
}

/** A background run. */
export interface StartedRun {
  readonly runId: string
  /** Resolves when it has ended or waits for a person. Never rejects. */
  readonly ended: Promise<RunResult>
}

/** Starts a background run. Rejects with a DiagnosticError if it can't be kept. */
export async function startRun(program: Program, context: RunContext, options: RunOptions): Promise<StartedRun> {
  const { runs, owner, terms, standingInterviewer } = context.keeping!
  const { dialect, limits } = { ...context, ...options }
  const settings = { program, dialect: dialect ?? {}, limits: limits ?? {}, world: {}, input: inputOf(options) }
  const taken = runs.begin(owner, { settings, terms, background: true })
  await taken.keep()
  const keeping = { ...context.keeping!, interviewer: standingInterviewer }
  const { signal: _, onEvent: _told, ...lasting } = options
  const ended = runToEnd(program, { ...context, keeping }, { ...lasting, taken }).then(({ facts }) => resultOf(facts))
  runs.track(ended)
  return { runId: taken.id, ended }
}

/** Runs a program. */
export async function runProgram(program: Program, context: RunContext, options: RunOptions = {}): Promise<RunResult> {
  return resultOf((await runToEnd(program, context, options)).facts)
}

interface Ended extends LegEnd {
  readonly facts: EndedRun
  /** The text that was requested and written on the way. */
  readonly answer?: { readonly text: string; readonly path?: string }
}

interface AnswerWanted {
  readonly maxChars: number
  readonly format: OutputFormat
}

function keptIn({ vfs }: RunContext) {
  return (name: string, whole: string): string => vfs.keep(name, whole)
}

async function runToEnd(
  program: Program,
  context: RunContext,
  options: RunOptions,
  wanted?: AnswerWanted,
): Promise<Ended> {
  const { keeping, signal } = { ...context, ...options }
  const live = options.taken ?? (keeping && newRun(program, keeping, options, context))
  const runId = live?.id ?? context.history.begin()
  const identity = { runId, parentId: options.parentId ?? null }
  const tell = guarded(options.onEvent)
  // The time that a person takes is not the run's.
  const leg = (onEvent: RunListener, isFirst = true) => {
    const since = isFirst ? {} : { arrivedAt: performance.now() }
    return runStages(program, context, { ...options, ...since, onEvent }, { identity, wanted, live })
  }
  const ended = live === undefined ? await leg(tell) : await runLegs(live, leg, { ...keeping!, signal, tell })
  const { ok, error, stats } = ended.facts
  tell({ type: 'run.finished', ...identity, ok, error, stats })
  return ended
}

/** A run that may have to wait or is kept anyway. */
function newRun(
  program: Program,
  { runs, owner, asks, terms }: RunKeeping,
  options: RunOptions,
  { bindings, dialect, limits }: RunContext,
): LiveRun | undefined {
  const isDurable = runs.options.keepsAll || askingTools(bindings, asks, 'all').length > 0
  const settings = { program, dialect, limits, world: {}, input: inputOf(options) }
  return isDurable ? runs.begin(owner, { settings, terms, background: false }) : undefined
}

async function runStages(
  program: Program,
  context: RunContext,
  options: RunOptions & { readonly onEvent: RunListener },
  { identity, wanted, live }: Leg,
): Promise<Ended> {
  const { bindings, sandbox, desk, group, keeping } = context
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

  // 2. Program → CompiledProgram. Scanned, parsed, resolved, checked, compiled in a worker thread: provable mistakes
  //    are reported before anything happens.
  const turn = { ...(signal === undefined ? {} : { signal }), ...(group === undefined ? {} : { group }) }
  const dialect = { ...context.dialect, ...allowedBy(options), ...options.dialect }
  const { readsAhead } = context
  const preparation = await desk.prepare(program, bindings, {
    ...turn,
    dialect,
    unavailable: context.unavailable(),
    limits: limits.resolved,
    elapsedMs: performance.now() - arrivedAt,
    reads: live?.body.settings.reads,
    ...(options.readAhead === false || readsAhead === undefined
      ? {}
      : { readsAhead: (server, tool) => readsAhead(server, tool) && keeping?.asks(server, tool) !== true }),
  })
  const { program: taken, compilation } = preparation
  const compileMs = rounded(preparation.compileMs)
  begin(taken.language)
  const notes = taken.language === program.language ? [] : [languageTaken(taken.language)]
  if (!compilation.ok) {
    const { diagnostics } = compilation
    const [first] = diagnostics
    if (options.taken === undefined || live?.body.settings.reads === undefined)
      return refused(diagnostics, taken, { runId, arrivedAt, compileMs, notes })
    const why = first!.message
    return { ...refused([cannotResume(runId, why)], taken, { runId, arrivedAt, compileMs, notes }), isOpen: true }
  }

  const begun = live?.body.settings.world
  const world = { ...worldOf(compilation.program.dialect, { ...earlier?.world, ...options }), ...begun }
  const { reach } = compilation.program
  const asking = keeping === undefined ? [] : askingTools(bindings, keeping.asks, reach)
  const isDurable =
    live !== undefined &&
    (asking.length > 0 || live.isKept || options.taken !== undefined || keeping!.runs.options.keepsAll)
  const input = inputOf(options)
  if (isDurable) {
    const { reads } = preparation.task
    const settings = { program: taken, dialect, limits: limits.resolved, world, input, reads }
    live.settle({ ...settings, ...(wanted && { format: wanted.format }) })
  }
  // 3. CompiledProgram → Run. A pristine guest in a worker thread; this thread only answers its calls.
  const calls = new RunCalls(context, options.onEvent, identity, {
    runStarted: arrivedAt,
    limits: limits.resolved,
    recall,
    language: taken.language,
    reach,
    ...(isDurable ? { durable: durableRun(live, keeping!) } : {}),
  })
  // 4. GuestCall → ToolCall → ToolOutcome. `calls` authorises and checks each at its moment, and enters it in the
  //    ledger however it ends.
  const { stats, lookups, ...end } = await runAttempts(compilation.program, sandbox, calls, {
    ...turn,
    limits: limits.resolved,
    arrivedAt,
    readMs: preparation.workMs,
    // The calls of an earlier run are taken over in the order of the program.
    waits: recall !== undefined,
    placesOf: asking,
    world: { ...world, ...input },
    ...(earlier?.lookups === undefined ? {} : { lookups: earlier.lookups }),
    sourceBytes: Buffer.byteLength(program.text),
  })

  // 5. Run → RunResult. The guest's report, in the words of the program's language; the end of the run, in ours.
  const canAlsoCall = calls.paused === undefined ? [] : reachedTools(bindings, reach)
  const paused = calls.paused && pauseOf(calls.paused, { runId, bindings, canAlsoCall })
  const remains: Remains = {
    ...remainsOf(taken, end, calls, {
      bindings,
      notes: [...notes, ...(paused?.notes ?? []), ...versionNotes(live, keeping)],
    }),
    ...(paused === undefined ? {} : { paused }),
  }
  const answer = wanted && { ...wanted, runId, path: context.vfs.pathFor(`${runId}.json`) }
  const concluded: Concluded = concludeAtOnce(remains) ?? (await explained(preparation, { remains, answer }, context))
  const isKept =
    paused === undefined &&
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
  if (calls.paused !== undefined) {
    const { lines = [] } = concluded
    const waiting = calls.paused.map(({ codePlace: _, ...call }, i) => ({ ...call, line: lines[i] ?? null }))
    const question: Question = { calls: waiting, canAlsoCall: paused!.others, askedAt: Date.now() }
    return { facts: { ...facts, paused: { runId, calls: waiting.map(askedCall) } }, question }
  }
  // A run that its process or its surroundings stopped has not ended.
  const isOpen = isDurable && (ENDED_OUTSIDE.includes(facts.error?.code ?? '') || sandbox.isClosed)
  if (concluded.answer === undefined) return { facts, isOpen }
  const { text, whole } = concluded.answer
  return {
    facts,
    isOpen,
    answer: whole === undefined ? { text } : { text, path: keptIn(context)(`${runId}.json`, whole) },
  }
}

interface Leg {
  readonly identity: RunIdentity
  readonly wanted: AnswerWanted | undefined
  /** If the run can be resumed. */
  readonly live: LiveRun | undefined
}

function durableRun(live: LiveRun, { runs, asks }: RunKeeping) {
  const { version, keepArguments } = runs.options
  const otherVersion = live.body.version === version ? undefined : version
  return { ledger: live.ledger, asks, keepArguments, otherVersion }
}

function versionNotes(live: LiveRun | undefined, keeping: RunKeeping | undefined): string[] {
  const begun = live?.body.version
  return begun === undefined || begun === keeping?.runs.options.version ? [] : [otherVersion(begun)]
}

/** Codes of failures for which neither the program nor a tool is to blame. */
const ENDED_OUTSIDE = [
  'state-unusable',
  'approved-call-changed',
  'replay-diverged',
  'worker-lost',
  'sandbox-fault',
  'busy',
]
/** Passing a value also enables it. */
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

/** The recorded world of a run. A resumed run gets the same world. */
function worldOf({ clock, random }: Dialect, { now, seed }: RunWorld): RunWorld {
  return {
    ...(clock ? { now: now ?? Date.now() } : {}),
    ...(random ? { seed: seed ?? randomInt(MOST_SEED) } : {}),
  }
}

/** A slow conclusion happens in another thread. */
async function explained(
  preparation: Preparation,
  { remains, answer }: { readonly remains: Remains; readonly answer: ConcludeTask['answer'] | undefined },
  { desk, group }: RunContext,
): Promise<Concluded> {
  const task = { remains, ...(answer === undefined ? {} : { answer }) }
  const concluded = await desk.conclude(preparation, task, group === undefined ? {} : { group })
  return concluded ?? failure(remains, endUnexplained)
}
