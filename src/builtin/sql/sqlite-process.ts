// The process of one SQLite database: one task at a time, each answered with JSON text or with words.
//
// libsql has functions and tables that read and write files, change its settings or load code. What a statement calls is
// read from its compiled form; tables of modules are known by their names.
// Invariant: without the permission to write, and in every query, the database refuses to change anything. No statement
// reaches another file.

import { createRequire } from 'node:module'
import type Libsql from 'libsql'
import { MOST_ROWS, MOST_TEXT } from './bounds.js'
import { firstWord, wordsIn } from './statement.js'
import type { Parameters } from './store.js'

export type SqliteTask =
  | { readonly kind: 'rows'; readonly sql: string; readonly parameters: Parameters; readonly limit: number | undefined }
  | { readonly kind: 'execute'; readonly sql: string; readonly parameters: Parameters }
  | { readonly kind: 'tables' }
  | { readonly kind: 'describe'; readonly name: string }

/** `isLast`: the process ends, and with it a statement that was not carried out to its end, and its locks. */
export type SqliteAnswer = ({ readonly json: string } | { readonly words: string }) & { readonly isLast: boolean }

const BUSY_MS = 5_000
const HEAP_BYTES = 512 * 1024 * 1024
/** What changes rows or tables of this one database, and no other file. */
const STATEMENTS = /^(?:insert|update|delete|replace|with|create|drop|alter|analyze|reindex)$/

/** Modules whose tables are computed, or are in the database itself. */
const MODULES =
  /^(?:pragma_\w+|json_each|json_tree|generate_series|fts[345]|fts4aux|fts5vocab|rtree|rtree_i32|geopoly|vector_top_k|dbstat)$/
const SETTINGS = `PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = ${HEAP_BYTES}`

const [file = '', write] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
process.on('message', (task: SqliteTask) => {
  const answer = answered(task)
  process.send!({ ...answer, isLast: isUnfinished }, () => {
    if (isUnfinished) process.exit()
  })
})

let isUnfinished = false

function answered(task: SqliteTask): { readonly json: string } | { readonly words: string } {
  try {
    return { json: within((own) => answerTo(own, task)) }
  } catch (error) {
    return { words: (error as Error).message }
  }
}

/** Works with a connection of its own, so that nothing is left for the next. */
function within<T>(work: (own: Libsql.Database) => T): T {
  const Database = createRequire(import.meta.url)('libsql') as typeof Libsql
  const own = new Database(file, { timeout: BUSY_MS })
  try {
    own.exec(SETTINGS)
    own.defaultSafeIntegers(true)
    return work(own)
  } finally {
    own.close()
  }
}

function answerTo(own: Libsql.Database, task: SqliteTask): string {
  switch (task.kind) {
    case 'rows':
      return rowsOf(own, task)
    case 'execute':
      return executed(own, task)
    case 'tables': {
      const sql =
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
      return JSON.stringify((own.prepare(sql).all() as { readonly name: string }[]).map(({ name }) => name))
    }
    case 'describe':
      return JSON.stringify(own.prepare('SELECT name, type FROM pragma_table_info(?)').all(task.name))
  }
}

function rowsOf(own: Libsql.Database, { sql, parameters, limit }: Extract<SqliteTask, { kind: 'rows' }>): string {
  const statement = prepared(own, sql)
  if (!statement.reader) throw new Error('the query must be a SELECT')
  const names = unique(statement.columns().map(({ name }) => name)).map((name) => JSON.stringify(name))
  const rows: string[] = []
  let length = 0
  isUnfinished = true
  for (const row of statement.raw().iterate(...bound(parameters)) as Iterable<readonly unknown[]>) {
    if (rows.length >= (limit ?? MOST_ROWS)) {
      if (limit !== undefined) return `[${rows.join(',')}]`
      throw new Error(`the query has more than ${MOST_ROWS} rows: aggregate or LIMIT them in SQL, or pass limit`)
    }
    const text = `{${row.map((cell, i) => `${names[i]}:${cellJson(cell)}`).join(',')}}`
    length += text.length
    if (length > MOST_TEXT) throw new Error(`the rows have more than ${MOST_TEXT} bytes of text: select fewer`)
    rows.push(text)
  }
  isUnfinished = false
  return `[${rows.join(',')}]`
}

function executed(own: Libsql.Database, { sql, parameters }: Extract<SqliteTask, { kind: 'execute' }>): string {
  const word = firstWord(sql)
  if (write !== 'true') throw new Error('nothing can be changed')
  if (!STATEMENTS.test(word))
    throw new Error(`${word.toUpperCase() || 'this'} is not for programs: sql.query takes a SELECT`)
  own.exec('PRAGMA query_only = OFF')
  try {
    const { changes } = prepared(own, sql).run(...bound(parameters))
    return JSON.stringify({ rows: /^(?:create|drop|alter|analyze|reindex)$/.test(word) ? 0 : Number(changes) })
  } finally {
    own.exec('PRAGMA query_only = ON')
  }
}

/** Throws if the statement would reach out of the database. */
function prepared(own: Libsql.Database, sql: string): Libsql.Statement<unknown[]> {
  const { functions, modules } = (forbidden ??= within(forbiddenIn))
  const named = [...wordsIn(sql)].find((word) => modules.has(word))
  // Its mistakes are those of the statement itself.
  const statement = own.prepare(sql)
  const wrong = named ?? within((other) => calledIn(other, sql)).find((name) => functions.has(name))
  if (wrong !== undefined) throw new Error(`${wrong} is not for programs`)
  return statement
}

/** The functions that a statement calls, itself or through views and triggers. */
function calledIn(own: Libsql.Database, sql: string): string[] {
  const steps = own.prepare(`EXPLAIN ${sql}`).all() as { readonly p4: unknown }[]
  return steps.flatMap(({ p4 }) => /^(\w+)\(/.exec(String(p4))?.[1] ?? [])
}

interface Forbidden {
  readonly functions: ReadonlySet<string>
  readonly modules: ReadonlySet<string>
}

let forbidden: Forbidden | undefined

/** The database marks functions that must not run unseen; they reach out of it. */
function forbiddenIn(own: Libsql.Database): Forbidden {
  const functions =
    "SELECT DISTINCT name FROM pragma_function_list WHERE flags & 0x80000 OR name = 'load_extension' OR name LIKE 'sqlite3mc%'"
  const namesOf = (sql: string) => (own.prepare(sql).all() as { readonly name: string }[]).map(({ name }) => name)
  return {
    functions: new Set(namesOf(functions)),
    modules: new Set(namesOf('SELECT name FROM pragma_module_list').filter((name) => !MODULES.test(name))),
  }
}

function bound(parameters: Parameters): unknown[] {
  if (Array.isArray(parameters)) return parameters.map(asSqlite)
  return [Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, asSqlite(value)]))]
}

/** A number that is whole is an integer, in columns without a type, too. */
function asSqlite(value: unknown): unknown {
  if (typeof value === 'boolean') return BigInt(value)
  return Number.isSafeInteger(value) ? BigInt(value as number) : value
}

function unique(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let i = 1; taken.has(own); i++) own = `${name}_${i}`
    taken.add(own)
    return own
  })
}

/** JSON has no bytes, and no numbers that are not finite. */
function cellJson(cell: unknown): string {
  if (typeof cell === 'bigint') return String(cell)
  if (typeof cell === 'number') return floatJson(cell)
  if (cell instanceof Uint8Array) return JSON.stringify(Buffer.from(cell).toString('base64'))
  return JSON.stringify(cell ?? null)
}

function floatJson(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value)
}
