// The server `sql`: queries over the files below one folder and over rows that programs pass, with DuckDB.
// Invariant: a query sees the files that it names, as the wall opened them, and nothing else.

import { closeSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { nearestNames } from '../../diagnostics/index.js'
import type { Changed } from '../files/change.js'
import { FileWork } from '../files/file-work.js'
import { type OpenFile, Wall, wallSettings } from '../files/wall.js'
import type { SqlSettings } from '../settings.js'
import { type Builtin, type BuiltinAnswer, type BuiltinCall, type BuiltinTool, Failure, quoted } from '../tool.js'
import type { FileTable, GivenFile } from './database.js'
import { Databases, type ProcessDatabase } from './databases.js'
import { identifier, RUN_READER, readerOf, TABLE_FILES, tableNames, writerOf } from './names.js'
import { LONGEST_QUERY, limitArgument, READS, rowsShape } from './schemas.js'

/** That a pattern in a query may stand for. */
const MOST_FILES = 500
/** Of a file that is made of rows. */
const LARGEST_FILE = 12 * 1024 * 1024

const given = {
  sql: z
    .string()
    .min(1)
    .max(LONGEST_QUERY)
    .describe(
      "a SELECT of DuckDB, such as \"SELECT * FROM 'data/orders.csv'\"; 'results/orders.csv' is what the program kept",
    ),
  parameters: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .optional()
    .describe('a list for $1, $2 …, or a dict for $name'),
  tables: z
    .record(z.string().min(1), z.array(z.record(z.string(), z.unknown())))
    .optional()
    .describe('rows to query, by the names of their tables'),
  artifacts: z
    .record(z.string().min(1), z.string())
    .optional()
    .describe('artifacts to query, by names with endings, such as {"orders.csv": artifact}'),
}
const queryArguments = z.strictObject({ ...given, limit: limitArgument })
const saveArguments = z.strictObject({
  path: z.string().min(1).describe('the new file: .csv, .tsv, .json, .jsonl or .parquet'),
  ...given,
})
const tableArguments = z.strictObject({
  name: z.string().min(1).describe('a file, or a pattern such as "orders/*.csv"'),
})
type QueryArguments = z.output<typeof queryArguments>
type SaveArguments = z.output<typeof saveArguments>
/** What a query may name besides files. */
type Given = Pick<QueryArguments, 'tables' | 'artifacts'>

/** Throws an Error that says, for people, what is missing. */
export function openSql(settings: SqlSettings): Builtin {
  requirePackage()
  const server = new Sql(settings)
  const may = settings.write ? 'Rows can be saved as files.' : 'Nothing can be changed.'
  return {
    instructions: `SQL over the tables in the folder ${JSON.stringify(path.basename(settings.root))}, and over rows. ${may}`,
    tools: { ...server.tools(), ...(settings.write ? server.writers() : {}) },
    close: () => server.close(),
  }
}

/** The package is optional. Only processes of queries load its native code. */
function requirePackage(): void {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api')
  } catch {
    throw new Error('it needs a package that is not installed; run: npm install @duckdb/node-api')
  }
}

class Sql {
  readonly #databases: Databases
  readonly #wall: Wall
  readonly #work: FileWork

  constructor({ timeoutMs, ...given }: SqlSettings) {
    const settings = wallSettings(given)
    this.#databases = new Databases(timeoutMs)
    this.#wall = new Wall(settings)
    this.#work = new FileWork(settings)
  }

  tools(): Record<string, BuiltinTool> {
    return {
      query: {
        description:
          'The rows of a query over CSV, TSV, JSON and Parquet files and over rows. Decimals and dates are texts.',
        inputSchema: queryArguments,
        outputSchema: rowsShape,
        annotations: READS,
        call: (args, call) => this.#query(args as QueryArguments, call),
      },
      tables: {
        description: 'The files that are tables.',
        inputSchema: z.strictObject({}),
        outputSchema: z.array(z.string()),
        annotations: READS,
        call: async (_, { signal }) =>
          (await this.#work.run('glob', { ...GLOB, pattern: TABLE_FILES }, signal)) as BuiltinAnswer,
      },
      describe: {
        description: 'The columns of a table and their types.',
        inputSchema: tableArguments,
        outputSchema: z.array(z.object({ name: z.string(), type: z.string() })),
        annotations: READS,
        call: (args, call) => this.#describe((args as { readonly name: string }).name, call),
      },
    }
  }

  writers(): Record<string, BuiltinTool> {
    return {
      save: {
        description: 'Writes the rows of a query into a file of the folder, and replaces the one that is there.',
        inputSchema: saveArguments,
        outputSchema: z.object({ path: z.string(), action: z.enum(['created', 'replaced']), bytes: z.int() }),
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
        call: (args, call) => this.#save(args as SaveArguments, call),
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#databases.close(), this.#work.close()])
  }

  #query({ sql, parameters, limit, ...more }: QueryArguments, call: BuiltinCall): Promise<BuiltinAnswer> {
    return this.#within(call, async (session) => {
      await this.#prepare(session, sql, more)
      return { kind: 'json', json: await session.database.rows(sql, parameters, limit) }
    })
  }

  #save({ path: target, sql, parameters, ...more }: SaveArguments, call: BuiltinCall): Promise<BuiltinAnswer> {
    const format = writerOf(target)
    return this.#within(call, async (session) => {
      const place = path.join(session.folder(), 'rows')
      session.extra.push({ place, name: target })
      await this.#prepare(session, sql, more)
      await session.database.copy(sql, parameters, { place, format })
      const { size } = statSync(place)
      if (size > LARGEST_FILE)
        throw new Failure(`${quoted(target)} would have ${size} bytes, more than ${LARGEST_FILE}`)
      const content = readFileSync(place, 'base64')
      const {
        path: below,
        action,
        bytes,
      } = (await this.#work.run('write', { path: target, content, append: false })) as Changed
      return { kind: 'json', json: JSON.stringify({ path: below, action, bytes }) }
    })
  }

  /** Gives the database everything that a query names. From then on it can reach nothing else. */
  async #prepare(session: QuerySession, sql: string, { tables = {}, artifacts = {} }: Given): Promise<void> {
    const { database } = session
    const names = tableNames(sql, await database.syntaxOf(sql))
    for (const [name, rows] of Object.entries(tables)) await database.giveRows(name, JSON.stringify(rows))
    for (const [name, content] of Object.entries(artifacts)) {
      readerOf(name)
      await session.keep(name, bytesIn(name, content))
    }
    // A plain name is not that of a file: it may be a table of the program's, or of the query's own.
    const isFile = (name: string) => session.kept.has(name) || (!Object.hasOwn(tables, name) && /[./\\*]/.test(name))
    await this.#give(session, [...names].filter(isFile))
  }

  #describe(name: string, call: BuiltinCall): Promise<BuiltinAnswer> {
    return this.#within(call, async (session) => {
      await this.#give(session, [name])
      const columns = await session.database.columns(`SELECT * FROM ${identifier(name)}`)
      return { kind: 'json', json: JSON.stringify(columns) }
    })
  }

  async #within(call: BuiltinCall, work: (session: QuerySession) => Promise<BuiltinAnswer>): Promise<BuiltinAnswer> {
    const database = await this.#databases.open(call.signal)
    const session = new QuerySession(database, call)
    try {
      return await work(session)
    } finally {
      // Nobody reads the files any more.
      await this.#databases.release(database)
      session.close()
    }
  }

  /** Gives the database the tables of these names. From then on it can reach nothing else. */
  async #give(session: QuerySession, names: readonly string[]): Promise<void> {
    const { database, opened, kept, extra, call } = session
    const given: (FileTable & { readonly name: string })[] = []
    for (const name of names) {
      const own = call.kept?.files.get(name)
      const reader = own !== undefined && RUN.test(name) ? RUN_READER : readerOf(name)
      if (own !== undefined && !kept.has(name)) await session.keep(name, own.content)
      const place = kept.get(name)
      const files: GivenFile[] = place === undefined ? [] : [{ place, name }]
      for (const one of place === undefined ? await this.#filesOf(name, call.signal) : []) {
        const file = this.#open(one, call)
        opened.push(file)
        files.push({ place: this.#wall.placeOf(file), name: one })
      }
      given.push({ ...reader, name, files })
    }
    await database.lock([...given.flatMap(({ files }) => files), ...extra])
    for (const table of given) await database.giveFiles(table.name, table)
  }

  #open(name: string, { kept }: BuiltinCall): OpenFile {
    try {
      return this.#wall.openFile(name)
    } catch (error) {
      const near = name.startsWith(KEPT) ? nearestNames(name.slice(KEPT.length), (kept?.paths ?? []).map(nameIn)) : []
      if (!(error instanceof Failure) || near.length === 0) throw error
      throw new Failure(`${error.message} (nearest: ${near.map((one) => quoted(`${KEPT}${one}`)).join(', ')})`)
    }
  }

  async #filesOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
    if (!/[*?[{]/.test(name)) return [name]
    const answer = (await this.#work.run(
      'glob',
      { ...GLOB, pattern: name, limit: MOST_FILES + 1 },
      signal,
    )) as BuiltinAnswer
    const found = answer.kind === 'json' ? (JSON.parse(answer.json) as string[]) : []
    if (found.length === 0) throw new Failure(`no file matches ${quoted(name)}`)
    if (found.length > MOST_FILES) throw new Failure(`more than ${MOST_FILES} files match ${quoted(name)}`)
    return found
  }
}

/** What one query holds; everything is given back in the end. */
class QuerySession {
  readonly database: ProcessDatabase
  readonly call: BuiltinCall
  /** Files below the root. */
  readonly opened: OpenFile[] = []
  /** Places of artifacts, by their names. */
  readonly kept = new Map<string, string>()
  /** Places that may be written. */
  readonly extra: GivenFile[] = []
  #folder: string | undefined

  constructor(database: ProcessDatabase, call: BuiltinCall) {
    this.database = database
    this.call = call
  }

  /** Makes a file of an artifact. */
  async keep(name: string, content: Uint8Array): Promise<void> {
    const place = path.join(this.folder(), String(this.kept.size))
    await writeFile(place, content)
    this.kept.set(name, place)
  }

  /** A folder that only this user may look into. */
  folder(): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), 'starbind-sql-'))
    return this.#folder
  }

  close(): void {
    for (const { fd } of this.opened) closeSync(fd)
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The bytes of an artifact: text is passed as it is, everything else in base64. */
function bytesIn(name: string, content: string): Buffer {
  const isPacked = /\.(?:parquet|gz)$/i.test(name)
  if (isPacked && !/^[A-Za-z0-9+/]*={0,2}$/.test(content))
    throw new Failure(`artifacts[${quoted(name)}] is no artifact`)
  return Buffer.from(content, isPacked ? 'base64' : 'utf8')
}

/** The folder of what programs keep. */
const KEPT = 'results/'
const RUN = /^results\/run-\d+\.json$/
const nameIn = (kept: string): string => kept.slice(KEPT.length)

const GLOB = { path: '.', hidden: false, ignored: true } as const
