// A budget for what one server sends unasked: notifications, requests, log lines, unreadable text. Answers to our own
// requests do not count.
// Invariant: messages beyond the budget are dropped, counted and reported once, and the server's stream is read slowly.

interface IntakeOptions {
  /** The most that the server may make this process hold, in bytes, as it is configured now. */
  readonly maxBytes: () => number | undefined
  /** Called with a text for people when messages begin to be dropped. */
  readonly onCut: (what: string) => void
}

/** Per second, and at once after a quiet while. */
const MESSAGES = { perSecond: 200, atOnce: 1000 }
const WORDS = { perSecond: 50, atOnce: 300 }
/** Requests of the server that wait for an answer of a caller. */
const MOST_ASKED = 64
const TELL_AGAIN_MS = 60_000
/** The break of a server that is over its budget. */
const REST_MS = 20
/** The share of one server in a turn of the event loop. */
const TURN_MS = 3
/** A single message or list may take one of this many parts of the whole budget. */
const PARTS = 4

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024

/** The kinds of dropped messages of a server. */
type Cut = 'messages' | 'words' | 'requests'

const CUT_WORDS: Readonly<Record<Cut, string>> = {
  messages: 'notifications or requests',
  words: 'lines for the log',
  requests: 'requests that were not answered in time',
}

export class Intake {
  readonly #options: IntakeOptions
  readonly #messages = new Bucket(MESSAGES)
  readonly #words = new Bucket(WORDS)
  readonly #dropped = new Map<Cut, { count: number; toldAt: number }>()
  #asked = 0
  #turnBegan: number | undefined

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** A longer message is refused, and a longer list is cut. */
  get partMaxBytes(): number {
    return Math.floor((this.#options.maxBytes() ?? DEFAULT_MAX_BYTES) / PARTS)
  }

  /** True when a notification or a request is listened to. */
  takesMessage(): boolean {
    return this.#messages.take() || this.#drop('messages')
  }

  /** True when something for the log is listened to. */
  takesWords(): boolean {
    return this.#words.take() || this.#drop('words')
  }

  /** A slot for a request of the server; undefined if there is none. The returned function releases it. */
  takesRequest(): (() => void) | undefined {
    if (this.#asked >= MOST_ASKED) {
      this.#drop('requests')
      return undefined
    }
    this.#asked++
    return () => {
      this.#asked--
    }
  }

  /** The messages dropped so far, in words for people. */
  get cut(): string[] {
    return [...this.#dropped].map(([kind, { count }]) => `${count} ${CUT_WORDS[kind]} were dropped`)
  }

  /** True when the server has had its part of this turn of the event loop. */
  get isTurnOver(): boolean {
    const now = performance.now()
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now
      setImmediate(() => {
        this.#turnBegan = undefined
      })
    }
    return now - this.#turnBegan > TURN_MS
  }

  /** Resolves in a later turn of the event loop: the next, or after a while when the server has said too much. */
  async rest(): Promise<void> {
    const saysTooMuch = this.#messages.isEmpty || this.#words.isEmpty
    await new Promise<void>((resolve) => {
      if (saysTooMuch) setTimeout(resolve, REST_MS)
      else setImmediate(resolve)
    })
    this.#turnBegan = undefined
  }

  #drop(kind: Cut): false {
    const now = performance.now()
    const dropped = this.#dropped.get(kind) ?? { count: 0, toldAt: Number.NEGATIVE_INFINITY }
    this.#dropped.set(kind, dropped)
    dropped.count++
    if (now - dropped.toldAt < TELL_AGAIN_MS) return false
    dropped.toldAt = now
    const soFar = dropped.count === 1 ? '' : `; ${dropped.count} so far`
    this.#options.onCut(`it sends too many ${CUT_WORDS[kind]}; the excess is dropped${soFar}`)
    return false
  }
}

class Bucket {
  readonly #perSecond: number
  readonly #atOnce: number
  #left: number
  #at = performance.now()

  constructor({ perSecond, atOnce }: { readonly perSecond: number; readonly atOnce: number }) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
    this.#left = atOnce
  }

  get isEmpty(): boolean {
    this.#fill()
    return this.#left < 1
  }

  take(): boolean {
    if (this.isEmpty) return false
    this.#left--
    return true
  }

  #fill(): void {
    const now = performance.now()
    this.#left = Math.min(this.#atOnce, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
  }
}
