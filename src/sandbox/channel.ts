// What crosses between a guest and its host while a program runs, as two narrow interfaces: the guest's end, which runs where QuickJS runs, and
// the host's end, which runs on the event loop. Pool, limits, guests and runs are written against these and do not know what is behind.
//
// What is behind today is `blocking-channel.ts`: the guest's thread sleeps until the reply is there. An implementation by WebAssembly stack
// switching gives the thread back instead. It would have the same two ends; `GuestChannel.call` would be the import that suspends, and a
// worker would hold one guest and one channel for each waiting run.
//
// Invariant: one call of a guest is underway at a time; texts arrive whole and in the order in which they were sent.

import type { Text } from './text.js'

/** The guest's end. Lives as long as its guest and serves one run after the other. */
export interface GuestChannel {
  /**
   * Hands the host a call and returns its reply, or undefined when `untilMs` (on `performance.now()`) passed or the host asked to stop.
   * The returned view is valid until the next use of the channel.
   */
  call(id: number, payload: Text, untilMs: number): Text | undefined
  /** Hands the host a piece of output. Returns at once unless the host is far behind; `waiting` is then asked regularly and may throw. */
  print(text: Text, waiting: () => void): void
  /** True when the host wants the run to end. */
  stopRequested(): boolean
}

/** A call as it arrived: the id is the guest's own counting, the payload its own text. */
export interface ArrivedCall {
  readonly id: number
  readonly payload: string
}

/** The host's end. Never blocks and trusts nothing that it reads. */
export interface HostChannel {
  /** Makes the channel ready for the next run. */
  reset(): void
  /** What was printed since the last time, piece by piece. Also works when the guest's thread is gone. Throws a ProtocolBreach. */
  takePrinted(): string[]
  /** The beginning of a piece whose rest never came, after the last takePrinted. */
  takeUnfinished(): string[]
  /** `raw` is the message that announced something. The call that waits, if there is one that was not taken yet. Throws a ProtocolBreach. */
  takeCall(raw: unknown): ArrivedCall | undefined
  /** Answers the call that was taken last. */
  reply(text: string): void
  /** Asks the run to end: a guest that waits is woken, a guest that computes is stopped at its next poll. */
  stop(): void
}

/** The other side did what our own code never does. */
export class ProtocolBreach extends Error {}
