// Requests whose work is not over with them. A request whose work asks its caller something gets the questions as its
// result; the caller asks again with the answers, and the work goes on. What a server asks over a connection that is
// open can only be answered over that connection, so such work is held in this process for a while. A run that waits for
// a person is held by nobody: its name is enough, in any process with the same store. A task is such a run, too.
// Invariant: only the caller that was asked can answer, once; work that nobody comes back to is cancelled.

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

/** The methods whose requests may be asked back. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** What a request is answered with, and for whom. */
export interface Asker {
  readonly session: ServedSession
  /** Who may answer what is asked. */
  readonly owner: string
  readonly taskAfterMs: number
  readonly work: Work
}

interface Held {
  readonly owner: string
  readonly request: HeldRequest
}

export class HeldRequests {
  /** By their states. */
  readonly #held = new Map<string, Held & { readonly timer: NodeJS.Timeout }>()
  /** Those whose runs are carried out here and may ask something, by their runs. */
  readonly #tasks = new Map<string, Held>()

  /** Answers a request, or the questions that its work has. */
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
    if (held?.owner !== asker.owner)
      throw new ProtocolError(errorCodes.invalidParams, 'requestState names no question that is open; ask anew')
    this.#forget(state as string)
    return this.#next(held.request, exchange, asker, responses)
  }

  /** The work of a task, where this process carries it out. */
  task(runId: string, owner: string): HeldRequest | undefined {
    const task = this.#tasks.get(runId)
    return task?.owner === owner ? task.request : undefined
  }

  /** Goes on with a run as a task. Resolves when it is underway, or can't be. */
  async goOn(request: ModernRequest, runId: string, asker: Asker, given?: GivenApproval): Promise<void> {
    const params = { ...request.params, name: 'executeToolCode', arguments: { resume: runId } }
    const again = { ...request, method: 'tools/call', params }
    const held = new HeldRequest(again, asker.work, { given, taskAfterMs: asker.taskAfterMs })
    this.#keep(runId, { owner: asker.owner, request: held })
    await held.begun()
  }

  /** Cancels what waits for answers. Tasks go on, here or in the next process. */
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

function waitingResult({ runId, form }: Extract<Outcome, { kind: 'waits' }>): Result {
  return {
    resultType: 'input_required',
    inputRequests: { [APPROVAL]: { method: 'elicitation/create', params: form } },
    requestState: `${runId}.${formDigest(form)}`,
  }
}

/** The run that a state names, and the form that was shown for it: another one is asked about anew. */
function waitingRun(state: unknown): { readonly runId: string; readonly form: string } | undefined {
  const [, runId, form] = (typeof state === 'string' && /^(run-\w+)\.([\w-]{22})$/.exec(state)) || []
  return runId === undefined || form === undefined ? undefined : { runId, form }
}
