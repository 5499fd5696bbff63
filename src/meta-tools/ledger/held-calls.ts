// The calls of a run that wait for a person. What is underway together is asked together: the first call that has to be
// asked about is held until its guest sleeps, and with it whatever may write and comes after it; then nothing more goes
// out, what went out is waited for, and the run ends for now.
// Invariant: a call that is held has not been made, and neither has any that may write and that the program made later.

import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type CallToAdmit, isSafeToRepeat, type Tool } from '../../bindings/index.js'
import type { ForeignReply } from '../../interpreter/index.js'
import { approvalDenied, approvedCallChanged } from '../messages.js'
import type { Approval, QuestionedCall } from './approval.js'
import { type LedgerEntry, placeOf, type RunLedger } from './run-ledger.js'

/** Says of which tools a person is asked, by the server's name in the configuration. */
export type AsksAbout = (server: string, tool: Tool) => boolean

/** What a call waits with. */
export interface HoldableCall {
  readonly entry: LedgerEntry
  readonly mayWrite: boolean
  /** Of the call in the generated code, where the guest told it. */
  readonly codePlace: CodePlace | undefined
  /** Resolves when the guest does nothing more without a reply; absent where nobody can tell. */
  readonly asleep: (() => Promise<void>) | undefined
}

export interface CodePlace {
  readonly line: number
  readonly column: number
}

/** A call that a person is to be asked about; in which line it stands is found out later. */
export interface CallInQuestion extends Omit<QuestionedCall, 'line'> {
  readonly codePlace: CodePlace | undefined
}

/** How long a guest may take to hand over its calls, where nobody can tell that it sleeps. */
const GRACE_MS = 30

export class HeldCalls {
  readonly #ledger: RunLedger
  readonly #asks: AsksAbout
  readonly #keepArguments: boolean
  readonly #over: (asked: readonly CallInQuestion[]) => ForeignReply
  readonly #granted = new Set<string>()
  readonly #asked: CallInQuestion[] = []
  readonly #waiting: ((reply: ForeignReply) => void)[] = []
  #isClosing = false
  /** Calls that went out and were not answered. */
  #outside = 0
  #nothingOutside: (() => void) | undefined

  /** `over` is told what is asked when nothing is underway any more, and gives the reply that ends the run. */
  constructor(
    ledger: RunLedger,
    {
      asks,
      keepArguments,
      over,
    }: {
      readonly asks: AsksAbout
      readonly keepArguments: boolean
      readonly over: (asked: readonly CallInQuestion[]) => ForeignReply
    },
  ) {
    this.#ledger = ledger
    this.#asks = asks
    this.#keepArguments = keepArguments
    this.#over = over
  }

  /** Has the last word on a call; undefined: it may be made. */
  admit(call: HoldableCall, sent: CallToAdmit): ForeignReply | undefined | Promise<ForeignReply | undefined> {
    const { entry } = call
    const { approval, call: before } = entry
    this.#ledger.accepted(entry, sent, sent.argumentText)
    if (this.#isClosing) return this.#held()
    // What was approved went out once: the approval is used up.
    const isSpent = this.#ledger.isUnknown(entry) && !isSafeToRepeat(sent.bound.tool)
    if (approval !== undefined && !isSpent) {
      this.learn(entry)
      if (approval.answer === 'deny') return deniedReply(sent, approval)
      const isSame =
        before?.argumentDigest === sent.argumentDigest && approval.schemaDigest === schemaDigest(sent.bound.tool)
      return isSame ? undefined : approvedCallReply(pathOf(sent))
    }
    const reason = isSpent ? 'unknown' : this.#reasonToAsk(sent)
    if (reason === undefined) return this.#asked.length > 0 && call.mayWrite ? this.#held() : undefined
    this.#asked.push({
      place: placeOf(entry),
      server: sent.server,
      tool: sent.tool,
      argumentDigest: sent.argumentDigest,
      ...(this.#keepArguments ? { argumentText: sent.argumentText } : {}),
      schemaDigest: schemaDigest(sent.bound.tool),
      reason,
      codePlace: call.codePlace,
    })
    if (this.#asked.length === 1) void this.#end(call)
    return this.#held()
  }

  /** Takes over what a person has said in an entry that is repeated. */
  learn({ approval, call }: LedgerEntry): void {
    if (approval?.answer === 'run' && call !== undefined) this.#granted.add(nameOf(call))
  }

  /** A call goes out. To be called with its end. */
  outside(change: 1 | -1): void {
    this.#outside += change
    if (this.#outside === 0) this.#nothingOutside?.()
  }

  /** Lets go of what is held, because the run ends. */
  release(reply: ForeignReply): void {
    for (const give of this.#waiting.splice(0)) give(reply)
  }

  #reasonToAsk({ server, tool, bound }: CallToAdmit): QuestionedCall['reason'] | undefined {
    return this.#asks(server, bound.tool) && !this.#granted.has(nameOf({ server, tool })) ? 'approval' : undefined
  }

  #held(): Promise<ForeignReply> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async #end({ asleep = () => setTimeout(GRACE_MS) }: HoldableCall): Promise<void> {
    await asleep()
    this.#isClosing = true
    if (this.#outside > 0)
      await new Promise<void>((resolve) => {
        this.#nothingOutside = resolve
      })
    this.release(this.#over(this.#asked.toSorted((a, b) => a.place - b.place)))
  }
}

function nameOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `${server}/${tool}`
}

/** Of what a tool takes. */
export function schemaDigest({ inputSchema }: Tool): string {
  return createHash('sha256').update(JSON.stringify(inputSchema)).digest('base64').slice(0, 22)
}

function pathOf({ bound }: CallToAdmit): string {
  return `${bound.server.name}.${bound.name}`
}

function deniedReply(call: CallToAdmit, { reason }: Approval): ForeignReply {
  const { code, message } = approvalDenied(pathOf(call), reason)
  const { server, name } = call.bound
  return `E${JSON.stringify({ kind: 'denied', code, message, server: server.name, tool: name })}`
}

/** To a call that was approved and is not the same any more. */
export function approvedCallReply(path: string): ForeignReply {
  const { code, message, hint } = approvedCallChanged(path)
  return `E${JSON.stringify({ kind: 'host', code, message, hint })}`
}
