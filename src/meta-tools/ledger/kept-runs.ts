// The kept runs: started, paused, answered, resumed, ended. Knows the states of a run and the callers who may see it;
// running a program is not its business.
// Invariant: at most one process carries out a run at a time, and a caller sees no run that it may not see.

import { randomBytes } from 'node:crypto'
import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../../diagnostics/index.js'
import {
  type Channels,
  type KeptRun,
  MemoryStore,
  type PageStart,
  type RunQueue,
  type Store,
} from '../../state/index.js'
import {
  approvalExpired,
  credentialNotKept,
  ledgerFull,
  noSuchRun,
  nothingToAnswer,
  runCancelled,
  runUnderway,
} from '../messages.js'
import { runError } from '../run-result.js'
import { RunWatchers, type Viewer } from '../run-watch.js'
import { type Approval, type AskedCall, askedCall, type Question } from './approval.js'
import { contentsIn, ledgerOf } from './kept-ledger.js'
import {
  type CallWanted,
  factsOf,
  type KeptCall,
  type KeptContents,
  type KeptRunFacts,
  type RunPage,
  type RunsWanted,
} from './kept-run-facts.js'
import { LiveRun, type LiveRunOptions } from './live-run.js'
import { QueuedRuns } from './queued-runs.js'
import {
  bodyOf,
  type CallerOfRun,
  isAnswered,
  keptJson,
  type RunBody,
  type RunEnding,
  type RunSettings,
} from './run-body.js'
import { type EndingComplaint, RunEndings } from './run-endings.js'
import { type LedgerEntry, MOST_CHARACTERS } from './run-ledger.js'
import { RunsHere } from './runs-here.js'

interface KeptRunsOptions extends LiveRunOptions {
  readonly version: string
  /** The time after which an open question ends its run, in milliseconds. */
  readonly approvalMs: number
  /** The time for which ended runs are kept, in milliseconds. */
  readonly keepMs: number
  readonly maxBytes: number
  /** What the processes tell each other that keep their runs in one store. */
  readonly channels?: Channels | undefined
  /** Where background runs wait for the workers of all processes. */
  readonly queue?: RunQueue | undefined
  /** Every run is kept, also those that end without waiting. */
  readonly keepsAll: boolean
  /** Receives every answer, once it is stored. */
  readonly onAnswer: (runId: string, call: AskedCall, approval: Approval) => void
  /** Receives the failures to store ended runs. */
  readonly complain: (complaint: EndingComplaint) => void
}

export interface NewRun extends Pick<RunBody, 'settings' | 'terms' | 'priority'> {
  readonly background: boolean
}

export class KeptRuns {
  readonly options: KeptRunsOptions
  readonly watchers = new RunWatchers()
  readonly here: RunsHere
  readonly endings: RunEndings
  /** Undefined: runs are carried out in the process that has them. */
  readonly queued: QueuedRuns | undefined
  readonly #store: Store

  constructor(store: Store, options: KeptRunsOptions) {
    this.#store = store
    this.options = options
    this.here = new RunsHere(store)
    this.endings = new RunEndings({ waits: options.channels !== undefined, complain: options.complain })
    this.queued = options.queue && new QueuedRuns(options.queue, store, this)
    // Without it, the run ends at its next entry.
    options.channels?.listen(CANCELLED, (id) => this.lost(id)).catch(() => {})
  }

  /** The moment in milliseconds since 1970, by the clock of the store. */
  now(): number {
    return this.#store.now()
  }

  /** Every run is kept: the options say so, or somebody watches. */
  get keepsAll(): boolean {
    return this.options.keepsAll || !this.watchers.isEmpty
  }

  /** The state of a run has changed. */
  changed(runId: string, owner: string): void {
    this.watchers.tell({ type: 'state', runId, owner })
  }

  /** This process may do nothing more for a run. */
  lost(runId: string): void {
    void this.here.stop(runId)
  }

  /** A run with an unguessable name. Nothing is stored yet. */
  begin(owner: string, { settings, terms, background, priority }: NewRun): LiveRun {
    const id = `run-${randomBytes(8).toString('hex').slice(0, 10)}`
    const { version } = this.options
    const body: RunBody = {
      version,
      startedAt: this.now(),
      settings,
      terms,
      holder: this.#store.holder,
      ...(background ? { background } : {}),
      ...(priority === undefined ? {} : { priority }),
    }
    return new LiveRun(this, this.#store, { id, owner, body })
  }

  /**
   * Takes over a run that waits or whose process is gone. Rejects with a DiagnosticError if there is none, or it is
   * underway or has ended.
   */
  async takeUp(id: string, viewer: Viewer): Promise<LiveRun> {
    const kept = await this.#find(id, viewer)
    const body = bodyOf(kept)
    if (kept.state === 'ended') throw new DiagnosticError(nothingToAnswer(id, 'it has ended'))
    if (await this.here.isCarriedOut(kept, body)) throw new DiagnosticError(runUnderway(id))
    const held = { ...body, holder: this.#store.holder }
    const taken = await this.#store.change({ ...kept, state: 'underway', ...this.written(held) })
    if (taken === undefined) throw new DiagnosticError(runUnderway(id))
    const run = new LiveRun(this, this.#store, { id, owner: kept.owner, body: held, kept: taken })
    await this.#load(run)
    for (const { place, approval, schemaDigest } of body.question?.calls ?? [])
      if (approval !== undefined) run.ledger.approve(place, { ...approval, schemaDigest })
    return run
  }

  /** A copy of a kept run for a replay, of which nothing is stored. */
  async rehearsal(
    id: string,
    viewer: Viewer,
  ): Promise<{ readonly run: LiveRun; readonly ending: RunEnding | undefined }> {
    const { owner, ...kept } = await this.#find(id, viewer)
    const { question: _, ending, ...body } = bodyOf({ owner, ...kept })
    const run = new LiveRun(this, new MemoryStore(), { id, owner, body })
    await this.#load(run)
    return { run, ending }
  }

  /** Loads the stored ledger of a run. Rejects with a DiagnosticError if it has gaps. */
  async #load(run: LiveRun): Promise<void> {
    run.ledger.load(await this.#store.entries(run.id))
    const hides = run.hides || run.ledger.hides
    if (!hides && !run.ledger.isFull) return
    if (run.isKept) await run.release()
    throw new DiagnosticError(hides ? credentialNotKept(run.id) : ledgerFull(run.id, MOST_CHARACTERS))
  }

  /** The runs that a viewer may see; the last changed run is first. */
  async list(viewer: Viewer): Promise<readonly KeptRunFacts[]> {
    await this.endings.settled()
    const all = await Promise.all((await this.#store.runs()).map((run) => this.#expired(run)))
    const seen = all.filter((run) => viewer.seesAll || run.owner === viewer.name)
    return Promise.all(seen.map((run) => this.#facts(run)))
  }

  /** Some of the runs that a viewer may see; the last changed run is first. */
  async page(viewer: Viewer, { owner, waiting = false, before, limit }: RunsWanted): Promise<RunPage> {
    await this.endings.settled()
    if (!viewer.seesAll && owner !== undefined && owner !== viewer.name) return { runs: [], next: null }
    const whose = viewer.seesAll ? owner : viewer.name
    const from = placeOfPage(before)
    const kept = await this.#store.page({
      limit,
      ...(whose === undefined ? {} : { owner: whose }),
      ...(waiting ? { state: 'paused' as const } : {}),
      ...(from === undefined ? {} : { before: from }),
    })
    const runs = await Promise.all(kept.map(async (run) => this.#facts(await this.#expired(run))))
    const last = kept.length < limit ? undefined : kept.at(-1)
    return { runs, next: last ? `${last.changedAt}.${last.id}` : null }
  }

  /** The calls of a run that are recorded, in the order of the program. */
  async calls(id: string, viewer: Viewer): Promise<readonly KeptCall[]> {
    await this.#find(id, viewer)
    const entries = await ledgerOf(this.#store, id)
    return entries.flatMap(({ record, approval }) => (record ? [{ ...record, approval: approval ?? null }] : []))
  }

  /** The settings of a failed run and the calls of its last attempt; undefined if a viewer may see no such run. */
  async failed(
    id: string,
    viewer: Viewer,
  ): Promise<{ readonly settings: RunSettings; readonly calls: readonly LedgerEntry[] } | undefined> {
    const kept = await this.#find(id, viewer).catch(() => undefined)
    const { settings, ending } = kept === undefined ? {} : bodyOf(kept)
    if (settings === undefined || ending?.ok !== false) return undefined
    const entries = await ledgerOf(this.#store, id)
    const last = entries.at(-1)?.attempt
    return { settings, calls: entries.filter(({ attempt }) => attempt === last) }
  }

  /** The contents of one call, as far as they are kept. */
  async contents(id: string, viewer: Viewer, call: CallWanted): Promise<KeptContents> {
    await this.#find(id, viewer)
    return contentsIn(this.#store, id, call)
  }

  async facts(id: string, viewer: Viewer): Promise<KeptRunFacts> {
    const facts = await this.#facts(await this.#find(id, viewer))
    return facts.state === 'queued' ? { ...facts, lacks: (await this.queued?.queue.lacks(id)) ?? null } : facts
  }

  /**
   * Answers the calls that a run waits for. Rejects with a DiagnosticError if it waits for none, or they have been
   * answered. Resolves with the answered calls.
   */
  async answer(id: string, viewer: Viewer, answerTo: (call: AskedCall) => Approval): Promise<KeptRunFacts> {
    const kept = await this.#find(id, viewer)
    const body = bodyOf(kept)
    const { question } = body
    if (kept.state !== 'paused' || question === undefined) {
      const why = kept.state === 'ended' ? 'it has ended' : 'it waits for no answer'
      throw new DiagnosticError(nothingToAnswer(id, why))
    }
    const calls = question.calls.map((call) =>
      call.approval ? call : { ...call, approval: answerTo(askedCall(call)) },
    )
    if (question.calls.every(({ approval }) => approval !== undefined))
      throw new DiagnosticError(nothingToAnswer(id, 'it has been answered'))
    const answered = { ...body, question: { ...question, calls } }
    const changed =
      this.queued !== undefined && body.background === true
        ? await this.queued.enqueue(kept, answered)
        : await this.#store.change({ ...kept, ...this.written(answered) })
    if (changed === undefined) throw new DiagnosticError(nothingToAnswer(id, 'it has been answered'))
    this.tellAnswers(id, question, { ...question, calls })
    this.here.answered(id)
    this.changed(id, kept.owner)
    return this.#facts(changed)
  }

  /** Reports new answers. */
  tellAnswers(id: string, before: Question | undefined, now: Question): void {
    const known = new Set(
      (before?.calls ?? []).filter(({ approval }) => approval !== undefined).map(({ place }) => place),
    )
    for (const call of now.calls)
      if (call.approval !== undefined && !known.has(call.place))
        this.options.onAnswer(id, askedCall(call), call.approval)
  }

  /**
   * Ends a run; an ended run stays unchanged. A process that carries it out elsewhere stops at its next entry, or at
   * once where it can be told. Resolves when the run has ended.
   */
  async cancel(id: string, viewer: Viewer): Promise<KeptRunFacts> {
    await this.#find(id, viewer)
    await this.here.stop(id)
    let kept = await this.#find(id, viewer)
    while (kept.state !== 'ended') kept = await this.endedBy(kept, runCancelled)
    await this.options.channels?.publish(CANCELLED, id).catch(() => {})
    return this.#facts(kept)
  }

  /** The number of tool calls of a run, as far as recorded. */
  async callsMade(id: string): Promise<number> {
    const entries = await this.#store.entries(id)
    return entries.filter(({ text }) => (JSON.parse(text) as LedgerEntry).record !== undefined).length
  }

  /** The owner of a run, and its terms; undefined if there is no such run. */
  async callerOf(id: string): Promise<CallerOfRun | undefined> {
    const kept = await this.#store.run(id).catch(() => undefined)
    return kept && { owner: kept.owner, terms: bodyOf(kept).terms }
  }

  /** Background runs whose process is gone, and those that were answered, each with the terms of its caller. */
  async orphans(): Promise<readonly (CallerOfRun & { readonly id: string })[]> {
    const runs = [...(await this.#store.runs('underway')), ...(await this.#store.runs('paused'))]
    const orphans = await Promise.all(
      runs.map(async (run) => {
        const body = bodyOf(run)
        if (body.background !== true) return []
        const canGoOn = run.state === 'underway' ? !(await this.here.isCarriedOut(run, body)) : isAnswered(body)
        return canGoOn ? [{ id: run.id, owner: run.owner, terms: body.terms }] : []
      }),
    )
    return orphans.flat()
  }

  async makeRoom(): Promise<void> {
    const { keepMs, maxBytes } = this.options
    await this.#store.makeRoom({ since: this.now() - keepMs, maxBytes })
  }

  async close(): Promise<void> {
    this.queued?.close()
    await this.here.close()
    await this.endings.close()
    await this.#store.close()
  }

  written(body: RunBody): Pick<KeptRun, 'changedAt' | 'body'> {
    return { changedAt: this.now(), body: keptJson(JSON.stringify(body), this.options.hide) }
  }

  /** An invisible run gets the same message as a missing one. */
  async #find(id: string, { name, seesAll }: Viewer): Promise<KeptRun> {
    await this.endings.settled()
    const run = await this.#store.run(id)
    if (run === undefined || !(seesAll || run.owner === name)) throw new DiagnosticError(noSuchRun(id))
    return this.#expired(run)
  }

  /** A question without an answer in time ends its run. */
  async #expired(run: KeptRun): Promise<KeptRun> {
    const body = bodyOf(run)
    const { question } = body
    if (run.state !== 'paused' || question === undefined || isAnswered(body)) return run
    if (this.now() < question.askedAt + this.options.approvalMs) return run
    return this.endedBy(run, approvalExpired(Math.round(this.options.approvalMs / 3_600_000)))
  }

  /** Ends a run that nobody carries out. */
  async endedBy(run: KeptRun, diagnostic: Diagnostic): Promise<KeptRun> {
    const { holder: _, question: _asked, ...rest } = bodyOf(run)
    const report = renderDiagnostics([diagnostic])
    const ending: RunEnding = { ok: false, error: runError(diagnostic), report, logs: [] }
    const changed = await this.#store.change({ ...run, state: 'ended', ...this.written({ ...rest, ending }) })
    this.changed(run.id, run.owner)
    return changed ?? (await this.#store.run(run.id)) ?? { ...run, state: 'ended' }
  }

  async #facts(run: KeptRun): Promise<KeptRunFacts> {
    const body = bodyOf(run)
    const isCarriedOut = await this.here.isCarriedOut(run, body)
    return factsOf(run, body, { isCarriedOut, approvalMs: this.options.approvalMs })
  }
}

/** The channel that names cancelled runs. */
const CANCELLED = 'cancelled'

/** The place of `next`; undefined also if it is none. */
function placeOfPage(next: string | undefined): PageStart | undefined {
  const [, changedAt, id] = /^(\d{1,15})\.([\w-]{1,60})$/.exec(next ?? '') ?? []
  return id === undefined ? undefined : { changedAt: Number(changedAt), id }
}
