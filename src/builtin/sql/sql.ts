// The server `sql`: queries over the files below one folder and over rows that programs pass, with DuckDB.
// Invariant: a query sees the files that it names, as the wall opened them, and nothing else.

import { closeSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { z } from 'zod'
import { FileWork } from '../files/file-work.js'
import { type OpenFile, Wall, type WallSettings, wallSettings } from '../files/wall.js'
import type { SqlSettings } from '../settings.js'
import { type Builtin, type BuiltinAnswer, type BuiltinTool, Failure, quoted } from '../tool.js'
import { Database, type DuckDb, type GivenFile } from './database.js'
import { identifier, readerOf, TABLE_FILES, tableNames } from './names.js'

/** Of a query, in characters. */
const LONGEST_QUERY = 20_000
/** That a pattern in a query may stand for. */
const MOST_FILES = 500
const READS = { readOnlyHint: true, openWorldHint: false } as const

const queryArguments = z.strictObject({
  sql: z.string().min(1).max(LONGEST_QUERY).describe('a SELECT of DuckDB, such as "SELECT * FROM \'data/orders.csv\'"'),
  parameters: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .optional()
    .describe('a list for $1, $2 …, or a dict for $name'),
  tables: z
    .record(z.string().min(1), z.array(z.record(z.string(), z.unknown())))
    .optional()
    .describe('rows to query, by the names of their tables'),
  limit: z.int().min(1).max(100_000).optional().describe('stop after so many rows'),
})
const tableArguments = z.strictObject({
  name: z.string().min(1).describe('a file, or a pattern such as "orders/*.csv"'),
})
type QueryArguments = z.output<typeof queryArguments>

/** Throws an Error that says, for people, what is missing. */
export function openSql(settings: SqlSettings): Builtin {
  const server = new Sql(loaded(), wallSettings(settings))
  return {
    instructions: `SQL over the tables in the folder ${JSON.stringify(path.basename(settings.root))}, and over rows. Nothing can be changed.`,
    tools: server.tools(),
    close: () => server.close(),
  }
}

/** Loads the optional package, whose native code only a process with such a server needs. */
function loaded(): DuckDb {
  try {
    return createRequire(import.meta.url)('@duckdb/node-api') as DuckDb
  } catch {
    throw new Error('it needs a package that is not installed; run: npm install @duckdb/node-api')
  }
}

class Sql {
  readonly #duckDb: DuckDb
  readonly #wall: Wall
  readonly #work: FileWork

  constructor(duckDb: DuckDb, settings: WallSettings) {
    this.#duckDb = duckDb
    this.#wall = new Wall(settings)
    this.#work = new FileWork(settings)
  }

  tools(): Record<string, BuiltinTool> {
    return {
      query: {
        description:
          'The rows of a query over CSV, TSV, JSON and Parquet files and over rows. Decimals and dates are texts.',
        inputSchema: queryArguments,
        outputSchema: z.array(z.record(z.string(), z.unknown())),
        annotations: READS,
        call: (args, { signal }) => this.#query(args as QueryArguments, signal),
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
        call: (args, { signal }) => this.#describe((args as { readonly name: string }).name, signal),
      },
    }
  }

  close(): Promise<void> {
    return this.#work.close()
  }

  #query({ sql, parameters, tables = {}, limit }: QueryArguments, signal: AbortSignal): Promise<BuiltinAnswer> {
    return this.#within(signal, async (database, files) => {
      const names = tableNames(sql, await database.syntaxOf(sql))
      for (const [name, rows] of Object.entries(tables)) await database.giveRows(name, JSON.stringify(rows))
      // A plain name is not that of a file: it may be a table of the program's, or of the query's own.
      const named = [...names].filter((name) => !Object.hasOwn(tables, name) && /[./\\*]/.test(name))
      await this.#give(database, files, named, signal)
      return { kind: 'json', json: await database.rows(sql, parameters, limit) }
    })
  }

  #describe(name: string, signal: AbortSignal): Promise<BuiltinAnswer> {
    return this.#within(signal, async (database, files) => {
      await this.#give(database, files, [name], signal)
      return { kind: 'json', json: JSON.stringify(await database.columns(`SELECT * FROM ${identifier(name)}`)) }
    })
  }

  /** Files that are opened meanwhile are closed in the end. */
  async #within(
    signal: AbortSignal,
    work: (database: Database, files: OpenFile[]) => Promise<BuiltinAnswer>,
  ): Promise<BuiltinAnswer> {
    const database = await Database.open(this.#duckDb, signal)
    const files: OpenFile[] = []
    try {
      return await work(database, files)
    } finally {
      database.close()
      for (const { fd } of files) closeSync(fd)
    }
  }

  /** Gives the database the tables of these names. From then on it can reach nothing else. */
  async #give(database: Database, opened: OpenFile[], names: readonly string[], signal: AbortSignal): Promise<void> {
    const given: { readonly name: string; readonly files: readonly GivenFile[] }[] = []
    for (const name of names) {
      readerOf(name)
      const files: GivenFile[] = []
      for (const one of await this.#filesOf(name, signal)) {
        const file = this.#wall.openFile(one)
        opened.push(file)
        files.push({ place: this.#wall.placeOf(file), name: one })
      }
      given.push({ name, files })
    }
    await database.lock(given.flatMap(({ files }) => files))
    for (const { name, files } of given) await database.giveFiles(name, { ...readerOf(name), files })
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

const GLOB = { path: '.', hidden: false, ignored: true } as const
