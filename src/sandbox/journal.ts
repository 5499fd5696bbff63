// The calls of one run and its replies, in order, so that the run can be repeated elsewhere. A repeated guest makes the
// same calls in the same order, and gets each reply once it has made that call and received all earlier replies.
// Invariant: a guest is given every reply once, and in the same order in every repetition.

/** A run that has exchanged more than this is not kept. */
const MOST_CHARACTERS = 256 * 1024
const OVERHEAD_CHARACTERS = 32

interface KeptReply {
  readonly id: number
  readonly text: string
}

export class Journal {
  #complete = true
  #characters = 0
  #calls: string[] = []
  #replies: KeptReply[] = []
  /** How many of the calls the guest has made again. */
  #repeated = 0
  /** How many of the replies it was given. */
  #given = 0

  /** True when the run can be repeated. */
  get complete(): boolean {
    return this.#complete
  }

  /** True when the guest has yet to make calls again that it made before. */
  get replaying(): boolean {
    return this.#complete && this.#repeated < this.#calls.length
  }

  /** Keeps nothing from now on. */
  stop(): void {
    this.#complete = false
    this.#calls = []
  }

  called(payload: string): void {
    if (!this.#complete) return
    this.#calls.push(payload)
    this.#repeated++
    this.#count(payload)
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

  /** The guest makes its next call again. False: it is not the call that it made. */
  repeats(payload: string): boolean {
    return this.#calls[this.#repeated++] === payload
  }

  /** The replies that the guest is to be given now. */
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
    if (!this.#complete || this.#characters <= MOST_CHARACTERS || this.#repeated < this.#calls.length) return
    this.stop()
    this.#replies = this.#replies.slice(this.#given)
    this.#given = 0
  }
}
