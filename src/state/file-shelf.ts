// Files that outlive their process: a table of their properties in `files.db`, and their contents in `results/`, each
// under its SHA-256. Several processes may have the folder open at once.
//
// SQLite allows one transaction at a time. The transaction that adds the first row for a content also moves the content
// into place; a transaction after the deletion of the last row removes it. So the content of every row exists, and a
// content without a row is the remains of a killed process and is deleted.
// Invariant: only the user of this process can read the files, and all of them together stay within the bounds.

import { createReadStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { openDatabase, reasonOf, using } from './database.js'
import type { AllFiles, FileFacts, OwnedFiles } from './owned-files.js'
import { type StagedFile, stagedIn, sweepFolder } from './staged-file.js'

export interface FileShelfOptions {
  /** The maximum size of the files of all owners. The owner with the most bytes loses its oldest file first. */
  readonly maxBytes: number
  /** The time for which a file is kept, in milliseconds. */
  readonly maxAgeMs: number
  /** Receives failures; the affected file stays in memory. */
  readonly complain: (message: string) => void
}

const FORM = 1
const TABLES = `
  CREATE TABLE file (owner TEXT NOT NULL, name TEXT NOT NULL, mimeType TEXT NOT NULL,
    bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, width INTEGER, height INTEGER, keptAt INTEGER NOT NULL,
    PRIMARY KEY (owner, name)) WITHOUT ROWID;
  CREATE INDEX byContent ON file (sha256);
`

type Connection = ReturnType<typeof opened>

export class FileShelf implements AllFiles {
  readonly #file: string
  readonly #contents: string
  readonly #options: FileShelfOptions
  #connection: Connection | undefined
  /** SQLite's version of the data when it was last read; other processes change it. */
  #version = -1
  #isFresh = false
  readonly #owned = new Map<string, readonly FileFacts[]>()
  readonly #writing = new Set<Promise<void>>()

  /** The first write creates `folder`. */
  constructor(folder: string, options: FileShelfOptions) {
    this.#file = path.join(folder, 'files.db')
    this.#contents = path.join(folder, 'results')
    this.#options = options
  }

  of(owner: string): OwnedFiles {
    return {
      files: () => this.#files(owner),
      fresh: () => undefined,
      put: (file, content, gone) => this.#put(owner, { file, content, gone }),
      stage: (pieces) => stagedIn(this.#contents, pieces),
      remove: (names) => {
        this.#owned.delete(owner)
        this.#attempt(({ remove, unlinkDropped }) => {
          remove(owner, names)
          unlinkDropped()
        })
        return undefined
      },
      load: () => undefined,
      read: (sha256) => {
        if (!this.#has(owner, sha256)) return undefined
        try {
          return readFileSync(this.#placeOf(sha256))
        } catch {
          return undefined
        }
      },
      stream: (sha256, range) =>
        this.#has(owner, sha256) ? createReadStream(this.#placeOf(sha256), range) : Readable.from([]),
    }
  }

  /** Resolves when all files are stored. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#writing)
    this.#connection?.close()
    this.#connection = undefined
  }

  #files(owner: string): readonly FileFacts[] {
    this.#look()
    const known = this.#owned.get(owner)
    if (known !== undefined) return known
    const rows = (this.#connection && this.#attempt(({ files }) => files.all(owner) as Row[])) ?? []
    const files = rows.map(factsIn)
    this.#owned.set(owner, files)
    return files
  }

  /** A content is reached by an owner's own files only, and never by its digest. */
  #has(owner: string, sha256: string): boolean {
    return this.#files(owner).some((file) => file.sha256 === sha256)
  }

  /** Looks for changes of other processes, once in a turn of the event loop. */
  #look(): void {
    if (this.#isFresh) return
    if (this.#connection === undefined && !existsSync(this.#file)) return
    this.#isFresh = true
    setImmediate(() => {
      this.#isFresh = false
    })
    const version = this.#attempt(({ version }) => (version.get() as { readonly data_version: number }).data_version)
    if (version !== this.#version) this.#owned.clear()
    this.#version = version ?? -1
  }

  #put(owner: string, put: Put): Promise<void> {
    const written = this.#written(owner, put).catch((error: unknown) => {
      this.#options.complain(`${put.file.name} is kept in memory only: ${reasonOf(error)}`)
      throw error
    })
    const settled = written.then(
      () => {},
      () => {},
    )
    this.#writing.add(settled)
    void settled.then(() => this.#writing.delete(settled))
    return written
  }

  async #written(owner: string, { file, content, gone }: Put): Promise<void> {
    const { maxBytes, maxAgeMs } = this.#options
    const { place } = 'place' in content ? content : await stagedIn(this.#contents, [content])
    try {
      using(this.#file, () => {
        const { put, unlinkDropped } = this.#connect()
        put({ owner, file, gone }, { place, maxBytes, since: Date.now() - maxAgeMs })
        unlinkDropped()
      })
    } catch (error) {
      rmSync(place, { force: true })
      throw error
    } finally {
      this.#owned.clear()
    }
  }

  #placeOf(sha256: string): string {
    return path.join(this.#contents, sha256)
  }

  #connect(): Connection {
    this.#connection ??= opened(this.#file, this.#contents)
    return this.#connection
  }

  /** Undefined if it failed; the failure is reported. */
  #attempt<Result>(act: (connection: Connection) => Result): Result | undefined {
    try {
      return using(this.#file, () => act(this.#connect()))
    } catch (error) {
      this.#options.complain(reasonOf(error))
      return undefined
    }
  }
}

interface Put {
  readonly file: FileFacts
  readonly content: Uint8Array | StagedFile
  readonly gone: readonly string[]
}

interface Row extends Omit<FileFacts, 'width' | 'height'> {
  readonly width: number | null
  readonly height: number | null
}

function factsIn({ name, mimeType, bytes, sha256, width, height, keptAt }: Row): FileFacts {
  const size = width === null || height === null ? {} : { width, height }
  return { name, mimeType, bytes, sha256, ...size, keptAt }
}

function opened(file: string, folder: string) {
  const database = openDatabase(file, { form: FORM, tables: TABLES })
  const drop = database.prepare('DELETE FROM file WHERE owner = ? AND name = ?')
  const old = database.prepare('SELECT owner, name FROM file WHERE keptAt < ?')
  const insert = database.prepare('INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const whole = database.prepare('SELECT SUM(bytes) AS bytes FROM file')
  const surplus = database.prepare(`SELECT owner, name FROM file WHERE owner =
    (SELECT owner FROM file GROUP BY owner ORDER BY SUM(bytes) DESC LIMIT 1) ORDER BY keptAt LIMIT 1`)
  const named = database.prepare('SELECT 1 FROM file WHERE sha256 = ? LIMIT 1')
  const contentOf = database.prepare('SELECT sha256 FROM file WHERE owner = ? AND name = ?')
  const dropped = new Set<string>()
  const dropAll = (rows: readonly unknown[]): void => {
    for (const { owner, name } of rows as readonly Owned[]) {
      const row = contentOf.get(owner, name) as { readonly sha256: string } | undefined
      if (row === undefined) continue
      dropped.add(row.sha256)
      drop.run(owner, name)
    }
  }
  const unlinkDropped = (): void => {
    for (const sha256 of dropped)
      if (named.get(sha256) === undefined) rmSync(path.join(folder, sha256), { force: true })
    dropped.clear()
  }
  /** Deletes contents without a row, and old staged files. */
  const sweep = (): void => sweepFolder(folder, (name) => named.get(name) === undefined)
  database.transaction(sweep).immediate()
  const put = (
    { owner, file, gone }: Omit<Put, 'content'> & { readonly owner: string },
    { place, since, maxBytes }: { readonly place: string; readonly since: number; readonly maxBytes: number },
  ): void => {
    const { name, mimeType, bytes, sha256, width = null, height = null, keptAt } = file
    dropAll([...gone, name].map((name) => ({ owner, name })))
    dropAll(old.all(since))
    insert.run(owner, name, mimeType, bytes, sha256, width, height, keptAt)
    while (bytesOf(whole.get()) > maxBytes) dropAll(surplus.all())
    renameSync(place, path.join(folder, sha256))
  }
  return {
    version: database.prepare('PRAGMA data_version'),
    files: database.prepare('SELECT * FROM file WHERE owner = ? ORDER BY keptAt, name'),
    put: database.transaction(put).immediate,
    remove: database.transaction((owner: string, names: readonly string[]) => {
      dropAll(names.map((name) => ({ owner, name })))
    }).immediate,
    unlinkDropped: database.transaction(unlinkDropped).immediate,
    close: () => database.close(),
  }
}

interface Owned {
  readonly owner: string
  readonly name: string
}

function bytesOf(row: unknown): number {
  return (row as { readonly bytes: number | null }).bytes ?? 0
}
