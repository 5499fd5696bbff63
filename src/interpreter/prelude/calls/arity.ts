// CPython's messages about too few or too many arguments of built-in functions. CPython counts in three ways, and the
// function's name decides which. Other functions have the messages for functions of the program.

import { asName, type Said, said, word } from '../values/said.js'

const exactlyOne = new Set('abs all any ascii bin callable chr hash hex len oct ord repr vars'.split(' '))
const counting = new Set([
  ...'bool delattr divmod filter format frozenset getattr hasattr isinstance issubclass iter'.split(' '),
  ...['list', 'next', 'range', 'reversed', 'set', 'setattr', 'slice', 'sorted', 'tuple'],
])

/** The message. Undefined if CPython counts as for functions of the program. */
export function builtinArity(name: string, got: number, least: number, most: number): Said | undefined {
  if (exactlyOne.has(name)) return said`${word(name)}() takes exactly one argument (${got} given)`
  if (name === 'sort') return said`sort() takes no positional arguments`
  if (!counting.has(name)) return undefined
  const n = got < least ? least : most
  const bound = least === most ? '' : got < least ? 'at least ' : 'at most '
  return said`${word(name)} expected ${bound}${n} argument${n === 1 ? '' : 's'}, got ${got}`
}

/** The message for a method of a built-in type. */
export function methodArity(type: string, name: string, got: number, least: number, most: number): Said | undefined {
  if (type === 'list' && name === 'sort') return builtinArity(name, got, least, most)
  if (most === 0) return said`${asName(type)}.${word(name)}() takes no arguments (${got} given)`
  if (least === 1 && most === 1) return said`${asName(type)}.${word(name)}() takes exactly one argument (${got} given)`
  return undefined
}
