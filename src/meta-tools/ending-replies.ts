// Replies of our own that end a run.

import { type Bindings, type CallSent, errorReply, guestNames } from '../bindings/index.js'
import type { Diagnostic } from '../diagnostics/index.js'
import type { ForeignReply } from '../interpreter/index.js'
import { type LimitName, limitDiagnostic } from '../sandbox/index.js'
import { approvedCallChanged, endlessCalls, needsApproval, replayDiverged } from './messages.js'

/** The reply to calls that were cut off by the end of their run. */
export const cutOff = errorReply({ kind: 'host', code: 'cancelled', message: 'the run is over' })

export function pausedReply(runId: string, asked: readonly Pick<CallSent, 'server' | 'tool'>[]): ForeignReply {
  return hostReply(needsApproval(runId, asked.map(({ server, tool }) => `${server}.${tool}`).join(', ')))
}

/** The reply to an approved call that has changed since. */
export function approvedCallReply(path: string): ForeignReply {
  return hostReply(approvedCallChanged(path))
}

/** The reply to a call that the ledger does not have at this place. */
export function divergedReply(payload: string, version: string | undefined): ForeignReply {
  const [, space = '', member = ''] = /"namespace":"(\w{1,100})","member":"(\w{1,100})"/.exec(payload) ?? []
  return hostReply(replayDiverged(`${space}.${member}`, version))
}

export function endlessReply({ servers }: Bindings, sent: CallSent, times: number): ForeignReply {
  const { server, tool } = guestNames(servers, sent)
  return hostReply(endlessCalls(`${server}.${tool}`, times))
}

export function limitReply(limit: LimitName, allowed: number): ForeignReply {
  const { code, message, hint } = limitDiagnostic(limit, allowed)
  return errorReply({ kind: 'limit', code, message, ...(hint === undefined ? {} : { hint }) })
}

function hostReply({ code, message, hint }: Diagnostic): ForeignReply {
  return errorReply({ kind: 'host', code, message, ...(hint === undefined ? {} : { hint }) })
}
