// Redaction of secrets.
//
// Logs and messages hide all values from the environment. Results and stubs hide credentials only: a folder name from a
// variable is a secret to a log, but a program needs intact paths in results.
// Invariant: where one secret contains another, nothing of the longer one remains.

import type { Awaitable } from '../awaitable/index.js'
import { roughBytes } from './depth.js'
import { Turns } from './reading/json-in-turns.js'

const HIDDEN = '[hidden]'
/** Shorter texts occur everywhere by chance. */
const SECRET_MIN = 4
const CREDENTIAL_MIN = 6

export class Secrets {
  readonly #secrets: readonly string[]
  readonly #credentials: readonly string[]
  /** Later secrets, such as refreshed tokens. */
  readonly #later: () => readonly string[]

  constructor(
    config: { readonly secrets: readonly string[]; readonly credentials: readonly string[] },
    later: () => readonly string[],
  ) {
    this.#secrets = config.secrets
    this.#credentials = config.credentials
    this.#later = later
  }

  /** Hides secrets in logs and messages. */
  hide(text: string): string {
    return hideIn(text, longestFirst([...this.#secrets, ...this.#credentials, ...this.#later()], SECRET_MIN))
  }

  /** Hides credentials in JSON text for storage, also in strings that contain JSON. */
  hideCredentialsInJson(json: string): string {
    const credentials = [...this.#credentials, ...this.#later()].filter(({ length }) => length >= CREDENTIAL_MIN)
    return hideIn(json, longestFirst(credentials.flatMap(asInJson), CREDENTIAL_MIN))
  }

  /** Hides credentials from programs and models. The same object if it contains none. */
  hideCredentials<T>(value: T): T {
    const credentials = longestFirst([...this.#credentials, ...this.#later()], CREDENTIAL_MIN)
    return credentials.length === 0 ? value : (hideWithin(value, credentials) as T)
  }

  /** The same for a long value, in turns with other work. */
  hideCredentialsInTurns(value: unknown): Awaitable<unknown> {
    if (this.#credentials.length === 0 && this.#later().length === 0) return value
    const credentials = longestFirst([...this.#credentials, ...this.#later()], CREDENTIAL_MIN)
    return credentials.length === 0 ? value : new Hiding(credentials).within(value)
  }
}

/** The work on a long value. */
class Hiding {
  readonly #credentials: readonly string[]
  readonly #turns = new Turns()

  constructor(credentials: readonly string[]) {
    this.#credentials = credentials
  }

  async within(value: unknown): Promise<unknown> {
    if (!isLong(value)) return hideWithin(value, this.#credentials)
    const shown: [string, unknown][] = []
    const entries = Object.entries(value)
    for (const [key, inner] of entries) {
      shown.push([Array.isArray(value) ? key : hideIn(key, this.#credentials), await this.within(inner)])
      if (this.#turns.isOver) await this.#turns.next()
    }
    if (shown.every(([key, inner], i) => key === entries[i]![0] && inner === entries[i]![1])) return value
    return Array.isArray(value) ? shown.map(([, inner]) => inner) : Object.fromEntries(shown)
  }
}

function isLong(value: unknown): value is object {
  return typeof value === 'object' && value !== null && roughBytes(value, LONG_BYTES) > LONG_BYTES
}

const LONG_BYTES = 256 * 1024

/** The spellings of a text in JSON, in JSON within a string, and once more within that. */
function asInJson(text: string): string[] {
  const escaped = (inner: string) => JSON.stringify(inner).slice(1, -1)
  const once = escaped(text)
  return once === text ? [text] : [text, once, escaped(once), escaped(escaped(once))]
}

function longestFirst(texts: readonly string[], shortest: number): string[] {
  return texts.filter((text) => text.length >= shortest).sort((a, b) => b.length - a.length)
}

function hideIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, HIDDEN) : shown), text)
}

function hideWithin(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return hideIn(value, secrets)
  if (Array.isArray(value)) {
    const items = value.map((item) => hideWithin(item, secrets))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value)
  const shown = entries.map(([key, inner]) => [hideIn(key, secrets), hideWithin(inner, secrets)] as const)
  const isSame = shown.every(([key, inner], i) => key === entries[i]![0] && inner === entries[i]![1])
  return isSame ? value : Object.fromEntries(shown)
}
