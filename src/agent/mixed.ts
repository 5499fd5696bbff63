// The mixed response: what a turn's automatic calls gave, and the calls that wait.

import type { MadeCall, PendingCall } from './agent-result.js'
import { type Message, textOf } from './conversation.js'

/** The calls of the last reply that were made. */
export function madeCalls(messages: readonly Message[]): MadeCall[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const reply = messages[at]
  const names = new Map(
    (reply?.role === 'assistant' ? (reply.tool_calls ?? []) : []).map((call) => [call.id, call.function.name]),
  )
  return messages.slice(at + 1).flatMap((message): MadeCall[] => {
    if (message.role !== 'tool') return []
    const { tool_call_id: id, is_error: isError = false } = message
    return [{ id, name: names.get(id) ?? '', isError, text: textOf(message) }]
  })
}

/**
 * The text for a person or a program that can't see the conversation: the model's own words, one JSON object with the
 * results by `server_tool`, and the names of the calls that wait. A tool that was called several times has a number.
 */
export function mixedText(words: string, made: readonly MadeCall[], pending: readonly PendingCall[]): string {
  if (made.length === 0) return words
  const results: Record<string, string> = {}
  const counts = new Map<string, number>()
  for (const { name, text } of made) {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    results[count === 1 ? name : `${name} ${count}`] = text
  }
  const waiting = pending.map(({ call }) => call.function.name).join(', ')
  return [
    ...(words === '' ? [] : [words]),
    `These calls have been made, with these results: ${JSON.stringify(results)}`,
    `These calls come next and wait for an answer: ${waiting}.`,
  ].join('\n\n')
}
