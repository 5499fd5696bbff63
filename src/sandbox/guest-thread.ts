// One worker thread, seen from the host: started, made a guest of some image, lent to one run at a time, ended. Knows the protocol with the worker;
// what happens during a run is `hosted-run.ts`, who gets the thread is `pool.ts`.
// Invariant: a thread that broke the protocol, failed or was terminated never runs anything again.

import { Worker } from 'node:worker_threads'
import type { HostChannel } from './channel.js'
import { newChannelMemory } from './channel-memory.js'
import { SharedHostChannel } from './host-end.js'
import type { HostedRun } from './hosted-run.js'
import type { ImageEntry } from './image-library.js'
import { type HostMessage, readWorkerMessage, type WorkerMessage, type WorkerSettings } from './protocol.js'

export interface ThreadOptions {
  readonly maxMemoryBytes: number
  /** The most stack that any run may ask for. */
  readonly maxStackBytes: number
}

// QuickJS's C code needs up to 27 times as much of the thread's stack as it uses of its own (deeply nested source text is the worst). The memory
// is reserved, and used only by a run that goes that deep.
const THREAD_STACK_FACTOR = 32
const MIB = 1024 * 1024

export class GuestThread {
  readonly channel: HostChannel
  /** Resolves when the thread is no more. */
  readonly gone: Promise<void>
  readonly #worker: Worker
  readonly #engine: Promise<void>
  #entry: ImageEntry | undefined
  #run: HostedRun | undefined
  #runs = 0
  #alive = true
  #swollen = false
  #expected: { resolve: (message: WorkerMessage) => void; reject: (error: Error) => void } | undefined

  constructor(compiled: Promise<WebAssembly.Module>, options: ThreadOptions) {
    const channelMemory = newChannelMemory()
    const workerData: WorkerSettings = { channelMemory, maxMemoryBytes: options.maxMemoryBytes }
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
        stackSizeMb: Math.max(4, Math.ceil((options.maxStackBytes * THREAD_STACK_FACTOR) / MIB)),
        // The guest's own memory is not counted here; this is for texts on their way through.
        maxOldGenerationSizeMb: 512,
      },
    })
    this.channel = new SharedHostChannel(channelMemory, (message) => this.post(message))
    this.#worker.on('message', (raw: unknown) => this.#receive(raw))
    this.#worker.on('messageerror', () => this.#fail(new Error('a message of the worker could not be read')))
    this.#worker.on('error', (error: Error) => this.#fail(error))
    this.gone = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#fail(new Error('the worker ended'))
        resolve()
      })
    })
    this.#engine = compiled.then((module) => this.post({ kind: 'engine', compiled: module }))
    this.#engine.catch((error: Error) => this.#fail(error))
  }

  get alive(): boolean {
    return this.#alive
  }

  /** The image it is a guest of. */
  get entry(): ImageEntry | undefined {
    return this.#entry
  }

  /** True when a program has run in it. */
  get used(): boolean {
    return this.#runs > 0
  }

  /** Makes it a guest of this image. */
  async become(entry: ImageEntry): Promise<void> {
    if (this.#entry === entry) return
    this.#entry = undefined
    await this.#engine
    const state = await entry.stateOrTurn()
    try {
      const became = this.#next('became')
      this.post({ kind: 'become', ...(state === undefined ? { image: entry.image } : { state }) })
      const { state: built } = (await became) as WorkerMessage & { kind: 'became' }
      if (state === undefined) entry.built(built)
      this.#entry = entry
    } catch (error) {
      if (state === undefined) entry.failed()
      throw error
    }
  }

  /** True when a run took so much memory or stack that the thread holds on to it. */
  get swollen(): boolean {
    return this.#swollen
  }

  /** Lends the thread to a run. Resolves when the guest is pristine again; rejects when the thread is lost. */
  async lend(start: (thread: GuestThread, number: number) => HostedRun): Promise<void> {
    this.#runs++
    const idle = this.#next('idle')
    this.channel.reset()
    this.#run = start(this, this.#runs)
    try {
      const { grew } = (await idle) as WorkerMessage & { kind: 'idle' }
      this.#swollen ||= grew
    } finally {
      this.#run = undefined
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

  /** Ends the thread, whatever it is doing. */
  async terminate(): Promise<void> {
    this.#alive = false
    await this.#worker.terminate()
  }

  #next(kind: WorkerMessage['kind']): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      if (!this.#alive) reject(new Error('the worker is gone'))
      const done = (message: WorkerMessage): void => {
        if (message.kind === kind) resolve(message)
        else
          reject(
            new Error(
              message.kind === 'failed' ? message.message : `the worker sent ${message.kind} instead of ${kind}`,
            ),
          )
      }
      this.#expected = { resolve: done, reject }
    })
  }

  #receive(raw: unknown): void {
    if (!this.#alive) return
    const message = readWorkerMessage(raw)
    if (message === undefined || message.kind === 'ended') {
      if (this.#run === undefined) this.#fail(new Error('the worker sent a message that is none'))
      else if (message === undefined) this.#run.announced(raw)
      else this.#run.ended(message)
      return
    }
    const wrongTurn = message.kind === 'idle' && (message.run !== this.#runs || this.#run?.over !== true)
    const expected = this.#expected
    this.#expected = undefined
    if (wrongTurn || expected === undefined) this.#fail(new Error(`the worker sent ${message.kind} out of order`))
    else expected.resolve(message)
    if (message.kind === 'failed') this.#fail(new Error(message.message))
  }

  #fail(error: Error): void {
    const wasAlive = this.#alive
    this.#alive = false
    this.#expected?.reject(error)
    this.#expected = undefined
    this.#run?.lost(error)
    if (wasAlive) void this.#worker.terminate()
  }
}
