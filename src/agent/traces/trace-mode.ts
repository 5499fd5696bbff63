// What is kept of a conversation: nothing, the answer, or everything.
// Invariant: a kept trace is within the bounds, whatever models and tools have said; what is cut says so.

import type { AssistantMessage, Message } from '../conversation.js'

export const traceModes = ['none', 'last_message', 'all_messages'] as const

/**
 * What is kept of a conversation: `none`, `last_message` (only the last message of the model, or nothing) or
 * `all_messages`.
 *
 * @example
 * import type { TraceMode } from 'starbind/agent'
 *
 * export const trace: TraceMode = process.env.CI ? 'all_messages' : 'none'
 */
export type TraceMode = (typeof traceModes)[number]

/** The messages that a mode keeps. */
export function messagesFor(mode: TraceMode, messages: readonly Message[]): readonly Message[] {
  if (mode === 'all_messages') return messages
  const last = mode === 'none' ? undefined : lastSaid(messages)
  return last === undefined ? [] : [last]
}

function lastSaid(messages: readonly Message[]): AssistantMessage | undefined {
  return messages.findLast((message) => message.role === 'assistant')
}

const MOST_MESSAGES = 2_000
const MOST_CHARACTERS = 1_000_000
/** No text is cut to less. */
const SHORT = 200

/** The messages with long texts cut, and without the middle of a very long conversation. */
export function boundedMessages(messages: readonly Message[]): {
  readonly messages: readonly Message[]
  /** The number of messages that are missing, after the first half. */
  readonly omitted: number
} {
  const half = MOST_MESSAGES / 2
  const omitted = Math.max(0, messages.length - MOST_MESSAGES)
  const kept = omitted === 0 ? messages : [...messages.slice(0, half), ...messages.slice(-half)]
  const most = Math.max(SHORT, evenShare(lengthsIn(kept), MOST_CHARACTERS))
  return { messages: mapTexts(kept, (text) => cut(text, most)) as readonly Message[], omitted }
}

/** The length to which long texts have to be cut so that all of them together have `total`. */
function evenShare(lengths: readonly number[], total: number): number {
  let left = total
  for (const [i, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - i))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

function lengthsIn(value: unknown): number[] {
  const lengths: number[] = []
  mapTexts(value, (text) => {
    lengths.push(text.length)
    return text
  })
  return lengths
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)}… (${(text.length - most).toLocaleString('en')} more characters)`
}
