// The tasks of revision 2025-11-25, which has them as an experiment: a tool may demand that its call becomes one. The
// caller of such a tool waits for it as for any other.
// Invariant: a task that nobody waits for any more is cancelled.

import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { Deadline } from './deadline.js'
import type { Params } from './params.js'
import type { PeerRequest } from './peer.js'

type Send = (method: string, params: Params, options: PeerRequest) => Promise<unknown>

const CANCEL_MS = 5000

/** The names of the tools of a list that have to be called as tasks. */
export function toolsWithTasks(result: unknown): string[] {
  const { tools } = (result ?? {}) as { readonly tools?: unknown }
  const listed = Array.isArray(tools) ? (tools as readonly (Params | null)[]) : []
  const needing = listed.filter((tool) => (tool?.execution as Params | undefined)?.taskSupport === 'required')
  return needing.map((tool) => String(tool?.name))
}

/** True if a server with these capabilities runs calls of tools as tasks. */
export function runsTasks({ tasks }: Params): boolean {
  const { requests } = (tasks ?? {}) as { readonly requests?: { readonly tools?: { readonly call?: unknown } } }
  return requests?.tools?.call !== undefined
}

/** Calls a tool as a task, and resolves to the answer of the call. */
export async function callAsTask(params: Params, options: PeerRequest, send: Send): Promise<unknown> {
  const deadline = new Deadline(options)
  const created = await deadline.part((part) => send('tools/call', { ...params, task: {} }, { ...options, ...part }))
  const { task } = (created ?? {}) as { readonly task?: { readonly taskId?: unknown } }
  const taskId = task?.taskId
  // A server that answers at once has no task.
  if (typeof taskId !== 'string') return created
  try {
    // It is answered when the task is over. The task's questions arrive as those of any other request.
    const { caller } = options
    return await deadline.part((part) => send('tasks/result', { taskId }, { ...part, caller }))
  } catch (error) {
    if (!(error instanceof McpError) || options.signal?.aborted || error.code === TIMED_OUT)
      send('tasks/cancel', { taskId }, { timeoutMs: CANCEL_MS }).catch(() => {})
    throw error
  }
}

const TIMED_OUT = -32_001
