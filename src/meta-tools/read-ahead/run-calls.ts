// The calls of one run: performs and reports them, and enters them in the ledger in the order of the program, whatever
// the order of their answers. Knows the protocol of reads that run ahead of the program (`+PLACE ` or `?PLACE ` before
// the text of a call), and the meaning of their failures: for the program, everything that it did after the failed call
// did not happen.
//
//   +…   a read outside of every `try`. Its failure ends the program at the call.
//   ?…   a read whose failure the program may catch. If it fails, the program runs once more from its beginning and
//        waits for this read. It makes the earlier calls again, and they get the same answers without being sent.
//
// A guest could forge these marks, but only to hide reads from its own answer: calls of tools that may write are always
// reported.
// Invariant: `ledger`, `logs` and `answered` are those of a run that waits for every call.

import { type Awaitable, after, lastly } from '../../awaitable/index.js'
import {
  answering,
  type CallSent,
  type CallToAdmit,
  isLongCall,
  type NamedFile,
  type NamedFiles,
  type Performed,
  type PerformOptions,
  readQuestion,
  type ToolProgress,
  toolCalled,
} from '../../bindings/index.js'
import {
  type ForeignError,
  type ForeignReply,
  type Language,
  type Reach,
  withoutLoss,
} from '../../interpreter/index.js'
import type { Limits } from '../../sandbox/index.js'
import { approvedCallReply, cutOff, divergedReply, endlessReply, limitReply, pausedReply } from '../ending-replies.js'
import { answerArtifacts, loadNamed } from '../kept-artifacts.js'
import { answerResults } from '../kept-results.js'
import { noValues, type RunValues } from '../kept-values.js'
import { type AnsweredCall, AnsweredCalls } from '../ledger/answered-calls.js'
import { type AsksAbout, type CallInQuestion, type CodePlace, HeldCalls } from '../ledger/held-calls.js'
import type { LedgerEntry, RunLedger } from '../ledger/run-ledger.js'
import type { RunContext } from '../run-context.js'
import type { RunIdentity, RunTeller } from '../run-events.js'
import type { RecordRead } from '../run-result.js'
import { notationOf } from '../tool-files.js'
import { inTurns } from '../turns.js'
import { type MadeCall, MadeCalls } from './made-calls.js'

interface CallsOptions {
  readonly runStarted: number
  readonly limits: Limits
  /** The calls of an earlier run, whose answers are taken over. */
  readonly earlier?: AnsweredCalls | undefined
  /** The program's language, and the notation of answers to its questions about tools. */
  readonly language: Language
  /** The reachable tools: a call of any other ends the run. */
  readonly reach: Reach
  /** True if the run has a listener. It hears of calls, and servers are asked for progress. */
  readonly isWatched: boolean
  /** The values of its caller, if it may keep some. */
  readonly values?: RunValues | undefined
  /** Present if the run may have to be repeated. */
  readonly durable?: DurableRun | undefined
  /** Somebody wants to know where the program makes its calls. */
  readonly onPlaced?: ((callId: string, call: PlacedCall) => void) | undefined
}

/** A call that has begun. `place`: in the program's text, or in the generated code. */
export interface PlacedCall {
  readonly ahead: boolean
  readonly place: { readonly start: number } | CodePlace | undefined
}

interface DurableRun {
  readonly ledger: RunLedger
  /** Decides which tools need approval. */
  readonly asks: AsksAbout
  readonly keepArguments: boolean
  /** The version of starbind that began the run, if it differs. */
  readonly otherVersion: string | undefined
}

/** A call as the guest's channel hands it over. */
interface ArrivedCall {
  /** Counts the calls of one run from 1. */
  readonly id: number
  readonly payload: string
  readonly waits: boolean
  /** See the sandbox's `onCall`. */
  readonly asleep?: (() => Promise<void>) | undefined
}

/**
 * The maximum of answers that are kept for another attempt, in characters. The program counts them too: see
 * prelude/host/sandbox-functions.ts, which has the same figure.
 */
const REPEATABLE_CHARACTERS = 32_000_000

interface Print {
  readonly text: string
  /** The number of the last call before it. */
  readonly after: number
}

export class RunCalls {
  readonly #context: RunContext
  readonly #tell: RunTeller
  readonly #identity: RunIdentity
  readonly #options: CallsOptions
  readonly #lane: PerformOptions['lane']
  /** The number of unanswered calls. */
  #underway = 0
  #nothingUnderway: (() => void) | undefined
  #made = new MadeCalls()
  /** The same calls, by their entries in the run's ledger. */
  readonly #byEntry = new Map<LedgerEntry, MadeCall>()
  /** Calls of earlier attempts that this attempt has not made yet. */
  #known = new AnsweredCalls()
  #writes = 0
  /** The number of calls without a known answer. */
  #answered = 0
  #prints: Print[] = []
  /** The number of reported prints. */
  #told = 0
  #failed: MadeCall | undefined
  /** Reads that are underway, for equal reads that arrive meanwhile. */
  readonly #shared: NonNullable<PerformOptions['shared']> = new Map()
  readonly #seen = new Map<string, 'text' | 'data' | undefined>()
  readonly #writing = new Map<string, boolean>()
  #lastId = 0
  #named = 0
  #keptCharacters = 0
  readonly #reached: ReadonlySet<string>
  /** The reply that ends the run. */
  #ended: ForeignReply | undefined
  /** Consecutive equal calls with equal answers. */
  #alike = newStreak(undefined)
  /** True once the answers exceeded the maximum. */
  #forgets = false
  readonly #held: HeldCalls | undefined
  #paused: readonly CallInQuestion[] | undefined
  /** Ends the run. */
  readonly #stop: AbortController | undefined

  constructor(context: RunContext, tell: RunTeller, identity: RunIdentity, options: CallsOptions) {
    this.#context = context
    this.#tell = tell
    this.#identity = identity
    this.#options = options
    this.#reached = new Set(options.reach.tools.map(({ namespace, member }) => `${namespace}.${member}`))
    this.#lane = context.schedule?.lane()
    const { durable } = options
    durable?.ledger.begin()
    this.#stop = durable && new AbortController()
    this.#held =
      durable &&
      new HeldCalls(durable.ledger, {
        ...durable,
        over: (asked) => this.#endWith(pausedReply(identity.runId, asked), asked),
      })
  }

  /** The reply to a request of the guest: a tool call, or a question about tools and results. */
  answer(arrived: ArrivedCall, signal: AbortSignal): Awaitable<string> {
    const { durable, language } = this.#options
    const reply = durable === undefined ? this.#answer(arrived, signal) : this.#recorded(durable, arrived, signal)
    return language === 'javascript' ? reply : after(reply, withoutLoss)
  }

  /** The same, recorded in the run's ledger, or taken from it. */
  #recorded({ ledger, otherVersion }: DurableRun, arrived: ArrivedCall, signal: AbortSignal): Awaitable<string> {
    if (this.#ended !== undefined) return this.#ended
    const entry = ledger.arrived(arrived.id, arrived.payload)
    if (entry === undefined) return this.#endWith(divergedReply(arrived.payload, otherVersion))
    if (entry.reply !== undefined) return this.#answer(arrived, signal, entry)
    return after(this.#answer(arrived, signal, entry), (reply) => this.#entered(ledger, entry, reply, signal))
  }

  #entered(ledger: RunLedger, entry: LedgerEntry, reply: string, signal: AbortSignal): Awaitable<string> {
    // A call that the end of the run cuts off has no reply.
    const isCutOff = signal.aborted || this.#ended !== undefined
    const made = this.#byEntry.get(entry)
    const given = isCutOff ? reply : ledger.replied(entry, reply as ForeignReply, made?.record)
    if (made?.isOutside) this.#held?.outside(-1)
    return given
  }

  /** The answer, when the kept files that the request names are loaded. */
  #answer(arrived: ArrivedCall, signal: AbortSignal, entry?: LedgerEntry): Awaitable<string> {
    return after(
      loadNamed(arrived.payload, this.#context.vfs),
      (failed) => failed ?? this.#answerLoaded(arrived, signal, entry),
    )
  }

  #answerLoaded(arrived: ArrivedCall, signal: AbortSignal, entry?: LedgerEntry): Awaitable<string> {
    const { id, payload } = arrived
    this.#lastId = id
    if (payload.endsWith(' ')) this.#alike = newStreak(undefined)
    const { bindings, vfs } = this.#context
    const question = readQuestion(payload)
    const notation = notationOf(this.#options)
    const { values } = this.#options
    if (question !== undefined && entry?.reply !== undefined) {
      if (question.module === 'memory.') values?.repeat(question, id, entry.reply)
      return this.#options.durable!.ledger.given(entry)
    }
    if (question?.module === 'memory.') return values === undefined ? noValues() : values.answer(question, id)
    if (question?.module === 'results') return answerResults(question, vfs, notation)
    const { responseBytes } = this.#options.limits
    if (question?.module === 'artifacts')
      return answerArtifacts(question, vfs, { notation, longestReply: responseBytes })
    if (question !== undefined) {
      const options = {
        unavailable: this.#context.unavailable(),
        longestReply: responseBytes,
        notation,
      }
      return inTurns(answering(question, bindings, options))
    }
    return this.#call(arrived, signal, entry)
  }

  /** Takes the program's output. It is reported when no earlier read can fail any more. */
  print(text: string): void {
    if (this.#stop?.signal.aborted) return
    this.#prints.push({ text, after: this.#lastId })
    this.#tellPrints()
  }

  /** Resolves when no call is in flight. */
  async settled(): Promise<void> {
    this.#held?.release(this.#ended ?? cutOff)
    if (this.#underway === 0) return
    await new Promise<void>((resolve) => {
      this.#nothingUnderway = resolve
    })
  }

  /** Aborts when the run has to end although its guest would continue. */
  get stopped(): AbortSignal | undefined {
    return this.#stop?.signal
  }

  /** The calls that a person has to approve before the run can continue; undefined: there are none. */
  get paused(): readonly CallInQuestion[] | undefined {
    return this.#paused
  }

  /** The sent calls, in the order of the program, up to its end. */
  *ledger(): Generator<RecordRead> {
    yield* this.#made.records((call, sent) => this.#isMeant(call, sent))
    for (const { record, writesBefore } of this.#known.left) if (writesBefore === undefined) yield record
  }

  /** The call whose failure ended the program; what came after it did not happen. */
  get end(): number {
    return this.failed?.id ?? Number.POSITIVE_INFINITY
  }

  /** The lines that the program printed, up to where it ended. */
  get logs(): readonly string[] {
    return this.#prints.filter(({ after }) => after < this.end).flatMap(({ text }) => text.split('\n'))
  }

  /** The read that ran ahead and whose failure ended the program. */
  get failed(): MadeCall | undefined {
    return this.#failed
  }

  /**
   * The reply to a call outside the program's reach, or to too many equal calls. It ends the run; the guest can't catch
   * it.
   */
  get ended(): ForeignReply | undefined {
    return this.#ended
  }

  /** The calls that a later program can reuse; none if there were too many answers to keep. */
  answered(which: 'all' | 'succeeded'): AnsweredCall[] {
    if (this.#forgets) return []
    const all = [...this.#answeredOf(this.#meant())]
    return which === 'all' ? all : all.filter(({ record }) => record.ok)
  }

  /**
   * Prepares another attempt, which gets the answers of this one. Returns the number of calls that the program waits for
   * in it, so that it gets beyond the failed read: those with known answers, or all calls if the program made none after
   * that read. Undefined: the program has ended.
   */
  another(): number | undefined {
    const { failed } = this
    if (this.#forgets) return undefined
    if (failed?.ahead !== 'guarded' || !isCatchable(failed.reply!)) return undefined
    const waitsFor = this.#made.isLast(failed) ? Number.MAX_SAFE_INTEGER : this.#lastId
    this.#known = new AnsweredCalls([...this.#answeredOf(this.#made), ...this.#known.left])
    this.#options.durable?.ledger.begin()
    this.#made = new MadeCalls()
    this.#failed = undefined
    this.#prints = []
    this.#lastId = 0
    this.#writes = 0
    this.#keptCharacters = 0
    this.#alike = newStreak(undefined)
    this.#options.values?.rewind()
    return waitsFor
  }

  *#answeredOf(made: Iterable<MadeCall>): Generator<AnsweredCall> {
    for (const call of made) {
      const { sent, record, reply } = call
      if (sent !== undefined && record !== undefined && reply !== undefined)
        yield { record, reply, ...this.#asKnown(call, sent) }
    }
  }

  #asKnown(call: MadeCall, sent: CallSent): Pick<AnsweredCall, 'sent' | 'writesBefore'> {
    return { sent, writesBefore: this.#mayHaveWritten(sent) ? undefined : call.writesBefore }
  }

  /** The calls that a run without reads ahead would have made. */
  *#meant(): Generator<MadeCall> {
    for (const call of this.#made) if (this.#isMeant(call, call.sent)) yield call
  }

  #isMeant({ id }: Pick<MadeCall, 'id'>, sent: ToolNames | undefined): boolean {
    return id <= this.end || this.#mayHaveWritten(sent)
  }

  /** Decides by the tool, because the guest could forge its mark. */
  #mayHaveWritten(sent: ToolNames | undefined): boolean {
    if (sent === undefined) return false
    const { bindings, readsAhead } = this.#context
    const name = `${sent.server}/${sent.tool}`
    let writes = this.#writing.get(name)
    if (writes === undefined) {
      const tool = toolCalled(bindings.servers, sent)?.tool
      writes = tool === undefined || readsAhead?.(sent.server, tool) !== true
      this.#writing.set(name, writes)
    }
    return writes
  }

  /** The form of the tool's answers as it was known at the first call; later answers in this run do not change it. */
  #wasKnown(server: string, tool: string): 'text' | 'data' | undefined {
    const name = `${server}/${tool}`
    if (!this.#seen.has(name)) this.#seen.set(name, this.#context.bindings.observations?.answersOf(server, tool))
    return this.#seen.get(name)
  }

  readonly #seenToAnswer = (server: string, tool: string) => this.#wasKnown(server, tool)

  readonly #keepFile: NonNullable<PerformOptions['keep']> = (name, content, known) => {
    const { vfs } = this.#context
    if (Buffer.byteLength(content) > vfs.artifacts.maxBytes) return undefined
    return vfs.artifact(vfs.keepArtifact(name, content, known))
  }

  readonly #keptFile = (path: string): NamedFile | undefined => {
    const { vfs } = this.#context
    const artifact = vfs.artifact(path)
    const content = artifact && vfs.readBytes(path)
    return content?.length === artifact?.bytes ? artifact && { artifact, content: content! } : undefined
  }

  readonly #keptPaths = (server: string): readonly string[] | undefined => {
    const { vfs, readsKept } = this.#context
    return readsKept?.(server) === true ? vfs.list('results') : undefined
  }

  #reaches(namespace: string, member: string): boolean {
    const { widened } = this.#options.reach
    return widened === 'all' || widened.includes(namespace) || this.#reached.has(`${namespace}.${member}`)
  }

  #tellPrints(): void {
    if (this.#told === this.#prints.length) return
    const end = Math.min(
      this.#failed?.id ?? Number.POSITIVE_INFINITY,
      this.#made.oldestAhead()?.id ?? Number.POSITIVE_INFINITY,
    )
    for (; this.#told < this.#prints.length; this.#told++) {
      const { text, after } = this.#prints[this.#told]!
      if (after >= end) return
      this.#tell({ type: 'print', ...this.#identity, text })
    }
  }

  /** Ends the run, whatever the guest would do. */
  #endWith(reply: ForeignReply, paused?: readonly CallInQuestion[]): ForeignReply {
    this.#ended ??= reply
    this.#paused = paused
    this.#stop?.abort()
    return this.#ended
  }

  #call(arrived: ArrivedCall, signal: AbortSignal, entry: LedgerEntry | undefined): Awaitable<ForeignReply> {
    const { id, payload } = arrived
    const found = MARK.exec(payload)
    const mark = found?.[1]
    const start = found?.[2] ?? ''
    const end = found?.[3] ?? ''
    const isAhead = mark === '+' || mark === '?'
    const text = found === null ? payload : payload.slice(found[0].length)
    const call: MadeCall = {
      id,
      ahead: isAhead ? (mark === '?' ? 'guarded' : 'for good') : undefined,
      writesBefore: this.#writes,
      place: isAhead && start !== '' && end !== '' ? { start: Number(start), end: Number(end) } : undefined,
      entry,
      isAhead,
      isOutside: false,
      sent: undefined,
      record: undefined,
      reply: undefined,
    }
    if (this.#ended !== undefined) return this.#ended
    const made = this.#made
    const index = made.add(call)
    if (entry !== undefined) this.#byEntry.set(entry, call)
    this.#underway++
    const performed = (): Awaitable<ForeignReply> => {
      const codePlace = mark === '@' ? { line: Number(start), column: Number(end) } : undefined
      const reply =
        entry?.reply === undefined
          ? this.#perform(call, arrived, { text, codePlace, signal })
          : this.#repeated(call, entry)
      // The tool of a long call is known later, and calls in the meantime must not count as made before it.
      const mayWrite = isLongCall(text) || this.#mayHaveWritten(call.sent)
      if (call.ahead === undefined && mayWrite) this.#writes++
      return reply
    }
    return lastly(
      () => after(performed(), (reply) => this.#answeredWith(call, reply, signal)),
      () => {
        made.pack(index)
        if (--this.#underway === 0) this.#nothingUnderway?.()
      },
    )
  }

  #answeredWith(call: MadeCall, reply: ForeignReply, signal: AbortSignal): ForeignReply {
    if (call.sent !== undefined && isAlike(call.sent, this.#alike.of)) answeredAlike(this.#alike, reply)
    // A call that the end of the run cuts off did not fail by itself.
    if (!signal.aborted) this.#keep(call, reply)
    if (call.isAhead) {
      call.isAhead = false
      this.#tellPrints()
    }
    return reply
  }

  /** A call from an earlier leg, with its recorded reply. */
  #repeated(call: MadeCall, entry: LedgerEntry): Awaitable<ForeignReply> {
    const { record, call: sent } = entry
    if (sent !== undefined) {
      call.sent = sent
      if (!isAlike(sent, this.#alike.of)) this.#alike = newStreak(sent)
      this.#held?.learn(entry)
      const isKnown = this.#known.take(this.#asKnown(call, sent)) !== undefined
      if (record !== undefined && !isKnown) {
        this.#answered++
        this.#named++
      }
    }
    call.record = record
    return this.#options.durable!.ledger.given(entry)
  }

  // A program may run once more if it has received less than REPEATABLE_CHARACTERS. More than that may be underway to it.
  #keep(call: MadeCall, reply: ForeignReply): void {
    if (reply[0] !== 'E' && this.#forgets) return
    call.reply = reply
    if (reply[0] === 'E' && call.ahead !== undefined && call.id < (this.#failed?.id ?? Number.POSITIVE_INFINITY))
      this.#failed = call
    this.#keptCharacters += reply.length
    const { limits, language } = this.#options
    const onItsWay = language === 'javascript' ? 0 : 2 * (limits.memoryBytes + limits.responseBytes)
    const isMuch = this.#keptCharacters > REPEATABLE_CHARACTERS + onItsWay
    if (!isMuch || this.failed?.ahead === 'guarded') return
    this.#forgets = true
    this.#made.dropReplies()
  }

  #readLong(
    callText: string,
    files: NamedFiles | undefined,
    signal: AbortSignal,
  ): ReturnType<NonNullable<PerformOptions['readLongCall']>> {
    const { bindings, desk, group } = this.#context
    const turn = { signal, ...(group === undefined ? {} : { group }) }
    return desk.readCall(callText, bindings, { notation: notationOf(this.#options), files, ...turn })
  }

  #perform(call: MadeCall, arrived: ArrivedCall, { text, codePlace, signal }: ReadCall): Awaitable<ForeignReply> {
    const { bindings, caller, unavailable, coalesceReads, callTimeoutMs, resultForm } = this.#context
    const { isWatched, limits, runStarted } = this.#options
    const course: Course = {
      callId: '',
      codePlace,
      known: undefined,
      isTooMany: false,
      isOutOfReach: false,
      isAdmitted: false,
    }
    const { entry } = call
    const held = entry === undefined ? undefined : this.#held
    const performed = bindings.perform(text, caller, {
      signal,
      limits,
      notation: notationOf(this.#options),
      runStarted,
      keep: this.#keepFile,
      keptFile: this.#keptFile,
      keptPaths: this.#keptPaths,
      known: this.#seenToAnswer,
      lane: this.#lane,
      timeoutMs: callTimeoutMs,
      resultForm,
      readLongCall: (long, files) => this.#readLong(long, files, signal),
      unavailable,
      reaches: (namespace, member) => {
        course.isOutOfReach = !this.#reaches(namespace, member)
        return !course.isOutOfReach
      },
      onAccept: (sent) => this.#accepted(call, sent),
      onProgress: isWatched
        ? ({ server, tool }: CallSent, progress: ToolProgress) =>
            this.#tell({ type: 'call.progress', ...this.#identity, callId: course.callId, server, tool, ...progress })
        : undefined,
      onSend: (sent) => {
        this.#tellStarted(call, course, sent)
        return entry && this.#options.durable?.ledger.sending(entry, !this.#mayHaveWritten(sent))
      },
      admit:
        held &&
        ((sent: CallToAdmit) => {
          course.isAdmitted = true
          const asleep = arrived.waits ? atOnce : arrived.asleep
          const mayWrite = this.#mayHaveWritten(sent)
          const refusal = held.admit({ entry: entry!, mayWrite, codePlace, asleep }, sent)
          if (refusal === undefined) {
            call.isOutside = true
            held.outside(1)
          } else this.#options.earlier?.end()
          return refusal
        }),
      recall: (sent) => this.#recall(call, course, sent),
      shared: coalesceReads === true && call.ahead !== undefined ? this.#shared : undefined,
    })
    return after(performed, (outcome) => this.#performed(call, course, outcome))
  }

  #accepted(call: MadeCall, sent: CallSent): void {
    call.sent = sent
    if (call.entry !== undefined) call.entry.call ??= sent
    if (!isAlike(sent, this.#alike.of)) this.#alike = newStreak(sent)
    this.#wasKnown(sent.server, sent.tool)
  }

  #tellStarted({ ahead, place }: MadeCall, { callId, codePlace }: Course, sent: CallSent): void {
    if (this.#options.isWatched) this.#tell({ type: 'call.started', ...this.#identity, callId, ...sent })
    this.#options.onPlaced?.(callId, { ahead: ahead !== undefined, place: codePlace ?? place })
  }

  /** The reply to a call that need not or must not be sent. */
  #recall(call: MadeCall, course: Course, sent: CallSent): ForeignReply | undefined {
    const asked = this.#asKnown(call, sent)
    course.known = this.#known.take(asked)
    if (course.known !== undefined) return course.known.reply
    course.callId = `${this.#identity.runId}/${++this.#named}`
    const { toolCalls } = this.#options.limits
    course.isTooMany = ++this.#answered > toolCalls || this.#alike.count >= MOST_ALIKE
    if (this.#answered > toolCalls) return limitReply('toolCalls', toolCalls)
    if (course.isTooMany) {
      this.#ended ??= endlessReply(this.#context.bindings, sent, MOST_ALIKE)
      return this.#ended
    }
    const before = this.#options.earlier?.take(asked)
    if (before !== undefined) this.#tellStarted(call, course, sent)
    return before?.reply
  }

  #performed(call: MadeCall, course: Course, { reply, record }: Performed): ForeignReply {
    const { callId, known, isTooMany, isOutOfReach, isAdmitted } = course
    const { entry } = call
    if (isOutOfReach) this.#ended ??= reply
    if (entry?.approval !== undefined && !isAdmitted && entry.approval.answer !== 'deny')
      return this.#endWith(approvedCallReply(`${entry.call?.server}.${entry.call?.tool}`))
    if (known !== undefined) call.record = known.record
    if (record === undefined || known !== undefined || isTooMany) return reply
    call.record = record
    const { server, tool } = record
    if (this.#options.isWatched) this.#tell({ type: 'call.finished', ...this.#identity, callId, server, tool, record })
    return reply
  }
}

type ToolNames = Pick<CallSent, 'server' | 'tool'>

/** A call without the mark in front of it. */
interface ReadCall {
  readonly text: string
  readonly codePlace: CodePlace | undefined
  readonly signal: AbortSignal
}

/** The progress of one call. */
interface Course {
  /** Empty if another attempt has made the call. */
  callId: string
  readonly codePlace: CodePlace | undefined
  /** The call of that attempt. */
  known: AnsweredCall | undefined
  isTooMany: boolean
  isOutOfReach: boolean
  /** True if it was decided whether a person has to approve the call. */
  isAdmitted: boolean
}

/** The mark of a call that the program ran ahead of, or whose place is wanted, or both. */
const MARK = /^([+?@])(\d{0,9})[-:]?(\d{0,9}) (?:@\d{1,9}:\d{1,9} )?/

const atOnce = async (): Promise<void> => {}

/** A program that makes more equal calls with equal answers is not waiting for a change. */
const MOST_ALIKE = 100

interface Streak {
  readonly of: CallSent | undefined
  reply: ForeignReply | undefined
  count: number
}

function newStreak(of: CallSent | undefined): Streak {
  return { of, reply: undefined, count: 0 }
}

function isAlike(a: CallSent, b: CallSent | undefined): boolean {
  return b !== undefined && a.argumentDigest === b.argumentDigest && a.tool === b.tool && a.server === b.server
}

/** Different answers mean that the program polls for a change. */
function answeredAlike(streak: Streak, reply: ForeignReply): void {
  streak.count = streak.reply === reply ? streak.count + 1 : 1
  streak.reply = reply
}

/** True if the program may catch this failure. */
function isCatchable(reply: ForeignReply): boolean {
  const { kind } = JSON.parse(reply.slice(1)) as ForeignError
  return kind === 'tool' || kind === 'program' || kind === 'denied'
}
