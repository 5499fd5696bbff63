// Checks that inserted code makes before values are destructured or iterated over. The engine would fail for the same
// values, but would not name them.
// Invariant: every value that passes is returned unchanged.

import { typeError, unfitError } from './errors.js'
import { said, word } from './said.js'
import { isUndecided } from './tool-data.js'

const ITERATOR: typeof Symbol.iterator = Symbol.iterator

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof (value as Partial<Iterable<unknown>> | null | undefined)?.[ITERATOR] === 'function'
}

/** Checks a value for object destructuring. */
export function parted<T>(value: T): T {
  if (value === undefined || value === null) throw unfitError({ verb: 'parted', what: word(`${value}`) })
  return value
}

/** Checks a value for array destructuring, spread, or iteration. */
export function iterated<T>(value: T): T {
  if (!isIterable(value)) throw notIterable(value)
  return value
}

export function notIterable(value: unknown): TypeError {
  return unfitError({ verb: 'iterated', what: word(kindOf(value)) })
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return `${value}`
  if (typeof value === 'object') return value instanceof Promise ? 'a promise' : 'an object'
  return `a ${typeof value}`
}

/** Resolves an operand that may be an undecided answer, or fails. `name`: its name in the program. */
export function decided(value: unknown, question: string, name: string): unknown {
  if (!isUndecided(value)) return value
  const of = (x: string): string =>
    question === 'iteration'
      ? x
      : question === 'index'
        ? x + '[…]'
        : x + '.' + question + (question === 'length' ? '' : '(…)')
  throw typeError(said`a tool answered text that is JSON: do you mean the text or the data?`, {
    code: 'text-or-data',
    hint:
      'write ' + of('JSON.parse(' + name + ')') + ' for the data, or ' + of('String(' + name + ')') + ' for the text',
  })
}
