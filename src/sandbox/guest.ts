// One guest: an engine, its pristine state and its current run. Calls go through a GuestChannel.
// Invariant: between runs the guest's memory equals the image's snapshot, byte for byte.

import { type Awaitable, after } from '../awaitable/index.js'
import type { ArrivedReply, GuestChannel } from './channel.js'
import type { GuestImage, Lookups } from './contract.js'
import { GuestCalls } from './guest-calls.js'
import { hardeningSource, LONGEST_FLAT } from './hardening.js'
import type { Limits } from './limits.js'
import { type HostTables, type Rewrite, RunLookups, rewriteText } from './lookups.js'
import { Meter, RunStopped } from './meter.js'
import { findBreak, PristineMemory, type Snapshot, takeSnapshot } from './pristine-memory.js'
import { Engine, type ValueAddress } from './quickjs.js'
import { readText, type Text, textOf } from './text.js'
import type { Clock } from './thread-clock.js'
import type { Pace } from './turns.js'

/** A resting guest of some image: the state that a worker needs to become that guest. */
export interface ImageState extends Functions {
  readonly snapshot: Snapshot
  readonly runtime: number
  readonly context: number
}

/** The sandbox's own functions in the guest. */
interface Functions {
  readonly flatten: ValueAddress
  readonly describe: ValueAddress
}

/** How a run ended inside the guest. */
export type GuestEnd =
  | { readonly kind: 'completed'; readonly payload: string }
  | { readonly kind: 'threw'; readonly name: string; readonly message: string; readonly stack: string }
  /** `stack`: the program's place, if it could be determined. */
  | { readonly kind: 'stopped'; readonly reason: RunStopped['reason']; readonly stack?: string }
  | { readonly kind: 'broken'; readonly message: string }

export interface GuestStats {
  readonly runMs: number
  readonly callWaitMs: number
  readonly memoryBytes: number
}

const PAGE_BYTES = 64 * 1024
/**
 * Linear memory beyond the snapshot that a guest starts with. Untouched pages cost nothing, but the collector of the
 * thread counts them, and where there are many guests it would run all the time.
 */
const SLACK_BYTES = 16 * 1024 * 1024
const SHARED_SLACK_BYTES = 1024 * 1024
/** A guest whose run took more than this is replaced and not restored. */
const RESTORE_BYTES = 32 * 1024 * 1024
/** The same where guests share a thread, which keeps several of them: zeroed memory still takes room. */
const SHARED_RESTORE_BYTES = 8 * 1024 * 1024
/** Linear memory of an engine in which an image is built. */
const BUILD_BYTES = 32 * 1024 * 1024
/**
 * Below the stack limit QuickJS's own frames continue; this much above it already counts as an overflow. See
 * `#stackOverflowed`.
 */
const STACK_MARGIN_BYTES = 4096

/** How long an image may be evaluated. */
const BUILD_MS = 30_000

/** The functions that an image finds, by the numbers under which the engine calls them. */
const hostFunctions = {
  hostCall: 1,
  hostPrint: 2,
  hostSend: 3,
  hostReceive: 4,
  hostReceiveAny: 5,
  hostLookUp: 6,
  hostReceiveLines: 7,
  hostRewrite: 8,
} as const

/** Evaluates an image in a new engine and keeps the result. Throws the image's exception. */
export async function buildImage(compiled: WebAssembly.Module, image: GuestImage): Promise<ImageState> {
  const refuse = (what: string): never => {
    throw new Error(`the guest image ${image.name} ${what}`)
  }
  const deadline = performance.now() + BUILD_MS
  let asked = 0
  const engine = await Engine.start(compiled, newMemory(BUILD_BYTES, BUILD_BYTES), {
    call: () => refuse('calls the host while it is evaluated'),
    interrupt: () => {
      asked++
      return performance.now() > deadline ? refuse('takes too long to evaluate') : false
    },
    grow: () => refuse('needs too much memory'),
  })
  const breakAddress = findBreak(engine)
  const date = image.date === true
  const { runtime, context } = engine.createContext({ date })
  engine.setMaxStackBytes(1024 * 1024)
  await engine.checkCounter(() => asked)
  await engine.checkFlat(LONGEST_FLAT)
  const globals = engine.globalObject()
  for (const [name, number] of Object.entries(hostFunctions)) {
    if (number === hostFunctions.hostRewrite && image.lookUp === undefined) continue
    engine.setProperty(globals, name, engine.newHostFunction(name, 1, number))
  }
  // The texts would take up to a third of the image, and nothing uses them.
  await engine.leaveTextsOut()
  const own = await engine.evaluate(hardeningSource(date), 'sandbox.js')
  if (engine.exceptionOf(own) !== 0) throw new Error('this build of QuickJS cannot be hardened')
  const state = {
    runtime,
    context,
    flatten: engine.property(own, 'flatten'),
    describe: engine.property(own, 'describe'),
  }
  const thrown = engine.exceptionOf(await engine.evaluate(image.source, 'prelude.js')) || (await engine.runJobs())
  if (thrown !== 0) {
    const { name, message, stack } = await description(engine, state, thrown)
    refuse(`can't be evaluated: ${name}: ${message}\n${stack}`)
  }
  engine.keepTexts()
  engine.collectLater()
  return { ...state, snapshot: takeSnapshot(engine, breakAddress) }
}

/** The parts of its thread that a run uses. */
interface RunSurroundings {
  /** The guest has its turn now, and shares the thread. */
  readonly pace?: Pace | undefined
  /** How long the run has lasted already, without computing. */
  readonly lateMs?: number
  readonly clock?: Clock
  readonly tables?: HostTables | undefined
  /** The recorded lookups of an earlier run. */
  readonly lookups?: Lookups | undefined
}

export class Guest {
  readonly #engine: Engine
  readonly #state: ImageState
  readonly #pristine: PristineMemory
  readonly #hooks: RunHooks
  readonly #restoreBytes: number

  private constructor(engine: Engine, state: ImageState, hooks: RunHooks, restoreBytes: number) {
    this.#engine = engine
    this.#state = state
    this.#hooks = hooks
    this.#restoreBytes = restoreBytes
    this.#pristine = new PristineMemory(engine, state.snapshot)
    this.#pristine.restore(NOTHING)
    engine.adoptContext(state)
  }

  /**
   * A guest in its own memory. `maxMemoryBytes`: the most that any run may add. `canSuspend`: it may be run with a
   * pace.
   */
  static async create(
    compiled: WebAssembly.Module,
    state: ImageState,
    maxMemoryBytes: number,
    canSuspend = false,
  ): Promise<Guest> {
    const { heapEnd } = state.snapshot
    const slack = canSuspend ? SHARED_SLACK_BYTES : SLACK_BYTES
    const memory = newMemory(heapEnd + slack, heapEnd + Math.max(slack, maxMemoryBytes))
    const hooks = new RunHooks()
    const engine = await Engine.start(compiled, memory, hooks, canSuspend)
    return new Guest(engine, state, hooks, canSuspend ? SHARED_RESTORE_BYTES : RESTORE_BYTES)
  }

  /**
   * Runs a program from beginning to end. Afterwards the guest must be restored, or dropped when it grew.
   */
  async run(
    code: string,
    limits: Limits,
    channel: GuestChannel,
    { pace, lateMs = 0, clock, tables, lookups: earlier }: RunSurroundings = {},
  ): Promise<{ end: GuestEnd; stats: GuestStats; lookups: Lookups | undefined }> {
    const engine = this.#engine
    const meter = new Meter(limits, performance.now(), { lateMs, clock, sharesThread: pace !== undefined })
    const lookups = new RunLookups(tables?.lookUp, earlier)
    channel.away(meter.awayMs, undefined)
    this.#reserveBeyond(limits.memoryBytes)
    // Memory that does not have to grow for it can be full of cyclic garbage before the first later collection.
    if (limits.memoryBytes / 2 <= SLACK_BYTES) engine.collectOften()
    engine.setMaxStackBytes(limits.stackBytes + STACK_MARGIN_BYTES)
    this.#hooks.begin({
      engine,
      state: this.#state,
      meter,
      limits,
      channel,
      calls: new GuestCalls(channel, meter, limits),
      lookups,
      rewrite: tables?.rewrite,
      pace,
      allowedBytes: this.#pristine.limitFor(limits.memoryBytes),
      collectBeyond: this.#pristine.limitFor(limits.memoryBytes / 2),
    })
    let end = await attempt(() => this.#evaluate(code))
    const runMs = meter.runMs(performance.now())
    const { interrupted } = this.#hooks
    if (interrupted !== undefined && end.kind !== 'stopped')
      end = {
        kind: 'stopped',
        reason: interrupted,
        ...(end.kind === 'threw' && end.stack !== '' ? { stack: end.stack } : {}),
      }
    if (end.kind !== 'stopped' && this.#hooks.stackOverflowed()) end = { kind: 'stopped', reason: 'stackBytes' }
    this.#hooks.end()
    const memoryBytes = Math.max(0, this.#pristine.heapGrowthBytes() - this.#reserved)
    return { end, stats: { runMs, callWaitMs: meter.waitedMs, memoryBytes }, lookups: lookups.recorded }
  }

  /** How much memory the run in this guest left behind. `grown`: too much to make the guest pristine again. */
  footprint(): 'small' | 'grown' {
    return this.#pristine.heapGrowthBytes() - this.#reserved > this.#restoreBytes ? 'grown' : 'small'
  }

  /** Makes the guest pristine again. Not for a guest whose memory has grown. */
  restore(): void {
    this.#pristine.restore(this.#untouched)
    this.#untouched = NOTHING
  }

  /** For tests: the address of the first byte that is not pristine, or -1. */
  firstDifference(): number {
    return this.#pristine.firstDifference()
  }

  #untouched: { start: number; end: number } = NOTHING

  // A limit below the memory that a guest starts with is kept by taking the rest away: one block that is allocated and
  // never written. So there is a single place where a run meets its limit, the growth of linear memory, and meeting it
  // can't go unnoticed.
  #reserveBeyond(limitBytes: number): void {
    const spare = this.#engine.memory.buffer.byteLength - this.#pristine.limitFor(limitBytes)
    if (spare <= PAGE_BYTES) return
    const start = this.#engine.allocate(spare - PAGE_BYTES)
    this.#untouched = { start, end: start + spare - PAGE_BYTES }
  }

  get #reserved(): number {
    return this.#untouched.end - this.#untouched.start
  }

  async #evaluate(code: string): Promise<GuestEnd> {
    const engine = this.#engine
    let result = await engine.evaluate(code, 'program.js')
    const thrown = engine.exceptionOf(result) || (await engine.runJobs())
    if (thrown !== 0) return this.#describe(thrown)
    const settled = engine.settled(result)
    if (settled?.state === 'pending') return threw('Error', 'the program waits for something that never happens')
    if (settled?.state === 'rejected') return this.#describe(settled.value)
    result = settled?.value ?? result
    if (engine.isFunction(result)) {
      const last = await this.#stepping(result)
      if (typeof last !== 'number') return last
      result = last
    }
    if (!engine.isString(result)) return threw('TypeError', 'the program did not end with a string')
    const payload = await flat(engine, this.#state, result)
    this.#hooks.checkResult(payload)
    return { kind: 'completed', payload: readText(payload) }
  }

  /** Calls the program's step function until it returns something, with pending jobs in between. */
  async #stepping(step: ValueAddress): Promise<ValueAddress | GuestEnd> {
    const engine = this.#engine
    while (true) {
      const result = await engine.call(step, engine.undefinedValue())
      const thrown = engine.exceptionOf(result) || (await engine.runJobs())
      if (thrown !== 0) return this.#describe(thrown)
      if (!engine.isUndefined(result)) return result
      engine.free(result)
      await this.#hooks.interrupt()
    }
  }

  async #describe(thrown: ValueAddress): Promise<GuestEnd> {
    this.#hooks.tell()
    return { kind: 'threw', ...(await description(this.#engine, this.#state, thrown)) }
  }
}

function threw(name: string, message: string): GuestEnd {
  return { kind: 'threw', name, message, stack: '' }
}

const NOTHING = { start: 0, end: 0 }

interface RunContext {
  readonly engine: Engine
  readonly state: ImageState
  readonly meter: Meter
  readonly limits: Limits
  readonly channel: GuestChannel
  readonly calls: GuestCalls
  readonly lookups: RunLookups
  readonly rewrite: Rewrite | undefined
  readonly pace: Pace | undefined
  readonly allowedBytes: number
  /** Memory that grows beyond this is worth a search for cyclic garbage. */
  readonly collectBeyond: number
}

/** The time in which the engine must leave an interrupted program and report its place. */
const LEAVING_MS = 20

/**
 * The engine's callbacks while a program runs. A program whose time is over is interrupted: the engine leaves it
 * without running any handler, and knows its place. If it is not left soon, it is stopped from outside, like programs
 * that reach other limits.
 */
class RunHooks {
  #run: RunContext | undefined
  #interruptedAt = 0
  #tells = false
  /** The limit on time that the program has met. */
  interrupted: 'wallMs' | 'cpuMs' | undefined

  begin(run: RunContext): void {
    this.#run = run
    this.interrupted = undefined
    this.#tells = false
  }

  /** The program has ended; from now on the engine works for the sandbox. */
  tell(): void {
    this.#tells = true
  }

  end(): void {
    this.#run = undefined
  }

  call(host: number, value: number): Awaitable<number> {
    try {
      const given = this.#called(host, value)
      return given instanceof Promise ? given.catch((error: unknown) => this.#overInCall(error)) : given
    } catch (error) {
      return this.#overInCall(error)
    }
  }

  /** A program whose time is over while it waits gets nothing, and is left before it can tell. */
  #overInCall(error: unknown): number {
    if (!(error instanceof RunStopped) || (error.reason !== 'wallMs' && error.reason !== 'cpuMs')) throw error
    if (this.interrupted !== undefined) throw error
    this.interrupted = error.reason
    this.#interruptedAt = performance.now()
    this.#current().engine.askSoon()
    return 0
  }

  #called(host: number, value: number): Awaitable<number> {
    const { engine, meter, calls, lookups, rewrite } = this.#current()
    // A promise has turned the interruption into a rejection, whose handler now runs.
    if (this.interrupted !== undefined) throw new RunStopped(this.interrupted)
    if (host === hostFunctions.hostSend) {
      const sent = calls.send(engine.flatText(value), false)
      return sent instanceof Promise ? sent.then(() => 0) : 0
    }
    const given = (text: Text | undefined): number => (text === undefined ? 0 : engine.newText(text))
    if (host === hostFunctions.hostReceiveLines) return after(calls.receiveLines(engine.intOf(value)), given)
    if (host === hostFunctions.hostReceive) return after(calls.receive(engine.intOf(value)), given)
    const text = engine.flatText(value)
    switch (host) {
      case hostFunctions.hostCall:
        return after(
          after(calls.send(text, true), (id) => calls.receive(id)),
          given,
        )
      case hostFunctions.hostReceiveAny:
        return after(calls.receiveAny(), (reply) => (reply === undefined ? 0 : engine.newText(labelled(reply))))
      case hostFunctions.hostPrint:
        meter.countPrinted(text)
        return after(calls.print(text), () => 0)
      case hostFunctions.hostLookUp:
        return this.#answered({ answer: lookups.answer(readText(text)), counts: true })
      case hostFunctions.hostRewrite:
        return this.#answered(rewriteText(rewrite, text))
      default:
        throw new Error('a host function was called that does not exist')
    }
  }

  /** An answer from the host's module. The engine does not count the time for this. */
  #answered({ answer, counts }: { answer: string | undefined; counts: boolean }): Awaitable<number> {
    const { engine } = this.#current()
    return after(counts && this.interrupt(), (isOver) => {
      if (isOver) engine.askSoon()
      return answer === undefined ? 0 : engine.newText(textOf(answer))
    })
  }

  /** True: the engine is to leave the program. */
  interrupt(): Awaitable<boolean> {
    const { pace } = this.#current()
    const now = performance.now()
    if (this.#isOver(now)) return !this.#tells
    return pace?.due(now) ? this.#park(pace, now) : false
  }

  /** Lets the other guests of the thread compute. */
  async #park(pace: Pace, now: number): Promise<boolean> {
    const { channel, meter } = this.#current()
    const left = meter.leave(now)
    channel.away(meter.awayMs, left)
    pace.leave()
    await pace.enter()
    const back = performance.now()
    meter.comeBack(back, 'parked')
    channel.away(meter.awayMs, undefined)
    return this.#isOver(back) && !this.#tells
  }

  /** True if the run's time is over. */
  #isOver(now: number): boolean {
    const { channel, meter } = this.#current()
    if (this.interrupted !== undefined) {
      if (now - this.#interruptedAt > LEAVING_MS) throw new RunStopped(this.interrupted)
      return true
    }
    if (channel.stopRequested()) throw new RunStopped('outside')
    if (this.stackOverflowed()) throw new RunStopped('stackBytes')
    const away = meter.awayMs
    this.interrupted = meter.timeOver(now)
    // Not every system shows the host that the thread had no processor.
    if (meter.awayMs !== away) channel.away(meter.awayMs, undefined)
    this.#interruptedAt = now
    return this.interrupted !== undefined
  }

  grow(bytes: number): number {
    const { allowedBytes, collectBeyond, engine } = this.#current()
    if (bytes > allowedBytes) throw new RunStopped('memoryBytes')
    if (bytes > collectBeyond) engine.collectSoon()
    return allowedBytes
  }

  checkResult(payload: Text): void {
    this.#current().meter.checkResult(payload)
  }

  // QuickJS answers an overflow with an error that a program can catch. Making that error happens below the limit of
  // the stack, where nothing else is written, so a trace of it stays in memory and is found at the next poll or at the
  // end. The margin above the limit catches frames of functions with up to some hundred variables, which fail before
  // they reach it. A single function with thousands of variables can still catch its own overflow: that is an ordinary
  // error and does no harm.
  stackOverflowed(): boolean {
    const { engine, limits } = this.#current()
    const { words, stackTop } = engine
    const limit = (stackTop - limits.stackBytes) >>> 2
    for (let i = limit - (STACK_MARGIN_BYTES >>> 2) * 2; i < limit; i++) if (words[i] !== 0) return true
    return false
  }

  #current(): RunContext {
    if (this.#run === undefined) throw new Error('the guest acts outside a run')
    return this.#run
  }
}

/** Runs guest code and reads how it came back: by itself, stopped by a hook, or broken. */
async function attempt(evaluate: () => Promise<GuestEnd>): Promise<GuestEnd> {
  try {
    return await evaluate()
  } catch (error) {
    if (error instanceof RunStopped) return { kind: 'stopped', reason: error.reason }
    // The thread's own stack is made large enough for QuickJS's limit to be met first; where it is not, this is the
    // same overflow.
    if (error instanceof RangeError && /call stack/.test(error.message))
      return { kind: 'stopped', reason: 'stackBytes' }
    return { kind: 'broken', message: error instanceof Error ? error.message : String(error) }
  }
}

/** The text of a thrown value. */
async function description(
  engine: Engine,
  state: Functions,
  thrown: ValueAddress,
): Promise<{ name: string; message: string; stack: string }> {
  const words = await engine.call(state.describe, engine.undefinedValue(), thrown)
  if (engine.exceptionOf(words) !== 0 || !engine.isString(words)) {
    return { name: 'InternalError', message: 'what was thrown could not be read', stack: '' }
  }
  const text = readText(await flat(engine, state, words))
  const [lengths, nameLength, messageLength] = /^(\d+) (\d+) /.exec(text) ?? ['', '0', '0']
  const middle = lengths.length + Number(nameLength)
  const end = middle + Number(messageLength)
  return { name: text.slice(lengths.length, middle), message: text.slice(middle, end), stack: text.slice(end) }
}

/** A reply, preceded by the number of its call. */
function labelled({ id, text: { wide, bytes } }: ArrivedReply): Text {
  const label = Buffer.from(`${id} `, wide ? 'utf16le' : 'latin1')
  return { wide, bytes: Buffer.concat([label, bytes]) }
}

/** The text of a guest string in one piece. */
async function flat(engine: Engine, state: Functions, value: ValueAddress): Promise<Text> {
  if (!engine.isRope(value)) return engine.textOf(value)
  return engine.textOf(await engine.call(state.flatten, engine.undefinedValue(), value))
}

function newMemory(bytes: number, maxBytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: pages(bytes), maximum: pages(maxBytes) })
}

function pages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES)
}
