// The remains of a run, and the parts of its report that need no work. conclude.ts does the part that needs the
// program's text.
// Invariant: everything here takes bounded, short time.

import { type CallMade, type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import { type ForeignReply, type Program, type ResultValue, resultOf, textsOf } from '../interpreter/index.js'
import { limitDiagnostic, type RunEnd } from '../sandbox/index.js'
import type { CodePlace } from './ledger/held-calls.js'
import { nothingToShow, runBusy, runCancelled, runFaulted, workerLost } from './messages.js'
import type { CallGroup } from './run-result.js'

/** The remains of a run. Plain data. */
export interface Remains {
  /** The program, with its detected language. */
  readonly program: Program
  readonly end: WithoutStats<RunEnd>
  /** A read-ahead call that failed. */
  readonly failedRead?: { readonly reply: ForeignReply; readonly place: { start: number; end: number } | undefined }
  /** The refusal of a call outside the program's reach, which ends the run; the program can't catch it. */
  readonly ended?: ForeignReply
  /** For a run that waits for a person: the reason, and the places of its calls in the generated code. */
  readonly paused?: { readonly diagnostic: Diagnostic; readonly codePlaces: readonly (CodePlace | undefined)[] }
  readonly logs: readonly string[]
  readonly ledger: readonly CallGroup[]
  /** The ledger as a failure reports it. */
  readonly done: readonly CallMade[]
  /** The ledger as a success reports it. */
  readonly callLines: readonly string[]
  /** Remarks about the run. */
  readonly notes: readonly string[]
}

type WithoutStats<End> = End extends unknown ? Omit<End, 'stats'> : never

export interface Conclusion {
  readonly report: string
  /** Absent after success. */
  readonly failure?: Diagnostic
  /** Absent if the program failed or set no result. */
  readonly result?: ResultValue
  /** For a run that waits for a person: the line of each of its calls. */
  readonly lines?: readonly (number | null)[]
}

/** The report, if nothing has to be explained and the text is short; otherwise undefined. */
export function concludeAtOnce(remains: Remains): Conclusion | undefined {
  const { end, failedRead, ended, paused } = remains
  if (ended !== undefined || paused !== undefined) return undefined
  if (end.kind === 'threw' || (end.kind === 'limit' && failedRead !== undefined)) return undefined
  if (end.kind === 'limit' && end.stack !== undefined) return undefined
  if (end.kind !== 'completed') return failure(remains, diagnosticOf(end))
  const outcome = end.payload.length <= SHORT ? resultOf(end.payload) : undefined
  return outcome === undefined ? undefined : success(remains, outcome.result)
}

/** Text up to this length is read in well under a millisecond. */
const SHORT = 32_768

export function diagnosticOf(end: Exclude<Remains['end'], { kind: 'completed' | 'threw' }>): Diagnostic {
  switch (end.kind) {
    case 'limit':
      return limitDiagnostic(end.limit, end.allowed)
    case 'cancelled':
      return runCancelled
    case 'busy':
      return runBusy
    case 'lost':
      return workerLost
    case 'fault':
      return runFaulted
  }
}

export function success({ logs, callLines, notes }: Remains, result: ResultValue | undefined): Conclusion {
  const isMute = result === undefined && logs.length === 0
  const ofResult = (result?.notes ?? []).map((note) => `note: ${note}`)
  const report = [...(isMute ? [nothingToShow] : []), ...ofResult, ...callLines, ...notes].join('\n')
  return { report, ...(result === undefined ? {} : { result }) }
}

export function failure({ program, done, notes }: Pick<Remains, 'program' | 'done' | 'notes'>, diagnostic: Diagnostic) {
  const shown = { ...diagnostic, done }
  return { report: [renderDiagnostics([shown], textsOf(program)), ...notes].join('\n'), failure: shown }
}

/** A result: its exact JSON and its readable text. */
export function resultFields(result: ResultValue | undefined): {
  readonly resultJson?: string
  readonly resultText?: string
} {
  if (result === undefined) return {}
  const { json, text } = result
  return json === null ? { resultText: text } : { resultJson: json, resultText: json }
}
