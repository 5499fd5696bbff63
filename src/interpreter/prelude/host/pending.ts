// Reads that the program has run ahead of: calls that were sent to the host and whose replies have not been used yet.
// Knows replies and their order. foreign/ahead.ts and generated code decide when to wait for them.
//
// A Pending stands for the value of such a read. It may be in variables, and in elements of containers whose places are
// recorded as its homes. Nothing else of the prelude ever meets one. When such a read has failed, everything after its
// call is void: every use of the value raises the failure, no handler of the program catches it, and the failure is
// checked again at the end of the program.
//
// If nothing could have caught the failure, it ends the program. Otherwise the host runs the program once more, with
// the recorded replies and a number of calls to wait for, so that failures are raised in their places. The effects of a
// void part of a program are invisible outside, because every visible effect waits for all earlier reads.
//
// Invariant: `waiting` holds every read that was sent and not received, in the order of the program. After a failure
// nothing is sent or received.

import { FatalError, GuestError } from '../values/errors.js'
import type { Value } from '../values/values.js'
import { receive } from './replies.js'
import { callsMade, hostReceive, hostSend, isRepeatable } from './sandbox-functions.js'

export class Pending {
  readonly $id: number
  /** The stack of the call, which has its place in the program. */
  readonly $stack: string
  // Most reads lack some of these, and each field of an object takes time.
  /** True if a handler of the program could observe its failure. */
  declare $guarded?: true
  /** Absent until the reply has been received. */
  declare $value?: Value
  /** Applies the program's use of the answer, if that is known. */
  declare $as?: (answer: Value) => Value
  constructor(id: number, stack: string) {
    this.$id = id
    this.$stack = stack
  }
}

/** A failure that the program's handlers may not catch, because its call was made before they were active. */
class Earlier {
  readonly failure: GuestError | FatalError
  constructor(failure: GuestError | FatalError) {
    this.failure = failure
  }
}

const waiting = new Map<number, Pending>()
let earlier: Earlier | undefined
/** The number of guarded reads among the waiting ones. */
let guarded = 0

/** True once the program may hold a Pending. */
export let used = false

/** The maximum number of guarded reads ahead, because calls after a failed one are wasted. */
const MOST_GUARDED = 64

/** Sends a read to the host and continues. `inGuard`: a handler could observe its failure. */
export function runAhead(call: string, stack: string, inGuard: boolean): Pending {
  if (inGuard && guarded >= MOST_GUARDED) settleOldest()
  beforeRead()
  used = true
  const id = hostSend((inGuard ? '?' : '+') + call)
  const pending = new Pending(id, stack)
  if (inGuard) {
    guarded++
    pending.$guarded = true
  }
  waiting.set(id, pending)
  return pending
}

/** Waits for the value of a read. */
export function answerOf(pending: Pending): Value {
  if (pending.$value === undefined) {
    if (earlier !== undefined) throw earlier
    settle(pending)
  }
  return pending.$value!
}

function settle(pending: Pending): void {
  const failure = received(pending)
  if (failure !== undefined) fail(pending, failure)
}

/** Waits for the oldest guarded read. */
function settleOldest(): void {
  for (const pending of waiting.values()) {
    settle(pending)
    if (pending.$guarded) return
  }
}

/** Waits for every read that was sent. Called before any visible effect. */
export function settleAll(): void {
  if (earlier !== undefined) throw earlier
  if (waiting.size > 0) for (const pending of waiting.values()) settle(pending)
}

/** Called before a call that only reads. It may be sent beside earlier reads if the program could run once more. */
export function beforeRead(): void {
  if (guarded > 0 && !isRepeatable()) settleAll()
  else if (earlier !== undefined) throw earlier
}

/** The failure at the end of the program. That of an earlier read comes first. */
export function earliest(failure: unknown): unknown {
  try {
    settleAll()
  } catch (e) {
    return e instanceof Earlier ? e.failure : e
  }
  return failure
}

/** Receives the reply. Returns its failure, if it is one. */
function received(pending: Pending): GuestError | FatalError | undefined {
  waiting.delete(pending.$id)
  if (pending.$guarded) guarded--
  const reply = hostReceive(pending.$id)
  try {
    const answer = receive(reply)
    pending.$value = pending.$as === undefined ? answer : pending.$as(answer)
    return undefined
  } catch (e) {
    if (!(e instanceof GuestError || e instanceof FatalError)) throw e
    ;(e as { stack: string }).stack = pending.$stack
    return e
  }
}

/**
 * Ends the program. Among the reads before the failed one, the first that also failed is the one that the program would
 * have met. If the program will run once more, it needs the other replies too, so they are awaited.
 */
function fail(pending: Pending, failure: GuestError | FatalError): never {
  let first = failure
  let isGuarded = pending.$guarded
  for (const [id, other] of waiting) {
    const isBefore = id < pending.$id
    if (!isBefore && !isGuarded) break
    const failed = received(other)
    if (failed === undefined || !isBefore || first !== failure) continue
    first = failed
    isGuarded = other.$guarded
  }
  waiting.clear()
  earlier = new Earlier(first)
  throw earlier
}

// ---- reads that are waited for ---------------------------------------------------------------------------------

let callsWaitedFor = 0

/**
 * Called for a second run of the program. Guarded reads among its first `calls` calls are then awaited, because their
 * answers are known or they could fail again.
 */
export function waitFor(calls: number): void {
  callsWaitedFor = calls
}

/** True if a new guarded read must be awaited. This is always so when the program could not run once more. */
export function isWaitedFor(): boolean {
  return callsMade() < callsWaitedFor || !isRepeatable()
}
