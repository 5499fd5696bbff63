// The methods of the extension `io.modelcontextprotocol/tasks`. A task is a kept run. Its state, questions and result come
// from the store, whichever process started it.

import { DiagnosticError } from '../../../diagnostics/index.js'
import type { KeptRunFacts } from '../../../meta-tools/index.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord, toResult } from '../answer-request.js'
import type { ModernRequest } from './envelope.js'
import type { Result } from './held-request.js'
import type { Asker, HeldRequests } from './held-requests.js'
import { acceptsTasks, approvalOf, openTask, TASKS, taskFields } from './task-view.js'

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

type TaskMethod = (typeof METHODS)[number]

export function isTaskMethod(method: string): method is TaskMethod {
  return (METHODS as readonly string[]).includes(method)
}

interface TaskAsker extends Asker {
  /** Answers have structured content beside their text. */
  readonly structured: boolean
}

/** Rejects with a ProtocolError if the caller has no such task. */
export async function answerTask(
  method: TaskMethod,
  request: ModernRequest,
  held: HeldRequests,
  asker: TaskAsker,
): Promise<Result> {
  if (!acceptsTasks(request)) {
    const data = { requiredCapabilities: { extensions: { [TASKS]: {} } } }
    throw new ProtocolError(errorCodes.missingCapability, `this needs the extension ${TASKS}`, data)
  }
  const run = await runOf(request, asker)
  switch (method) {
    case 'tasks/get':
      return seen(run, request, held, asker)
    case 'tasks/update':
      await update(run, request, held, asker)
      return {}
    case 'tasks/cancel':
      await asker.session.runs.cancel(run.runId)
      return {}
  }
}

async function runOf({ params }: ModernRequest, { session }: TaskAsker): Promise<KeptRunFacts> {
  const { taskId } = params
  if (typeof taskId !== 'string') throw new ProtocolError(errorCodes.invalidParams, 'taskId is missing')
  try {
    return await session.runs.show(taskId)
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    throw new ProtocolError(errorCodes.invalidParams, error.diagnostics[0]!.message)
  }
}

async function seen(run: KeptRunFacts, request: ModernRequest, held: HeldRequests, asker: TaskAsker): Promise<Result> {
  const { ending, runId, state } = run
  if (ending?.error?.code === 'cancelled') return { ...taskFields(run), status: 'cancelled' }
  if (ending !== null) {
    const file = { fileName: `runs/${runId}` }
    const answer = await asker.session.call('readToolFile', file, { signal: new AbortController().signal })
    return { ...taskFields(run), status: 'completed', result: toResult(answer, asker.structured) }
  }
  const here = held.task(runId, asker.owner)
  // Somebody else has answered, or the process of the run is gone: this process continues the run.
  if (here === undefined && (state === 'approved' || state === 'interrupted')) void held.goOn(request, runId, asker)
  return openTask(run, here?.questions() ?? {}, request)
}

async function update(run: KeptRunFacts, request: ModernRequest, held: HeldRequests, asker: TaskAsker): Promise<void> {
  const { inputResponses } = request.params
  if (!isRecord(inputResponses)) throw new ProtocolError(errorCodes.invalidParams, 'inputResponses are not an object')
  held.task(run.runId, asker.owner)?.give(inputResponses)
  const approval = approvalOf(run)
  const answer = approval === undefined ? undefined : inputResponses[approval.key]
  if (approval === undefined || !isRecord(answer)) return
  const form = approval.key.slice(approval.key.indexOf('-') + 1)
  await held.goOn(request, run.runId, asker, { form, answer })
}
