// The host's view of one worker thread. It has seats, each with a channel: one where guests block their thread, many
// where they are suspended. hosted-run.ts handles a run, pool.ts assigns seats.
//
// Runs that share a thread share its end. If it ends because of one run, the others move to another thread if possible,
// or end with a message. If one guest computes in native code without yielding, the thread's turns stop: it gets no
// more runs, and the others are moved.
// Invariant: a thread that broke the protocol, failed or was terminated never runs anything again.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { newChannelMemory } from './channel-memory.js'
import { type Notice, SharedHostChannel } from './host-end.js'
import { type HostedRun, type RunPlace, YOUNG_MS } from './hosted-run.js'
import type { ImageEntry } from './image-library.js'
import { Later } from './later.js'
import { ParkedThreads } from './parked-threads.js'
import {
  type HostMessage,
  type Practice,
  type RunStart,
  readWorkerMessage,
  type WorkerMessage,
  type WorkerSettings,
} from './protocol.js'
import { NATIVE_STACK_FACTOR } from './quickjs.js'
import { WatchedWork } from './thread-clock.js'
import { newTurnMemory, turnNow } from './turns.js'

export interface ThreadOptions {
  readonly maxMemoryBytes: number
  /** The maximum stack of a run. */
  readonly maxStackBytes: number
  /** Guests are suspended while they wait, if the runtime supports it. */
  readonly suspends: boolean
  /** The most runs at once where guests are suspended. */
  readonly runsPerWorker: number
  /** Another sandbox may have the thread next. */
  readonly handsOn: boolean
}

/** How a seat was returned. `displaced`: its run continues in another thread. */
export type Return = 'over' | 'displaced'

const OPTIONS = ['maxMemoryBytes', 'maxStackBytes', 'suspends', 'runsPerWorker', 'handsOn'] as const
const MIB = 1024 * 1024
/** A thread keeps more memory than this only while large runs go on. */
const LARGE_BYTES = 8 * MIB
/**
 * The interval at which the turns of a thread are checked. A thread without progress between two checks blocks its
 * other runs.
 */
const LOOK_MS = 250
/** The time in which a computing guest must notice a request to stop. */
const NOTICE_MS = 100

const isParallel = availableParallelism() > 1

export const parkedGuestThreads = new ParkedThreads<GuestThread>()

export class GuestThread {
  onGone = (): void => {}
  /** For its runs. */
  readonly later = new Later(YOUNG_MS)
  /** Resolves when the thread has ended. */
  readonly gone: Promise<void>
  readonly #worker: Worker
  readonly #options: ThreadOptions
  readonly #turnMemory = newTurnMemory()
  readonly #ready: Promise<void>
  readonly #images = new Map<ImageEntry, Promise<number>>()
  /** The numbers of the images that it has learned. */
  readonly #numbers = new Map<ImageEntry, number>()
  readonly #expected = new Map<string, { resolve: (message: WorkerMessage) => void; reject: (error: Error) => void }>()
  readonly #seats: Seat[] = []
  readonly #free: Seat[] = []
  #suspends = false
  #work = new WatchedWork(undefined)
  #runs = 0
  #load = 0
  #alive = true
  #isSlow = false
  /** The time at which the last run that took much memory or stack ended. */
  #grewAt: number | undefined
  #stalled = false
  /** The thread evaluates an image. This may end the thread, so it gets no runs meanwhile. */
  #building = false
  #terminated: Promise<void> | undefined
  #look: NodeJS.Timeout | undefined
  #lastTurn = -1
  /** Set to 1 to end the practice. */
  readonly #endPractice = new Int32Array(new SharedArrayBuffer(4))
  #practised = false

  constructor(compiled: Promise<WebAssembly.Module>, options: ThreadOptions) {
    this.#options = options
    const { maxMemoryBytes, suspends } = options
    const workerData: WorkerSettings = { maxMemoryBytes, suspends, turnMemory: this.#turnMemory }
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      name: 'starbind guest',
      workerData,
      // Nothing of this process is passed on: no environment, no arguments, no options, no streams.
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: {
        stackSizeMb: Math.max(4, Math.ceil((options.maxStackBytes * NATIVE_STACK_FACTOR) / MIB)),
        // The guest's own memory is not counted here; this is for texts on their way through.
        maxOldGenerationSizeMb: 512,
        // Little that a run makes in the thread's own heap outlives it, and V8 would keep 48 MB for it.
        maxYoungGenerationSizeMb: 2,
      },
    })
    this.#worker.on('message', (raw: unknown) => this.#receive(raw))
    this.#worker.on('messageerror', () => this.fail(new Error('a message of the worker could not be read')))
    this.#worker.on('error', (error: Error) => this.fail(error))
    this.gone = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.fail(new Error('the worker ended'))
        this.#work.close()
        resolve()
        this.onGone()
      })
    })
    const ready = this.#next('ready')
    compiled.then((module) => this.post({ kind: 'engine', compiled: module })).catch((error: Error) => this.fail(error))
    this.#ready = ready.then((message) => this.#begun(message as WorkerMessage & { kind: 'ready' }))
    this.#ready.catch(() => undefined)
  }

  get alive(): boolean {
    return this.#alive
  }

  /** The number of runs in this thread. */
  get load(): number {
    return this.#load
  }

  /** The number of free seats. */
  get room(): number {
    return this.#alive && !this.#stalled && !this.#building ? this.capacity - this.#load : 0
  }

  /** The number of seats; known once the thread has an image. */
  get capacity(): number {
    return this.#suspends ? this.#options.runsPerWorker : 1
  }

  /** True if the thread has or had a guest of this image. */
  knows(entry: ImageEntry): boolean {
    return this.#images.has(entry)
  }

  /** True if a program has run in this thread, or is about to. */
  get used(): boolean {
    return this.#runs > 0 || this.#load > 0
  }

  /** True if a run took so much time that the system keeps the thread slow. */
  get isSlow(): boolean {
    return this.#isSlow
  }

  /** The time at which the last run ended that took so much memory or stack that the thread keeps it. */
  get grewAt(): number | undefined {
    return this.#grewAt
  }

  /** True if the thread is slow or has grown, and should not go to another owner. */
  get worn(): boolean {
    return this.#isSlow || this.#grewAt !== undefined
  }

  /** The processor time of the run; undefined if unknown, or if the thread has several runs. */
  get computedMs(): number | undefined {
    return this.#work.computedMs
  }

  /** True if one guest blocks all others. */
  get stalled(): boolean {
    return this.#stalled
  }

  /** True if the guest blocks the thread while it waits for a reply. */
  get waits(): boolean {
    return !this.#suspends && this.#seats.some((seat) => seat.waits)
  }

  /** Gives the thread guests of this image, and resolves with the number of the image. */
  async become(entry: ImageEntry): Promise<number> {
    const known = this.#images.get(entry) ?? this.#learn(entry)
    this.#images.set(entry, known)
    try {
      return await known
    } catch (error) {
      this.#images.delete(entry)
      throw error
    }
  }

  /** Runs code for nobody, unless a run comes first; the run ends it. */
  async practise(entry: ImageEntry, practice: Practice): Promise<void> {
    const image = await this.#images.get(entry)
    if (image === undefined || this.used || this.#practised) return
    this.#practised = true
    this.post({ kind: 'practise', image, stop: this.#endPractice, ...practice })
  }

  /**
   * Lends a seat to a run, at once if the image is known. Resolves when the seat is free again; `start` may decline.
   */
  async lend(entry: ImageEntry, start: (place: RunPlace, number: number) => HostedRun | undefined): Promise<Return> {
    this.#load++
    Atomics.store(this.#endPractice, 0, 1)
    try {
      const image = this.#numbers.get(entry) ?? (await this.become(entry))
      const seat = this.#free.pop() ?? this.#newSeat()
      this.#work.begin()
      return await seat.lent(start, ++this.#runs, image)
    } finally {
      if (!this.#work.end()) this.#isSlow = true
      this.#load--
      if (this.#load === 0) this.#lookAway()
    }
  }

  post(message: HostMessage): void {
    if (this.#alive) this.#worker.postMessage(message)
  }

  /** A thread that is not referenced does not keep the process alive. */
  reference(on: boolean): void {
    if (on) this.#worker.ref()
    else this.#worker.unref()
  }

  /** True if threads with these options are like this one. */
  hasOptions(options: ThreadOptions): boolean {
    return OPTIONS.every((name) => this.#options[name] === options[name])
  }

  /**
   * Forgets its owner. False: it has a run, or has failed or grown, and no other owner may have it. Guests are pristine
   * anyway; the next owner's runs get channels of their own.
   */
  leave(): boolean {
    const isFree = this.room === this.capacity && this.#free.length === this.#seats.length
    if (!this.#options.handsOn || !isFree || this.worn) return false
    this.#seats.length = 0
    this.#free.length = 0
    Atomics.store(this.#endPractice, 0, 1)
    this.post({ kind: 'leave' })
    this.reference(false)
    return true
  }

  async end(): Promise<void> {
    await this.terminate()
    await this.gone
  }

  /** Terminates the thread. */
  terminate(): Promise<void> {
    this.#alive = false
    this.#lookAway()
    this.#terminated ??= this.#worker.terminate().then(() => undefined)
    return this.#terminated
  }

  /**
   * The thread can no longer be used. `culprit` is the seat whose run is to blame; default: the one that has the turn.
   */
  fail(error: Error, culprit?: Seat): void {
    const wasAlive = this.#alive
    this.#alive = false
    this.#lookAway()
    for (const expected of this.#expected.values()) expected.reject(error)
    this.#expected.clear()
    const blamed = culprit ?? (this.#suspends ? this.#seats[turnNow(this.#turnMemory).seat ?? -1] : undefined)
    for (const seat of this.#seats) seat.lose(error, seat === blamed || !this.#suspends)
    if (wasAlive) void this.terminate()
  }

  /** The run in this seat is over for the host. If the guest does not notice in time, its thread is terminated. */
  async abandon(seat: Seat): Promise<void> {
    if (!this.#suspends) return this.terminate()
    const run = seat.occupant
    if (run === undefined) return
    // A guest without the turn notices when it gets it. The next run in the seat is not to blame.
    for (let turn = turnNow(this.#turnMemory); turn.seat === seat.number && seat.occupant === run; ) {
      await new Promise((resolve) => setTimeout(resolve, NOTICE_MS))
      const later = turnNow(this.#turnMemory)
      if (later.count === turn.count && later.seat === seat.number && seat.occupant === run) {
        this.fail(new Error('the worker was ended'), seat)
        await this.gone
      }
      turn = later
    }
  }

  /** Checks at intervals that turns change. */
  watchTurns(): void {
    if (!this.#suspends || this.#look !== undefined) return
    this.#lastTurn = -1
    this.#look = setInterval(() => {
      const { count, seat } = turnNow(this.#turnMemory)
      if (seat !== undefined && count === this.#lastTurn && this.#load > 1) this.#stall(this.#seats[seat]!)
      this.#lastTurn = count
    }, LOOK_MS)
    this.#look.unref()
  }

  #stall(holder: Seat): void {
    this.#stalled = true
    for (const seat of this.#seats) if (seat !== holder) seat.displace()
  }

  #lookAway(): void {
    clearInterval(this.#look)
    this.#look = undefined
  }

  #begun({ suspends, problem, thread }: WorkerMessage & { kind: 'ready' }): void {
    this.#suspends = suspends
    this.#work = new WatchedWork(thread)
    if (problem !== undefined) warnOnce(problem)
  }

  async #learn(entry: ImageEntry): Promise<number> {
    const number = this.#images.size
    this.#building = !entry.ready
    await this.#ready
    const state = await entry.stateOrTurn()
    try {
      const became = this.#next(`became ${number}`)
      this.post({
        kind: 'become',
        image: number,
        lookUp: entry.image.lookUp,
        ...(state === undefined ? { source: entry.image } : { state }),
      })
      const { state: built } = (await became) as WorkerMessage & { kind: 'became' }
      if (state === undefined) entry.built(built)
      this.#building = false
      this.#numbers.set(entry, number)
      return number
    } catch (error) {
      if (state === undefined) entry.failed()
      throw error
    }
  }

  #newSeat(): Seat {
    const seat = new Seat(this, this.#seats.length, (free) => this.#free.push(free))
    this.#seats.push(seat)
    return seat
  }

  #next(what: string): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      if (this.#alive) this.#expected.set(what, { resolve, reject })
      else reject(new Error('the worker is gone'))
    })
  }

  #receive(raw: unknown): void {
    if (!this.#alive) return
    const message = readWorkerMessage(raw)
    if (message === undefined) return this.fail(new Error('the worker sent a message that is none'))
    switch (message.kind) {
      case 'ready':
      case 'became': {
        const what = message.kind === 'ready' ? 'ready' : `became ${message.image}`
        const expected = this.#expected.get(what)
        this.#expected.delete(what)
        if (expected === undefined) this.fail(new Error(`the worker sent ${message.kind} out of order`))
        else expected.resolve(message)
        return
      }
      case 'failed':
        return this.fail(new Error(message.message))
      default: {
        const seat = this.#seats[message.seat]
        if (seat?.received(message) !== true) this.fail(new Error(`the worker sent ${message.kind} out of order`), seat)
        else if (message.kind === 'idle' ? message.grew : isLarge(message)) this.#grewAt = performance.now()
      }
    }
  }
}

/** True for the end of a run that took memory which its thread should not keep for long, although it is zeroed. */
function isLarge(message: WorkerMessage): boolean {
  return message.kind === 'ended' && message.stats.memoryBytes > LARGE_BYTES
}

/** A place in a thread for one run at a time. */
class Seat implements RunPlace {
  readonly isParallel = isParallel
  readonly number: number
  readonly channel: SharedHostChannel
  readonly #thread: GuestThread
  readonly #freed: (seat: Seat) => void
  #run: HostedRun | undefined
  #runNumber = 0
  #image = 0
  /** The worker has not freed the seat since the last run. */
  #occupied = false
  #settle: ((how: Return) => void) | undefined

  constructor(thread: GuestThread, number: number, freed: (seat: Seat) => void) {
    const channelMemory = newChannelMemory()
    this.number = number
    this.#thread = thread
    this.#freed = freed
    this.channel = new SharedHostChannel(channelMemory, (notice: Notice) =>
      thread.post(notice.kind === 'wake' ? number : { ...notice, seat: number }),
    )
    thread.post({ kind: 'seat', seat: number, channelMemory })
  }

  /** The number of the run whose guest is here; undefined: none. */
  get occupant(): number | undefined {
    return this.#occupied ? this.#runNumber : undefined
  }

  get waits(): boolean {
    return this.#run?.waits === true
  }

  get shared(): boolean {
    return this.#thread.capacity > 1
  }

  get computedMs(): number | undefined {
    return this.#thread.computedMs
  }

  get later(): Later {
    return this.#thread.later
  }

  lent(
    start: (place: RunPlace, number: number) => HostedRun | undefined,
    runNumber: number,
    image: number,
  ): Promise<Return> {
    this.#runNumber = runNumber
    this.#image = image
    return new Promise((resolve) => {
      this.#settle = resolve
      this.channel.reset()
      this.#run = start(this, runNumber)
      if (this.#run === undefined) this.#over('over')
    })
  }

  begin(start: RunStart, isAlone: boolean): void {
    this.#occupied = true
    this.#thread.post({ kind: 'run', seat: this.number, run: this.#runNumber, image: this.#image, ...start })
    this.channel.begun(isAlone)
    this.#thread.watchTurns()
  }

  abandon(): Promise<void> {
    return this.#thread.abandon(this)
  }

  async condemn(): Promise<void> {
    this.#thread.fail(new Error('the worker was ended'), this)
  }

  /** A message of the worker for this seat. False: the message is not allowed now. */
  received(message: WorkerMessage & { kind: 'notice' | 'ended' | 'idle' }): boolean {
    const run = this.#run
    if (message.kind === 'idle') return this.#freedBy(message.run)
    // Messages of a displaced run are ignored.
    if (run === undefined && !this.#occupied) return false
    if (message.kind === 'notice') run?.announced(message.notice)
    else {
      run?.ended(message)
      if (message.isFree) return this.#freedBy(message.run)
    }
    return true
  }

  /** The worker has made the guest of a run pristine, or does so before anything else. */
  #freedBy(run: number): boolean {
    if (!this.#occupied || run !== this.#runNumber || this.#run?.over === false) return false
    this.#occupied = false
    this.#over('over')
    return true
  }

  /** The thread has ended. */
  lose(error: Error, blamed: boolean): void {
    if (this.#run === undefined) return
    this.#occupied = false
    if (!blamed && this.displace()) return
    this.#run.lost(blamed ? error : new Error(INNOCENT))
    this.#over('over')
  }

  /** Continues the run in another thread, if possible. */
  displace(): boolean {
    if (this.#run?.detach() !== true) return false
    this.channel.stop()
    this.#over('displaced')
    return true
  }

  #over(how: Return): void {
    this.#run = undefined
    if (!this.#occupied) this.#freed(this)
    this.#settle?.(how)
    this.#settle = undefined
  }
}

const INNOCENT = 'another run ended the worker that it shared, and what it has received is too much to run it again'

let warned = false

function warnOnce(problem: string): void {
  if (!warned) process.emitWarning(`runs that wait for tools hold a thread each: ${problem}`, 'StarbindWarning')
  warned = true
}
