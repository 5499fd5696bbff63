// The runs that this process or another of its deployment carries out or keeps, for the page: follows their news, tells them to the feed, and
// answers questions about them.
// Invariant: what is told about a run is what a question about it would answer at that moment.

import type { CodeMode, KeptCall, KeptRunFacts, RunNews, Session } from '../index.js'
import type { EventFeed } from './event-feed.js'
import type { CallContents, PageApproval, Run, RunList, RunQuery, RunSummary } from './interface.js'
import { type LoggedRun, RunLog } from './run-log.js'
import { approvalView, loggedSummary, runView, summaryOf } from './run-views.js'
import { sees, type Viewer } from './viewer.js'

const LONGEST_SHOWN = 200_000
const MOST_WAITING = 200
/** A question with a filter looks through so many pages. */
const MOST_PAGES = 5

export class WatchedRuns {
  readonly #codeMode: CodeMode
  readonly #feed: EventFeed
  readonly #log = new RunLog()
  readonly #asked = new Set<string>()
  /** States are looked up one after the other. */
  #looking: Promise<void> = Promise.resolve()

  constructor(codeMode: CodeMode, feed: EventFeed) {
    this.#codeMode = codeMode
    this.#feed = feed
    const isRead = () => feed.readers > 0
    codeMode.runs.watch((news) => this.#enter(news), { wantsLines: isRead, wantsOthers: isRead })
  }

  async list(viewer: Viewer, { limit, before, state, owner }: RunQuery): Promise<RunList> {
    const runs: RunSummary[] = before === undefined ? this.#unkept(viewer) : []
    let next: string | null = before ?? null
    for (let pages = 0; pages < MOST_PAGES && runs.length < limit; pages++) {
      const page = await viewer.session.runs.page({ limit, owner, before: next ?? undefined })
      const known = new Set(runs.map(({ runId }) => runId))
      runs.push(
        ...page.runs
          .map((facts) => summaryOf(facts, this.#log.get(facts.runId)))
          .filter(({ runId }) => !known.has(runId)),
      )
      next = page.next
      if (next === null || state === undefined) break
    }
    const wanted = runs.filter((run) => (state ?? run.state) === run.state && (owner ?? run.owner) === run.owner)
    return { runs: wanted, next }
  }

  /** Runs that are stored when they end. */
  #unkept(viewer: Viewer): RunSummary[] {
    return this.#log.latest
      .filter((run) => run.endedAt === undefined && sees(viewer, run.owner) && run.state === 'running')
      .map(loggedSummary)
  }

  async show({ session, ...viewer }: Viewer, runId: string): Promise<Run> {
    const logged = this.#log.get(runId)
    const facts = await factsOf(session, runId, sees({ session, ...viewer }, logged?.owner ?? '') ? logged : undefined)
    const isOver = facts.state === 'ended' && facts.ending?.calls !== undefined
    const kept = logged === undefined && !isOver ? await session.runs.calls(runId) : []
    return runView(facts, logged, kept)
  }

  async summary({ session }: Viewer, runId: string): Promise<RunSummary> {
    return summaryOf(await session.runs.show(runId), this.#log.get(runId))
  }

  async contents(viewer: Viewer, runId: string, number: number): Promise<CallContents | undefined> {
    const { timeline } = await this.show(viewer, runId)
    const call = timeline.find((one) => one.number === number)
    if (call === undefined) return undefined
    const { server, tool, argumentDigest } = call
    const alike = timeline.filter(
      (one) => one.argumentDigest === argumentDigest && one.server === server && one.tool === tool,
    )
    const wanted = { server, tool, argumentDigest, nth: alike.indexOf(call) }
    const { arguments: sent, answer } = await viewer.session.runs.contents(runId, wanted)
    return {
      arguments: sent === null || sent.length > LONGEST_SHOWN ? null : (JSON.parse(sent) as unknown),
      answer: answer?.slice(0, LONGEST_SHOWN) ?? null,
      isCut: (answer?.length ?? 0) > LONGEST_SHOWN,
    }
  }

  async approvals({ session }: Viewer): Promise<PageApproval[]> {
    const { runs } = await session.runs.page({ limit: MOST_WAITING, waiting: true })
    const waiting = runs.filter(({ state }) => state === 'paused')
    const views = await Promise.all(waiting.map((facts) => this.#approvalOf(session, facts)))
    return views.sort((a, b) => a.askedAt - b.askedAt)
  }

  async #approvalOf(session: Session, facts: KeptRunFacts): Promise<PageApproval> {
    const logged = this.#log.get(facts.runId)
    const kept: readonly KeptCall[] = logged === undefined ? await session.runs.calls(facts.runId) : []
    return approvalView(facts, logged, kept)
  }

  #enter(news: RunNews): void {
    const { runId, owner } = news
    const entered = this.#log.enter(news)
    if (news.type === 'state') {
      this.#looking = this.#looking.then(() => this.#lookAt(runId, owner)).catch(() => {})
      return
    }
    if (entered === undefined) return
    const { run, call, print } = entered
    if (call !== undefined) this.#feed.tell({ type: 'call', runId, call }, owner)
    else if (print !== undefined) this.#feed.tell({ type: 'print', runId, print }, owner)
    else if (run.state !== 'waiting') this.#feed.tell({ type: 'run', run: loggedSummary(run) }, owner)
  }

  async #lookAt(runId: string, owner: string): Promise<void> {
    const facts = await this.#codeMode.runs.show(runId)
    const logged = this.#log.get(runId)
    const isWaiting = facts.state === 'paused'
    if (logged !== undefined) noteWaiting(logged, isWaiting)
    if (isWaiting && !this.#asked.has(runId)) {
      this.#asked.add(runId)
      this.#feed.tell({ type: 'approval', approval: await this.#approvalOf(this.#codeMode, facts) }, owner)
    }
    if (!isWaiting && this.#asked.delete(runId)) this.#feed.tell({ type: 'approval-gone', runId }, owner)
    this.#feed.tell({ type: 'run', run: summaryOf(facts, logged) }, owner)
  }
}

/** How long a run has been waiting. */
function noteWaiting(run: LoggedRun, isWaiting: boolean): void {
  if (isWaiting) {
    run.waitsSince ??= Date.now()
    run.state = 'waiting'
  } else if (run.waitsSince !== undefined) {
    run.waitedMs = Date.now() - run.waitsSince
    run.legStartMs = undefined
    run.waitsSince = undefined
    if (run.state === 'waiting') run.state = 'running'
  }
}

/** A run that is underway is stored when it pauses or ends. */
async function factsOf(session: Session, runId: string, logged: LoggedRun | undefined): Promise<KeptRunFacts> {
  try {
    return await session.runs.show(runId)
  } catch (error) {
    if (logged === undefined) throw error
    const { owner, startedAt, program, endedAt } = logged
    return {
      runId,
      owner,
      state: 'underway',
      lacks: null,
      background: false,
      startedAt,
      changedAt: endedAt ?? startedAt,
      program,
      calls: [],
      canAlsoCall: [],
      expiresAt: null,
      ending: null,
    }
  }
}
