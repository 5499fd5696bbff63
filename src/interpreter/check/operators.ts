// What operators and a few builtins do with values of built-in types: which combinations can never work, and the type of what comes out.
// Invariant: a combination is called impossible only if the guest fails for every two values of these types, in the dialect at hand.

import {
  BOOL_KIND,
  DICT_KIND,
  FLOAT_KIND,
  FUNCTION_KIND,
  INT_KIND,
  isOf,
  KNOWN,
  kindsOf,
  LIST_KIND,
  NAMESPACE_KIND,
  NONE_KIND,
  SCALARS,
  SET_KIND,
  STR_KIND,
  TOOL_KIND,
  TUPLE_KIND,
} from './kinds.js'
import { ANY, alternatives, BOOL, FLOAT, INT, join, plainAlternatives, SET, STR, type Type } from './types.js'

/** Can `a operator b` never work? */
export function impossible(operator: string, a: Type, b: Type, strict: boolean): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  const left = kindsOf(a)
  const right = kindsOf(b)
  if (((left | right) & ~KNOWN) !== 0) return false
  for (let x = 1; x <= left; x <<= 1) if ((left & x) !== 0 && (fitting(operator, x, strict) & right) !== 0) return false
  return true
}

const SEQUENCES = STR_KIND | LIST_KIND | TUPLE_KIND
const ITERABLES = SEQUENCES | DICT_KIND | SET_KIND

/** The kinds that can stand on the right of an operator with one kind on its left. */
function fitting(operator: string, x: number, strict: boolean): number {
  const ints = strict ? INT_KIND : INT_KIND | BOOL_KIND
  const numbers = ints | FLOAT_KIND
  switch (operator) {
    case '+':
      return x & numbers ? numbers : x & SEQUENCES
    case '+=':
      return x & numbers ? numbers : x === LIST_KIND ? ITERABLES : x & SEQUENCES
    case '-':
      return x & numbers ? numbers : x & SET_KIND
    case '*':
      return (x & numbers ? numbers : 0) | (x & ints ? SEQUENCES : 0) | (x & SEQUENCES ? ints : 0)
    case '%':
      return x & numbers ? numbers : x === STR_KIND ? KNOWN : 0
    case '/':
    case '//':
    case '**':
      return x & numbers ? numbers : 0
    case '<<':
    case '>>':
      return x & ints ? ints : 0
    case '|':
      return x & ints ? ints : x & (strict ? SET_KIND | DICT_KIND : SET_KIND | DICT_KIND | NONE_KIND)
    case '|=':
      return x & ints ? ints : x === DICT_KIND ? ITERABLES : x & SET_KIND
    case '&':
    case '^':
      return x & ints ? ints : x & SET_KIND
    case '<':
    case '>':
    case '<=':
    case '>=':
      return x & numbers ? numbers : x & ~(NONE_KIND | DICT_KIND)
    default:
      return KNOWN
  }
}

/** Can the unary operator never work? */
export function impossibleUnary(operator: string, a: Type, strict: boolean): boolean {
  const kinds = kindsOf(a)
  if ((kinds & ~KNOWN) !== 0 || operator === 'not') return false
  const takes = INT_KIND | (operator === '~' ? 0 : FLOAT_KIND) | (strict ? 0 : BOOL_KIND)
  return (kinds & takes) === 0
}

/** Can `x in container` never work? */
export function impossibleIn(element: Type, container: Type): boolean {
  const kinds = kindsOf(container)
  if ((kinds & ~SCALARS) === 0) return true
  const elements = kindsOf(element)
  return kinds === STR_KIND && (elements & ~KNOWN) === 0 && (elements & STR_KIND) === 0
}

/** Can the value never be iterated over? */
export function impossibleIteration(type: Type, strict: boolean): boolean {
  if (type.kind === 'any') return false
  return isOf(type, SCALARS | FUNCTION_KIND | TOOL_KIND | NAMESPACE_KIND | (strict ? STR_KIND : 0))
}

const NUMBERS = INT_KIND | FLOAT_KIND | BOOL_KIND

/** The type of the result, where both operands are of built-in types. */
export function binaryResult(operator: string, a: Type, b: Type): Type {
  if (a.kind === 'any' || (b.kind === 'any' && operator !== '%')) return ANY
  // Two types that are one thing each are by far the most: the general way costs a list for each of them.
  if (isOne(a) && isOne(b)) return resultOf(operator, a, b)
  let result: Type | undefined
  for (const x of plainAlternatives(a)) {
    for (const y of plainAlternatives(b)) {
      const one = resultOf(operator, x, y)
      if (one.kind === 'any') return ANY
      result = result === undefined ? one : join(result, one)
    }
  }
  return result ?? ANY
}

function isOne(type: Type): boolean {
  return type.kind !== 'union' && type.kind !== 'alias' && (type.kind !== 'literal' || type.values.length === 1)
}

const ARITHMETIC = new Set(['+', '-', '*', '//', '%', '<<', '>>'])
const BITWISE = new Set(['|', '&', '^'])

/** Of two types that are one thing each. */
function resultOf(operator: string, x: Type, y: Type): Type {
  const left = kindsOf(x)
  const right = kindsOf(y)
  if ((left & NUMBERS) !== 0 && (right & NUMBERS) !== 0) {
    if (operator === '/') return FLOAT
    if (left === FLOAT_KIND || right === FLOAT_KIND) return operator === '**' ? ANY : FLOAT
    if (ARITHMETIC.has(operator)) return INT
    return left === INT_KIND && right === INT_KIND && BITWISE.has(operator) ? INT : ANY
  }
  if (operator === '%' && left === STR_KIND) return STR
  if (operator === '+' && left === STR_KIND && right === STR_KIND) return STR
  if (operator === '+' && x.kind === 'list' && y.kind === 'list')
    return { kind: 'list', item: join(x.item, y.item), made: true }
  if (operator === '*' && right === INT_KIND && left === STR_KIND) return STR
  if (operator === '*' && right === INT_KIND && x.kind === 'list') return { kind: 'list', item: x.item, made: true }
  return operator === '-' && left === SET_KIND && right === SET_KIND ? SET : ANY
}

export function unaryResult(operator: string, a: Type): Type {
  if (operator === 'not') return BOOL
  const all = alternatives(a).map((one) => (one.kind === 'literal' ? ANY : one))
  return all.every((one) => one.kind === 'int' || (one.kind === 'float' && operator !== '~')) ? a : plainNumber(a)
}

function plainNumber(a: Type): Type {
  const kinds = kindsOf(a)
  return kinds === INT_KIND ? INT : kinds === FLOAT_KIND ? FLOAT : ANY
}

const COLLECTIONS = LIST_KIND | TUPLE_KIND | DICT_KIND | SET_KIND

/** What the first argument of a builtin has to be: kinds that never do, and what to say. */
const FIRST_ARGUMENT: Readonly<Record<string, { readonly never: number; readonly want: string }>> = {
  len: { never: SCALARS, want: 'a list, dict or str' },
  sorted: { never: SCALARS, want: 'something to iterate over' },
  reversed: { never: SCALARS, want: 'a sequence' },
  list: { never: SCALARS, want: 'something to iterate over' },
  tuple: { never: SCALARS, want: 'something to iterate over' },
  set: { never: SCALARS, want: 'something to iterate over' },
  enumerate: { never: SCALARS, want: 'something to iterate over' },
  sum: { never: SCALARS, want: 'something to iterate over' },
  any: { never: SCALARS, want: 'something to iterate over' },
  all: { never: SCALARS, want: 'something to iterate over' },
  int: { never: NONE_KIND | COLLECTIONS, want: 'a str or number' },
  float: { never: NONE_KIND | COLLECTIONS, want: 'a str or number' },
  abs: { never: NONE_KIND | STR_KIND | COLLECTIONS, want: 'a number' },
  round: { never: NONE_KIND | STR_KIND | COLLECTIONS, want: 'a number' },
  range: { never: NONE_KIND | STR_KIND | COLLECTIONS | FLOAT_KIND, want: 'an int' },
  ord: { never: SCALARS | COLLECTIONS, want: 'a str of one character' },
  chr: { never: NONE_KIND | STR_KIND | FLOAT_KIND | COLLECTIONS, want: 'an int' },
}

/** What a builtin wants as its first argument, when a value of the type can never do. */
export function refusedFirst(name: string, type: Type): string | undefined {
  if (type.kind === 'any' || !Object.hasOwn(FIRST_ARGUMENT, name)) return undefined
  const rule = FIRST_ARGUMENT[name]!
  return isOf(type, rule.never) ? rule.want : undefined
}
