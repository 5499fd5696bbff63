import type { Bindings, CallSchedule, PerformOptions, Tool, ToolCaller } from '../bindings/index.js'
import type { Dialect, Language, Program } from '../interpreter/index.js'
import type { Limits, Sandbox } from '../sandbox/index.js'
import type { Vfs } from '../vfs/index.js'
import type { Desk } from './desk.js'
import type { ValuesOfCallers } from './kept-values.js'
import type { AsksAbout } from './ledger/held-calls.js'
import type { Interviewer } from './ledger/interview.js'
import type { KeptRuns } from './ledger/kept-runs.js'
import type { RunHistory } from './run-history.js'

/** The surroundings of programs. */
export interface RunContext {
  /** The tools they can call. */
  readonly bindings: Bindings
  /** The guest names of servers that can't be reached now, each with the reason. */
  readonly unavailable: () => Readonly<Record<string, string>>
  /** The way to those tools. */
  readonly caller: ToolCaller
  /** Schedules concurrent calls; absent: the limits of sandbox and languages apply. */
  readonly schedule?: CallSchedule
  readonly sandbox: Sandbox
  /** Compiles programs and explains runs. */
  readonly desk: Desk
  /** Runs of one group take turns with those of others. */
  readonly group?: string
  /** The files for output that is too long for an answer. */
  readonly vfs: Vfs
  /** The language of programs that do not name one. */
  readonly language: Language
  readonly dialect: Partial<Dialect>
  readonly limits: Partial<Limits>
  /** The longest answer, in characters. */
  readonly answerMaxChars: number
  /** The names of runs, and their reusable calls. */
  readonly history: RunHistory
  /** The timeout of one call, by the names of server and tool; undefined: the default of the tools' caller. */
  readonly callTimeoutMs?: PerformOptions['timeoutMs']
  /** Whether text that is JSON is passed as data or as text, by the names of server and tool; undefined: unchanged. */
  readonly resultForm?: PerformOptions['resultForm']
  /** Whether a server reads the kept files that its calls mention; absent: none does. */
  readonly readsKept?: (server: string) => boolean
  /** Whether a call of this tool only reads, so that a program may run ahead of its answer; absent: no tool. */
  readonly readsAhead?: (server: string, tool: Tool) => boolean
  /** Whether equal concurrent reads share one answer. */
  readonly coalesceReads?: boolean
  /** The values that programs keep; absent: none are kept. */
  readonly values?: ValuesOfCallers
  /** The saved programs; absent: there are none. */
  readonly saved?: SavedPrograms
  /** The storage of runs, and the approval rules; absent: nothing is kept, and nobody is asked. */
  readonly keeping?: RunKeeping
}

/**
 * A saved program and its arguments.
 *
 * @example
 * import { CodeMode, type SavedCall } from 'starbind'
 *
 * const call: SavedCall = { program: 'report', arguments: { month: '2026-05' } }
 * await using codeMode = await CodeMode.open({ programs: 'programs' })
 * console.log(await codeMode.run(call))
 */
export interface SavedCall {
  /** Its name: `report` for `programs/report.star`. */
  readonly program: string
  /** By the names of its parameters. Default: none. */
  readonly arguments?: Readonly<Record<string, unknown>>
}

interface SavedPrograms {
  /** The program with the saved programs that it may call, as they are now. */
  attach(program: Program): Program
  /** The program that runs a saved program. Throws a DiagnosticError with the mistake in the call. */
  calling(call: SavedCall): Program
}

/** Plain data, which others write and read. */
export type CallerTerms = Readonly<Record<string, unknown>>

export interface RunKeeping {
  readonly runs: KeptRuns
  /** The owner of the runs. */
  readonly owner: string
  /** True: the owner sees the runs of all callers. */
  readonly seesAll: boolean
  readonly asks: AsksAbout
  /** The person who can be asked now; undefined: none, and runs wait. */
  readonly interviewer: Interviewer | undefined
  /** The same, for a run without a waiting caller. */
  readonly standingInterviewer: Interviewer | undefined
  /** The facts about the caller that a process needs to resume its run. */
  readonly terms: CallerTerms
}
