// Maps the end of an upstream request to the answer, or to a failure that states whether the call may have taken
// effect.
// Invariant: secrets in a server's refusal are not shown.

import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import { DEEPEST, isTooDeep } from './depth.js'
import type { CallEnd, RefusalEntry } from './link.js'
import {
  answerMalformed,
  answerUnread,
  type CalledTool,
  callCancelled,
  callRefused,
  callTimedOut,
  callUnwritable,
  connectionLost,
} from './messages.js'
import { readAnswerIn } from './reading/large-message.js'
import type { Secrets } from './secrets.js'

/** The server's own refusal. */
export class RefusalError extends DiagnosticError {
  readonly refusal: RefusalEntry

  constructor(diagnostic: Diagnostic, refusal: RefusalEntry) {
    super(diagnostic)
    this.refusal = refusal
  }
}

export interface AnswerOptions {
  readonly timeoutMs: number
  readonly secrets: Secrets
  /** The reason for `unsent`: why the server can't be reached. */
  readonly whyNot: () => Diagnostic
}

/** The unchanged answer. Throws a DiagnosticError if there is none. */
export function rawAnswerOf(end: CallEnd, called: CalledTool, { timeoutMs, secrets, whyNot }: AnswerOptions): unknown {
  switch (end.kind) {
    case 'answered':
      if (!isTooDeep(end.raw) && readAnswerIn(end.raw)?.isTooDeep !== true) return end.raw
      throw new DiagnosticError(answerMalformed(called, `it is nested more than ${DEEPEST} levels deep`))
    case 'refused': {
      const refusal = { ...end.error, message: secrets.hide(end.error.message) }
      throw new RefusalError(callRefused(called, secrets.hide(end.words)), secrets.hideCredentials(refusal))
    }
    case 'timed-out':
      throw new DiagnosticError(callTimedOut(called, timeoutMs))
    case 'cancelled':
      throw new DiagnosticError(callCancelled(called))
    case 'unread':
      throw new DiagnosticError(answerUnread(called, end.words))
    case 'unwritable':
      throw new DiagnosticError(callUnwritable(called, end.words))
    case 'malformed':
      throw new DiagnosticError(answerMalformed(called, secrets.hide(end.words)))
    case 'lost':
      throw new DiagnosticError(connectionLost(called))
    case 'unsent':
    case 'unauthorized':
      throw new DiagnosticError(whyNot())
  }
}
