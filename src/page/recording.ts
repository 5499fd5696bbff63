// The waterfall of the programs that a session runs, for a file.

import type { Session } from '../index.js'
import { RunLog } from './run-log.js'
import { drawTimeline } from './timeline/index.js'

/** Records the runs from now on. The returned function draws the last one. */
export function recording(session: Session): (title: string) => string {
  const log = new RunLog()
  session.runs.watch((news) => log.enter(news), { wantsLines: () => true })
  return (title) => {
    const [run] = log.latest
    const calls = [...(run?.calls.values() ?? [])].sort((a, b) => a.startMs - b.startMs)
    const endMs = run?.endedAt === undefined ? undefined : run.endedAt - run.startedAt
    return drawTimeline([{ title, calls, endMs }], { label: `The calls of ${title} over time` })
  }
}
