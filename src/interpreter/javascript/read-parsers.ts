import { createRequire } from 'node:module'
import type * as Parsers from './parsers.js'

let read: typeof Parsers | undefined

/** Loads the parsers when they are first needed, synchronously. */
export function parsers(): typeof Parsers {
  read ??= createRequire(import.meta.url)('./parsers.js') as typeof Parsers
  return read
}
