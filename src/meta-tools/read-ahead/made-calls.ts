// The calls of a run, in the order in which the program made them. A call that succeeded is kept in columns: objects
// for it take three times the memory, and the garbage collector copies them.
// Invariant: a call that is read from the columns equals the one that was packed, but for its place.

import type { CallRecord, CallSent } from '../../bindings/index.js'
import type { ForeignReply } from '../../interpreter/index.js'
import type { LedgerEntry } from '../ledger/run-ledger.js'
import type { RecordRead } from '../run-result.js'

export interface MadeCall {
  readonly id: number
  /** Whether the program ran ahead of the call, and whether it could catch its failure. Undefined: it waits. */
  readonly ahead: 'for good' | 'guarded' | undefined
  /** The number of calls before it that may have written. */
  readonly writesBefore: number
  /** The place in the program's text, if known. */
  readonly place: { readonly start: number; readonly end: number } | undefined
  /** Its entry in the run's ledger, if the run has one. */
  readonly entry: LedgerEntry | undefined
  sent: CallSent | undefined
  record: CallRecord | undefined
  /** The program runs ahead of it, and it has not been answered. */
  isAhead: boolean
  /** It was sent, or is about to be. */
  isOutside: boolean
  /** Undefined until it arrives, and again if the run has too many replies to keep. */
  reply: ForeignReply | undefined
}

export class MadeCalls {
  /** A number is a row of the columns. */
  readonly #calls: (MadeCall | number)[] = []
  readonly #columns = new Columns()
  /** An index: no call before it is an unanswered read that the program ran ahead of. */
  #answeredTo = 0

  /** Returns the call's index. */
  add(call: MadeCall): number {
    return this.#calls.push(call) - 1
  }

  /** Keeps an answered call in less memory, if possible. Nothing may change it afterwards. */
  pack(index: number): void {
    const call = this.#calls[index] as MadeCall
    const { entry, record, reply } = call
    const isPlain = entry === undefined && record !== undefined && record.notes === undefined && reply?.[0] !== 'E'
    if (isPlain) this.#calls[index] = this.#columns.add(call, record, reply)
  }

  /** True if the program made no call after this one. */
  isLast(call: MadeCall): boolean {
    return this.#calls.at(-1) === call
  }

  /** The first read that the program ran ahead of and that has not been answered. */
  oldestAhead(): MadeCall | undefined {
    for (; this.#answeredTo < this.#calls.length; this.#answeredTo++) {
      const call = this.#calls[this.#answeredTo]!
      if (typeof call !== 'number' && call.isAhead) return call
    }
    return undefined
  }

  /** Drops the replies of calls that succeeded. */
  dropReplies(): void {
    this.#columns.dropReplies()
    for (const call of this.#calls) if (typeof call !== 'number' && call.reply?.[0] !== 'E') call.reply = undefined
  }

  *[Symbol.iterator](): Generator<MadeCall> {
    for (const call of this.#calls) yield typeof call === 'number' ? this.#columns.callAt(call) : call
  }

  /** The records of those calls for which `isMeant` is true. */
  *records(isMeant: (call: Pick<MadeCall, 'id'>, sent: ToolNames | undefined) => boolean): Generator<RecordRead> {
    for (const call of this.#calls)
      if (typeof call === 'number') {
        const row = new Row(this.#columns, call)
        if (isMeant(row, row)) yield row
      } else if (call.record !== undefined && isMeant(call, call.sent)) yield call.record
  }
}

type ToolNames = Pick<CallSent, 'server' | 'tool'>
type ToolCalled = Pick<CallRecord, 'server' | 'tool' | 'safeToRepeat' | 'annotations'>

const OUTCOMES: readonly CallRecord['outcome'][] = ['answered', 'failed', 'limit', 'lost', 'reused']
const AHEAD: readonly MadeCall['ahead'][] = [undefined, 'for good', 'guarded']
const LEAST_ROWS = 64
const AMOUNTS = 4
const NUMBERS = 6

class Columns {
  /** For each row: startedAtMs, ms, bytes, argumentBytes. */
  amounts = new Float64Array(0)
  /** For each row: id, writesBefore, and indexes of the tool, the outcome and `ahead`; whether it is ok. */
  numbers = new Int32Array(0)
  readonly digests: string[] = []
  readonly tools: ToolCalled[] = []
  readonly #replies: (ForeignReply | undefined)[] = []

  /** Returns the row. */
  add({ id, ahead, writesBefore }: MadeCall, record: CallRecord, reply: ForeignReply | undefined): number {
    const row = this.#replies.push(reply) - 1
    if (row * NUMBERS === this.numbers.length) this.#grow(Math.max(LEAST_ROWS, 2 * row))
    const { amounts, numbers } = this
    amounts[row * AMOUNTS] = record.startedAtMs
    amounts[row * AMOUNTS + 1] = record.ms
    amounts[row * AMOUNTS + 2] = record.bytes
    amounts[row * AMOUNTS + 3] = record.argumentBytes
    numbers[row * NUMBERS] = id
    numbers[row * NUMBERS + 1] = writesBefore
    numbers[row * NUMBERS + 2] = this.#toolOf(record)
    numbers[row * NUMBERS + 3] = OUTCOMES.indexOf(record.outcome)
    numbers[row * NUMBERS + 4] = AHEAD.indexOf(ahead)
    numbers[row * NUMBERS + 5] = record.ok ? 1 : 0
    this.digests.push(record.argumentDigest)
    return row
  }

  callAt(index: number): MadeCall {
    const row = new Row(this, index)
    const { server, tool, argumentDigest } = row
    return {
      id: row.id,
      ahead: AHEAD[this.numbers[index * NUMBERS + 4]!],
      writesBefore: this.numbers[index * NUMBERS + 1]!,
      place: undefined,
      entry: undefined,
      sent: { server, tool, argumentDigest },
      record: row.whole(),
      isAhead: false,
      isOutside: false,
      reply: this.#replies[index],
    }
  }

  dropReplies(): void {
    this.#replies.fill(undefined)
  }

  #toolOf({ server, tool, safeToRepeat, annotations }: CallRecord): number {
    // A server may declare a tool anew during a run.
    const known = this.tools.findIndex(
      (one) =>
        one.tool === tool &&
        one.server === server &&
        one.safeToRepeat === safeToRepeat &&
        one.annotations === annotations,
    )
    if (known >= 0) return known
    return this.tools.push({ server, tool, safeToRepeat, ...(annotations === undefined ? {} : { annotations }) }) - 1
  }

  #grow(rows: number): void {
    const { amounts, numbers } = this
    this.amounts = new Float64Array(rows * AMOUNTS)
    this.amounts.set(amounts)
    this.numbers = new Int32Array(rows * NUMBERS)
    this.numbers.set(numbers)
  }
}

/** A record in the columns, read field by field. */
class Row implements RecordRead {
  readonly #columns: Columns
  readonly #row: number

  constructor(columns: Columns, row: number) {
    this.#columns = columns
    this.#row = row
  }

  get id(): number {
    return this.#number(0)
  }

  get server(): string {
    return this.#tool.server
  }

  get tool(): string {
    return this.#tool.tool
  }

  get safeToRepeat(): boolean {
    return this.#tool.safeToRepeat
  }

  get outcome(): CallRecord['outcome'] {
    return OUTCOMES[this.#number(3)]!
  }

  get ok(): boolean {
    return this.#number(5) === 1
  }

  get startedAtMs(): number {
    return this.#amount(0)
  }

  get ms(): number {
    return this.#amount(1)
  }

  get bytes(): number {
    return this.#amount(2)
  }

  get argumentDigest(): string {
    return this.#columns.digests[this.#row]!
  }

  whole(): CallRecord {
    const { server, tool, ok, outcome, startedAtMs, ms, bytes, argumentDigest, safeToRepeat } = this
    const { annotations } = this.#tool
    return {
      server,
      tool,
      ok,
      outcome,
      startedAtMs,
      ms,
      bytes,
      argumentBytes: this.#amount(3),
      argumentDigest,
      safeToRepeat,
      ...(annotations === undefined ? {} : { annotations }),
    }
  }

  get #tool(): ToolCalled {
    return this.#columns.tools[this.#number(2)]!
  }

  #number(column: number): number {
    return this.#columns.numbers[this.#row * NUMBERS + column]!
  }

  #amount(column: number): number {
    return this.#columns.amounts[this.#row * AMOUNTS + column]!
  }
}
