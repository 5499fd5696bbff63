// The process of one database of DuckDB at a time. It is asked for one method after the other.
//
// The database notices only between vectors that a statement is to end, and it does not count the memory of a value that
// one function makes. So a statement is ended with its process, by those who watch it.

import { createRequire } from 'node:module'
import { Database, type DuckDb } from './database.js'

export type DatabaseMethod = 'syntaxOf' | 'giveRows' | 'lock' | 'giveFiles' | 'columns' | 'copy' | 'rows'

/** `close`: the next request is for another database. */
export type DatabaseRequest =
  | { [M in DatabaseMethod]: { readonly method: M; readonly given: Parameters<Database[M]> } }[DatabaseMethod]
  | { readonly method: 'close' }

export type DatabaseAnswer = { readonly value: unknown } | { readonly words: string }

/** A process that holds more after its database was closed is not used again. */
const MOST_KEPT_BYTES = 512 * 1024 * 1024

let database: Database | undefined

process.on('disconnect', () => process.exit())
process.on('message', async (request: DatabaseRequest) => {
  process.send!(await answered(request))
})
async function answered(request: DatabaseRequest): Promise<DatabaseAnswer> {
  if (request.method === 'close') {
    database?.close()
    database = undefined
    if (process.memoryUsage.rss() > MOST_KEPT_BYTES) process.exit()
    return { value: undefined }
  }
  try {
    database ??= await Database.open(createRequire(import.meta.url)('@duckdb/node-api') as DuckDb)
    const method = database[request.method] as (...given: unknown[]) => Promise<unknown>
    return { value: await method.apply(database, [...request.given]) }
  } catch (error) {
    return { words: (error as Error).message }
  }
}
