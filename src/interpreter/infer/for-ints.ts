// Functions that are compiled a second time, for small ints. Knows types of arguments, not how calls are written.

import type { CallExpr, Expression } from '../syntax/nodes.js'
import { INT } from './kinds.js'
import { isInt32, mayBe, type Type } from './types.js'

/** The types in a function that is compiled a second time, for small ints. */
export interface ForInts {
  /** The types of the expressions in its body. */
  readonly types: ReadonlyMap<Expression, Type>
  /** For each parameter: is it a 32-bit int? */
  readonly parameters: readonly boolean[]
  readonly result: Type
}

/** Does a call of a function that is compiled for small ints too reach that version? */
export function callsForInts(forInts: ForInts, e: CallExpr, args: readonly Type[]): 'always' | 'perhaps' | 'never' {
  if (args.length !== forInts.parameters.length || e.arguments.some((a) => a.form !== 'positional')) return 'never'
  let certain = true
  for (let i = 0; i < args.length; i++) {
    if (!forInts.parameters[i] || isInt32(args[i]!)) continue
    if (!mayBe(args[i]!, INT)) return 'never'
    certain = false
  }
  return certain ? 'always' : 'perhaps'
}
