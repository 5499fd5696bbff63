// A conversation as it is kept: its messages, and the facts that a list shows. The library keeps it as JSON; this file
// knows what is in it.
// Invariant: what is read back has this form, whoever wrote it.

import { z } from 'zod'
import { DiagnosticError, type Session, type TraceEntry } from '../../index.js'
import type { AgentResult, ModelUsage } from '../agent-result.js'
import { messageList } from '../check-options.js'
import { conversationOf, type Message, type MessageInput, textOf } from '../conversation.js'
import { traceUnreadable } from '../messages.js'
import { sumByModel } from './trace-figures.js'
import { boundedMessages, messagesFor, type TraceMode, traceModes } from './trace-mode.js'

const amount = z.number().nonnegative()

const usage = z.object({
  generations: amount,
  generationsWithTools: amount,
  turns: amount,
  toolCalls: amount,
  inputTokens: amount,
  outputTokens: amount,
  cachedTokens: amount,
  reasoningTokens: amount,
  cost: amount.optional(),
})

const traceFacts = z.object({
  trace: z.enum(traceModes),
  /** In milliseconds since 1970. */
  startedAt: z.number(),
  why: z.string(),
  question: z.string(),
  /** By the names of models. */
  usage: z.record(z.string(), usage) as z.ZodType<Readonly<Record<string, ModelUsage>>>,
  omitted: amount,
})

/**
 * A kept conversation, as a list shows it. `question`: the beginning of its first message. `omitted`: the messages that
 * are missing in the middle of a very long one.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { listTraces, type TraceFacts } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const traces: readonly TraceFacts[] = await listTraces(codeMode)
 * for (const { traceId, why, question } of traces) console.log(traceId, why, question)
 */
export interface TraceFacts extends z.output<typeof traceFacts> {
  readonly traceId: string
  /** The caller who had the conversation. */
  readonly owner: string
  /** In milliseconds since 1970. */
  readonly changedAt: number
}

/**
 * A kept conversation.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { showTrace, type AgentTrace } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const { messages, usage }: AgentTrace = await showTrace(codeMode, 'agent-1f2e3d4c5b')
 * console.log(messages.length, usage)
 */
export interface AgentTrace extends TraceFacts {
  readonly messages: readonly Message[]
}

interface TraceKeeping {
  readonly mode: Exclude<TraceMode, 'none'>
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** Whether the caller named the run, so that there may be earlier turns. */
  readonly isNamed: boolean
}

const QUESTION = 200

/** Keeps a conversation, in place of its earlier turns, whose usage is added. */
export async function keepTrace(
  session: Session,
  { runId: traceId, why, messages: all, usage }: Pick<AgentResult, 'runId' | 'why' | 'messages' | 'usage'>,
  { mode, startedAt, isNamed }: TraceKeeping,
): Promise<void> {
  const { messages, omitted } = boundedMessages(messagesFor(mode, all))
  const kept = isNamed ? await listTraces(session) : []
  const before = kept.find((trace) => trace.traceId === traceId)
  const first = all.find(({ role }) => role === 'user')
  const facts: z.infer<typeof traceFacts> = {
    trace: mode,
    startedAt: before?.startedAt ?? startedAt,
    why,
    question: first === undefined ? '' : textOf(first).slice(0, QUESTION),
    usage: sumByModel(before?.usage ?? {}, usage),
    omitted,
  }
  return session.traces.keep({ traceId, facts, messages })
}

/**
 * The kept conversations that a session may see; the last changed comes first.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { listTraces } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * console.log((await listTraces(codeMode)).length)
 */
export async function listTraces(session: Session): Promise<TraceFacts[]> {
  return (await session.traces.list()).flatMap((entry) => factsIn(entry) ?? [])
}

/**
 * One of them, with its messages. Rejects with a DiagnosticError if there is no such conversation.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { showTrace } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * for (const { role } of (await showTrace(codeMode, 'agent-1f2e3d4c5b')).messages) console.log(role)
 */
export async function showTrace(session: Session, traceId: string): Promise<AgentTrace> {
  const entry = await session.traces.show(traceId)
  const facts = factsIn(entry)
  const messages = messageList.safeParse(entry.messages)
  if (facts === undefined || !messages.success) throw new DiagnosticError(traceUnreadable(traceId))
  return { ...facts, messages: conversationOf(messages.data as MessageInput[]) }
}

function factsIn({ traceId, owner, changedAt, facts }: TraceEntry): TraceFacts | undefined {
  const read = traceFacts.safeParse(facts)
  return read.success ? { traceId, owner, changedAt, ...read.data } : undefined
}
