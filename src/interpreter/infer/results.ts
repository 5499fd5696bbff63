// The result types of operators, builtins and string methods for given types of operands. Knows no variables and no
// program.
// Invariant: nothing is concluded where a class of the program may define the result.

import { hostedItem } from './hosted.js'
import { intResult } from './intervals.js'
import { BOOL, BYTES, DICT, FLOAT, INT, LIST, MAP, OTHER, RANGE, SET, STR, TUPLE } from './kinds.js'
import {
  ANY,
  ANY_INT,
  BOOLEAN,
  FLOATING,
  follow,
  holding,
  ints,
  is,
  join,
  LENGTH,
  listedItem,
  listOf,
  NOTHING,
  NULL,
  NUMBER,
  of,
  STRING,
  shared,
  type Type,
  takenOf,
  taking,
} from './types.js'

function each(names: string, type: Type): Readonly<Record<string, Type>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]))
}

const strMethods: Readonly<Record<string, Type>> = {
  ...each('upper lower strip lstrip rstrip replace join title capitalize format removeprefix removesuffix', STRING),
  ...each('ljust rjust center zfill casefold swapcase expandtabs', STRING),
  ...each('split rsplit splitlines', holding(LIST, STRING)),
  ...each('startswith endswith isdigit isalpha isalnum isspace islower isupper istitle isnumeric isdecimal', BOOLEAN),
  ...each('find rfind', ints(-1, 2 ** 31 - 1)),
  ...each('index rindex count', LENGTH),
  encode: of(BYTES),
}
const listMethods: Readonly<Record<string, Type>> = { ...each('index count', LENGTH), copy: of(LIST) }
const dictMethods: Readonly<Record<string, Type>> = { copy: of(DICT | MAP) }

/** Result types of methods that do not depend on the arguments. */
export function methodResult(object: Type, name: string): Type {
  const results = is(object, STR)
    ? strMethods
    : is(object, LIST)
      ? listMethods
      : is(object, DICT | MAP)
        ? dictMethods
        : {}
  return Object.hasOwn(results, name) ? results[name]! : ANY
}

const builtinResults: Readonly<Record<string, Type>> = {
  ...each('str repr chr bin hex oct', STRING),
  ...each('bool any all hasattr isinstance callable', BOOLEAN),
  ...each('int hash', ANY_INT),
  ...each('list sorted', of(LIST)),
  float: FLOATING,
  tuple: of(TUPLE),
  dict: of(DICT | MAP),
  set: of(SET),
  range: of(RANGE),
  ord: ints(0, 0x10ffff),
  print: NULL,
}

/** Result types of builtins that do not depend on the arguments. */
export function builtinResult(name: string): Type {
  return Object.hasOwn(builtinResults, name) ? builtinResults[name]! : ANY
}

interface Operation {
  readonly strict: boolean
  /** True if the program defines classes, which can give operators any meaning. */
  readonly classes: boolean
  readonly inPlace?: boolean
}

/** The type of `a operator b`, or of `a operator= b` where it is `inPlace`. */
export function binaryResult(operator: string, a: Type, b: Type, operation: Operation): Type {
  const proved = resultOf(operator, a, b, operation)
  if (a.taken === undefined && b.taken === undefined) return proved
  return taking(proved, resultOf(operator, takenOf(a), takenOf(b), operation))
}

function resultOf(operator: string, a: Type, b: Type, { strict, classes, inPlace }: Operation): Type {
  // If an operand has no value, there is no result.
  if (a.kinds === 0 || b.kinds === 0) return NOTHING
  if (a.kinds === INT && b.kinds === INT) return intResult(operator, a, b)
  const numeric = INT | FLOAT | (strict ? 0 : BOOL)
  if (is(a, numeric) && is(b, numeric)) {
    if (operator === '/' || is(a, FLOAT) || is(b, FLOAT)) return FLOATING
    return BITWISE.has(operator) ? INT_OR_BOOL : NUMBER
  }
  if (operator === '+') {
    if (is(a, LIST) && (is(b, LIST) || inPlace)) return inPlace ? shared(a) : listOf(join(itemOf(a), itemOf(b)))
    for (const kind of [STR, TUPLE]) if (is(a, kind) && is(b, kind)) return of(kind)
  }
  if (operator === '%' && is(a, STR)) return STRING
  if (operator === '*' && ((is(a, STR) && b.kinds === INT) || (a.kinds === INT && is(b, STR)))) return STRING
  if (operator === '*' && is(a, LIST) && b.kinds === INT) return a
  if (operator === '-' && is(a, SET) && is(b, SET)) return of(SET)
  if (!classes && (a.kinds === INT || b.kinds === INT)) return withInt(operator)
  return ANY
}

function itemOf(list: Type): Type {
  return list.about?.kind === 'host' ? hostedItem(list.about.type) : listedItem(list)
}

const BITWISE = new Set(['&', '|', '^'])
const INT_OR_BOOL: Type = { kinds: INT | BOOL, lo: -Infinity, hi: Infinity }

/** The result types of an int and an unknown operand, if no class of the program defines the operator. */
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
export function unaryResult(operator: string, operand: Type): Type {
  return follow((t) => unaryOf(operator, t), operand)
}

function unaryOf(operator: string, t: Type): Type {
  if (operator === 'not') return BOOLEAN
  if (t.kinds === INT) {
    if (operator === '-') return ints(-t.hi, -t.lo)
    if (operator === '~') return ints(-t.hi - 1, -t.lo - 1)
    return ints(t.lo, t.hi)
  }
  if (operator === '~') return ANY
  return is(t, FLOAT) ? FLOATING : is(t, INT | FLOAT) ? NUMBER : ANY
}

/** The type of the elements of `range(…)`. */
export function rangeElement(args: readonly Type[]): Type {
  const bounded = (t: Type): Type => (t.kinds === INT ? t : ANY_INT)
  const start = args.length >= 2 ? bounded(args[0]!) : ints(0, 0)
  const stop = bounded(args.length >= 2 ? args[1]! : (args[0] ?? ANY_INT))
  const step = args.length >= 3 ? bounded(args[2]!) : ints(1, 1)
  // A bound that no loop can reach within a run does not matter.
  const reach = 2 ** 40
  if (step.lo > 0) {
    const lo = Math.max(start.lo, -reach)
    return start.lo >= -reach && start.hi <= reach
      ? ints(lo, Math.max(lo, Math.min(stop.hi - 1, reach)))
      : ints(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  }
  return ints(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}
