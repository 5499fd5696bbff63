import type { Caller } from './caller.js'

/** A request in progress. */
interface UnderwayRequest {
  cancel(): void
  /** Resolves when the request is answered or cancelled. Never rejects. */
  readonly done: Promise<void>
}

/** A request whose caller is known. */
export interface UnderwayOfCaller extends UnderwayRequest {
  readonly key: Caller | undefined
}

/** The requests in progress of one transport. */
export class Underway<Key, Request extends UnderwayRequest = UnderwayRequest> {
  readonly #requests = new Map<Key, Request>()
  readonly #closing = new AbortController()

  /** Aborts when the transport closes. Requests that only listen end then. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get size(): number {
    return this.#requests.size
  }

  /** The requests that pass a test. */
  where(isMeant: (request: Request) => boolean): Request[] {
    return [...this.#requests.values()].filter(isMeant)
  }

  get(key: Key): Request | undefined {
    return this.#requests.get(key)
  }

  /** Keeps a request until it is done. */
  add(key: Key, request: Request): void {
    this.#requests.set(key, request)
    void request.done.then(() => this.#requests.delete(key))
  }

  /** Resolves when every request is answered. Requests that only listen are answered at once. */
  async answered(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.where(() => true).map(({ done }) => done))
  }

  /** Cancels all requests. Resolves when none is left. */
  async end(): Promise<void> {
    for (const request of this.#requests.values()) request.cancel()
    await this.answered()
  }
}
