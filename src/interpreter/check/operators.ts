// Decides by the kinds of values which operands of operators, and which first arguments of a few builtins, can never
// work.
// Invariant: a combination is impossible only if the guest fails for every two values of these types in this dialect.

import * as Kind from '../infer/kinds.js'
import type { Type } from '../infer/types.js'
import { isOf, kindsOf } from './kinds.js'

/** True if `a operator b` fails for all values of these types. */
export function impossible(operator: string, a: Type, b: Type, strict: boolean): boolean {
  const left = kindsOf(a)
  const right = kindsOf(b)
  if (((left | right) & ~Kind.KNOWN) !== 0) return false
  for (let x = 1; x <= left; x <<= 1) if ((left & x) !== 0 && (fitting(operator, x, strict) & right) !== 0) return false
  return true
}

const SEQUENCES = Kind.STR | Kind.LIST | Kind.TUPLE
const ITERABLES = SEQUENCES | Kind.DICT | Kind.SET

/** The kinds that an operator accepts on its right, by the kind on its left. */
function fitting(operator: string, x: number, strict: boolean): number {
  const ints = strict ? Kind.INT : Kind.INT | Kind.BOOL
  const numbers = ints | Kind.FLOAT
  switch (operator) {
    case '+':
      return x & numbers ? numbers : x & SEQUENCES
    case '+=':
      return x & numbers ? numbers : x === Kind.LIST ? ITERABLES : x & SEQUENCES
    case '-':
      return x & numbers ? numbers : x & Kind.SET
    case '*':
      return (x & numbers ? numbers : 0) | (x & ints ? SEQUENCES : 0) | (x & SEQUENCES ? ints : 0)
    case '%':
      return x & numbers ? numbers : x === Kind.STR ? Kind.KNOWN : 0
    case '/':
    case '//':
    case '**':
      return x & numbers ? numbers : 0
    case '<<':
    case '>>':
      return x & ints ? ints : 0
    case '|':
      return x & ints ? ints : x & (strict ? Kind.SET | Kind.DICT : Kind.SET | Kind.DICT | Kind.NONE)
    case '|=':
      return x & ints ? ints : x === Kind.DICT ? ITERABLES : x & Kind.SET
    case '&':
    case '^':
      return x & ints ? ints : x & Kind.SET
    case '<':
    case '>':
    case '<=':
    case '>=':
      return x & numbers ? numbers : x & ~(Kind.NONE | Kind.DICT)
    default:
      return Kind.KNOWN
  }
}

/** True if the unary operator fails for all values of this type. */
export function impossibleUnary(operator: string, a: Type, strict: boolean): boolean {
  const kinds = kindsOf(a)
  if ((kinds & ~Kind.KNOWN) !== 0 || operator === 'not') return false
  const takes = Kind.INT | (operator === '~' ? 0 : Kind.FLOAT) | (strict ? 0 : Kind.BOOL)
  return (kinds & takes) === 0
}

/** True if `x in container` fails for all values of these types. */
export function impossibleIn(element: Type, container: Type): boolean {
  const kinds = kindsOf(container)
  if ((kinds & ~Kind.SCALARS) === 0) return true
  const elements = kindsOf(element)
  return kinds === Kind.STR && (elements & ~Kind.KNOWN) === 0 && (elements & Kind.STR) === 0
}

/** True if no value of the type can be iterated over. */
export function impossibleIteration(type: Type, strict: boolean): boolean {
  return isOf(type, Kind.SCALARS | Kind.FUNCTION | Kind.TOOL | Kind.NAMESPACE | (strict ? Kind.STR : 0))
}

const COLLECTIONS = Kind.LIST | Kind.TUPLE | Kind.DICT | Kind.SET

/** For each builtin, the kinds that its first argument can't have, and the words for the ones that it can. */
const FIRST_ARGUMENT: Readonly<Record<string, { readonly never: number; readonly want: string }>> = {
  len: { never: Kind.SCALARS, want: 'a list, dict or str' },
  sorted: { never: Kind.SCALARS, want: 'something to iterate over' },
  reversed: { never: Kind.SCALARS, want: 'a sequence' },
  list: { never: Kind.SCALARS, want: 'something to iterate over' },
  tuple: { never: Kind.SCALARS, want: 'something to iterate over' },
  set: { never: Kind.SCALARS, want: 'something to iterate over' },
  enumerate: { never: Kind.SCALARS, want: 'something to iterate over' },
  sum: { never: Kind.SCALARS, want: 'something to iterate over' },
  any: { never: Kind.SCALARS, want: 'something to iterate over' },
  all: { never: Kind.SCALARS, want: 'something to iterate over' },
  int: { never: Kind.NONE | COLLECTIONS, want: 'a str or number' },
  float: { never: Kind.NONE | COLLECTIONS, want: 'a str or number' },
  abs: { never: Kind.NONE | Kind.STR | COLLECTIONS, want: 'a number' },
  round: { never: Kind.NONE | Kind.STR | COLLECTIONS, want: 'a number' },
  range: { never: Kind.NONE | Kind.STR | COLLECTIONS | Kind.FLOAT, want: 'an int' },
  ord: { never: Kind.SCALARS | COLLECTIONS, want: 'a str of one character' },
  chr: { never: Kind.NONE | Kind.STR | Kind.FLOAT | COLLECTIONS, want: 'an int' },
}

/** The wanted first argument of a builtin, if no value of the type fits. */
export function refusedFirst(name: string, type: Type): string | undefined {
  if (!Object.hasOwn(FIRST_ARGUMENT, name)) return undefined
  const rule = FIRST_ARGUMENT[name]!
  return isOf(type, rule.never) ? rule.want : undefined
}
