// Messages between the host and a worker thread, and the validation of those from the worker, which the host does not
// trust. During a run, data crosses through the channel of the run's seat instead.

import type { GuestImage, Lookups } from './contract.js'
import type { GuestEnd, GuestStats, ImageState } from './guest.js'
import { type LimitName, type Limits, limitNames } from './limits.js'
import { readLookups } from './lookups.js'

/** The start data of a worker thread. */
export interface WorkerSettings {
  readonly maxMemoryBytes: number
  /** Guests are suspended while they wait, if the test of the runtime succeeds. */
  readonly suspends: boolean
  readonly turnMemory: SharedArrayBuffer
}

export type HostMessage =
  | { readonly kind: 'engine'; readonly compiled: WebAssembly.Module }
  /** Prepare guests of the image, with this state or after building it. */
  | ({ readonly kind: 'become'; readonly image: number; readonly lookUp: string | undefined } & (
      | { readonly state: ImageState; readonly source?: undefined }
      | { readonly source: GuestImage; readonly state?: undefined }
    ))
  | { readonly kind: 'seat'; readonly seat: number; readonly channelMemory: SharedArrayBuffer }
  /** Run the code for nobody, until the number in `stop` is 1. */
  | ({ readonly kind: 'practise'; readonly image: number; readonly stop: Int32Array } & Practice)
  /** The seats are no more; another owner makes new ones. */
  | { readonly kind: 'leave' }
  | ({ readonly kind: 'run'; readonly seat: number; readonly run: number; readonly image: number } & RunStart)
  /** A reply too long for the channel's ring. */
  | { readonly kind: 'long'; readonly seat: number; readonly bytes: SharedArrayBuffer }
  /** Wake the guest of this seat. */
  | number

/** Code to run for nobody. */
export interface Practice {
  readonly code: string
  readonly limits: Limits
}

export interface RunStart {
  readonly code: string
  readonly limits: Limits
  /** The start of the run; see `sharedMs`. */
  readonly atMs: number
  readonly lookups: Lookups | undefined
}

/** A clock that all threads of a process share. */
export function sharedMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

export type WorkerMessage =
  /**
   * `problem` is the reason why guests can't be suspended. `thread` is the system's number of the worker, where it
   * serves one run at a time.
   */
  | {
      readonly kind: 'ready'
      readonly suspends: boolean
      readonly problem: string | undefined
      readonly thread: number | undefined
    }
  | { readonly kind: 'became'; readonly image: number; readonly state?: ImageState }
  | {
      readonly kind: 'ended'
      readonly seat: number
      readonly run: number
      readonly end: GuestEnd
      readonly stats: GuestStats
      readonly lookups?: Lookups | undefined
      /** The seat can be lent again at once; otherwise `idle` follows. */
      readonly isFree: boolean
    }
  | { readonly kind: 'idle'; readonly seat: number; readonly run: number; readonly grew: boolean }
  | { readonly kind: 'failed'; readonly message: string }
  /** A message for the host's end of a seat's channel. */
  | { readonly kind: 'notice'; readonly seat: number; readonly notice: unknown }

/**
 * Reads a message of a worker, or returns undefined when it is none of ours. Everything in the result has been checked.
 */
export function readWorkerMessage(raw: unknown): WorkerMessage | undefined {
  if (isCount(raw)) return { kind: 'notice', seat: raw, notice: { kind: 'wake' } }
  if (!isRecord(raw)) return undefined
  switch (raw.kind) {
    case 'ready': {
      const { suspends, problem, thread } = raw
      if (typeof suspends !== 'boolean' || (problem !== undefined && typeof problem !== 'string')) return undefined
      if (thread !== undefined && !isCount(thread)) return undefined
      return { kind: 'ready', suspends, problem, thread }
    }
    case 'became': {
      if (!isCount(raw.image)) return undefined
      if (raw.state === undefined) return { kind: 'became', image: raw.image }
      const state = readState(raw.state)
      return state && { kind: 'became', image: raw.image, state }
    }
    case 'ended': {
      const end = readEnd(raw.end)
      const stats = readStats(raw.stats)
      const lookups = readLookups(raw.lookups)
      if (!end || !stats || !isCount(raw.run) || !isCount(raw.seat) || typeof raw.isFree !== 'boolean') return undefined
      if (raw.lookups !== undefined && lookups === undefined) return undefined
      return { kind: 'ended', seat: raw.seat, run: raw.run, end, stats, lookups, isFree: raw.isFree }
    }
    case 'idle':
      return isCount(raw.seat) && isCount(raw.run) && typeof raw.grew === 'boolean'
        ? { kind: 'idle', seat: raw.seat, run: raw.run, grew: raw.grew }
        : undefined
    case 'long':
      return isCount(raw.seat)
        ? { kind: 'notice', seat: raw.seat, notice: { kind: 'long', bytes: raw.bytes } }
        : undefined
    case 'failed':
      return typeof raw.message === 'string' ? { kind: 'failed', message: raw.message } : undefined
    default:
      return undefined
  }
}

function readEnd(raw: unknown): GuestEnd | undefined {
  if (!isRecord(raw)) return undefined
  const { kind, payload, name, message, stack, reason } = raw
  switch (kind) {
    case 'completed':
      return typeof payload === 'string' ? { kind, payload } : undefined
    case 'threw':
      return typeof name === 'string' && typeof message === 'string' && typeof stack === 'string'
        ? { kind, name, message, stack }
        : undefined
    case 'stopped':
      if (reason !== 'outside' && !limitNames.includes(reason as LimitName)) return undefined
      if (stack !== undefined && typeof stack !== 'string') return undefined
      return { kind, reason: reason as LimitName | 'outside', ...(stack === undefined ? {} : { stack }) }
    case 'broken':
      return typeof message === 'string' ? { kind, message } : undefined
    default:
      return undefined
  }
}

function readStats(raw: unknown): GuestStats | undefined {
  if (!isRecord(raw)) return undefined
  const { runMs, callWaitMs, memoryBytes } = raw
  return isAmount(runMs) && isAmount(callWaitMs) && isAmount(memoryBytes)
    ? { runMs, callWaitMs, memoryBytes }
    : undefined
}

/** Reads the state of an image; everything in the result has been checked for its form. */
export function readState(raw: unknown): ImageState | undefined {
  if (!isRecord(raw) || !isRecord(raw.snapshot)) return undefined
  const { runtime, context, flatten, describe } = raw
  const { bytes, stretches, staticsEnd, stackTop, heapEnd, breakAddress, breakAt } = raw.snapshot
  if (!isCount(runtime) || !isCount(context) || !isCount(flatten) || !isCount(describe)) return undefined
  if (!(bytes instanceof SharedArrayBuffer) || !isCount(staticsEnd) || !isCount(stackTop) || !isCount(heapEnd))
    return undefined
  if (!isCount(breakAddress) || !isCount(breakAt) || !areStretches(stretches, bytes.byteLength)) return undefined
  const snapshot = { bytes, stretches, staticsEnd, stackTop, heapEnd, breakAddress, breakAt }
  return { snapshot, runtime, context, flatten, describe }
}

function areStretches(raw: unknown, bytes: number): raw is readonly (readonly [number, number])[] {
  if (!Array.isArray(raw)) return false
  let size = 0
  for (const stretch of raw as unknown[]) {
    if (!Array.isArray(stretch) || !isCount(stretch[0]) || !isCount(stretch[1])) return false
    size += stretch[1]
  }
  return size === bytes
}

function isRecord(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null
}

function isCount(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0
}

function isAmount(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isFinite(raw) && raw >= 0
}
