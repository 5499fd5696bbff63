// An answer of a model while it is written: what the events of its stream add up to.

import type { ChatCall, ChatEvent, Conversation } from '../../interface.js'
import { ask, part } from '../frame/api.js'

type Asked = Extract<ChatEvent, { type: 'approval' }>
type Failed = Extract<ChatEvent, { type: 'failure' }>

/** The parts of an answer in the order in which they came. */
export type AnswerPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ChatCall; readonly progress: string | undefined }
  | { readonly kind: 'approval'; readonly approval: Asked }
  | { readonly kind: 'failure'; readonly failure: Failed }

/** An answer with one more event. */
function withEvent(parts: readonly AnswerPart[], event: ChatEvent): readonly AnswerPart[] {
  const last = parts.at(-1)
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return last !== undefined && 'text' in last && last.kind === event.type
        ? [...parts.slice(0, -1), { ...last, text: last.text + event.text }]
        : [...parts, { kind: event.type, text: event.text }]
    case 'call': {
      const isKnown = parts.some((one) => one.kind === 'call' && one.call.callId === event.call.callId)
      const call = { kind: 'call' as const, call: event.call, progress: undefined }
      return isKnown ? parts.map((one) => (isCall(one, event.call.callId) ? call : one)) : [...parts, call]
    }
    case 'progress':
      return parts.map((one) => (isCall(one, event.callId) ? { ...one, progress: progressOf(event) } : one))
    case 'approval':
      return [...parts, { kind: 'approval', approval: event }]
    case 'answered':
      return parts.filter((one) => one.kind !== 'approval' || one.approval.approvalId !== event.approvalId)
    case 'failure':
      return [...parts, { kind: 'failure', failure: event }]
    case 'end':
      return parts
  }
}

const isCall = (one: AnswerPart, callId: string): one is Extract<AnswerPart, { kind: 'call' }> =>
  one.kind === 'call' && one.call.callId === callId

function progressOf({ progress, total, message }: Extract<ChatEvent, { type: 'progress' }>): string {
  const count = total === null ? `${progress}` : `${progress} of ${total}`
  return message === null ? count : `${count}, ${message}`
}

interface Asking {
  readonly conversationId: string
  readonly body: object
  readonly signal: AbortSignal
  /** Is told what is new at most once per frame. */
  readonly tell: (parts: readonly AnswerPart[]) => void
}

/** Sends a message and follows the answer. Resolves with the conversation; undefined: the answer was stopped. */
export async function askModel({ conversationId, body, signal, tell }: Asking): Promise<Conversation | undefined> {
  const path = `conversations/${part(conversationId)}/messages`
  const response = await ask(path, { method: 'POST', body: JSON.stringify(body), signal })
  let parts: readonly AnswerPart[] = []
  let isTold = true
  let ended: Conversation | undefined
  for await (const event of eventsOf(response)) {
    parts = withEvent(parts, event)
    if (event.type === 'end') ended = event.conversation
    if (isTold)
      requestAnimationFrame(() => {
        isTold = true
        tell(parts)
      })
    isTold = false
  }
  return ended
}

/** The events of a response, from its `data:` lines. */
async function* eventsOf(response: Response): AsyncGenerator<ChatEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length)) as ChatEvent
  }
}
