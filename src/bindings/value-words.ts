// Names of argument values and types in each language.

import { describedText, marked, type Said, said } from '../diagnostics/index.js'
import { inJavaScript } from '../interpreter/index.js'
import { ExactInteger } from './exact-integers.js'
import { cutAtWord } from './quoting.js'

/** The notation: Python's for Starlark, TypeScript's for JavaScript. */
export type Notation = 'python' | 'typescript'

/** The language's word for a word of Python. */
export function wordIn(notation: Notation, python: string): string {
  return notation === 'python' ? python : inJavaScript(python)
}

/** A value with its type, short enough for a message. Its content is marked. */
export function valueText(value: unknown, notation: Notation): Said {
  const word = (python: string): string => wordIn(notation, python)
  if (value === null || value === undefined) return said`${word('None')}`
  if (typeof value === 'boolean') return said`${word(value ? 'True' : 'False')}`
  if (value instanceof ExactInteger) return number('an', word('int'), value.digits)
  if (typeof value === 'number')
    return Number.isInteger(value) ? number('an', word('int'), `${value}`) : number('a', word('float'), `${value}`)
  if (typeof value === 'string') {
    const text = `${word('str')} ${JSON.stringify(cutAtWord(value, 60))}`
    return marked(text, describedText(value, word('str')), value)
  }
  if (Array.isArray(value))
    return said`${value.length === 0 ? `an empty ${word('list')}` : `${word('list')} of ${value.length}`}`
  const { length } = Object.keys(value)
  return said`${length === 0 ? `an empty ${word('dict')}` : `${word('dict')} of ${length}`}`
}

function number(article: string, word: string, digits: string): Said {
  return marked(`${word} ${cutAtWord(digits, 60)}`, `${article} ${word}`, digits)
}

/** A name that the program chose, between double quotes. */
export function quotedName(name: string, notation: Notation): Said {
  return marked(JSON.stringify(cutAtWord(name, 60)), describedText(name, wordIn(notation, 'str')), name)
}
