// A call that is sent to its server.

import { type Awaitable, after, lastly } from '../awaitable/index.js'
import { filesMentioned } from './artifact-arguments.js'
import type { BoundTool } from './bound.js'
import type { CallRecord } from './call-record.js'
import type { CallSent, PerformOptions } from './perform-options.js'
import { type Prepared, sha256 } from './read-arguments.js'
import { isSafeToRepeat, type KeptForCall, type ToolCaller, type ToolOutcome, type ToolProgress } from './tool.js'

/** A call that has passed every check. Its record has the outcome. */
export class OutgoingCall {
  readonly sent: CallSent
  readonly #tool: BoundTool
  readonly #prepared: Prepared
  readonly #options: PerformOptions
  readonly #kept: KeptForCall | undefined
  #started = performance.now()
  #isSent = false

  constructor(tool: BoundTool, prepared: Prepared, options: PerformOptions) {
    const server = tool.server.source.name
    this.#kept = keptFor(server, prepared.text, options)
    this.sent = { server, tool: tool.tool.name, argumentDigest: digestOf(prepared, this.#kept) }
    this.#tool = tool
    this.#prepared = prepared
    this.#options = options
  }

  /** False: the upstream did not receive the call. */
  get isSent(): boolean {
    return this.#isSent
  }

  /** Undefined if the call was aborted before its turn. */
  send(caller: ToolCaller): Awaitable<ToolOutcome | undefined> {
    const { server, tool } = this.sent
    const { lane, signal, timeoutMs, onProgress, onSend } = this.#options
    const waitMs = timeoutMs?.(server, tool)
    return after(lane?.turn(server, signal) ?? noTurn, (done) => {
      if (done === undefined) return undefined
      this.#started = performance.now()
      const args = this.#prepared.args as Readonly<Record<string, unknown>>
      const sending = (): Awaitable<ToolOutcome> => {
        this.#isSent = true
        const told = onProgress && ((progress: ToolProgress) => onProgress(this.sent, progress))
        return caller.call(server, tool, args, { signal, timeoutMs: waitMs, onProgress: told, kept: this.#kept })
      }
      return lastly(() => after(onSend?.(this.sent), sending), done)
    })
  }

  record(outcome: CallRecord['outcome'], bytes: number, notes: readonly string[] = []): CallRecord {
    const { tool } = this.#tool
    const { runStarted } = this.#options
    // Conditional spreads take longer than all else here.
    const record: { -readonly [Key in keyof CallRecord]: CallRecord[Key] } = {
      server: this.sent.server,
      tool: this.sent.tool,
      ok: outcome === 'answered' || outcome === 'reused',
      outcome,
      startedAtMs: runStarted === undefined ? 0 : this.#started - runStarted,
      ms: performance.now() - this.#started,
      bytes,
      argumentBytes: Buffer.byteLength(this.#prepared.text),
      argumentDigest: this.sent.argumentDigest,
      safeToRepeat: isSafeToRepeat(tool),
    }
    if (tool.annotations !== undefined) record.annotations = tool.annotations
    if (notes.length > 0) record.notes = notes
    return record
  }
}

function keptFor(
  server: string,
  argumentText: string,
  { keptPaths, keptFile }: PerformOptions,
): KeptForCall | undefined {
  if (keptFile === undefined || !argumentText.includes('results/')) return undefined
  const paths = keptPaths?.(server)
  return paths && { paths, files: filesMentioned(argumentText, keptFile) }
}

/** Calls that read kept files are equal only if these have the same content. */
function digestOf({ digest }: Prepared, kept: KeptForCall | undefined): string {
  if (kept === undefined || kept.files.size === 0) return digest
  return sha256([digest, ...[...kept.files.values()].map(({ artifact }) => artifact.sha256)].join())
}

/** An answer that equal calls share while it is pending. */
export function shared(
  answer: Awaitable<ToolOutcome | undefined>,
  equal: string,
  all: PerformOptions['shared'],
): Awaitable<ToolOutcome | undefined> {
  if (all === undefined || !(answer instanceof Promise)) return answer
  all.set(equal, answer)
  return answer.finally(() => all.delete(equal))
}

function noTurn(): void {}
