// Every statement and expression of a program, whatever its place. Knows the shape of the tree and nothing else.

import { forEachStatement } from '../compile/visit.js'
import { expressionsIn } from '../syntax/inside-patterns.js'
import type { Expression, FStringPart, Parameter, Statement } from '../syntax/nodes.js'

/** Calls `visit` for all expressions in all statements, outer ones before inner ones, in the order of the text. */
export function forEachExpression(body: readonly Statement[], visit: (e: Expression) => void): void {
  const open: Expression[] = []
  const push: Visit = (e) => void open.push(e)
  const walk = (root: Expression): void => {
    open.push(root)
    while (open.length > 0) {
      const e = open.pop()!
      visit(e)
      const first = open.length
      eachChild(e, push)
      for (let i = first, j = open.length - 1; i < j; i++, j--) [open[i], open[j]] = [open[j]!, open[i]!]
    }
  }
  forEachStatement(body, (s) => eachIn(s, walk))
}

type Visit = (e: Expression) => void

function eachOf(all: readonly Expression[], visit: Visit): void {
  for (const e of all) visit(e)
}

function eachDefault(parameters: readonly Parameter[], visit: Visit): void {
  for (const p of parameters) if (p.default) visit(p.default)
}

function eachIn(s: Statement, visit: Visit): void {
  switch (s.kind) {
    case 'DefStmt':
      eachOf(s.decorators, visit)
      eachDefault(s.parameters, visit)
      return
    case 'ClassStmt':
      eachOf(s.decorators, visit)
      for (const b of s.bases) visit(b.value)
      return
    case 'IfStmt':
    case 'WhileStmt':
      visit(s.test)
      return
    case 'ForStmt':
      visit(s.iterable)
      visit(s.target)
      return
    case 'ReturnStmt':
      if (s.value) visit(s.value)
      return
    case 'AssignStmt':
      visit(s.value)
      eachOf(s.targets, visit)
      return
    case 'AugmentedAssignStmt':
      visit(s.value)
      visit(s.target)
      return
    case 'AnnotatedAssignStmt':
      if (s.value) visit(s.value)
      visit(s.target)
      return
    case 'ExprStmt':
      visit(s.expression)
      return
    case 'TryStmt':
      for (const h of s.handlers) if (h.type) visit(h.type)
      return
    case 'RaiseStmt':
      if (s.exception) visit(s.exception)
      if (s.cause) visit(s.cause)
      return
    case 'AssertStmt':
      visit(s.test)
      if (s.message) visit(s.message)
      return
    case 'DelStmt':
      eachOf(s.targets, visit)
      return
    case 'WithStmt':
      for (const { context, target } of s.items) {
        visit(context)
        if (target) visit(target)
      }
      return
    case 'MatchStmt':
      visit(s.subject)
      for (const { pattern, guard } of s.cases) {
        eachOf(expressionsIn(pattern), visit)
        if (guard) visit(guard)
      }
      return
    default:
      return
  }
}

function eachPart(all: readonly FStringPart[], visit: Visit): void {
  for (const part of all) {
    if (typeof part === 'string') continue
    visit(part.expression)
    if (part.spec) eachPart(part.spec, visit)
  }
}

/** The expressions directly inside an expression; defaults of a lambda's parameters among them. */
function eachChild(e: Expression, visit: Visit): void {
  switch (e.kind) {
    case 'FString':
      eachPart(e.parts, visit)
      return
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      eachOf(e.elements, visit)
      return
    case 'DictExpr':
      for (const { key, value } of e.entries) {
        if (key) visit(key)
        visit(value)
      }
      return
    case 'Comprehension':
      for (const clause of e.clauses) {
        if (clause.kind === 'IfClause') visit(clause.test)
        else {
          visit(clause.iterable)
          visit(clause.target)
        }
      }
      visit(e.element)
      if (e.value) visit(e.value)
      return
    case 'CondExpr':
      visit(e.test)
      visit(e.body)
      visit(e.orelse)
      return
    case 'LambdaExpr':
      eachDefault(e.parameters, visit)
      visit(e.body)
      return
    case 'UnaryExpr':
      visit(e.operand)
      return
    case 'BinaryExpr':
    case 'LogicalExpr':
      visit(e.left)
      visit(e.right)
      return
    case 'CompareExpr':
      visit(e.left)
      for (const { operand } of e.rest) visit(operand)
      return
    case 'CallExpr':
      visit(e.callee)
      for (const a of e.arguments) visit(a.value)
      return
    case 'DotExpr':
      visit(e.object)
      return
    case 'IndexExpr':
      visit(e.object)
      visit(e.index)
      return
    case 'SliceExpr':
      visit(e.object)
      for (const x of [e.lower, e.upper, e.step]) if (x) visit(x)
      return
    case 'NamedExpr':
      visit(e.target)
      visit(e.value)
      return
    case 'YieldExpr':
      if (e.value) visit(e.value)
      return
    case 'StarredExpr':
    case 'AwaitExpr':
      visit(e.value)
      return
    case 'ParenExpr':
      visit(e.expression)
      return
    default:
      return
  }
}

/** Is it so for an expression directly inside? */
export function someChild(e: Expression, test: (inner: Expression) => boolean): boolean {
  let found = false
  eachChild(e, (inner) => {
    found ||= test(inner)
  })
  return found
}
