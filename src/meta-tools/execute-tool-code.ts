// The whole journey of a program, from what a model submitted to what the model reads. This file knows the order of the stages and nothing of
// what happens inside them: each is one call into the room that knows. ARCHITECTURE.md has a section for each number.
// Invariant: what a program does never rejects these functions. Failures of programs, tools and limits are answers.

import type { Bindings, CallRecord } from '../bindings/index.js'
import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../diagnostics/index.js'
import {
  type CompiledProgram,
  compileRecognised,
  type Dialect,
  explainReply,
  explainThrow,
  type Language,
  type Outcome,
  type Program,
  type ResultValue,
  readOutcome,
} from '../interpreter/index.js'
import { type Limits, limitCeilings, limitDiagnostic, type RunEnd, resolveLimits } from '../sandbox/index.js'
import { type Answer, answerRun } from './answer.js'
import { runAttempts } from './attempts.js'
import type { MadeCall } from './made-call.js'
import { languageTaken, nothingRan, nothingToShow, runBusy, runCancelled, runFaulted, unknownRun } from './messages.js'
import { RunCalls, type RunIdentity } from './run-calls.js'
import { guarded, type RunListener } from './run-events.js'
import {
  type CallSummary,
  callLines,
  callsMade,
  type RunFacts,
  type RunFailure,
  type RunResult,
  type RunSuccess,
  runError,
} from './run-result.js'
import { readSubmission } from './submission.js'
import { shownFailure } from './withhold-values.js'
import { runsAhead, type Workbench } from './workbench.js'

export interface RunOptions {
  /** Ends the run and the calls that it waits for. */
  readonly signal?: AbortSignal
  readonly dialect?: Partial<Dialect>
  readonly limits?: Partial<Limits>
  /** Is told what happens, while it happens. */
  readonly onEvent?: RunListener
  /** The run or request that this run belongs to, for the events. */
  readonly parentId?: string
  /** A run whose leading calls are not made again where this program makes the same. */
  readonly reuse?: string
  /** Lets a later run reuse the calls of this one even where it succeeds. */
  readonly keepCalls?: boolean
  /** False: the program waits for every call. Default: it runs ahead of those that `readsAhead` says. */
  readonly readAhead?: boolean
}

/** Runs what a model submitted and answers in text. `raw` are the arguments as they came. */
export async function executeToolCode(
  raw: Readonly<Record<string, unknown>>,
  workbench: Workbench,
  options: RunOptions = {},
): Promise<Answer> {
  // 1. MetaToolCall → Program. What a model sent is untrusted until it has been read.
  const submission = readSubmission(raw, workbench.language)
  if (!submission.ok) return { text: renderDiagnostics([submission.diagnostic]), isError: true }
  const { timeoutMs, reuse, readAhead } = submission
  const wallMs = timeoutMs === undefined ? {} : { wallMs: Math.min(timeoutMs, limitCeilings.wallMs) }
  const limits = { ...options.limits, ...wallMs }

  // 2. to 5. Program → RunResult.
  const taken = { ...(reuse === undefined ? {} : { reuse }), ...(readAhead === undefined ? {} : { readAhead }) }
  const result = await runProgram(submission.program, workbench, { ...options, ...taken, limits })

  // 6. RunResult → Answer. The model sees what was printed, the result and one line for each tool; never what went through the program.
  return answerRun(result, {
    maxChars: workbench.answerMaxChars,
    format: submission.output,
    keep: (name, whole) => workbench.vfs.keep(name, whole),
  })
}

/** Runs a program. */
export async function runProgram(program: Program, workbench: Workbench, options: RunOptions = {}): Promise<RunResult> {
  const runId = workbench.history.begin()
  const identity = { runId, parentId: options.parentId ?? null }
  const tell = guarded(options.onEvent)
  const result = await runStages(program, workbench, { ...options, onEvent: tell }, identity)
  tell({ type: 'run.finished', ...identity, ok: result.ok, error: result.error, stats: result.stats })
  return result
}

async function runStages(
  program: Program,
  workbench: Workbench,
  options: RunOptions & { readonly onEvent: RunListener },
  identity: RunIdentity,
): Promise<RunResult> {
  const { bindings, sandbox } = workbench
  const started = performance.now()
  const begin = (language: Language) => options.onEvent({ type: 'run.started', ...identity, language })
  const refuse = (diagnostics: readonly Diagnostic[]) => {
    begin(program.language)
    return refused(diagnostics, program, { runId: identity.runId, started, compileMs: 0 })
  }
  const limits = readLimits(program, workbench.limits, options.limits)
  if (!limits.ok) return refuse(limits.diagnostics)
  const recall = options.reuse === undefined ? undefined : workbench.history.replay(options.reuse)
  if (options.reuse !== undefined && recall === undefined)
    return refuse([unknownRun(options.reuse, workbench.history.names)])

  // 2. Program → CompiledProgram. Scanned, parsed, resolved, checked, compiled: what can be known to be wrong is said before anything happens.
  const dialect = { ...workbench.dialect, ...options.dialect }
  const { program: taken, compilation } = compileRecognised(program, {
    dialect,
    foreign: bindings.foreign,
    unavailable: workbench.unavailable(),
    ...runsAhead(workbench, options),
  })
  const compileMs = since(started)
  begin(taken.language)
  const note = taken.language === program.language ? [] : [languageTaken(taken.language)]
  if (!compilation.ok)
    return noted(refused(compilation.diagnostics, taken, { runId: identity.runId, started, compileMs }), note)

  // 3. CompiledProgram → Run. A pristine guest in a worker thread; this thread only answers its calls.
  const calls = new RunCalls(workbench, options.onEvent, identity, {
    runStarted: started,
    limits: limits.resolved,
    recall,
    language: taken.language,
    reach: compilation.program.reach,
  })
  // 4. GuestCall → ToolCall → ToolOutcome. `calls` authorises and checks each at its moment, and enters it in the ledger however it ends.
  const end = await runAttempts(compilation.program, sandbox, calls, {
    limits: limits.resolved,
    // The calls of an earlier run are taken over in the order of the program.
    waits: recall !== undefined,
    sourceBytes: Buffer.byteLength(program.text),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(workbench.group === undefined ? {} : { group: workbench.group }),
  })

  // 5. Run → RunResult. What the guest said, in the words of the program's language; how the run ended, in ours.
  const outcome = outcomeOf(end, compilation.program, calls)
  const { ledger, logs } = calls
  const names = (record: CallRecord) => guestNames(bindings, record)
  const shown = (failure: Outcome & { ok: false }) => shownFailure(failure, { program, logs, ledger, bindings })
  const isKept =
    (!outcome.ok || options.keepCalls === true) && workbench.history.remember(identity.runId, calls.inOrder())
  const result: RunResult = {
    runId: identity.runId,
    ...(outcome.ok
      ? succeeded(outcome.result, logs, callLines(ledger, names))
      : failed([{ ...shown(outcome), done: callsMade(ledger, names) }], program)),
    reusable: !outcome.ok && isKept && ledger.some((record) => record.ok && !record.safeToRepeat),
    logs,
    calls: ledger.map(summarised),
    stats: {
      wallMs: since(started),
      compileMs,
      runMs: rounded(end.stats.runMs),
      toolWaitMs: rounded(end.stats.callWaitMs),
      memoryBytes: end.stats.memoryBytes,
    },
  }
  return noted(result, note)
}

/** The result with something more to read about it. */
function noted(result: RunResult, notes: readonly string[]): RunResult {
  return { ...result, report: [result.report, ...notes].filter((part) => part !== '').join('\n') }
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

function readLimits(program: Program, configured: Partial<Limits>, requested: Partial<Limits> | undefined) {
  try {
    const resolved = resolveLimits(configured, requested)
    if (Buffer.byteLength(program.text) <= resolved.sourceBytes) return { ok: true, resolved } as const
    return { ok: false, diagnostics: [limitDiagnostic('sourceBytes', resolved.sourceBytes)] } as const
  } catch (error) {
    if (error instanceof DiagnosticError) return { ok: false, diagnostics: error.diagnostics } as const
    throw error
  }
}

function outcomeOf(end: RunEnd, compiled: CompiledProgram, { failed, outside }: RunCalls): Outcome {
  const outcome = endingOf(end, compiled, failed)
  if (outside === undefined || (!outcome.ok && outcome.diagnostic.code === 'outside-reach')) return outcome
  return { ok: false, diagnostic: explainReply(compiled, outside, undefined) }
}

function endingOf(end: RunEnd, compiled: CompiledProgram, failed: MadeCall | undefined): Outcome {
  switch (end.kind) {
    case 'completed':
      return readOutcome(compiled, end.payload)
    case 'threw':
      return { ok: false, diagnostic: explainThrow(compiled, end) }
    case 'limit':
      // A read that the program had run ahead of failed before: then the program would not have come so far.
      if (failed?.reply !== undefined && failed.ahead === 'for good')
        return { ok: false, diagnostic: explainReply(compiled, failed.reply, failed.place) }
      return { ok: false, diagnostic: limitDiagnostic(end.limit, end.allowed) }
    case 'cancelled':
      return { ok: false, diagnostic: runCancelled }
    case 'busy':
      return { ok: false, diagnostic: runBusy }
    case 'fault':
      return { ok: false, diagnostic: runFaulted }
  }
}

type Ending<End = RunSuccess | RunFailure> = End & Pick<RunFacts, 'report' | 'resultJson' | 'resultText'>

function succeeded(result: ResultValue | undefined, logs: readonly string[], calls: readonly string[]): Ending {
  const mute = result === undefined && logs.length === 0
  const report = [...(mute ? [nothingToShow] : []), ...calls].join('\n')
  if (result === undefined) return { ok: true, result: null, error: null, report }
  const { json, text } = result
  const value = json === null ? undefined : parsed(json)
  if (json === null || value === undefined) return { ok: true, result: text, error: null, report, resultText: text }
  return { ok: true, result: value, error: null, report, resultJson: json, resultText: json }
}

function failed(diagnostics: readonly Diagnostic[], program: Program): Ending {
  const report = renderDiagnostics(diagnostics, program.text)
  return { ok: false, result: null, error: runError(diagnostics[0]!), report }
}

/** Undefined for what is no JSON: a guest whose world was changed can say so. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The names that the program used for what the ledger calls by the upstream's names. */
function guestNames(bindings: Bindings, { server, tool }: CallRecord) {
  const bound = bindings.servers.find((one) => one.source.name === server)
  return { server: bound?.name ?? server, tool: bound?.tools.find((one) => one.tool.name === tool)?.name ?? tool }
}

/** Mistakes that were known before anything ran. */
function refused(
  diagnostics: readonly Diagnostic[],
  program: Program,
  { runId, started, compileMs }: { readonly runId: string; readonly started: number; readonly compileMs: number },
): RunResult {
  const ending = failed(diagnostics, program)
  const stats = { wallMs: since(started), compileMs, runMs: 0, toolWaitMs: 0, memoryBytes: 0 }
  return { runId, reusable: false, ...ending, report: `${ending.report}\n${nothingRan}`, logs: [], calls: [], stats }
}

function since(start: number): number {
  return rounded(performance.now() - start)
}

/** To the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
