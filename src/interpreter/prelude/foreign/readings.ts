// Operations on answers that may be text or data (values/tool-data.ts), for generated code. A call states how the
// program uses its answer. If the use is unknown, operations that depend on it fail and ask for a decision.

import { answerOf, Pending } from '../host/pending.js'
import { answeredData, answeredText, isUndecided, textOrData } from '../values/tool-data.js'
import type { Value } from '../values/values.js'

/** The text of an answer. */
export function asText(x: Value): Value {
  return answered(x, answeredText)
}

/** An answer as data. */
export function asData(x: Value): Value {
  return answered(x, answeredData)
}

function answered(x: Value, as: (answer: Value) => Value): Value {
  if (!(x instanceof Pending)) return as(x)
  if (x.$value === undefined) x.$as = as
  else x.$value = as(x.$value)
  return x
}

type Question = 'len' | 'in' | 'iteration' | 'slice' | 'index'

/** Resolves an operand that may be an undecided answer, or fails. `name`: its name in the program. */
export function decided(x: Value, question: Question, name: string): Value {
  const value = x instanceof Pending ? answerOf(x) : x
  if (typeof value !== 'object' || value === null || !isUndecided(value)) return x
  // A dict has no first element, so the program means the text.
  if ((question === 'slice' || question === 'index') && !Array.isArray(value)) return x
  throw textOrData((as) => QUESTIONS[question](as(name)))
}

const QUESTIONS: Readonly<Record<Question, (x: string) => string>> = {
  len: (x) => `len(${x})`,
  in: (x) => `in ${x}`,
  iteration: (x) => x,
  slice: (x) => `${x}[…]`,
  index: (x) => `${x}[…]`,
}
