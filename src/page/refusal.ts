// Why a request gets no answer, in the form of `Failure`.

import { type Diagnostic, DiagnosticError } from '../index.js'
import type { Failure } from './interface.js'
import { codeOfStatus } from './messages.js'

export class Refusal extends Error {
  readonly status: number
  readonly body: Failure

  constructor(
    status: number,
    message: string,
    { code, hint }: { readonly code?: string; readonly hint?: string } = {},
  ) {
    super(message)
    this.status = status
    this.body = { error: { code: code ?? codeOfStatus(status), message, ...(hint === undefined ? {} : { hint }) } }
  }
}

/** The refusal for a failure of the library; undefined for other failures. */
export function refusalFor(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof DiagnosticError)) return undefined
  const { code, message, hint } = error.diagnostics[0]!
  return new Refusal(statusOf({ code }), message, { code, ...(hint === undefined ? {} : { hint }) })
}

const NOT_FOUND = new Set(['no-such-run', 'no-such-trace', 'no-saved-program', 'unknown-server', 'unknown-tool'])
const TOO_LATE = new Set(['nothing-to-answer', 'run-underway'])

function statusOf({ code }: Pick<Diagnostic, 'code'>): number {
  if (NOT_FOUND.has(code)) return 404
  return TOO_LATE.has(code) ? 409 : 400
}
