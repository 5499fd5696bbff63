// One run with everything that the stream says about it.

import type { Call, PageEvent, Print, Run } from '../../interface.js'

/** Applies the events of a frame at once. */
export function withEvents(run: Run, events: readonly PageEvent[]): Run {
  const calls: Call[] = []
  const prints: Print[] = []
  let summary: Partial<Run> = {}
  for (const event of events) {
    if (event.type === 'call' && event.runId === run.runId) calls.push(event.call)
    if (event.type === 'print' && event.runId === run.runId) prints.push(event.print)
    if (event.type === 'run' && event.run.runId === run.runId) summary = event.run
  }
  if (calls.length === 0 && prints.length === 0 && Object.keys(summary).length === 0) return run
  const timeline = withCalls(run.timeline, calls)
  return {
    ...run,
    timeline,
    calls: timeline.length,
    prints: withPrints(run.prints, prints),
    currentLine: calls.at(-1)?.line ?? run.currentLine,
    ...summary,
  }
}

/** A call that is known already is replaced in its place. */
function withCalls(timeline: readonly Call[], calls: readonly Call[]): Call[] {
  const all = [...timeline]
  const places = new Map(all.map(({ number }, at) => [number, at]))
  for (const call of calls) {
    const at = places.get(call.number) ?? all.length
    places.set(call.number, at)
    all[at] = call
  }
  return all
}

/** A line that the answer to the request had already is not repeated. */
function withPrints(known: readonly Print[], prints: readonly Print[]): Print[] {
  const last = known.at(-1)
  const isNew = ({ atMs, text }: Print) =>
    last === undefined || atMs > last.atMs || !known.some((one) => one.atMs === atMs && one.text === text)
  return [...known, ...prints.filter(isNew)]
}

/** True while more may happen. */
export const isOpen = ({ state }: Pick<Run, 'state'>): boolean =>
  state === 'running' || state === 'waiting' || state === 'answered'

/** The most calls that were underway at the same moment. */
export function mostAtOnce(calls: readonly Call[]): number {
  let most = 0
  let underway = 0
  for (const { change } of edgesOf(calls)) {
    underway += change
    most = Math.max(most, underway)
  }
  return most
}

/** The moments at which calls begin and end, in order; ends first. */
export function edgesOf(calls: readonly Call[]): { readonly at: number; readonly change: 1 | -1 }[] {
  return calls
    .filter(({ reused }) => !reused)
    .flatMap(({ startMs, endMs }) => [
      { at: startMs, change: 1 as const },
      { at: Math.max(startMs, endMs ?? Number.POSITIVE_INFINITY), change: -1 as const },
    ])
    .sort((a, b) => a.at - b.at || a.change - b.change)
}
