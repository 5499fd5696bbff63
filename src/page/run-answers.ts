// The operations about runs and approvals.

import type { KeptRunFacts, OnApproval, RunResult, Session } from '../index.js'
import type { Answers, Asked } from './asked.js'
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
import { sees, type Viewer } from './viewer.js'
import type { WatchedRuns } from './watched-runs.js'

const MOST_READERS = 100

export function runAnswers(runs: WatchedRuns, feed: EventFeed): Answers {
  const run = ({ parameters }: Asked) => parameters.run ?? ''
  return {
    events: (asked) => follow(feed, asked),
    runs: ({ viewer, query }) => runs.list(viewer, query as RunQuery),
    run: (asked) => runs.show(asked.viewer, run(asked)),
    call: (asked) => contentsOf(runs, asked),
    startRun: async ({ viewer, body }) => started(viewer.session, body as NewRun),
    cancelRun: async (asked) => {
      await asked.viewer.session.runs.cancel(run(asked))
      return runs.summary(asked.viewer, run(asked))
    },
    resumeRun: async (asked) => resumed(asked.viewer.session, run(asked)),
    replayRun: async (asked): Promise<Replay> => {
      const { same, difference } = await asked.viewer.session.runs.replay(run(asked))
      return { same, difference }
    },
    approvals: async ({ viewer }) => ({ approvals: await runs.approvals(viewer) }),
    allow: (asked) => {
      const { scope } = asked.body as Required<Allow>
      return answered(runs, asked, (session) => session.runs.approve(run(asked), { allOfThisTool: scope === 'run' }))
    },
    deny: (asked) => {
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
  // Of other callers somebody continues: the model that was told to, or the terminal.
  if (!waitsHere && isOurs(viewer, facts)) await resumed(viewer.session, run)
  return runs.summary(viewer, run)
}

function isOurs({ name }: Viewer, { background, owner }: KeptRunFacts): boolean {
  return background || owner === name
}
