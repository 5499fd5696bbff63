// Which variables a block assigns. Knows the shape of statements, nothing of values. Invariant: inner functions are not looked into.

import type { Binding, Resolution } from '../resolve/index.js'
import { namesBoundBy } from '../syntax/inside-patterns.js'
import type { Expression, Statement } from '../syntax/nodes.js'

/** The variables that a block assigns, inner blocks included, inner functions not. */
export function assignedIn(body: readonly Statement[], resolution: Resolution): Set<Binding> {
  const out = new Set<Binding>()
  const target = (t: Expression): void => {
    switch (t.kind) {
      case 'Identifier': {
        const b = resolution.bindingOf.get(t)
        if (b) out.add(b)
        return
      }
      case 'ParenExpr':
        return target(t.expression)
      case 'StarredExpr':
        return target(t.value)
      case 'TupleExpr':
      case 'ListExpr':
        for (const e of t.elements) target(e)
        return
      default:
        return
    }
  }
  const block = (statements: readonly Statement[]): void => {
    for (const s of statements) {
      switch (s.kind) {
        case 'AssignStmt':
          s.targets.forEach(target)
          break
        case 'AugmentedAssignStmt':
        case 'AnnotatedAssignStmt':
          target(s.target)
          break
        case 'DefStmt':
        case 'ClassStmt':
          target(s.name)
          break
        case 'ForStmt':
          target(s.target)
          block(s.body)
          block(s.orelse)
          break
        case 'IfStmt':
        case 'WhileStmt':
          block(s.body)
          block(s.orelse)
          break
        case 'TryStmt':
          block(s.body)
          for (const h of s.handlers) {
            if (h.name) target(h.name)
            block(h.body)
          }
          block(s.orelse)
          block(s.finalbody)
          break
        case 'WithStmt':
          for (const item of s.items) if (item.target) target(item.target)
          block(s.body)
          break
        case 'MatchStmt':
          for (const one of s.cases) {
            namesBoundBy(one.pattern).forEach(target)
            block(one.body)
          }
          break
        case 'DelStmt':
          s.targets.forEach(target)
          break
        case 'ImportStmt':
          for (const n of s.names) target(n.alias ?? n.path[0]!)
          break
        case 'ImportFromStmt':
          for (const n of s.names) target(n.alias ?? n.name)
          break
        default:
          break
      }
    }
  }
  block(body)
  return out
}
