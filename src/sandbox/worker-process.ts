// A child process that holds the worker threads, for hosts that must survive a crash of the engine or of V8. Programs,
// calls, replies, prints and ends cross as they do between host and threads. A lost process is replaced when it is next
// needed.
// Invariant: every run and every task ends exactly once, also when the child dies silently.

import { type ChildProcess, fork } from 'node:child_process'
import { z } from 'zod'
import type { GuestImage, RunEnd, RunRequest, Sandbox, SandboxOptions } from './contract.js'
import type { HostWorkers, HostWorkersOptions, Lesson, WorkEnd, WorkRequest } from './host-workers.js'
import { type LimitName, type Limits, limitNames, resolveLimits } from './limits.js'

/** Messages to the child. */
export type ChildMessage =
  | { readonly kind: 'open'; readonly sandbox: SandboxOptions; readonly workers: HostWorkersOptions }
  | { readonly kind: 'image'; readonly image: number; readonly source: GuestImage }
  | { readonly kind: 'warm'; readonly image: number | undefined; readonly workers: number }
  | ({ readonly kind: 'run'; readonly run: number; readonly image: number } & ChildRun)
  | { readonly kind: 'reply'; readonly run: number; readonly id: number; readonly text: string }
  | { readonly kind: 'stop'; readonly number: number }
  | { readonly kind: 'learn'; readonly lesson: number; readonly piece: unknown }
  | { readonly kind: 'forget'; readonly lesson: number }
  | { readonly kind: 'work'; readonly job: number; readonly lessons: readonly number[]; readonly request: ChildWork }

type ChildRun = Pick<RunRequest, 'code' | 'sourceBytes' | 'group'> & { readonly limits: Limits }
type ChildWork = Pick<WorkRequest, 'input' | 'withinMs' | 'workMs' | 'group'>

const count = z.int().min(0)
const amount = z.number().min(0)
const stats = z.object({
  wallMs: amount,
  queueMs: amount,
  runMs: amount,
  callWaitMs: amount,
  memoryBytes: amount,
})
const runEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), payload: z.string(), stats }),
  z.object({ kind: z.literal('threw'), name: z.string(), message: z.string(), stack: z.string(), stats }),
  z.object({ kind: z.literal('limit'), limit: z.enum(limitNames as [LimitName]), allowed: amount, stats }),
  z.object({ kind: z.enum(['cancelled', 'busy', 'lost']), stats }),
  z.object({ kind: z.literal('fault'), message: z.string(), stats }),
]) satisfies z.ZodType<RunEnd>
const workEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), value: z.unknown(), workMs: amount }),
  z.object({ kind: z.literal('late'), limit: z.enum(['withinMs', 'workMs']) }),
  z.object({ kind: z.enum(['memory', 'cancelled', 'busy', 'lost']) }),
  z.object({ kind: z.literal('fault'), message: z.string() }),
])
/** Messages of the child. It has run untrusted code, so they are checked. */
const hostNews = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), run: count, id: count, payload: z.string(), waits: z.boolean() }),
  z.object({ kind: z.literal('print'), run: count, text: z.string() }),
  z.object({ kind: z.literal('ended'), run: count, end: runEnd }),
  z.object({ kind: z.literal('worked'), job: count, end: workEnd }),
])

export type HostNews = z.infer<typeof hostNews>

/** The time after its limit in which the child itself may still end a run. */
const GRACE_MS = 5_000
/** The number of unused lessons that a child keeps. */
const KEPT_LESSONS = 256
const NO_STATS = { wallMs: 0, queueMs: 0, runMs: 0, callWaitMs: 0, memoryBytes: 0 }

interface Underway {
  readonly news: (news: HostNews) => void
  readonly lost: () => void
}

/** A sandbox and host workers in a child process. Both share it, and closing either of them is closing both. */
export class WorkerProcess {
  readonly sandbox: Sandbox
  readonly workers: HostWorkers
  readonly #settings: { readonly sandbox: SandboxOptions; readonly workers: HostWorkersOptions }
  /** Runs and pieces of work by their numbers, over all children. */
  readonly #underway = new Map<number, Underway>()
  #last = 0
  #child: Child | undefined
  #closed = false

  constructor(sandbox: SandboxOptions, workers: HostWorkersOptions) {
    resolveLimits(sandbox.limits, {}, sandbox.ceilings)
    this.#settings = { sandbox, workers }
    const isClosed = () => this.#closed
    this.sandbox = {
      get isClosed() {
        return isClosed()
      },
      run: (request) => this.#run(request),
      warm: async (image, workers = 1) =>
        this.#tell((child) => ({ kind: 'warm', image: child.imageOf(image), workers })),
      practise: () => undefined,
      close: () => this.#close(),
    }
    this.workers = {
      run: (request) => this.#work(request),
      warm: () => this.#tell(() => ({ kind: 'warm', image: undefined, workers: 1 })),
      practise: async () => undefined,
      close: () => this.#close(),
    }
  }

  #run(request: RunRequest): Promise<RunEnd> {
    const { sandbox } = this.#settings
    const { code, sourceBytes, group, image, signal, onCall, onPrint } = request
    const limits = resolveLimits(sandbox.limits, request.limits, sandbox.ceilings)
    const calls = new AbortController()
    return new Promise((resolve) => {
      const number = ++this.#last
      const watchdog = setTimeout(() => this.#child?.kill(), limits.wallMs + GRACE_MS)
      const stop = (): void => this.#child?.tell({ kind: 'stop', number })
      const end = (ended: RunEnd): void => {
        if (!this.#underway.delete(number)) return
        clearTimeout(watchdog)
        signal?.removeEventListener('abort', stop)
        calls.abort()
        this.#rest()
        resolve(ended)
      }
      const failed = (error: unknown): void =>
        end({ kind: 'fault', message: `a call failed in the host: ${wordsOf(error)}`, stats: NO_STATS })
      const answer = async (call: { id: number; payload: string; waits: boolean }): Promise<void> => {
        const text = await onCall(call, calls.signal)
        if (this.#underway.has(number)) this.#child?.tell({ kind: 'reply', run: number, id: call.id, text })
      }
      this.#underway.set(number, {
        lost: () => end({ kind: this.#closed ? 'cancelled' : 'lost', stats: NO_STATS }),
        news: (news) => {
          if (news.kind === 'print') onPrint?.(news.text)
          else if (news.kind === 'call') answer(news).catch(failed)
          else if (news.kind === 'ended') end(news.end)
        },
      })
      if (this.#closed) return end({ kind: 'fault', message: 'the sandbox is closed', stats: NO_STATS })
      if (signal?.aborted) return end({ kind: 'cancelled', stats: NO_STATS })
      signal?.addEventListener('abort', stop)
      const more = { ...(sourceBytes === undefined ? {} : { sourceBytes }), ...(group === undefined ? {} : { group }) }
      this.#tell((child) => ({ kind: 'run', run: number, image: child.imageOf(image), code, limits, ...more }))
    })
  }

  #work(request: WorkRequest): Promise<WorkEnd> {
    const { input, withinMs, workMs, group, signal, lessons = [] } = request
    return new Promise((resolve) => {
      const number = ++this.#last
      const watchdog = setTimeout(() => this.#child?.kill(), Math.max(0, withinMs) + GRACE_MS)
      const stop = (): void => this.#child?.tell({ kind: 'stop', number })
      const end = (ended: WorkEnd): void => {
        if (!this.#underway.delete(number)) return
        clearTimeout(watchdog)
        signal?.removeEventListener('abort', stop)
        this.#rest()
        resolve(ended)
      }
      this.#underway.set(number, {
        lost: () => end({ kind: this.#closed ? 'cancelled' : 'lost' }),
        news: (news) => {
          if (news.kind === 'worked') end(news.end)
        },
      })
      if (this.#closed) return end({ kind: 'fault', message: 'the host workers are closed' })
      if (signal?.aborted) return end({ kind: 'cancelled' })
      signal?.addEventListener('abort', stop)
      const work = { input, withinMs, workMs, ...(group === undefined ? {} : { group }) }
      const child = this.#started()
      child
        .teach(lessons)
        .then(() => {
          const ids = lessons.map(({ id }) => id)
          if (this.#underway.has(number)) child.tell({ kind: 'work', job: number, lessons: ids, request: work })
        })
        .catch((error: unknown) => end({ kind: 'fault', message: wordsOf(error) }))
    })
  }

  #tell(message: (child: Child) => ChildMessage): void {
    const child = this.#started()
    child.tell(message(child))
  }

  #started(): Child {
    if (this.#child === undefined) {
      const child = new Child(
        (news) => this.#underway.get(news.kind === 'worked' ? news.job : news.run)?.news(news),
        () => {
          if (this.#child === child) this.#child = undefined
          for (const { lost } of [...this.#underway.values()]) lost()
        },
      )
      child.tell({ kind: 'open', ...this.#settings })
      this.#child = child
    }
    this.#child.reference(this.#underway.size > 0)
    return this.#child
  }

  /** A child without work does not keep the process alive. */
  #rest(): void {
    if (this.#underway.size === 0) this.#child?.reference(false)
  }

  async #close(): Promise<void> {
    this.#closed = true
    await this.#child?.end()
  }
}

class Child {
  readonly #process: ChildProcess
  readonly #gone: Promise<void>
  readonly #images = new Map<GuestImage, number>()
  readonly #lessons = new Map<number, Promise<void>>()

  constructor(news: (news: HostNews) => void, lost: () => void) {
    this.#process = fork(new URL('./worker-process-main.js', import.meta.url), [], {
      serialization: 'advanced',
      // Nothing of this process is passed on: no environment, no options, no streams.
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#process.on('message', (raw) => {
      const read = hostNews.safeParse(raw)
      if (read.success) news(read.data)
      else this.kill()
    })
    // Starting failed, or a message could not be sent; the event for its end follows.
    this.#process.on('error', () => this.kill())
    this.#gone = new Promise((resolve) => {
      this.#process.on('exit', () => {
        lost()
        resolve()
      })
    })
  }

  tell(message: ChildMessage): void {
    if (this.#process.connected) this.#process.send(message)
  }

  /** The number by which the child knows an image. */
  imageOf(image: GuestImage): number {
    let number = this.#images.get(image)
    if (number === undefined) {
      number = this.#images.size
      this.#images.set(image, number)
      const { name, source, date, kept } = image
      const more = { ...(date === undefined ? {} : { date }), ...(kept === undefined ? {} : { kept }) }
      this.tell({ kind: 'image', image: number, source: { name, source, ...more } })
    }
    return number
  }

  /** Sends missing lessons, with turns of the event loop between. */
  async teach(lessons: readonly Lesson[]): Promise<void> {
    await Promise.all(
      lessons.map((lesson) => {
        const told = this.#lessons.get(lesson.id) ?? this.#lesson(lesson)
        // The most recently used one is last.
        this.#lessons.delete(lesson.id)
        this.#lessons.set(lesson.id, told)
        return told
      }),
    )
    for (const id of this.#lessons.keys()) {
      if (this.#lessons.size <= Math.max(KEPT_LESSONS, lessons.length)) break
      this.#lessons.delete(id)
      this.tell({ kind: 'forget', lesson: id })
    }
  }

  async #lesson(lesson: Lesson): Promise<void> {
    for (const piece of lesson.pieces()) {
      this.tell({ kind: 'learn', lesson: lesson.id, piece })
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  reference(on: boolean): void {
    if (on) {
      this.#process.ref()
      this.#process.channel?.ref()
    } else {
      this.#process.unref()
      this.#process.channel?.unref()
    }
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  async end(): Promise<void> {
    this.reference(true)
    this.kill()
    await this.#gone
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
