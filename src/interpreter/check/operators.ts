// What operators and a few builtins do with values of built-in types: which combinations can never work, and the type of what comes out.
// Invariant: a combination is called impossible only if the guest fails for every two values of these types, in the dialect at hand.

import { ANY, alternatives, BOOL, FLOAT, INT, join, plainAlternatives, SET, STR, type Type } from './types.js'

/** Kinds whose behaviour is known completely. */
const KNOWN = ['none', 'bool', 'int', 'float', 'str', 'list', 'tuple', 'dict', 'record', 'set']

function kindOf(one: Type): string | undefined {
  if (!KNOWN.includes(one.kind)) return undefined
  return one.kind === 'record' ? 'dict' : one.kind
}

/** Kinds of all alternatives; undefined when one of them is not known completely. */
function kindsOf(type: Type): readonly string[] | undefined {
  const kinds = plainAlternatives(type).map(kindOf)
  return kinds.every((kind) => kind !== undefined) ? kinds : undefined
}

/** Can `a operator b` never work? */
export function impossible(operator: string, a: Type, b: Type, strict: boolean): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  const left = kindsOf(a)
  const right = kindsOf(b)
  if (left === undefined || right === undefined) return false
  return left.every((x) => right.every((y) => !possible(operator, x, y, strict)))
}

const ITERABLE = ['str', 'list', 'tuple', 'dict', 'set']

function possible(operator: string, x: string, y: string, strict: boolean): boolean {
  const number = (kind: string): boolean => kind === 'int' || kind === 'float' || (kind === 'bool' && !strict)
  const integral = (kind: string): boolean => kind === 'int' || (kind === 'bool' && !strict)
  if (number(x) && number(y))
    return !['|', '&', '^', '<<', '>>'].includes(operator) || (integral(x) && integral(y)) || operator === 'in'
  switch (operator) {
    case '+':
      return x === y && ['str', 'list', 'tuple'].includes(x)
    case '+=':
      return (x === y && ['str', 'list', 'tuple'].includes(x)) || (x === 'list' && ITERABLE.includes(y))
    case '-':
      return x === 'set' && y === 'set'
    case '*':
      return (
        (integral(x) && ['str', 'list', 'tuple'].includes(y)) || (integral(y) && ['str', 'list', 'tuple'].includes(x))
      )
    case '%':
      return x === 'str'
    case '/':
    case '//':
    case '**':
    case '<<':
    case '>>':
      return false
    case '|':
      return (x === y && ['set', 'dict'].includes(x)) || (!strict && x === 'none' && y === 'none')
    case '|=':
      return (x === y && x === 'set') || (x === 'dict' && ['dict', ...ITERABLE].includes(y))
    case '&':
    case '^':
      return x === 'set' && y === 'set'
    case '<':
    case '>':
    case '<=':
    case '>=':
      return (x === y && !['none', 'dict'].includes(x)) || (strict && x === 'bool' && y === 'bool')
    default:
      return true
  }
}

/** Can the unary operator never work? */
export function impossibleUnary(operator: string, a: Type, strict: boolean): boolean {
  const kinds = kindsOf(a)
  if (kinds === undefined || operator === 'not') return false
  const takes = operator === '~' ? ['int'] : ['int', 'float']
  return kinds.every((kind) => !takes.includes(kind) && !(kind === 'bool' && !strict))
}

/** Can `x in container` never work? */
export function impossibleIn(element: Type, container: Type): boolean {
  const kinds = kindsOf(container)
  if (kinds === undefined) return false
  if (kinds.every((kind) => ['none', 'bool', 'int', 'float'].includes(kind))) return true
  const elements = kindsOf(element)
  return kinds.every((kind) => kind === 'str') && elements?.every((kind) => kind !== 'str') === true
}

/** Can the value never be iterated over? */
export function impossibleIteration(type: Type, strict: boolean): boolean {
  if (type.kind === 'any') return false
  const scalar = ['none', 'bool', 'int', 'float', 'function', 'tool', 'namespace', ...(strict ? ['str'] : [])]
  return plainAlternatives(type).every((one) => scalar.includes(one.kind))
}

/** The type of the result, where both operands are of built-in types. */
export function binaryResult(operator: string, a: Type, b: Type): Type {
  if (a.kind === 'any' || (b.kind === 'any' && operator !== '%')) return ANY
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

function resultOf(operator: string, x: Type, y: Type): Type {
  const number = (one: Type): boolean => ['int', 'float', 'bool'].includes(one.kind)
  if (number(x) && number(y)) {
    if (operator === '/') return FLOAT
    if (x.kind === 'float' || y.kind === 'float') return operator === '**' ? ANY : FLOAT
    if (['+', '-', '*', '//', '%', '<<', '>>'].includes(operator)) return INT
    return x.kind === 'int' && y.kind === 'int' && ['|', '&', '^'].includes(operator) ? INT : ANY
  }
  if (operator === '%' && x.kind === 'str') return STR
  if (operator === '+' && x.kind === y.kind) {
    if (x.kind === 'str') return STR
    if (x.kind === 'list' && y.kind === 'list') return { kind: 'list', item: join(x.item, y.item), made: true }
  }
  if (operator === '*' && y.kind === 'int' && x.kind === 'str') return STR
  if (operator === '*' && y.kind === 'int' && x.kind === 'list') return { kind: 'list', item: x.item, made: true }
  return operator === '-' && x.kind === 'set' && y.kind === 'set' ? SET : ANY
}

export function unaryResult(operator: string, a: Type): Type {
  if (operator === 'not') return BOOL
  const all = alternatives(a).map((one) => (one.kind === 'literal' ? ANY : one))
  return all.every((one) => one.kind === 'int' || (one.kind === 'float' && operator !== '~')) ? a : plainNumber(a)
}

function plainNumber(a: Type): Type {
  const kinds = plainAlternatives(a)
  return kinds.every((one) => one.kind === 'int') ? INT : kinds.every((one) => one.kind === 'float') ? FLOAT : ANY
}

/** What the first argument of a builtin has to be: kinds that never do, and what to say. */
const FIRST_ARGUMENT: Readonly<Record<string, { readonly never: readonly string[]; readonly want: string }>> = {
  len: { never: ['none', 'bool', 'int', 'float'], want: 'a list, dict or str' },
  sorted: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  reversed: { never: ['none', 'bool', 'int', 'float'], want: 'a sequence' },
  list: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  tuple: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  set: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  enumerate: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  sum: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  any: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  all: { never: ['none', 'bool', 'int', 'float'], want: 'something to iterate over' },
  int: { never: ['none', 'list', 'tuple', 'dict', 'set'], want: 'a str or number' },
  float: { never: ['none', 'list', 'tuple', 'dict', 'set'], want: 'a str or number' },
  abs: { never: ['none', 'str', 'list', 'tuple', 'dict', 'set'], want: 'a number' },
  round: { never: ['none', 'str', 'list', 'tuple', 'dict', 'set'], want: 'a number' },
  range: { never: ['none', 'str', 'list', 'tuple', 'dict', 'set', 'float'], want: 'an int' },
  ord: { never: ['none', 'bool', 'int', 'float', 'list', 'tuple', 'dict', 'set'], want: 'a str of one character' },
  chr: { never: ['none', 'str', 'float', 'list', 'tuple', 'dict', 'set'], want: 'an int' },
}

/** What a builtin wants as its first argument, when a value of the type can never do. */
export function refusedFirst(name: string, type: Type): string | undefined {
  const rule = Object.hasOwn(FIRST_ARGUMENT, name) ? FIRST_ARGUMENT[name] : undefined
  const kinds = kindsOf(type)
  return rule !== undefined && kinds?.every((kind) => rule.never.includes(kind)) ? rule.want : undefined
}
