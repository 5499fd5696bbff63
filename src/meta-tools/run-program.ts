// Starts runs, resumes runs that waited, and starts runs in the background: each in as many legs as it takes.
// Invariant: no program makes a run reject; an impossible request of a person or caller rejects with a DiagnosticError.

import { DiagnosticError, renderDiagnostics } from '../diagnostics/index.js'
import type { Program } from '../interpreter/index.js'
import type { RunPriority } from '../state/index.js'
import { checkProgram } from './check-program.js'
import { askedCall, type Question } from './ledger/approval.js'
import { interviewed } from './ledger/interview.js'
import type { KeptRunFacts } from './ledger/kept-run-facts.js'
import { runLegs } from './ledger/legs.js'
import type { LiveRun } from './ledger/live-run.js'
import { askingTools, namedServers } from './ledger/policy.js'
import type { AnswerWanted, Ended, Leg } from './leg.js'
import { closed, noQueue, stillWaiting } from './messages.js'
import type { RunContext, RunKeeping } from './run-context.js'
import { type RunTeller, telling } from './run-events.js'
import { refused, resultOf } from './run-facts.js'
import { allowedBy, type RunOptions, settingsFor } from './run-options.js'
import type { RunResult } from './run-result.js'
import { runStages } from './run-stages.js'
import { watching } from './watched-run.js'

/** Runs a program. */
export async function runProgram(program: Program, context: RunContext, options: RunOptions = {}): Promise<RunResult> {
  return resultOf((await runToEnd(program, context, options)).facts)
}

/**
 * Resumes a run that waits, or whose process is gone. Rejects with a DiagnosticError if there is no such run, or if it
 * can't be resumed.
 */
export async function resumeRun(runId: string, context: RunContext, options: RunOptions = {}): Promise<RunResult> {
  const { runs, owner, seesAll, interviewer } = context.keeping!
  const { arrivedAt = performance.now() } = options
  const run = await runs.takeUp(runId, { name: owner, seesAll })
  const { question } = run.body
  if (question !== undefined) {
    const { signal } = options
    const isAnswered = question.calls.every(({ approval }) => approval !== undefined)
    const goesOn = isAnswered
      ? await run.answered(question)
      : interviewer !== undefined && (await interviewed(run, question, interviewer, { runs, signal }))
    if (!goesOn) return waitsOn(run, question, arrivedAt)
  }
  return runAgain(run, context, options)
}

/** Runs the program of a kept run again, with its settings. */
export async function runAgain(taken: LiveRun, context: RunContext, options: RunOptions): Promise<RunResult> {
  const { program, dialect, limits, input } = taken.body.settings
  return resultOf((await runToEnd(program, context, { ...options, dialect, limits, ...input, taken })).facts)
}

/** The result of a run whose question is still open. */
async function waitsOn(run: LiveRun, question: Question, arrivedAt: number): Promise<RunResult> {
  await run.release()
  const calls = question.calls.filter(({ approval }) => approval === undefined).map(askedCall)
  const diagnostic = stillWaiting(run.id)
  const nothing = { runId: run.id, arrivedAt, compileMs: 0, notes: [] }
  const { facts } = refused([diagnostic], run.body.settings.program, nothing)
  return resultOf({ ...facts, report: renderDiagnostics([diagnostic]), paused: { runId: run.id, calls } })
}

/** A background run. */
export interface StartedRun {
  readonly runId: string
  /** Resolves when the run ends or waits for a person. Never rejects. */
  readonly ended: Promise<RunResult>
}

/** A place among the waiting runs of the same caller, and a delay. */
interface QueueOptions {
  readonly priority?: RunPriority | undefined
  readonly delayMs?: number | undefined
}

/** Starts a background run. Rejects with a DiagnosticError if the run can't be stored. */
export async function startRun(
  program: Program,
  context: RunContext,
  { priority, delayMs, ...options }: RunOptions & QueueOptions,
): Promise<StartedRun> {
  const { runs, owner, terms, standingInterviewer } = context.keeping!
  if (runs.queued !== undefined) return enqueueRun(program, context, { priority, delayMs, ...options })
  if (priority !== undefined || delayMs !== undefined) throw new DiagnosticError(noQueue('a priority or a delay'))
  const taken = runs.begin(owner, { settings: settingsFor(program, context, options), terms, background: true })
  await taken.keep()
  const keeping = { ...context.keeping!, interviewer: standingInterviewer }
  const { signal: _, onEvent: _told, ...lasting } = options
  const ended = runToEnd(program, { ...context, keeping }, { ...lasting, taken }).then(({ facts }) => resultOf(facts))
  runs.here.track(ended)
  return { runId: taken.id, ended }
}

/** Starts a run in a worker of any process. */
async function enqueueRun(
  program: Program,
  context: RunContext,
  { priority, delayMs = 0, ...options }: RunOptions & QueueOptions,
): Promise<StartedRun> {
  const { runs, owner, terms } = context.keeping!
  const { now, seed } = options
  const dialect = { ...allowedBy(options), ...options.dialect }
  const checked = await checkProgram(program, context, { dialect })
  const settings = {
    ...settingsFor(program, context, { ...options, dialect }),
    world: { ...(now === undefined ? {} : { now }), ...(seed === undefined ? {} : { seed }) },
    // A program with mistakes fails wherever it is carried out.
    servers: checked.ok ? namedServers(context.bindings, checked.reach) : [],
  }
  const run = runs.begin(owner, { settings, terms, background: true, ...(priority === undefined ? {} : { priority }) })
  await run.enqueue(delayMs)
  let ended: Promise<RunResult> | undefined
  return {
    runId: run.id,
    get ended() {
      ended ??= runs.queued!.rested(run.id).then((rested) => restedResult(run, rested))
      return ended
    },
  }
}

/** The result of a run that another process has carried out. */
function restedResult({ id: runId, body }: LiveRun, rested: KeptRunFacts | undefined): RunResult {
  const { calls = [] } = rested ?? {}
  const waiting = calls.filter(({ approval }) => approval === null).map(({ approval: _, ...call }) => call)
  const diagnostic = rested === undefined ? closed : stillWaiting(runId)
  const { facts } = refused([diagnostic], body.settings.program, {
    runId,
    arrivedAt: performance.now(),
    compileMs: 0,
    notes: [],
  })
  const { ending } = rested ?? {}
  if (ending) return resultOf({ ...facts, ...ending })
  const report = renderDiagnostics([diagnostic])
  return resultOf({ ...facts, report, ...(waiting.length === 0 ? {} : { paused: { runId, calls: waiting } }) })
}

export async function runToEnd(
  program: Program,
  context: RunContext,
  options: RunOptions,
  wanted?: AnswerWanted,
): Promise<Ended> {
  const { keeping } = context
  const { signal } = options
  const live = options.taken ?? (keeping && newRun(program, keeping, { options, context }))
  const runId = live?.id ?? context.history.begin()
  const identity = { runId, parentId: options.parentId ?? null }
  const watcher = live && keeping && watching(live.id, program, keeping)
  const listener = telling(options.onEvent)
  const tell: RunTeller = (happening) => {
    listener(happening)
    watcher?.(happening)
  }
  const watch: Pick<Leg, 'isWatched' | 'wantsLines'> = {
    isWatched: options.onEvent !== undefined || watcher !== undefined,
    wantsLines: watcher !== undefined && keeping!.runs.watchers.wantLines(keeping!.owner),
  }
  if (live !== undefined && options.onKept !== undefined) await keptAs(live, options.onKept)
  // The time that a person takes does not count as the run's.
  const legWith =
    (stop: Pick<RunOptions, 'signal'>) =>
    (teller: RunTeller, isFirst = true) => {
      const { reuse, arrivedAt, ...rest } = { ...options, ...stop }
      // The ledger has what the first leg took over from another run.
      const own: RunOptions = isFirst ? { ...options, ...stop } : rest
      return runStages({
        program,
        context,
        options: own,
        identity,
        arrivedAt: own.arrivedAt ?? performance.now(),
        wanted,
        live,
        tell: teller,
        ...watch,
      })
    }
  const ended =
    live === undefined
      ? await legWith({})(tell)
      : await keeping!.runs.here.carryOut(live.id, signal, (signal) =>
          runLegs(live, legWith({ signal }), { ...keeping!, signal, tell }),
        )
  const { ok, error, stats } = ended.facts
  tell({ type: 'run.finished', ...identity, ok, error, stats })
  return ended
}

async function keptAs(live: LiveRun, onKept: (runId: string) => void): Promise<void> {
  try {
    await live.keep()
  } catch (error) {
    if (error instanceof DiagnosticError) return
    throw error
  }
  onKept(live.id)
}

/** A new run, if it may have to wait or is kept anyway. */
function newRun(
  program: Program,
  { runs, owner, asks, terms }: RunKeeping,
  { options, context }: { readonly options: RunOptions; readonly context: RunContext },
): LiveRun | undefined {
  const background = options.onKept !== undefined
  const isDurable = background || runs.keepsAll || askingTools(context.bindings, asks, 'all').length > 0
  return isDurable
    ? runs.begin(owner, { settings: settingsFor(program, context, options), terms, background })
    : undefined
}
