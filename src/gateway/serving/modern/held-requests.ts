// Work that outlasts its request. When the work has questions for the caller, the request is answered with them. The
// caller then sends the answers in a second request, and the work continues.
//
// An upstream's question can be answered only over the connection on which it was asked, so this process holds that
// work for a while. A run that waits for an approval is not held: any process with the same store finds it by its name.
// The same applies to tasks.
// Invariant: only the caller that was asked can answer, and only once. Work is cancelled if its caller does not come
// back.

import { randomBytes } from 'node:crypto'
import type { Params } from '../../params.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord } from '../answer-request.js'
import type { ServedSession } from '../served.js'
import type { ModernRequest } from './envelope.js'
import type { Exchange } from './exchange.js'
import { formDigest, type GivenApproval, HeldRequest, type Outcome, type Result, type Work } from './held-request.js'
import { acceptsTasks, createdTask } from './task-view.js'

/** People take their time. */
const ANSWER_MS = 10 * 60_000
const MOST_HELD = 100
const MOST_TASKS = 100

/** Requests of these methods may be answered with questions. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** Who sent a request, and the work that answers it. */
export interface Asker {
  readonly session: ServedSession
  /** Identifies the caller, who alone may answer the questions. */
  readonly owner: string
  readonly taskAfterMs: number
  readonly work: Work
}

interface Held {
  readonly owner: string
  readonly request: HeldRequest
}

export class HeldRequests {
  /** By `requestState`. */
  readonly #held = new Map<string, Held & { readonly timer: NodeJS.Timeout }>()
  /** The tasks that this process carries out, by the names of their runs. */
  readonly #tasks = new Map<string, Held>()

  /** Answers a request with its result, with questions, or with a task. */
  async answer(request: ModernRequest, exchange: Exchange, asker: Asker): Promise<Result> {
    const { requestState: state, inputResponses, name } = request.params
    const isProgram = request.method === 'tools/call' && name === 'executeToolCode'
    const isTask = isProgram && acceptsTasks(request) && this.#count(this.#tasks, asker.owner) < MOST_TASKS
    const taskAfterMs = isTask ? asker.taskAfterMs : undefined
    if (!MAY_ASK.has(request.method) || state === undefined)
      return this.#next(new HeldRequest(request, asker.work, { taskAfterMs }), exchange, asker)
    const responses = isRecord(inputResponses) ? inputResponses : {}
    const waiting = waitingRun(state)
    if (waiting !== undefined && isProgram) {
      const params = { ...request.params, arguments: { resume: waiting.runId } }
      const given = { form: waiting.form, answer: responses[APPROVAL] }
      return this.#next(new HeldRequest({ ...request, params }, asker.work, { given, taskAfterMs }), exchange, asker)
    }
    const held = typeof state === 'string' ? this.#held.get(state) : undefined
    if (held?.owner !== asker.owner) throw new ProtocolError(errorCodes.invalidParams, NO_QUESTION)
    this.#forget(state as string)
    return this.#next(held.request, exchange, asker, responses)
  }

  /** The work of a task. Undefined: this process does not carry it out. */
  task(runId: string, owner: string): HeldRequest | undefined {
    const task = this.#tasks.get(runId)
    return task?.owner === owner ? task.request : undefined
  }

  /** Continues a run as a task. Resolves when the run has started or failed. */
  async goOn(request: ModernRequest, runId: string, asker: Asker, given?: GivenApproval): Promise<void> {
    const params = { ...request.params, name: 'executeToolCode', arguments: { resume: runId } }
    const again = { ...request, method: 'tools/call', params }
    const held = new HeldRequest(again, asker.work, { given, taskAfterMs: asker.taskAfterMs })
    this.#keep(runId, { owner: asker.owner, request: held })
    await held.begun()
  }

  /** Cancels work that waits for answers. Tasks continue, here or in the next process. */
  close(): void {
    for (const state of this.#held.keys()) this.#end(state)
  }

  /** Cancels all work of some owners. */
  endWhere(isOver: (owner: string) => boolean): void {
    for (const [state, { owner }] of this.#held) if (isOver(owner)) this.#end(state)
    for (const { owner, request } of this.#tasks.values()) if (isOver(owner)) request.cancel()
  }

  async #next(request: HeldRequest, exchange: Exchange, asker: Asker, responses: Params = {}): Promise<Result> {
    const { owner, session } = asker
    const outcome = await request.next(exchange, responses)
    switch (outcome.kind) {
      case 'result':
        return outcome.result
      case 'asks':
        return this.#asking({ owner, request })
      case 'waits':
        return waitingResult(outcome)
      case 'task':
        this.#keep(outcome.runId, { owner, request })
        return createdTask(await session.runs.show(outcome.runId))
    }
  }

  #asking({ owner, request }: Held): Result {
    const own = this.#count(this.#held, owner)
    if (own >= MOST_HELD) {
      request.cancel()
      throw new ProtocolError(errorCodes.refused, `${own} questions to this caller are open; answer them first`)
    }
    const state = randomBytes(24).toString('base64url')
    const timer = setTimeout(() => this.#end(state), ANSWER_MS).unref()
    this.#held.set(state, { owner, request, timer })
    return { resultType: 'input_required', inputRequests: request.questions(), requestState: state }
  }

  #keep(runId: string, task: Held): void {
    this.#tasks.set(runId, task)
    void task.request.over.then(() => {
      if (this.#tasks.get(runId) === task) this.#tasks.delete(runId)
    })
  }

  #end(state: string): void {
    this.#held.get(state)?.request.cancel()
    this.#forget(state)
  }

  #forget(state: string): void {
    clearTimeout(this.#held.get(state)?.timer)
    this.#held.delete(state)
  }

  #count(all: ReadonlyMap<string, Held>, owner: string): number {
    return [...all.values()].filter((one) => one.owner === owner).length
  }
}

const APPROVAL = 'approval'

/** The question of an upstream can be answered only in the process that makes the call. */
const NO_QUESTION =
  'requestState names no question that is open here: it was answered, it waited too long, or another process asked it; ' +
  'repeat the request without requestState'

function waitingResult({ runId, form }: Extract<Outcome, { kind: 'waits' }>): Result {
  return {
    resultType: 'input_required',
    inputRequests: { [APPROVAL]: { method: 'elicitation/create', params: form } },
    requestState: `${runId}.${formDigest(form)}`,
  }
}

/** The run that a `requestState` names, and the digest of the form that was shown. A changed form is shown again. */
function waitingRun(state: unknown): { readonly runId: string; readonly form: string } | undefined {
  const [, runId, form] = (typeof state === 'string' && /^(run-\w+)\.([\w-]{22})$/.exec(state)) || []
  return runId === undefined || form === undefined ? undefined : { runId, form }
}
