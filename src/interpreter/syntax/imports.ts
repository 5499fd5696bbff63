// `import`, `from … import …` and Starlark's `load`. The parser accepts every name; later stages accept or refuse it.

import { messages } from './messages.js'
import type { Argument, CallExpr, Identifier, ImportFromStmt, ImportStmt, LoadStmt, Statement } from './nodes.js'
import type { Parser } from './parser.js'
import { parseArguments } from './signatures.js'
import * as T from './tokens.js'

// ---- import ----

export function parseImportStatement(p: Parser): ImportStmt | ImportFromStmt {
  p.affordance('import')
  return p.token.kind === T.IMPORT ? parseImport(p) : parseImportFrom(p)
}

function parseImport(p: Parser): ImportStmt {
  const { start } = p.token
  const names: ImportStmt['names'][number][] = []
  do {
    p.next()
    const path = parsePath(p)
    const alias = parseAlias(p)
    names.push(alias ? { path, alias } : { path })
  } while (p.token.kind === T.COMMA)
  if (p.token.kind === T.FROM) p.unexpected('end of line', 'write: from module import name')
  return { kind: 'ImportStmt', start, end: p.token.previousEnd, names }
}

function parseImportFrom(p: Parser): ImportFromStmt {
  const { start } = p.token
  p.next()
  let level = 0
  while (p.token.kind === T.DOT || p.token.kind === T.ELLIPSIS) {
    level += p.token.kind === T.DOT ? 1 : 3
    p.next()
  }
  const path = level > 0 && p.token.kind === T.IMPORT ? [] : parsePath(p)
  p.expect(T.IMPORT, "'import'")
  const star = p.eat(T.STAR)
  const names = star ? [] : parseImportedNames(p)
  return { kind: 'ImportFromStmt', start, end: p.token.previousEnd, path, level, star, names }
}

function parseImportedNames(p: Parser): ImportFromStmt['names'] {
  const names: ImportFromStmt['names'][number][] = []
  const bracket = p.eat(T.LPAREN)
  do {
    if (bracket && names.length > 0 && p.token.kind === T.RPAREN) break
    const name = p.identifier('a name to import')
    const alias = parseAlias(p)
    names.push(alias ? { name, alias } : { name })
  } while (p.eat(T.COMMA))
  if (bracket) p.expect(T.RPAREN, "',' or ')'")
  return names
}

function parsePath(p: Parser): Identifier[] {
  const path = [p.identifier('a module name')]
  while (p.eat(T.DOT)) path.push(p.identifier("a name after '.'"))
  return path
}

function parseAlias(p: Parser): Identifier | undefined {
  return p.eat(T.AS) ? p.identifier('a name after as') : undefined
}

// ---- load ----

/** A load statement of strict mode, where load is a keyword. */
export function parseLoadStatement(p: Parser): Statement {
  const { start } = p.token
  p.next()
  if (p.token.kind !== T.LPAREN) p.unexpected("'(' after load")
  const args = parseArguments(p, false)
  const { end } = p.token
  p.next()
  const module = args[0]
  if (module?.form !== 'positional' || module.value.kind !== 'StringLiteral') {
    p.fail(
      messages.loadForm('the first operand of load must be a string literal'),
      module?.start ?? start,
      module?.end ?? end,
    )
  }
  if (args.length === 1) p.fail(messages.loadForm('load must name at least one symbol'), start, end)
  const bindings = args.slice(1).map((argument) => parseLoadBinding(p, argument))
  return { kind: 'LoadStmt', start, end, module: module.value, bindings }
}

function parseLoadBinding(p: Parser, { form, name, value, start, end }: Argument): LoadStmt['bindings'][number] {
  if ((form !== 'positional' && form !== 'named') || value.kind !== 'StringLiteral') {
    p.fail(messages.loadForm('an operand of load must be "name" or localname="name"'), start, end)
  }
  const original = value.value
  const local: Identifier = name ?? { kind: 'Identifier', start: value.start, end: value.end, name: original }
  return { local, original }
}

/**
 * Outside strict mode `load` is an ordinary name: a call of it is a load statement unless the program binds the name
 * itself.
 */
export function asLoad(p: Parser, call: CallExpr): LoadStmt | undefined {
  if (call.callee.kind !== 'Identifier' || call.callee.name !== 'load') return undefined
  const [module, ...names] = call.arguments
  if (module?.form !== 'positional' || module.value.kind !== 'StringLiteral' || names.length === 0) return undefined
  const bindings: LoadStmt['bindings'][number][] = []
  for (const { form, name, value } of names) {
    if ((form !== 'positional' && form !== 'named') || value.kind !== 'StringLiteral') return undefined
    const local: Identifier = name ?? { kind: 'Identifier', start: value.start, end: value.end, name: value.value }
    bindings.push({ local, original: value.value })
  }
  if (p.bindsLoad) return undefined
  return { kind: 'LoadStmt', start: call.start, end: call.end, module: module.value, bindings }
}
