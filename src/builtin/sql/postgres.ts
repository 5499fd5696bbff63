// Postgres, with the package `postgres`: each call has a connection and a transaction of its own.
// Invariant: without the permission to write the server itself refuses every change, because the transaction is read-only.

import { createRequire } from 'node:module'
import type Postgres from 'postgres'
import { Failure } from '../tool.js'
import { MOST_ROWS, MOST_TEXT } from './bounds.js'
import { identifier, literal } from './names.js'
import { pointing, requireQuery } from './statement.js'
import type { Parameters, Question, Stored } from './store.js'

interface PostgresOptions {
  readonly url: string
  readonly timeoutMs: number
  readonly write: boolean
}

const CONNECT_SECONDS = 10

/** Rejects with an Error that says, for people, what is missing, or why the server refuses. */
export async function openPostgres(options: PostgresOptions): Promise<Stored> {
  const database = new Database(options, loaded())
  await database.tables(new AbortController().signal)
  return database
}

function loaded(): typeof Postgres {
  try {
    return createRequire(import.meta.url)('postgres') as typeof Postgres
  } catch {
    throw new Error('it needs a package that is not installed; run: npm install postgres')
  }
}

class Database implements Stored {
  readonly kind = 'Postgres'
  readonly #options: PostgresOptions
  readonly #postgres: typeof Postgres

  constructor(options: PostgresOptions, postgres: typeof Postgres) {
    this.#options = options
    this.#postgres = postgres
  }

  async rows({ sql, parameters, limit, signal }: Question): Promise<string> {
    requireQuery(sql, this.#options.write)
    const values = listed(parameters)
    return this.#within('read only', signal, async (ask) => {
      const { columns } = await said(sql, () => ask(sql, values).describe())
      const wrapped = rowsQuery(sql, columns, limit ?? MOST_ROWS + 1)
      const [answer] = await said(undefined, () => ask(wrapped, values))
      const { count, rows } = answer as { readonly count: number; readonly rows: string | null }
      if (limit === undefined && count > MOST_ROWS)
        throw new Failure(`the query has more than ${MOST_ROWS} rows: aggregate or LIMIT them in SQL, or pass limit`)
      if (count > 0 && rows === null)
        throw new Failure(`the rows have more than ${MOST_TEXT} bytes of text: select fewer`)
      return `[${rows ?? ''}]`
    })
  }

  execute({ sql, parameters, signal }: Omit<Question, 'limit'>): Promise<string> {
    const values = listed(parameters)
    return this.#within('read write', signal, async (ask) => {
      const { count } = await said(sql, () => ask(sql, values))
      return JSON.stringify({ rows: count ?? 0 })
    })
  }

  tables(signal: AbortSignal): Promise<string> {
    return this.#within('read only', signal, async (ask) => {
      const rows = await said(undefined, () => ask(TABLES, []))
      return JSON.stringify(rows.map(({ name }) => name))
    })
  }

  describe(name: string, signal: AbortSignal): Promise<string> {
    return this.#within('read only', signal, async (ask) => {
      const rows = await said(undefined, () => ask(COLUMNS, [name]))
      return JSON.stringify(rows.map(({ name: column, type }) => ({ name: column, type })))
    })
  }

  async close(): Promise<void> {}

  async #within(mode: string, signal: AbortSignal, work: (ask: Ask) => Promise<string>): Promise<string> {
    const { url, timeoutMs } = this.#options
    const client = this.#postgres(url, {
      max: 1,
      fetch_types: false,
      connect_timeout: CONNECT_SECONDS,
      onnotice: () => {},
      connection: { application_name: 'starbind', statement_timeout: timeoutMs },
    })
    let pending: ReturnType<Ask> | undefined
    let why: string | undefined
    const end = (reason: string) => {
      why ??= reason
      pending?.cancel()
      void client.end({ timeout: 0 })
    }
    const cancel = () => end('it was cancelled')
    const timer = setTimeout(() => end(tooLong(timeoutMs)), timeoutMs)
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    try {
      const done = client.begin(mode, (transaction) =>
        work((sql, values) => {
          // Statements are prepared, so each is one and takes parameters.
          pending = transaction.unsafe(sql, [...values] as never[], { simple: false } as never)
          return pending
        }),
      )
      return (await done) as string
    } catch (error) {
      if (why !== undefined) throw new Failure(why)
      throw error instanceof Failure ? error : new Failure(wordsOf(error, timeoutMs))
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      void client.end({ timeout: 0 })
    }
  }
}

const tooLong = (ms: number) => `it took longer than ${ms / 1000} seconds`

type Ask = (sql: string, values: readonly unknown[]) => Postgres.PendingQuery<Postgres.Row[]>

function listed(parameters: Parameters): readonly unknown[] {
  if (Array.isArray(parameters)) return parameters
  throw new Failure('parameters are a list for $1, $2 …')
}

const TABLES = `SELECT CASE table_schema WHEN 'public' THEN '' ELSE table_schema || '.' END || table_name AS name
FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`
const COLUMNS = `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`

/** The rows as one text, with as many of them as may be. */
function rowsQuery(
  sql: string,
  columns: readonly { readonly name: string; readonly type: number }[],
  most: number,
): string {
  const taken = new Map<string, number>()
  const fields = columns.map(({ name, type }, i) => {
    const count = taken.get(name) ?? 0
    taken.set(name, count + 1)
    return `${exactly(`c${i}`, type)} AS ${identifier(count === 0 ? name : `${name}_${count}`)}`
  })
  const names = columns.map((_, i) => `c${i}`).join(', ')
  const inner = `SELECT ${fields.join(', ')} FROM (\n${sql.replace(/[\s;]+$/, '')}\n) AS q(${names}) LIMIT ${most}`
  const texts = `SELECT row_number() OVER () AS n, row_to_json(r)::text AS j FROM (${inner}) AS r`
  return `SELECT count(*)::int AS count, CASE WHEN sum(octet_length(j)) <= ${MOST_TEXT} THEN string_agg(j, ',' ORDER BY n) END AS rows FROM (${texts}) AS t`
}

/** The types by their numbers, which never change. */
const BYTES = 17
const FLOATS = [700, 701]
/** Decimals, money, dates and times. */
const TEXTS = [1700, 790, 1082, 1083, 1114, 1184, 1186, 1266]

/** JSON has no decimals, no bytes, and no numbers that are not finite; and a float has a point. */
function exactly(column: string, type: number): string {
  if (TEXTS.includes(type)) return `${column}::text`
  if (type === BYTES) return `replace(encode(${column}, 'base64'), chr(10), '')`
  if (!FLOATS.includes(type)) return column
  const point = `CASE WHEN ${column}::text ~ ${literal('^-?[0-9]+$')} THEN '.0' ELSE '' END`
  return `CASE WHEN ${column}::text ~ ${literal('^-?[0-9]')} THEN (${column}::text || ${point})::json END`
}

/** `sql`: the program's own text, in which the server's places are. */
async function said<T>(sql: string | undefined, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const {
      code = '',
      message,
      position,
      hint,
    } = error as { code?: string; message: string; position?: string; hint?: string }
    // Classes of the standard: everything about statements, data and rights.
    if (!/^[0-9A-Z]{5}$/.test(code) || code === '57014') throw error
    const words = hint === undefined ? message : `${message} (${hint})`
    throw new Failure(sql === undefined || position === undefined ? words : pointing(words, sql, Number(position) - 1))
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the database refuses the connection',
  ENOTFOUND: 'the host of the database is unknown',
  CONNECT_TIMEOUT: `the database did not answer within ${CONNECT_SECONDS} seconds`,
  CONNECTION_CLOSED: 'the database closed the connection',
}

function wordsOf(error: unknown, timeoutMs: number): string {
  const { code = '', message } = error as { readonly code?: string; readonly message: string }
  return code === '57014' ? tooLong(timeoutMs) : (REASONS[code] ?? message)
}
