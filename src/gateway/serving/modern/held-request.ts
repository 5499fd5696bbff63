// The work that one request started. It may put questions to its caller and then spans several requests.
// Invariant: at most one request waits for the work at a time. If that request is cancelled, the work is cancelled,
// unless it has become a task.

import { createHash } from 'node:crypto'
import type { CallerEnd } from '../../caller-end.js'
import { isAtLeast } from '../../log-levels.js'
import type { Params } from '../../params.js'
import { isRecord } from '../answer-request.js'
import type { ModernRequest } from './envelope.js'
import type { Exchange } from './exchange.js'

export type Result = Record<string, unknown>

/** The caller's end of the work: the request that waits at the moment. */
interface RequestEnd {
  readonly caller: CallerEnd
  readonly notify: Exchange['notify']
  /** Receives the name of the run, which may become a task. */
  readonly onKept?: (runId: string) => void
}

export type Work = (request: ModernRequest, end: RequestEnd, signal: AbortSignal) => Promise<Result>

interface OpenQuestion {
  readonly method: string
  readonly params: Params
  readonly answer: (answer: unknown) => void
}

/** The answer to the approval form of a waiting run. */
export interface GivenApproval {
  /** The digest of the form. */
  readonly form: string
  readonly answer: unknown
}

interface HeldOptions {
  readonly given?: GivenApproval | undefined
  /** The time after which the request is answered with a task. Undefined: never. */
  readonly taskAfterMs?: number | undefined
}

/** How a request ends: with a result, with questions, or while its run waits or continues as a task. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'asks' }
  | { readonly kind: 'waits'; readonly runId: string; readonly form: Params }
  | { readonly kind: 'task'; readonly runId: string }

export class HeldRequest {
  readonly #request: ModernRequest
  readonly #taskAfterMs: number | undefined
  readonly #began = performance.now()
  readonly #over = new AbortController()
  readonly #work: Promise<Result>
  readonly #open = new Map<string, OpenQuestion>()
  #asked = 0
  #wake: (() => void) | undefined
  /** The exchange of the request that waits now. */
  #exchange: Exchange | undefined
  #given: GivenApproval | undefined
  #waiting: { readonly runId: string; readonly form: Params } | undefined
  #runId: string | undefined
  #foundRun: () => void = () => {}
  /** Resolves when the run is stored. */
  readonly #kept = new Promise<void>((resolve) => {
    this.#foundRun = resolve
  })

  constructor(request: ModernRequest, work: Work, { given, taskAfterMs }: HeldOptions = {}) {
    this.#request = request
    this.#given = given
    this.#taskAfterMs = taskAfterMs
    const onKept = (runId: string) => {
      this.#runId = runId
      this.#foundRun()
    }
    const end = { caller: this.#callerEnd(), notify: this.#notify, ...(taskAfterMs === undefined ? {} : { onKept }) }
    // The work starts in a later turn, when a request waits for it.
    this.#work = Promise.resolve().then(() => work(request, end, this.#over.signal))
    this.over = this.#work.then(none, none)
  }

  /** Resolves when the work has ended. */
  readonly over: Promise<void>

  /** Resolves when the run is stored, or the work has ended. */
  async begun(): Promise<void> {
    await Promise.race([this.#kept, this.over])
  }

  cancel(): void {
    this.#over.abort()
  }

  /** Continues the work with these answers until the waiting request can be answered. */
  async next(exchange: Exchange, responses: Params): Promise<Outcome> {
    const { signal } = exchange
    const abort = () => this.cancel()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    this.#exchange = exchange
    this.give(responses)
    const late = this.#late()
    try {
      const outcome = await Promise.race([this.#ended(), this.#hasQuestions(), late.task])
      const isTask = this.#taskAfterMs !== undefined && outcome.kind === 'waits'
      return isTask ? { kind: 'task', runId: outcome.runId } : outcome
    } finally {
      late.forget()
      this.#exchange = undefined
      signal.removeEventListener('abort', abort)
    }
  }

  /** Answers open questions. Other responses are ignored. */
  give(responses: Params): void {
    for (const [key, response] of Object.entries(responses))
      if (isRecord(response)) this.#open.get(key)?.answer(response)
  }

  /** The open questions, by key. */
  questions(): Params {
    const all = [...this.#open].map(([key, { method, params }]) => [key, { method, params }])
    return Object.fromEntries(all)
  }

  async #ended(): Promise<Outcome> {
    const result = await this.#work
    return this.#waiting === undefined ? { kind: 'result', result } : { kind: 'waits', ...this.#waiting }
  }

  /** Resolves when the request is to be answered with a task. */
  #late(): { readonly task: Promise<Outcome>; readonly forget: () => void } {
    let timer: NodeJS.Timeout | undefined
    const task = new Promise<Outcome>((resolve) => {
      if (this.#taskAfterMs === undefined) return
      const left = this.#taskAfterMs - (performance.now() - this.#began)
      const isLate = () => void this.#kept.then(() => resolve({ kind: 'task', runId: this.#runId! }))
      timer = setTimeout(isLate, Math.max(0, left))
    })
    return { task, forget: () => clearTimeout(timer) }
  }

  /** Questions that arise in the same turn of the event loop are sent together. */
  async #hasQuestions(): Promise<Outcome> {
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (this.#open.size > 0) return { kind: 'asks' }
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
      decide: async (runId, form) => {
        const hasForms = canAnswer(capabilities, 'elicitation/create', form)
        if (!hasForms && this.#taskAfterMs === undefined) throw new Error('the caller has no forms')
        const given = this.#given
        this.#given = undefined
        if (given?.form === formDigest(form) && isRecord(given.answer)) return given.answer
        this.#waiting = { runId, form }
        throw new Error('the caller is asked when this request is over')
      },
      tell: (method, params) => {
        if (logLevel === undefined || !isAtLeast(params.level, logLevel)) return
        void this.#notify(method, params).catch(() => {})
      },
    }
  }

  /** Notifies the request that waits now. Between two requests, notifications are dropped. */
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

export function formDigest(form: Params): string {
  return createHash('sha256').update(JSON.stringify(form)).digest('base64url').slice(0, 22)
}

/** True if the caller's capabilities cover such a question. */
export function canAnswer({ elicitation, sampling }: Params, method: string, params: Params): boolean {
  switch (method) {
    case 'elicitation/create': {
      if (!isRecord(elicitation)) return false
      const { form, url } = elicitation
      return params.mode === 'url' ? url !== undefined : form !== undefined || url === undefined
    }
    case 'sampling/createMessage':
      return isRecord(sampling) && ((params.tools ?? params.toolChoice) === undefined || sampling.tools !== undefined)
    default:
      return false
  }
}

function none(): void {}
