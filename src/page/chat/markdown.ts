// Conversations as Markdown, to keep elsewhere and to bring back. Calls are told and not brought back.
// Invariant: what was exported comes back the same in titles, instructions, questions and answers, whatever headings and
// fences are in them.

import type { Message } from '../../agent/index.js'
import type { ChatMessage } from '../interface.js'
import { attachmentText } from './chat-view.js'
import type { KeptConversation } from './conversations.js'

type Written = Pick<KeptConversation, 'title' | 'instructions' | 'messages'>

/** Invisible where Markdown is shown; text of its own begins with one more sign. */
const MARK = /^<!-- (=*)starbind: (title|instructions|you|model|calls) -->$/

export function exported({ title, instructions }: Omit<Written, 'messages'>, messages: readonly ChatMessage[]): string {
  const parts = [
    part('title', `# ${title}`),
    ...(instructions === '' ? [] : [part('instructions', instructions)]),
    ...messages.flatMap(({ role, text, attachments, calls }) => [
      part(role === 'user' ? 'you' : 'model', [text, ...attachments.map(attachmentText)].join('\n\n')),
      ...(calls.length === 0 ? [] : [part('calls', calls.map(({ name, state }) => `- ${name}: ${state}`).join('\n'))]),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

function part(kind: string, text: string): string {
  const own = text.replace(/^<!-- (=*)starbind: /gm, '<!-- =$1starbind: ')
  return `<!-- starbind: ${kind} -->\n${own}`
}

/** Markdown that was not exported here is one question. */
export function imported(markdown: string): Written {
  let title = ''
  let instructions = ''
  const messages: Message[] = []
  for (const { kind, text } of partsOf(markdown.replaceAll('\r\n', '\n'))) {
    if (kind === 'title') title = text.replace(/^# /, '')
    else if (kind === 'instructions') instructions = text
    else if (kind === 'you') messages.push({ role: 'user', content: blocksOf(text) })
    else if (kind === 'model') messages.push({ role: 'assistant', content: [{ type: 'text', text }] })
  }
  return { title, instructions, messages }
}

function partsOf(markdown: string): { readonly kind: string; readonly text: string }[] {
  const parts: { kind: string; lines: string[] }[] = []
  for (const line of markdown.split('\n')) {
    const [, signs, kind] = MARK.exec(line) ?? []
    if (kind !== undefined && signs === '') parts.push({ kind, lines: [] })
    else {
      if (parts.length === 0) parts.push({ kind: 'you', lines: [] })
      parts.at(-1)!.lines.push(line.replace(/^<!-- =(=*)starbind: /, '<!-- $1starbind: '))
    }
  }
  return parts.map(({ kind, lines }) => ({ kind, text: lines.join('\n').replace(/\n+$/, '') }))
}

function blocksOf(text: string): { readonly type: 'text'; readonly text: string }[] {
  const lines = text.split('\n\n')
  const attached = lines.filter((line) => line.startsWith('[attached file: '))
  const own = lines.filter((line) => !line.startsWith('[attached file: ')).join('\n\n')
  return [own, ...attached].map((one) => ({ type: 'text', text: one }))
}
