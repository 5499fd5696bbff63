// Functions that are compiled a second time, for small ints. Knows the types of arguments, not how calls are written.

import type { CallExpr, Expression } from '../syntax/nodes.js'
import { INT } from './kinds.js'
import { isInt32, mayBe, type Type } from './types.js'

/** The types in the version of a function for small ints. */
export interface ForInts {
  /** The types of the expressions in its body. */
  readonly types: ReadonlyMap<Expression, Type>
  /** For each parameter: true if it is a 32-bit int. */
  readonly parameters: readonly boolean[]
  readonly result: Type
}

/** Whether a call reaches the version for small ints. */
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
