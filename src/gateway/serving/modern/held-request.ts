// The work of one request, which may ask its caller something in the middle, and may outlast the request.
// Invariant: it is told to the request that waits for it now, and ends with that request unless it becomes a task.

import { createHash } from 'node:crypto'
import type { CallerEnd } from '../../caller-end.js'
import { isAtLeast } from '../../log-levels.js'
import type { Params } from '../../params.js'
import { isRecord } from '../answer-request.js'
import type { ModernRequest } from './envelope.js'
import type { Exchange } from './exchange.js'

export type Result = Record<string, unknown>

/** The other end of a request, whoever waits there at the moment. */
export interface RequestEnd {
  readonly caller: CallerEnd
  readonly notify: Exchange['notify']
  /** Is told the name of the run, which may become a task. */
  readonly onKept?: (runId: string) => void
}

export type Work = (request: ModernRequest, end: RequestEnd, signal: AbortSignal) => Promise<Result>

interface OpenQuestion {
  readonly method: string
  readonly params: Params
  readonly answer: (answer: unknown) => void
}

/** The answer to the form of a run that waits. */
export interface GivenApproval {
  /** Its digest. */
  readonly form: string
  readonly answer: unknown
}

export interface HeldOptions {
  readonly given?: GivenApproval | undefined
  /** The time after which the request answers with a task; undefined: never. */
  readonly taskAfterMs?: number | undefined
}

/** Why a request is over: with its result, with questions, or because a run goes on or waits without it. */
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
  /** Of the request that waits now. */
  #exchange: Exchange | undefined
  #given: GivenApproval | undefined
  #waiting: { readonly runId: string; readonly form: Params } | undefined
  #runId: string | undefined
  #foundRun: () => void = () => {}
  /** Resolves when its run is kept. */
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
    // Not before there is somebody to tell.
    this.#work = Promise.resolve().then(() => work(request, end, this.#over.signal))
    this.over = this.#work.then(none, none)
  }

  /** Resolves when there is nothing left to do. */
  readonly over: Promise<void>

  /** Resolves when its run is found by others, or it is over. */
  async begun(): Promise<void> {
    await Promise.race([this.#kept, this.over])
  }

  cancel(): void {
    this.#over.abort()
  }

  /** Goes on with these answers, for a request that waits. */
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

  /** Answers open questions; what is no answer to one is ignored. */
  give(responses: Params): void {
    for (const [key, response] of Object.entries(responses))
      if (isRecord(response)) this.#open.get(key)?.answer(response)
  }

  /** The open questions, by their keys. */
  questions(): Params {
    const all = [...this.#open].map(([key, { method, params }]) => [key, { method, params }])
    return Object.fromEntries(all)
  }

  async #ended(): Promise<Outcome> {
    const result = await this.#work
    return this.#waiting === undefined ? { kind: 'result', result } : { kind: 'waits', ...this.#waiting }
  }

  /** When its caller waits no longer. */
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

  /** Questions of one turn of the event loop are asked together. */
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

export function formDigest(form: Params): string {
  return createHash('sha256').update(JSON.stringify(form)).digest('base64url').slice(0, 22)
}

/** True if the caller says that it can answer such a question. */
export function canAnswer({ elicitation, sampling, roots }: Params, method: string, params: Params): boolean {
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

function none(): void {}
