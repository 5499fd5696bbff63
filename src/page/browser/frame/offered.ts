// The views whose part of the interface the server has. The interface describes itself, so it is asked.

import { signal } from '@preact/signals'
import { get } from './api.js'
import { type View, views } from './route.js'

/** The end of a path that a view can't do without. */
const needed: Record<View, string> = {
  runs: 'runs',
  approvals: 'approvals',
  servers: 'servers',
  programs: 'programs',
  chat: 'conversations',
  tokens: 'tokens',
}

export const offered = signal<readonly View[]>([])

/** Learns them. Rejects with a Refusal. */
export async function learnViews(): Promise<void> {
  const { paths } = await get<{ readonly paths: object }>('openapi.json')
  const ends = new Set(Object.keys(paths).map((path) => path.slice(path.lastIndexOf('/') + 1)))
  offered.value = views.filter((view) => ends.has(needed[view]))
}
