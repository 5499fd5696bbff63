// Asking a person about a run that waits, and entering what they say. Knows what is kept of questions and answers; who
// is asked is told from outside.
// Invariant: a call has its answer in the ledger before the run goes on.

import {
  type Approval,
  type ApprovalRequest,
  answersFor,
  approvalOf,
  askedCall,
  type OnApproval,
  type Question,
} from './approval.js'
import type { LiveRun } from './live-run.js'

/** Who can be asked, and in whose name the answer stands. */
export interface Interviewer {
  readonly ask: OnApproval
  readonly name: string
}

/**
 * Asks about the calls of a run that nobody has answered. True: all are answered, and the run can go on. Otherwise it
 * waits, with the answers that there are.
 */
export async function interviewed(
  run: LiveRun,
  question: Question,
  { ask, name }: Interviewer,
  signal: AbortSignal,
): Promise<boolean> {
  const open = question.calls.filter(({ approval }) => approval === undefined)
  const answers = open.length === 0 ? [] : await asked(run, { ...question, calls: open }, ask, signal)
  const approvals = answers.map((answer) => approvalOf(answer, name))
  let next = 0
  const calls = question.calls.map((call) => {
    const approval: Approval | undefined = call.approval ?? approvals[next++]
    return approval === undefined ? call : { ...call, approval }
  })
  return run.answered({ ...question, calls })
}

async function asked(run: LiveRun, question: Question, ask: OnApproval, signal: AbortSignal) {
  const { program } = run.body.settings
  const { calls, canAlsoCall } = question
  const request: ApprovalRequest = {
    runId: run.id,
    program: { text: program.text, language: program.language },
    calls: calls.map(askedCall),
    canAlsoCall,
    signal,
  }
  try {
    return answersFor(calls.length, await ask(request)) ?? []
  } catch {
    // Nobody answered. The run waits.
    return []
  }
}
