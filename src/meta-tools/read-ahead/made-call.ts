import type { CallRecord, CallSent } from '../../bindings/index.js'
import type { ForeignReply } from '../../interpreter/index.js'
import type { LedgerEntry } from '../ledger/run-ledger.js'

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
