// One database for one query: in memory, and without access to anything but the open files that it is given.
//
// A file is opened by the wall, and the database reads it from the descriptor (`/proc/PID/fd/N`), so that nobody can
// exchange it meanwhile. Systems without such names give it the real path that the wall has found.
// Invariant: once a query runs, no setting can be changed, and no other file, network or extension can be reached.

import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api'
import { Failure, quoted } from '../tool.js'
import { MOST_ROWS, MOST_TEXT } from './bounds.js'
import { identifier, literal, type Reader } from './names.js'

export type DuckDb = typeof import('@duckdb/node-api')

const MEMORY = '512MB'
const THREADS = '2'

/** Where it needs more memory than it may have. */
export const tooLarge = `it needs more than ${MEMORY} of memory: read or keep less`

/** A file as the database finds it. */
export interface GivenFile {
  /** Where it reads it. */
  readonly place: string
  /** The name by which messages call it. */
  readonly name: string
}

export interface Column {
  readonly name: string
  readonly type: string
}

export class Database {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #files: GivenFile[] = []

  static async open(duckDb: DuckDb): Promise<Database> {
    const instance = await duckDb.DuckDBInstance.create(':memory:', {
      memory_limit: MEMORY,
      threads: THREADS,
      temp_directory: '',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    })
    return new Database(instance, await instance.connect())
  }

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }

  /** The syntax tree of a query, as JSON text. */
  async syntaxOf(sql: string): Promise<string> {
    const [tree] = await this.#row(await this.#prepared(`SELECT json_serialize_sql(${literal(sql)}::VARCHAR)::VARCHAR`))
    return String(tree)
  }

  /** Makes a table of rows. `json`: their JSON text, an array of objects. */
  async giveRows(name: string, json: string): Promise<void> {
    const [found] = await this.#row(await this.#prepared(`SELECT json_structure(${literal(json)})::VARCHAR`))
    const structure = String(found)
    if (!structure.startsWith('[{')) throw new Failure(`tables[${quoted(name)}] must be a list of dicts, and not empty`)
    // Arithmetic on unsigned numbers fails below zero.
    const signed = literal(structure.replaceAll('"UBIGINT"', '"BIGINT"'))
    const rows = `unnest(from_json(${literal(json)}::JSON, ${signed}), max_depth := 2)`
    await this.#said(() => this.#connection.run(`CREATE TEMP TABLE ${identifier(name)} AS SELECT ${rows}`))
  }

  /** The files that may be read from now on, and nothing else. */
  async lock(files: readonly GivenFile[]): Promise<void> {
    this.#files.push(...files)
    const allowed = files.map(({ place }) => literal(place)).join(', ')
    await this.#said(async () => {
      await this.#connection.run(`SET allowed_paths = [${allowed}]`)
      await this.#connection.run('SET enable_external_access = false')
      await this.#connection.run('SET lock_configuration = true')
    })
  }

  /** Makes a table of files. */
  async giveFiles(name: string, table: FileTable): Promise<void> {
    const read = (await this.#explicitly(table)) ?? callOf(table)
    const view = `CREATE TEMP VIEW ${identifier(name)} AS SELECT ${table.columns} FROM ${read}`
    try {
      await this.#said(() => this.#connection.run(view))
    } catch (error) {
      if (!/^Binder Error: UNNEST/.test((error as Error).message)) throw error
      throw new Failure(`${quoted(name)} has no rows: the result of the run is no list`)
    }
  }

  /**
   * The call that reads one CSV file, with everything that the database would find out about it: it would look again for
   * each statement that is prepared. Undefined for other files.
   */
  async #explicitly({ call, options, files }: FileTable): Promise<string | undefined> {
    const [file, ...more] = files
    if (call !== 'read_csv' || file === undefined || more.length > 0) return undefined
    const sniffed = `sniff_csv(${literal(file.place)}${options.replace(', union_by_name = true', '')})`
    const [found] = await this.#row(await this.#prepared(`SELECT Prompt FROM ${sniffed}`))
    return /^FROM (read_csv\(.*\));?$/s.exec(String(found))?.[1]
  }

  /** The columns of a query, each under a name of its own. With parameters their types follow from these. */
  async columns(sql: string, parameters?: unknown): Promise<readonly Column[]> {
    const whole = await this.#prepared(sql)
    // Its mistakes are at its own lines.
    if (whole.parameterCount === 0) return named(columnsOf(whole))
    const none = await this.#prepared(`SELECT * FROM (${embedded(sql)}) LIMIT 0`)
    this.#bind(none, parameters)
    return named(columnsOf(await this.#said(() => none.run())))
  }

  /** Writes the rows of a query to a place that was given. */
  async copy(
    sql: string,
    parameters: unknown,
    { place, format }: { readonly place: string; readonly format: string },
  ): Promise<void> {
    await this.#prepared(sql)
    const statement = await this.#prepared(`COPY (${embedded(sql)}) TO ${literal(place)} (${format})`)
    this.#bind(statement, parameters)
    await this.#said(() => statement.run())
  }

  /** The rows of a query as one JSON text. Throws if there are more than `limit`, or than there may be. */
  async rows(sql: string, parameters: unknown, limit: number | undefined): Promise<string> {
    const columns = await this.columns(sql, parameters)
    const fields = columns.map(({ name, type }, i) => `${identifier(name)} := ${exactly(`c${i}`, type)}`)
    const names = columns.map((_, i) => `c${i}`)
    const row = `row_number() OVER () AS n, to_json(struct_pack(${fields.join(', ')}))::VARCHAR AS j`
    const most = limit ?? MOST_ROWS + 1
    const rows = `SELECT ${row} FROM (${embedded(sql)}) AS rows(${names.join(', ')}) LIMIT ${most}`
    const statement = await this.#prepared(
      `SELECT count(*)::INTEGER, CASE WHEN sum(strlen(j)) <= ${MOST_TEXT} THEN string_agg(j, ',' ORDER BY n) END FROM (${rows})`,
    )
    this.#bind(statement, parameters)
    const [count, text] = await this.#row(statement)
    if (limit === undefined && Number(count) > MOST_ROWS)
      throw new Failure(`the query has more than ${MOST_ROWS} rows: aggregate or LIMIT them in SQL, or pass limit`)
    if (count === 0) return '[]'
    if (text === null) throw new Failure(`the rows have more than ${MOST_TEXT} bytes of text: select fewer`)
    if (columns.some(({ type }) => /(?:DOUBLE|FLOAT).*[\])]/.test(type))) requireJson(`[${text}]`)
    return `[${text}]`
  }

  #bind(statement: DuckDBPreparedStatement, parameters: unknown): void {
    const given = Object.values((parameters ?? {}) as object)
    if (given.some((value) => typeof value === 'object' && value !== null))
      throw new Failure('parameters are numbers, texts, True, False or None')
    try {
      if (given.length > 0) statement.bind(parameters as never)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #prepared(sql: string): Promise<DuckDBPreparedStatement> {
    return this.#said(() => this.#connection.prepare(sql))
  }

  /** The values of a statement's only row, in which the database has put everything together. */
  #row(statement: DuckDBPreparedStatement): Promise<readonly unknown[]> {
    return this.#said(async () => (await statement.runAndReadAll()).getRows()[0] ?? [])
  }

  async #said<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** The database's words, with the names of files instead of their places. */
  #failure(error: unknown): Failure {
    if (error instanceof Failure) return error
    const words = this.#files.reduce(
      (text, { place, name }) => text.replaceAll(place, name),
      error instanceof Error ? error.message : String(error),
    )
    return new Failure(/^Out of Memory/.test(words) ? tooLarge : words)
  }
}

/** Files as one table, and the function that reads them. */
export interface FileTable extends Reader {
  readonly files: readonly GivenFile[]
}

function callOf({ call, options, files }: FileTable): string {
  return `${call}([${files.map(({ place }) => literal(place)).join(', ')}]${options})`
}

/** Columns whose names differ. */
function named(columns: readonly Column[]): Column[] {
  const taken = new Set<string>()
  return columns.map(({ name, type }) => {
    let own = name
    for (let i = 1; taken.has(own); i++) own = `${name}_${i}`
    taken.add(own)
    return { name: own, type }
  })
}

function columnsOf(rows: Pick<DuckDBResult, 'columnCount' | 'columnName' | 'columnType'>): Column[] {
  return Array.from({ length: rows.columnCount }, (_, i) => ({
    name: rows.columnName(i),
    type: String(rows.columnType(i)),
  }))
}

/** The database writes numbers in lists and structs that JSON does not have. */
function requireJson(text: string): void {
  try {
    JSON.parse(text)
  } catch {
    throw new Failure('a list or a struct has a number that is not finite, which JSON does not have')
  }
}

/** A query that is one statement, as a part of another. */
function embedded(sql: string): string {
  return `\n${sql.replace(/[\s;]+$/, '')}\n`
}

/** JSON has no decimals, no bytes, and no numbers that are not finite. */
function exactly(column: string, type: string): string {
  if (type.startsWith('DECIMAL') && !type.endsWith(']')) return `CAST(${column} AS VARCHAR)`
  if (type === 'BLOB') return `base64(${column})`
  return type === 'DOUBLE' || type === 'FLOAT' ? `CASE WHEN isfinite(${column}) THEN ${column} END` : column
}
