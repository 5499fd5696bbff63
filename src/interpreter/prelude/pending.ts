// Reads that the program has run ahead of: calls that were handed to the host and whose replies nobody has looked at yet. Knows replies and their
// order; what in a program waits for them, ahead.ts and generated code say.
//
// A Pending stands for the value of such a read. It may be in variables, and in elements of containers that are noted as its homes; nothing
// else of the prelude ever sees one. A read whose failure the program could catch is not run ahead of (but see Group), so a failure here ends the
// program as if it had happened at the call: everything after the call is void. Whoever meets the failure throws it on, no handler of the
// program catches it, and at the end of the program it is looked for once more.
//
// Invariant: `waiting` holds every read that was sent and not received, in the order of the program; after a failure nothing is sent or received.

import { FatalError, GuestError } from './errors.js'
import { hostReceive, hostSend } from './host.js'
import type { Value } from './values.js'

export class Pending {
  readonly $id: number
  /** Where the program made the call. */
  readonly $stack: string
  /** Undefined until the reply has been looked at. */
  $value: Value | undefined
  constructor(id: number, stack: string) {
    this.$id = id
    this.$stack = stack
    this.$value = undefined
  }
}

/** A failure of the program that its handlers may not catch, because it happened before they were set up. */
export class Earlier {
  readonly failure: GuestError | FatalError
  constructor(failure: GuestError | FatalError) {
    this.failure = failure
  }
}

let receive: (reply: string) => Value = () => {
  throw new Error('nothing can be received yet')
}

/** How a reply is read: foreign.ts says. */
export function receiveBy(f: typeof receive): void {
  receive = f
}

const waiting = new Map<number, Pending>()
let earlier: Earlier | undefined
let groups = 0
let group: Pending[] | undefined

/** True once the program may hold a Pending. */
export let used = false

/** The stacks of the calls outside of functions: a place has always the same. */
const topStacks = new Map<string, string>()

function topStack(place: string): string {
  let stack = topStacks.get(place)
  if (stack === undefined) {
    stack = new Error().stack ?? ''
    topStacks.set(place, stack)
  }
  return stack
}

/** Hands a read to the host and goes on. `atTop`: the call stands outside of all functions. */
export function runAhead(call: string, place: string, atTop: boolean): Pending {
  if (earlier !== undefined) throw earlier
  used = true
  const pending = new Pending(
    hostSend(`+${group === undefined ? 0 : groups}:${place} ${call}`),
    atTop ? topStack(place) : (new Error().stack ?? ''),
  )
  if (group === undefined) waiting.set(pending.$id, pending)
  else group.push(pending)
  return pending
}

/** The value of a read, once it is there. */
export function answerOf(pending: Pending): Value {
  if (pending.$value === undefined) {
    if (earlier !== undefined) throw earlier
    if (!waiting.has(pending.$id)) settleSoFar()
    else {
      waiting.delete(pending.$id)
      const failure = received(pending)
      if (failure !== undefined) fail(pending, failure)
    }
  }
  return pending.$value!
}

/** Waits for every read that was sent. To be called before anything that can be seen outside happens. */
export function settleAll(): void {
  if (earlier !== undefined) throw earlier
  for (const [id, pending] of waiting) {
    waiting.delete(id)
    const failure = received(pending)
    if (failure !== undefined) fail(pending, failure)
  }
}

/** Does nothing while the program goes on. */
export function unlessOver(): void {
  if (earlier !== undefined) throw earlier
}

/** What the end of the program means: the failure of a read before it comes first. */
export function earliest(failure: unknown): unknown {
  try {
    settleAll()
  } catch (e) {
    return e instanceof Earlier ? e.failure : e
  }
  return failure
}

/** Takes the reply; returns the failure that it is. */
function received(pending: Pending): GuestError | FatalError | undefined {
  const reply = hostReceive(pending.$id)
  try {
    pending.$value = receive(reply)
    return undefined
  } catch (e) {
    if (!(e instanceof GuestError || e instanceof FatalError)) throw e
    ;(e as { stack: string }).stack = pending.$stack
    return e
  }
}

/** Of all reads before the one that failed, the first that failed, too, is the one that the program would have met. */
function fail(pending: Pending, failure: GuestError | FatalError): never {
  let first = failure
  for (const [id, before] of waiting) {
    if (id > pending.$id) break
    const other = received(before)
    if (other === undefined) continue
    first = other
    break
  }
  waiting.clear()
  earlier = new Earlier(first)
  throw earlier
}

// ---- groups ----------------------------------------------------------------------------------------------------

// Where the program could catch a failure, reads are run ahead of only within one expression that does nothing but read: a comprehension. It is a
// group, settled where the expression ends, and its first failure is raised there like any other.

/** Begins a group. The expression must end in `settleGroup`, also when it fails. */
export function beginGroup(): void {
  groups++
  group = []
}

/** Waits for the reads of the group, in order, and raises the first failure. */
export function settleGroup(): void {
  settleSoFar()
  group = undefined
}

function settleSoFar(): void {
  const all = group ?? []
  if (group !== undefined) group = []
  for (const pending of all) {
    const failure = received(pending)
    if (failure === undefined) continue
    group = undefined
    throw failure
  }
}
