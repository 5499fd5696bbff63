import type { Bindings, CallSchedule, PerformOptions, Tool, ToolCaller } from '../bindings/index.js'
import type { Dialect, Language } from '../interpreter/index.js'
import type { Limits, Sandbox } from '../sandbox/index.js'
import type { Vfs } from '../vfs/index.js'
import type { Desk } from './desk.js'
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
}
