// The guest's end of a shared-memory channel.
// Invariant: between `expect` and `awake` the host knows that the guest is away, and a wake-up in between ends the
// sleep.

import type { ArrivedReply, GuestChannel, Wanted } from './channel.js'
import {
  ANNOUNCED,
  AWAY_SINCE,
  AWAY_TOTAL,
  BACKLOG,
  BELL,
  copied,
  headerOf,
  inwardRing,
  LONGEST_IN_RING,
  longText,
  outwardRing,
  type Ring,
  STOP,
  WANTED,
  WANTS,
} from './channel-memory.js'
import type { Notice } from './host-end.js'
import type { Text } from './text.js'

/** How a guest waits. */
export interface Sleep {
  /** Returns when the bell has changed, or after `ms`. */
  until(header: Int32Array, bell: number, ms: number): Promise<void> | undefined
  /** The next separate block; undefined if it has not arrived yet. */
  takeLong(): SharedArrayBuffer | undefined
}

/** Room for one reply is enough to continue, but waking the host for each is not worth it. */
const ROOM_BYTES = 2 * LONGEST_IN_RING

export class SharedGuestChannel implements GuestChannel {
  readonly #post: (notice: Notice) => void
  readonly #sleep: Sleep
  readonly #header: Int32Array
  readonly #outward: Ring
  readonly #inward: Ring

  /** `post` sends a message to the host's end. */
  constructor(memory: SharedArrayBuffer, post: (notice: Notice) => void, sleep: Sleep) {
    this.#post = post
    this.#sleep = sleep
    this.#header = headerOf(memory)
    this.#outward = outwardRing(memory)
    this.#inward = inwardRing(memory)
  }

  stopRequested(): boolean {
    return Atomics.load(this.#header, STOP) !== 0
  }

  send(id: number, { bytes, wide }: Text, waits: boolean): boolean {
    const { length } = bytes
    const long = length > LONGEST_IN_RING
    if (!this.#outward.hasRoom(long ? 0 : length)) return false
    if (long) {
      const block = new SharedArrayBuffer(length)
      new Uint8Array(block).set(bytes)
      this.#post({ kind: 'long', bytes: block })
    }
    this.#outward.put({ id, mark: waits, wide, long, length }, long ? bytes.subarray(0, 0) : bytes)
    this.#announce()
    return true
  }

  print({ bytes, wide }: Text, continued: boolean): boolean {
    if (!this.#outward.hasRoom(bytes.length)) return false
    this.#outward.put({ id: 0, mark: continued, wide, long: false, length: bytes.length }, bytes)
    this.#announce()
    return true
  }

  take(): ArrivedReply | undefined {
    const head = this.#inward.peek()
    if (head === undefined) return undefined
    const block = head.long ? this.#sleep.takeLong() : undefined
    if (head.long && block === undefined) return undefined
    const text = this.#inward.take(head, (lent) => (head.long ? longText(head, block) : copied(lent)))
    const full = Atomics.load(this.#header, BACKLOG) !== 0 && this.#inward.hasRoom(ROOM_BYTES)
    if (full && Atomics.exchange(this.#header, BACKLOG, 0) !== 0) this.#announce()
    return { id: head.id, text }
  }

  expect(wanted: Wanted): number {
    const bell = Atomics.load(this.#header, BELL)
    Atomics.store(this.#header, WANTED, WANTS[wanted])
    // A host without data to take does not ring for room, so it is asked to check.
    if (wanted === 'room') this.#announce()
    return bell
  }

  sleep(ticket: number, ms: number): Promise<void> | undefined {
    return this.#sleep.until(this.#header, ticket, ms)
  }

  awake(): void {
    Atomics.store(this.#header, WANTED, 0)
  }

  away(totalMs: number, sinceMs: number | undefined): void {
    Atomics.store(this.#header, AWAY_TOTAL, Math.round(totalMs * 1000))
    Atomics.store(this.#header, AWAY_SINCE, sinceMs === undefined ? 0 : Math.round(sinceMs * 1000) + 1)
  }

  #announce(): void {
    if (Atomics.exchange(this.#header, ANNOUNCED, 1) === 0) this.#post({ kind: 'wake' })
  }
}
