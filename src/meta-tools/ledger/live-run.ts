// A run that this process carries out: its ledger, and its stored state when it pauses, is answered, ends or is
// released.
// Invariant: this process does nothing for the run after another process has taken it.

import { type Diagnostic, DiagnosticError } from '../../diagnostics/index.js'
import type { KeptRun, RunQueue, RunState, Store } from '../../state/index.js'
import { runCancelled, runTaken } from '../messages.js'
import type { Question } from './approval.js'
import { bodyOf, keptJson, type RunBody, type RunEnding, type RunSettings, turnOf } from './run-body.js'
import { RunLedger } from './run-ledger.js'

export interface LiveRunOptions {
  /** False: only digests of arguments are kept. */
  readonly keepArguments: boolean
  /** Removes every credential from JSON text before it is stored. */
  readonly hide: (json: string) => string
}

/** The functions of the store that a run needs. */
interface RunKeeper {
  /** `queue`: where runs wait for the workers of all processes; undefined: they are carried out where they are. */
  readonly options: LiveRunOptions & { readonly queue?: RunQueue | undefined }
  tellAnswers(id: string, before: Question | undefined, now: Question): void
  changed(id: string, owner: string): void
  /** This process may do nothing more for the run. */
  lost(id: string): void
  makeRoom(): Promise<void>
}

interface LiveRunParts {
  readonly id: string
  readonly owner: string
  readonly body: RunBody
  readonly kept?: KeptRun
}

/** A run that this process carries out. */
export class LiveRun {
  readonly id: string
  readonly ledger: RunLedger
  readonly #runs: RunKeeper
  readonly #store: Store
  #body: RunBody
  #kept: KeptRun | undefined
  readonly #owner: string
  #hides: boolean
  #isTaken = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(runs: RunKeeper, store: Store, { id, owner, body, kept }: LiveRunParts) {
    this.id = id
    this.#runs = runs
    this.#store = store
    this.#owner = owner
    this.#body = body
    this.#kept = kept
    this.#hides = body.hides === true
    this.ledger = new RunLedger(
      (entries) =>
        this.#inTurn(async () => {
          const { revision } = await this.#begun()
          const hidden = entries.map(({ place, text }) => ({ place, text: this.#hiding(text) }))
          if (!this.#isTaken && (await store.note(id, hidden, revision))) return
          this.#taken()
          throw new DiagnosticError(runTaken(id))
        }),
      { keepArguments: runs.options.keepArguments, isWatched: body.background === true },
    )
  }

  get body(): RunBody {
    return this.#body
  }

  /** A part of the run was changed for storing, so it can't be repeated. */
  get hides(): boolean {
    return this.#hides
  }

  get isKept(): boolean {
    return this.#kept !== undefined
  }

  /** Another process has taken it, or has ended it. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  /** The reason why this process may do nothing more for it. */
  async whyTaken(): Promise<Diagnostic> {
    const kept = await this.#store.run(this.id).catch(() => undefined)
    const { ending } = kept === undefined ? {} : bodyOf(kept)
    return ending?.error?.code === runCancelled.code ? runCancelled : runTaken(this.id)
  }

  /** Stores the run, so that others find it. */
  async keep(): Promise<void> {
    await this.#inTurn(() => this.#begun())
  }

  /** Stores a new run for the workers of all processes. Rejects with a DiagnosticError if too many wait. */
  async enqueue(delayMs: number): Promise<void> {
    const { id } = this
    const { holder: _, ...body } = this.#body
    this.#body = body
    const begin = () => this.#store.begin({ id, owner: this.#owner, state: 'queued', ...this.#written() })
    const turn = { ...turnOf({ id, owner: this.#owner }, body), delayMs }
    await this.#runs.options.queue!.addAfter(turn, begin, { isNew: true })
  }

  /** The settings that are known when the program has been read. */
  settle(settings: RunSettings): void {
    this.#body = { ...this.#body, settings }
  }

  /** The run waits for an answer. Rejects with a DiagnosticError if another process has taken it. */
  async pause(question: Question): Promise<void> {
    await this.ledger.flush()
    const { holder: _, ...body } = this.#body
    if (!(await this.#become('paused', { ...body, question }))) throw new DiagnosticError(runTaken(this.id))
  }

  /**
   * Records answers. True: every call has one, and this process may continue the run. False: it waits, or another
   * process has it now.
   */
  async answered(question: Question): Promise<boolean> {
    const { question: before, ...body } = this.#body
    this.#runs.tellAnswers(this.id, before, question)
    const isAll = question.calls.every(({ approval }) => approval !== undefined)
    if (!isAll) {
      await this.#become('paused', { ...body, question })
      return false
    }
    for (const { place, approval, schemaDigest } of question.calls)
      this.ledger.approve(place, { ...approval!, schemaDigest })
    try {
      await this.ledger.flush()
    } catch (error) {
      if (this.#isTaken) return false
      throw error
    }
    const answered = [...(body.answered ?? []), ...question.calls]
    return this.#become('underway', { ...body, answered, holder: this.#store.holder })
  }

  /** The question with the answers that were stored meanwhile; undefined: it is not open any more. */
  async answersElsewhere(): Promise<Question | undefined> {
    const kept = await this.#store.run(this.id)
    const { question } = kept?.state === 'paused' ? bodyOf(kept) : {}
    if (question === undefined) return undefined
    this.#kept = kept
    this.#body = { ...this.#body, question }
    return question
  }

  /** Stores the outcome. Nothing follows. */
  async end(ending: RunEnding): Promise<void> {
    await this.ledger.flush()
    const { holder: _, question: _asked, ...body } = this.#body
    await this.#become('ended', { ...body, ending })
    await this.#runs.makeRoom()
  }

  /** Releases a run that can't continue in this process. `isReady`: a worker can continue it at once. */
  async release(isReady = false): Promise<void> {
    await this.ledger.leave()
    const { holder: _, ...body } = this.#body
    const { queue } = this.#runs.options
    const turn = turnOf({ id: this.id, owner: this.#owner }, body)
    if (isReady && body.background === true && queue !== undefined)
      await queue.addAfter(turn, async () => (await this.#become('queued', body)) || undefined)
    else await this.#become(body.question === undefined ? 'underway' : 'paused', body)
  }

  /** False: another process has taken it. */
  #become(state: RunState, body: RunBody): Promise<boolean> {
    return this.#inTurn(async () => {
      const begun = await this.#begun()
      this.#body = body
      const changed = await this.#store.change({ ...begun, state, ...this.#written() })
      if (changed === undefined) this.#taken()
      else this.#kept = changed
      this.#runs.changed(this.id, this.#owner)
      return changed !== undefined
    })
  }

  async #begun(): Promise<KeptRun> {
    const { id } = this
    this.#kept ??= await this.#store.begin({ id, owner: this.#owner, state: 'underway', ...this.#written() })
    return this.#kept
  }

  /** What is stored names the revision that the change before it left. */
  #inTurn<Stored>(store: () => Promise<Stored>): Promise<Stored> {
    const stored = this.#last.then(store)
    this.#last = stored.catch(() => {})
    return stored
  }

  #taken(): void {
    this.#isTaken = true
    this.#runs.lost(this.id)
  }

  #written(): Pick<KeptRun, 'changedAt' | 'body'> {
    return { changedAt: this.#store.now(), body: this.#hiding(JSON.stringify(this.#body)) }
  }

  #hiding(json: string): string {
    const kept = keptJson(json, this.#runs.options.hide)
    this.#hides ||= kept !== json
    return kept
  }
}
