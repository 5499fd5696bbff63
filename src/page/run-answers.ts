// The operations about runs and approvals.

import type { KeptRunFacts, OnApproval, RunResult, Session } from '../index.js'
import type { Asked } from './asked.js'
import type { EventFeed } from './event-feed.js'
import type {
  Allow,
  CallContents,
  Deny,
  EventQuery,
  NewRun,
  Replay,
  RunQuery,
  RunSummary,
  StartedRun,
} from './interface.js'
import { noSuch, tooManyReaders } from './messages.js'
import { Refusal } from './refusal.js'
import { drawTimeline } from './timeline/index.js'
import { sees, type Viewer } from './viewer.js'
import type { WatchedRuns } from './watched-runs.js'

const MOST_READERS = 100

export function runAnswers(runs: WatchedRuns, feed: EventFeed) {
  const run = ({ parameters }: Asked) => parameters.run ?? ''
  return {
    events: (asked: Asked) => follow(feed, asked),
    runs: ({ viewer, query }: Asked) => runs.list(viewer, query as RunQuery),
    run: (asked: Asked) => runs.show(asked.viewer, run(asked)),
    call: (asked: Asked) => contentsOf(runs, asked),
    startRun: async ({ viewer, body }: Asked) => started(viewer.session, body as NewRun),
    timeline: async (asked: Asked) => {
      const { runId, firstLine, timeline, startedAt, endedAt } = await runs.show(asked.viewer, run(asked))
      const endMs = (endedAt ?? Date.now()) - startedAt
      return drawTimeline([{ title: firstLine, calls: timeline, endMs }], { label: `The calls of ${runId} over time` })
    },
    cancelRun: async (asked: Asked) => {
      await asked.viewer.session.runs.cancel(run(asked))
      return runs.summary(asked.viewer, run(asked))
    },
    resumeRun: async (asked: Asked) => resumed(asked.viewer.session, run(asked)),
    replayRun: async (asked: Asked): Promise<Replay> => {
      const { same, difference } = await asked.viewer.session.runs.replay(run(asked))
      return { same, difference }
    },
    approvals: async ({ viewer }: Asked) => ({ approvals: await runs.approvals(viewer) }),
    allow: (asked: Asked) => {
      const { scope, shown } = asked.body as Allow
      const options = { allOfThisTool: scope === 'run', ...(shown === undefined ? {} : { shown }) }
      return answered(runs, asked, (session) => session.runs.approve(run(asked), options))
    },
    deny: (asked: Asked) => {
      const { reason } = asked.body as Deny
      return answered(runs, asked, (session) => session.runs.deny(run(asked), reason === undefined ? {} : { reason }))
    },
  }
}

async function follow(feed: EventFeed, { viewer, query, routed }: Asked): Promise<void> {
  if (feed.readers >= MOST_READERS) throw new Refusal(429, tooManyReaders)
  const { request, response, signal, closing } = routed
  const given = request.headers['last-event-id']
  await feed.follow(response, {
    after: typeof given === 'string' ? given : (query as EventQuery).after,
    sees: (owner) => sees(viewer, owner),
    signals: [signal, closing],
  })
}

async function contentsOf(runs: WatchedRuns, { viewer, parameters }: Asked): Promise<CallContents> {
  const { run = '', call = '' } = parameters
  const contents = await runs.contents(viewer, run, Number(call))
  if (contents === undefined) throw new Refusal(404, noSuch('call', call))
  return contents
}

/** Nobody is asked here: the question is among the approvals until somebody answers it. */
const waits: OnApproval = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over')), { once: true }))

async function started(session: Session, wanted: NewRun): Promise<StartedRun> {
  const { code, program, arguments: given, language, strict, timeoutMs, ask, readAhead } = wanted
  const what = program === undefined ? code! : { program, ...(given === undefined ? {} : { arguments: given }) }
  const { runId } = await session.start(what, {
    ...(language === undefined ? {} : { language }),
    ...(strict === undefined ? {} : { strict }),
    ...(timeoutMs === undefined ? {} : { limits: { wallMs: timeoutMs } }),
    ...(readAhead === undefined ? {} : { readAhead }),
    ...(ask === true ? { approve: 'writes' as const } : {}),
    onApproval: waits,
  })
  return { runId }
}

/** Begins to continue a run. Rejects where that is not possible. */
async function resumed(session: Session, runId: string): Promise<StartedRun> {
  let begun: () => void = () => {}
  const beginning = new Promise<void>((resolve) => {
    begun = resolve
  })
  const stop = session.runs.watch((news) => {
    if (news.runId === runId) begun()
  })
  const ended: Promise<RunResult> = session.resume(runId, { onApproval: waits })
  // What it comes to is told as events.
  ended.catch(() => {})
  try {
    await Promise.race([beginning, ended])
  } finally {
    stop()
  }
  return { runId }
}

async function answered(
  runs: WatchedRuns,
  { viewer, parameters }: Asked,
  answer: (session: Session) => Promise<KeptRunFacts>,
): Promise<RunSummary> {
  const { run = '' } = parameters
  const waitsHere = viewer.session.runs.waitsHere(run)
  const facts = await answer(viewer.session)
  // Of other callers somebody continues: the model that was told to, or the terminal. A worker continues what is queued.
  if (!waitsHere && facts.state !== 'queued' && isOurs(viewer, facts)) await resumed(viewer.session, run)
  return runs.summary(viewer, run)
}

function isOurs({ name }: Viewer, { background, owner }: KeptRunFacts): boolean {
  return background || owner === name
}
