// The ledger of one run: every request of its guest to the host, in order, and every reply, in order. With it a run
// needs no memory to continue: its program runs again from the beginning, gets the recorded replies, and reaches the
// same point. The same mechanism resumes a run that waits for a person, that outlives a process, or whose process died.
//
// An entry is stored before its call is sent, if the call may write; all earlier entries are stored with it. Entries of
// reads are stored later, because reads can be repeated. A call that was sent and has no stored reply is unknown.
// A ledger is bounded. A run that outgrows it continues, but its replies are no longer kept, in memory or in the store:
// from then on it can't wait, be resumed or be replayed. Its calls are still stored.
// Invariant: a repeated guest gets the same replies in the same order, and is stopped at the first call that differs.

import { createHash } from 'node:crypto'
import type { Awaitable } from '../../awaitable/index.js'
import type { CallRecord, CallSent } from '../../bindings/index.js'
import type { ForeignReply } from '../../interpreter/index.js'
import { Journal } from '../../sandbox/index.js'
import type { KeptEntry } from '../../state/index.js'
import type { Approval, QuestionedCall } from './approval.js'

export interface LedgerEntry {
  /** The attempt that made the call, from 1. A program that ran ahead of a failed read runs in several attempts. */
  readonly attempt: number
  /** Counts the calls of one attempt from 1. */
  readonly id: number
  /** A digest of the guest's request. */
  readonly key: string
  /** Absent for requests other than tool calls, and for calls that failed the checks. */
  call?: CallSent & { readonly argumentText?: string }
  /** The call was sent to the upstream, or is about to be. */
  isSent?: true
  record?: CallRecord
  reply?: ForeignReply
  /** The position of its reply among the replies of the attempt. */
  order?: number
  /** Something in it was hidden before it was stored: see `keptJson`. */
  readonly hides?: true
  /** Its arguments and its reply are not kept, because the ledger was full. */
  isCut?: true
  /** A person's answer, and the digest of the tool's input schema at that moment. */
  approval?: Approval & Pick<QuestionedCall, 'schemaDigest'>
}

/** Stores entries so that they outlive the process. Resolves when they are stored. */
type KeepEntries = (entries: readonly KeptEntry[]) => Promise<void>

/** The maximum length of a run's stored arguments and replies, in characters. */
export const MOST_CHARACTERS = 64_000_000

/** More calls than any run may make. */
const PLACES = 10_000_000

export function placeOf({ attempt, id }: LedgerEntry): number {
  return attempt * PLACES + id
}

export class RunLedger {
  readonly #keep: KeepEntries
  readonly #keepArguments: boolean
  readonly #isWatched: boolean
  readonly #entries = new Map<number, LedgerEntry>()
  /** Changes that are not stored yet. */
  readonly #news = new Set<LedgerEntry>()
  /** The entries of an earlier process. */
  readonly #unknown = new Set<LedgerEntry>()
  /** Calls that were not sent because their entries could not be stored. The store may have them all the same. */
  readonly #unsent = new Set<LedgerEntry>()
  #attempt = 0
  #journal = new Journal(Number.POSITIVE_INFINITY)
  #replies = 0
  #characters = 0
  #isFull = false
  #waiting = new Map<number, (reply: ForeignReply) => void>()

  /** `isWatched`: a reader may look at the run's progress, so reads are stored at once, too. */
  constructor(
    keep: KeepEntries,
    { keepArguments, isWatched }: { readonly keepArguments: boolean; readonly isWatched: boolean },
  ) {
    this.#keep = keep
    this.#isWatched = isWatched
    this.#keepArguments = keepArguments
  }

  /** The entries that an earlier process has stored. */
  load(kept: readonly KeptEntry[]): void {
    for (const { place, text } of kept) {
      const entry = JSON.parse(text) as LedgerEntry
      this.#entries.set(place, entry)
      this.#characters += (entry.call?.argumentText ?? '').length + (entry.reply ?? '').length
      this.#isFull ||= entry.isCut === true
      if (entry.isSent && entry.reply === undefined) this.#unknown.add(entry)
    }
  }

  /** True if something was not stored and can't be given again. */
  get hides(): boolean {
    return [...this.#entries.values()].some(({ hides }) => hides === true)
  }

  /** True if the run outgrew the ledger and can't be run again. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** The program runs again from its beginning. */
  rewind(): void {
    this.#attempt = 0
  }

  /** The next attempt at the program begins. */
  begin(): void {
    this.#attempt++
    const known = [...this.#entries.values()].filter(({ attempt }) => attempt === this.#attempt)
    known.sort((a, b) => a.id - b.id)
    const replies = known.flatMap(({ id, reply, order }) =>
      reply === undefined ? [] : [{ id, text: reply, order: order! }],
    )
    replies.sort((a, b) => a.order - b.order)
    this.#journal = new Journal(Number.POSITIVE_INFINITY, { calls: known.map(({ key }) => key), replies })
    this.#replies = replies.at(-1)?.order ?? 0
    this.#waiting = new Map()
  }

  /** The entry for a call of the guest, new or known. Undefined: the guest made another call here before. */
  arrived(id: number, payload: string): LedgerEntry | undefined {
    const key = keyOf(payload)
    if (this.#journal.replaying) {
      if (!this.#journal.repeats(key)) return undefined
      return this.#entries.get(placeOf({ attempt: this.#attempt, id, key }))
    }
    this.#journal.called(key)
    const entry: LedgerEntry = { attempt: this.#attempt, id, key }
    this.#entries.set(placeOf(entry), entry)
    this.#news.add(entry)
    return entry
  }

  /** The recorded reply of an entry, when its turn comes. */
  given({ id }: LedgerEntry): Awaitable<ForeignReply> {
    let now: ForeignReply | undefined
    this.#waiting.set(id, (reply) => {
      now = reply
    })
    this.#deliver()
    // Replies that waited for this one are delivered after it.
    return now ?? new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  /** True if an earlier process sent the call and ended before its answer. */
  isUnknown(entry: LedgerEntry): boolean {
    return this.#unknown.has(entry)
  }

  /** Call this before a call is sent. `safe`: it only reads, so its entry may be stored later. */
  sending(entry: LedgerEntry, safe: boolean): Promise<void> | undefined {
    entry.isSent = true
    this.#news.add(entry)
    if (safe) return undefined
    return this.flush().catch((error: unknown) => {
      this.#unsent.add(entry)
      throw error
    })
  }

  /** A request that passed every check is a tool call. */
  accepted(entry: LedgerEntry, { server, tool, argumentDigest }: CallSent, argumentText: string): void {
    const isKept = this.#keepArguments && !this.#isFull
    const isNew = entry.call?.argumentText === undefined
    entry.call = { server, tool, argumentDigest, ...(isKept ? { argumentText } : {}) }
    if (isKept && isNew) this.#count(argumentText)
  }

  /** The reply has arrived. Resolves when the guest may receive it. */
  replied(entry: LedgerEntry, reply: ForeignReply, record: CallRecord | undefined): Awaitable<ForeignReply> {
    entry.order = ++this.#replies
    if (this.#isFull) entry.isCut = true
    else entry.reply = reply
    if (record !== undefined) entry.record = record
    this.#unknown.delete(entry)
    this.#news.add(entry)
    this.#journal.replied(entry.id, reply)
    this.#count(reply)
    // A failed store is tried again before the next call that may write, and stops that call if it fails again.
    if (this.#isWatched || record?.safeToRepeat === false) void this.flush().catch(() => {})
    return this.given(entry)
  }

  /** Records a person's answer. */
  approve(place: number, approval: NonNullable<LedgerEntry['approval']>): void {
    const entry = this.#entries.get(place)
    if (entry === undefined) return
    entry.approval = approval
    delete entry.isSent
    this.#unknown.delete(entry)
    this.#news.add(entry)
  }

  /** The run is to go on later: stores everything, and that unsent calls were not sent. */
  async leave(): Promise<void> {
    for (const entry of this.#unsent) {
      delete entry.isSent
      delete entry.reply
      delete entry.order
      this.#news.add(entry)
    }
    await this.flush()
  }

  /** Stores everything that is not stored yet. */
  async flush(): Promise<void> {
    const news = [...this.#news]
    if (news.length === 0) return
    await this.#keep(news.map((entry) => ({ place: placeOf(entry), text: JSON.stringify(entry) })))
    for (const entry of news) this.#news.delete(entry)
  }

  /** Drops the replies of a ledger that has outgrown its bound, but not during a repetition, which needs them. */
  #count(text: string): void {
    this.#characters += text.length
    if (this.#characters <= MOST_CHARACTERS || this.#isFull || this.#journal.replaying) return
    this.#isFull = true
    this.#journal.stop()
    for (const entry of this.#entries.values()) {
      if (entry.reply === undefined) continue
      delete entry.reply
      if (entry.call !== undefined) entry.call = withoutText(entry.call)
      if (this.#news.has(entry)) entry.isCut = true
    }
  }

  #deliver(): void {
    for (const { id, text } of this.#journal.deliverable()) {
      this.#waiting.get(id)?.(text as ForeignReply)
      this.#waiting.delete(id)
    }
  }
}

function withoutText({ server, tool, argumentDigest }: CallSent): CallSent {
  return { server, tool, argumentDigest }
}

/** The request may begin with marks that have a meaning for this run only; see interpreter/foreign.ts. */
const MARK = /^[+?@][^ ]* (?:@[^ ]* )?/

function keyOf(payload: string): string {
  return createHash('sha256').update(payload.trimEnd().replace(MARK, '')).digest('base64').slice(0, 22)
}
