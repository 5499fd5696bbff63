// The stored data of a run besides its ledger: the inputs for running its program again, and its outcome.

import type { Dialect, Program, RunInput, RunWorld } from '../../interpreter/index.js'
import type { Limits, Lookups } from '../../sandbox/index.js'
import type { Holder, KeptRun, QueuedRun, RunPriority } from '../../state/index.js'
import type { OutputFormat } from '../output-format.js'
import type { CallSummary, RunError, RunStatistics } from '../run-result.js'
import type { Question, QuestionedCall } from './approval.js'

/** The settings of every repetition of a run. */
export interface RunSettings {
  readonly program: Program
  readonly dialect: Partial<Dialect>
  readonly limits: Partial<Limits>
  readonly world: RunWorld
  readonly input: RunInput
  /** The tools that it runs ahead of, as `server.tool`. Undefined until the program has been compiled. */
  readonly reads?: readonly string[]
  /** The notation of the result in the answer. */
  readonly format?: OutputFormat
  readonly lookups?: Lookups
  /** The owner of the values that its program keeps. */
  readonly valuesOwner?: string
  /** The servers that its program names, by their names in the configuration, as far as they are known. */
  readonly servers?: readonly string[]
}

/** The end of a run, for later readers. */
export interface RunEnding {
  readonly ok: boolean
  readonly error: RunError | null
  readonly resultJson?: string
  readonly resultText?: string
  readonly report: string
  readonly logs: readonly string[]
  /** Absent for runs that were cancelled while they waited, and for those of older versions. */
  readonly calls?: readonly CallSummary[]
  readonly stats?: RunStatistics
  /** The whole answer to a model, if there was one. */
  readonly answer?: string
}

export interface RunBody {
  /** The version of starbind that started the run. */
  readonly version: string
  readonly startedAt: number
  readonly settings: RunSettings
  /** The terms of its caller: see RunKeeping. */
  readonly terms: Readonly<Record<string, unknown>>
  /** It runs in the background. */
  readonly background?: true
  /** Its place among the runs of its caller that wait for a worker. */
  readonly priority?: RunPriority
  /** The process that carries it out; absent when none does. */
  readonly holder?: Holder
  /** The open question of a paused run. */
  readonly question?: Question
  /** Earlier questions, with their answers. */
  readonly answered?: readonly QuestionedCall[]
  /** The outcome of an ended run. */
  readonly ending?: RunEnding
  /** See `keptJson`. */
  readonly hides?: true
}

export interface CallerOfRun extends Pick<RunBody, 'terms'> {
  readonly owner: string
}

export function bodyOf({ body }: KeptRun): RunBody {
  return JSON.parse(body) as RunBody
}

export function isAnswered({ question }: RunBody): boolean {
  return question?.calls.every(({ approval }) => approval !== undefined) === true
}

/** The run as the queue knows it. */
export function turnOf({ id, owner }: Pick<KeptRun, 'id' | 'owner'>, { priority }: RunBody): QueuedRun {
  return { runId: id, owner, ...(priority === undefined ? {} : { priority }) }
}

/** The JSON text of an object for storing, marked with `hides` if something in it had to be hidden. */
export function keptJson(json: string, hide: (json: string) => string): string {
  const kept = hide(json)
  return kept === json ? json : `${kept.slice(0, -1)},"hides":true}`
}
