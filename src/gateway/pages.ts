// Collects paginated lists of servers.
// Invariant: a list is bounded, whatever the server returns, and reading it yields to the event loop.

import { roughBytes } from './depth.js'
import { Turns } from './reading/json-in-turns.js'

const MOST_PAGES = 1000
const MOST_ENTRIES = 50_000
/** The maximum number of tools, because much later work processes all of them at once. */
const MOST_TOOLS = 5_000
/** A longer entry is left out, so that the others need not wait for its validation. */
const ENTRY_BYTES = 256 * 1024

export interface PageBounds {
  /** For all pages. */
  readonly maxBytes: number
  /** For all pages. */
  readonly timeoutMs: number
}

export interface Listed {
  readonly entries: unknown[]
  /** The place and reason of the cut, in words that follow the name of the list; undefined for a whole list. */
  readonly cut: string | undefined
}

/** `ask` gets the parameters of a page and its timeout. */
export async function readPages(
  ask: (params: object, timeoutMs: number) => Promise<unknown>,
  key: string,
  { maxBytes, timeoutMs }: PageBounds,
): Promise<Listed> {
  const began = performance.now()
  const turns = new Turns()
  const entries: unknown[] = []
  const cursors = new Set<string>()
  const most = key === 'tools' ? MOST_TOOLS : MOST_ENTRIES
  let params = {}
  let [bytes, long] = [0, 0]
  const leftOut = () => `lacks ${long} ${long === 1 ? 'entry' : 'entries'} of more than ${ENTRY_BYTES} bytes`
  const cutBecause = (why: string): Listed => ({ entries, cut: `was cut after ${entries.length}: ${why}` })
  for (;;) {
    const left = timeoutMs - (performance.now() - began)
    if (left <= 0) return cutBecause(`it took more than ${timeoutMs} ms`)
    const page = (await ask(params, left)) as { readonly [key: string]: unknown } | null
    const listed = page?.[key]
    for (const entry of Array.isArray(listed) ? listed : []) {
      const size = roughBytes(entry, ENTRY_BYTES)
      bytes += size
      if (bytes > maxBytes) return cutBecause(`it is longer than ${maxBytes} bytes`)
      if (entries.length >= most) return cutBecause('more are not taken')
      if (size > ENTRY_BYTES) long++
      else entries.push(entry)
      if (turns.isOver) await turns.next()
    }
    const cursor = page?.nextCursor
    if (typeof cursor !== 'string') return { entries, cut: long > 0 ? leftOut() : undefined }
    if (cursors.has(cursor)) return cutBecause('it repeats itself')
    if (cursors.size >= MOST_PAGES) return cutBecause(`it has more than ${MOST_PAGES} pages`)
    cursors.add(cursor)
    params = { cursor }
  }
}
