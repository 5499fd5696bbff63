import type { KeptTrace, TraceBounds, TraceStore, WholeTrace } from './traces.js'

/** Traces in memory. */
export class MemoryTraces implements TraceStore {
  /** In the order of their last changes. */
  readonly #traces = new Map<string, WholeTrace>()
  #characters = 0

  async keep(trace: WholeTrace, { since, maxTraces, maxCharacters }: TraceBounds): Promise<boolean> {
    const before = this.#traces.get(trace.id)
    if (before !== undefined && before.owner !== trace.owner) return false
    this.#drop(before)
    this.#traces.set(trace.id, trace)
    this.#characters += sizeOf(trace)
    for (const oldest of this.#traces.values()) {
      const isOver = this.#traces.size > maxTraces || this.#characters > maxCharacters
      if (!isOver && oldest.changedAt >= since) break
      this.#drop(oldest)
    }
    return true
  }

  async all(): Promise<readonly KeptTrace[]> {
    return [...this.#traces.values()].reverse().map(({ messages: _, ...trace }) => trace)
  }

  async named(id: string): Promise<WholeTrace | undefined> {
    return this.#traces.get(id)
  }

  async remove(id: string, owner: string): Promise<void> {
    const trace = this.#traces.get(id)
    if (trace?.owner === owner) this.#drop(trace)
  }

  async close(): Promise<void> {}

  #drop(trace: WholeTrace | undefined): void {
    if (trace === undefined) return
    this.#traces.delete(trace.id)
    this.#characters -= sizeOf(trace)
  }
}

function sizeOf({ facts, messages }: WholeTrace): number {
  return facts.length + messages.length
}
