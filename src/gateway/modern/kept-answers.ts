// Answers that a server allows to be used again for a while (`ttlMs`), by itself or for everybody (`cacheScope`).
// Invariant: an answer that is private never reaches anybody but the one who got it, in the same words or with other
// headers; and what is kept is bounded, in time too.

import { roughBytes } from '../depth.js'
import type { Params } from '../params.js'
import type { PeerRequest } from '../peer.js'

const LONGEST_MS = 24 * 3_600_000
/** Of one answer, and of all. */
const ONE_BYTES = 256 * 1024
const ALL_BYTES = 8 * 1024 * 1024

/** The notices after which answers to a method are old. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
  'notifications/resources/updated': ['resources/read'],
}
const KEPT: ReadonlySet<string> = new Set(Object.values(CHANGES).flat())
/** Headers that differ from request to request, and say nothing about who asks. */
const OF_TRACE: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage'])

interface Kept {
  readonly answer: unknown
  readonly until: number
  readonly bytes: number
  /** Undefined: it is for everybody. */
  readonly owner: Owner | undefined
}

interface Owner {
  readonly who: object | undefined
  readonly headers: string
}

export class KeptAnswers {
  /** By method and parameters, the oldest first. */
  readonly #kept = new Map<string, Kept[]>()
  #bytes = 0

  /** A fresh answer for whoever asks; undefined if there is none. */
  get(method: string, params: Params, asking: PeerRequest): unknown {
    if (!KEPT.has(method)) return undefined
    const now = performance.now()
    const owner = ownerOf(asking)
    const found = this.#kept.get(keyOf(method, params))?.find((one) => one.until > now && isFor(one, owner))
    return found === undefined ? undefined : structuredClone(found.answer)
  }

  /** Keeps an answer if its server allows that. */
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

  /** The last one is the newest. */
  #replace(key: string, kept: Kept[]): void {
    for (const { bytes } of this.#kept.get(key) ?? []) this.#bytes -= bytes
    this.#kept.delete(key)
    for (const { bytes } of kept) this.#bytes += bytes
    if (kept.length > 0) this.#kept.set(key, kept)
  }

  /** A notification of the server has come. */
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
