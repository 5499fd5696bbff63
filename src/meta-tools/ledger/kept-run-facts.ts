// What those who may see a kept run learn of it: its facts, its calls and their contents.

import type { CallRecord } from '../../bindings/index.js'
import type { KeptRun } from '../../state/index.js'
import { type Approval, type AskedCall, askedCall } from './approval.js'
import { isAnswered, type RunBody, type RunEnding } from './run-body.js'

/**
 * A run that is kept.
 *
 * @example
 * import { CodeMode, type KeptRunFacts } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const runs: readonly KeptRunFacts[] = await codeMode.runs.list()
 * for (const { runId, state, calls } of runs) console.log(runId, state, calls.length)
 */
export interface KeptRunFacts {
  readonly runId: string
  /** The owner of the run. */
  readonly owner: string
  /**
   * `queued`: it waits for a worker. `underway`: a process carries it out. `interrupted`: that process has ended.
   * `paused`: it waits for an answer. `approved`: it was answered and can continue. `ended`: it is final.
   */
  readonly state: 'queued' | 'underway' | 'interrupted' | 'paused' | 'approved' | 'ended'
  /** The server that workers lack, while it waits for one that has it; null where it is listed with others. */
  readonly lacks: string | null
  readonly background: boolean
  /** In milliseconds since 1970. */
  readonly startedAt: number
  readonly changedAt: number
  readonly program: { readonly text: string; readonly language: string }
  /** The calls in question, each with its answer, if any. */
  readonly calls: readonly (AskedCall & { readonly approval: Approval | null })[]
  /** The other tools that it can call and that need approval, while it waits: `issues.close`. */
  readonly canAlsoCall: readonly string[]
  /** The time at which it ends without an answer, in milliseconds since 1970; null if there is no open question. */
  readonly expiresAt: number | null
  readonly ending: RunEnding | null
}

/**
 * The runs of a page.
 *
 * @example
 * import { CodeMode, type RunsWanted } from 'starbind'
 *
 * const wanted: RunsWanted = { limit: 20 }
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const { runs, next } = await codeMode.runs.page(wanted)
 * if (next !== null) console.log(runs.length, await codeMode.runs.page({ ...wanted, before: next }))
 */
export interface RunsWanted {
  readonly limit: number
  /** Only those of this caller. */
  readonly owner?: string | undefined
  /** Only those that wait for a person. */
  readonly waiting?: boolean | undefined
  /** `next` of the page before this one. */
  readonly before?: string | undefined
}

/**
 * Some kept runs; `next` is for the page after this one, and null if there is none.
 *
 * @example
 * import type { RunPage } from 'starbind'
 *
 * export const names = ({ runs }: RunPage) => runs.map(({ runId }) => runId)
 */
export interface RunPage {
  readonly runs: readonly KeptRunFacts[]
  readonly next: string | null
}

/**
 * One call among those of a run: its tool, its arguments, and its place among equal calls, from 0.
 *
 * @example
 * import type { CallSummary, CallWanted } from 'starbind'
 *
 * export const first = ({ server, tool, argumentDigest }: CallSummary): CallWanted =>
 *   ({ server, tool, argumentDigest, nth: 0 })
 */
export interface CallWanted {
  readonly server: string
  readonly tool: string
  readonly argumentDigest: string
  readonly nth: number
}

/**
 * A call of a kept run, with a person's answer, if somebody was asked.
 *
 * @example
 * import type { KeptCall } from 'starbind'
 *
 * export const isDenied = ({ approval }: KeptCall) => approval?.answer === 'deny'
 */
export type KeptCall = CallRecord & { readonly approval: Approval | null }

/**
 * What was sent and what came back: JSON text, or the tool's text or failure. Null: not kept, or not there yet.
 *
 * @example
 * import type { KeptContents } from 'starbind'
 *
 * export const isKept = ({ arguments: sent }: KeptContents) => sent !== null
 */
export interface KeptContents {
  readonly arguments: string | null
  readonly answer: string | null
}

/** `isCarriedOut`: by some process. `approvalMs`: how long its question stays open. */
export function factsOf(
  run: KeptRun,
  body: RunBody,
  { isCarriedOut, approvalMs }: { readonly isCarriedOut: boolean; readonly approvalMs: number },
): KeptRunFacts {
  const { question, ending, settings, startedAt, background = false } = body
  const isPaused = run.state === 'paused'
  const isOpen = isPaused && question !== undefined && !isAnswered(body)
  const isInterrupted = run.state === 'underway' && !isCarriedOut
  return {
    runId: run.id,
    owner: run.owner,
    state: isInterrupted ? 'interrupted' : isPaused && isAnswered(body) ? 'approved' : run.state,
    lacks: null,
    background,
    startedAt,
    changedAt: run.changedAt,
    program: { text: settings.program.text, language: settings.program.language },
    calls: [...(body.answered ?? []), ...(question?.calls ?? [])].map((call) => ({
      ...askedCall(call),
      approval: call.approval ?? null,
    })),
    canAlsoCall: question?.canAlsoCall ?? [],
    expiresAt: isOpen ? question.askedAt + approvalMs : null,
    ending: ending ?? null,
  }
}
