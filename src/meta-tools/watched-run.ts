// What watchers of a run hear of it: its events, and where the program makes its calls. Knows the program's text.

import { type Program, wholeText } from '../interpreter/index.js'
import type { Preparation } from './desk.js'
import type { Leg } from './leg.js'
import type { PlacedCall } from './read-ahead/index.js'
import type { RunKeeping } from './run-context.js'
import { type RunTeller, telling } from './run-events.js'

/** Reports the events of a run to its watchers; undefined: it has none. */
export function watching(runId: string, program: Program, keeping: RunKeeping): RunTeller | undefined {
  const { owner } = keeping
  const { watchers } = keeping.runs
  if (!watchers.see(owner)) return undefined
  const { text, language } = program
  const told = telling((event) => watchers.tell({ runId, owner, type: 'event', event, program: { text, language } }))
  return (happening) => {
    if (happening.type === 'call.placed') {
      const { callId, line, ahead } = happening
      watchers.tell({ runId, owner, type: 'place', callId, line, ahead })
    } else told(happening)
  }
}

interface Placing {
  readonly onPlaced: (callId: string, call: PlacedCall) => void
  /** Resolves when the lines of all calls so far have been reported. */
  settled(): Promise<void>
}

/** Reports the lines of calls, each place looked up once. */
export function placing(
  { tell, context: { desk, group } }: Pick<Leg, 'tell' | 'context'>,
  preparation: Preparation,
): Placing {
  const known = new Map<string, Promise<number | undefined>>()
  const { program } = preparation
  const lookUp = async (place: NonNullable<PlacedCall['place']>): Promise<number | undefined> =>
    'start' in place
      ? lineIn(program, place.start)
      : desk.lineAt(preparation, place, group === undefined ? {} : { group })
  const onPlaced: Placing['onPlaced'] = (callId, { ahead, place }) => {
    const told = (line: number | undefined) => tell({ type: 'call.placed', callId, ahead, line: line ?? null })
    if (place === undefined) return told(undefined)
    const key = JSON.stringify(place)
    const found = known.get(key) ?? lookUp(place)
    known.set(key, found)
    found.then(told, () => told(undefined))
  }
  return { onPlaced, settled: async () => void (await Promise.allSettled(known.values())) }
}

/** `start`: in the whole text, which ends with the program's own. */
function lineIn(program: Program, start: number): number | undefined {
  const own = start - (wholeText(program).length - program.text.length)
  return own < 0 || own > program.text.length ? undefined : program.text.slice(0, own).split('\n').length
}
