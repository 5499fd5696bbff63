import { DICT, MAP, OTHER } from '../infer/kinds.js'
import { type Type, takenOf } from '../infer/types.js'

/** The kinds that the check assumes for the values of a type; never empty. */
export function kindsOf(type: Type): number {
  const { kinds } = takenOf(type)
  if (kinds === 0) return OTHER
  return (kinds & MAP) === 0 ? kinds : (kinds & ~MAP) | DICT
}

/** True if all values of the type are of these kinds. */
export function isOf(type: Type, kinds: number): boolean {
  return (kindsOf(type) & ~kinds) === 0
}
