// The audit log: one line of JSON for each attempted call, however it ended.
// Invariant: no known secret is written, and arguments only if the configuration requests them.

import { ExactInteger, exactText } from '../bindings/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import { AuditFile } from './audit-file.js'
import type { AuditSettings } from './configuration/index.js'
import type { Log } from './log.js'
import { auditUnwritable } from './messages.js'

interface AuditLine {
  /** The caller: the name of a key or of a session. */
  readonly caller: string
  /** The digest of the program that made the call; absent for direct calls. */
  readonly program?: string | undefined
  readonly server: string
  readonly tool: string
  /** `answered`, `failed` (the tool's own answer), or the code of the obstacle. */
  readonly outcome: string
  readonly ms: number
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** Names of arguments with secret values. */
const SECRET_NAME = /pass(word|phrase|wd)|secret|token|api[-_]?key|authorization|credential|private[-_]?key/i

export class Audit {
  readonly #settings: AuditSettings
  readonly #file: AuditFile
  readonly #redact: (text: string) => string

  /** `redact` removes every known secret from a text. */
  constructor(settings: AuditSettings, redact: (text: string) => string, log: Log) {
    this.#settings = settings
    this.#redact = redact
    this.#file = new AuditFile(settings, log)
  }

  /** Rejects with a DiagnosticError if the call must not be made because it can't be recorded. */
  async admit(called: Pick<AuditLine, 'server' | 'tool'>): Promise<void> {
    if (this.#settings.required === false) return
    const fault = await this.#file.fault()
    if (fault !== undefined) throw new DiagnosticError(auditUnwritable(called, fault))
  }

  write({ arguments: args, ...line }: AuditLine): void {
    const given = this.#settings.arguments === true && args !== undefined ? { arguments: withoutSecrets(args) } : {}
    const whole = { time: new Date().toISOString(), ...line, ms: Math.round(line.ms), ...given }
    this.#file.write(`${this.#redact(exactText(JSON.stringify(whole)))}\n`)
  }

  /** Resolves when all lines are written or have failed. */
  close(): Promise<void> {
    return this.#file.close()
  }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null || value instanceof ExactInteger) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_NAME.test(name) ? '[hidden]' : withoutSecrets(inner)]),
  )
}
