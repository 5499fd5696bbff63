// The function `main` of a program, which the program itself does not call: its parameters are those of the program.

import type { DefStmt, Statement } from '../syntax/nodes.js'
import { forEachExpression } from '../syntax/walk.js'

/** Undefined if there is none, or several, or the program itself uses it. */
export function mainOf(body: readonly Statement[]): DefStmt | undefined {
  const mains = body.filter((one): one is DefStmt => one.kind === 'DefStmt' && one.name.name === 'main')
  return mains.length === 1 && !isNamed(body) ? mains[0] : undefined
}

/** True if the program itself uses the function. */
function isNamed(body: readonly Statement[]): boolean {
  let isFound = false
  forEachExpression(body, (e) => {
    if (e.kind === 'Identifier' && e.name === 'main') isFound = true
  })
  return isFound
}

/** The docstring of a function; empty where there is none. */
export function docOf({ body }: Pick<DefStmt, 'body'>): string {
  const [first] = body
  const isText = first?.kind === 'ExprStmt' && first.expression.kind === 'StringLiteral'
  return isText ? first.expression.value : ''
}
