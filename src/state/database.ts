// SQLite databases that several processes may open at once. SQLite writes transactions to a log beside the file and
// hands them to the operating system, so committed data survives the end of the process at any moment. A power failure
// may lose the last transactions, but no older data.
// Invariant: only its owner can read the file, and a file of a newer format is never changed.

import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type Database from 'libsql'
import { DiagnosticError } from '../diagnostics/index.js'
import { stateNewer, stateUnavailable, stateUnusable } from './messages.js'

/** The longest wait for another process that has locked the file. */
const BUSY_MS = 5_000

export interface Form {
  /** The version of the tables. */
  readonly form: number
  /** The statements that create the tables. */
  readonly tables: string
}

/** Opens a database and creates it if necessary. The folder's mode also protects the log beside the file. */
export function openDatabase(file: string, { form, tables }: Form): Database.Database {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new (connection(file))(file, { timeout: BUSY_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    // If several processes open a new file, the first one creates the tables.
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

/** Runs `act` on the database of a file. Throws a DiagnosticError if it fails. */
export function using<Result>(file: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    throw new DiagnosticError(stateUnusable(file, reasonOf(error)))
  }
}

/** The size of the stored data, without the pages of deleted data, which SQLite reuses. */
export function bytesIn(database: Database.Database): number {
  return (numberOf(database, 'page_count') - numberOf(database, 'freelist_count')) * numberOf(database, 'page_size')
}

/** A pragma that is a number. */
function numberOf(database: Database.Database, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown>)[0])
}

/** Loads what opening the first database would load, which takes a while. */
export function expectDatabase(): void {
  try {
    loadLibsql()
  } catch {
    // The first use says so.
  }
}

/** Loads the optional dependency, whose native code only a process that stores something needs. */
function loadLibsql(): typeof Database {
  return createRequire(import.meta.url)('libsql') as typeof Database
}

function connection(file: string): typeof Database {
  try {
    return loadLibsql()
  } catch {
    throw new DiagnosticError(stateUnavailable(file, `${process.platform}-${process.arch}`))
  }
}

export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const text = typeof message === 'string' ? message : String(error)
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text
}
