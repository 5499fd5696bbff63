// SQLite, with libsql, in a process of its own: a statement can't be stopped from outside of its thread, and a process
// can.
// Invariant: a statement that takes too long, or that nobody waits for any more, ends with its process.

import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { goneProcess, killProcess, startProcess } from '../own-process.js'
import { Failure } from '../tool.js'
import type { SqliteAnswer, SqliteTask } from './sqlite-process.js'
import { pointing, requireQuery } from './statement.js'
import type { Question, Stored } from './store.js'

interface SqliteOptions {
  readonly file: string
  readonly timeoutMs: number
  readonly write: boolean
}

/** Throws an Error that says, for people, what is missing. */
export function openSqlite(options: SqliteOptions): Stored {
  if (!existsSync(options.file)) throw new Error(`there is no file ${options.file}`)
  try {
    createRequire(import.meta.url).resolve('libsql')
  } catch {
    throw new Error('it needs a package that is not installed; run: npm install libsql')
  }
  return new Sqlite(options)
}

interface Waiting {
  readonly task: SqliteTask
  readonly signal: AbortSignal
  readonly resolve: (json: string) => void
  readonly reject: (failure: Failure) => void
}

/** Statements that wait for their turn. */
const MOST_WAITING = 256

class Sqlite implements Stored {
  readonly kind = 'SQLite'
  readonly #options: SqliteOptions
  readonly #waiting: Waiting[] = []
  #child: ChildProcess | undefined
  #current: Waiting | undefined
  #release: () => void = () => {}

  constructor(options: SqliteOptions) {
    this.#options = options
  }

  rows({ sql, parameters, limit, signal }: Question): Promise<string> {
    requireQuery(sql, this.#options.write)
    return this.#ask({ kind: 'rows', sql, parameters, limit }, signal)
  }

  execute({ sql, parameters, signal }: Omit<Question, 'limit'>): Promise<string> {
    return this.#ask({ kind: 'execute', sql, parameters }, signal)
  }

  tables(signal: AbortSignal): Promise<string> {
    return this.#ask({ kind: 'tables' }, signal)
  }

  describe(name: string, signal: AbortSignal): Promise<string> {
    return this.#ask({ kind: 'describe', name }, signal)
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new Failure('it was cancelled'))
    const child = this.#child
    this.#finish((current) => current.reject(new Failure('it was cancelled')))
    this.#kill()
    if (child !== undefined) await goneProcess(child)
  }

  #ask(task: SqliteTask, signal: AbortSignal): Promise<string> {
    if (this.#waiting.length >= MOST_WAITING) throw new Failure('too many calls are waiting')
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, signal, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== undefined) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    if (next.signal.aborted) {
      next.reject(new Failure('it was cancelled'))
      return this.#next()
    }
    const { timeoutMs } = this.#options
    this.#current = next
    const end = (why: string) => {
      this.#kill()
      this.#finish(({ reject }) => reject(new Failure(why)))
    }
    const cancel = () => end('it was cancelled')
    const timer = setTimeout(() => end(`it took longer than ${timeoutMs / 1000} seconds`), timeoutMs)
    next.signal.addEventListener('abort', cancel, { once: true })
    this.#release = () => {
      clearTimeout(timer)
      next.signal.removeEventListener('abort', cancel)
    }
    this.#child ??= this.#start()
    this.#child.send(next.task)
  }

  #start(): ChildProcess {
    const { file, write } = this.#options
    const module = fileURLToPath(new URL('./sqlite-process.js', import.meta.url))
    const child = startProcess(module, [file, String(write)])
    child.on('message', (answer: SqliteAnswer) => {
      if (child !== this.#child) return
      if (answer.isLast) this.#child = undefined
      this.#finish((current) => settle(current, answer))
    })
    const lost = () => {
      if (child !== this.#child) return
      this.#child = undefined
      this.#finish(({ reject }) => reject(new Failure('it needed too much memory, or its process was ended')))
    }
    child.once('error', lost)
    child.once('exit', lost)
    return child
  }

  #finish(end: (current: Waiting) => void): void {
    const current = this.#current
    if (current === undefined) return
    this.#current = undefined
    this.#release()
    end(current)
    this.#next()
  }

  #kill(): void {
    const child = this.#child
    this.#child = undefined
    if (child !== undefined) killProcess(child)
  }
}

function settle({ task, resolve, reject }: Waiting, answer: SqliteAnswer): void {
  if ('json' in answer) return resolve(answer.json)
  reject(new Failure('sql' in task ? placed(answer.words, task.sql) : answer.words))
}

/** The database names what it could not read, but not where: it is marked if it is there only once. */
function placed(words: string, sql: string): string {
  const named = /near "(.+?)": syntax error|no such (?:column|table|function): (\S+)/s.exec(words)
  const token = named?.[1] ?? named?.[2]
  if (token === undefined) return words
  const at = sql.indexOf(token)
  return at < 0 || sql.indexOf(token, at + 1) >= 0 ? words : pointing(words, sql, at)
}
