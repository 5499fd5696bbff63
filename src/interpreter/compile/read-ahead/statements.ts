// Generated code of programs that run ahead of their reads, apart from expressions (code.ts): entries of functions,
// statements that catch, and stores of values. In other programs these functions write the plain code.

import type { Expression, NodeBase } from '../../syntax/nodes.js'
import { unparenthesised } from '../../syntax/walk.js'
import type { FieldStore } from '../attributes.js'
import type { Code } from '../code.js'
import * as js from '../code.js'
import type { Generation } from '../context.js'
import type { Store } from '../subscripts.js'

/** The call in a returned expression. An `await` of a read is no call. */
export function lastCall(g: Generation, e: Expression): Expression {
  const inner = unparenthesised(e)
  return inner.kind === 'AwaitExpr' && g.facts.roles?.readOf(inner.value) !== undefined ? inner.value : e
}

/** Writes code in which a handler could observe the effects of calls and their failures. */
export function watched(g: Generation, write: () => void): void {
  if (g.facts.roles === undefined || g.around.runsLater) return write()
  g.out.line`${g.help('enterGuard', [])}; try {`
  write()
  g.out.line`} finally { ${g.help('leaveGuard', [])}; }`
}

/** The operand of an operator that is read from a place, not from an expression. */
export function looked(g: Generation, code: Code): Code {
  return g.facts.roles === undefined ? code : g.help('settled', [code])
}

/** Writes the statement `object[index] = value`. */
export function putIndex(g: Generation, node: NodeBase, store: Store): void {
  g.out.line`${g.help('putIndex', store, node)};`
}

/** Writes the statement `object.name = value`. */
export function putAttribute(g: Generation, node: NodeBase, { object, name, value }: FieldStore): void {
  g.out.line`${g.help('putAttribute', [object, js.literal(name), value], node)};`
}
