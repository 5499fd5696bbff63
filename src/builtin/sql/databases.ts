// The databases of queries, each in a process of its own while its query lasts.
// Invariant: a query that takes too long or too much memory, or that nobody waits for any more, ends with its process.

import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { goneProcess, killProcess, startProcess } from '../own-process.js'
import { Failure } from '../tool.js'
import { type Database, tooLarge } from './database.js'
import type { DatabaseAnswer, DatabaseMethod, DatabaseRequest } from './database-process.js'

/** Queries at once; more wait for their turn. */
const MOST_OPEN = 4
/** Processes that are kept for later queries. */
const MOST_IDLE = 1
/** The memory that the database counts, and as much again for the process and for what it does not count. */
const MOST_BYTES = 1024 * 1024 * 1024
const LOOK_MS = 50

type Method<M extends DatabaseMethod> = (...given: Parameters<Database[M]>) => ReturnType<Database[M]>

export class Databases {
  readonly #timeoutMs: number
  readonly #idle: ChildProcess[] = []
  readonly #open = new Set<ProcessDatabase>()
  readonly #waiting: (() => void)[] = []
  #places = MOST_OPEN
  #isClosed = false

  /** `timeoutMs`: the most time of all statements of a query. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** An empty database, which ends when the signal aborts. The caller gives it back. */
  async open(signal: AbortSignal): Promise<ProcessDatabase> {
    while (this.#places === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#places--
    const child = this.#idle.pop() ?? this.#start()
    const database = new ProcessDatabase(child, signal, this.#timeoutMs)
    this.#open.add(database)
    return database
  }

  /** Resolves when the database reads nothing any more. */
  async release(database: ProcessDatabase): Promise<void> {
    const { child } = database
    const isUsable = await database.close()
    this.#open.delete(database)
    if (isUsable && !this.#isClosed && this.#idle.length < MOST_IDLE) this.#idle.push(child)
    else killProcess(child)
    this.#places++
    this.#waiting.shift()?.()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const database of this.#open) database.end('it was cancelled')
    const idle = this.#idle.splice(0)
    for (const child of idle) killProcess(child)
    await Promise.all(idle.map(goneProcess))
  }

  #start(): ChildProcess {
    const child = startProcess(fileURLToPath(new URL('./database-process.js', import.meta.url)))
    child.once('exit', () => {
      const at = this.#idle.indexOf(child)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return child
  }
}

/** The database in another process. */
export class ProcessDatabase {
  readonly syntaxOf = this.#method('syntaxOf')
  readonly giveRows = this.#method('giveRows')
  readonly lock = this.#method('lock')
  readonly giveFiles = this.#method('giveFiles')
  readonly columns = this.#method('columns')
  readonly copy = this.#method('copy')
  readonly rows = this.#method('rows')
  readonly child: ChildProcess
  readonly #release: () => void
  /** Why no statement may begin any more. */
  #over: string | undefined
  #settle: (answer: DatabaseAnswer) => void = () => {}

  constructor(child: ChildProcess, signal: AbortSignal, timeoutMs: number) {
    this.child = child
    const cancel = () => this.end('it was cancelled')
    const timer = setTimeout(() => this.end(`it took longer than ${timeoutMs / 1000} seconds`), timeoutMs)
    const answer = (given: DatabaseAnswer) => this.#settle(given)
    const lost = () => this.end('its process was ended')
    const look = setInterval(() => residentBytes(child) > MOST_BYTES && this.end(tooLarge), LOOK_MS)
    signal.addEventListener('abort', cancel, { once: true })
    child.on('message', answer)
    child.once('exit', lost)
    child.once('error', lost)
    this.#release = () => {
      clearTimeout(timer)
      clearInterval(look)
      signal.removeEventListener('abort', cancel)
      child.off('message', answer)
      child.off('exit', lost)
      child.off('error', lost)
    }
    if (signal.aborted) cancel()
  }

  /** Ends the query that is underway, and lets none begin. */
  end(why: string): void {
    if (this.#over !== undefined) return
    this.#over = why
    killProcess(this.child)
    this.#settle({ words: why })
  }

  /** Resolves when the database reads nothing more: to whether its process can be used again. */
  async close(): Promise<boolean> {
    if (this.#over === undefined) await this.#ask({ method: 'close' }).catch(() => {})
    this.#release()
    if (this.#over === undefined) return true
    await goneProcess(this.child)
    return false
  }

  #method<M extends DatabaseMethod>(method: M): Method<M> {
    return ((...given: Parameters<Database[M]>) => this.#ask({ method, given } as DatabaseRequest)) as Method<M>
  }

  async #ask(request: DatabaseRequest): Promise<unknown> {
    if (this.#over !== undefined) throw new Failure(this.#over)
    const answer = await new Promise<DatabaseAnswer>((resolve) => {
      this.#settle = resolve
      this.child.send(request, (error) => error && this.end('its process was ended'))
    })
    if ('words' in answer) throw new Failure(answer.words)
    return answer.value
  }
}

/** The memory of a process; 0 where the system does not tell. */
function residentBytes({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
