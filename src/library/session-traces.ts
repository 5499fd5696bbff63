// One caller's access to the kept traces of agents. Knows the owner of a trace; its content is the agents' concern.
// Invariant: a caller sees no trace of another one unless it sees the runs of all callers.

import { DiagnosticError } from '../diagnostics/index.js'
import { type KeptTrace, noSuchTrace, type TraceBounds, type TraceStore, traceOfAnother } from '../state/index.js'
import { checkValue, option } from './check-options.js'

/**
 * A trace as a list shows it. `facts` are those of the agent that kept it.
 *
 * @example
 * import { CodeMode, type TraceEntry } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const traces: readonly TraceEntry[] = await codeMode.traces.list()
 * for (const { traceId, changedAt } of traces) console.log(traceId, new Date(changedAt).toISOString())
 */
export interface TraceEntry {
  readonly traceId: string
  /** The caller who had the conversation. */
  readonly owner: string
  /** In milliseconds since 1970. */
  readonly changedAt: number
  /** JSON. */
  readonly facts: unknown
}

/**
 * The kept traces that a caller may see: its own, or all of them with `mayApprove`. A missing trace and another
 * caller's trace reject with the same DiagnosticError.
 *
 * @example
 * import { CodeMode, type SessionTraces } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const traces: SessionTraces = codeMode.traces
 * await traces.keep({ traceId: 'mine-1', facts: { model: 'none' }, messages: [{ role: 'user', content: 'hello' }] })
 * console.log((await traces.show('mine-1')).messages)
 */
export interface SessionTraces {
  /** Keeps a trace, in place of that of the same name. All of them is JSON. */
  keep(trace: { readonly traceId: string; readonly facts: object; readonly messages: readonly object[] }): Promise<void>
  /** The last changed comes first. */
  list(): Promise<readonly TraceEntry[]>
  /** One of them, with its messages. */
  show(traceId: string): Promise<TraceEntry & { readonly messages: readonly unknown[] }>
  /** Deletes one of them. */
  delete(traceId: string): Promise<void>
}

export interface TracesParts {
  readonly store: TraceStore
  /** The moment in milliseconds since 1970, by the clock of the store. */
  readonly now: () => number
  readonly bounds: () => TraceBounds
  /** Takes credentials out of JSON text. */
  readonly hide: (json: string) => string
}

/** The kept traces as a caller sees them. */
export function sessionTraces(
  { store, now, bounds, hide }: TracesParts,
  viewer: () => { readonly name: string; readonly seesAll: boolean },
): SessionTraces {
  const isSeen = ({ owner }: KeptTrace): boolean => viewer().seesAll || owner === viewer().name
  const seen = async (method: string, traceId: string) => {
    checkValue(`traces.${method}:`, 'traceId', traceId, option.string)
    const trace = await store.named(traceId)
    if (trace === undefined || !isSeen(trace)) throw new DiagnosticError(noSuchTrace(traceId))
    return trace
  }
  return {
    async keep({ traceId, facts, messages }) {
      checkValue('traces.keep:', 'traceId', traceId, option.string)
      const json = { facts: hide(JSON.stringify(facts)), messages: hide(JSON.stringify(messages)) }
      const isKept = await store.keep({ id: traceId, owner: viewer().name, changedAt: now(), ...json }, bounds())
      if (!isKept) throw new DiagnosticError(traceOfAnother(traceId))
    },
    list: async () => (await store.all()).filter(isSeen).map(entryOf),
    async show(traceId) {
      const trace = await seen('show', traceId)
      return { ...entryOf(trace), messages: JSON.parse(trace.messages) as unknown[] }
    },
    async delete(traceId) {
      const { id, owner } = await seen('delete', traceId)
      return store.remove(id, owner)
    },
  }
}

function entryOf({ id, owner, changedAt, facts }: KeptTrace): TraceEntry {
  return { traceId: id, owner, changedAt, facts: JSON.parse(facts) as unknown }
}
