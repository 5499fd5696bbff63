import { type Holder, isAliveHere, thisProcess } from './holder.js'
import {
  changedValues,
  charactersOf,
  type KeptEntry,
  type KeptRun,
  type KeptValues,
  type RunPageWanted,
  type RunState,
  type Store,
  type StoreBounds,
  type ValueBounds,
  type ValueChanges,
} from './store.js'

/** A store in memory. */
export class MemoryStore implements Store {
  readonly holder = thisProcess
  /** In the order of their last changes. */
  readonly #runs = new Map<string, KeptRun>()
  readonly #entries = new Map<string, Map<number, KeptEntry>>()
  /** By owner; the last changed is last. */
  readonly #values = new Map<string, KeptValues>()

  now(): number {
    return Date.now()
  }

  async isAlive(holder: Holder): Promise<boolean> {
    return isAliveHere(holder)
  }

  async begin(run: Omit<KeptRun, 'revision'>): Promise<KeptRun> {
    const kept = { ...run, revision: 1 }
    this.#runs.set(run.id, kept)
    return kept
  }

  async change(run: KeptRun): Promise<KeptRun | undefined> {
    if (this.#runs.get(run.id)?.revision !== run.revision) return undefined
    const kept = { ...run, revision: run.revision + 1 }
    this.#runs.delete(run.id)
    this.#runs.set(run.id, kept)
    return kept
  }

  async run(id: string): Promise<KeptRun | undefined> {
    return this.#runs.get(id)
  }

  async runs(state?: RunState): Promise<readonly KeptRun[]> {
    return [...this.#runs.values()]
      .filter((run) => state === undefined || run.state === state)
      .sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? -1 : 1))
  }

  async page({ limit, owner, state, before }: RunPageWanted): Promise<readonly KeptRun[]> {
    const own = (await this.runs(state)).filter((run) => owner === undefined || run.owner === owner)
    const after = ({ changedAt, id }: KeptRun) =>
      before === undefined || changedAt < before.changedAt || (changedAt === before.changedAt && id > before.id)
    return own.filter(after).slice(0, limit)
  }

  async note(id: string, entries: readonly KeptEntry[], revision: number): Promise<boolean> {
    if (this.#runs.get(id)?.revision !== revision) return false
    const all = this.#entries.get(id) ?? new Map<number, KeptEntry>()
    for (const entry of entries) all.set(entry.place, entry)
    this.#entries.set(id, all)
    return true
  }

  async entries(id: string): Promise<readonly KeptEntry[]> {
    return [...(this.#entries.get(id)?.values() ?? [])].sort((a, b) => a.place - b.place)
  }

  async values(owner: string): Promise<KeptValues> {
    return this.#values.get(owner) ?? new Map()
  }

  async keepValues(owner: string, changes: ValueChanges, bounds: ValueBounds): Promise<KeptValues | undefined> {
    const kept = changedValues(this.#values.get(owner) ?? new Map(), changes, bounds)
    if (kept === undefined) return undefined
    this.#values.delete(owner)
    if (kept.size > 0) this.#values.set(owner, new Map([...kept].sort(([a], [b]) => (a < b ? -1 : 1))))
    let held = [...this.#values.values()].reduce((sum, values) => sum + charactersOf(values), 0)
    for (const [other, values] of this.#values) {
      if (held <= bounds.allCharacters || other === owner) break
      held -= charactersOf(values)
      this.#values.delete(other)
    }
    return kept
  }

  async makeRoom({ since, maxBytes }: StoreBounds): Promise<void> {
    const size = ({ id, body }: KeptRun) =>
      [...(this.#entries.get(id)?.values() ?? [])].reduce((sum, { text }) => sum + text.length, body.length)
    let held = [...this.#runs.values()].reduce((sum, run) => sum + size(run), 0)
    for (const run of this.#runs.values()) {
      if (run.state !== 'ended' || (run.changedAt >= since && held <= maxBytes)) continue
      held -= size(run)
      this.#runs.delete(run.id)
      this.#entries.delete(run.id)
    }
  }

  async close(): Promise<void> {}
}
