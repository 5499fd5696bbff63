// What waits for a person, wherever on the page one is.

import { computed, signal } from '@preact/signals'
import type { ApprovalList, PageApproval, PageEvent } from '../../interface.js'
import { get, Refusal } from '../frame/api.js'
import { follow } from '../frame/events.js'
import { tellOf } from './notifications.js'

/** The oldest first; undefined until they are known. */
export const waiting = signal<readonly PageApproval[] | undefined>(undefined)

export const waitingCount = computed(() => waiting.value?.length ?? 0)

/** Begins to follow the stream. */
export function watchApprovals(): void {
  follow((events) => {
    if (events.some((event) => event.type === 'hello' && !event.resumed)) void load()
    else for (const event of events) apply(event)
  })
}

/** An approval that somebody has answered is gone at once, before the server says so. */
export function isAnswered(runId: string): void {
  waiting.value = waiting.value?.filter((one) => one.runId !== runId)
}

async function load(): Promise<void> {
  try {
    waiting.value = (await get<ApprovalList>('approvals')).approvals
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    waiting.value ??= []
  }
}

function apply(event: PageEvent): void {
  if (event.type === 'approval-gone') isAnswered(event.runId)
  if (event.type !== 'approval') return
  const { approval } = event
  const others = (waiting.value ?? []).filter(({ runId }) => runId !== approval.runId)
  waiting.value = [...others, approval].sort((a, b) => a.askedAt - b.askedAt)
  tellOf(approval)
}
