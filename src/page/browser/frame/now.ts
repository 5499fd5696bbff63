// The time, for texts such as `5 min. ago`.

import { signal } from '@preact/signals'

/** Milliseconds since 1970, at most a second old while somebody looks. */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)
