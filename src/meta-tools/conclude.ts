// What came of a run, in words. Works on the program's text, so it belongs into threads of its own: `desk-work.ts` has
// it done there.
// Invariant: nothing is concluded that the run did not leave behind.

import type { BoundServer } from '../bindings/index.js'
import type { CompiledProgram, Outcome } from '../interpreter/index.js'
import { readOutcome, readReply, readThrow } from '../interpreter/stages.js'
import { type Conclusion, diagnosticOf, failure, type Remains, success } from './remains.js'
import { shownFailure } from './shown-failure.js'

/** What a failure is explained by. */
export interface Knowledge {
  readonly compiled: () => CompiledProgram
  readonly servers: readonly BoundServer[]
}

export function conclude(remains: Remains, { compiled, servers }: Knowledge): Conclusion {
  const outcome = outcomeOf(remains, compiled)
  if (outcome.ok) return success(remains, outcome.result)
  return failure(remains, shownFailure(outcome, { ...remains, servers }))
}

function outcomeOf(remains: Remains, compiled: () => CompiledProgram): Outcome {
  const outcome = endingOf(remains, compiled)
  const { outside } = remains
  if (outside === undefined || (!outcome.ok && outcome.diagnostic.code === 'outside-reach')) return outcome
  return readReply(compiled(), outside, undefined)
}

function endingOf({ end, failedRead }: Remains, compiled: () => CompiledProgram): Outcome {
  switch (end.kind) {
    case 'completed':
      return readOutcome(compiled, end.payload)
    case 'threw':
      return readThrow(compiled(), end)
    default:
      // A read that the program had run ahead of failed before: then the program would not have come so far.
      if (end.kind === 'limit' && failedRead !== undefined)
        return readReply(compiled(), failedRead.reply, failedRead.place)
      return { ok: false, diagnostic: diagnosticOf(end) }
  }
}
