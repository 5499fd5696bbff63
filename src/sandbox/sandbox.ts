// The implementation of the sandbox's interface.

import { availableParallelism } from 'node:os'
import type { GuestImage, RunEnd, RunRequest, Sandbox, SandboxOptions } from './contract.js'
import { compileEngine } from './engine-module.js'
import { type Conclusion, HostedRun, runEndOf, type Verdict } from './hosted-run.js'
import { ImageLibrary } from './image-library.js'
import { type Limits, limitCeilings, resolveLimits } from './limits.js'
import { Pool, type PoolJob } from './pool.js'
import { hasSuspension } from './suspension.js'

/** If every run needs a thread, most threads wait most of the time. */
const BLOCKING_WORKERS = 16
/** The longest time that code runs for practice. */
const PRACTICE_MS = 2_000
const NO_STATS = { runMs: 0, callWaitMs: 0, memoryBytes: 0 }

/** Opens a sandbox. Throws a DiagnosticError for wrong limits. Workers start with the first run, or with `warm`. */
export function openSandbox(options: SandboxOptions = {}): Sandbox {
  return new ThreadSandbox(options)
}

class ThreadSandbox implements Sandbox {
  readonly #options: SandboxOptions
  readonly #images = new ImageLibrary()
  readonly #pool: Pool
  /** Cancels the runs. */
  readonly #underway = new Set<() => void>()
  #closed = false

  constructor(options: SandboxOptions) {
    resolveLimits(options.limits, {}, options.ceilings)
    this.#options = options
    const most = { ...limitCeilings, ...options.ceilings }
    const compiled = compileEngine()
    const suspends = options.channel !== 'blocking' && hasSuspension()
    this.#pool = new Pool({
      compiled,
      suspends,
      maxWorkers: options.maxWorkers ?? (suspends ? availableParallelism() : BLOCKING_WORKERS),
      runsPerWorker: options.runsPerWorker ?? 256,
      spareWorkers: options.spareWorkers ?? 1,
      maxWaiting: options.maxWaiting ?? 256,
      maxMemoryBytes: most.memoryBytes,
      maxStackBytes: most.stackBytes,
      handsOn: options.handsOn ?? false,
    })
  }

  get isClosed(): boolean {
    return this.#closed
  }

  async run(request: RunRequest): Promise<RunEnd> {
    const limits = resolveLimits(this.#options.limits, request.limits, this.#options.ceilings)
    const askedAt = performance.now()
    const notRun = (end: Verdict): RunEnd =>
      runEndOf({ ...end, stats: NO_STATS }, { wallMs: performance.now() - askedAt, queueMs: 0 })
    if (this.#closed) return notRun({ kind: 'fault', message: 'the sandbox is closed' })
    if (request.signal?.aborted) return notRun({ kind: 'cancelled' })
    if ((request.sourceBytes ?? Buffer.byteLength(request.code)) > limits.sourceBytes) {
      return notRun({ kind: 'limit', limit: 'sourceBytes', allowed: limits.sourceBytes })
    }
    return this.#queued(request, limits, askedAt)
  }

  /** Waits for a thread, runs there and resolves with the end. */
  #queued(request: RunRequest, limits: Limits, askedAt: number): Promise<RunEnd> {
    const { signal } = request
    const entry = this.#images.entryOf(request.image)
    return new Promise((resolve) => {
      let run: HostedRun | undefined
      let isCancelled = false
      let isOver = false
      let patience: NodeJS.Timeout | undefined
      const end = (conclusion: Conclusion, startedAt = performance.now()): void => {
        const ended = runEndOf(conclusion, { wallMs: performance.now() - askedAt, queueMs: startedAt - askedAt })
        isOver = true
        clearTimeout(patience)
        signal?.removeEventListener('abort', cancel)
        this.#underway.delete(cancel)
        resolve(ended.kind === 'limit' ? { ...ended, allowed: limits[ended.limit] } : ended)
      }
      const cancel = (): void => {
        isCancelled = true
        if (run !== undefined) run.cancel()
        else if (this.#pool.withdraw(job)) end({ kind: 'cancelled', stats: NO_STATS })
      }
      const job: PoolJob = {
        entry,
        group: request.group ?? '',
        start: (place, number) => {
          if (run !== undefined) return run.resume(place, number) ? run : undefined
          clearTimeout(patience)
          const startedAt = performance.now()
          run = new HostedRun(place, number, {
            request,
            limits: { ...limits, wallMs: Math.max(1, Math.round(limits.wallMs - (startedAt - askedAt))) },
            concluded: (conclusion) => end(conclusion, startedAt),
          })
          if (isCancelled) run.cancel()
          return run
        },
        failed: ({ message }) =>
          end(isCancelled ? { kind: 'cancelled', stats: NO_STATS } : { kind: 'fault', message, stats: NO_STATS }),
        refused: () => end({ kind: 'busy', stats: NO_STATS }, askedAt),
      }
      signal?.addEventListener('abort', cancel)
      this.#underway.add(cancel)
      this.#pool.submit(job)
      if (run !== undefined || isOver) return
      // Waiting for a thread counts as the run's time.
      patience = setTimeout(() => {
        if (run === undefined && this.#pool.withdraw(job))
          end({ kind: 'limit', limit: 'wallMs', allowed: limits.wallMs, stats: NO_STATS })
      }, limits.wallMs)
    })
  }

  async warm(image: GuestImage, workers = 1): Promise<void> {
    if (this.#closed) throw new Error('the sandbox is closed')
    await this.#pool.warm(this.#images.entryOf(image), workers)
  }

  practise(image: GuestImage, code: string): void {
    if (this.#closed) return
    const limits = resolveLimits(this.#options.limits, {}, this.#options.ceilings)
    const wallMs = Math.min(limits.wallMs, PRACTICE_MS)
    this.#pool.practise(this.#images.entryOf(image), { code, limits: { ...limits, wallMs } })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const cancel of [...this.#underway]) cancel()
    await this.#pool.close()
  }
}
