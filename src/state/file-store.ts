// A store in one file, which the first use opens.

import path from 'node:path'
import type Database from 'libsql'
import { bytesIn, expectDatabase, openDatabase, using } from './database.js'
import { type Holder, isAliveHere, thisProcess } from './holder.js'
import {
  changedValues,
  type KeptEntry,
  type KeptRun,
  type KeptValues,
  type RunPageWanted,
  type RunState,
  type Store,
  type StoreBounds,
  type ValueBounds,
  type ValueChanges,
} from './store.js'

/** The version of the tables below. */
const FORM = 1
const TABLES = `
  CREATE TABLE run (id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, changedAt INTEGER NOT NULL,
    revision INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE entry (run TEXT NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, place))
    WITHOUT ROWID;
  CREATE INDEX byChange ON run (state, changedAt);
`
/** A later addition to this form; older versions of starbind ignore the table. */
const VALUES = `CREATE TABLE IF NOT EXISTS value (owner TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL,
  changedAt INTEGER NOT NULL, PRIMARY KEY (owner, key)) WITHOUT ROWID;`

type Connection = ReturnType<typeof opened>

export class FileStore implements Store {
  readonly holder = thisProcess
  readonly #file: string
  #connection: Connection | undefined

  /** The first write creates `folder`. */
  constructor(folder: string) {
    this.#file = path.join(folder, 'state.db')
  }

  expect(): void {
    expectDatabase()
  }

  now(): number {
    return Date.now()
  }

  async isAlive(holder: Holder): Promise<boolean> {
    return isAliveHere(holder)
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

  async page({ limit, owner, state, before }: RunPageWanted): Promise<readonly KeptRun[]> {
    const { changedAt, id } = before ?? { changedAt: Number.MAX_SAFE_INTEGER, id: '' }
    const rows = this.#do(({ page }) =>
      page.all(owner ?? null, owner ?? null, state ?? null, state ?? null, changedAt, changedAt, id, limit),
    )
    return (rows as KeptRun[]).map(keptRun)
  }

  async note(id: string, entries: readonly KeptEntry[], revision: number): Promise<boolean> {
    const [first] = entries
    if (first === undefined || entries.length > 1) return this.#do(({ noteAll }) => noteAll(id, entries, revision))
    const { place, text } = first
    return this.#do(({ note }) => note.run(id, place, text, id, revision)).changes === 1
  }

  async entries(id: string): Promise<readonly KeptEntry[]> {
    const rows = this.#do(({ entries }) => entries.all(id)) as KeptEntry[]
    return rows.map(({ place, text }) => ({ place, text }))
  }

  async values(owner: string): Promise<KeptValues> {
    return this.#do(({ valuesOf }) => valuesOf(owner))
  }

  async keepValues(owner: string, changes: ValueChanges, bounds: ValueBounds): Promise<KeptValues | undefined> {
    return this.#do(({ keepValues }) => keepValues(owner, changes, bounds))
  }

  async makeRoom({ since, maxBytes }: StoreBounds): Promise<void> {
    this.#do((connection) => connection.makeRoom(since, maxBytes))
  }

  async close(): Promise<void> {
    this.#connection?.close()
    this.#connection = undefined
  }

  #do<Result>(act: (connection: Connection) => Result): Result {
    return using(this.#file, () => {
      this.#connection ??= opened(this.#file)
      return act(this.#connection)
    })
  }
}

/** The row without the fields that the library adds. */
function keptRun({ id, owner, state, changedAt, revision, body }: KeptRun): KeptRun {
  return { id, owner, state, changedAt, revision, body }
}

function opened(file: string) {
  const database = openDatabase(file, { form: FORM, tables: TABLES })
  database.exec(VALUES)
  const all = 'SELECT id, owner, state, changedAt, revision, body FROM run'
  const note = database.prepare('INSERT OR REPLACE INTO entry SELECT ?, ?, ? FROM run WHERE id = ? AND revision = ?')
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
    page: database.prepare(
      // The order is found without the bodies, which are long.
      `${all} WHERE id IN (SELECT id FROM run WHERE (? IS NULL OR owner = ?) AND (? IS NULL OR state = ?)
       AND (changedAt < ? OR (changedAt = ? AND id > ?)) ORDER BY changedAt DESC, id LIMIT ?)
       ORDER BY changedAt DESC, id`,
    ),
    entries: database.prepare('SELECT place, text FROM entry WHERE run = ? ORDER BY place'),
    note,
    noteAll: database.transaction((id: string, entries: readonly KeptEntry[], revision: number): boolean =>
      // The revision is the same for all, because the transaction has locked the file.
      entries.every(({ place, text }) => note.run(id, place, text, id, revision).changes === 1),
    ).immediate,
    makeRoom: database.transaction((since: number, maxBytes: number) => {
      dropAll(old.all(since))
      while (bytesIn(database) > maxBytes) {
        const rows = oldest.all()
        if (rows.length === 0) return
        dropAll(rows)
      }
    }),
    ...valueStatements(database),
    close: () => database.close(),
  }
}

function valueStatements(database: Database.Database) {
  const all = database.prepare('SELECT key, text FROM value WHERE owner = ? ORDER BY key')
  const keep = database.prepare('INSERT OR REPLACE INTO value VALUES (?, ?, ?, ?)')
  const drop = database.prepare('DELETE FROM value WHERE owner = ? AND key = ?')
  const held = database.prepare('SELECT TOTAL(LENGTH(key) + LENGTH(text)) AS held FROM value')
  const longAgo = database.prepare(
    'SELECT owner FROM value WHERE owner <> ? GROUP BY owner ORDER BY MAX(changedAt), owner LIMIT 1',
  )
  const dropOwner = database.prepare('DELETE FROM value WHERE owner = ?')
  const valuesOf = (owner: string): KeptValues =>
    new Map((all.all(owner) as { key: string; text: string }[]).map(({ key, text }) => [key, text]))
  const keepValues = database.transaction((owner: string, changes: ValueChanges, bounds: ValueBounds) => {
    const kept = changedValues(valuesOf(owner), changes, bounds)
    if (kept === undefined) return undefined
    for (const [key, text] of changes) {
      if (text === undefined) drop.run(owner, key)
      else keep.run(owner, key, text, Date.now())
    }
    while ((held.get() as { held: number }).held > bounds.allCharacters) {
      const oldest = longAgo.get(owner) as { owner: string } | undefined
      if (oldest === undefined) break
      dropOwner.run(oldest.owner)
    }
    return kept
  })
  return { valuesOf, keepValues: keepValues.immediate }
}
