// The tables that a query names, and what else it may not contain: read from the syntax tree that the database makes.
// Invariant: a query that passes reads nothing but tables that the server gave it.

import { Failure, quoted } from '../tool.js'
import { pointing } from './statement.js'

/** The functions that may stand in place of a table: they only compute. */
const FUNCTIONS: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest', 'json_each', 'json_tree'])

interface SyntaxError {
  readonly error: true
  readonly error_type: string
  readonly error_message: string
  readonly position?: string
}

interface SyntaxTree {
  readonly error: false
  readonly statements: readonly unknown[]
}

/** The names of tables in the query, as they are written. `tree`: its syntax tree, as the database writes it. */
export function tableNames(sql: string, tree: string): ReadonlySet<string> {
  const read = JSON.parse(tree) as SyntaxTree | SyntaxError
  if (read.error) throw new Failure(refusal(sql, read))
  if (read.statements.length !== 1) throw new Failure(`pass one query at a time, got ${read.statements.length}`)
  const names = new Set<string>()
  const rest: unknown[] = [...read.statements]
  while (rest.length > 0) {
    const node = rest.pop()
    if (typeof node !== 'object' || node === null) continue
    const { type, table_name: name, function: called } = node as Readonly<Record<string, unknown>>
    if (type === 'BASE_TABLE' && typeof name === 'string') names.add(name)
    if (type === 'SHOW_REF') throw new Failure('use sql.tables() and sql.describe(name) for this')
    if (type === 'TABLE_FUNCTION') requireHarmless(called)
    rest.push(...Object.values(node))
  }
  return names
}

function requireHarmless(called: unknown): void {
  const { function_name: name } = (called ?? {}) as { readonly function_name?: unknown }
  if (typeof name === 'string' && FUNCTIONS.has(name.toLowerCase())) return
  const shown = typeof name === 'string' ? name : 'this function'
  throw new Failure(`${shown} can't be used as a table: name the file itself, such as FROM 'data/orders.csv'`)
}

function refusal(sql: string, { error_type: type, error_message: message, position }: SyntaxError): string {
  if (/^Only SELECT/.test(message)) return 'the query must be a SELECT: nothing can be changed'
  const at = Number(position)
  if (type !== 'parser' || !Number.isInteger(at)) return message
  return pointing(message, sql, at)
}

/** A name or a text in SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The function of the database that reads a file, and what of it is the table. */
export interface Reader {
  readonly call: string
  readonly options: string
  readonly columns: string
}

/** Of the file that a run has left, in which its printed lines are, too. */
export const RUN_READER: Reader = {
  call: 'read_json',
  options: `, maximum_object_size = ${32 * 1024 * 1024}`,
  columns: 'unnest(result, max_depth := 2) AS value',
}

/** For a file of that name. */
export function readerOf(name: string): Reader {
  return { ...functionFor(name), columns: '*' }
}

function functionFor(name: string): Omit<Reader, 'columns'> {
  const [, ending, packed] = /\.(\w+?)(\.gz)?$/.exec(name.toLowerCase()) ?? []
  const unpacking = packed === undefined ? '' : ", compression = 'gzip'"
  switch (ending) {
    case 'csv':
      return { call: 'read_csv', options: `, union_by_name = true${unpacking}` }
    case 'tsv':
      return { call: 'read_csv', options: `, delim = '\\t', union_by_name = true${unpacking}` }
    case 'json':
    case 'jsonl':
    case 'ndjson':
      return { call: 'read_json', options: `, union_by_name = true${unpacking}` }
    case 'parquet':
      return { call: 'read_parquet', options: ', union_by_name = true' }
    case 'xlsx':
    case 'xls':
      throw new Failure(`${quoted(name)} is an Excel file, which can't be read here: save it as CSV`)
    default:
      throw new Failure(`${quoted(name)} is no table: tables are .csv, .tsv, .json, .jsonl, .ndjson and .parquet files`)
  }
}

/** The files that are tables, as a pattern of `files.glob`. */
export const TABLE_FILES = '**/*.{csv,tsv,json,jsonl,ndjson,parquet,csv.gz,tsv.gz,json.gz,jsonl.gz,ndjson.gz}'

/** The options that write rows as a file of that name. */
export function writerOf(name: string): string {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const format = WRITERS[ending]
  if (format !== undefined) return format
  throw new Failure(`${quoted(name)} must end with .csv, .tsv, .json, .jsonl or .parquet`)
}

const WRITERS: Readonly<Record<string, string>> = {
  csv: 'FORMAT csv',
  tsv: "FORMAT csv, DELIMITER '\\t'",
  json: 'FORMAT json, ARRAY true',
  jsonl: 'FORMAT json',
  ndjson: 'FORMAT json',
  parquet: 'FORMAT parquet',
}
