// The answers of a failed run that a corrected program reuses, as its ledger has them: another process carried it out, or
// this one has forgotten it.

import { toolCalled } from '../../bindings/index.js'
import type { RunContext } from '../run-context.js'
import type { EarlierRun } from '../run-history.js'
import type { AnsweredCall } from './answered-calls.js'

/** Undefined: its caller has no such run. */
export async function earlierRun(
  runId: string,
  { keeping, bindings, readsAhead }: RunContext,
): Promise<EarlierRun | undefined> {
  const kept = await keeping?.runs.failed(runId, { name: keeping.owner, seesAll: keeping.seesAll })
  if (kept === undefined) return undefined
  const calls: AnsweredCall[] = []
  let writes = 0
  for (const { call, record, reply, hides } of kept.calls) {
    if (call === undefined || record === undefined) continue
    const tool = toolCalled(bindings.servers, call)?.tool
    const mayWrite = tool === undefined || readsAhead?.(call.server, tool) !== true
    if (reply !== undefined && hides !== true)
      calls.push({ sent: call, writesBefore: mayWrite ? undefined : writes, record, reply })
    if (mayWrite) writes++
  }
  const { world, lookups } = kept.settings
  return calls.length === 0 ? undefined : { calls, world, lookups }
}
