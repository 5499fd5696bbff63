// Kinds of values as a set of bits: what most questions about a type come down to, answered without making a list of its alternatives.
// Knows no operator. Invariant: a type whose values are of a kind that is not known completely has OTHER among its kinds.

import { alternatives, type Type } from './types.js'

export const NONE_KIND = 1
export const BOOL_KIND = 2
export const INT_KIND = 4
export const FLOAT_KIND = 8
export const STR_KIND = 16
export const LIST_KIND = 32
export const TUPLE_KIND = 64
/** Dicts of the program and records of the host. */
export const DICT_KIND = 128
export const SET_KIND = 256
export const FUNCTION_KIND = 512
export const TOOL_KIND = 1024
export const NAMESPACE_KIND = 2048
export const OTHER_KIND = 4096

/** Without what is inside: nothing of them can be iterated over, called or indexed. */
export const SCALARS = NONE_KIND | BOOL_KIND | INT_KIND | FLOAT_KIND
/** Kinds whose behaviour is known completely. */
export const KNOWN = SCALARS | STR_KIND | LIST_KIND | TUPLE_KIND | DICT_KIND | SET_KIND

/** The kinds that the values of a type may be of; never empty. */
export function kindsOf(type: Type): number {
  switch (type.kind) {
    case 'none':
      return NONE_KIND
    case 'bool':
      return BOOL_KIND
    case 'int':
      return INT_KIND
    case 'float':
      return FLOAT_KIND
    case 'str':
      return STR_KIND
    case 'list':
      return LIST_KIND
    case 'tuple':
      return TUPLE_KIND
    case 'dict':
    case 'record':
      return DICT_KIND
    case 'set':
      return SET_KIND
    case 'function':
      return FUNCTION_KIND
    case 'tool':
      return TOOL_KIND
    case 'namespace':
      return NAMESPACE_KIND
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
      return OTHER_KIND
  }
}

function kindOfLiteral(value: string | number | boolean): number {
  if (typeof value === 'string') return STR_KIND
  if (typeof value === 'boolean') return BOOL_KIND
  return Number.isInteger(value) ? INT_KIND : FLOAT_KIND
}

/** Are all values of the type of these kinds? */
export function isOf(type: Type, kinds: number): boolean {
  return (kindsOf(type) & ~kinds) === 0
}
