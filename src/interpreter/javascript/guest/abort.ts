// `AbortController` and `AbortSignal`, as on the web, over the timers of a run. An event has only its type and target.

import { typeError } from './errors.js'
import { quietTimer } from './timers.js'

interface AbortEvent {
  readonly type: 'abort'
  readonly target: AbortSignal
}

type Listener = ((event: AbortEvent) => unknown) | { handleEvent(event: AbortEvent): unknown }

function named(name: string, message: string): Error {
  const error = new Error(message)
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  return error
}

let mayMake = false

export class AbortSignal {
  #aborted = false
  #reason: unknown
  #onAbort: Listener | null = null
  readonly #listeners = new Set<Listener>()

  constructor() {
    if (!mayMake) throw typeError('Illegal constructor')
  }

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  get onabort(): Listener | null {
    return this.#onAbort
  }

  set onabort(listener: Listener | null) {
    if (this.#onAbort !== null) this.#listeners.delete(this.#onAbort)
    this.#onAbort = listener
    if (listener !== null) this.#listeners.add(listener)
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }

  addEventListener(type: string, listener: Listener): void {
    if (type === 'abort') this.#listeners.add(listener)
  }

  removeEventListener(_type: string, listener: Listener): void {
    this.#listeners.delete(listener)
  }

  static make(): AbortSignal {
    mayMake = true
    try {
      return new AbortSignal()
    } finally {
      mayMake = false
    }
  }

  static end(signal: AbortSignal, reason: unknown): void {
    if (signal.#aborted) return
    signal.#aborted = true
    signal.#reason = reason === undefined ? named('AbortError', 'This operation was aborted') : reason
    const event: AbortEvent = { type: 'abort', target: signal }
    for (const listener of signal.#listeners) {
      if (typeof listener === 'function') listener.call(signal, event)
      else listener.handleEvent(event)
    }
    signal.#listeners.clear()
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = make()
    end(signal, reason)
    return signal
  }

  static timeout(ms: number): AbortSignal {
    const signal = make()
    quietTimer(() => end(signal, named('TimeoutError', 'The operation was aborted due to timeout')), ms)
    return signal
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const all = [...signals]
    const ended = all.find((signal) => signal.aborted)
    if (ended !== undefined) return AbortSignal.abort(ended.reason)
    const any = make()
    for (const signal of all) signal.addEventListener('abort', () => end(any, signal.reason))
    return any
  }
}

const { make, end } = AbortSignal
delete (AbortSignal as Partial<typeof AbortSignal>).make
delete (AbortSignal as Partial<typeof AbortSignal>).end

export class AbortController {
  readonly signal: AbortSignal = make()

  abort(reason?: unknown): void {
    end(this.signal, reason)
  }
}
