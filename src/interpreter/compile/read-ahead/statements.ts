// Generated code of programs that run ahead of their reads, apart from expressions (code.ts): functions' entries,
// statements that catch, and places that values are stored in. In other programs each of these writes what would be
// there without it.

import { quote } from '../../quote.js'
import type { Expression, NodeBase } from '../../syntax/nodes.js'
import { unparenthesised } from '../../syntax/walk.js'
import type { Generation } from '../context.js'

/** What the entry for direct calls of a function is called beside the function. */
export const DIRECT = '$direct'

/** What is called where an expression is returned: an `await` around a read calls nothing. */
export function lastCall(g: Generation, e: Expression): Expression {
  const inner = unparenthesised(e)
  return inner.kind === 'AwaitExpr' && g.facts.roles?.readOf(inner.value) !== undefined ? inner.value : e
}

/** Writes `write` so that its calls and their failures are seen where a handler could see what was done after them. */
export function guarded(g: Generation, write: () => void): void {
  if (g.facts.roles === undefined || g.runsLater) return write()
  g.out.push(`${g.helper('enterGuard')}(); try {`)
  write()
  g.out.push(`} finally { ${g.helper('leaveGuard')}(); }`)
}

/** A value that an operator looks at, and that comes from a place and not from an expression. */
export function looked(g: Generation, code: string): string {
  return g.facts.roles === undefined ? code : `${g.helper('settled')}(${code})`
}

/** The statement `object[index] = value`. */
export function putIndex(
  g: Generation,
  node: NodeBase,
  [object, index, value]: readonly [string, string, string],
): string {
  return `${g.helper('putIndex')}${g.mark(node)}(${object}, ${index}, ${value});`
}

/** The statement `object.name = value`. */
export function putAttribute(
  g: Generation,
  node: NodeBase,
  [object, name, value]: readonly [string, string, string],
): string {
  return `${g.helper('putAttribute')}${g.mark(node)}(${object}, ${quote(name)}, ${value});`
}
