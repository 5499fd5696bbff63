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
    currentLine: timeline.findLast(({ line }) => line !== null)?.line ?? run.currentLine,
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
  state === 'queued' || state === 'running' || state === 'waiting' || state === 'answered'

/** How many calls were underway, over time. */
export interface Underway {
  /** The most at the same moment. */
  readonly most: number
  /** The most in each of as many equal parts of the time. */
  readonly parts: readonly number[]
}

/** `lastMs`: the end, or now. `endMs`: the end of the last part. It is asked for at every change, so it has no objects. */
export function underwayOf(
  calls: readonly Call[],
  lastMs: number,
  { endMs, count }: { endMs: number; count: number },
): Underway {
  const sent = calls.filter(({ reused }) => !reused)
  const starts = Float64Array.from(sent, ({ startMs }) => startMs).sort()
  const ends = Float64Array.from(sent, ({ startMs, endMs: end }) => Math.max(startMs + 0.001, end ?? lastMs)).sort()
  const parts = new Array<number>(count).fill(0)
  let [begun, ended, at, most] = [0, 0, 0, 0]
  while (ended < ends.length) {
    const isStart = begun < starts.length && starts[begun]! < ends[ended]!
    const moment = isStart ? starts[begun]! : ends[ended]!
    const part = Math.min(count - 1, Math.floor((moment / endMs) * count))
    while (at < part) parts[++at] = begun - ended
    if (isStart) begun++
    else ended++
    parts[at] = Math.max(parts[at]!, begun - ended)
    most = Math.max(most, begun - ended)
  }
  return { most, parts }
}
