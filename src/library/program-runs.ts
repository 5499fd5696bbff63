// Runs the programs of one caller, for as long as the caller's session lasts. Knows the request that a run belongs to;
// the meta-tools know the rest.
// Invariant: the end of a session ends its runs, except those in the background.

import { sha256, type Tool } from '../bindings/index.js'
import {
  type ApprovalRule,
  elicitingApproval,
  type Gate,
  isCollected,
  namesTool,
  ruleAsks,
  ToolFilter,
  Trace,
} from '../gateway/index.js'
import { asksNobody, type RunContext, type RunKeeping } from '../meta-tools/index.js'
import type { CallOptions, ProgramOptions } from './session-options.js'
import { LOCAL, type OwnParts, type SharedParts } from './session-parts.js'

export interface Within {
  /** The span that a run belongs to. */
  readonly within: Trace
}

export type RunRequest = Pick<CallOptions, 'signal' | 'caller' | 'trace' | 'headers' | 'onApproval' | 'onKept'> &
  Pick<ProgramOptions, 'approve'> &
  Partial<Within> & {
    /** The author of answers to questions. Default: the caller. */ readonly answeredBy?: string
  }

interface RunSteps<T> {
  readonly run: (context: RunContext, signal: AbortSignal | undefined) => Promise<T>
  readonly failed: (result: T) => boolean
}

export class ProgramRuns {
  readonly #shared: SharedParts
  readonly #own: OwnParts
  readonly #gate: Gate
  readonly #context: RunContext

  constructor(shared: SharedParts, own: OwnParts, { gate, context }: { gate: Gate; context: RunContext }) {
    this.#shared = shared
    this.#own = own
    this.#gate = gate
    this.#context = context
  }

  /** The owner of the caller's runs. */
  get owner(): string {
    return this.#own.name ?? LOCAL
  }

  /** Works on a program for one request of its caller. */
  async during<T>(code: string, options: RunRequest, { run, failed }: RunSteps<T>): Promise<T> {
    const { watch } = this.#shared
    await this.#context.vfs.fresh()
    const started = performance.now()
    let digest: string | undefined
    const program = () => {
      digest ??= sha256(code).slice(0, 16)
      return digest
    }
    const { within = Trace.of(options.trace), caller: answering, headers } = options
    const attributes = isCollected() ? { 'starbind.program': program() } : {}
    const keeping = this.keeping(options)
    const result = await within.span('run', { name: 'run', attributes, failed }, (trace) =>
      this.#until(options, (signal) => {
        const caller = this.#gate.during({ caller: answering, trace, program, headers })
        return run({ ...this.#context, caller, keeping }, signal)
      }),
    )
    await this.#context.vfs.settled()
    const outcome = failed(result) ? 'failed' : 'ok'
    watch.metrics.count('starbind_runs_total', 'Runs of programs.', { outcome })
    watch.metrics.observe('starbind_run_seconds', 'Duration of runs.', (performance.now() - started) / 1000)
    return result
  }

  /** The storage of the caller's runs, and the person who is asked about them. */
  keeping({ approve, onApproval, caller, answeredBy = this.owner }: RunRequest = {}): RunKeeping {
    const { runs } = this.#shared
    const standing = onApproval ?? this.#own.onApproval ?? this.#shared.onApproval
    const ask = standing ?? (caller && elicitingApproval(caller))
    const { terms, approve: rules } = this.#own
    return {
      runs,
      owner: this.owner,
      seesAll: this.#own.mayApprove,
      asks: this.#hasRules(approve) ? (server, tool) => this.asks(server, tool, approve) : asksNobody,
      interviewer: ask && { ask, name: answeredBy },
      standingInterviewer: standing && { ask: standing, name: answeredBy },
      terms: { approve: approve === undefined ? rules : [...rules, approve], ...terms },
    }
  }

  /** Whether a call of this tool needs approval. The strictest of all rules counts. */
  asks(server: string, tool: Tool, rule?: ApprovalRule): boolean {
    const { calls, upstreams } = this.#shared
    const { approve, filter } = this.#own
    if (!filter.autoExecutes(server, tool.name) || !upstreams.autoExecutes(server, tool.name)) return true
    if (calls.asks(server, tool)) return true
    const rules = rule === undefined ? approve : [...approve, rule]
    if (rules.length === 0) return false
    const onlyReads = calls.onlyReads(server, tool)
    const isNamed = (names: readonly string[]) => namesTool(names, server, tool.name)
    return rules.some((one) => ruleAsks(one, tool, { onlyReads, isNamed }))
  }

  #hasRules(rule: ApprovalRule | undefined): boolean {
    const { calls, upstreams } = this.#shared
    const { approve, filter } = this.#own
    return (
      rule !== undefined || approve.length > 0 || calls.hasRules || upstreams.haveRules || filter !== ToolFilter.all
    )
  }

  /** Runs work that the end of the session cancels, too, unless it is a background run. */
  #until<T>({ signal, onKept }: RunRequest, work: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
    return onKept === undefined ? this.#own.runs.during(signal, work) : work(signal)
  }
}
