// The inputs and the outcome of a call: types, and the default limits.

import type { ForeignError, ForeignReply } from '../interpreter/index.js'
import type { NamedFile, NamedFiles } from './artifact-arguments.js'
import type { BoundServer, BoundTool } from './bound.js'
import type { CallRecord } from './call-record.js'
import type { KeepFile, ResultForm } from './convert-outcome.js'
import type { Observations } from './observed.js'
import type { CallLane } from './schedule.js'
import type { ToolCaller, ToolOutcome, ToolProgress } from './tool.js'
import type { Notation } from './value-words.js'

interface CallLimits {
  readonly argumentBytes: number
  readonly responseBytes: number
}

export const defaultCallLimits: CallLimits = { argumentBytes: 4_000_000, responseBytes: 32_000_000 }

export interface PerformOptions {
  readonly signal?: AbortSignal
  /**
   * The timeout for the upstream's answer, by the names of server and tool; undefined: the default of the tools'
   * caller.
   */
  readonly timeoutMs?: ((server: string, tool: string) => number | undefined) | undefined
  readonly limits?: Partial<CallLimits>
  /** Stores images and other bulk. Without it, records have no path. */
  readonly keep?: KeepFile
  /** Finds a kept file whose record a program passes as an argument. Absent: no files. */
  readonly keptFile?: (path: string) => NamedFile | undefined
  /** The paths of all kept files, if calls to this server read those that they mention. Absent: no server does. */
  readonly keptPaths?: ((server: string) => readonly string[] | undefined) | undefined
  /** The form in which the program gets text that is JSON. Default `auto`. */
  readonly resultForm?: ((server: string, tool: string) => ResultForm | undefined) | undefined
  /** The notation of messages about wrong calls. Default: Python's. */
  readonly notation?: Notation
  /** `performance.now()` when the run began. */
  readonly runStarted?: number
  /** Decides whether the program may call this function, by its guest names. Absent: every one. */
  readonly reaches?: (namespace: string, member: string) => boolean
  /** The guest names of servers that can't be reached now, each with the reason. Absent: none. */
  readonly unavailable?: () => Readonly<Record<string, string>>
  /**
   * Called when a call has passed every check and will be sent or recalled: before `perform` returns its promise,
   * unless the call is long.
   */
  readonly onAccept?: (call: CallSent) => void
  /**
   * Decides on a call that is neither wrong nor recalled. A returned reply is the answer, and nothing is sent. Absent:
   * every call is sent.
   */
  readonly admit?: ((call: CallToAdmit) => ForeignReply | undefined | Promise<ForeignReply | undefined>) | undefined
  /**
   * Called before a call is sent: at once, or at its turn. The call waits for the returned promise, and is not sent if
   * that rejects with a DiagnosticError.
   */
  readonly onSend?: (call: CallSent) => void | Promise<void>
  /** Receives the progress of a call. Absent: the server is not asked for it. */
  readonly onProgress?: ((call: CallSent, progress: ToolProgress) => void) | undefined
  /** The schedule in which calls wait for their turn; without it they never wait. */
  readonly lane?: CallLane | undefined
  /** Equal concurrent calls that share one answer, by their identity; absent: each is sent. */
  readonly shared?: Map<string, Promise<ToolOutcome | undefined>> | undefined
  /** The observed kind of the tool's answers. Absent: as known when the answer arrives. */
  readonly known?: (server: string, tool: string) => 'text' | 'data' | undefined
  /** Reads a long call in a worker. Absent: it is read here. Never rejects. */
  readonly readLongCall?: (callText: string, files: NamedFiles | undefined) => Promise<ReadLongCall>
  /** The answer of the same call in an earlier run; if present, nothing is sent. */
  readonly recall?: (call: CallSent) => ForeignReply | undefined
}

/** A call that has passed every check. */
export interface CallSent {
  readonly server: string
  readonly tool: string
  readonly argumentDigest: string
}

/** A call that has passed every check, with the facts for a decision. */
export interface CallToAdmit extends CallSent {
  readonly bound: BoundTool
  /** JSON text. */
  readonly argumentText: string
}

export interface Performed {
  readonly reply: ForeignReply
  /** Absent if nothing was sent. */
  readonly record?: CallRecord
}

/** The targets of calls. */
export interface CallWorld {
  readonly servers: readonly BoundServer[]
  readonly caller: ToolCaller
  /** Learns the return types of tools from every successful reply. */
  readonly observations: Observations | undefined
}

/** The facts about a call before it is sent: its mistakes, or its arguments as JSON text. Plain data. */
export type ReadLongCall =
  | { readonly error: ForeignError }
  | { readonly namespace: string; readonly member: string; readonly text: string; readonly digest: string }
