// Requests whose work asks their caller something in the middle. A request gets the questions as its result and is over;
// the caller asks again with the answers, and the work goes on. What a server asks over a connection that is open can
// only be answered over that connection, so such work is held in this process for a while. A run that waits for a person
// is held by nobody: its name is enough, in any process with the same store.
// Invariant: only the caller that was asked can answer, once; work that nobody comes back to is cancelled.

import { createHash, randomBytes } from 'node:crypto'
import type { CallerEnd } from '../../caller-end.js'
import { isAtLeast } from '../../log-levels.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord, type Params } from '../answer-request.js'
import type { ModernRequest } from './envelope.js'
import type { Exchange } from './modern-server.js'

type Result = Record<string, unknown>

/** People take their time. */
const ANSWER_MS = 10 * 60_000
const MOST_HELD = 100

/** The methods whose requests may be asked back. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** The other end of a request, whoever waits there at the moment. */
export interface RequestEnd {
  readonly caller: CallerEnd
  readonly notify: Exchange['notify']
}

export type Work = (request: ModernRequest, end: RequestEnd, signal: AbortSignal) => Promise<Result>

export class HeldRequests {
  readonly #held = new Map<string, { readonly owner: string; readonly request: HeldRequest; timer: NodeJS.Timeout }>()

  /** Answers a request, or the questions that its work has. `owner`: who may answer them. */
  async answer(request: ModernRequest, exchange: Exchange, owner: string, work: Work): Promise<Result> {
    const { requestState: state, inputResponses } = request.params
    if (!MAY_ASK.has(request.method) || state === undefined)
      return this.#next(new HeldRequest(request, work), owner, exchange)
    const responses = isRecord(inputResponses) ? inputResponses : {}
    const waiting = waitingRun(state)
    if (waiting !== undefined && request.params.name === 'executeToolCode') {
      const params = { ...request.params, arguments: { resume: waiting.runId } }
      const again = new HeldRequest({ ...request, params }, work, { form: waiting.form, answer: responses[APPROVAL] })
      return this.#next(again, owner, exchange)
    }
    const held = typeof state === 'string' ? this.#held.get(state) : undefined
    if (held?.owner !== owner)
      throw new ProtocolError(errorCodes.invalidParams, 'requestState names no question that is open; ask anew')
    this.#forget(state as string)
    return this.#next(held.request, owner, exchange, responses)
  }

  /** Cancels the work of some owners. */
  endWhere(isOver: (owner: string) => boolean): void {
    for (const [state, { owner, request }] of this.#held) {
      if (!isOver(owner)) continue
      this.#forget(state)
      request.cancel()
    }
  }

  async #next(request: HeldRequest, owner: string, exchange: Exchange, responses: Params = {}): Promise<Result> {
    const result = await request.next(exchange, responses)
    if (result !== undefined) return result
    const own = [...this.#held.values()].filter((one) => one.owner === owner).length
    if (own >= MOST_HELD) {
      request.cancel()
      throw new ProtocolError(errorCodes.refused, `${own} questions to this caller are open; answer them first`)
    }
    const state = randomBytes(24).toString('base64url')
    const timer = setTimeout(() => {
      this.#forget(state)
      request.cancel()
    }, ANSWER_MS).unref()
    this.#held.set(state, { owner, request, timer })
    return { resultType: 'input_required', inputRequests: request.questions(), requestState: state }
  }

  #forget(state: string): void {
    clearTimeout(this.#held.get(state)?.timer)
    this.#held.delete(state)
  }
}

interface OpenQuestion {
  readonly method: string
  readonly params: Params
  readonly answer: (answer: unknown) => void
}

/** The answer to the form of a run that waits. */
interface GivenApproval {
  readonly form: string
  readonly answer: unknown
}

class HeldRequest {
  readonly #request: ModernRequest
  readonly #over = new AbortController()
  readonly #work: Promise<Result>
  readonly #open = new Map<string, OpenQuestion>()
  #asked = 0
  #wake: (() => void) | undefined
  /** Of the request that waits now. */
  #exchange: Exchange | undefined
  #given: GivenApproval | undefined
  #waiting: { readonly runId: string; readonly params: Params } | undefined

  constructor(request: ModernRequest, work: Work, given?: GivenApproval) {
    this.#request = request
    this.#given = given
    // Not before there is somebody to tell.
    this.#work = Promise.resolve().then(() =>
      work(request, { caller: this.#callerEnd(), notify: this.#notify }, this.#over.signal),
    )
    this.#work.catch(() => {})
  }

  cancel(): void {
    this.#over.abort()
  }

  /** Goes on with these answers. Resolves with the result; undefined: there are questions. */
  async next(exchange: Exchange, responses: Params): Promise<Result | undefined> {
    const { signal } = exchange
    const abort = () => this.cancel()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    this.#exchange = exchange
    for (const [key, response] of Object.entries(responses)) {
      if (isRecord(response)) this.#open.get(key)?.answer(response)
    }
    try {
      const result = await Promise.race([this.#work, this.#hasQuestions()])
      return this.#waiting === undefined ? result : waitingResult(this.#waiting)
    } finally {
      this.#exchange = undefined
      signal.removeEventListener('abort', abort)
    }
  }

  /** The open questions, by their keys. */
  questions(): Params {
    const all = [...this.#open].map(([key, { method, params }]) => [key, { method, params }])
    return Object.fromEntries(all)
  }

  /** Questions of one turn of the event loop are asked together. */
  async #hasQuestions(): Promise<undefined> {
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (this.#open.size > 0) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #callerEnd(): CallerEnd {
    const { capabilities, logLevel } = this.#request
    return {
      who: this,
      ask: (method, params, signal) => {
        if (!canAnswer(capabilities, method, params))
          return Promise.reject(new Error(`the caller can't answer ${method}`))
        return this.#ask(method, params, signal)
      },
      decide: async (runId, params) => {
        if (!canAnswer(capabilities, 'elicitation/create', params)) throw new Error('the caller has no forms')
        const given = this.#given
        this.#given = undefined
        if (given?.form === digest(params) && isRecord(given.answer)) return given.answer
        this.#waiting = { runId, params }
        throw new Error('the caller is asked when this request is over')
      },
      tell: (method, params) => {
        if (logLevel === undefined || !isAtLeast(params.level, logLevel)) return
        void this.#notify(method, params).catch(() => {})
      },
    }
  }

  /** Reaches the request that waits now; between two there is nobody to tell. */
  readonly #notify = async (method: string, params: Params): Promise<void> => {
    await this.#exchange?.notify(method, params)
  }

  #ask(method: string, params: Params, signal: AbortSignal): Promise<unknown> {
    const key = `q${++this.#asked}`
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#open.delete(key)
        for (const one of [signal, this.#over.signal]) one.removeEventListener('abort', gone)
      }
      const gone = () => {
        end()
        reject(new Error('nobody waits for the answer'))
      }
      const answer = (given: unknown) => {
        end()
        resolve(given)
      }
      for (const one of [signal, this.#over.signal]) one.addEventListener('abort', gone, { once: true })
      this.#open.set(key, { method, params, answer })
      this.#wake?.()
    })
  }
}

// A run that waits for a person.

const APPROVAL = 'approval'

function waitingResult({ runId, params }: { readonly runId: string; readonly params: Params }): Result {
  return {
    resultType: 'input_required',
    inputRequests: { [APPROVAL]: { method: 'elicitation/create', params } },
    requestState: `${runId}.${digest(params)}`,
  }
}

/** The run that a state names, and the form that was shown for it: another one is asked about anew. */
function waitingRun(state: unknown): { readonly runId: string; readonly form: string } | undefined {
  const [, runId, form] = (typeof state === 'string' && /^(run-\w+)\.([\w-]{22})$/.exec(state)) || []
  return runId === undefined || form === undefined ? undefined : { runId, form }
}

function digest(params: Params): string {
  return createHash('sha256').update(JSON.stringify(params)).digest('base64url').slice(0, 22)
}

/** True if the caller says that it can answer such a question. */
function canAnswer({ elicitation, sampling, roots }: Params, method: string, params: Params): boolean {
  switch (method) {
    case 'elicitation/create': {
      if (!isRecord(elicitation)) return false
      const { form, url } = elicitation
      return params.mode === 'url' ? url !== undefined : form !== undefined || url === undefined
    }
    case 'sampling/createMessage':
      return isRecord(sampling) && ((params.tools ?? params.toolChoice) === undefined || sampling.tools !== undefined)
    case 'roots/list':
      return isRecord(roots)
    default:
      return false
  }
}
