// What there is to say about a server, in a line for people: on the page and in `starbind doctor`.

import type { ServerStatus } from '../index.js'

export type Mark = 'ok' | 'off' | 'bad'

export function markOf({ state }: Pick<ServerStatus, 'state'>): Mark {
  return state === 'ready' ? 'ok' : state === 'disabled' ? 'off' : 'bad'
}

export function findingOf({ state, reason, lastWords, saidWhy, tools, quarantined, cut }: ServerStatus): string {
  const said = saidWhy === undefined ? lastWords : `it said ${JSON.stringify(saidWhy)}`
  if (state !== 'ready') return [reason, said].filter((part) => part !== '').join('; ')
  const [first, ...more] = quarantined
  const aside =
    first === undefined
      ? ''
      : `; ${first.name} is set aside: ${first.reason}${more.length === 0 ? '' : `, and ${more.length} more`}`
  const left = cut.map((what) => `; ${what}`).join('')
  return `${tools.length} tool${tools.length === 1 ? '' : 's'}${aside}${left}`
}
