// Which kinds of values a type stands for: what most questions about it come down to, answered without making a list of
// its alternatives.
// Invariant: a type whose values are of a kind that is not known completely has OTHER among its kinds.

import * as Kind from '../infer/kinds.js'
import { alternatives, type Type } from './types.js'

/** The kinds that the values of a type may be of; never empty. */
export function kindsOf(type: Type): number {
  switch (type.kind) {
    case 'none':
      return Kind.NONE
    case 'bool':
      return Kind.BOOL
    case 'int':
      return Kind.INT
    case 'float':
      return Kind.FLOAT
    case 'str':
      return Kind.STR
    case 'list':
      return Kind.LIST
    case 'tuple':
      return Kind.TUPLE
    case 'dict':
    case 'record':
      return Kind.DICT
    case 'set':
      return Kind.SET
    case 'function':
      return Kind.FUNCTION
    case 'tool':
      return Kind.TOOL
    case 'namespace':
      return Kind.NAMESPACE
    case 'literal': {
      let kinds = 0
      for (const value of type.values) kinds |= kindOfLiteral(value)
      return kinds
    }
    case 'union':
    case 'alias': {
      let kinds = 0
      for (const one of alternatives(type)) kinds |= kindsOf(one)
      return kinds
    }
    default:
      return Kind.OTHER
  }
}

function kindOfLiteral(value: string | number | boolean): number {
  if (typeof value === 'string') return Kind.STR
  if (typeof value === 'boolean') return Kind.BOOL
  return Number.isInteger(value) ? Kind.INT : Kind.FLOAT
}

/** Are all values of the type of these kinds? */
export function isOf(type: Type, kinds: number): boolean {
  return (kindsOf(type) & ~kinds) === 0
}
