// Views whose code is loaded when they are shown first.

import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** A component in a file of its own. */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined)
  let isLoading = false
  return (props: Props) => {
    const Loaded = loaded.value
    if (Loaded !== undefined) return <Loaded {...props} />
    if (!isLoading)
      void load().then((component) => {
        loaded.value = component
      })
    isLoading = true
    return <p class="sheet soft">Loading …</p>
  }
}
