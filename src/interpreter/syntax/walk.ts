// The only traversal of the tree: the children of each node, and walks over everything inside. A stage that gives each
// kind of node a meaning of its own (resolve, infer, check, compile) has its own switch.
// Invariant: a walk visits a node before its children, in the order of the text. Chains of operators and of `elif` do
// not deepen the stack.

import type {
  BinaryExpr,
  Expression,
  FStringPart,
  Identifier,
  LogicalExpr,
  Parameter,
  Pattern,
  Statement,
} from './nodes.js'

/** Visits all statements in a block. If `visit` returns false, the blocks of the statement are skipped. */
export function forEachStatement(body: readonly Statement[], visit: (s: Statement) => unknown): void {
  const open = body.toReversed()
  const push = (block: readonly Statement[]): void => {
    for (const s of block) open.push(s)
  }
  for (let s = open.pop(); s !== undefined; s = open.pop()) {
    if (visit(s) === false) continue
    const first = open.length
    eachBlock(s, push)
    for (let i = first, j = open.length - 1; i < j; i++, j--) [open[i], open[j]] = [open[j]!, open[i]!]
  }
}

/** Visits an expression and all expressions inside. If `visit` returns false, the inner expressions are skipped. */
export function forEachIn(e: Expression, visit: (e: Expression) => unknown): void {
  if (visit(e) !== false) forEachInside(e, visit)
}

/**
 * Visits all expressions inside an expression, without the outermost. If `visit` returns false, the inner ones are
 * skipped.
 */
export function forEachInside(e: Expression, visit: (e: Expression) => unknown): void {
  const walk = (x: Expression): void => {
    if (visit(x) !== false) inside(x)
  }
  const inside = (x: Expression): void => {
    if (x.kind !== 'BinaryExpr' && x.kind !== 'LogicalExpr') return eachInside(x, walk)
    const rights = [x.right]
    let left = x.left
    for (; left.kind === 'BinaryExpr' || left.kind === 'LogicalExpr'; left = left.left) {
      if (visit(left) === false) break
      rights.push(left.right)
    }
    if (left.kind !== 'BinaryExpr' && left.kind !== 'LogicalExpr') walk(left)
    while (rights.length > 0) walk(rights.pop()!)
  }
  inside(e)
}

/** Visits all expressions in all statements of a block. */
export function forEachExpression(body: readonly Statement[], visit: (e: Expression) => unknown): void {
  forEachStatement(body, (s) => eachOwn(s, (e) => forEachIn(e, visit)))
}

/** Visits the blocks of a statement, including those of functions and classes. */
export function eachBlock(s: Statement, visit: (body: readonly Statement[]) => void): void {
  switch (s.kind) {
    case 'DefStmt':
    case 'ClassStmt':
    case 'WithStmt':
      return visit(s.body)
    case 'IfStmt':
    case 'ForStmt':
    case 'WhileStmt':
      visit(s.body)
      return visit(s.orelse)
    case 'TryStmt':
      visit(s.body)
      for (const h of s.handlers) visit(h.body)
      visit(s.orelse)
      return visit(s.finalbody)
    case 'MatchStmt':
      for (const { body } of s.cases) visit(body)
      return
    default:
      return
  }
}

type Visit = (e: Expression) => void

/**
 * The outermost expressions of a statement, without those of its blocks and without annotations. Its targets go to
 * `target`.
 */
export function eachOwn(s: Statement, visit: Visit, target: Visit = visit): void {
  switch (s.kind) {
    case 'DefStmt':
      s.decorators.forEach(visit)
      return eachDefault(s.parameters, visit)
    case 'ClassStmt':
      s.decorators.forEach(visit)
      for (const { value } of s.bases) visit(value)
      return
    case 'IfStmt':
    case 'WhileStmt':
      return visit(s.test)
    case 'ForStmt':
      target(s.target)
      return visit(s.iterable)
    case 'AssignStmt':
      s.targets.forEach(target)
      return visit(s.value)
    case 'AugmentedAssignStmt':
      target(s.target)
      return visit(s.value)
    case 'AnnotatedAssignStmt':
      target(s.target)
      return visitAll(visit, s.value)
    case 'ReturnStmt':
      if (s.value) visit(s.value)
      return
    case 'ExprStmt':
      return visit(s.expression)
    case 'TryStmt':
      for (const { type } of s.handlers) visitAll(visit, type)
      return
    case 'RaiseStmt':
      return visitAll(visit, s.exception, s.cause)
    case 'AssertStmt':
      return visitAll(visit, s.test, s.message)
    case 'DelStmt':
      return s.targets.forEach(target)
    case 'WithStmt':
      for (const item of s.items) {
        visit(item.context)
        if (item.target) target(item.target)
      }
      return
    case 'MatchStmt':
      visit(s.subject)
      for (const { pattern, guard } of s.cases) {
        expressionsIn(pattern).forEach(visit)
        visitAll(visit, guard)
      }
      return
    case 'BreakStmt':
    case 'ContinueStmt':
    case 'PassStmt':
    case 'GlobalStmt':
    case 'NonlocalStmt':
    case 'LoadStmt':
    case 'ImportStmt':
    case 'ImportFromStmt':
      return
  }
}

/**
 * The expressions directly inside an expression, including the defaults of a lambda's parameters and the targets of
 * comprehensions and `:=`.
 */
export function eachInside(e: Expression, visit: Visit): void {
  switch (e.kind) {
    case 'FString':
      return eachPart(e.parts, visit)
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      return e.elements.forEach(visit)
    case 'DictExpr':
      for (const { key, value } of e.entries) {
        if (key) visit(key)
        visit(value)
      }
      return
    case 'Comprehension':
      visitAll(visit, e.element, e.value)
      for (const clause of e.clauses) {
        if (clause.kind === 'IfClause') visit(clause.test)
        else {
          visit(clause.target)
          visit(clause.iterable)
        }
      }
      return
    case 'CondExpr':
      visit(e.body)
      visit(e.test)
      return visit(e.orelse)
    case 'LambdaExpr':
      eachDefault(e.parameters, visit)
      return visit(e.body)
    case 'UnaryExpr':
      return visit(e.operand)
    case 'BinaryExpr':
    case 'LogicalExpr':
      visit(e.left)
      return visit(e.right)
    case 'CompareExpr':
      visit(e.left)
      for (const { operand } of e.rest) visit(operand)
      return
    case 'CallExpr':
      visit(e.callee)
      for (const { value } of e.arguments) visit(value)
      return
    case 'DotExpr':
      return visit(e.object)
    case 'IndexExpr':
      visit(e.object)
      return visit(e.index)
    case 'SliceExpr':
      return visitAll(visit, e.object, e.lower, e.upper, e.step)
    case 'NamedExpr':
      visit(e.target)
      return visit(e.value)
    case 'StarredExpr':
    case 'AwaitExpr':
    case 'YieldExpr':
      return visitAll(visit, e.value)
    case 'ParenExpr':
      return visit(e.expression)
    case 'Identifier':
    case 'IntLiteral':
    case 'FloatLiteral':
    case 'StringLiteral':
    case 'BytesLiteral':
    case 'EllipsisLiteral':
      return
  }
}

function visitAll(visit: Visit, ...all: readonly (Expression | undefined)[]): void {
  for (const e of all) if (e !== undefined) visit(e)
}

function eachDefault(parameters: readonly Parameter[], visit: Visit): void {
  for (const p of parameters) if (p.default) visit(p.default)
}

function eachPart(parts: readonly FStringPart[], visit: Visit): void {
  for (const part of parts) {
    if (typeof part === 'string') continue
    visit(part.expression)
    if (part.spec) eachPart(part.spec, visit)
  }
}

/** The patterns directly inside a pattern. */
export function patternsIn(pattern: Pattern): readonly Pattern[] {
  switch (pattern.kind) {
    case 'SequencePattern':
      return pattern.elements
    case 'MappingPattern':
      return pattern.entries.map((entry) => entry.pattern)
    case 'ClassPattern':
      return [...pattern.positional, ...pattern.named.map((one) => one.pattern)]
    case 'OrPattern':
      return pattern.alternatives
    case 'AsPattern':
      return [pattern.pattern]
    case 'ValuePattern':
    case 'ConstantPattern':
    case 'CapturePattern':
    case 'StarPattern':
      return []
  }
}

/** The expressions that a pattern evaluates, in the order of the text: literals, dotted names and classes. */
export function expressionsIn(pattern: Pattern): Expression[] {
  switch (pattern.kind) {
    case 'ValuePattern':
      return [pattern.value]
    case 'MappingPattern':
      return pattern.entries.flatMap((entry) => [entry.key, ...expressionsIn(entry.pattern)])
    case 'ClassPattern':
      return [pattern.callee, ...patternsIn(pattern).flatMap(expressionsIn)]
    default:
      return patternsIn(pattern).flatMap(expressionsIn)
  }
}

/** The single targets of an assignment: names, attributes, subscripts. */
export function eachTarget(t: Expression, visit: Visit): void {
  switch (t.kind) {
    case 'ParenExpr':
      return eachTarget(t.expression, visit)
    case 'StarredExpr':
      return eachTarget(t.value, visit)
    case 'TupleExpr':
    case 'ListExpr':
      for (const inner of t.elements) eachTarget(inner, visit)
      return
    default:
      return visit(t)
  }
}

export function unparenthesised(e: Expression): Expression {
  let inner = e
  while (inner.kind === 'ParenExpr') inner = inner.expression
  return inner
}

/**
 * The names that a statement itself binds or deletes, without those of its blocks and of `:=`. All alternatives of a
 * pattern bind the same names.
 */
export function eachBound(s: Statement, visit: (id: Identifier) => void): void {
  switch (s.kind) {
    case 'DefStmt':
    case 'ClassStmt':
      return visit(s.name)
    case 'TryStmt':
      for (const { name } of s.handlers) if (name) visit(name)
      return
    case 'MatchStmt':
      for (const { pattern } of s.cases) namesBoundBy(pattern).forEach(visit)
      return
    case 'LoadStmt':
      for (const { local } of s.bindings) visit(local)
      return
    case 'ImportStmt':
      for (const n of s.names) visit(n.alias ?? n.path[0]!)
      return
    case 'ImportFromStmt':
      for (const n of s.names) visit(n.alias ?? n.name)
      return
    case 'ExprStmt':
    case 'ReturnStmt':
    case 'IfStmt':
      return
    default:
      return eachOwn(s, ignore, (t) => eachTarget(t, (single) => single.kind === 'Identifier' && visit(single)))
  }
}

function ignore(): void {}

/** Every identifier in a pattern that binds a name. */
export function namesBoundBy(pattern: Pattern): Identifier[] {
  const inner = patternsIn(pattern).flatMap(namesBoundBy)
  if (pattern.kind === 'ConstantPattern') return inner
  const own = pattern.kind === 'MappingPattern' ? pattern.rest : 'name' in pattern ? pattern.name : undefined
  return own === undefined ? inner : [...inner, own]
}

/** The first operand of a chain of operators, and the chain in the order in which it is evaluated. */
export function spineOf<C extends BinaryExpr | LogicalExpr>(e: C): { readonly first: Expression; readonly rest: C[] } {
  const rest: C[] = []
  let first: Expression = e
  while (first.kind === e.kind) {
    rest.push(first as C)
    first = first.left
  }
  return { first, rest: rest.reverse() }
}
