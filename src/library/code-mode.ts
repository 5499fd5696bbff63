// `CodeMode`: what `open` made, as the session that may call everything.
// Invariant: after `close` nothing that `open` started is at work. Only idle threads may be alive, for a moment.

import { availableParallelism } from 'node:os'
import { DiagnosticError, seenFrom } from '../diagnostics/index.js'
import {
  type BindingLevel,
  type CallerFacts,
  type HttpRoutes,
  type HttpServing,
  offersOf,
  serveHttp,
  termsOf,
} from '../gateway/index.js'
import { type CallerOfRun, noQueue } from '../meta-tools/index.js'
import { checkOf, option, optionsOf } from './check-options.js'
import { countStates, liveServers, type Servers } from './live-servers.js'
import type { OpenOptions } from './open-options.js'
import { openParts, type Parts } from './open-parts.js'
import { queueGauges } from './queue-gauges.js'
import { QueueWork, type RunWorker } from './run-worker.js'
import { Session } from './session.js'
import type { OwnParts } from './session-parts.js'
import { version } from './version.js'

const checkWork = checkOf('work:', optionsOf({ runs: option.amount }))

/**
 * Four meta-tools over many MCP servers, and programs that call the servers' tools. A CodeMode is the session that may
 * call every tool; it owns the connections, the workers and all other sessions.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { z } from 'zod'
 *
 * await using codeMode = await CodeMode.open({
 *   servers: {
 *     files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
 *     remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abc' } },
 *     shop: {
 *       inProcess: {
 *         price: {
 *           description: 'The price of an article, in cents.',
 *           inputSchema: z.object({ article: z.string() }),
 *           outputSchema: z.number(),
 *           call: ({ article }: { article: string }) => article.length * 100,
 *         },
 *       },
 *     },
 *   },
 * })
 * for (const { name, state, reason } of codeMode.servers.status()) console.log(name, state, reason)
 * const { result } = await codeMode.run('result = sum([shop.price(article=a) for a in ["tea", "cup"]])')
 */
export class CodeMode extends Session {
  readonly servers: Servers
  readonly #parts: Parts
  readonly #serving = new Set<HttpServing>()
  readonly #workers = new Set<QueueWork>()
  readonly #forgetGauges: (() => void) | undefined

  private constructor(parts: Parts, own: OwnParts) {
    super(parts.shared, own)
    this.#parts = parts
    this.servers = liveServers({ ...parts, ...parts.shared })
    const { deployment, watch } = parts.shared
    this.#forgetGauges = deployment && queueGauges(watch.metrics, deployment.queue)
  }

  /**
   * Starts the servers and lists their tools. A server that does not start is named in `servers.status()` and the
   * others work. Rejects with a DiagnosticError when the options are wrong.
   */
  static async open(options: OpenOptions = {}): Promise<CodeMode> {
    try {
      const { parts, own } = await openParts(options)
      return new CodeMode(parts, own)
    } catch (error) {
      throw seenFrom(CodeMode.open, error)
    }
  }

  /**
   * From now on, listings show one stub file for each server, or one for each tool; `server` limits the change to one
   * server. The names in programs stay the same.
   */
  setBindingLevel(level: BindingLevel, server?: string): void {
    this.#parts.levels.set(level, server)
  }

  /** Creates the session of a connecting caller, by the settings for serving. */
  accept(facts: CallerFacts): Session {
    this.#parts.loopDelay.tell()
    return this.view(termsOf(facts, this.#parts.shared.serve))
  }

  /**
   * Serves callers over Streamable HTTP, each with a session of its own. Rejects with a DiagnosticError when the
   * address can't be used. `close` ends it, too. `routes` are further paths on the same port, behind the same walls.
   */
  async serveHttp({
    routes = [],
  }: {
    readonly routes?: HttpRoutes | readonly HttpRoutes[]
  } = {}): Promise<HttpServing> {
    const { shared, configuration, log } = this.#parts
    const serving = await serveHttp({
      version,
      structured: configuration.answerStructured ?? false,
      offers: offersOf(configuration),
      settings: shared.serve,
      open: async (facts) => this.accept(facts),
      servers: () => shared.upstreams.names(),
      toolNamed: (name, only) => this.direct.named(name, only),
      condition: () => ({
        servers: countStates(this.servers.status()),
        hasStore: shared.deployment?.isReachable(),
        isDifferent: (shared.deployment?.differentSettings() ?? []).length > 0,
      }),
      metrics: shared.watch.metrics,
      log,
      deployment: shared.deployment,
      routes: [routes].flat(),
    })
    this.#serving.add(serving)
    return serving
  }

  /**
   * Resumes the background runs that an earlier process with the same `state` has left, each with its caller's rights.
   * Resolves with their names, when all have started. With `redis://…` that is left to the workers: see `work`.
   */
  async resumeBackground(): Promise<string[]> {
    const { shared, log } = this.#parts
    if (shared.deployment !== undefined) return []
    const orphans = await shared.runs.orphans()
    for (const { id, ...caller } of orphans) {
      const failed = (error: unknown) => log({ level: 'warn', message: `${id} can't be resumed: ${String(error)}` })
      shared.runs.here.track(this.asCaller(caller).resume(id).catch(failed))
    }
    return orphans.map(({ id }) => id)
  }

  /**
   * Carries out background runs, of whatever process with the same `state`, so many at once (default: one for each core).
   * Throws a DiagnosticError if `state` is not `redis://…`.
   */
  work(options: { readonly runs?: number } = {}): RunWorker {
    checkWork(options)
    const { shared, log } = this.#parts
    const { runs = availableParallelism() } = options
    if (shared.runs.queued === undefined) throw new DiagnosticError(noQueue('a worker'))
    const resume = (runId: string, caller: CallerOfRun) => this.asCaller(caller).resume(runId)
    const worker = new QueueWork(shared, shared.runs.queued, { runs, log, resume })
    this.#workers.add(worker)
    return worker
  }

  /** The metrics of this CodeMode, in Prometheus' text format. */
  metrics(): string {
    return String(this.#parts.shared.watch.metrics)
  }

  /**
   * Ends every run and every connection. Up to four idle threads, which have forgotten everything, wait five seconds for
   * the next CodeMode of this process. They keep no process alive.
   */
  async close(): Promise<void> {
    const { shared, owners, logins, keep, audit, loopDelay, news } = this.#parts
    loopDelay.close()
    news?.close()
    this.#forgetGauges?.()
    await Promise.all([...this.#serving].map((serving) => serving.close()))
    await Promise.all([...this.#workers].map((worker) => worker.drain({ graceMs: 0 })))
    const { sandbox, desk } = shared.context
    await Promise.all([sandbox.close(), desk.close(), shared.upstreams.close()])
    await Promise.all([...this.#workers].map((worker) => worker.close()))
    await shared.runs.close()
    await shared.traces.store.close()
    await owners.close()
    await logins?.close()
    await keep()
    await shared.deployment?.close()
    await audit?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
