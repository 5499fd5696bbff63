// Runs one compiled program and reports its end as JSON text, which outcome.ts of the host reads.

import { errorText, translated } from './classes/exceptions.js'
import { described, unknownText } from './described-marks.js'
import { settledAll } from './foreign/ahead.js'
import { flushOutput } from './host/output.js'
import { earliest, settleAll } from './host/pending.js'
import { resultText } from './json/result.js'
import { resumeThreads } from './modules/parked-threads.js'
import { finishCalls } from './statements/coroutines.js'
import { repr, str } from './text/repr.js'
import { FatalError, GuestError, type HostMark } from './values/errors.js'
import { python } from './values/mode.js'
import type { Value } from './values/values.js'

const stringify = JSON.stringify

interface Failure {
  readonly kind: string
  /** The failure that ended the run. A program can't forge this. */
  readonly ends?: 'limit' | 'host error'
  readonly message: string
  readonly code?: string | undefined
  readonly hint?: string | undefined
  readonly stack: string
  /** The values in the texts; see payload.ts of the host. */
  readonly values?: readonly HostMark[] | undefined
  readonly hintValues?: readonly HostMark[] | undefined
  /** True if the program made the error, with its own words. */
  readonly isOwn?: boolean
}

/** Runs a program, which receives the prelude and returns its result, or `undefined` if it set none. */
export function start<Api>(api: Api, program: (api: Api) => Value | undefined): string {
  try {
    const result = program(api)
    settleAll()
    finishCalls()
    resumeThreads()
    settleAll()
    flushOutput()
    return result === undefined ? '{"ok":true}' : finished(settledAll(result))
  } catch (e) {
    const failure = earliest(translated(e))
    flushOutput()
    return failed(failure)
  }
}

function finished(result: Value): string {
  const { json, notes } = resultText(result, python)
  return stringify({ ok: true, result: { json, text: repr(result), notes } })
}

function messageOf(e: GuestError): string {
  if (!python) return e.isOwn ? str(e.args[0]!) : e.message
  try {
    const text = errorText(e)
    return e.uncaught?.own === text ? e.uncaught.text : text
  } catch {
    return e.message
  }
}

/**
 * The report of a failure. The words of an exception of the program are its own. So are those of a failure of ours that
 * the program has changed.
 */
function failureOf(e: GuestError): Failure {
  const message = messageOf(e)
  const { kind, code, hint, stack, isOwn, said, marked } = e
  const texts = { kind, message, code, hint: hint?.text, stack }
  if (isOwn) return { ...texts, isOwn }
  // A message of the host keeps the host's marks.
  if (marked !== undefined && message === said.text)
    return { ...texts, values: marked.values, hintValues: marked.hintValues }
  return {
    ...texts,
    values: message === said.text ? described(said) : unknownText(message),
    hintValues: hint === undefined ? undefined : described(hint),
  }
}

function failed(e: unknown): string {
  let failure: Failure
  if (e instanceof GuestError) failure = failureOf(e)
  else if (e instanceof FatalError)
    failure = { kind: 'FatalError', ends: e.class, message: e.message, code: e.code, hint: e.hint, stack: e.stack }
  else {
    const { name, message, stack } = e as Error
    failure = { kind: `native ${name}`, message: String(message), stack: String(stack) }
  }
  return stringify({ ok: false, error: failure })
}
