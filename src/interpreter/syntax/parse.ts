// Text to syntax tree: the parser put together.
//
// The parser is one object whose class is built up in layers, each knowing only the ones below: Scanner (tokens),
// Cursor (taking and complaining), Literals (strings and f-strings), Signatures (parameters and arguments), Displays
// (brackets), Expressions (operators), Imports, Patterns, SoftKeywords, Statements, and Parser here. There is one
// grammar, Python's. Strict mode is the same grammar with every production reported that Starlark lacks; the few places
// where Starlark reads the same text differently ask `strict` themselves.

import type { Diagnostic } from '../../diagnostics/index.js'
import { Faults, STOP } from './faults.js'
import type { File, Statement } from './nodes.js'
import { Positions } from './positions.js'
import { Statements } from './statements.js'
import * as T from './tokens.js'

export interface ParseOptions {
  /** Pure Starlark: every Python affordance is refused. */
  readonly strict: boolean
}

export interface ParseResult {
  /** All statements that could be parsed. */
  readonly file: File
  /** In the order of the text, at most ten; none when the program is well formed. */
  readonly diagnostics: readonly Diagnostic[]
  /** False when a statement had to be left out: the names it binds are missing from the tree. */
  readonly complete: boolean
}

/** Parses a program. Never throws, whatever the text. */
export function parse(text: string, options: ParseOptions): ParseResult {
  const faults = new Faults(new Positions(text))
  const body: Statement[] = []
  const parser = new Parser(text, options.strict, faults)
  let stopped = false
  try {
    parser.program(body)
  } catch (reason) {
    if (reason !== STOP) throw reason
    stopped = true
  }
  const file: File = { kind: 'File', start: 0, end: text.length, text, body }
  return { file, diagnostics: faults.diagnostics(), complete: !stopped && !parser.abandonedAny }
}

class Parser extends Statements {
  program(body: Statement[]): void {
    this.next()
    while (this.kind !== T.END) {
      this.statements(body)
      if (this.kind === T.DEDENT) this.next()
    }
  }
}
