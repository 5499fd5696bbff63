// The host's end of a shared-memory channel. The guest's end announces data by message; the host writes replies into
// the inward ring and wakes the guest. Replies that do not fit wait on this side.
// Invariant: for any data of the guest's side, the host reads inside the rings, copies the data that it keeps, and
// either continues or throws a ProtocolBreach.

import { type Arrival, type HostChannel, PRINT_CHUNK_BYTES, ProtocolBreach } from './channel.js'
import {
  ANNOUNCED,
  AWAY_SINCE,
  AWAY_TOTAL,
  BACKLOG,
  BELL,
  ENDED,
  type FrameHead,
  headerOf,
  inwardRing,
  LONGEST_IN_RING,
  longText,
  outwardRing,
  REPLIES_SOON,
  type Ring,
  RUN,
  RUNS,
  STOP,
  SUSPENDED,
  WANTED,
  WANTS,
} from './channel-memory.js'
import { isWide, readText, sizeOf, writeText } from './text.js'

/**
 * Messages between the ends. `long`: a text that is too long for a ring, as a separate block; sent before its frame is
 * written.
 */
export type Notice = { readonly kind: 'long'; readonly bytes: SharedArrayBuffer } | { readonly kind: 'wake' }

export class SharedHostChannel implements HostChannel {
  readonly #post: (notice: Notice) => void
  readonly #header: Int32Array
  readonly #outward: Ring
  readonly #inward: Ring
  #lastId = 0
  #unfinished: string[] = []
  /** Long texts that have arrived, in order. */
  #longs: unknown[] = []
  /** Replies that wait for room. */
  #line: { readonly id: number; readonly text: string }[] = []
  #lineBytes = 0
  /** Written replies that the guest has not yet been seen to take. */
  #written: { readonly end: number; readonly bytes: number }[] = []
  #writtenBytes = 0
  #isWatched = false

  /** `post` sends a message to the guest's end. */
  constructor(memory: SharedArrayBuffer, post: (notice: Notice) => void) {
    this.#post = post
    this.#header = headerOf(memory)
    this.#outward = outwardRing(memory)
    this.#inward = inwardRing(memory)
  }

  reset(): void {
    this.#isWatched = false
    this.#lastId = 0
    this.#unfinished = []
    this.#longs = []
    this.#line = []
    this.#lineBytes = 0
    this.#written = []
    this.#writtenBytes = 0
    this.#header.fill(0)
    // The guest counts as away until it reports its start.
    Atomics.store(this.#header, AWAY_SINCE, 1)
  }

  begun(isAlone: boolean): void {
    Atomics.store(this.#header, RUN, isAlone ? RUNS.alone : RUNS.beside)
  }

  get hasEnded(): boolean {
    return Atomics.load(this.#header, ENDED) === 1
  }

  announced(raw: unknown): void {
    const { kind, bytes } = (raw ?? {}) as { readonly kind?: unknown; readonly bytes?: unknown }
    if (kind === 'long') this.#longs.push(bytes)
    else if (kind !== 'wake') throw new ProtocolBreach('a message arrived that is none')
  }

  watch(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (!isWatched) Atomics.store(this.#header, REPLIES_SOON, 0)
    Atomics.store(this.#header, ANNOUNCED, isWatched ? 1 : 0)
  }

  repliesSoon(isSoon: boolean): void {
    Atomics.store(this.#header, REPLIES_SOON, isSoon ? 1 : 0)
  }

  get hasArrived(): boolean {
    return this.#outward.taken !== this.#outward.written
  }

  take(): Arrival[] {
    Atomics.store(this.#header, ANNOUNCED, this.#isWatched ? 1 : 0)
    const arrivals: Arrival[] = []
    for (let head = this.#outward.peek(); head !== undefined; head = this.#outward.peek()) {
      // The message with the text is still on its way; it wakes the host again.
      if (head.long && this.#longs.length === 0) break
      if (head.id === 0) this.#takePrinted(head, (text) => arrivals.push({ kind: 'printed', text }))
      else arrivals.push(this.#takeCall(head))
    }
    if (Atomics.load(this.#header, WANTED) === WANTS.room) this.#ring()
    this.#flush()
    return arrivals
  }

  takeRest(): string[] {
    const pieces: string[] = []
    for (let head = this.#outward.peek(); head !== undefined; head = this.#outward.peek()) {
      if (head.id === 0) this.#takePrinted(head, (text) => pieces.push(text))
      else this.#outward.take(head, () => undefined)
    }
    if (this.#unfinished.length > 0) pieces.push(this.#finish())
    return pieces
  }

  reply(id: number, text: string): void {
    if (this.#line.length === 0 && this.#write(id, text)) this.#ring()
    else {
      this.#line.push({ id, text })
      this.#lineBytes += text.length
      this.#flush()
    }
  }

  backlogBytes(): number {
    const { taken } = this.#inward
    let gone = 0
    while (gone < this.#written.length && ((taken - this.#written[gone]!.end) | 0) >= 0) {
      this.#writtenBytes -= this.#written[gone]!.bytes
      gone++
    }
    if (gone > 0) this.#written.splice(0, gone)
    return this.#writtenBytes + this.#lineBytes
  }

  get isAsleep(): boolean {
    const isEmpty = this.#outward.peek() === undefined && this.#inward.taken === this.#inward.written
    return isEmpty && Atomics.load(this.#header, WANTED) === WANTS.reply
  }

  awayMs(ranMs: number): number {
    const total = Atomics.load(this.#header, AWAY_TOTAL) / 1000
    const since = Atomics.load(this.#header, AWAY_SINCE)
    return Math.max(0, total) + (since > 0 ? Math.max(0, ranMs - (since - 1) / 1000) : 0)
  }

  stop(): void {
    Atomics.store(this.#header, STOP, 1)
    this.#ring()
  }

  #takePrinted(head: FrameHead, whole: (text: string) => void): void {
    if (head.long || head.length > PRINT_CHUNK_BYTES) throw new ProtocolBreach('the output is damaged')
    this.#unfinished.push(this.#outward.take(head, readText))
    if (!head.mark) whole(this.#finish())
  }

  #takeCall(head: FrameHead): Arrival {
    if (head.id !== this.#lastId + 1) throw new ProtocolBreach(`call ${head.id} arrived after call ${this.#lastId}`)
    this.#lastId = head.id
    const block = head.long ? this.#longs.shift() : undefined
    const payload = this.#outward.take(head, (text) => readText(head.long ? longText(head, block) : text))
    return { kind: 'call', id: head.id, payload, waits: head.mark }
  }

  #finish(): string {
    const whole = this.#unfinished.length === 1 ? this.#unfinished[0]! : this.#unfinished.join('')
    this.#unfinished = []
    return whole
  }

  /** Writes waiting replies while there is room. The guest's end is asked to report when it has made more. */
  #flush(): void {
    if (this.#line.length === 0) return
    // The request comes before the check, so that room made in between is not missed.
    Atomics.store(this.#header, BACKLOG, 1)
    let gone = 0
    for (const { id, text } of this.#line) {
      if (!this.#write(id, text)) break
      this.#lineBytes -= text.length
      gone++
    }
    if (gone === 0) return
    this.#line.splice(0, gone)
    this.#ring()
  }

  #write(id: number, text: string): boolean {
    const wide = isWide(text)
    const length = sizeOf(text, wide)
    const long = length > LONGEST_IN_RING
    if (!this.#inward.hasRoom(long ? 0 : length)) return false
    const block = long ? new SharedArrayBuffer(length) : undefined
    const bytes = block === undefined ? new Uint8Array(length) : new Uint8Array(block)
    writeText(text, wide, bytes)
    if (block !== undefined) this.#post({ kind: 'long', bytes: block })
    this.#inward.put({ id, mark: false, wide, long, length }, long ? bytes.subarray(0, 0) : bytes)
    this.#written.push({ end: this.#inward.written, bytes: length })
    this.#writtenBytes += length
    return true
  }

  #ring(): void {
    Atomics.add(this.#header, BELL, 1)
    Atomics.notify(this.#header, BELL)
    if (Atomics.exchange(this.#header, SUSPENDED, 0) === 1) this.#post({ kind: 'wake' })
  }
}
