// The questions to a person about a run, and the possible answers. Plain data.

import { visible } from '../../diagnostics/index.js'
import type { Language } from '../../interpreter/index.js'

/**
 * A call that waits for a person.
 *
 * @example
 * import type { AskedCall } from 'starbind'
 *
 * export const told = ({ server, tool, arguments: given, line }: AskedCall) =>
 *   `${server}.${tool}(${JSON.stringify(given)})${line === null ? '' : ` in line ${line}`}`
 */
export interface AskedCall {
  /** The server's name in the configuration and the tool's at its server. */
  readonly server: string
  readonly tool: string
  /** Undefined if only the digest is kept. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  /** SHA-256 of the arguments. */
  readonly argumentDigest: string
  /** The program's line that makes the call, from 1; null if it is unknown. */
  readonly line: number | null
  /**
   * `approval`: the policy asks about the tool. `unknown`: the call was sent and its process died before the answer, so
   * it may have taken effect; an approval repeats it.
   */
  readonly reason: 'approval' | 'unknown'
}

/**
 * A question to a person: whether these concurrent calls may be made.
 *
 * @example
 * import { type ApprovalRequest, CodeMode } from 'starbind'
 *
 * const onApproval = ({ calls }: ApprovalRequest) => calls.map(({ tool }) => ({ deny: `no ${tool} today` }))
 * await using codeMode = await CodeMode.open({ servers: { issues: { command: 'my-mcp-server' } }, approve: 'writes' })
 * await codeMode.run('issues.close(number=1)', { onApproval })
 */
export interface ApprovalRequest {
  readonly runId: string
  readonly program: { readonly text: string; readonly language: Language }
  readonly calls: readonly AskedCall[]
  /** The other tools that the program can call and that need approval, in guest names: `issues.close`. */
  readonly canAlsoCall: readonly string[]
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/**
 * The answer to one call: `once` allows this call, `run` also all calls of its tool in this run, `deny` refuses it,
 * `pause` ends the run for now and waits.
 *
 * @example
 * import type { ApprovalAnswer } from 'starbind'
 *
 * export const tooLate: ApprovalAnswer = { deny: 'the shop is closed' }
 */
export type ApprovalAnswer = 'once' | 'run' | 'deny' | 'pause' | { readonly deny: string }

/**
 * Asks a person. A single answer is for all calls, a list has one for each. A rejection pauses the run.
 *
 * @example
 * import { CodeMode, type OnApproval } from 'starbind'
 *
 * const onApproval: OnApproval = async ({ calls }) => (calls.length > 3 ? 'pause' : 'once')
 * await using codeMode = await CodeMode.open({ servers: { issues: { command: 'my-mcp-server' } }, approve: 'always', onApproval })
 */
export type OnApproval = (
  request: ApprovalRequest,
) => ApprovalAnswer | readonly ApprovalAnswer[] | Promise<ApprovalAnswer | readonly ApprovalAnswer[]>

/**
 * A stored answer.
 *
 * @example
 * import type { Approval } from 'starbind'
 *
 * export const told = ({ answer, by, reason = '' }: Approval) => `${by} said ${answer} ${reason}`
 */
export interface Approval {
  readonly answer: 'once' | 'run' | 'deny'
  /** The person's words; absent: none. */
  readonly reason?: string
  /** The author: the name of a key or a session, or `local` without one. */
  readonly by: string
  /** In milliseconds since 1970. */
  readonly at: number
}

/** A stored call that waits for an answer. */
export interface QuestionedCall extends Pick<AskedCall, 'server' | 'tool' | 'argumentDigest' | 'line' | 'reason'> {
  /** Its place in the ledger. */
  readonly place: number
  /** JSON text; absent if only the digest is kept. */
  readonly argumentText?: string
  /** The digest of the tool's input schema. If the tool changes, the approval no longer holds. */
  readonly schemaDigest: string
  readonly approval?: Approval
}

/** The open questions of a paused run. */
export interface Question {
  readonly calls: readonly QuestionedCall[]
  readonly canAlsoCall: readonly string[]
  readonly askedAt: number
}

export function askedCall({ argumentText, server, tool, argumentDigest, line, reason }: QuestionedCall): AskedCall {
  const given = argumentText === undefined ? undefined : (JSON.parse(argumentText) as AskedCall['arguments'])
  return { server, tool, arguments: given, argumentDigest, line, reason }
}

/** A call in question in a line: `issues.close (line 3): {"number":7}`. */
export function callWords({ server, tool, line, arguments: given, argumentDigest }: AskedCall): string {
  const place = line === null ? '' : ` (line ${line})`
  const shown = given === undefined ? `arguments with the digest ${argumentDigest}` : visible(JSON.stringify(given))
  return `${server}.${tool}${place}: ${shown}`
}

/** The answer to each call; undefined if `raw` is not a valid answer. */
export function answersFor(count: number, raw: unknown): readonly ApprovalAnswer[] | undefined {
  const answers: readonly unknown[] = Array.isArray(raw) ? raw : Array.from({ length: count }, () => raw)
  return answers.length === count && answers.every(isAnswer) ? answers : undefined
}

const WORDS: readonly unknown[] = ['once', 'run', 'deny', 'pause']

function isAnswer(raw: unknown): raw is ApprovalAnswer {
  if (WORDS.includes(raw)) return true
  return typeof raw === 'object' && raw !== null && typeof (raw as { deny?: unknown }).deny === 'string'
}

/** The stored form; undefined for answers that leave the question open. */
export function approvalOf(answer: ApprovalAnswer, { by, at }: Pick<Approval, 'by' | 'at'>): Approval | undefined {
  if (answer === 'pause') return undefined
  return typeof answer === 'string' ? { answer, by, at } : { answer: 'deny', reason: answer.deny, by, at }
}
