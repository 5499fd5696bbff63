// The channel between a guest and its host during a run, as two interfaces: the guest's end in the worker, and the
// host's end on the event loop. Pool, limits, guests and runs depend on these interfaces only.
//
// Both ends share memory (`channel-memory.ts`) with a ring of frames in each direction: prints and calls go out,
// replies come in. `host-end.ts` and `guest-end.ts` implement the ends. Runtimes differ only in how a guest sleeps
// (`Sleep`).
//
// Invariant: texts arrive whole and in order, calls and prints in one order.

import type { Text } from './text.js'

/** The event that a sleeping guest waits for, besides being stopped: a reply, or room for its output. */
export type Wanted = 'reply' | 'room'

/** A reply, with the id of its call. */
export interface ArrivedReply {
  readonly id: number
  readonly text: Text
}

/** The guest's end. Lives as long as its guest and serves one run after the other. */
export interface GuestChannel {
  /** Passes a call to the host. False: there is no room now, and nothing was passed. */
  send(id: number, payload: Text, waits: boolean): boolean
  /** Passes a piece of output or a part of it (at most PRINT_CHUNK_BYTES) to the host. False: there is no room now. */
  print(chunk: Text, continued: boolean): boolean
  /** The next reply that has arrived. The caller owns the text. */
  take(): ArrivedReply | undefined
  /** True if the host wants the run to end. */
  stopRequested(): boolean
  /**
   * Called before the last check for the event, and then `sleep` with its result, so that no event is missed. It also
   * tells the host that the guest is away, and since when (milliseconds of the run).
   */
  expect(wanted: Wanted): number
  /** Sleeps until the event may have occurred, the host asks to stop, or `ms` have passed. */
  sleep(ticket: number, ms: number): Promise<void> | undefined
  /** Ends what `expect` began. */
  awake(): void
  /**
   * Reports to the host's watchdog the time in which the guest did not compute in this run, and the start of the
   * current pause, if there is one.
   */
  away(totalMs: number, sinceMs: number | undefined): void
}

/** The messages of the guest. The ids of calls and the texts are the guest's own. */
export type Arrival =
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'call'; readonly id: number; readonly payload: string; readonly waits: boolean }

/** The host's end. Never blocks and trusts nothing that it reads. */
export interface HostChannel {
  /** Makes the channel ready for the next run. */
  reset(): void
  /** The guest has been sent its run. `isAlone`: it may poll for the next one afterwards. */
  begun(isAlone: boolean): void
  /** True when the message about the end of the run is on its way. */
  readonly hasEnded: boolean
  /** `raw` is the message that announced data. Throws a ProtocolBreach if it is not a message of the protocol. */
  announced(raw: unknown): void
  /** True when there is something to take. */
  readonly hasArrived: boolean
  /** The messages since the last call, in order. Throws a ProtocolBreach. */
  take(): Arrival[]
  /**
   * True: the guest need not announce its messages, because the host polls. The caller must take once more after
   * setting it to false.
   */
  watch(isWatched: boolean): void
  /** True, while the host polls: it answers the next call at once, and the guest may poll for the reply. */
  repliesSoon(isSoon: boolean): void
  /** All unread output, also of a thread that has ended. Throws a ProtocolBreach. */
  takeRest(): string[]
  /** Passes the reply of a call to the guest. */
  reply(id: number, text: string): void
  /** The size of the replies that the guest's end has not taken. */
  backlogBytes(): number
  /** True if the guest has sent everything, has read everything, and sleeps until a reply arrives. */
  readonly isAsleep: boolean
  /** The reported time in which the guest did not compute, after `ranMs` of its run. */
  awayMs(ranMs: number): number
  /** Asks the run to end: a guest that sleeps is woken, a guest that computes is stopped at its next poll. */
  stop(): void
}

/** The longest part of an output that is passed at once. */
export const PRINT_CHUNK_BYTES = 16 * 1024

/** The other side violated the protocol. */
export class ProtocolBreach extends Error {}
