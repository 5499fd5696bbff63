// One run of a program, from its text to what has become of it. Each step is one call into another room;
// ARCHITECTURE.md has a section for each number.
// Invariant: nothing is run whose text has a mistake, and what may have to go on later is in its ledger.

import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import { type CompiledProgram, type Language, type Program, wholeText } from '../interpreter/index.js'
import { readLimits } from './check-program.js'
import type { Preparation } from './desk.js'
import type { Concluded, ConcludeTask } from './desk-work.js'
import { RunValues } from './kept-values.js'
import { AnsweredCalls } from './ledger/answered-calls.js'
import { askedCall, type Question } from './ledger/approval.js'
import type { LegEnd } from './ledger/legs.js'
import type { LiveRun } from './ledger/live-run.js'
import { askingTools, reachedTools } from './ledger/policy.js'
import { cannotResume, endUnexplained, languageTaken, otherVersion, unknownRun } from './messages.js'
import type { OutputFormat } from './output-format.js'
import { RunCalls, runAttempts } from './read-ahead/index.js'
import { concludeAtOnce, failure, type Remains } from './remains.js'
import type { RunContext, RunKeeping } from './run-context.js'
import type { RunIdentity, RunTeller } from './run-events.js'
import { type EndedRun, endedFields, pauseOf, refused, remainsOf, rounded, since } from './run-facts.js'
import { allowedBy, inputOf, type RunOptions, worldOf } from './run-options.js'

export interface Ended extends LegEnd {
  readonly facts: EndedRun
  /** Where it was asked for and written on the way. */
  readonly answer?: { readonly text: string; readonly path?: string }
}

export interface AnswerWanted {
  readonly maxChars: number
  readonly format: OutputFormat
}

export interface Leg {
  readonly identity: RunIdentity
  readonly wanted: AnswerWanted | undefined
  /** If the run can be resumed. */
  readonly live: LiveRun | undefined
  readonly tell: RunTeller
  /** Somebody listens. */
  readonly isWatched: boolean
}

export function keptIn({ vfs }: RunContext) {
  return (name: string, whole: string): string => vfs.keep(name, whole)
}

export async function runStages(
  program: Program,
  context: RunContext,
  options: RunOptions,
  { identity, wanted, live, tell, isWatched }: Leg,
): Promise<Ended> {
  const { bindings, sandbox, desk, group, keeping } = context
  const { arrivedAt = performance.now(), signal } = options
  const { runId } = identity
  const begin = (language: Language) => tell({ type: 'run.started', ...identity, language })
  const refuse = (diagnostics: readonly Diagnostic[]) => {
    begin(program.language)
    return refused(diagnostics, program, { runId, arrivedAt, compileMs: 0, notes: [] })
  }
  const limits = readLimits(program, context.limits, options.limits)
  if (!limits.ok) return refuse(limits.diagnostics)
  const earlier = options.reuse === undefined ? undefined : context.history.earlier(options.reuse)
  if (options.reuse !== undefined && earlier === undefined)
    return refuse([unknownRun(options.reuse, context.history.names)])

  // 2. Program → CompiledProgram. Scanned, parsed, resolved, checked, compiled in a thread of its own: what can be
  //    known to be wrong is said before anything happens.
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
    // It was read once: what is not defined now is a server that is gone.
    const [, gone] = first!.code === 'undefined-name' ? (/^undefined: (\w+)/.exec(first!.message) ?? []) : []
    const why = gone === undefined ? first!.message : `there is no server ${gone} now`
    return { ...refused([cannotResume(runId, why)], taken, { runId, arrivedAt, compileMs, notes }), isOpen: true }
  }

  const { world: begun, lookups: known = earlier?.lookups } = live?.body.settings ?? {}
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
    live.settle({ ...live.body.settings, ...settings, ...(wanted && { format: wanted.format }) })
  }
  const values = await valuesFor(compilation.program, context, live)
  if (values instanceof DiagnosticError)
    return refused(values.diagnostics, taken, { runId, arrivedAt, compileMs, notes })
  // 3. CompiledProgram → Run. A pristine guest in a worker thread; this thread only answers its calls.
  const calls = new RunCalls(context, tell, identity, {
    runStarted: arrivedAt,
    limits: limits.resolved,
    earlier: earlier && new AnsweredCalls(earlier.calls),
    language: taken.language,
    reach,
    isWatched,
    values,
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
    waits: earlier !== undefined,
    placesOf: asking,
    world: { ...world, ...input },
    ...(known === undefined ? {} : { lookups: known }),
    sourceBytes: Buffer.byteLength(wholeText(program)),
  })

  if (isDurable && lookups !== undefined) live.settle({ ...live.body.settings, lookups })

  // 5. Run → RunResult. What the guest said, in the words of the program's language; how the run ended, in ours.
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
  const said: Concluded = concludeAtOnce(remains) ?? (await explained(preparation, { remains, answer }, context))
  const unkept = paused === undefined && said.failure === undefined ? await values?.store(calls.end) : undefined
  const concluded: Concluded = unkept === undefined ? said : failure(remains, unkept)
  const isKept =
    paused === undefined &&
    (concluded.failure !== undefined || options.keepCalls === true) &&
    context.history.remember(runId, calls.answered(concluded.failure === undefined ? 'all' : 'succeeded'), {
      world,
      lookups,
    })
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
    return { facts: { ...facts, paused: { runId, calls: waiting.map(askedCall) } }, question, done: remains.done }
  }
  // What its process or its surroundings ended is not at its end.
  const isOpen = isDurable && (ENDED_OUTSIDE.includes(facts.error?.code ?? '') || sandbox.isClosed)
  if (concluded.answer === undefined) return { facts, isOpen }
  const { text, whole } = concluded.answer
  return {
    facts,
    isOpen,
    answer: whole === undefined ? { text } : { text, path: keptIn(context)(`${runId}.json`, whole) },
  }
}

/** The values that the run may see and change; the reason, where they can't be read. */
async function valuesFor(
  { dialect, source }: Pick<CompiledProgram, 'dialect' | 'source'>,
  { values }: RunContext,
  live: LiveRun | undefined,
): Promise<RunValues | DiagnosticError | undefined> {
  if (values === undefined || !dialect.memory || !/\bmemory\b/.test(wholeText(source))) return undefined
  const { valuesOwner = values.owner } = live?.body.settings ?? {}
  return RunValues.of({ ...values, owner: valuesOwner }).catch((error: unknown) => {
    if (error instanceof DiagnosticError) return error
    throw error
  })
}

function durableRun(live: LiveRun, { runs, asks }: RunKeeping) {
  const { version, keepArguments } = runs.options
  const otherVersion = live.body.version === version ? undefined : live.body.version
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
