// The server `sql` over a database that others keep: a SQLite file, or Postgres.
// Invariant: `query` changes nothing, whatever it is asked; `execute` is there only where the entry permits it.

import { z } from 'zod'
import type { DatabaseSettings } from '../settings.js'
import { type Builtin, type BuiltinAnswer, type BuiltinTool, Failure, quoted } from '../tool.js'
import { LONGEST_QUERY, limitArgument, READS, rowsShape } from './schemas.js'
import type { Stored } from './store.js'

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const asked = {
  parameters: z
    .union([z.array(value), z.record(z.string(), value)])
    .optional()
    .describe('a list for $1, $2 …; in SQLite also a dict for $name'),
}
const queryArguments = z.strictObject({
  sql: z.string().min(1).max(LONGEST_QUERY).describe('a SELECT'),
  ...asked,
  limit: limitArgument,
})
const executeArguments = z.strictObject({
  sql: z.string().min(1).max(LONGEST_QUERY).describe('one statement, such as an INSERT or a CREATE TABLE'),
  ...asked,
})
const nameArguments = z.strictObject({ name: z.string().min(1).describe('a table or a view') })
const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false } as const

/** Rejects with an Error that says, for people, why it can't be opened. */
export async function openStored(settings: DatabaseSettings): Promise<Builtin> {
  const { write } = settings
  const stored = await open(settings)
  const may = write ? 'Programs may change it.' : 'Nothing can be changed.'
  return {
    instructions: `SQL in ${settings.shown}, a ${stored.kind} database. ${may}`,
    tools: { ...readers(stored), ...(write ? { execute: executing(stored) } : {}) },
    close: () => stored.close(),
  }
}

async function open(settings: DatabaseSettings): Promise<Stored> {
  const { place, timeoutMs, write } = settings
  if (place.kind === 'sqlite') return (await import('./sqlite.js')).openSqlite({ file: place.file, timeoutMs, write })
  return (await import('./postgres.js')).openPostgres({ url: place.url, timeoutMs, write })
}

type Asked = z.output<typeof queryArguments>

function readers(stored: Stored): Record<string, BuiltinTool> {
  return {
    query: {
      description: 'The rows of a query. Decimals, dates and times are texts.',
      inputSchema: queryArguments,
      outputSchema: rowsShape,
      annotations: READS,
      call: async (args, { signal }) => {
        const { sql, parameters = [], limit } = args as Asked
        return json(await stored.rows({ sql, parameters, limit, signal }))
      },
    },
    tables: {
      description: 'The names of tables and views.',
      inputSchema: z.strictObject({}),
      outputSchema: z.array(z.string()),
      annotations: READS,
      call: async (_, { signal }) => json(await stored.tables(signal)),
    },
    describe: {
      description: 'The columns of a table and their types.',
      inputSchema: nameArguments,
      outputSchema: z.array(z.object({ name: z.string(), type: z.string() })),
      annotations: READS,
      call: async (args, { signal }) => {
        const { name } = args as { readonly name: string }
        const columns = await stored.describe(name, signal)
        if (columns === '[]') throw new Failure(`there is no table ${quoted(name)}`)
        return json(columns)
      },
    },
  }
}

function executing(stored: Stored): BuiltinTool {
  return {
    description: 'Carries out one statement that may change the database.',
    inputSchema: executeArguments,
    outputSchema: z.object({ rows: z.int().describe('how many rows it changed') }),
    annotations: WRITES,
    call: async (args, { signal }) => {
      const { sql, parameters = [] } = args as Asked
      return json(await stored.execute({ sql, parameters, signal }))
    },
  }
}

const json = (text: string): BuiltinAnswer => ({ kind: 'json', json: text })
