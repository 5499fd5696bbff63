// Explains how a run ended. It works on the program's text, so it runs in a host worker (`desk-work.ts`).

import type { BoundServer } from '../bindings/index.js'
import type { CompiledProgram, Outcome } from '../interpreter/index.js'
import { placeIn, readOutcome, readReply, readThrow, spanOf } from '../interpreter/stages.js'
import { type Conclusion, diagnosticOf, failure, type Remains, success } from './remains.js'
import { shownFailure } from './shown-failure.js'

/** The inputs for explaining a failure. */
export interface Knowledge {
  readonly compiled: () => CompiledProgram
  readonly servers: readonly BoundServer[]
}

export function conclude(remains: Remains, { compiled, servers }: Knowledge): Conclusion {
  if (remains.paused !== undefined) return waiting(remains, remains.paused, compiled)
  const outcome = outcomeOf(remains, compiled)
  if (outcome.ok) return success(remains, outcome.result)
  return failure(remains, shownFailure(outcome, { ...remains, servers }))
}

/** The message of a paused run quotes only the names of tools. */
function waiting(
  remains: Remains,
  { diagnostic, codePlaces }: NonNullable<Remains['paused']>,
  compiled: () => CompiledProgram,
): Conclusion {
  const spans = codePlaces.map((place) => place && spanOf(compiled(), place.line, place.column))
  const [span] = spans
  return {
    ...failure(remains, span === undefined ? diagnostic : { ...diagnostic, span }),
    lines: spans.map((one) => one?.line ?? null),
  }
}

/** No handler of the program can catch it, and the program must be changed. */
const ENDLESS = 'endless-calls'

function outcomeOf(remains: Remains, compiled: () => CompiledProgram): Outcome {
  const outcome = endingOf(remains, compiled)
  const { ended } = remains
  if (ended === undefined) return outcome
  const isTold = !outcome.ok && (outcome.diagnostic.code === 'outside-reach' || outcome.diagnostic.code === ENDLESS)
  const told = isTold ? outcome : readReply(compiled(), ended, undefined)
  if (told.ok || told.diagnostic.code !== ENDLESS) return told
  // The message contains no values.
  return { ...told, diagnostic: { ...told.diagnostic, class: 'program error' }, values: { message: [], hint: [] } }
}

function endingOf({ end, failedRead }: Remains, compiled: () => CompiledProgram): Outcome {
  switch (end.kind) {
    case 'completed':
      return readOutcome(compiled, end.payload)
    case 'threw':
      return readThrow(compiled(), end)
    default:
      // A read-ahead call failed before: without read-ahead, the program would have stopped there.
      if (end.kind === 'limit' && failedRead !== undefined)
        return readReply(compiled(), failedRead.reply, failedRead.place)
      if (end.kind === 'limit' && end.stack !== undefined)
        return { ok: false, diagnostic: { ...diagnosticOf(end), ...placeIn(compiled(), end.stack) } }
      return { ok: false, diagnostic: diagnosticOf(end) }
  }
}
