// The far end of a call: the caller on whose behalf an upstream works, as far as that upstream may speak to it. Knows which of the protocol's
// messages travel towards a caller; knows no connection.
// Invariant: an upstream reaches a caller only while that caller waits for it, and only when no other caller does: nothing that one caller's
// call brings about is ever shown to another.

export interface CallerEnd {
  /** Answers a request of the upstream, such as `elicitation/create`. Rejects when the caller can't or will not. */
  ask(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
  /** Is told what the upstream says meanwhile, such as `notifications/message`. */
  tell(method: string, params: Readonly<Record<string, unknown>>): void
}

/** Who waits for one upstream now. */
export class WaitingCallers {
  /** How many calls each waits for; undefined stands for those who can't be spoken to. */
  readonly #calls = new Map<CallerEnd | undefined, number>()

  /** A caller waits until what it returns is called. */
  add(caller: CallerEnd | undefined): () => void {
    this.#calls.set(caller, (this.#calls.get(caller) ?? 0) + 1)
    return () => {
      const left = (this.#calls.get(caller) ?? 1) - 1
      if (left > 0) this.#calls.set(caller, left)
      else this.#calls.delete(caller)
    }
  }

  /** The one who waits; undefined when there is none, or more than one. */
  get only(): CallerEnd | undefined {
    return this.#calls.size === 1 ? [...this.#calls.keys()][0] : undefined
  }
}
