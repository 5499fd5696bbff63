// The calls of one run and its replies, in order, so that the run can be repeated: in another thread, or in another
// process on another day. A repeated guest makes the same calls in the same order, and gets each reply once it has made
// that call and received all earlier replies.
// Invariant: a guest is given every reply once, and in the same order in every repetition.

/** The default maximum of recorded exchange; a longer run is not recorded. */
const MOST_CHARACTERS = 256 * 1024
const OVERHEAD_CHARACTERS = 32

interface KeptReply {
  readonly id: number
  readonly text: string
}

/** The record of an earlier process. */
interface Exchanged {
  /** The identity of each call, in order. */
  readonly calls: readonly string[]
  /** In the order in which they were given. */
  readonly replies: readonly KeptReply[]
}

export class Journal {
  readonly #mostCharacters: number
  #complete = true
  #characters = 0
  #calls: string[]
  #replies: KeptReply[]
  /** The number of calls that the guest has repeated. */
  #repeated = 0
  /** The number of replies that it has received. */
  #given = 0

  constructor(mostCharacters = MOST_CHARACTERS, { calls, replies }: Exchanged = { calls: [], replies: [] }) {
    this.#mostCharacters = mostCharacters
    this.#calls = [...calls]
    this.#replies = [...replies]
  }

  /** True if the run can be repeated. */
  get complete(): boolean {
    return this.#complete
  }

  /** True while the guest has earlier calls to repeat. */
  get replaying(): boolean {
    return this.#complete && this.#repeated < this.#calls.length
  }

  /** Stops recording. Replies that were not given yet are kept. */
  stop(): void {
    this.#complete = false
    this.#calls = []
    this.#replies = this.#replies.slice(this.#given)
    this.#given = 0
  }

  /** The guest makes a call for the first time. */
  called(call: string): void {
    if (!this.#complete) return
    this.#calls.push(call)
    this.#repeated++
    this.#count(call)
  }

  replied(id: number, text: string): void {
    this.#replies.push({ id, text })
    this.#count(text)
  }

  /** The guest is repeated from its beginning. */
  rewind(): void {
    this.#repeated = 0
    this.#given = 0
  }

  /** The guest repeats its next call. False: the call differs from the recorded one. */
  repeats(call: string): boolean {
    return this.#calls[this.#repeated++] === call
  }

  /** The replies that are due now. */
  *deliverable(): Iterable<KeptReply> {
    while (this.#given < this.#replies.length) {
      const reply = this.#replies[this.#given]!
      if (this.#complete && reply.id > this.#repeated) return
      if (this.#complete) this.#given++
      else this.#replies.shift()
      yield reply
    }
  }

  #count(text: string): void {
    this.#characters += text.length + OVERHEAD_CHARACTERS
    // In the middle of a repetition the rest is still needed.
    if (!this.#complete || this.#characters <= this.#mostCharacters || this.#repeated < this.#calls.length) return
    this.stop()
  }
}
