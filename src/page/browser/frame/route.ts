// Where a person is: `#/runs/run-12` is the view `runs` and the run `run-12`.

import { computed, signal } from '@preact/signals'

export const views = ['runs', 'approvals', 'servers', 'programs', 'chat', 'tokens'] as const
export type View = (typeof views)[number]

export interface Place {
  readonly view: View
  /** One of the view's entries; undefined for its list. */
  readonly id: string | undefined
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

export const place = computed((): Place => {
  const [name, ...rest] = hash.value.replace(/^#\/?/, '').split('/')
  const view = views.find((one) => one === name) ?? 'runs'
  return { view, id: rest.length === 0 || rest[0] === '' ? undefined : readId(rest.join('/')) }
})

/** The address of a view or of one of its entries. */
export const addressOf = (view: View, id?: string): string =>
  id === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`

export function go(view: View, id?: string): void {
  location.hash = addressOf(view, id)
}

/** A part of an address; what is not escaped as it should be stays as it is. */
export function readId(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
