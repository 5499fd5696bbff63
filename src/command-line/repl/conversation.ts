// The prompt's growing program. Each entry runs the whole program again, and earlier calls are answered from the
// ledger, so that nothing is called twice. This works because programs are deterministic.
// Invariant: a failed entry leaves nothing behind; the program is exactly the entries that succeeded.

import type { CodeMode, Language, OnApproval, RunListener, RunResult } from '../../index.js'
import { grow } from './entry.js'

export interface ConversationOptions {
  readonly language: Language
  readonly strict?: boolean
}

interface EntryOptions {
  readonly onEvent: RunListener
  /** Undefined if no person can be asked. */
  readonly onApproval: OnApproval | undefined
  readonly signal: AbortSignal
}

export class Conversation {
  readonly #codeMode: CodeMode
  readonly #options: ConversationOptions
  /** The entries, each below a line that is empty or makes its value the result. */
  #program = ''
  #entries: string[] = []
  #printed = 0
  #lastRun: string | undefined
  /** The moment and the seed of the first entry, which all entries share. */
  #world: Pick<RunResult, 'now' | 'seed'> = {}

  constructor(codeMode: CodeMode, options: ConversationOptions) {
    this.#codeMode = codeMode
    this.#options = options
  }

  /** The entries that succeeded, as one program. */
  get program(): string {
    return this.#entries.map((entry) => `${entry}\n`).join('')
  }

  /** The number of output lines of earlier entries. */
  get printed(): number {
    return this.#printed
  }

  /** Forgets everything. */
  reset(): void {
    this.#program = ''
    this.#entries = []
    this.#printed = 0
    this.#lastRun = undefined
    this.#world = {}
  }

  /** Runs an entry. The result contains only the calls, the output and the value of this entry. */
  async run(entry: string, { onEvent, onApproval, signal }: EntryOptions): Promise<RunResult> {
    const { language } = this.#options
    const { text, shows } = await grow(this.#program, entry, language, (code) => this.check(code, signal))
    const result = await this.#codeMode.run(text, {
      ...this.#options,
      ...this.#world,
      keepCalls: true,
      ...(this.#lastRun === undefined ? {} : { reuse: this.#lastRun }),
      signal,
      onEvent,
      onApproval,
    })
    if (result.ok) {
      this.#program = text
      this.#entries.push(entry)
      this.#printed = result.logs.length
      const { now, seed } = result
      this.#world = { ...(now === undefined ? {} : { now }), ...(seed === undefined ? {} : { seed }) }
      if (result.calls.length > 0) this.#lastRun = result.runId
    }
    return ownPart(result, shows)
  }

  check(text: string, signal: AbortSignal) {
    return this.#codeMode.check(text, { ...this.#options, signal })
  }
}

/** Without the calls and output of earlier entries. */
function ownPart(result: RunResult, shows: boolean): RunResult {
  const calls = result.calls.filter((call) => call.outcome !== 'reused')
  if (!result.ok) return { ...result, calls }
  const { resultText, resultJson, ...rest } = result
  const report = calls.length === 0 ? '' : result.report.split('\n').filter(isNews).join('\n')
  if (!shows || resultJson === 'null' || resultText === undefined) return { ...rest, calls, report }
  return { ...result, calls, report }
}

/** False for a line about a tool whose calls were all made by earlier entries. */
function isNews(line: string): boolean {
  if (!/^(called|note:) /.test(line)) return false
  const [, count, taken] = /×(\d+), (\d+) taken from the earlier run:/.exec(line) ?? []
  return count === undefined || count !== taken
}
