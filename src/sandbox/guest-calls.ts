// The calls of one run on the guest's side: sent, answered, received.
// Invariant: a reply is received once, unanswered calls stay within the limit, and waiting does not count as computing.

import { type Awaitable, after, lastly } from '../awaitable/index.js'
import { type ArrivedReply, type GuestChannel, PRINT_CHUNK_BYTES, type Wanted } from './channel.js'
import type { Limits } from './limits.js'
import { type Meter, RunStopped } from './meter.js'
import type { Text } from './text.js'

/** The most replies that are received together, and the most bytes of each. */
const MOST_LINES = 64
const LONGEST_LINE = 512
const LINE_FEED = 10

export class GuestCalls {
  readonly #channel: GuestChannel
  readonly #meter: Meter
  readonly #limits: Limits
  /** Unanswered calls, with the sizes of their payloads in bytes. */
  readonly #unanswered = new Map<number, number>()
  #unansweredBytes = 0
  /** Unreceived replies, in the order of arrival. */
  readonly #replies = new Map<number, Text>()
  #replyBytes = 0
  /** Room for the lines that are received together. */
  readonly #lines = new Uint8Array(MOST_LINES * (LONGEST_LINE + 1))

  constructor(channel: GuestChannel, meter: Meter, limits: Limits) {
    this.#channel = channel
    this.#meter = meter
    this.#limits = limits
  }

  /**
   * Passes a call to the host, as soon as there is room for one more, and returns its id. If the function has to wait,
   * it copies the payload first.
   */
  send(payload: Text, waits: boolean): Awaitable<number> {
    const id = this.#meter.beginCall(payload)
    if (this.#tooMany(payload)) {
      const kept = { wide: payload.wide, bytes: payload.bytes.slice() }
      return after(
        this.#until('reply', () => !this.#tooMany(kept) || undefined),
        () => this.#handOver(id, kept, waits),
      )
    }
    return this.#handOver(id, payload, waits)
  }

  /** The reply of a call, once it has arrived. Undefined: the call does not exist, or its reply was received before. */
  receive(id: number): Awaitable<Text | undefined> {
    if (!this.#unanswered.has(id) && !this.#replies.has(id)) return undefined
    return this.#until('reply', () => this.#received(id))
  }

  /**
   * The reply of a call, once it has arrived, and those of the calls after it that have arrived, each a line.
   * Undefined: the call does not exist, its reply was received before, or it is no line.
   */
  receiveLines(id: number): Awaitable<Text | undefined> {
    if (!this.#unanswered.has(id) && !this.#replies.has(id)) return undefined
    return after(
      this.#until('reply', () => {
        this.#collect()
        return this.#replies.has(id) || undefined
      }),
      () => this.#linesFrom(id),
    )
  }

  /** The earliest unreceived reply. Undefined: every reply was received. */
  receiveAny(): Awaitable<ArrivedReply | undefined> {
    if (this.#unanswered.size === 0 && this.#replies.size === 0) return undefined
    return this.#until('reply', () => {
      this.#collect()
      const first = this.#replies.keys().next()
      if (first.done) return undefined
      return { id: first.value, text: this.#received(first.value)! }
    })
  }

  /** Passes a piece of output to the host. */
  print(piece: Text): Awaitable<undefined> {
    let rest: Text | undefined = piece
    while (rest !== undefined && this.#printed(rest)) rest = tail(rest)
    if (rest === undefined) return undefined
    // Borrowed memory is invalid when the guest continues.
    return this.#printAll({ wide: rest.wide, bytes: rest.bytes.slice() })
  }

  #printAll(owned: Text): Awaitable<undefined> {
    return after(
      this.#until('room', () => this.#printed(owned) || undefined),
      () => {
        const rest = tail(owned)
        return rest && this.#printAll(rest)
      },
    )
  }

  /** True if the beginning of the text was passed. */
  #printed({ wide, bytes }: Text): boolean {
    return this.#channel.print({ wide, bytes: bytes.subarray(0, PRINT_CHUNK_BYTES) }, bytes.length > PRINT_CHUNK_BYTES)
  }

  #handOver(id: number, payload: Text, waits: boolean): Awaitable<number> {
    this.#unanswered.set(id, payload.bytes.length)
    this.#unansweredBytes += payload.bytes.length
    if (this.#channel.send(id, payload, waits)) return id
    const kept = { wide: payload.wide, bytes: payload.bytes.slice() }
    return this.#until('room', () => (this.#channel.send(id, kept, waits) ? id : undefined))
  }

  #tooMany(payload: Text): boolean {
    const { callsInFlight, memoryBytes } = this.#limits
    const most = (): boolean =>
      this.#unanswered.size >= callsInFlight ||
      (this.#unanswered.size > 0 && this.#unansweredBytes + payload.bytes.length > memoryBytes)
    if (!most()) return false
    this.#collect()
    return most()
  }

  #received(id: number): Text | undefined {
    this.#collect()
    const text = this.#replies.get(id)
    if (text !== undefined) this.#forget(id, text)
    return text
  }

  #forget(id: number, text: Text): void {
    this.#replies.delete(id)
    this.#replyBytes -= text.bytes.length
  }

  #linesFrom(first: number): Text | undefined {
    let length = 0
    for (let id = first; id < first + MOST_LINES; id++) {
      const text = this.#replies.get(id)
      if (text === undefined || !isLine(text)) break
      if (id > first) this.#lines[length++] = LINE_FEED
      this.#lines.set(text.bytes, length)
      length += text.bytes.length
      this.#forget(id, text)
    }
    return this.#replies.has(first) ? undefined : { wide: false, bytes: this.#lines.subarray(0, length) }
  }

  /** Takes the replies that have arrived. Replies that wait to be received count as memory of the run. */
  #collect(): void {
    for (let reply = this.#channel.take(); reply !== undefined; reply = this.#channel.take()) {
      const { id, text } = reply
      this.#unansweredBytes -= this.#unanswered.get(id) ?? 0
      this.#unanswered.delete(id)
      this.#replies.set(id, text)
      this.#replyBytes += text.bytes.length
      if (this.#replies.size > 1 && this.#replyBytes > this.#limits.memoryBytes) throw new RunStopped('memoryBytes')
    }
  }

  /** The result of `look`, which is called again after every possible change. */
  #until<Found>(wanted: Wanted, look: () => Found | undefined): Awaitable<Found> {
    const found = look()
    return found === undefined ? this.#away(wanted, look) : found
  }

  #away<Found>(wanted: Wanted, look: () => Found | undefined): Awaitable<Found> {
    const channel = this.#channel
    const meter = this.#meter
    // Waiting for room for output counts as the printing program's own time.
    if (wanted === 'reply') {
      const left = meter.leave(performance.now())
      channel.away(meter.awayMs, left)
    }
    const back = (): void => {
      channel.awake()
      if (wanted === 'reply') {
        meter.comeBack(performance.now(), 'calls')
        channel.away(meter.awayMs, undefined)
      }
    }
    const attempt = (): Awaitable<Found> => {
      while (true) {
        const ticket = channel.expect(wanted)
        const found = look()
        if (found !== undefined) return found
        if (channel.stopRequested()) throw new RunStopped('outside')
        const now = performance.now()
        const over = meter.timeOver(now)
        if (over !== undefined) throw new RunStopped(over)
        const sleep = channel.sleep(ticket, Math.max(0, meter.deadline - now))
        if (sleep !== undefined) return sleep.then(attempt)
      }
    }
    return lastly(attempt, back)
  }
}

function isLine({ bytes, wide }: Text): boolean {
  return !wide && bytes.length <= LONGEST_LINE && !bytes.includes(LINE_FEED)
}

/** The rest after the first part, if any. */
function tail({ wide, bytes }: Text): Text | undefined {
  return bytes.length > PRINT_CHUNK_BYTES ? { wide, bytes: bytes.subarray(PRINT_CHUNK_BYTES) } : undefined
}
