// Functions of the program whose calls are bound when the program is compiled. Knows bindings and types of arguments, not how calls are written.
// Invariant: a known function is what its name stands for wherever the name is read.

import type { Binding } from '../resolve/index.js'
import type { Expression } from '../syntax/nodes.js'
import { INT, isInt32, mayBe, type Type } from './types.js'

/** A name that stands for one `def` and nothing else, so that calls of it can be bound when the program is compiled. */
export function isKnownFunction(binding: Binding): boolean {
  const fn = binding.definition
  return (
    fn !== undefined &&
    binding.assignments === 1 &&
    !binding.assignedFromInside &&
    fn.decorators.length === 0 &&
    binding.scope?.kind !== 'class'
  )
}

/** What is known of a function that is compiled a second time, for small ints. */
export interface ForInts {
  /** The types of the expressions in its body. */
  readonly types: ReadonlyMap<Expression, Type>
  /** For each parameter: is it a 32-bit int? */
  readonly parameters: readonly boolean[]
  readonly result: Type
}

/** Does a call of a function that is compiled for small ints too reach that version? */
export function callsForInts(
  forInts: ForInts,
  e: Expression & { kind: 'CallExpr' },
  args: readonly Type[],
): 'always' | 'perhaps' | 'never' {
  if (args.length !== forInts.parameters.length || e.arguments.some((a) => a.form !== 'positional')) return 'never'
  let certain = true
  for (let i = 0; i < args.length; i++) {
    if (!forInts.parameters[i] || isInt32(args[i]!)) continue
    if (!mayBe(args[i]!, INT)) return 'never'
    certain = false
  }
  return certain ? 'always' : 'perhaps'
}
