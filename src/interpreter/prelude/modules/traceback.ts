// The module `traceback`: exceptions and their causes. Frames are missing, because programs can't see them.

import { builtin, call } from '../calls/signature.js'
import { attribute } from '../classes/attributes.js'
import { errorText } from '../classes/exceptions.js'
import { errorClass } from '../classes/known-classes.js'
import { str } from '../text/repr.js'
import { GuestError, handling } from '../values/errors.js'
import type { Value } from '../values/values.js'
import { type Module, module } from './module.js'

const CAUSE = '\nThe above exception was the direct cause of the following exception:\n\n'
const CONTEXT = '\nDuring handling of the above exception, another exception occurred:\n\n'

/** The last lines of a traceback: `ValueError: message`, and its notes. */
function lastLines(e: GuestError): string[] {
  const text = errorText(e)
  const first = `${errorClass(e).$name}${text === '' ? '' : `: ${text}`}\n`
  const notes = (e.attributes?.__notes__ ?? []) as Value[]
  return [first, ...notes.map((note) => `${str(note)}\n`)]
}

function formatted(e: GuestError, chained: boolean, seen: ReadonlySet<GuestError> = new Set()): string[] {
  const own = ['Traceback (most recent call last):\n', ...lastLines(e)]
  const { cause, context } = e
  const before = cause instanceof GuestError ? cause : cause === undefined ? context : undefined
  if (!chained || before === undefined || seen.has(before)) return own
  return [...formatted(before, true, new Set([...seen, e])), before === cause ? CAUSE : CONTEXT, ...own]
}

const NOTHING = 'NoneType: None\n'

/** The exception among the arguments `exc, value, tb`, the first of which may be its type. */
function given(exception: Value | undefined, value: Value | undefined): GuestError | undefined {
  const e = value === undefined || value === null ? exception : value
  return e instanceof GuestError ? e : undefined
}

function lines(e: GuestError | undefined, chain: Value | undefined): string[] {
  return e === undefined ? [NOTHING] : formatted(e, chain !== false)
}

/** The lines of a failure and its causes. */
export function failureLines(e: GuestError | undefined): string[] {
  return lines(e, undefined)
}

/** Writes to a file. Without one it would go to standard error, which is dropped. */
function write(text: string, file: Value | undefined): null {
  if (file !== undefined && file !== null) call(attribute(file, 'write'), [text])
  return null
}

export const traceback: Module = module('traceback', {
  format_exc: builtin('format_exc', 'limit=, chain=', (_, chain) => lines(handling.now, chain).join('')),
  print_exc: builtin('print_exc', 'limit=, file=, chain=', (_, file, chain) =>
    write(lines(handling.now, chain).join(''), file),
  ),
  format_exception: builtin('format_exception', 'exc, /, value=, tb=, limit=, chain=', (e, value, _, _limit, chain) =>
    lines(given(e, value), chain),
  ),
  print_exception: builtin(
    'print_exception',
    'exc, /, value=, tb=, limit=, file=, chain=',
    (e, value, _, _limit, file, chain) => write(lines(given(e, value), chain).join(''), file),
  ),
  format_exception_only: builtin('format_exception_only', 'exc, /, value=', (e, value) => {
    const own = given(e, value)
    return own === undefined ? [NOTHING] : lastLines(own)
  }),
  print_stack: builtin('print_stack', 'f=, limit=, file=', () => null),
})
