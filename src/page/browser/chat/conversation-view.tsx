// One conversation: its messages, the answer that is being written, and where one writes.

import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Conversation, NewMessage } from '../../interface.js'
import { Empty, RefusalNotice } from '../elements/notice.js'
import { get, part, post, remove, session } from '../frame/api.js'
import { useAction, useLoaded } from '../frame/loaded.js'
import { addressOf, go } from '../frame/route.js'
import { type AnswerPart, askModel } from './answer.js'
import { Composer } from './composer.js'
import { AnswerView, MessageView } from './message-view.js'

interface Conversed {
  /** Undefined: it begins with the first message. */
  readonly id: string | undefined
  /** The list has to be asked for again. */
  readonly changed: () => void
}

/** A message for a conversation that is not here yet: it has just begun, or is still being loaded. */
let first: NewMessage | undefined

export function ConversationView({ id, changed }: Conversed) {
  const { loaded } = useLoaded<Conversation>(id === undefined ? undefined : `conversations/${part(id)}`)
  const { value: conversation, refusal } = loaded.value
  const writing = useSignal<readonly AnswerPart[] | undefined>(undefined)
  const stopping = useRef<AbortController>(undefined)
  const end = useRef<HTMLDivElement>(null)
  const action = useAction()
  const keep = (next: Conversation) => {
    loaded.value = { value: next, refusal: undefined }
    changed()
  }
  const send = (message: NewMessage) =>
    action.act(async () => {
      stopping.current = new AbortController()
      const { messages } = conversation!
      const shown = messages.slice(0, message.from ?? messages.length)
      keep({ ...conversation!, messages: [...shown, asMessage(message, messages)] })
      writing.value = []
      try {
        const tell = (parts: readonly AnswerPart[]) => {
          if (writing.value !== undefined) writing.value = parts
        }
        const { signal } = stopping.current
        const next = await askModel({ conversationId: id!, body: message, signal, tell }).catch(ifStopped(signal))
        keep(next ?? (await get<Conversation>(`conversations/${part(id!)}`)))
      } finally {
        writing.value = undefined
      }
    })
  const begin = (message: NewMessage) =>
    action.act(async () => {
      const { conversationId } = await post<Conversation>('conversations', {})
      first = message
      changed()
      go('chat', conversationId)
    })
  useEffect(() => {
    if (conversation === undefined || first === undefined) return
    void send(first)
    first = undefined
  }, [conversation?.conversationId])
  useEffect(() => () => stopping.current?.abort(), [])
  useLayoutEffect(() => end.current?.scrollIntoView({ block: 'end' }), [conversation?.messages.length, writing.value])
  if (session.value?.may.chat === false) return <NoModel />
  const isBusy = writing.value !== undefined
  return (
    <div class="conversation">
      <div class="sheet">
        <a class="back" href={addressOf('chat')}>
          ‹ All conversations
        </a>
        <RefusalNotice refusal={refusal} />
        {conversation !== undefined && (
          <Head key={conversation.title} conversation={conversation} keep={keep} changed={changed} />
        )}
        {(conversation === undefined ? id === undefined : conversation.messages.length === 0) && <Beginning />}
        {conversation?.messages.map((message, at) => (
          <MessageView
            key={at}
            message={message}
            isBusy={isBusy}
            again={(text) => send({ text, attachments: message.attachments.map(({ name }) => name), from: at })}
          />
        ))}
        {writing.value !== undefined && <AnswerView parts={writing.value} conversationId={id!} />}
        <RefusalNotice refusal={action.refusal.value} />
        <div ref={end} />
      </div>
      <Composer
        isBusy={isBusy}
        send={(text, attachments) => {
          const message = { text, attachments: [...attachments] }
          if (id === undefined) void begin(message)
          else if (conversation === undefined) first = message
          else void send(message)
        }}
        stop={() => stopping.current?.abort()}
      />
    </div>
  )
}

/** What came before a person stopped the answer is kept by the server. */
const ifStopped = (signal: AbortSignal) => (error: unknown) => {
  if (signal.aborted) return undefined
  throw error
}

function asMessage({ text, attachments = [], from }: NewMessage, messages: Conversation['messages']) {
  const known = from === undefined ? [] : (messages[from]?.attachments ?? [])
  return {
    role: 'user' as const,
    text,
    reasoning: null,
    attachments: attachments.map((name) => known.find((one) => one.name === name) ?? { name, mimeType: '', bytes: 0 }),
    calls: [],
    at: null,
  }
}

const Beginning = () => (
  <Empty title="Ask a model">
    <p>
      It sees the four tools of starbind and writes programs that call your servers. What it calls is shown as it
      happens, and it asks you before it changes something.
    </p>
  </Empty>
)

const NoModel = () => (
  <Empty title="No model is configured">
    <p>
      Name one as <code>"models"</code> in <code>starbind.json</code>: an address that speaks the format of OpenAI, such
      as that of a model on this machine, and start starbind again.
    </p>
    {session.value?.models.map(({ name, problem }) => (
      <p key={name}>
        <code>{name}</code>: {problem}
      </p>
    ))}
  </Empty>
)

interface Headed {
  readonly conversation: Conversation
  readonly keep: (next: Conversation) => void
  readonly changed: () => void
}

function Head({ conversation, keep, changed }: Headed) {
  const { conversationId, title, model } = conversation
  const path = `conversations/${part(conversationId)}`
  const { act, busy, refusal } = useAction()
  const change = (what: object) => act(async () => keep(await post<Conversation>(path, what)))
  const duplicate = () =>
    act(async () => {
      const copy = await post<Conversation>(`${path}/duplicate`)
      changed()
      go('chat', copy.conversationId)
    })
  const forget = () =>
    act(async () => {
      await remove(path)
      changed()
      go('chat')
    })
  return (
    <div class="head">
      <h1 class="hidden-label">{title}</h1>
      <div class="bar">
        <input
          class="title"
          aria-label="Title"
          value={title}
          maxLength={200}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <span class="bar push">
          <select
            aria-label="Model"
            value={model}
            onChange={({ currentTarget }) => change({ model: currentTarget.value })}
          >
            {(session.value?.models ?? []).map(({ name, problem }) => (
              <option key={name} disabled={problem !== null}>
                {name}
              </option>
            ))}
          </select>
          <button type="button" disabled={busy} onClick={duplicate}>
            Duplicate
          </button>
          <a class="button" href={`/api/v1/${path}/export`} download={`${title}.md`}>
            Export
          </a>
          <button type="button" class="danger" disabled={busy} onClick={forget}>
            Delete
          </button>
        </span>
      </div>
      <RefusalNotice refusal={refusal.value} />
    </div>
  )
}
