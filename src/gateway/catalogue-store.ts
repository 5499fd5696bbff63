// Tool lists, kept between processes so that a question about a server need not start it. The store also
// records the servers that were slow a short while ago, and each server's revision of the protocol.
//
// A text is named by a digest of the server's connection, whether a person has logged in to it, and our version. A
// changed entry therefore finds no text, and no credential is stored.
// Invariant: a text that is missing, broken, too long or of another form counts as no list and never fails.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Logins, TokenStore } from './authorization/token-store.js'
import { type CatalogueTexts, FolderTexts } from './catalogue-texts.js'
import type { ServerConfig } from './configuration/index.js'
import { isTooDeep, roughBytes } from './depth.js'
import type { Readable } from './resource-tools.js'

/** A server's list, without credentials. */
interface StoredCatalogue {
  readonly instructions: string
  /** Its capabilities, in the protocol's form. */
  readonly capabilities: Readonly<Record<string, unknown>>
  /** Entries of `tools/list`, as untrusted as those of a server. */
  readonly tools: readonly unknown[]
  readonly readable: Readable
}

/** Which revision of the protocol a server spoke, and its own version then. */
export interface StoredRevision {
  readonly revision: '2025' | '2026'
  readonly version: string
}

/** A longer list is not kept, because reading it would block the event loop. */
const MOST_BYTES = 4_000_000
/** The time for which a slow server does not delay requests that do not name it. */
const HANGING_MS = 300_000

/** A server that answers in the older way may have learned the new one since. */
const REVISION_MS = 7 * 24 * 3_600_000

const storedRevision = z.object({ revision: z.enum(['2025', '2026']), version: z.string() })

const storedCatalogue = z.object({
  instructions: z.string(),
  capabilities: z.record(z.string(), z.unknown()),
  tools: z.array(z.unknown()),
  readable: z.array(z.enum(['resources', 'resourceTemplates', 'prompts'])),
})

/** Texts about a server: its list, whether it was slow, and its revision. */
const KINDS = ['json', 'hangs', 'revision'] as const

export class CatalogueStore {
  readonly #texts: CatalogueTexts
  readonly #version: string
  readonly #logins: Logins

  /** `place`: a folder, or what several processes have in common. */
  constructor(place: string | CatalogueTexts, version: string, logins: Logins = new TokenStore()) {
    this.#texts = typeof place === 'string' ? new FolderTexts(place) : place
    this.#version = version
    this.#logins = logins
  }

  /** Fetches what is known of a server, if that takes a request. */
  async load(config: ServerConfig): Promise<void> {
    if (config.connection.type === 'http') await this.#logins.fresh(config.connection.url)
    const name = this.#nameOf(config)
    if (name !== undefined) await this.#texts.load(KINDS.map((kind) => `${name}.${kind}`))
  }

  /** The list from an earlier process; undefined if there is none. */
  read(config: ServerConfig): StoredCatalogue | undefined {
    const stored = this.#read(config, 'json', MOST_BYTES)
    if (stored === undefined) return undefined
    try {
      const raw: unknown = JSON.parse(stored.text)
      return isTooDeep(raw) ? undefined : storedCatalogue.parse(raw)
    } catch {
      return undefined
    }
  }

  /** Keeps the list for later processes. */
  write(config: ServerConfig, catalogue: StoredCatalogue): void {
    const name = this.#nameOf(config)
    if (name === undefined || roughBytes(catalogue, MOST_BYTES) > MOST_BYTES) return
    const text = JSON.stringify(catalogue)
    if (Buffer.byteLength(text) > MOST_BYTES) return
    this.#texts.write(`${name}.json`, text)
    this.#texts.remove(`${name}.hangs`)
  }

  /** The stored list is still the server's current one. */
  confirm(config: ServerConfig): void {
    const name = this.#nameOf(config)
    if (name === undefined) return
    this.#texts.confirm(`${name}.json`)
    this.#texts.remove(`${name}.hangs`)
  }

  /**
   * True if the server kept two processes waiting a short while ago and has not answered since. One that did so once may
   * have been delayed by others that started at the same time.
   */
  isHanging(config: ServerConfig): boolean {
    return this.#timesNoted(config) > 1
  }

  noteHanging(config: ServerConfig): void {
    const name = this.#nameOf(config)
    if (name !== undefined) this.#texts.write(`${name}.hangs`, this.#timesNoted(config) === 0 ? '.' : '..')
  }

  /** The revision that a server spoke with an earlier process, not long ago. */
  readRevision(config: ServerConfig): StoredRevision | undefined {
    const stored = this.#read(config, 'revision', 10_000)
    if (stored === undefined || Math.abs(this.#texts.now() - stored.at) > REVISION_MS) return undefined
    try {
      return storedRevision.parse(JSON.parse(stored.text))
    } catch {
      return undefined
    }
  }

  /** Undefined: nothing is known any more. */
  writeRevision(config: ServerConfig, stored: StoredRevision | undefined): void {
    const name = this.#nameOf(config)
    if (name === undefined) return
    if (stored === undefined) this.#texts.remove(`${name}.revision`)
    else this.#texts.write(`${name}.revision`, JSON.stringify({ ...stored, version: stored.version.slice(0, 200) }))
  }

  #read(config: ServerConfig, kind: (typeof KINDS)[number], mostBytes: number) {
    const name = this.#nameOf(config)
    return name === undefined ? undefined : this.#texts.read(`${name}.${kind}`, mostBytes)
  }

  /** How many processes noted that the server was slow. The text has a character for each. */
  #timesNoted(config: ServerConfig): number {
    const noted = this.#read(config, 'hangs', 2)
    return noted !== undefined && Math.abs(this.#texts.now() - noted.at) < HANGING_MS ? noted.text.length : 0
  }

  /** Undefined for objects of this process, which need no stored list. */
  #nameOf({ connection, roots = [] }: ServerConfig): string | undefined {
    if (connection.type !== 'stdio' && connection.type !== 'http') return undefined
    const place = connection.type === 'stdio' ? (connection.cwd ?? process.cwd()) : this.#isLoggedIn(connection.url)
    const digest = createHash('sha256').update(JSON.stringify([this.#version, connection, place, roots]))
    return digest.digest('hex')
  }

  #isLoggedIn(url: string): boolean {
    return URL.canParse(url) && this.#logins.read(url).tokens !== undefined
  }
}
