// The facts about an ended run that others store, explain and answer with: its end, its calls, the reason why it waits.
// Knows the names that the program used; runs nothing.

import { type Bindings, guestNames } from '../bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import { type Program, textsOf } from '../interpreter/index.js'
import type { Concluded } from './desk-work.js'
import type { CallInQuestion } from './ledger/held-calls.js'
import { needsApproval, nothingRan, unknownOutcome } from './messages.js'
import type { RunCalls } from './read-ahead/index.js'
import { type Remains, resultFields } from './remains.js'
import {
  type CallSummary,
  callLines,
  callsMade,
  groupsIn,
  type RecordRead,
  type RunFacts,
  type RunResult,
  runError,
} from './run-result.js'

/** A run with its result as text, which is parsed on demand. */
export type EndedRun = RunFacts & { readonly ok: boolean; readonly error: RunResult['error'] }

export function resultOf({ ok, error, ...facts }: EndedRun): RunResult {
  if (!ok) return { ok, error: error!, result: null, ...facts }
  const { resultJson, ...rest } = facts
  const text = facts.resultText ?? null
  if (resultJson === undefined) return { ok, error: null, result: text, ...rest }
  try {
    return { ok, error: null, result: JSON.parse(resultJson), ...facts }
  } catch {
    // A guest with changed builtins can report invalid JSON.
    return { ok, error: null, result: text, ...rest }
  }
}

/** The number of other reachable tools that are named. */
const MOST_OTHERS = 20

/** The reason why a run waits. */
export function pauseOf(
  calls: readonly CallInQuestion[],
  { runId, bindings, canAlsoCall }: { runId: string; bindings: Bindings; canAlsoCall: readonly string[] },
) {
  const paths = calls.map((call) => {
    const { server, tool } = guestNames(bindings.servers, call)
    return `${server}.${tool}`
  })
  const counts = [...new Set(paths)].map((path) => {
    const count = paths.filter((one) => one === path).length
    return count === 1 ? path : `${path} ×${count}`
  })
  const isUnknown = calls.some(({ reason }) => reason === 'unknown')
  const diagnostic = (isUnknown ? unknownOutcome : needsApproval)(runId, counts.join(', '))
  const others = canAlsoCall.filter((path) => !paths.includes(path))
  const more = others.length > MOST_OTHERS ? ` and ${others.length - MOST_OTHERS} more` : ''
  const notes =
    others.length === 0 ? [] : [`the program can also call ${others.slice(0, MOST_OTHERS).join(', ')}${more}`]
  return { diagnostic, codePlaces: calls.map(({ codePlace }) => codePlace), others, notes }
}

/** The end of a run, and its calls. */
export function endedFields(
  { failure, result, report }: Concluded,
  { ledger }: Pick<Remains, 'ledger'>,
  run: { readonly calls: RunCalls; readonly isKept: boolean },
) {
  const ok = failure === undefined
  return {
    ok,
    error: failure === undefined ? null : runError(failure),
    ...resultFields(result),
    report,
    reusable: !ok && run.isKept && ledger.some((group) => group.ok && !group.safeToRepeat),
    calls: Array.from(run.calls.ledger(), summarised),
  }
}

/** The remains of a run. */
export function remainsOf(
  program: Program,
  end: Remains['end'],
  calls: RunCalls,
  { bindings, notes }: { readonly bindings: Bindings; readonly notes: readonly string[] },
): Remains {
  const { logs, failed, ended } = calls
  const ledger = groupsIn(calls.ledger(), (record) => guestNames(bindings.servers, record))
  const isFailedRead = failed?.reply !== undefined && failed.ahead === 'for good'
  return {
    program,
    end,
    ...(isFailedRead ? { failedRead: { reply: failed.reply!, place: failed.place } } : {}),
    ...(ended === undefined ? {} : { ended }),
    logs,
    ledger,
    done: callsMade(ledger),
    callLines: callLines(ledger, calls.ledger()),
    notes,
  }
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
}: RecordRead): CallSummary {
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

/** The outcome of a program with mistakes, which did not run. */
export function refused(
  diagnostics: readonly Diagnostic[],
  program: Program,
  { runId, arrivedAt, compileMs, notes }: Refusal,
): { readonly facts: EndedRun } {
  const report = [renderDiagnostics(diagnostics, textsOf(program)), nothingRan, ...notes].join('\n')
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

export function since(start: number): number {
  return rounded(performance.now() - start)
}

/** To the microsecond. */
export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
