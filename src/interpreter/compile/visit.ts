// Walks all statements of a program, those inside functions, classes and branches included.

import type { Statement } from '../syntax/nodes.js'

export function forEachStatement(body: readonly Statement[], visit: (s: Statement) => void): void {
  for (const s of body) {
    visit(s)
    switch (s.kind) {
      case 'IfStmt':
      case 'ForStmt':
      case 'WhileStmt':
        forEachStatement(s.body, visit)
        forEachStatement(s.orelse, visit)
        break
      case 'DefStmt':
      case 'ClassStmt':
      case 'WithStmt':
        forEachStatement(s.body, visit)
        break
      case 'TryStmt':
        forEachStatement(s.body, visit)
        for (const h of s.handlers) forEachStatement(h.body, visit)
        forEachStatement(s.orelse, visit)
        forEachStatement(s.finalbody, visit)
        break
      case 'MatchStmt':
        for (const { body } of s.cases) forEachStatement(body, visit)
        break
      default:
        break
    }
  }
}
