// The sandbox as its callers see it: a run goes in, an end comes out. Everything is in the rooms' other files; this one joins them.

import { availableParallelism } from 'node:os'
import type { GuestImage, RunEnd, RunRequest, Sandbox, SandboxOptions } from './contract.js'
import { compileEngine } from './engine-module.js'
import type { Conclusion } from './hosted-run.js'
import { HostedRun, runEndOf } from './hosted-run.js'
import { ImageLibrary } from './image-library.js'
import { limitCeilings, resolveLimits } from './limits.js'
import { Pool, type PoolJob } from './pool.js'

const NO_STATS = { runMs: 0, callWaitMs: 0, memoryBytes: 0 }
/** How often a guest looks for its reply before it sleeps: some tens of microseconds. */
const SPINS = 2000

/** Opens a sandbox. Throws a DiagnosticError for wrong limits. Workers start with the first run, or with `warm`. */
export function openSandbox(options: SandboxOptions = {}): Sandbox {
  return new ThreadSandbox(options)
}

class ThreadSandbox implements Sandbox {
  readonly #options: SandboxOptions
  readonly #images = new ImageLibrary()
  readonly #pool: Pool
  readonly #underway = new Set<AbortController>()
  #closed = false

  constructor(options: SandboxOptions) {
    resolveLimits(options.limits, {}, options.ceilings)
    this.#options = options
    const most = { ...limitCeilings, ...options.ceilings }
    const compiled = compileEngine()
    this.#pool = new Pool({
      compiled,
      maxWorkers: options.maxWorkers ?? 16,
      spareWorkers: options.spareWorkers ?? 1,
      maxWaiting: options.maxWaiting ?? 256,
      maxMemoryBytes: most.memoryBytes,
      maxStackBytes: most.stackBytes,
      spins: availableParallelism() > 1 ? SPINS : 0,
    })
  }

  async run(request: RunRequest): Promise<RunEnd> {
    const limits = resolveLimits(this.#options.limits, request.limits, this.#options.ceilings)
    const askedAt = performance.now()
    const ended = (end: Conclusion, startedAt = performance.now()): RunEnd =>
      runEndOf(end, { wallMs: performance.now() - askedAt, queueMs: startedAt - askedAt })
    if (this.#closed) return ended({ kind: 'fault', message: 'the sandbox is closed', stats: NO_STATS })
    if (request.signal?.aborted) return ended({ kind: 'cancelled', stats: NO_STATS })
    if ((request.sourceBytes ?? Buffer.byteLength(request.code)) > limits.sourceBytes) {
      return ended({ kind: 'limit', limit: 'sourceBytes', allowed: limits.sourceBytes, stats: NO_STATS })
    }
    return new Promise((resolve) => {
      // Aborted by the caller and by `close`.
      const cancel = new AbortController()
      const onAbort = (): void => cancel.abort()
      request.signal?.addEventListener('abort', onAbort)
      this.#underway.add(cancel)
      const settle = (end: RunEnd): void => {
        request.signal?.removeEventListener('abort', onAbort)
        this.#underway.delete(cancel)
        resolve(end)
      }
      const job: PoolJob = {
        entry: this.#images.entryOf(request.image),
        group: request.group ?? '',
        start: (thread, number) => {
          const startedAt = performance.now()
          cancel.signal.removeEventListener('abort', withdraw)
          return new HostedRun(thread, number, {
            request: { ...request, signal: cancel.signal },
            limits,
            concluded: (conclusion) => settle(ended(conclusion, startedAt)),
          })
        },
        failed: (error) => {
          if (cancel.signal.aborted) settle(ended({ kind: 'cancelled', stats: NO_STATS }))
          else settle(ended({ kind: 'fault', message: error.message, stats: NO_STATS }))
        },
        refused: () =>
          settle({ kind: 'busy', stats: { ...NO_STATS, wallMs: performance.now() - askedAt, queueMs: 0 } }),
      }
      const withdraw = (): void => {
        if (this.#pool.withdraw(job)) settle(ended({ kind: 'cancelled', stats: NO_STATS }))
      }
      cancel.signal.addEventListener('abort', withdraw)
      this.#pool.submit(job)
    })
  }

  async warm(image: GuestImage, workers = 1): Promise<void> {
    if (this.#closed) throw new Error('the sandbox is closed')
    await this.#pool.warm(this.#images.entryOf(image), workers)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const cancel of [...this.#underway]) cancel.abort()
    await this.#pool.close()
  }
}
