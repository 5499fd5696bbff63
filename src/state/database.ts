// SQLite databases, which several processes may have open at once. Transactions are appended to a log beside the file,
// which belongs to it until it is closed: committed data is with the operating system and survives the process, whenever
// it ends. After a power failure the last moments may be lost, but no older data.
// Invariant: only its owner can read the file, and a file of a newer format is not touched.

import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type Database from 'libsql'
import { DiagnosticError } from '../diagnostics/index.js'
import { stateNewer, stateUnavailable, stateUnusable } from './messages.js'

/** The time that another process may lock the file, in milliseconds. */
const BUSY_MS = 5_000

export interface Form {
  /** The number of the form of the tables. */
  readonly form: number
  /** Makes the tables. */
  readonly tables: string
}

/** Made if it is not there. The folder's own mode keeps others from the log beside the file. */
export function openDatabase(file: string, { form, tables }: Form): Database.Database {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new (connection(file))(file, { timeout: BUSY_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    // The first process of several makes the tables.
    database.exec('BEGIN IMMEDIATE')
    const found = numberOf(database, 'user_version')
    if (found > form) throw new DiagnosticError(stateNewer(file, found, form))
    if (found === 0) database.exec(`${tables}; PRAGMA user_version = ${form}`)
    database.exec('COMMIT')
    return database
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    database.close()
    throw error
  }
}

/** Does something with the database of a file. Throws a DiagnosticError where that can't be done. */
export function using<Result>(file: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    throw new DiagnosticError(stateUnusable(file, reasonOf(error)))
  }
}

/** The size of the kept data; pages of deleted data are reused. */
export function bytesIn(database: Database.Database): number {
  return (numberOf(database, 'page_count') - numberOf(database, 'freelist_count')) * numberOf(database, 'page_size')
}

/** A number that SQLite has about a database. */
export function numberOf(database: Database.Database, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown>)[0])
}

/** Not imported: its native code is loaded where something is kept, and nowhere else. It is an optional dependency. */
function connection(file: string): typeof Database {
  try {
    return createRequire(import.meta.url)('libsql') as typeof Database
  } catch {
    throw new DiagnosticError(stateUnavailable(file, `${process.platform}-${process.arch}`))
  }
}

export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const text = typeof message === 'string' ? message : String(error)
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text
}
