// The events of a run, as plain data.
// Invariant: `run.started` is first and `run.finished` last, every `call.started` has a `call.finished`, and events
// hold sizes and digests of arguments and answers, never their contents.

import type { CallRecord, ToolProgress } from '../bindings/index.js'
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

/** An event without its number and time. */
type Happening =
  | (RunIdentity & { readonly type: 'run.started'; readonly language: string })
  | (OfCall & { readonly type: 'call.started'; readonly argumentDigest: string })
  | (OfCall & ToolProgress & { readonly type: 'call.progress' })
  | (OfCall & { readonly type: 'call.finished'; readonly record: CallRecord })
  | (RunIdentity & { readonly type: 'print'; readonly text: string })
  | (RunIdentity & {
      readonly type: 'run.finished'
      readonly ok: boolean
      readonly error: RunError | null
      readonly stats: RunStatistics
    })

/**
 * An event of a run. It has only sizes and digests of arguments and answers, but all printed text and the progress
 * messages of servers.
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
export type RunEvent = Happening & {
  /** When it happened, in milliseconds since 1970. */
  readonly time: number
  /** Its place among the events of the run, from 1. */
  readonly sequence: number
}

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

/** What watchers learn of a call that has begun; no event. */
interface CallPlaced {
  readonly type: 'call.placed'
  readonly callId: string
  /** The program may have run ahead of it. */
  readonly ahead: boolean
  /** In the program; null: unknown. */
  readonly line: number | null
}

/** Reports an event of a run, or the place of a call. */
export type RunTeller = (happening: Happening | CallPlaced) => void

/** Numbers the events of one run, and protects the run from exceptions of the listener. */
export function telling(listener: RunListener | undefined): RunTeller {
  if (listener === undefined) return () => {}
  let sequence = 0
  return (happening) => {
    if (happening.type === 'call.placed') return
    try {
      listener({ ...happening, time: Date.now(), sequence: ++sequence })
    } catch {
      // A listener's exceptions do not concern the run.
    }
  }
}

/** `40 of 120`, with the server's message. */
export function progressText({ progress, total, message }: ToolProgress): string {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`
  return message === undefined ? count : `${count}, ${message}`
}
