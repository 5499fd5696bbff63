// The events of a run, as plain data.
// Invariant: `run.started` is first and `run.finished` last, every `call.started` has a `call.finished`, and events
// hold sizes and digests of arguments and answers, never their contents.

import type { CallRecord } from '../bindings/index.js'
import type { RunError, RunStatistics } from './run-result.js'

export interface RunIdentity {
  readonly runId: string
  /** The id of the run or request that this run belongs to; null if there is none. */
  readonly parentId: string | null
}

interface OfCall extends RunIdentity {
  /** `run-3/1` is the first call of the third run; its parent is the run. */
  readonly callId: string
  /** The server's name in the configuration and the tool's at its server. */
  readonly server: string
  readonly tool: string
}

/**
 * An event of a run. It has only sizes and digests of arguments and answers, but the whole printed text.
 *
 * @example
 * import { CodeMode, type RunEvent } from 'starbind'
 *
 * const tell = (event: RunEvent) => {
 *   if (event.type === 'print') console.log(event.text)
 *   if (event.type === 'run.finished') console.log(event.ok, event.stats.wallMs)
 * }
 * await using codeMode = await CodeMode.open()
 * await codeMode.run('print("hello")', { onEvent: tell })
 */
export type RunEvent =
  | (RunIdentity & { readonly type: 'run.started'; readonly language: string })
  | (OfCall & { readonly type: 'call.started'; readonly argumentDigest: string })
  | (OfCall & { readonly type: 'call.finished'; readonly record: CallRecord })
  | (RunIdentity & { readonly type: 'print'; readonly text: string })
  | (RunIdentity & {
      readonly type: 'run.finished'
      readonly ok: boolean
      readonly error: RunError | null
      readonly stats: RunStatistics
    })

/**
 * Receives each event. Its exceptions are ignored: a listener can't break a run.
 *
 * @example
 * import { CodeMode, type RunListener } from 'starbind'
 *
 * const onEvent: RunListener = (event) => {
 *   if (event.type === 'call.finished') console.error(event.record.server, event.record.tool, event.record.ms)
 * }
 * await using codeMode = await CodeMode.open()
 * await codeMode.run('print("hello")', { onEvent })
 */
export type RunListener = (event: RunEvent) => void

export function guarded(listener: RunListener | undefined): RunListener {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // Its own concern.
    }
  }
}
