// Traces in one file, which the first use opens. It is not the file of the runs: runs make room for runs, and traces
// for traces.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { openDatabase, using } from './database.js'
import type { KeptTrace, TraceBounds, TraceStore, WholeTrace } from './traces.js'

const FORM = 1
const TABLES = `
  CREATE TABLE trace (id TEXT PRIMARY KEY, owner TEXT NOT NULL, changedAt INTEGER NOT NULL, size INTEGER NOT NULL,
    facts TEXT NOT NULL, messages TEXT NOT NULL);
  CREATE INDEX byChange ON trace (changedAt);
`

type Connection = ReturnType<typeof opened>

export class FileTraces implements TraceStore {
  readonly #file: string
  #connection: Connection | undefined

  /** The first write creates `folder`. */
  constructor(folder: string) {
    this.#file = path.join(folder, 'traces.db')
  }

  async keep(trace: WholeTrace, bounds: TraceBounds): Promise<boolean> {
    return this.#do(({ keep }) => keep(trace, bounds))
  }

  async all(): Promise<readonly KeptTrace[]> {
    return this.#isThere() ? this.#do(({ all }) => all.all() as KeptTrace[]).map(keptTrace) : []
  }

  async named(id: string): Promise<WholeTrace | undefined> {
    const row = this.#isThere() ? (this.#do(({ named }) => named.get(id)) as WholeTrace | undefined) : undefined
    return row && { ...keptTrace(row), messages: row.messages }
  }

  async remove(id: string, owner: string): Promise<void> {
    if (this.#isThere()) this.#do(({ remove }) => remove.run(id, owner))
  }

  async close(): Promise<void> {
    this.#connection?.close()
    this.#connection = undefined
  }

  #isThere(): boolean {
    return this.#connection !== undefined || existsSync(this.#file)
  }

  #do<Result>(act: (connection: Connection) => Result): Result {
    return using(this.#file, () => {
      this.#connection ??= opened(this.#file)
      return act(this.#connection)
    })
  }
}

/** The row without the fields that the library adds. */
function keptTrace({ id, owner, changedAt, facts }: KeptTrace): KeptTrace {
  return { id, owner, changedAt, facts }
}

function opened(file: string) {
  const database = openDatabase(file, { form: FORM, tables: TABLES })
  const ownerOf = database.prepare('SELECT owner FROM trace WHERE id = ?')
  const insert = database.prepare('INSERT OR REPLACE INTO trace VALUES (?, ?, ?, ?, ?, ?)')
  const dropOld = database.prepare('DELETE FROM trace WHERE changedAt < ?')
  const held = database.prepare('SELECT COUNT(*) AS traces, TOTAL(size) AS characters FROM trace')
  const dropOldest = database.prepare(
    'DELETE FROM trace WHERE id = (SELECT id FROM trace ORDER BY changedAt, rowid LIMIT 1)',
  )
  const keep = database.transaction((trace: WholeTrace, bounds: TraceBounds): boolean => {
    const { id, owner, changedAt, facts, messages } = trace
    const before = ownerOf.get(id) as { readonly owner: string } | undefined
    if (before !== undefined && before.owner !== owner) return false
    insert.run(id, owner, changedAt, facts.length + messages.length, facts, messages)
    dropOld.run(bounds.since)
    while (isOver(held.get(), bounds)) dropOldest.run()
    return true
  })
  return {
    keep: keep.immediate,
    all: database.prepare('SELECT id, owner, changedAt, facts FROM trace ORDER BY changedAt DESC, rowid DESC'),
    named: database.prepare('SELECT id, owner, changedAt, facts, messages FROM trace WHERE id = ?'),
    remove: database.prepare('DELETE FROM trace WHERE id = ? AND owner = ?'),
    close: () => database.close(),
  }
}

function isOver(row: unknown, { maxTraces, maxCharacters }: TraceBounds): boolean {
  const { traces, characters } = row as { readonly traces: number; readonly characters: number }
  return traces > maxTraces || characters > maxCharacters
}
