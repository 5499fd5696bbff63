// The channel in which a waiting guest holds its thread. Both ends share one block of memory:
//
//   header (16 words) | exchange: the payload of a call, then its reply | ring: what was printed
//
// A call is written into the exchange, the host is woken by a message (its event loop can't wait on memory) and the guest sleeps on the state
// word until the reply is in the same bytes. A text that is too long for the exchange travels in a block of its own, handed over by message.
// Output goes into a ring of framed pieces that the host empties whenever it hears from the guest; it stays readable when the thread was
// terminated, so nothing that was printed before a kill is lost.
//
// Invariant: the exchange belongs to the guest while the state is zero or REPLY and to the host while it is REQUEST; the guest alone moves
// WRITTEN and the host alone moves TAKEN. The host copies every word that it uses once and checks the copy: a guest that writes at the wrong
// time gets wrong data or is found out, and nothing else.

import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type ArrivedCall, type GuestChannel, type HostChannel, ProtocolBreach } from './channel.js'
import { isWide, readText, sizeOf, type Text, writeText } from './text.js'

const HEADER_BYTES = 64
const EXCHANGE_BYTES = 64 * 1024
const RING_BYTES = 64 * 1024
const CHUNK_BYTES = RING_BYTES / 4

// Header words.
const STATE = 0
const STOP = 1
const CALL_ID = 2
/** Length in bytes, and WIDE. */
const LENGTH = 3
const WRITTEN = 4
const TAKEN = 5
const ANNOUNCED = 6

// States of the exchange; zero at first.
const REQUEST = 1
const REPLY = 2

/** The text is UTF-16. */
const WIDE = 0x4000_0000
/** More of the same piece follows. */
const CONTINUED = 0x2000_0000
const LENGTH_MASK = 0x1fff_ffff

/** The message that wakes the host. */
export const WAKE = 1

/** A text in a block of its own. */
interface LongText {
  readonly kind: 'long'
  readonly bytes: SharedArrayBuffer
}

export function newChannelMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + EXCHANGE_BYTES + RING_BYTES)
}

function views(memory: SharedArrayBuffer): { header: Int32Array; exchange: Uint8Array; ring: Uint8Array } {
  return {
    header: new Int32Array(memory, 0, HEADER_BYTES / 4),
    exchange: new Uint8Array(memory, HEADER_BYTES, EXCHANGE_BYTES),
    ring: new Uint8Array(memory, HEADER_BYTES + EXCHANGE_BYTES, RING_BYTES),
  }
}

export class BlockingGuestChannel implements GuestChannel {
  readonly #port: MessagePort
  readonly #header: Int32Array
  readonly #exchange: Uint8Array
  readonly #ring: Uint8Array

  constructor(memory: SharedArrayBuffer, port: MessagePort) {
    this.#port = port
    const { header, exchange, ring } = views(memory)
    this.#header = header
    this.#exchange = exchange
    this.#ring = ring
  }

  stopRequested(): boolean {
    return Atomics.load(this.#header, STOP) !== 0
  }

  call(id: number, payload: Text, untilMs: number): Text | undefined {
    const header = this.#header
    const { bytes, wide } = payload
    let message: unknown = WAKE
    if (bytes.length <= EXCHANGE_BYTES) this.#exchange.set(bytes)
    else {
      const long: LongText = { kind: 'long', bytes: new SharedArrayBuffer(bytes.length) }
      new Uint8Array(long.bytes).set(bytes)
      message = long
    }
    Atomics.store(header, CALL_ID, id)
    Atomics.store(header, LENGTH, bytes.length | (wide ? WIDE : 0))
    Atomics.store(header, STATE, REQUEST)
    this.#port.postMessage(message)
    if (!this.#awaitReply(untilMs)) return undefined
    const length = Atomics.load(header, LENGTH)
    return { wide: (length & WIDE) !== 0, bytes: this.#replyBytes(length & LENGTH_MASK) }
  }

  print(text: Text, waiting: () => void): void {
    const { bytes, wide } = text
    let from = 0
    do {
      const to = Math.min(bytes.length, from + CHUNK_BYTES)
      this.#append(bytes.subarray(from, to), (wide ? WIDE : 0) | (to < bytes.length ? CONTINUED : 0), waiting)
      from = to
    } while (from < bytes.length)
    if (Atomics.compareExchange(this.#header, ANNOUNCED, 0, 1) === 0) this.#port.postMessage(WAKE)
  }

  #awaitReply(untilMs: number): boolean {
    const header = this.#header
    while (Atomics.load(header, STATE) !== REPLY) {
      if (this.stopRequested()) return false
      const left = untilMs - performance.now()
      if (left <= 0) return false
      Atomics.wait(header, STATE, REQUEST, left)
    }
    return !this.stopRequested()
  }

  #replyBytes(length: number): Uint8Array {
    if (length <= EXCHANGE_BYTES) return this.#exchange.subarray(0, length)
    const received = receiveMessageOnPort(this.#port) as { message: LongText } | undefined
    if (received?.message.kind !== 'long') throw new ProtocolBreach('the reply is missing')
    return new Uint8Array(received.message.bytes)
  }

  #append(chunk: Uint8Array, flags: number, waiting: () => void): void {
    const header = this.#header
    const size = 4 + padded(chunk.length)
    const written = Atomics.load(header, WRITTEN)
    let taken = Atomics.load(header, TAKEN)
    while (((written - taken) | 0) + size > RING_BYTES) {
      waiting()
      if (Atomics.exchange(header, ANNOUNCED, 1) === 0) this.#port.postMessage(WAKE)
      Atomics.wait(header, TAKEN, taken, 20)
      taken = Atomics.load(header, TAKEN)
    }
    putWord(this.#ring, written, chunk.length | flags)
    const at = (written + 4) & (RING_BYTES - 1)
    const first = Math.min(chunk.length, RING_BYTES - at)
    this.#ring.set(chunk.subarray(0, first), at)
    if (first < chunk.length) this.#ring.set(chunk.subarray(first), 0)
    Atomics.store(header, WRITTEN, (written + size) | 0)
  }
}

export class BlockingHostChannel implements HostChannel {
  readonly #post: (message: LongText) => void
  readonly #header: Int32Array
  readonly #exchange: Uint8Array
  readonly #ring: Uint8Array
  #lastId = 0
  #underway = false
  #pending: string[] = []

  /** `post` sends a message to the guest's thread. */
  constructor(memory: SharedArrayBuffer, post: (message: LongText) => void) {
    this.#post = post
    const { header, exchange, ring } = views(memory)
    this.#header = header
    this.#exchange = exchange
    this.#ring = ring
  }

  reset(): void {
    this.#lastId = 0
    this.#underway = false
    this.#pending = []
    this.#header.fill(0)
  }

  takePrinted(): string[] {
    const header = this.#header
    Atomics.store(header, ANNOUNCED, 0)
    const written = Atomics.load(header, WRITTEN)
    let taken = Atomics.load(header, TAKEN)
    const pieces: string[] = []
    if (written === taken) return pieces
    while (taken !== written) {
      const left = (written - taken) | 0
      const head = getWord(this.#ring, taken)
      const length = head & LENGTH_MASK
      const size = 4 + padded(length)
      if (left < 4 || left > RING_BYTES || length > CHUNK_BYTES || size > left || (head & WIDE && length % 2 !== 0)) {
        throw new ProtocolBreach('the output is damaged')
      }
      this.#pending.push(readText({ wide: (head & WIDE) !== 0, bytes: this.#fromRing(taken + 4, length) }))
      if ((head & CONTINUED) === 0) pieces.push(this.#takePending())
      taken = (taken + size) | 0
    }
    Atomics.store(header, TAKEN, taken)
    Atomics.notify(header, TAKEN)
    return pieces
  }

  /** The beginning of a piece whose rest never came. */
  takeUnfinished(): string[] {
    return this.#pending.length > 0 ? [this.#takePending()] : []
  }

  takeCall(raw: unknown): ArrivedCall | undefined {
    const header = this.#header
    if (this.#underway || Atomics.load(header, STATE) !== REQUEST) {
      if (raw === WAKE) return undefined
      throw new ProtocolBreach('a call arrived out of order')
    }
    const id = Atomics.load(header, CALL_ID)
    const head = Atomics.load(header, LENGTH)
    if (id !== this.#lastId + 1) throw new ProtocolBreach(`call ${id} arrived after call ${this.#lastId}`)
    const length = head & LENGTH_MASK
    const wide = (head & WIDE) !== 0
    if ((head & ~(LENGTH_MASK | WIDE)) !== 0 || (wide && length % 2 !== 0))
      throw new ProtocolBreach('a call has an impossible length')
    if (length > EXCHANGE_BYTES && raw === WAKE) return undefined
    const payload = readText({ wide, bytes: this.#callBytes(raw, length) })
    this.#lastId = id
    this.#underway = true
    return { id, payload }
  }

  reply(text: string): void {
    if (!this.#underway) return
    this.#underway = false
    const wide = isWide(text)
    const length = sizeOf(text, wide)
    if (length <= EXCHANGE_BYTES) writeText(text, wide, this.#exchange.subarray(0, length))
    else {
      const bytes = new SharedArrayBuffer(length)
      writeText(text, wide, new Uint8Array(bytes))
      this.#post({ kind: 'long', bytes })
    }
    Atomics.store(this.#header, LENGTH, length | (wide ? WIDE : 0))
    Atomics.store(this.#header, STATE, REPLY)
    Atomics.notify(this.#header, STATE)
  }

  stop(): void {
    Atomics.store(this.#header, STOP, 1)
    // A guest that is about to sleep must find that there is nothing to wait for.
    Atomics.compareExchange(this.#header, STATE, REQUEST, REPLY)
    Atomics.notify(this.#header, STATE)
    Atomics.notify(this.#header, TAKEN)
  }

  #callBytes(raw: unknown, length: number): Uint8Array {
    if (length <= EXCHANGE_BYTES) return this.#exchange.subarray(0, length)
    const bytes = (raw as Partial<LongText> | null)?.bytes
    if (!(bytes instanceof SharedArrayBuffer) || bytes.byteLength !== length) {
      throw new ProtocolBreach('a long call came without its text')
    }
    return new Uint8Array(bytes)
  }

  #fromRing(position: number, length: number): Uint8Array {
    const at = position & (RING_BYTES - 1)
    if (at + length <= RING_BYTES) return this.#ring.subarray(at, at + length)
    const whole = new Uint8Array(length)
    const first = RING_BYTES - at
    whole.set(this.#ring.subarray(at))
    whole.set(this.#ring.subarray(0, length - first), first)
    return whole
  }

  #takePending(): string {
    const whole = this.#pending.length === 1 ? this.#pending[0]! : this.#pending.join('')
    this.#pending = []
    return whole
  }
}

function padded(bytes: number): number {
  return (bytes + 3) & ~3
}

// Positions in the ring count up without end (modulo 2^32) and are always multiples of four, so a word never wraps.
function putWord(ring: Uint8Array, position: number, word: number): void {
  new DataView(ring.buffer, ring.byteOffset).setInt32(position & (RING_BYTES - 1), word, true)
}

function getWord(ring: Uint8Array, position: number): number {
  return new DataView(ring.buffer, ring.byteOffset).getInt32(position & (RING_BYTES - 1), true)
}
