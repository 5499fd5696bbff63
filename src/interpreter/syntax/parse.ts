// Program text to syntax tree.
//
// Each file of this folder parses some productions of the grammar, as functions over one `Parser` (parser.ts). It
// imports the files of the productions inside its own: statements → match → blocks → simple-statements → expressions →
// primaries → displays, signatures, literals. Where a production contains itself (an expression in brackets), the lower
// file calls it through `p.grammar`, which is created here.
//
// There is one grammar, Python's. Strict mode uses the same grammar and reports every production that Starlark lacks.
// The few places where Starlark gives the same text another meaning test `strict` themselves.

import type { Diagnostic } from '../../diagnostics/index.js'
import { parseStatements } from './blocks.js'
import { parseExpressions, parseLambda, parseNamedTest, parseOperation, parseTest, parseYield } from './expressions.js'
import { Faults, STOP } from './faults.js'
import type { File, Statement } from './nodes.js'
import { type Grammar, Parser } from './parser.js'
import { Positions } from './positions.js'
import { parseLine } from './statements.js'
import * as T from './tokens.js'

const grammar: Grammar = {
  parseExpressions,
  parseTest,
  parseNamedTest,
  parseOperation,
  parseLambda,
  parseYield,
  parseLine,
}

interface ParseOptions {
  /** Pure Starlark: every Python affordance is refused. */
  readonly strict: boolean
  /** The part of the text that is parsed; default: all of it. Offsets are those of the whole text. */
  readonly part?: { readonly start: number; readonly end: number }
  /** Positions in the whole text. */
  readonly positions?: Positions
}

export interface ParseResult {
  /** All statements that could be parsed. */
  readonly file: File
  /** In the order of the text, at most ten; none when the program is well formed. */
  readonly diagnostics: readonly Diagnostic[]
  /** False when a statement was dropped: the names it binds are missing from the tree. */
  readonly complete: boolean
}

/** Parses a program. Never throws, whatever the text. */
export function parse(whole: string, { strict, part, positions }: ParseOptions): ParseResult {
  const { start, end } = part ?? { start: 0, end: whole.length }
  const text = whole.slice(0, end)
  const faults = new Faults(positions ?? new Positions(whole))
  const parser = new Parser(text, strict, faults, grammar)
  if (start > 0) parser.scanner.position = start
  const body: Statement[] = []
  let stopped = false
  try {
    parseProgram(parser, body)
  } catch (reason) {
    if (reason !== STOP) throw reason
    stopped = true
  }
  const file: File = { kind: 'File', start, end, text, body }
  return { file, diagnostics: faults.diagnostics(), complete: !stopped && !parser.abandonedAny }
}

function parseProgram(p: Parser, body: Statement[]): void {
  p.next()
  while (p.token.kind !== T.END) {
    parseStatements(p, body)
    if (p.token.kind === T.DEDENT) p.next()
  }
}
