// The text of a statement: its first word, whether it is one, and a place in it.

import { Failure } from '../tool.js'

const OPAQUE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g

/** The statement's first word, in lower case. Throws if there are several statements. */
export function firstWord(sql: string): string {
  const bare = sql.replace(OPAQUE, (part) => (/^['"`]/.test(part) ? 'x' : ' '))
  const word = /^[\s(]*(\w*)/.exec(bare)?.[1]?.toLowerCase() ?? ''
  const isTrigger = /^\s*create\s+(?:temp\w*\s+)?trigger\b/i.test(bare)
  if (!isTrigger && /;\s*[^\s;]/.test(bare)) throw new Failure('pass one statement at a time')
  return word
}

/** Throws unless the statement only reads, as far as its first word tells. */
export function requireQuery(sql: string, write: boolean): void {
  if (/^(?:select|with|values|table)$/.test(firstWord(sql))) return
  throw new Failure(
    `the query must be a SELECT: ${write ? 'sql.execute changes the database' : 'nothing can be changed'}`,
  )
}

/** All names in a statement, in lower case: quoted or not, and texts, which SQLite may take for names. */
export function wordsIn(sql: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [part] of sql.matchAll(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[\p{L}\p{N}_$]+/gu,
  )) {
    if (!/^(?:--|\/\*)/.test(part)) words.add(part.replace(/^['"`[]|['"`\]]$/g, '').toLowerCase())
  }
  return words
}

/** A message with the line that it is about and a mark below the place. `at`: the place in the text. */
export function pointing(message: string, sql: string, at: number): string {
  const start = sql.lastIndexOf('\n', at - 1) + 1
  const end = sql.indexOf('\n', at)
  const line = `line ${sql.slice(0, at).split('\n').length}: `
  return `${message}\n${line}${sql.slice(start, end < 0 ? sql.length : end)}\n${' '.repeat(line.length + at - start)}^`
}
