// What there is to say where there is nothing to show, and what happened where something failed.

import type { ComponentChildren } from 'preact'
import type { Refusal } from '../frame/api.js'

interface Empty {
  readonly title: string
  readonly children: ComponentChildren
}

export const Empty = ({ title, children }: Empty) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

interface Notice {
  readonly kind?: 'bad' | 'wait'
  readonly children: ComponentChildren
}

export const Notice = ({ kind, children }: Notice) => (
  <div class={`notice ${kind ?? ''}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)

/** How a request was refused. */
export const RefusalNotice = ({ refusal }: { readonly refusal: Refusal | undefined }) =>
  refusal === undefined ? null : (
    <Notice kind="bad">
      <span>
        {refusal.message} {refusal.hint !== undefined && <span class="soft">{refusal.hint}</span>}
      </span>
    </Notice>
  )
