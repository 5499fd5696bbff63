import type { Bindings, CallSchedule, PerformOptions, Tool, ToolCaller } from '../bindings/index.js'
import type { Dialect, Language } from '../interpreter/index.js'
import type { Limits, Sandbox } from '../sandbox/index.js'
import type { Vfs } from '../vfs/index.js'
import type { Desk } from './desk.js'
import type { AsksAbout } from './ledger/held-calls.js'
import type { Interviewer } from './ledger/interview.js'
import type { KeptRuns } from './ledger/kept-runs.js'
import type { RunHistory } from './run-history.js'

/** What programs run with. */
export interface RunContext {
  /** The tools they can call. */
  readonly bindings: Bindings
  /** The guest names of servers that can't be reached now, each with the reason. */
  readonly unavailable: () => Readonly<Record<string, string>>
  /** What reaches those tools. */
  readonly caller: ToolCaller
  /** Says which calls may be underway at once; absent: all that sandbox and languages allow. */
  readonly schedule?: CallSchedule
  readonly sandbox: Sandbox
  /** Where programs are read and runs are explained. */
  readonly desk: Desk
  /** Runs of one group take turns with those of others. */
  readonly group?: string
  /** Where goes what is too long or too big for an answer. */
  readonly vfs: Vfs
  /** Of programs that do not say. */
  readonly language: Language
  readonly dialect: Partial<Dialect>
  readonly limits: Partial<Limits>
  /** The longest answer, in characters. */
  readonly answerMaxChars: number
  /** The names of runs, and what can be taken up of them. */
  readonly history: RunHistory
  /** How long one call may take, by the names of server and tool; undefined: as the caller of tools does by itself. */
  readonly callTimeoutMs?: PerformOptions['timeoutMs']
  /** Whether text that is JSON is given as data or as text, by the names of server and tool; undefined: as it comes. */
  readonly resultForm?: PerformOptions['resultForm']
  /**
   * Whether a call of this tool of this server only reads, so that a program may run ahead of its answer; absent: of
   * none.
   */
  readonly readsAhead?: (server: string, tool: Tool) => boolean
  /** Whether equal reads that are underway at the same time share one answer. */
  readonly coalesceReads?: boolean
  /** What is kept of runs, and when a person is asked; absent: nothing, and never. */
  readonly keeping?: RunKeeping
}

/** Plain data, which others write and read. */
export type CallerTerms = Readonly<Record<string, unknown>>

export interface RunKeeping {
  readonly runs: KeptRuns
  /** Whose the runs are. */
  readonly owner: string
  /** The runs of all others are there, too. */
  readonly seesAll: boolean
  readonly asks: AsksAbout
  /** Who can be asked now; undefined: nobody, and runs wait. */
  readonly interviewer: Interviewer | undefined
  /** The same for a run that its caller does not wait for. */
  readonly standingInterviewer: Interviewer | undefined
  /** What a process needs to know of the caller that goes on with its run. */
  readonly terms: CallerTerms
}
