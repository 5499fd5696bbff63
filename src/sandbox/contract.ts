// What the sandbox promises to its callers, as types. Knows no language, no tool and no MCP: programs are JavaScript text, calls and
// outcomes are strings.

import type { LimitName, Limits } from './limits.js'

/**
 * What a guest is before any program runs in it: JavaScript text, evaluated once per guest as a script. When it is evaluated the global
 * object has two functions that it should take and delete: `hostCall(payload: string): string` asks the host and blocks until the
 * answer is there; `hostPrint(text: string): void` hands one piece of output to the host and does not wait.
 */
export interface GuestImage {
  /** Distinguishes images in pools: guests are never reused across images. */
  readonly name: string
  readonly source: string
}

/** A request of the guest that its program waits for. The payload is the guest's own text: hostile until parsed and checked. */
export interface GuestCall {
  /** Counts the calls of one run from 1. */
  readonly id: number
  readonly payload: string
}

export interface RunRequest {
  readonly image: GuestImage
  /** JavaScript text, evaluated as a script in a pristine guest. Its completion value must be a string: the run's payload. */
  readonly code: string
  /** What the run may use up; absent names take the sandbox's configured values. */
  readonly limits?: Partial<Limits>
  readonly signal?: AbortSignal
  /** Runs may not starve each other: waiting runs are served fairly between groups. */
  readonly group?: string
  /** Answers one guest call with a reply string. The signal aborts when the run has ended. A rejection ends the run as a fault. */
  readonly onCall: (call: GuestCall, signal: AbortSignal) => Promise<string> | string
  readonly onPrint?: (text: string) => void
}

/** How a run ended. */
export type RunEnd = { readonly stats: RunStats } & (
  | { readonly kind: 'completed'; readonly payload: string }
  /** The program threw: what JavaScript said, for the language room to translate. */
  | { readonly kind: 'threw'; readonly name: string; readonly message: string; readonly stack: string }
  | { readonly kind: 'limit'; readonly limit: LimitName; readonly allowed: number }
  | { readonly kind: 'cancelled' }
  /** More runs wait than may: nothing has run. */
  | { readonly kind: 'busy' }
  /** Our own failure: the worker died or broke the protocol. */
  | { readonly kind: 'fault'; readonly message: string }
)

export interface RunStats {
  /** From the request until the end, waiting for a worker included. Milliseconds. */
  readonly wallMs: number
  /** Waiting for a free worker. */
  readonly queueMs: number
  /** From the start of the program in the guest to its end, waiting for calls included. */
  readonly runMs: number
  /** The part of `runMs` that the guest was blocked in calls. */
  readonly callWaitMs: number
  /** The guest's memory in use at the end, in bytes. */
  readonly memoryBytes: number
}

export interface Sandbox {
  run(request: RunRequest): Promise<RunEnd>
  /** Starts workers for an image ahead of need. */
  warm(image: GuestImage, workers?: number): Promise<void>
  /** Ends every run and every worker; after it the process has nothing of ours alive. */
  close(): Promise<void>
}
