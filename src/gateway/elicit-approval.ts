// Asks the person behind a caller about calls, with the protocol's form elicitation. Knows the form and nothing of
// runs; rejects if the caller can't be asked.

import { type ApprovalAnswer, type AskedCall, callWords, type OnApproval } from '../meta-tools/index.js'
import type { CallerEnd } from './caller-end.js'

const CHOICES = [
  { const: 'once', title: 'Make this call' },
  { const: 'run', title: 'Make this and all further calls of this tool in this run' },
  { const: 'deny', title: 'Do not make it' },
  { const: 'pause', title: 'Decide later' },
]

/** Asks with one form that has an entry for each call. */
export function elicitingApproval(caller: CallerEnd): OnApproval {
  return async ({ runId, calls, canAlsoCall, signal }) => {
    const params = approvalForm(calls, canAlsoCall)
    const answer = caller.decide?.(runId, params) ?? caller.ask('elicitation/create', params, signal)
    const { action, content } = (await answer) as {
      readonly action?: unknown
      readonly content?: Readonly<Record<string, unknown>>
    }
    const words = typeof content?.reason === 'string' ? content.reason : ''
    if (action === 'decline') return calls.map(() => ({ deny: words }))
    if (action !== 'accept') return calls.map(() => 'pause')
    return calls.map((_, i) => answerIn(content?.[`call${i + 1}`], words))
  }
}

/** The parameters of `elicitation/create`. */
export function approvalForm(
  calls: readonly AskedCall[],
  canAlsoCall: readonly string[],
): Readonly<Record<string, unknown>> {
  const properties = Object.fromEntries(
    calls.map((call, i) => [
      `call${i + 1}`,
      { type: 'string', title: `${i + 1}. ${call.server}.${call.tool}`, oneOf: CHOICES, default: 'pause' },
    ]),
  )
  const reason = { type: 'string', title: 'Why not, for the program' }
  return {
    mode: 'form',
    message: approvalWords(calls, canAlsoCall),
    requestedSchema: {
      type: 'object',
      properties: { ...properties, reason },
      required: Object.keys(properties),
    },
  }
}

function answerIn(raw: unknown, reason: string): ApprovalAnswer {
  if (raw === 'once' || raw === 'run') return raw
  return raw === 'deny' ? { deny: reason } : 'pause'
}

/** The question in words. */
export function approvalWords(calls: readonly AskedCall[], canAlsoCall: readonly string[]): string {
  const lines = calls.map((call, i) => {
    const twice = call.reason === 'unknown' ? ' It was sent once and may have taken effect: send it again?' : ''
    return `${i + 1}. ${callWords(call)}${twice}`
  })
  const others = canAlsoCall.length === 0 ? [] : [`It can also call ${canAlsoCall.join(', ')}.`]
  return ['A program wants to make these calls:', ...lines, ...others].join('\n')
}
