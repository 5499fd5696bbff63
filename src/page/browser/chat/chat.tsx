// Conversations with a model.

import { useRef } from 'preact/hooks'
import type { Conversation, ConversationList } from '../../interface.js'
import { ago, plural } from '../elements/amounts.js'
import { RefusalNotice } from '../elements/notice.js'
import { post, session } from '../frame/api.js'
import { useAction, useLoaded } from '../frame/loaded.js'
import { now } from '../frame/now.js'
import { addressOf, go } from '../frame/route.js'
import { ConversationView } from './conversation-view.js'

export function Chat({ id }: { readonly id: string | undefined }) {
  const may = session.value?.may.chat === true
  const { loaded, again } = useLoaded<ConversationList>(may ? 'conversations' : undefined)
  const picker = useRef<HTMLInputElement>(null)
  const { act, busy, refusal } = useAction()
  const shown = id === 'new' ? undefined : id
  const take = (file: File) =>
    act(async () => {
      const { conversationId } = await post<Conversation>('conversations/import', { markdown: await file.text() })
      await again()
      go('chat', conversationId)
    })
  return (
    <div class={`split ${id === undefined && may ? '' : 'chosen'}`}>
      <section class="list" aria-label="All conversations">
        <header>
          <h1>Chat</h1>
          {may && (
            <span class="bar">
              <input
                type="file"
                accept=".md,text/markdown"
                hidden
                ref={picker}
                aria-label="Conversation to import"
                onChange={({ currentTarget }) => {
                  const file = currentTarget.files?.[0]
                  if (file !== undefined) void take(file)
                  currentTarget.value = ''
                }}
              />
              <button type="button" class="plain" disabled={busy} onClick={() => picker.current?.click()}>
                Import
              </button>
              <a class="button" href={addressOf('chat', 'new')}>
                New
              </a>
            </span>
          )}
        </header>
        <RefusalNotice refusal={loaded.value.refusal ?? refusal.value} />
        <ul class="entries">
          {loaded.value.value?.conversations.map(({ conversationId, title, model, messageCount, changedAt }) => (
            <li key={conversationId}>
              <a href={addressOf('chat', conversationId)} aria-current={conversationId === id ? 'true' : undefined}>
                <span class="title">
                  <strong class="cut">{title === '' ? 'New conversation' : title}</strong>
                </span>
                <span class="facts">
                  <span class="cut">{model}</span>
                  <span>{plural(messageCount, 'message')}</span>
                  <span>{ago(changedAt, now.value)}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
        {loaded.value.value?.conversations.length === 0 && <p class="soft small pad">No conversation is kept yet.</p>}
      </section>
      <section class="one" aria-label="Conversation">
        <ConversationView key={shown} id={shown} changed={again} />
      </section>
    </div>
  )
}
