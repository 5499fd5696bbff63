// A kept run as the extension `io.modelcontextprotocol/tasks` shows it.
// Invariant: a task shows the stored state of its run, and the questions that are open now.

import type { KeptRunFacts } from '../../../meta-tools/index.js'
import { approvalForm } from '../../elicit-approval.js'
import type { Params } from '../../params.js'
import { isRecord } from '../answer-request.js'
import type { ModernRequest } from './envelope.js'
import { canAnswer, formDigest, type Result } from './held-request.js'

export const TASKS = 'io.modelcontextprotocol/tasks'

/** A run is kept for much longer: see `stateDays`. */
const TTL_MS = 24 * 60 * 60_000
const POLL_MS = 1000

export function acceptsTasks({ capabilities: { extensions } }: ModernRequest): boolean {
  return isRecord(extensions) && isRecord(extensions[TASKS])
}

/** The result of a request that became a task. */
export function createdTask(run: KeptRunFacts): Result {
  return { resultType: 'task', ...taskFields(run), status: run.state === 'paused' ? 'input_required' : 'working' }
}

export function taskFields({ runId, startedAt, changedAt }: KeptRunFacts): Result {
  return {
    taskId: runId,
    createdAt: new Date(startedAt).toISOString(),
    lastUpdatedAt: new Date(changedAt).toISOString(),
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  }
}

/** The approval form of a waiting run, and the key of its answer. Undefined: the run does not wait. */
export function approvalOf(run: KeptRunFacts): { readonly key: string; readonly form: Params } | undefined {
  if (run.state !== 'paused') return undefined
  const form = approvalForm(
    run.calls.filter(({ approval }) => approval === null),
    run.canAlsoCall,
  )
  return { key: `approval-${formDigest(form)}`, form }
}

/** The state of a task that has not ended. `open`: the open questions of servers. */
export function openTask(run: KeptRunFacts, open: Params, { capabilities }: ModernRequest): Result {
  const approval = approvalOf(run)
  const asked =
    approval === undefined ? open : { [approval.key]: { method: 'elicitation/create', params: approval.form } }
  const mayAsk = approval === undefined || canAnswer(capabilities, 'elicitation/create', approval.form)
  if (Object.keys(asked).length > 0 && mayAsk)
    return { ...taskFields(run), status: 'input_required', inputRequests: asked }
  const waits = approval === undefined ? {} : { statusMessage: 'waits until a person has approved its calls' }
  return { ...taskFields(run), status: 'working', ...waits }
}
