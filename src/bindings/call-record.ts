// The record of one call in a run's ledger.

import type { ToolAnnotations } from './tool.js'

/**
 * One line of a run's ledger: the outcome of a call.
 *
 * @example
 * import { type CallRecord, CodeMode } from 'starbind'
 *
 * const records: CallRecord[] = []
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * await codeMode.run('files.list_files()', {
 *   onEvent: (event) => {
 *     if (event.type === 'call.finished') records.push(event.record)
 *   },
 * })
 */
export interface CallRecord {
  /** The server's name in the configuration. */
  readonly server: string
  /** The tool's name at its server. */
  readonly tool: string
  readonly ok: boolean
  /**
   * Its end: `failed` is the tool's own answer, `lost` means that no usable answer arrived, `reused` that nothing was
   * sent.
   */
  readonly outcome: 'answered' | 'failed' | 'limit' | 'lost' | 'reused'
  /** When it was sent, in milliseconds after the run began; with no known beginning, 0. */
  readonly startedAtMs: number
  /** From the call to its answer. */
  readonly ms: number
  /** The size of the answer that a model would have seen if it had called the tool itself. */
  readonly bytes: number
  /** The size of the arguments as JSON. */
  readonly argumentBytes: number
  /** SHA-256 of the arguments as JSON with sorted keys, in hex. */
  readonly argumentDigest: string
  /** The server declares that the tool only reads, or that repeating it does no harm. */
  readonly safeToRepeat: boolean
  /** The server's description of the tool: untrusted words. */
  readonly annotations?: ToolAnnotations
  /** Notes about its answer, one fact each; absent if there are none. */
  readonly notes?: readonly string[]
}
