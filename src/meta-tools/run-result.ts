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
 * A run that came to its end.
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
   * program's notation. It is the type that was asked for only where a schema has seen to that.
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
  /** When it began for its program, in milliseconds since 1970, where programs may know. */
  readonly now?: number
  /** The seed of its random numbers, if programs may have some. */
  readonly seed?: number
  /** It failed after calls that are not safe to repeat; a corrected program can take their results over. */
  readonly reusable: boolean
  /** The printed lines. */
  readonly logs: readonly string[]
  /** Every call of a tool, in the order in which they ended. */
  readonly calls: readonly CallSummary[]
  readonly stats: RunStatistics
  /**
   * The result's JSON text, with integers of any size and `120.0` as the program meant them; absent if there is none.
   */
  readonly resultJson?: string
  /** The result as an answer shows it; absent when the program set none. */
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
  /** Of the answer, as it was given to the program. */
  readonly bytes: number
  /** Milliseconds after the run began. */
  readonly startedAtMs: number
  /** SHA-256 of the arguments. */
  readonly argumentDigest: string
  /** `failed` is the tool's own word, `lost` means that no usable answer came, `reused` that nothing was sent. */
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
   * From its text to what runs. A program that was read a moment ago, to check it or for another run, has the time that
   * this took then, which is no part of `wallMs`.
   */
  readonly compileMs: number
  /** The guest's own run, waiting for tools included. */
  readonly runMs: number
  readonly toolWaitMs: number
  /** Of the guest, at its end. */
  readonly memoryBytes: number
}

/** One failure as the six facts that programs ask for. */
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

/** The guest name of a record's tool: `server.tool`. */
export type GuestNames = (record: CallRecord) => { readonly server: string; readonly tool: string }

/** The ledger as a failure reports it: calls of one tool with one outcome together, in the order of their first. */
export function callsMade(ledger: readonly CallRecord[], names: GuestNames): CallMade[] {
  const groups: { readonly first: CallRecord; count: number }[] = []
  for (const record of ledger) {
    const group = groups.find(
      ({ first }) => first.ok === record.ok && first.tool === record.tool && first.server === record.server,
    )
    if (group === undefined) groups.push({ first: record, count: 1 })
    else group.count++
  }
  return groups.map(({ first, count }) => {
    const { ok, safeToRepeat } = first
    return { ...names(first), ok, safeToRepeat, count }
  })
}

/** One line for each tool: its number of calls, their total time, and the bytes that the program received. */
export function callLines(ledger: readonly CallRecord[], names: GuestNames): string[] {
  const tools = new Map<string, { count: number; failed: number; reused: number; ms: number; bytes: number }>()
  for (const record of ledger) {
    const { server, tool } = names(record)
    const name = `${server}.${tool}`
    const line = tools.get(name) ?? { count: 0, failed: 0, reused: 0, ms: 0, bytes: 0 }
    line.count++
    line.failed += record.ok ? 0 : 1
    line.reused += record.outcome === 'reused' ? 1 : 0
    line.ms += record.ms
    line.bytes += record.bytes
    tools.set(name, line)
  }
  const lines = [...tools].map(([name, { count, failed, reused, ms, bytes }]) => {
    const outcome = `${failed === 0 ? '' : `, ${failed} failed`}${reused === 0 ? '' : `, ${reused} taken from the earlier run`}`
    return `called ${name} ×${count}${outcome}: ${Math.round(ms)} ms, ${bytes} bytes`
  })
  return [...lines, ...noteLines(ledger)]
}

const MOST_NOTES = 5

function noteLines(ledger: readonly CallRecord[]): string[] {
  const notes = [...new Set(ledger.flatMap((record) => record.notes ?? []))]
  const more = notes.length - MOST_NOTES
  return [
    ...notes.slice(0, MOST_NOTES).map((note) => `note: ${note}`),
    ...(more > 0 ? [`note: and ${more} more of these`] : []),
  ]
}
