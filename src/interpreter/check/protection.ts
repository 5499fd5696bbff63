// Decides which exceptions a region of the program survives. Knows `try` and Python's hierarchy of exceptions.

import type { Resolution } from '../resolve/index.js'
import type { Expression, Statement, TryStmt } from '../syntax/nodes.js'
import { forEachStatement } from '../syntax/walk.js'

/** The exception that a mistake raises at run time. */
export type Failure = 'TypeError' | 'AttributeError' | 'KeyError' | 'ValueError'

/** True if the region survives the failure. */
export type Protection = (failure: Failure) => boolean

export const everything: Protection = () => true

const ANCESTORS = ['Exception', 'BaseException']

/** Exceptions that are none of the failures and no ancestor of theirs. */
const UNRELATED = [
  'ArithmeticError ZeroDivisionError OverflowError FloatingPointError AssertionError ImportError ModuleNotFoundError IndexError NameError',
  'UnboundLocalError OSError IOError EnvironmentError FileNotFoundError PermissionError RuntimeError NotImplementedError RecursionError',
  'StopIteration TimeoutError ConnectionError UnicodeError UnicodeDecodeError UnicodeEncodeError SystemExit KeyboardInterrupt MemoryError',
].flatMap((line) => line.split(' '))

/** The exceptions from its body that a `try` catches; undefined if it catches none. */
export function protectionOf(s: TryStmt, resolution: Resolution): Protection | undefined {
  if (leaves(s.finalbody)) return everything
  if (s.handlers.length === 0) return undefined
  const all = s.handlers.map((handler) =>
    handler.type === undefined ? everything : caughtBy(handler.type, resolution),
  )
  return (failure) => all.some((one) => one(failure))
}

/** The exception that a name surely means. A name that is not certain may catch anything. */
function caughtBy(type: Expression, resolution: Resolution): Protection {
  if (type.kind === 'ParenExpr') return caughtBy(type.expression, resolution)
  if (type.kind === 'TupleExpr') {
    const all = type.elements.map((element) => caughtBy(element, resolution))
    return (failure) => all.some((one) => one(failure))
  }
  if (type.kind !== 'Identifier' || resolution.bindingOf.get(type)?.kind !== 'universal') return everything
  const { name } = type
  if (UNRELATED.includes(name)) return () => false
  if (ANCESTORS.includes(name) || name === 'ToolError') return everything
  if (name === 'LookupError') return (failure) => failure === 'KeyError'
  if (['TypeError', 'AttributeError', 'KeyError', 'ValueError'].includes(name)) return (failure) => failure === name
  return everything
}

/** True for the block of a `finally` that has a jump, which swallows the exception. */
function leaves(body: readonly Statement[]): boolean {
  let found = false
  forEachStatement(body, ({ kind }) => {
    found ||= kind === 'ReturnStmt' || kind === 'BreakStmt' || kind === 'ContinueStmt'
    return kind !== 'DefStmt' && kind !== 'ClassStmt'
  })
  return found
}
