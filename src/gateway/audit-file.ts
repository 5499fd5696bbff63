// The audit log's file: appends lines in order and rotates old files. While a disk is full or a folder is missing, a
// bounded number of lines waits and is written later.
// Invariant: each line is written whole and once, no write blocks for ever, and symbolic links in the file's place are
// not followed.

import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { AuditSettings } from './configuration/index.js'
import type { Log } from './log.js'
import { within } from './transports/transport.js'

const MAX_BYTES = 10_000_000
const KEEP_FILES = 10
/** Lines that wait while the file can't be written. */
const WAITING_MAX_BYTES = 4_000_000
const BATCH_BYTES = 256_000
const CLOSE_MS = 2000
/** Opening a pipe does not wait for its reader. */
const HOW =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

export class AuditFile {
  readonly #settings: AuditSettings
  readonly #log: Log
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** The number of lines that did not fit into the buffer. */
  #lost = 0
  #handle: FileHandle | undefined
  #bytes = 0
  #isPlain = true
  #fault: string | undefined
  #writing: Promise<void> | undefined

  constructor(settings: AuditSettings, log: Log) {
    this.#settings = settings
    this.#log = log
    this.#begin()
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#waitingBytes + bytes.length > WAITING_MAX_BYTES) {
      this.#lost++
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#fault === undefined) this.#begin()
  }

  /** The current obstacle to writing; undefined if there is none. */
  async fault(): Promise<string | undefined> {
    if (this.#handle !== undefined && this.#fault === undefined) return undefined
    this.#begin()
    await within(CLOSE_MS, this.#writing ?? Promise.resolve())
    return this.#fault
  }

  /** Resolves when all lines are written or have failed. */
  async close(): Promise<void> {
    this.#begin()
    await within(CLOSE_MS, this.#writing ?? Promise.resolve())
    const left = this.#waiting.length + this.#lost
    if (left > 0) this.#log({ level: 'error', message: `${left} lines of the audit log could not be written` })
    await within(CLOSE_MS, this.#handle?.close().catch(() => {}) ?? Promise.resolve())
    this.#handle = undefined
  }

  #begin(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      if (this.#fault === undefined && this.#waiting.length > 0) this.#begin()
    })
  }

  async #writeAll(): Promise<void> {
    try {
      do {
        await this.#reach()
        if (this.#waiting.length > 0) await this.#writeSome()
      } while (this.#waiting.length > 0)
      if (this.#fault !== undefined) this.#log({ level: 'warn', message: 'the audit log can be written again' })
      this.#fault = undefined
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (this.#fault === undefined)
        this.#log({ level: 'error', message: `the audit log can't be written: ${message}` })
      this.#fault = code ?? message
      const handle = this.#handle
      this.#handle = undefined
      await handle?.close().catch(() => {})
    }
  }

  /** Opens the file that is at the path now. */
  async #reach(): Promise<void> {
    const { file } = this.#settings
    const own = await this.#handle?.stat()
    const there = own && (await stat(file).catch(() => undefined))
    if (own !== undefined && own.ino === there?.ino && own.dev === there.dev) return
    await this.#handle?.close()
    this.#handle = undefined
    await mkdir(path.dirname(file), { recursive: true })
    this.#handle = await open(file, HOW, 0o600)
    const found = await this.#handle.stat()
    this.#bytes = found.size
    this.#isPlain = found.isFile()
  }

  async #writeSome(): Promise<void> {
    const { maxBytes = MAX_BYTES } = this.#settings
    const first = this.#waiting[0]!.length
    if (this.#isPlain && this.#bytes > 0 && this.#bytes + first > maxBytes) await this.#putAway()
    let [count, bytes] = [1, first]
    for (const line of this.#waiting.slice(1)) {
      const all = bytes + line.length
      if (all > BATCH_BYTES || (this.#isPlain && this.#bytes + all > maxBytes)) break
      count++
      bytes = all
    }
    const { bytesWritten } = await this.#handle!.write(Buffer.concat(this.#waiting.slice(0, count)))
    this.#bytes += bytesWritten
    this.#forget(bytesWritten)
  }

  /** Removes the written part from the waiting lines, which may end within a line. */
  #forget(bytes: number): void {
    this.#waitingBytes -= bytes
    let [count, rest] = [0, bytes]
    while (rest > 0 && rest >= this.#waiting[count]!.length) rest -= this.#waiting[count++]!.length
    this.#waiting.splice(0, count)
    if (rest > 0) this.#waiting[0] = this.#waiting[0]!.subarray(rest)
  }

  async #putAway(): Promise<void> {
    const { file, keepFiles = KEEP_FILES } = this.#settings
    await this.#handle?.close()
    this.#handle = undefined
    for (let number = keepFiles - 1; number >= 1; number--)
      await rename(`${file}.${number}`, `${file}.${number + 1}`).catch(() => {})
    await (keepFiles > 0 ? rename(file, `${file}.1`) : rm(file))
    await this.#reach()
  }
}
