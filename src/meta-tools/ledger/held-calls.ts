// The calls of a run that wait for a person. Concurrent calls are asked about together: the first call that needs an
// answer is held until its guest sleeps, together with every later call that may write. Then nothing more is sent, sent
// calls are awaited, and the run ends for now.
// Invariant: a held call has not been made, and neither has any later call of the program that may write.

import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type CallToAdmit, errorReply, isSafeToRepeat, type Tool } from '../../bindings/index.js'
import type { ForeignReply } from '../../interpreter/index.js'
import { approvedCallReply } from '../ending-replies.js'
import { approvalDenied } from '../messages.js'
import type { Approval, QuestionedCall } from './approval.js'
import { type LedgerEntry, placeOf, type RunLedger } from './run-ledger.js'

/** Decides whether a tool needs approval. `server` is the name in the configuration. */
export type AsksAbout = (server: string, tool: Tool) => boolean

/** The rule of callers without rules; no tool needs to be looked at. */
export const asksNobody: AsksAbout = () => false

/** The reply function of a held call. */
interface HoldableCall {
  readonly entry: LedgerEntry
  readonly mayWrite: boolean
  /** The place of the call in the generated code, if the guest reported it. */
  readonly codePlace: CodePlace | undefined
  /** Resolves when the guest is blocked without a reply; absent if that is unknown. */
  readonly asleep: (() => Promise<void>) | undefined
}

export interface CodePlace {
  readonly line: number
  readonly column: number
}

/** A call that needs a person's answer; its line is found later. */
export interface CallInQuestion extends Omit<QuestionedCall, 'line'> {
  readonly codePlace: CodePlace | undefined
}

/** The time in which a guest must send its calls, if its sleep can't be observed. */
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
  /** The number of sent calls without an answer. */
  #outside = 0
  #nothingOutside: (() => void) | undefined

  /** `over` receives the questions when no call is in flight, and returns the reply that ends the run. */
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

  /** Decides on a call; undefined: it may be made. */
  admit(call: HoldableCall, sent: CallToAdmit): ForeignReply | undefined | Promise<ForeignReply | undefined> {
    const { entry } = call
    const { approval, call: before } = entry
    this.#ledger.accepted(entry, sent, sent.argumentText)
    if (this.#isClosing) return this.#held()
    // The approved call was sent once, so the approval is used up.
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

  /** Takes over the answer in a repeated entry. */
  learn({ approval, call }: LedgerEntry): void {
    if (approval?.answer === 'run' && call !== undefined) this.#granted.add(nameOf(call))
  }

  /** A call is sent (1) or has ended (-1). */
  outside(change: 1 | -1): void {
    this.#outside += change
    if (this.#outside === 0) this.#nothingOutside?.()
  }

  /** Releases the held calls, because the run ends. */
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

/** The digest of a tool's input schema. */
function schemaDigest({ inputSchema }: Tool): string {
  return createHash('sha256').update(JSON.stringify(inputSchema)).digest('base64').slice(0, 22)
}

function pathOf({ bound }: CallToAdmit): string {
  return `${bound.server.name}.${bound.name}`
}

function deniedReply(call: CallToAdmit, { reason }: Approval): ForeignReply {
  const { code, message } = approvalDenied(pathOf(call), reason)
  const { server, name } = call.bound
  return errorReply({ kind: 'denied', code, message, server: server.name, tool: name })
}
