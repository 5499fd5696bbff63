// Notifications of the system, for a person who looks elsewhere.

import { signal } from '@preact/signals'
import type { PageApproval } from '../../interface.js'
import { addressOf } from '../frame/route.js'

export const permission = signal<NotificationPermission | 'impossible'>(
  'Notification' in window ? Notification.permission : 'impossible',
)

export async function askForPermission(): Promise<void> {
  permission.value = await Notification.requestPermission()
}

/** Tells of an approval where nobody looks at this page. */
export function tellOf({ runId, calls }: PageApproval): void {
  if (permission.value !== 'granted' || document.hasFocus()) return
  const names = calls.map(({ server, tool }) => `${server}.${tool}`)
  const note = new Notification('A program waits for you', { body: [...new Set(names)].join(', '), tag: runId })
  note.onclick = () => {
    focus()
    location.hash = addressOf('approvals', runId)
    note.close()
  }
}
