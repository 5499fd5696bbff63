// Calls that a server answers with a task (the extension `io.modelcontextprotocol/tasks`). The task is polled until it
// has ended.
// Invariant: each question is answered once, and a task is cancelled when nobody waits for it any more.

import { setTimeout as sleep } from 'node:timers/promises'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Deadline } from '../deadline.js'
import type { Params } from '../params.js'
import type { PeerOptions, PeerRequest } from '../peer.js'
import { SPELLING } from '../reading/spelling.js'
import { answersTo, questions } from './input.js'

/** The capability of a client that supports tasks. */
export const TASKS = { 'io.modelcontextprotocol/tasks': {} }

const POLL_MS = 1000
const [LEAST_POLL_MS, MOST_POLL_MS] = [50, 60_000]
const CANCEL_MS = 5000
/** The maximum number of failed polls: the task itself may go on. */
const MOST_FAILURES = 5

const task = z.looseObject({
  taskId: z.string(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional().catch(undefined),
  pollIntervalMs: z.number().optional().catch(undefined),
  result: z.looseObject({}).optional(),
  error: z
    .looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional()
    .catch(undefined),
})
type Task = z.infer<typeof task>

interface TaskCall {
  readonly options: PeerRequest
  readonly deadline: Deadline
  readonly onRequest: PeerOptions['onRequest']
  readonly send: (method: string, params: Params, options: PeerRequest) => Promise<unknown>
}

/** Resolves to the result of the call. */
export async function endOfTask(created: unknown, call: TaskCall): Promise<unknown> {
  let now = taskIn(created)
  const { taskId } = now
  const answered = new Set<string>()
  try {
    for (let told = 0; ; told++) {
      if (now.statusMessage !== undefined) call.options.onProgress?.({ progress: told, message: now.statusMessage })
      if (now.status === 'completed' && now.result !== undefined) return now.result
      if (now.status === 'failed') throw failureOf(now)
      if (now.status === 'cancelled') throw new McpError(ErrorCode.InternalError, 'it has cancelled the task')
      if (now.status === 'input_required') await answer(now, answered, call)
      now = await next(now, call)
    }
  } catch (error) {
    const isOver = now.status === 'failed' || now.status === 'cancelled'
    if (!isOver) call.send('tasks/cancel', { taskId }, { timeoutMs: CANCEL_MS }).catch(() => {})
    throw error
  }
}

/** The next state of the task. */
async function next({ taskId, pollIntervalMs = POLL_MS, status }: Task, { deadline, send }: TaskCall): Promise<Task> {
  // The result of a completed task can be fetched at once.
  const pause = status === 'completed' ? LEAST_POLL_MS : pollIntervalMs
  for (let failures = 0; ; failures++) {
    const ms = Math.min(MOST_POLL_MS, Math.max(LEAST_POLL_MS, pause))
    await deadline.part(({ signal }) => sleep(ms, undefined, { signal }))
    try {
      return taskIn(await deadline.part((part) => send('tasks/get', { taskId }, part)))
    } catch (error) {
      if (error instanceof McpError || failures >= MOST_FAILURES) throw error
    }
  }
}

async function answer({ taskId, inputRequests }: Task, answered: Set<string>, call: TaskCall): Promise<void> {
  const { deadline, options, onRequest, send } = call
  const open = Object.entries(questions(inputRequests)).filter(([name]) => !answered.has(name))
  if (open.length === 0) return
  const asked = Object.fromEntries(open)
  const inputResponses = await deadline.part(({ signal }) => answersTo(asked, { ...options, signal }, onRequest))
  for (const [name] of open) answered.add(name)
  await deadline.part((part) => send('tasks/update', { taskId, inputResponses }, part))
}

function taskIn(raw: unknown): Task {
  const { data } = task.safeParse(raw)
  if (data === undefined) throw new McpError(ErrorCode.InvalidRequest, 'it answered with a task that is none')
  // A long message is read as a whole, and the spelling of its data is beside it.
  const { result, [SPELLING]: spelling } = data
  if (result !== undefined && spelling !== undefined) result[SPELLING] = spelling
  return data
}

function failureOf({ error, statusMessage = 'the task has failed' }: Task): McpError {
  return error === undefined
    ? new McpError(ErrorCode.InternalError, statusMessage)
    : McpError.fromError(error.code, error.message, error.data)
}
