// Conversations with models, kept among the traces: their messages are those of the agent, so that any of them can go
// on; their facts are what the list shows.
// Invariant: what is read back has this form, whoever wrote it, and a caller reaches its own conversations only.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Message } from '../../agent/index.js'
import type { Session } from '../../index.js'
import type { Conversation, ConversationSummary } from '../interface.js'
import { noSuch } from '../messages.js'
import { Refusal } from '../refusal.js'
import { viewOf } from './chat-view.js'

const facts = z.object({
  conversation: z.object({
    title: z.string(),
    model: z.string(),
    instructions: z.string(),
    startedAt: z.number(),
    messageCount: z.number(),
  }),
})

export interface KeptConversation {
  readonly id: string
  readonly title: string
  readonly model: string
  readonly instructions: string
  readonly startedAt: number
  readonly changedAt: number
  /** Without the system message. */
  readonly messages: readonly Message[]
}

export function newId(): string {
  return `page-${randomBytes(8).toString('hex')}`
}

export async function listConversations({ traces }: Session, owner: string): Promise<ConversationSummary[]> {
  return (await traces.list()).flatMap((entry) => {
    const read = facts.safeParse(entry.facts)
    if (!read.success || entry.owner !== owner) return []
    const { instructions: _, ...rest } = read.data.conversation
    return [{ conversationId: entry.traceId, changedAt: entry.changedAt, ...rest }]
  })
}

export async function readConversation({ traces }: Session, owner: string, id: string): Promise<KeptConversation> {
  const entry = await traces.show(id).catch(() => undefined)
  const read = facts.safeParse(entry?.facts)
  if (entry === undefined || !read.success || entry.owner !== owner) throw new Refusal(404, noSuch('conversation', id))
  const { messageCount: _, ...rest } = read.data.conversation
  return { id, ...rest, changedAt: entry.changedAt, messages: entry.messages as readonly Message[] }
}

export async function keepConversation({ traces }: Session, kept: Omit<KeptConversation, 'changedAt'>): Promise<void> {
  const { id, title, model, instructions, startedAt, messages } = kept
  const messageCount = viewOf(messages).length
  await traces.keep({
    traceId: id,
    facts: { conversation: { title, model, instructions, startedAt, messageCount } },
    messages,
  })
}

export function conversationView({ id, messages, ...rest }: KeptConversation): Conversation {
  const shown = viewOf(messages)
  return { conversationId: id, ...rest, messageCount: shown.length, messages: shown }
}
