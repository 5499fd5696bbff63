// The results of the stages of a run, which are the inputs of later stages.

import type { Dialect, Program, RunWorld } from '../interpreter/index.js'
import type { Limits, Lookups, RunEnd } from '../sandbox/index.js'
import type { Preparation, ReadyProgram } from './desk.js'
import type { RunValues } from './kept-values.js'
import type { LegEnd } from './ledger/legs.js'
import type { LiveRun } from './ledger/live-run.js'
import type { OutputFormat } from './output-format.js'
import type { RunCalls } from './read-ahead/index.js'
import type { RunContext, RunKeeping } from './run-context.js'
import type { RunIdentity, RunTeller } from './run-events.js'
import type { EndedRun } from './run-facts.js'
import type { EarlierRun } from './run-history.js'
import type { RunOptions } from './run-options.js'

export interface AnswerWanted {
  readonly maxChars: number
  readonly format: OutputFormat
}

export interface Leg {
  readonly program: Program
  readonly context: RunContext
  readonly options: RunOptions
  readonly identity: RunIdentity
  /** `performance.now()` when the request for the leg arrived. */
  readonly arrivedAt: number
  readonly wanted: AnswerWanted | undefined
  /** Present if the run can be resumed. */
  readonly live: LiveRun | undefined
  readonly tell: RunTeller
  /** True if the run has a listener. */
  readonly isWatched: boolean
  /** True if somebody wants to know where the program makes its calls. */
  readonly wantsLines: boolean
}

export interface Compiled extends Told {
  /** With its detected language. */
  readonly program: Program
  readonly ready: ReadyProgram
  readonly preparation: Preparation
  readonly dialect: Partial<Dialect>
  readonly limits: Limits
  /** The run whose answers are taken over. */
  readonly earlier: EarlierRun | undefined
}

/** The part of the compilation that the outcome reports. */
export interface Told {
  readonly compileMs: number
  readonly notes: readonly string[]
}

/** The surroundings of a run, which later legs repeat. */
export interface Setting {
  readonly world: RunWorld
  readonly lookups: Lookups | undefined
  /** The reachable tools that need approval. */
  readonly asking: readonly string[]
  readonly values: RunValues | undefined
  /** The run whose ledger a later leg can continue. */
  readonly durable: { readonly live: LiveRun; readonly keeping: RunKeeping } | undefined
}

export interface CarriedOut {
  readonly calls: RunCalls
  readonly end: RunEnd
}

/** All of them, for the last stage. */
export interface Course {
  readonly compiled: Compiled
  readonly setting: Setting
  readonly run: CarriedOut
}

export interface Ended extends LegEnd {
  readonly facts: EndedRun
  /** The text of the answer, if it was asked for and is already written. */
  readonly answer?: { readonly text: string; readonly path?: string }
}
