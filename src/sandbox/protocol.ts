// The messages between the host and a worker thread, and the reading of those that come from the worker, which the host does not trust.
// What crosses while a program runs goes through the channel instead.

import type { GuestImage } from './contract.js'
import type { GuestEnd, GuestStats, ImageState } from './guest.js'
import { type LimitName, type Limits, limitNames } from './limits.js'

/** What a worker thread is started with. */
export interface WorkerSettings {
  readonly channelMemory: SharedArrayBuffer
  readonly maxMemoryBytes: number
}

export type HostMessage =
  | { readonly kind: 'engine'; readonly compiled: WebAssembly.Module }
  /** Become a guest of the image with this state, or build the image first. */
  | { readonly kind: 'become'; readonly state: ImageState; readonly image?: undefined }
  | { readonly kind: 'become'; readonly image: GuestImage; readonly state?: undefined }
  | { readonly kind: 'run'; readonly run: number; readonly code: string; readonly limits: Limits }
  /** A reply too long for the channel's exchange; the guest's end takes it. */
  | { readonly kind: 'long'; readonly bytes: SharedArrayBuffer }

export type WorkerMessage =
  | { readonly kind: 'became'; readonly state?: ImageState }
  | { readonly kind: 'ended'; readonly run: number; readonly end: GuestEnd; readonly stats: GuestStats }
  | { readonly kind: 'idle'; readonly run: number; readonly grew: boolean }
  | { readonly kind: 'failed'; readonly message: string }

/** Reads a message of a worker, or returns undefined when it is none of ours. Everything in the result has been checked. */
export function readWorkerMessage(raw: unknown): WorkerMessage | undefined {
  if (!isRecord(raw)) return undefined
  switch (raw.kind) {
    case 'became': {
      if (raw.state === undefined) return { kind: 'became' }
      const state = readState(raw.state)
      return state && { kind: 'became', state }
    }
    case 'ended': {
      const end = readEnd(raw.end)
      const stats = readStats(raw.stats)
      return end && stats && isCount(raw.run) ? { kind: 'ended', run: raw.run, end, stats } : undefined
    }
    case 'idle':
      return isCount(raw.run) && typeof raw.grew === 'boolean'
        ? { kind: 'idle', run: raw.run, grew: raw.grew }
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
      return reason === 'outside' || limitNames.includes(reason as LimitName)
        ? { kind, reason: reason as LimitName | 'outside' }
        : undefined
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
