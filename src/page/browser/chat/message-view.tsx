// The messages of a conversation, and the answer that is being written.

import { useSignal } from '@preact/signals'
import type { ChatMessage } from '../../interface.js'
import { Answer, AskedCalls } from '../approvals/approval-panel.js'
import { bytes } from '../elements/amounts.js'
import { CodeView } from '../elements/code-view.js'
import { Notice, RefusalNotice } from '../elements/notice.js'
import { part, post } from '../frame/api.js'
import { useAction } from '../frame/loaded.js'
import type { AnswerPart } from './answer.js'
import { ChatCalls } from './chat-calls.js'
import { Markdown } from './markdown.js'

interface Message {
  readonly message: ChatMessage
  /** Sends this message again, with this text; all after it is replaced. */
  readonly again: (text: string) => void
  readonly isBusy: boolean
}

export function MessageView({ message, again, isBusy }: Message) {
  const isUser = message.role === 'user'
  const edited = useSignal<string | undefined>(undefined)
  return (
    <article class={`message ${message.role}`} aria-label={isUser ? 'You' : 'Model'}>
      {message.reasoning !== null && <Reasoning text={message.reasoning} />}
      {edited.value !== undefined ? (
        <EditForm text={edited.value} close={() => (edited.value = undefined)} send={again} />
      ) : isUser ? (
        <p class="said">{message.text}</p>
      ) : (
        message.text !== '' && <Markdown text={message.text} />
      )}
      {message.attachments.length > 0 && (
        <ul class="attachments">
          {message.attachments.map(({ name, mimeType, bytes: size }) => (
            <li key={name}>
              <a href={`/artifacts/${part(name)}`} download={name}>
                {name}
              </a>{' '}
              <span class="soft small">
                {mimeType}, {bytes(size)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {message.calls.length > 0 && <ChatCalls calls={message.calls} />}
      {isUser && edited.value === undefined && (
        <div class="bar message-actions">
          <button type="button" class="plain" disabled={isBusy} onClick={() => (edited.value = message.text)}>
            Edit
          </button>
          <button type="button" class="plain" disabled={isBusy} onClick={() => again(message.text)}>
            Ask again
          </button>
        </div>
      )}
    </article>
  )
}

interface Edit {
  readonly text: string
  readonly close: () => void
  readonly send: (text: string) => void
}

function EditForm({ text, close, send }: Edit) {
  const wanted = useSignal(text)
  const submit = (event: Event) => {
    event.preventDefault()
    close()
    send(wanted.value)
  }
  return (
    <form class="stack" onSubmit={submit}>
      <textarea
        aria-label="Message"
        rows={4}
        value={wanted}
        onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
      />
      <div class="bar">
        <button type="submit" class="main" disabled={wanted.value.trim() === ''}>
          Send in its place
        </button>
        <button type="button" class="plain" onClick={close}>
          Leave it
        </button>
        <span class="small soft">What came after it is replaced.</span>
      </div>
    </form>
  )
}

const Reasoning = ({ text }: { readonly text: string }) => (
  <details class="reasoning">
    <summary class="small soft">Reasoning</summary>
    <p class="said soft">{text}</p>
  </details>
)

interface Writing {
  readonly parts: readonly AnswerPart[]
  readonly conversationId: string
}

/** An answer while it is written. */
export function AnswerView({ parts, conversationId }: Writing) {
  return (
    <article class="message assistant" aria-label="Model" aria-busy="true">
      {groupsOf(parts).map((one, at) => (
        <AnswerPartView key={at} part={one} conversationId={conversationId} />
      ))}
      <span class="writing" role="status">
        <span class="hidden-label">The model is writing.</span>
      </span>
    </article>
  )
}

type Group = Exclude<AnswerPart, { kind: 'call' }> | { readonly kind: 'calls'; readonly calls: CallPart[] }
type CallPart = Extract<AnswerPart, { kind: 'call' }>

/** Calls that follow each other are drawn together. */
function groupsOf(parts: readonly AnswerPart[]): Group[] {
  const groups: Group[] = []
  for (const one of parts) {
    const last = groups.at(-1)
    if (one.kind !== 'call') groups.push(one)
    else if (last?.kind === 'calls') last.calls.push(one)
    else groups.push({ kind: 'calls', calls: [one] })
  }
  return groups
}

function AnswerPartView({ part: one, conversationId }: { readonly part: Group; readonly conversationId: string }) {
  switch (one.kind) {
    case 'text':
      return <Markdown text={one.text} />
    case 'reasoning':
      return <Reasoning text={one.text} />
    case 'calls': {
      const progress = one.calls.flatMap(({ call, progress }) =>
        progress === undefined ? [] : [[call.callId, progress] as const],
      )
      return <ChatCalls calls={one.calls.map(({ call }) => call)} progress={new Map(progress)} />
    }
    case 'approval':
      return <Question key={one.approval.approvalId} asked={one.approval} conversationId={conversationId} />
    case 'failure':
      return (
        <Notice kind="bad">
          <span>
            {one.failure.message} {one.failure.hint !== null && <span class="soft">{one.failure.hint}</span>}
          </span>
        </Notice>
      )
  }
}

interface Question {
  readonly asked: Extract<AnswerPart, { kind: 'approval' }>['approval']
  readonly conversationId: string
}

function Question({ asked: { approvalId, program, calls }, conversationId }: Question) {
  const { act, busy, refusal } = useAction()
  const answer = (given: 'once' | 'run' | 'deny', reason = '') =>
    act(() =>
      post(`conversations/${part(conversationId)}/answers`, {
        approvalId,
        answer: given,
        ...(reason !== '' && { reason }),
      }),
    )
  return (
    <section class="panel approval" aria-label="The model waits for approval">
      <header>
        <h2 class="question">
          <span class="wait" aria-hidden="true">
            ◆
          </span>{' '}
          May it do this?
        </h2>
      </header>
      <div class="body stack">
        <AskedCalls calls={calls} />
        {program !== null && (
          <CodeView
            text={program}
            language="starlark"
            marks={calls.flatMap(({ line }) => (line === null ? [] : [{ line, kind: 'wait' as const }]))}
          />
        )}
        <RefusalNotice refusal={refusal.value} />
        <Answer isBusy={busy.value} allow={answer} deny={(reason) => answer('deny', reason)} />
      </div>
    </section>
  )
}
