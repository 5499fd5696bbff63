// The outcome of a run as data: for the library, for --json, and for the answer's text.
// Invariant: plain JSON data with the keys that the command line documents.

import type { CallRecord } from '../bindings/index.js'
import type { CallMade, Diagnostic, DiagnosticClass } from '../diagnostics/index.js'
import type { AskedCall } from './ledger/approval.js'

/**
 * The outcome of a run. `ok` distinguishes the two: a result, or an error.
 *
 * @example
 * import { CodeMode, type RunResult } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const run: RunResult = await codeMode.run('result = [n * n for n in range(5)]')
 * console.log(run.ok ? run.result : run.error.message)
 */
export type RunResult<Result = unknown> = RunFacts & (RunSuccess<Result> | RunFailure)

/**
 * A run that succeeded.
 *
 * @example
 * import type { RunSuccess } from 'starbind'
 *
 * export const lines = ({ result }: RunSuccess<string>) => result.split('\n')
 */
export interface RunSuccess<Result = unknown> {
  readonly ok: true
  /**
   * The value of the program's `result`; null when it set none. A value that is not JSON is given as text in the
   * program's notation. Only a `resultSchema` checks the type.
   */
  readonly result: Result
  readonly error: null
}

/**
 * A failed run. It still has the earlier calls and output.
 *
 * @example
 * import type { RunFailure } from 'starbind'
 *
 * export const place = ({ error }: RunFailure) => (error.line === null ? '' : `line ${error.line}`)
 */
export interface RunFailure {
  readonly ok: false
  readonly result: null
  readonly error: RunError
}

/**
 * The common fields of every run.
 *
 * @example
 * import { CodeMode, type RunFacts } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const { runId, logs, calls, stats }: RunFacts = await codeMode.run('print("hello")')
 * console.log(runId, logs, calls.length, stats.memoryBytes)
 */
export interface RunFacts {
  /** `run-1` and so on, within one CodeMode. */
  readonly runId: string
  /** The start time that the program saw, in milliseconds since 1970, if programs may know it. */
  readonly now?: number
  /** The seed of the random numbers, if programs may have some. */
  readonly seed?: number
  /** The run failed after calls that are not safe to repeat; a corrected program can reuse their results. */
  readonly reusable: boolean
  /** The printed lines. */
  readonly logs: readonly string[]
  /** Every call of a tool, in the order of their ends. */
  readonly calls: readonly CallSummary[]
  readonly stats: RunStatistics
  /** The result's JSON text, with exact integers of any size and `120.0`; absent if there is no result. */
  readonly resultJson?: string
  /** The result's text in an answer; absent if the program set none. */
  readonly resultText?: string
  /** The calls that a person has to approve before the run continues; absent if there are none. */
  readonly paused?: PausedRun
  /** The report besides the output: one line for each tool, or the mistake and the calls already made. */
  readonly report: string
}

/**
 * The questions that a run waits for.
 *
 * @example
 * import { CodeMode, type PausedRun } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { issues: { command: 'my-mcp-server' } }, approve: 'writes' })
 * const paused: PausedRun | undefined = (await codeMode.run('issues.close(number=1)')).paused
 * if (paused !== undefined) console.log(`${paused.runId} waits for ${paused.calls.length} answers`)
 */
export interface PausedRun {
  readonly runId: string
  readonly calls: readonly AskedCall[]
}

/**
 * One tool call of a run.
 *
 * @example
 * import { type CallSummary, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const { calls } = await codeMode.run('result = files.list_files()')
 * const slowest: CallSummary | undefined = calls.toSorted((a, b) => b.ms - a.ms)[0]
 * console.log(slowest?.server, slowest?.tool, slowest?.ms)
 */
export interface CallSummary {
  readonly server: string
  readonly tool: string
  readonly ok: boolean
  /** From the call to its answer. */
  readonly ms: number
  /** The size of the answer that the program got. */
  readonly bytes: number
  /** Milliseconds after the run began. */
  readonly startedAtMs: number
  /** SHA-256 of the arguments. */
  readonly argumentDigest: string
  /** `failed`: the tool reported a failure. `lost`: no usable answer arrived. `reused`: nothing was sent. */
  readonly outcome: CallRecord['outcome']
  readonly safeToRepeat: boolean
}

/**
 * Why a run failed.
 *
 * @example
 * import { CodeMode, type RunError } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const error: RunError | null = (await codeMode.run('1 // 0')).error
 * if (error !== null) console.error(`${error.line}:${error.column} ${error.code}: ${error.message}`)
 */
export interface RunError {
  readonly class: DiagnosticClass
  readonly code: string
  readonly message: string
  /** 1-based; null when the failure has no place in the program. */
  readonly line: number | null
  readonly column: number | null
  readonly hint: string | null
}

/**
 * Milliseconds and bytes.
 *
 * @example
 * import { CodeMode, type RunStatistics } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const stats: RunStatistics = (await codeMode.run('result = sum(range(1000))')).stats
 * console.log(stats.compileMs, stats.runMs - stats.toolWaitMs)
 */
export interface RunStatistics {
  /** Everything, from the submitted text to this result. */
  readonly wallMs: number
  /**
   * From the text to compiled code. A cached program, after a check or another run, reports the time of its
   * compilation, which is not part of `wallMs` then.
   */
  readonly compileMs: number
  /** The guest's own run, waiting for tools included. */
  readonly runMs: number
  readonly toolWaitMs: number
  /** The memory that the run added to the pristine guest. */
  readonly memoryBytes: number
}

/** A failure as a record for programs. */
export function runError(diagnostic: Diagnostic): RunError {
  return {
    class: diagnostic.class,
    code: diagnostic.code,
    message: diagnostic.message,
    line: diagnostic.span?.line ?? null,
    column: diagnostic.span?.column ?? null,
    hint: diagnostic.hint ?? null,
  }
}

/** The part of a call's record that the outcome of its run needs. */
export type RecordRead = Omit<CallRecord, 'annotations' | 'notes' | 'argumentBytes'> & {
  readonly notes?: readonly string[] | undefined
}

/** The calls of one tool with one outcome, equally safe to repeat, in the ledger of a run. */
export interface CallGroup {
  /** The upstream's names. */
  readonly server: string
  readonly tool: string
  /** The names that programs write. */
  readonly names: { readonly server: string; readonly tool: string }
  readonly ok: boolean
  readonly safeToRepeat: boolean
  count: number
  reused: number
  ms: number
  bytes: number
}

/** The groups of a ledger, in the order of their first calls. */
export function groupsIn(ledger: Iterable<RecordRead>, names: (record: RecordRead) => CallGroup['names']): CallGroup[] {
  const groups: CallGroup[] = []
  for (const record of ledger) {
    const { server, tool, ok, safeToRepeat } = record
    let group = groups.find(
      (one) => one.ok === ok && one.tool === tool && one.server === server && one.safeToRepeat === safeToRepeat,
    )
    if (group === undefined) {
      group = { server, tool, names: names(record), ok, safeToRepeat, count: 0, reused: 0, ms: 0, bytes: 0 }
      groups.push(group)
    }
    group.count++
    group.reused += record.outcome === 'reused' ? 1 : 0
    group.ms += record.ms
    group.bytes += record.bytes
  }
  return groups
}

/** The ledger for a failure. */
export function callsMade(groups: readonly CallGroup[]): CallMade[] {
  return groups.map(({ names, ok, safeToRepeat, count }) => ({ ...names, ok, safeToRepeat, count }))
}

/** One line for each tool: its number of calls, their total time, and the bytes that the program received. */
export function callLines(groups: readonly CallGroup[], ledger: Iterable<RecordRead>): string[] {
  const tools = new Map<string, { count: number; failed: number; reused: number; ms: number; bytes: number }>()
  for (const { names, ok, count, reused, ms, bytes } of groups) {
    const name = `${names.server}.${names.tool}`
    const line = tools.get(name) ?? { count: 0, failed: 0, reused: 0, ms: 0, bytes: 0 }
    line.count += count
    line.failed += ok ? 0 : count
    line.reused += reused
    line.ms += ms
    line.bytes += bytes
    tools.set(name, line)
  }
  const lines = [...tools].map(([name, { count, failed, reused, ms, bytes }]) => {
    const outcome = `${failed === 0 ? '' : `, ${failed} failed`}${reused === 0 ? '' : `, ${reused} taken from the earlier run`}`
    return `called ${name} ×${count}${outcome}: ${Math.round(ms)} ms, ${bytes} bytes`
  })
  return [...lines, ...noteLines(ledger)]
}

const MOST_NOTES = 5

function noteLines(ledger: Iterable<RecordRead>): string[] {
  const all = new Set<string>()
  for (const { notes = [] } of ledger) for (const note of notes) all.add(note)
  const notes = [...all]
  const more = notes.length - MOST_NOTES
  return [
    ...notes.slice(0, MOST_NOTES).map((note) => `note: ${note}`),
    ...(more > 0 ? [`note: and ${more} more of these`] : []),
  ]
}
