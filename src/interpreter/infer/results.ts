// What operators, builtins and methods of strings give, by the types of what they are given. Knows no variables and no
// program.
// Invariant: where a class of the program may have a say, nothing is concluded.

import { BOOL, DICT, FLOAT, INT, LIST, MAP, OTHER, SET, STR, TUPLE } from './kinds.js'
import {
  ANY,
  ANY_INT,
  BOOLEAN,
  FLOATING,
  holding,
  intResult,
  ints,
  is,
  LENGTH,
  NOTHING,
  of,
  STRING,
  type Type,
} from './types.js'

/** What the methods of strings give. */
export const strMethods: Readonly<Record<string, Type>> = {
  upper: STRING,
  lower: STRING,
  strip: STRING,
  lstrip: STRING,
  rstrip: STRING,
  replace: STRING,
  join: STRING,
  title: STRING,
  capitalize: STRING,
  format: STRING,
  removeprefix: STRING,
  removesuffix: STRING,
  split: holding(LIST, STRING),
  rsplit: holding(LIST, STRING),
  splitlines: holding(LIST, STRING),
  startswith: BOOLEAN,
  endswith: BOOLEAN,
  find: ints(-1, 2 ** 31 - 1),
  rfind: ints(-1, 2 ** 31 - 1),
  index: LENGTH,
  rindex: LENGTH,
  count: LENGTH,
}

/** What builtins give, whatever they are given. */
export const builtinResults: Readonly<Record<string, Type>> = {
  str: STRING,
  repr: STRING,
  int: ANY_INT,
  float: FLOATING,
  bool: BOOLEAN,
  list: of(LIST),
  sorted: of(LIST),
  tuple: of(TUPLE),
  dict: of(DICT | MAP),
  set: of(SET),
  any: BOOLEAN,
  all: BOOLEAN,
  hasattr: BOOLEAN,
  isinstance: BOOLEAN,
  callable: BOOLEAN,
  ord: ints(0, 0x10ffff),
  chr: STRING,
  hash: ANY_INT,
}

interface Operation {
  readonly strict: boolean
  /** The program defines classes, which can give operators any meaning. */
  readonly classes: boolean
  readonly inPlace?: boolean
}

/** The type of `a operator b`, or of `a operator= b` where it is `inPlace`. */
export function binaryResult(operator: string, a: Type, b: Type, { strict, classes, inPlace }: Operation): Type {
  // Where one of the operands never comes to be, the result does not either.
  if (a.kinds === 0 || b.kinds === 0) return NOTHING
  if (a.kinds === INT && b.kinds === INT) return intResult(operator, a, b)
  const numeric = INT | FLOAT | (strict ? 0 : BOOL)
  if (is(a, numeric) && is(b, numeric)) {
    if (operator === '/' || is(a, FLOAT) || is(b, FLOAT)) return FLOATING
    return { kinds: INT | FLOAT | BOOL, lo: -Infinity, hi: Infinity }
  }
  if (operator === '+') {
    for (const kind of [STR, LIST, TUPLE])
      if (is(a, kind) && (is(b, kind) || (inPlace && kind === LIST))) return of(kind)
  }
  if (operator === '%' && is(a, STR)) return STRING
  if (operator === '*' && ((is(a, STR) && b.kinds === INT) || (a.kinds === INT && is(b, STR)))) return STRING
  if (operator === '*' && is(a, LIST) && b.kinds === INT) return a
  if (!classes && (a.kinds === INT || b.kinds === INT)) return withInt(operator)
  return ANY
}

/** What an int and something unknown can give, where no class of the program has a say. */
function withInt(operator: string): Type {
  const kinds =
    operator === '*'
      ? INT | FLOAT | STR | LIST | TUPLE | OTHER
      : operator === '%'
        ? INT | FLOAT | STR | OTHER
        : INT | FLOAT | OTHER
  return { kinds: kinds | BOOL, lo: -Infinity, hi: Infinity }
}

/** The type of `operator t`. */
export function unary(operator: string, t: Type): Type {
  if (operator === 'not') return BOOLEAN
  if (t.kinds === INT) {
    if (operator === '-') return ints(-t.hi, -t.lo)
    if (operator === '~') return ints(-t.hi - 1, -t.lo - 1)
    return t
  }
  if (is(t, FLOAT)) return operator === '~' ? ANY : t
  return ANY
}

/** What walking through `range(…)` gives. */
export function rangeElement(args: readonly Type[]): Type {
  const bounded = (t: Type): Type => (t.kinds === INT ? t : ANY_INT)
  const start = args.length >= 2 ? bounded(args[0]!) : ints(0, 0)
  const stop = bounded(args.length >= 2 ? args[1]! : (args[0] ?? ANY_INT))
  const step = args.length >= 3 ? bounded(args[2]!) : ints(1, 1)
  // Bounds beyond what a loop can count to in any run's time do not matter.
  const reach = 2 ** 40
  if (step.lo > 0) {
    const lo = Math.max(start.lo, -reach)
    return start.lo >= -reach && start.hi <= reach
      ? ints(lo, Math.max(lo, Math.min(stop.hi - 1, reach)))
      : ints(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  }
  return ints(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}
