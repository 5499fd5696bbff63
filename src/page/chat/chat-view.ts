// The messages of an agent as people read them: a question, or an answer with the calls after it.

import type { Message } from '../../agent/index.js'
import type { ChatCall, ChatMessage } from '../interface.js'

/** Names a file for the model, in a block of its own. */
export function attachmentText({ name, mimeType, bytes }: ChatMessage['attachments'][number]): string {
  return `[attached file: results/${name}, ${mimeType}, ${bytes} bytes]`
}

const ATTACHED = /^\[attached file: results\/([^,\]]+), ([^,\]]+), (\d+) bytes\]$/

export function viewOf(messages: readonly Message[]): ChatMessage[] {
  const answers = new Map(messages.flatMap((one) => (one.role === 'tool' ? [[one.tool_call_id, one] as const] : [])))
  return messages.flatMap((message): ChatMessage[] => {
    if (message.role === 'tool' || message.role === 'system') return []
    const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    if (message.role !== 'assistant') {
      const attachments = texts.flatMap((text) => {
        const [, name, mimeType, bytes] = ATTACHED.exec(text) ?? []
        return name === undefined ? [] : [{ name, mimeType: mimeType!, bytes: Number(bytes) }]
      })
      const own = texts.filter((text) => !ATTACHED.test(text)).join('\n')
      return [{ role: 'user', text: own, reasoning: null, attachments, calls: [], at: null }]
    }
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }): ChatCall => {
      const answer = answers.get(id)
      const text = answer?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
      return {
        callId: id,
        parentId: null,
        name,
        arguments: objectIn(given),
        state: answer === undefined ? 'waiting' : answer.is_error ? 'failed' : 'ok',
        text: text ?? null,
        ms: null,
      }
    })
    return [
      {
        role: 'assistant',
        text: texts.join('\n'),
        reasoning: message.reasoning_content ?? null,
        attachments: [],
        calls,
        at: null,
      },
    ]
  })
}

/** The messages before the one at an index of the view. */
export function messagesBefore(messages: readonly Message[], index: number): readonly Message[] {
  let seen = 0
  const at = messages.findIndex(({ role }) => (role === 'user' || role === 'assistant') && seen++ === index)
  return at < 0 ? messages : messages.slice(0, at)
}

/** What a model wrote as arguments; null if it is no JSON. */
export function objectIn(json: string): unknown {
  try {
    return JSON.parse(json === '' ? '{}' : json) as unknown
  } catch {
    return null
  }
}
