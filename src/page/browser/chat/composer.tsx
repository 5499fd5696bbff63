// Where a person writes to a model, and attaches files: chosen, pasted or dropped.

import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Icon } from '../elements/icon.js'
import { RefusalNotice } from '../elements/notice.js'
import { ask } from '../frame/api.js'
import { useAction } from '../frame/loaded.js'

interface Composer {
  readonly isBusy: boolean
  readonly send: (text: string, attachments: readonly string[]) => void
  readonly stop: () => void
}

export function Composer({ isBusy, send, stop }: Composer) {
  const text = useSignal('')
  const isOver = useSignal(false)
  const { attached, attach, busy, refusal } = useAttachments()
  const submit = () => {
    if (isBusy || text.value.trim() === '') return
    send(text.value, attached.value)
    text.value = ''
    attached.value = []
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <form
      class={`composer ${isOver.value ? 'over' : ''}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault()
        isOver.value = false
        void attach(event.dataTransfer?.files ?? [])
      }}
    >
      <RefusalNotice refusal={refusal.value} />
      <Attachments attached={attached} />
      <textarea
        aria-label="Message to the model"
        rows={3}
        placeholder="Ask for something. Enter sends, Shift and Enter begin a line."
        value={text}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const files = event.clipboardData?.files
          if (files === undefined || files.length === 0) return
          event.preventDefault()
          void attach(files)
        }}
      />
      <div class="bar">
        <AttachButton attach={attach} busy={busy} />
        {isBusy ? (
          <button type="button" class="danger push" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="submit" class="main push" disabled={busy.value || text.value.trim() === ''}>
            Send
          </button>
        )}
      </div>
    </form>
  )
}

type Attach = (files: Iterable<File>) => Promise<void>

/** The names of attached files, which are artifacts already. */
function useAttachments() {
  const attached = useSignal<readonly string[]>([])
  const { act, busy, refusal } = useAction()
  const attach: Attach = (files) =>
    act(async () => {
      for (const file of files) {
        const response = await ask(`/artifacts?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file })
        const { name } = (await response.json()) as { readonly name: string }
        attached.value = [...attached.value.filter((one) => one !== name), name]
      }
    })
  return { attached, attach, busy, refusal }
}

function Attachments({ attached }: { readonly attached: Signal<readonly string[]> }) {
  if (attached.value.length === 0) return null
  return (
    <ul class="attachments">
      {attached.value.map((name) => (
        <li key={name}>
          {name}{' '}
          <button
            type="button"
            class="plain"
            aria-label={`Leave out ${name}`}
            onClick={() => (attached.value = attached.value.filter((one) => one !== name))}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function AttachButton({ attach, busy }: { readonly attach: Attach; readonly busy: Signal<boolean> }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        type="file"
        multiple
        hidden
        ref={picker}
        aria-label="Files to attach"
        onChange={({ currentTarget }) => {
          void attach([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <button type="button" class="plain" disabled={busy} onClick={() => picker.current?.click()}>
        <Icon name="attach" /> Attach
      </button>
    </>
  )
}
