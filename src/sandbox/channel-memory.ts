// The memory that the two ends of a channel share:
//
//   header (16 words) | outward ring: calls and output | inward ring: replies
//
// A ring holds frames of two words and a text, padded to whole words: length and flags, then the id of a call (zero for
// output). A text that is too long for a ring is sent by message as a separate block; its frame keeps its place in the
// order. The outward ring stays readable when the guest's thread was terminated, so nothing that was printed before a
// kill is lost.
//
// Invariant: one end alone moves WRITTEN of a ring and the other alone moves TAKEN. A reader copies every word that it
// uses once and checks the copy: a writer that writes at the wrong time can only send wrong data or be detected.

import { ProtocolBreach } from './channel.js'
import type { Text } from './text.js'

const HEADER_BYTES = 64
const RING_BYTES = 128 * 1024
const FRAME_BYTES = 8
/** Longer texts get a separate block. */
export const LONGEST_IN_RING = RING_BYTES / 4

/** The host wants the run to end. */
export const STOP = 0
/** Counts up whenever a sleeping guest may have reason to wake. */
export const BELL = 1
/** The reason for the guest's sleep: one of the WANTS, or zero. */
export const WANTED = 2
/** The host was notified of unread data. */
export const ANNOUNCED = 3
/** The host has replies for which there was no room. */
export const BACKLOG = 4
/**
 * The time that the guest did not compute, and the start of the current pause (plus one; zero while it computes);
 * microseconds of the run.
 */
export const AWAY_TOTAL = 5
export const AWAY_SINCE = 6
/** The guest was suspended and must be woken by a message. */
export const SUSPENDED = 7
/** The host polls for the next call of this guest, and answered the last one faster than a sleep would take. */
export const REPLIES_SOON = 12
/** The guest has a run: one of the RUNS, or zero. */
export const RUN = 13
/** The message about the end of the run is on its way. */
export const ENDED = 14
const OUTWARD = 8
const INWARD = 10

export const WANTS = { reply: 1, room: 2 } as const
export const RUNS = { alone: 1, beside: 2 } as const

/** Flag: the text is UTF-16. */
const WIDE = 0x4000_0000
/** Flag. Output: more of the same piece follows. Call: the guest waits for the reply. */
const MARK = 0x2000_0000
/** Flag: the text is in a separate block. */
const LONG = 0x1000_0000
const LENGTH_MASK = 0x0fff_ffff

export interface FrameHead {
  readonly id: number
  readonly mark: boolean
  readonly wide: boolean
  readonly long: boolean
  /** The size of the text in bytes. */
  readonly length: number
}

export function newChannelMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + 2 * RING_BYTES)
}

export function headerOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, 0, HEADER_BYTES / 4)
}

export function outwardRing(memory: SharedArrayBuffer): Ring {
  return new Ring(memory, HEADER_BYTES, OUTWARD)
}

export function inwardRing(memory: SharedArrayBuffer): Ring {
  return new Ring(memory, HEADER_BYTES + RING_BYTES, INWARD)
}

/**
 * One direction, as both its writer and its reader use it. Positions count up without end (modulo 2^32) in whole words.
 */
export class Ring {
  readonly #header: Int32Array
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #writtenAt: number
  readonly #takenAt: number

  constructor(memory: SharedArrayBuffer, start: number, positions: number) {
    this.#header = headerOf(memory)
    this.#words = new Int32Array(memory, start, RING_BYTES / 4)
    this.#bytes = new Uint8Array(memory, start, RING_BYTES)
    this.#writtenAt = positions
    this.#takenAt = positions + 1
  }

  /** The writer's position. */
  get written(): number {
    return Atomics.load(this.#header, this.#writtenAt)
  }

  /** The reader's position. */
  get taken(): number {
    return Atomics.load(this.#header, this.#takenAt)
  }

  /** True when a text of this length can be written now. */
  hasRoom(length: number): boolean {
    return ((this.written - this.taken) | 0) + FRAME_BYTES + padded(length) <= RING_BYTES
  }

  /** Writes a frame, which must fit. `text` is empty if the text is in a separate block. */
  put({ id, mark, wide, long, length }: FrameHead, text: Uint8Array): void {
    const at = this.written
    this.#word(at, length | (wide ? WIDE : 0) | (mark ? MARK : 0) | (long ? LONG : 0))
    this.#word(at + 4, id)
    const from = (at + FRAME_BYTES) & (RING_BYTES - 1)
    const first = Math.min(text.length, RING_BYTES - from)
    if (first === text.length) this.#bytes.set(text, from)
    else {
      this.#bytes.set(text.subarray(0, first), from)
      this.#bytes.set(text.subarray(first), 0)
    }
    Atomics.store(this.#header, this.#writtenAt, (at + FRAME_BYTES + padded(text.length)) | 0)
  }

  /** The head of the next frame. Does not take it. */
  peek(): FrameHead | undefined {
    const { taken, written } = this
    if (taken === written) return undefined
    const left = (written - taken) | 0
    const head = this.#wordAt(taken)
    const id = this.#wordAt(taken + 4)
    const length = head & LENGTH_MASK
    const wide = (head & WIDE) !== 0
    const long = (head & LONG) !== 0
    const size = FRAME_BYTES + (long ? 0 : padded(length))
    const damaged =
      head < 0 ||
      (taken & 3) !== 0 ||
      left < FRAME_BYTES ||
      left > RING_BYTES ||
      size > left ||
      (wide && length % 2 !== 0)
    if (damaged) throw new ProtocolBreach('what was handed over is damaged')
    return { id, length, wide, long, mark: (head & MARK) !== 0 }
  }

  /** Takes the peeked frame. `read` gets its text, which is valid during the call only. */
  take<Result>({ length, wide, long }: FrameHead, read: (text: Text) => Result): Result {
    const { taken } = this
    const inRing = long ? 0 : length
    const result = read({ wide, bytes: this.#bytesAt(taken + FRAME_BYTES, inRing) })
    Atomics.store(this.#header, this.#takenAt, (taken + FRAME_BYTES + padded(inRing)) | 0)
    return result
  }

  #bytesAt(position: number, length: number): Uint8Array {
    const at = position & (RING_BYTES - 1)
    if (at + length <= RING_BYTES) return this.#bytes.subarray(at, at + length)
    const whole = new Uint8Array(length)
    const first = RING_BYTES - at
    whole.set(this.#bytes.subarray(at))
    whole.set(this.#bytes.subarray(0, length - first), first)
    return whole
  }

  #word(position: number, word: number): void {
    this.#words[(position & (RING_BYTES - 1)) >>> 2] = word
  }

  #wordAt(position: number): number {
    return this.#words[(position & (RING_BYTES - 1)) >>> 2]!
  }
}

/** A copy of a borrowed text. */
export function copied({ wide, bytes }: Text): Text {
  // Short texts share a buffer, which costs less than one for each of them.
  const copy = Buffer.allocUnsafe(bytes.length)
  copy.set(bytes)
  return { wide, bytes: copy }
}

/** The announced text in a separate block. Throws a ProtocolBreach if it does not fit the announcement. */
export function longText({ wide, length }: FrameHead, block: unknown): Text {
  if (!(block instanceof SharedArrayBuffer) || block.byteLength !== length) {
    throw new ProtocolBreach('a long text is not what was announced')
  }
  return { wide, bytes: new Uint8Array(block) }
}

function padded(bytes: number): number {
  return (bytes + 3) & ~3
}
