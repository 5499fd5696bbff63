// Asks a person about a run that waits, and records the answers. Knows how questions and answers are stored; its caller
// chooses the person.
// Invariant: the ledger has the answer to a call before the run continues.

import { withController } from '../own-controller.js'
import {
  type Approval,
  type ApprovalRequest,
  answersFor,
  approvalOf,
  askedCall,
  type OnApproval,
  type Question,
} from './approval.js'
import type { KeptRuns } from './kept-runs.js'
import type { LiveRun } from './live-run.js'

/** The function that asks, and the name under which the answer is recorded. */
export interface Interviewer {
  readonly ask: OnApproval
  readonly name: string
}

/**
 * Asks about the open calls of a run, until somebody answers, here or elsewhere. True: all are answered, and the run
 * can continue. Otherwise it waits, with the answers so far.
 */
export async function interviewed(
  run: LiveRun,
  question: Question,
  { ask, name }: Interviewer,
  { runs, signal }: { readonly runs: KeptRuns; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const open = question.calls.filter(({ approval }) => approval === undefined)
  const answers =
    open.length === 0
      ? []
      : await runs.here.interview(run.id, (elsewhere) =>
          Promise.race([
            withController(signal, (ours) =>
              asked(run, { ...question, calls: open }, ask, AbortSignal.any([ours.signal, elsewhere])),
            ),
            aborted(elsewhere),
          ]),
        )
  if (answers === undefined) {
    const now = await run.answersElsewhere()
    return now !== undefined && run.answered(now)
  }
  const at = runs.now()
  const approvals = answers.map((answer) => approvalOf(answer, { by: name, at }))
  let next = 0
  const calls = question.calls.map((call) => {
    const approval: Approval | undefined = call.approval ?? approvals[next++]
    return approval === undefined ? call : { ...call, approval }
  })
  return run.answered({ ...question, calls })
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return undefined
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
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
    // No answer. The run waits.
    return []
  }
}
