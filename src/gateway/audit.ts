// The audit log: one line of JSON for each call that somebody wanted to make, however it ended. Knows what is in a line and the file that it goes to;
// old files are put away and the oldest thrown away.
// Invariant: no secret that is known here is ever written, and arguments only where that was asked for.

import path from 'node:path'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import { ExactInteger, exactText } from '../bindings/index.js'
import type { AuditSettings } from './configuration/index.js'
import type { Log } from './log.js'

export interface AuditLine {
  /** Who: the name of a key or of a session. */
  readonly caller: string
  /** The digest of the program that made the call; absent when the caller made it itself. */
  readonly program?: string | undefined
  readonly server: string
  readonly tool: string
  /** `answered`, `failed` (the tool said so), or the code of what was in the way. */
  readonly outcome: string
  readonly ms: number
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

const MAX_BYTES = 10_000_000
const KEEP_FILES = 10
/** Names of arguments whose values are nobody's business. */
const SECRET_NAME = /pass(word|phrase|wd)|secret|token|api[-_]?key|authorization|credential|private[-_]?key/i

export class Audit {
  readonly #settings: AuditSettings
  readonly #stream: RotatingFileStream
  readonly #redact: (text: string) => string

  /** `redact` takes out of a text every secret that is known. */
  constructor(settings: AuditSettings, redact: (text: string) => string, log: Log) {
    const { file, maxBytes = MAX_BYTES, keepFiles = KEEP_FILES } = settings
    this.#settings = settings
    this.#redact = redact
    this.#stream = createStream(path.basename(file), {
      path: path.dirname(file),
      size: `${maxBytes}B`,
      rotate: keepFiles,
      mode: 0o600,
    })
    const complain = (error: Error) =>
      log({ level: 'error', message: `the audit log can't be written: ${error.message}` })
    this.#stream.on('error', complain)
    this.#stream.on('warning', complain)
  }

  write({ arguments: args, ...line }: AuditLine): void {
    const given = this.#settings.arguments === true && args !== undefined ? { arguments: withoutSecrets(args) } : {}
    const whole = { time: new Date().toISOString(), ...line, ms: Math.round(line.ms), ...given }
    this.#stream.write(`${this.#redact(exactText(JSON.stringify(whole)))}\n`)
  }

  /** Resolves when every line is in the file. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#stream.once('close', resolve)
      this.#stream.end()
    })
  }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null || value instanceof ExactInteger) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_NAME.test(name) ? '[hidden]' : withoutSecrets(inner)]),
  )
}
