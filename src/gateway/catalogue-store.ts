// Tool lists on disk, kept between processes so that a question about a server need not start it. The store also
// records the servers that were slow a short while ago, and each server's revision of the protocol.
//
// A file is named by a digest of the server's connection, whether a person has logged in to it, and our version. A
// changed entry therefore finds no file, and no credential is stored.
// Invariant: a file that is missing, broken, too long or of another form counts as no list and never fails.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { type Logins, TokenStore } from './authorization/token-store.js'
import type { ServerConfig } from './configuration/index.js'
import { isTooDeep, roughBytes } from './depth.js'
import { writePrivateFile } from './private-file.js'
import type { Readable } from './resource-tools.js'

/** A server's list, without credentials. */
export interface StoredCatalogue {
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
const MOST_FILES = 200
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

export class CatalogueStore {
  readonly #folder: string
  readonly #version: string
  readonly #logins: Logins

  constructor(folder: string, version: string, logins: Logins = new TokenStore()) {
    this.#folder = folder
    this.#version = version
    this.#logins = logins
  }

  /** The list from an earlier process; undefined if there is none. */
  read(config: ServerConfig): StoredCatalogue | undefined {
    const file = this.#fileOf(config)
    if (file === undefined) return undefined
    try {
      if (statSync(file).size > MOST_BYTES) return undefined
      const raw: unknown = JSON.parse(readFileSync(file, 'utf8'))
      return isTooDeep(raw) ? undefined : storedCatalogue.parse(raw)
    } catch {
      return undefined
    }
  }

  /** Keeps the list for later processes. */
  write(config: ServerConfig, catalogue: StoredCatalogue): void {
    const file = this.#fileOf(config)
    if (file === undefined || roughBytes(catalogue, MOST_BYTES) > MOST_BYTES) return
    const text = JSON.stringify(catalogue)
    if (Buffer.byteLength(text) > MOST_BYTES) return
    this.#put(file, text)
    rmSync(hangingFile(file), { force: true })
  }

  /** The stored list is still the server's current one. */
  confirm(config: ServerConfig): void {
    const file = this.#fileOf(config)
    if (file === undefined) return
    try {
      const now = new Date()
      utimesSync(file, now, now)
      rmSync(hangingFile(file), { force: true })
    } catch {
      // The file was removed meanwhile.
    }
  }

  /**
   * True if the server kept two processes waiting a short while ago and has not answered since. One that did so once may
   * have been delayed by others that started at the same time.
   */
  isHanging(config: ServerConfig): boolean {
    const file = this.#fileOf(config)
    return file !== undefined && timesNoted(hangingFile(file)) > 1
  }

  noteHanging(config: ServerConfig): void {
    const file = this.#fileOf(config)
    if (file !== undefined) this.#put(hangingFile(file), timesNoted(hangingFile(file)) === 0 ? '.' : '..')
  }

  /** The revision that a server spoke with an earlier process, not long ago. */
  readRevision(config: ServerConfig): StoredRevision | undefined {
    const file = this.#fileOf(config)
    if (file === undefined) return undefined
    try {
      const { mtimeMs, size } = statSync(revisionFile(file))
      if (Math.abs(Date.now() - mtimeMs) > REVISION_MS || size > 10_000) return undefined
      return storedRevision.parse(JSON.parse(readFileSync(revisionFile(file), 'utf8')))
    } catch {
      return undefined
    }
  }

  /** Undefined: nothing is known any more. */
  writeRevision(config: ServerConfig, stored: StoredRevision | undefined): void {
    const file = this.#fileOf(config)
    if (file === undefined) return
    if (stored === undefined) rmSync(revisionFile(file), { force: true })
    else this.#put(revisionFile(file), JSON.stringify({ ...stored, version: stored.version.slice(0, 200) }))
  }

  /** Does nothing if the folder is not writable; the next process then asks the server. */
  #put(file: string, text: string): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      writePrivateFile(file, text)
      this.#makeRoom()
    } catch {}
  }

  /** Deletes surplus files, those that were not confirmed for longest first. */
  #makeRoom(): void {
    const files = readdirSync(this.#folder).map((name) => path.join(this.#folder, name))
    if (files.length <= MOST_FILES) return
    const byAge = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => a.at - b.at)
    for (const { file } of byAge.slice(0, files.length - MOST_FILES)) rmSync(file, { force: true })
  }

  /** Undefined for objects of this process, which need no stored list. */
  #fileOf({ connection, roots = [] }: ServerConfig): string | undefined {
    if (connection.type !== 'stdio' && connection.type !== 'http') return undefined
    const place = connection.type === 'stdio' ? (connection.cwd ?? process.cwd()) : this.#isLoggedIn(connection.url)
    const digest = createHash('sha256').update(JSON.stringify([this.#version, connection, place, roots]))
    return path.join(this.#folder, `${digest.digest('hex')}.json`)
  }

  #isLoggedIn(url: string): boolean {
    return URL.canParse(url) && this.#logins.read(url).tokens !== undefined
  }
}

/** How many processes noted that the server was slow. The file has a character for each. */
function timesNoted(file: string): number {
  const noted = statSync(file, { throwIfNoEntry: false })
  return noted !== undefined && Math.abs(Date.now() - noted.mtimeMs) < HANGING_MS ? noted.size : 0
}

function hangingFile(file: string): string {
  return file.replace(/json$/, 'hangs')
}

function revisionFile(file: string): string {
  return file.replace(/json$/, 'revision')
}
