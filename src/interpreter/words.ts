// The words in guest messages that are not a program's values: names of types, builtins, modules and their members.

import { globalNames } from './javascript/index.js'
import type { Language } from './program.js'
import { universeOf } from './universe.js'

/** Types without methods of their own, and functions and parameters that no module lists. */
const MORE =
  'NoneType lambda module builtin function builtin_function_or_method method server outcome generator coroutine async_generator ellipsis slice object super ' +
  'property classmethod staticmethod type range bytes Any Field Task Future Template UUID enumerate zip map filter reversed string ' +
  'dict_values dict_items list_iterator str_iterator NotImplementedType ' +
  '__init__ __new__ __call__ __main__ _SpecialForm _MISSING_TYPE TextIOWrapper mappingproxy Context Match DecimalTuple ParseResult SplitResult ' +
  'exponent digits sign size b netloc params query fragment scheme path'

let words: ReadonlySet<string> | undefined
let scriptWords: ReadonlySet<string> | undefined

/** The names that exist in every program of a language. None of them is a value of the program. */
export function builtinWords(language: Language = 'starlark'): ReadonlySet<string> {
  if (language === 'javascript') return (scriptWords ??= namesOfScript())
  if (words === undefined) {
    const { types, names, modules, libraryWords } = universeOf('default')
    const methods = [...types.values()].flatMap((all) => [...all.keys()])
    words = new Set([
      ...MORE.split(' '),
      ...types.keys(),
      ...names,
      ...modules.keys(),
      ...[...modules.values()].flat(),
      ...methods,
      ...libraryWords,
    ])
  }
  return words
}

/** Globals of JavaScript, their members and the members of their instances. */
function namesOfScript(): ReadonlySet<string> {
  const found = new Set<string>(globalNames)
  for (const name of globalNames) {
    const value = (globalThis as Record<string, unknown>)[name]
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) continue
    for (const key of Object.getOwnPropertyNames(value)) found.add(key)
    const { prototype } = value as { readonly prototype?: object }
    if (typeof prototype === 'object') for (const key of Object.getOwnPropertyNames(prototype)) found.add(key)
  }
  return found
}
