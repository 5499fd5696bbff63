// The sandbox's interface to its callers. Programs are JavaScript text; calls and outcomes are strings.

import type { LimitName, Limits } from './limits.js'

/**
 * The state of a guest before any program runs in it: JavaScript text, evaluated once per image as a script under the
 * name `prelude.js`. During the evaluation the global object has eight functions, which the script should take and
 * delete:
 *
 * - `hostCall(payload: string): string` asks the host and blocks until the answer arrives;
 * - `hostPrint(text: string): void` hands one piece of output to the host and does not wait;
 * - `hostSend(payload: string): void` hands the host a call and does not wait for its reply, only for room: see the
 *   limit `callsInFlight`;
 * - `hostReceive(id: number): string` blocks until the reply of that call arrives and returns it;
 * - `hostReceiveLines(id: number): string | undefined` does so and also returns the replies of the calls after it that
 *   have arrived, each of them a line; undefined, at once or after waiting, if there is no such call, or if its reply is
 *   long or contains a line feed or a character beyond Latin-1, so that only `hostReceive` returns it;
 * - `hostReceiveAny(): string` blocks until the reply of any unreceived call arrives, and returns
 *   `"<id> <reply>"`, in the order in which replies came;
 * - `hostLookUp(question: string): string` returns the answer of the image's `lookUp`, at once and in the guest's own
 *   thread. It counts as computing and not as a call;
 * - `hostRewrite(order: string): string | undefined` returns what the image's `rewrite` makes of a text, likewise. It is
 *   absent in an image without `lookUp`.
 *
 * The calls of a run, by `hostCall` and by `hostSend`, count from 1 in the order in which they are made. Receiving a
 * reply of no call, or twice, throws an error in the guest. Replies that arrive early wait on the guest's side and
 * count as its memory.
 *
 * These are already absent: clock, randomness, code from text (`eval`, `Function` and its kin, also through
 * constructors), modules, timers, shared memory, weak references and finalisers, functions that depend on a locale
 * (`toLocale…`, `localeCompare`). An image may define its own deterministic versions.
 */
export interface GuestImage {
  /** For messages. Two images are the same if name, source, `date` and `lookUp` are equal. */
  readonly name: string
  readonly source: string
  /**
   * Gives the guest a `Date` without a clock: it parses, formats and computes with explicit values, in UTC. Default
   * false: no `Date`.
   */
  readonly date?: boolean
  /**
   * The URL of a host module whose export `lookUp(question: string): string` answers from the host's tables. It runs in
   * the worker thread on the guest's texts: it must treat them as hostile, bound its work and its memory, never throw,
   * and always give the same answer. Its export `rewrite(order: string): string | undefined` does what the guest's engine would do
   * slowly, under the same rules and in time linear in the text's length. Its answer follows from the order alone, so
   * it is not recorded. Default: the guest has neither.
   */
  readonly lookUp?: string
  /** The evaluated image is stored for later processes. Default false. */
  readonly kept?: boolean
  /**
   * `digestOf` the image, if it is known. It spares reading the source and the engine to find the stored image.
   * Default: it is computed.
   */
  readonly digest?: string | undefined
}

/** A request of the guest. The payload is the guest's own text: hostile until parsed and checked. */
export interface GuestCall {
  /** Counts the calls of one run from 1. */
  readonly id: number
  readonly payload: string
  /** True: the guest waits for the reply. False: it continues and receives the reply later, or never. */
  readonly waits: boolean
}

export interface RunRequest {
  readonly image: GuestImage
  /**
   * JavaScript text, evaluated as a script under the name `program.js` in a pristine guest. Its completion value must
   * be a string, or a promise of one: the run's payload. Or a function: then it is called once the pending jobs have
   * run, again and again with pending jobs in between while it returns undefined, until it returns the payload.
   */
  readonly code: string
  /**
   * The size of the program that `code` was compiled from, for the limit `sourceBytes`; the size of `code` when absent.
   */
  readonly sourceBytes?: number
  /**
   * The limits of the run; absent ones default to the sandbox's configured values. Wrong values reject with a
   * DiagnosticError.
   */
  readonly limits?: Partial<Limits>
  readonly signal?: AbortSignal
  /** The recorded lookups of an earlier run. The run gets the same answers. */
  readonly lookups?: Lookups
  /** Runs may not starve each other: waiting runs are served in turn between groups, in order within one. */
  readonly group?: string
  /**
   * Answers one guest call with a reply string. Called for further calls while earlier ones are unanswered, up to the
   * limit `callsInFlight`. The signal aborts when the run has ended, whether or not the reply was received. A rejection
   * ends the run as a fault. `asleep` resolves when the guest can do nothing until it has a reply, or its run has
   * ended; absent if that is unknown.
   */
  readonly onCall: (call: GuestCall, signal: AbortSignal, asleep?: () => Promise<void>) => Promise<string> | string
  /** Receives the output piece by piece, soon after the guest printed it and all of it before the run's end. */
  readonly onPrint?: (text: string) => void
}

/** The lookups of a run, by question; the first `LOOKUP_CHARACTERS` of them. The rest is not recorded. */
export type Lookups = Readonly<Record<string, string>>

/** How a run ended, with its figures. */
export type RunEnd<Stats = RunStats> = { readonly stats: Stats; readonly lookups?: Lookups } & (
  | { readonly kind: 'completed'; readonly payload: string }
  /**
   * The program threw: JavaScript's message, for the language room to translate. `stack` is QuickJS's text,
   * `file:line:column` in each line.
   */
  | { readonly kind: 'threw'; readonly name: string; readonly message: string; readonly stack: string }
  /** `stack`: the program's place when its time was over, in QuickJS's text, if it could be determined. */
  | { readonly kind: 'limit'; readonly limit: LimitName; readonly allowed: number; readonly stack?: string }
  | { readonly kind: 'cancelled' }
  /** The queue is full, and the program did not run. */
  | { readonly kind: 'busy' }
  /** The process of the run has ended. */
  | { readonly kind: 'lost' }
  /** Our own failure: the worker died or broke the protocol, or `onCall` rejected. */
  | { readonly kind: 'fault'; readonly message: string }
)

export interface RunStats {
  /** From the request until the end, waiting for a worker included. Milliseconds. */
  readonly wallMs: number
  /** Waiting for a free worker. */
  readonly queueMs: number
  /** From the start of the program in the guest to its end, waiting for calls included. */
  readonly runMs: number
  /** The part of `runMs` in which the guest waited in `hostCall`, `hostReceive` and the like. */
  readonly callWaitMs: number
  /** The peak of the memory added to the pristine guest, in steps of 64 KiB. */
  readonly memoryBytes: number
}

export interface SandboxOptions {
  /** The limits of runs that request none. */
  readonly limits?: Partial<Limits>
  /** The maximum that a run may request; lowers the built-in ceilings. */
  readonly ceilings?: Partial<Limits>
  /**
   * The most worker threads at once. Default: the number of processors where guests are suspended while they wait, else
   * 16.
   */
  readonly maxWorkers?: number
  /** The most runs of one worker at once, where guests are suspended. Elsewhere a worker has one. Default 256. */
  readonly runsPerWorker?: number
  /** `blocking`: a run holds its worker while it waits, also where the runtime could suspend it. Default `auto`. */
  readonly channel?: 'auto' | 'blocking'
  /** Idle workers to keep ready beyond those at work, while runs overlap. Default 1. */
  readonly spareWorkers?: number
  /** The most runs that wait for a worker. Default 256. */
  readonly maxWaiting?: number
  /** `close` hands idle workers on, for the next such sandbox of this process. Default false. */
  readonly handsOn?: boolean
}

export interface Sandbox {
  /** True from the moment that `close` is called. */
  readonly isClosed: boolean
  run(request: RunRequest): Promise<RunEnd>
  /** Starts workers for an image ahead of need and resolves when they are ready. Default 1. */
  warm(image: GuestImage, workers?: number): Promise<void>
  /**
   * Runs code for nobody in warm workers that have run nothing, until a run comes, so that the engine's code is compiled
   * then. Code that calls the host ends there.
   */
  practise(image: GuestImage, code: string): void
  /** Ends every run, and every worker that is not handed on. Runs after it end as faults. */
  close(): Promise<void>
}
