// The kept runs: started, paused, answered, resumed, ended. Knows the states of a run and the callers who may see it;
// running a program is not its business.
// Invariant: at most one process carries out a run at a time, and a caller sees no run that it may not see.

import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../../diagnostics/index.js'
import type { ForeignError, ForeignReply } from '../../interpreter/index.js'
import {
  type Channels,
  type KeptRun,
  MemoryStore,
  type PageStart,
  type QueuedRun,
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
import type { CallWanted, KeptCall, KeptContents, KeptRunFacts, RunPage, RunsWanted } from './kept-run-facts.js'
import { LiveRun, type LiveRunOptions } from './live-run.js'
import { keptJson, type RunBody, type RunEnding, type RunSettings } from './run-body.js'
import { type LedgerEntry, MOST_CHARACTERS } from './run-ledger.js'

export interface KeptRunsOptions extends LiveRunOptions {
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
  readonly complain: (message: string) => void
}

export interface NewRun extends Pick<RunBody, 'settings' | 'terms' | 'priority'> {
  readonly background: boolean
}

export interface CallerOfRun extends Pick<RunBody, 'terms'> {
  readonly owner: string
}

/** A run whose turn has come. `over`: it has ended, waits for a person, or is gone. `elsewhere`: a process has it. */
export type QueuedTurn =
  | (CallerOfRun & { readonly kind: 'here'; readonly servers: readonly string[] })
  | { readonly kind: 'over' | 'elsewhere' }

export class KeptRuns {
  readonly options: KeptRunsOptions
  readonly watchers = new RunWatchers()
  readonly #store: Store
  readonly #writing = new Set<Promise<void>>()
  /** Runs whose end or release could not be stored yet. */
  readonly #unstored = new Map<LiveRun, () => Promise<void>>()
  #isClosed = false
  readonly #underway = new Set<Promise<void>>()
  /** Runs that this process carries out, each with its cancellation. */
  readonly #here = new Map<string, { readonly stop: AbortController; readonly ended: Promise<unknown> }>()
  /** Runs about which a person is asked here. Aborted when another one has answered. */
  readonly #interviews = new Map<string, AbortController>()

  constructor(store: Store, options: KeptRunsOptions) {
    this.#store = store
    this.options = options
    // Without it, the run ends at its next entry.
    options.channels?.listen(CANCELLED, (id) => this.lost(id)).catch(() => {})
  }

  /** The moment in milliseconds since 1970, by the clock of the store. */
  now(): number {
    return this.#store.now()
  }

  get queue(): RunQueue | undefined {
    return this.options.queue
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
    this.#here.get(runId)?.stop.abort()
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

  /** Stores the outcome of a run in the background. */
  endLater(run: LiveRun, ending: RunEnding): void {
    const written = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.ended(run, ending))
      .finally(() => this.#writing.delete(written))
    this.#writing.add(written)
  }

  /** Stores the outcome of a run. Failures are reported. */
  async ended(run: LiveRun, ending: RunEnding): Promise<void> {
    const fault = await this.#stored(run, () => run.end(ending))
    if (fault !== undefined) this.options.complain(fault instanceof Error ? fault.message : String(fault))
  }

  /** Releases a run that can't continue here. `isReady`: a worker can continue it at once. */
  async released(run: LiveRun, isReady?: boolean): Promise<void> {
    await this.#stored(run, () => run.release(isReady))
  }

  /** Where several processes share a store, one that can't be reached is waited for: no other may take up the run. */
  async #stored(run: LiveRun, write: () => Promise<void>): Promise<unknown> {
    try {
      await write()
      return undefined
    } catch (error) {
      if (run.isTaken) return undefined
      if (this.options.channels === undefined || this.#unstored.size >= MOST_UNSTORED) return error
      this.#unstored.set(run, write)
      if (this.#unstored.size === 1) void this.#storeAgain()
      return error
    }
  }

  async #storeAgain(): Promise<void> {
    while (this.#unstored.size > 0 && !this.#isClosed) {
      await setTimeout(LOOK_MS, undefined, { ref: false })
      for (const [run, write] of this.#unstored) {
        const isOver = await write().then(
          () => true,
          () => run.isTaken,
        )
        if (!isOver) break
        this.#unstored.delete(run)
      }
    }
  }

  /**
   * Takes over a run that waits or whose process is gone. Rejects with a DiagnosticError if there is none, or it is
   * underway or has ended.
   */
  async takeUp(id: string, viewer: Viewer): Promise<LiveRun> {
    const kept = await this.#find(id, viewer)
    const body = bodyOf(kept)
    if (kept.state === 'ended') throw new DiagnosticError(nothingToAnswer(id, 'it has ended'))
    if (await this.#isCarriedOut(kept, body)) throw new DiagnosticError(runUnderway(id))
    const held = { ...body, holder: this.#store.holder }
    const taken = await this.#store.change({ ...kept, state: 'underway', ...this.#written(held) })
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
    await this.#settled()
    const all = await Promise.all((await this.#store.runs()).map((run) => this.#expired(run)))
    const seen = all.filter((run) => viewer.seesAll || run.owner === viewer.name)
    return Promise.all(seen.map((run) => this.#facts(run)))
  }

  /** Some of the runs that a viewer may see; the last changed run is first. */
  async page(viewer: Viewer, { owner, waiting = false, before, limit }: RunsWanted): Promise<RunPage> {
    await this.#settled()
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
    const entries = await this.#ledger(id)
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
    const entries = await this.#ledger(id)
    const last = entries.at(-1)?.attempt
    return { settings, calls: entries.filter(({ attempt }) => attempt === last) }
  }

  /** Reads a ledger, in several turns of the event loop if it is long. */
  async #ledger(id: string): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = []
    let characters = 0
    for (const { text } of await this.#store.entries(id)) {
      characters += text.length
      if (characters > TURN_CHARACTERS) {
        characters = 0
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
      entries.push(JSON.parse(text) as LedgerEntry)
    }
    return entries
  }

  /** The contents of one call, as far as they are kept. */
  async contents(id: string, viewer: Viewer, { server, tool, argumentDigest, nth }: CallWanted): Promise<KeptContents> {
    await this.#find(id, viewer)
    const found = (await this.#store.entries(id))
      .filter(({ text }) => text.includes(argumentDigest))
      .map(({ text }) => JSON.parse(text) as LedgerEntry)
      .filter(({ call }) => call?.server === server && call.tool === tool && call.argumentDigest === argumentDigest)
    const { call, reply } = found[Math.min(nth, found.length - 1)] ?? {}
    return { arguments: call?.argumentText ?? null, answer: reply === undefined ? null : wordsOf(reply) }
  }

  async facts(id: string, viewer: Viewer): Promise<KeptRunFacts> {
    const facts = await this.#facts(await this.#find(id, viewer))
    return facts.state === 'queued' ? { ...facts, lacks: (await this.queue?.lacks(id)) ?? null } : facts
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
    const answered = { ...kept, ...this.#written({ ...body, question: { ...question, calls } }) }
    const changed =
      this.queue !== undefined && body.background === true
        ? await this.#enqueued(kept, body, { ...answered, state: 'queued' })
        : await this.#store.change(answered)
    if (changed === undefined) throw new DiagnosticError(nothingToAnswer(id, 'it has been answered'))
    this.tellAnswers(id, question, { ...question, calls })
    this.#interviews.get(id)?.abort()
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

  /** Carries out a run, which ends early when its caller or `cancel` ends it. */
  async carryOut<T>(id: string, outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const ended = work(outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal]))
    this.#here.set(id, { stop, ended: ended.catch(() => {}) })
    try {
      return await ended
    } finally {
      this.#here.delete(id)
    }
  }

  /**
   * Ends a run; an ended run stays unchanged. A process that carries it out elsewhere stops at its next entry, or at
   * once where it can be told. Resolves when the run has ended.
   */
  async cancel(id: string, viewer: Viewer): Promise<KeptRunFacts> {
    await this.#find(id, viewer)
    const here = this.#here.get(id)
    here?.stop.abort()
    await here?.ended
    let kept = await this.#find(id, viewer)
    while (kept.state !== 'ended') kept = await this.#endedBy(kept, runCancelled)
    await this.options.channels?.publish(CANCELLED, id).catch(() => {})
    return this.#facts(kept)
  }

  /** A person is asked about a run here, and it continues with the answer, whoever gives it. */
  waitsHere(id: string): boolean {
    return this.#interviews.has(id)
  }

  /**
   * A person is asked about a run. `elsewhere` aborts when the run has been answered or has ended meanwhile, here or in
   * another process.
   */
  async interview<T>(id: string, ask: (elsewhere: AbortSignal) => Promise<T>): Promise<T> {
    const elsewhere = new AbortController()
    const { revision } = (await this.#store.run(id)) ?? {}
    const looking = setInterval(async () => {
      const kept = await this.#store.run(id).catch(() => undefined)
      if (kept?.revision !== revision) elsewhere.abort()
    }, LOOK_MS).unref()
    this.#interviews.set(id, elsewhere)
    try {
      return await ask(elsewhere.signal)
    } finally {
      clearInterval(looking)
      this.#interviews.delete(id)
    }
  }

  /** The number of tool calls of a run, as far as recorded. */
  async callsMade(id: string): Promise<number> {
    const entries = await this.#store.entries(id)
    return entries.filter(({ text }) => (JSON.parse(text) as LedgerEntry).record !== undefined).length
  }

  /** Closing waits for runs in progress. */
  track(work: Promise<unknown>): void {
    const tracked: Promise<void> = work.then(
      () => void this.#underway.delete(tracked),
      () => void this.#underway.delete(tracked),
    )
    this.#underway.add(tracked)
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
        const canGoOn = run.state === 'underway' ? !(await this.#isCarriedOut(run, body)) : isAnswered(body)
        return canGoOn ? [{ id: run.id, owner: run.owner, terms: body.terms }] : []
      }),
    )
    return orphans.flat()
  }

  /** Gives those background runs a worker whose process has ended. */
  async rescue(): Promise<void> {
    for (const run of await this.#store.runs('underway')) {
      const { holder, ...body } = bodyOf(run)
      // A run without a holder waits for something to change: see `release`.
      if (body.background !== true || holder === undefined || (await this.#store.isAlive(holder))) continue
      await this.#enqueued(run, body, { ...run, state: 'queued', ...this.#written(body) })
    }
  }

  /** Gives those runs a turn that wait for one and that the queue has lost. */
  async requeue(): Promise<void> {
    let before: PageStart | undefined
    for (;;) {
      const runs = await this.#store.page({ limit: 100, state: 'queued', ...(before === undefined ? {} : { before }) })
      const known = await this.queue!.known(runs.map(({ id }) => id))
      for (const run of runs) if (!known.has(run.id)) await this.queue!.add(turnOf(run, bodyOf(run)))
      before = runs.at(-1)
      if (before === undefined) return
    }
  }

  /** A run whose turn has come in the queue. */
  async turn(id: string): Promise<QueuedTurn> {
    const run = await this.#store.run(id)
    if (run === undefined || run.state === 'ended' || run.state === 'paused') return { kind: 'over' }
    const body = bodyOf(run)
    if (await this.#isCarriedOut(run, body)) return { kind: 'elsewhere' }
    // Something has to change first: see `release`.
    if (run.state === 'underway' && body.holder === undefined) return { kind: 'over' }
    return { kind: 'here', owner: run.owner, terms: body.terms, servers: body.settings.servers ?? [] }
  }

  /** Ends a run that nobody carries out. */
  async giveUp(id: string, reason: Diagnostic): Promise<void> {
    const run = await this.#store.run(id)
    if (run !== undefined && run.state !== 'ended') await this.#endedBy(run, reason)
  }

  /** Resolves when a run has ended or waits for a person, wherever it is carried out, or this process closes. */
  async rested(id: string): Promise<KeptRunFacts | undefined> {
    const viewer = { name: '', seesAll: true }
    for (let ms = LOOK_MS / 50; !this.#isClosed; ms = Math.min(2 * ms, LOOK_MS)) {
      const run = await this.facts(id, viewer).catch(() => undefined)
      if (run?.state === 'ended' || run?.state === 'paused') return run
      await setTimeout(ms, undefined, { ref: false })
    }
    return undefined
  }

  #enqueued(run: KeptRun, body: RunBody, change: KeptRun): Promise<KeptRun | undefined> {
    return this.queue!.addAfter(turnOf(run, body), () => this.#store.change(change))
  }

  async makeRoom(): Promise<void> {
    const { keepMs, maxBytes } = this.options
    await this.#store.makeRoom({ since: this.now() - keepMs, maxBytes })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // Their runs wait for an answer in another process.
    for (const asking of this.#interviews.values()) asking.abort()
    await Promise.all(this.#underway)
    await this.#settled()
    await this.#store.close()
  }

  #written(body: RunBody): Pick<KeptRun, 'changedAt' | 'body'> {
    return { changedAt: this.now(), body: keptJson(JSON.stringify(body), this.options.hide) }
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#writing)
  }

  /** An invisible run gets the same message as a missing one. */
  async #find(id: string, { name, seesAll }: Viewer): Promise<KeptRun> {
    await this.#settled()
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
    return this.#endedBy(run, approvalExpired(Math.round(this.options.approvalMs / 3_600_000)))
  }

  /** Ends a run that nobody carries out. */
  async #endedBy(run: KeptRun, diagnostic: Diagnostic): Promise<KeptRun> {
    const { holder: _, question: _asked, ...rest } = bodyOf(run)
    const report = renderDiagnostics([diagnostic])
    const ending: RunEnding = { ok: false, error: runError(diagnostic), report, logs: [] }
    const changed = await this.#store.change({ ...run, state: 'ended', ...this.#written({ ...rest, ending }) })
    this.changed(run.id, run.owner)
    return changed ?? (await this.#store.run(run.id)) ?? { ...run, state: 'ended' }
  }

  async #isCarriedOut({ id, state, changedAt }: KeptRun, { holder }: RunBody): Promise<boolean> {
    if (state !== 'underway' || holder === undefined) return false
    const isOurs = holder.processId !== undefined && holder.processId === this.#store.holder.processId
    // A run that is not here any more was to be stored while the store was gone.
    if (isOurs && !this.#here.has(id) && !this.#interviews.has(id)) return this.now() - changedAt < GRACE_MS
    return this.#store.isAlive(holder)
  }

  async #stateOf(run: KeptRun, body: RunBody): Promise<KeptRunFacts['state']> {
    if (run.state === 'ended' || run.state === 'queued') return run.state
    if (run.state === 'paused') return isAnswered(body) ? 'approved' : 'paused'
    return (await this.#isCarriedOut(run, body)) ? 'underway' : 'interrupted'
  }

  async #facts(run: KeptRun): Promise<KeptRunFacts> {
    const body = bodyOf(run)
    const { question, ending, settings, startedAt, background = false } = body
    const isOpen = run.state === 'paused' && question !== undefined && !isAnswered(body)
    return {
      runId: run.id,
      owner: run.owner,
      state: await this.#stateOf(run, body),
      lacks: null,
      background,
      startedAt,
      changedAt: run.changedAt,
      program: { text: settings.program.text, language: settings.program.language },
      calls: [...(body.answered ?? []), ...(question?.calls ?? [])].map((call) => ({
        ...askedCall(call),
        approval: call.approval ?? null,
      })),
      canAlsoCall: question?.canAlsoCall ?? [],
      expiresAt: isOpen ? question.askedAt + this.options.approvalMs : null,
      ending: ending ?? null,
    }
  }
}

/** So much of a ledger is read in one turn of the event loop. */
const TURN_CHARACTERS = 1_000_000

/** So long after its last change, a run of this process is about to begin or to end here. */
const GRACE_MS = 15_000

/** The channel that names cancelled runs. */
const CANCELLED = 'cancelled'

/** More runs are not stored later. */
const MOST_UNSTORED = 1_000

/** How soon an answer that was given in another process is noticed. */
const LOOK_MS = 1000

function turnOf({ id, owner }: KeptRun, { priority }: RunBody): QueuedRun {
  return { runId: id, owner, ...(priority === undefined ? {} : { priority }) }
}

function bodyOf({ body }: KeptRun): RunBody {
  return JSON.parse(body) as RunBody
}

/** The place of `next`; undefined also if it is none. */
function placeOfPage(next: string | undefined): PageStart | undefined {
  const [, changedAt, id] = /^(\d{1,15})\.([\w-]{1,60})$/.exec(next ?? '') ?? []
  return id === undefined ? undefined : { changedAt: Number(changedAt), id }
}

/** The reply to a program, for people. */
function wordsOf(reply: ForeignReply): string {
  const text = reply.slice(1)
  return reply[0] === 'E' ? (JSON.parse(text) as ForeignError).message : text
}

function isAnswered({ question }: RunBody): boolean {
  return question?.calls.every(({ approval }) => approval !== undefined) === true
}
