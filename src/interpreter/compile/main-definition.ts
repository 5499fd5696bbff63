// The function `main` of a program that does not call it itself. Its parameters are those of the program.

import type { DefStmt, Statement } from '../syntax/nodes.js'
import { forEachExpression } from '../syntax/walk.js'

/** The definition of `main`; undefined if there is none or several, or if the program itself uses it. */
export function mainOf(body: readonly Statement[]): DefStmt | undefined {
  const mains = body.filter((one): one is DefStmt => one.kind === 'DefStmt' && one.name.name === 'main')
  return mains.length === 1 && !isNamed(body) ? mains[0] : undefined
}

/** True if the program itself uses `main`. */
function isNamed(body: readonly Statement[]): boolean {
  let isFound = false
  forEachExpression(body, (e) => {
    if (e.kind === 'Identifier' && e.name === 'main') isFound = true
  })
  return isFound
}

/** The docstring of a function, without the margin of its lines; empty if there is none. */
export function docOf({ body }: Pick<DefStmt, 'body'>): string {
  const [first] = body
  if (first?.kind !== 'ExprStmt' || first.expression.kind !== 'StringLiteral') return ''
  const [line = '', ...others] = first.expression.value.split('\n')
  const margins = others.filter((one) => one.trim() !== '').map((one) => one.length - one.trimStart().length)
  const margin = Math.min(...margins)
  return [line.trimStart(), ...others.map((one) => one.slice(margin))].join('\n').trim()
}
