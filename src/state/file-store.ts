// The store in one file, a SQLite database, which several processes may have open at once. It is opened at its first
// use. Transactions are appended to a log beside it, which belongs to it until it is closed: committed data is with the
// operating system and survives the process, whenever it ends. After a power failure the last moments may be lost, but
// no older data.
// Invariant: only its owner can read the file, and a file of a newer format is not touched.

import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type Database from 'libsql'
import { DiagnosticError } from '../diagnostics/index.js'
import { stateNewer, stateUnavailable, stateUnusable } from './messages.js'
import type { KeptEntry, KeptRun, RunState, Store, StoreBounds } from './store.js'

/** The form of the tables below. */
const FORM = 1
/** The time that another process may lock the file, in milliseconds. */
const BUSY_MS = 5_000

const TABLES = `
  CREATE TABLE run (id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, changedAt INTEGER NOT NULL,
    revision INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE entry (run TEXT NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, place))
    WITHOUT ROWID;
  CREATE INDEX byChange ON run (state, changedAt);
  PRAGMA user_version = ${FORM};
`

type Connection = ReturnType<typeof opened>

export class FileStore implements Store {
  readonly #file: string
  #connection: Connection | undefined

  /** `folder` is made when something is kept for the first time. */
  constructor(folder: string) {
    this.#file = path.join(folder, 'state.db')
  }

  async begin(run: Omit<KeptRun, 'revision'>): Promise<KeptRun> {
    const kept = { ...run, revision: 1 }
    this.#do(({ begin }) => begin.run(kept.id, kept.owner, kept.state, kept.changedAt, 1, kept.body))
    return kept
  }

  async change(run: KeptRun): Promise<KeptRun | undefined> {
    const { id, owner, state, changedAt, body, revision } = run
    const { changes } = this.#do(({ change }) => change.run(owner, state, changedAt, revision + 1, body, id, revision))
    return changes === 0 ? undefined : { ...run, revision: revision + 1 }
  }

  async run(id: string): Promise<KeptRun | undefined> {
    const row = this.#do(({ run }) => run.get(id)) as KeptRun | undefined
    return row && keptRun(row)
  }

  async runs(state?: RunState): Promise<readonly KeptRun[]> {
    const rows = this.#do(({ runs, runsIn }) => (state === undefined ? runs.all() : runsIn.all(state)))
    return (rows as KeptRun[]).map(keptRun)
  }

  async note(id: string, entries: readonly KeptEntry[]): Promise<void> {
    if (entries.length === 1) this.#do(({ note }) => note.run(id, entries[0]!.place, entries[0]!.text))
    else this.#do(({ noteAll }) => noteAll(id, entries))
  }

  async entries(id: string): Promise<readonly KeptEntry[]> {
    const rows = this.#do(({ entries }) => entries.all(id)) as KeptEntry[]
    return rows.map(({ place, text }) => ({ place, text }))
  }

  async makeRoom({ since, maxBytes }: StoreBounds): Promise<void> {
    this.#do((connection) => connection.makeRoom(since, maxBytes))
  }

  async close(): Promise<void> {
    this.#connection?.close()
    this.#connection = undefined
  }

  #do<Result>(act: (connection: Connection) => Result): Result {
    try {
      this.#connection ??= opened(this.#file)
      return act(this.#connection)
    } catch (error) {
      if (error instanceof DiagnosticError) throw error
      throw new DiagnosticError(stateUnusable(this.#file, reasonOf(error)))
    }
  }
}

/** Rows come with figures of the library's own. */
function keptRun({ id, owner, state, changedAt, revision, body }: KeptRun): KeptRun {
  return { id, owner, state, changedAt, revision, body }
}

function opened(file: string) {
  // The folder's own mode keeps others from the log that SQLite writes beside the file.
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = connected(file)
  const all = 'SELECT id, owner, state, changedAt, revision, body FROM run'
  const note = database.prepare('INSERT OR REPLACE INTO entry VALUES (?, ?, ?)')
  const old = database.prepare("SELECT id FROM run WHERE state = 'ended' AND changedAt < ?")
  const oldest = database.prepare("SELECT id FROM run WHERE state = 'ended' ORDER BY changedAt LIMIT 100")
  const drop = database.prepare('DELETE FROM run WHERE id = ?')
  const dropEntries = database.prepare('DELETE FROM entry WHERE run = ?')
  const dropAll = (rows: readonly unknown[]): void => {
    for (const { id } of rows as readonly { readonly id: string }[]) {
      drop.run(id)
      dropEntries.run(id)
    }
  }
  return {
    begin: database.prepare('INSERT INTO run VALUES (?, ?, ?, ?, ?, ?)'),
    change: database.prepare(
      'UPDATE run SET owner = ?, state = ?, changedAt = ?, revision = ?, body = ? WHERE id = ? AND revision = ?',
    ),
    run: database.prepare(`${all} WHERE id = ?`),
    runs: database.prepare(`${all} ORDER BY changedAt DESC, id`),
    runsIn: database.prepare(`${all} WHERE state = ? ORDER BY changedAt DESC, id`),
    entries: database.prepare('SELECT place, text FROM entry WHERE run = ? ORDER BY place'),
    note,
    noteAll: database.transaction((id: string, entries: readonly KeptEntry[]) => {
      for (const { place, text } of entries) note.run(id, place, text)
    }),
    makeRoom: database.transaction((since: number, maxBytes: number) => {
      dropAll(old.all(since))
      while (bytesIn(database) > maxBytes) {
        const rows = oldest.all()
        if (rows.length === 0) return
        dropAll(rows)
      }
    }),
    close: () => database.close(),
  }
}

/** The size of the kept data; pages of deleted data are reused. */
function bytesIn(database: Database.Database): number {
  const number = (name: string): number =>
    Number(Object.values(database.prepare(`PRAGMA ${name}`).get() as Record<string, unknown>)[0])
  return (number('page_count') - number('freelist_count')) * number('page_size')
}

function connected(file: string): Database.Database {
  const database = new (connection(file))(file, { timeout: BUSY_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    // The first process of several makes the tables.
    database.exec('BEGIN IMMEDIATE')
    const { user_version: form } = database.prepare('PRAGMA user_version').get() as { user_version: number }
    if (form > FORM) throw new DiagnosticError(stateNewer(file, form, FORM))
    if (form === 0) database.exec(TABLES)
    database.exec('COMMIT')
    return database
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    database.close()
    throw error
  }
}

/** Not imported: its native code is loaded where something is kept, and nowhere else. It is an optional dependency. */
function connection(file: string): typeof Database {
  try {
    return createRequire(import.meta.url)('libsql') as typeof Database
  } catch {
    throw new DiagnosticError(stateUnavailable(file, `${process.platform}-${process.arch}`))
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const text = typeof message === 'string' ? message : String(error)
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text
}
