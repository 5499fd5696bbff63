// A cache of answers. The server decides how long an answer is valid (`ttlMs`) and for whom (`cacheScope`).
// Invariant: a private answer is used again only for the same caller with the same headers. The cache is bounded in
// entries, bytes and time.

import { roughBytes } from '../depth.js'
import type { Params } from '../params.js'
import type { PeerRequest } from '../peer.js'

const LONGEST_MS = 24 * 3_600_000
/** The maximum size of one answer, and of all together. */
const ONE_BYTES = 256 * 1024
const ALL_BYTES = 8 * 1024 * 1024

/** The notifications that invalidate the answers to a method. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
  'notifications/resources/updated': ['resources/read'],
}
const KEPT: ReadonlySet<string> = new Set(Object.values(CHANGES).flat())
/** Headers that differ between requests and do not identify the caller. */
const OF_TRACE: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage'])

interface Kept {
  readonly answer: unknown
  readonly until: number
  readonly bytes: number
  /** Undefined: the answer is public. */
  readonly owner: Owner | undefined
}

interface Owner {
  readonly who: object | undefined
  readonly headers: string
}

export class KeptAnswers {
  /** By method and parameters, oldest first. */
  readonly #kept = new Map<string, Kept[]>()
  #bytes = 0

  /** A valid answer for this caller. Undefined: there is none. */
  get(method: string, params: Params, asking: PeerRequest): unknown {
    if (!KEPT.has(method)) return undefined
    const now = performance.now()
    const owner = ownerOf(asking)
    const found = this.#kept.get(keyOf(method, params))?.find((one) => one.until > now && isFor(one, owner))
    return found === undefined ? undefined : structuredClone(found.answer)
  }

  /** Caches an answer if its server allows it. */
  put(method: string, params: Params, asking: PeerRequest, answer: unknown): void {
    const { ttlMs, cacheScope } = (answer ?? {}) as Params
    if (!KEPT.has(method) || typeof ttlMs !== 'number' || !(ttlMs > 0)) return
    const bytes = roughBytes(answer, ONE_BYTES)
    if (bytes > ONE_BYTES) return
    const key = keyOf(method, params)
    const now = performance.now()
    const owner = cacheScope === 'public' ? undefined : ownerOf(asking)
    const others = (this.#kept.get(key) ?? []).filter((one) => one.until > now && !(owner && isFor(one, owner)))
    const kept = { answer: structuredClone(answer), until: now + Math.min(ttlMs, LONGEST_MS), bytes, owner }
    this.#replace(key, [kept, ...others])
    for (const oldest of this.#kept.keys()) if (this.#bytes > ALL_BYTES) this.#replace(oldest, [])
  }

  /** Replaces the answers of a key and moves the key to the end, as the newest. */
  #replace(key: string, kept: Kept[]): void {
    for (const { bytes } of this.#kept.get(key) ?? []) this.#bytes -= bytes
    this.#kept.delete(key)
    for (const { bytes } of kept) this.#bytes += bytes
    if (kept.length > 0) this.#kept.set(key, kept)
  }

  /** Drops the answers that a notification invalidates. */
  note(notice: string): void {
    const old = CHANGES[notice] ?? []
    for (const key of this.#kept.keys()) if (old.some((method) => key.startsWith(`${method} `))) this.#replace(key, [])
  }
}

function keyOf(method: string, { _meta, ...params }: Params): string {
  return `${method} ${JSON.stringify(params)}`
}

function ownerOf({ caller, headers = {} }: PeerRequest): Owner {
  const own = Object.entries(headers).filter(([name]) => !OF_TRACE.has(name))
  return { who: caller?.who, headers: JSON.stringify(own.sort()) }
}

function isFor({ owner }: Kept, { who, headers }: Owner): boolean {
  return owner === undefined || (owner.who === who && owner.headers === headers)
}
