// API keys: the callers that may connect over HTTP, and the tools that each key may call. The file holds a digest of
// each key. Keys are random and long, so a plain digest reveals nothing.
// Invariant: a key that is not in the file opens nothing, from the moment the file changes.

import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, unwatchFile, watchFile } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { DiagnosticError } from '../../diagnostics/index.js'
import { approvalRule } from '../approval-policy.js'
import { type CallerEntry, callerEntry, chanceUse, clockUse, type Declared, memoryUse } from '../configuration/index.js'
import { keyExists, keysUnreadable, keyUnknown } from '../messages.js'
import { writePrivateFile } from '../private-file.js'

const keyTerms = callerEntry.extend({
  /** Whether programs may know when their run began. Default: as the configuration says. */
  clock: clockUse.optional(),
  /** Whether programs may draw random numbers. Default: as the configuration says. */
  random: chanceUse.optional(),
  /** Whether programs keep values for later runs with this key. Default: as the configuration says. */
  memory: memoryUse.optional(),
  /** The calls that a person is asked about, in addition to those of the configuration. */
  approve: approvalRule.optional(),
  /** True: the key sees the runs of all callers and may answer for them. Default false. */
  mayApprove: z.boolean().optional(),
  /** True: the key opens the page. Default false. */
  page: z.boolean().optional(),
})

/**
 * The permissions of a key.
 *
 * @example
 * import { addKey, defaultKeysFile, type KeyTerms } from 'starbind'
 *
 * const terms: KeyTerms = { servers: ['files'], clock: 'run' }
 * console.log(addKey(defaultKeysFile(), 'laptop', terms))
 */
export interface KeyTerms extends CallerEntry, Declared<typeof keyTerms> {}

const keyEntry = keyTerms.extend({
  name: z.string().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created: z.string(),
})

/**
 * An entry of the key file.
 *
 * @example
 * import { defaultKeysFile, type KeyEntry, readKeys } from 'starbind'
 *
 * const keys: readonly KeyEntry[] = readKeys(defaultKeysFile())
 * console.log(keys.filter(({ toolsToExecute }) => toolsToExecute === undefined).map(({ name }) => name))
 */
export interface KeyEntry extends KeyTerms, Declared<typeof keyEntry> {}

const keysEntry = z.strictObject({ keys: z.array(keyEntry) })

/**
 * The path of the default key file.
 *
 * @example
 * import { defaultKeysFile, readKeys } from 'starbind'
 *
 * for (const { name, created } of readKeys(defaultKeysFile())) console.log(name, created)
 */
export function defaultKeysFile(): string {
  return path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'starbind', 'keys.json')
}

/**
 * Reads the keys of a file. A missing file has none. Throws a DiagnosticError if the file can't be used.
 *
 * @example
 * import { defaultKeysFile, readKeys } from 'starbind'
 *
 * console.log(readKeys(defaultKeysFile()).map(({ name }) => name))
 */
export function readKeys(file: string): readonly KeyEntry[] {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new DiagnosticError(keysUnreadable(file, String((error as NodeJS.ErrnoException).code)))
  }
  const parsed = keysEntry.safeParse(jsonOf(content))
  if (!parsed.success) throw new DiagnosticError(keysUnreadable(file, 'it does not hold keys'))
  return parsed.data.keys
}

/**
 * Adds a key and returns it. Only its digest is stored. Throws a DiagnosticError if the name is taken.
 *
 * @example
 * import { addKey, defaultKeysFile } from 'starbind'
 *
 * const key = addKey(defaultKeysFile(), 'ci', { toolsToExecute: ['git/log', 'files/read_*'] })
 * console.log(`Authorization: Bearer ${key}`)
 */
export function addKey(file: string, name: string, terms: KeyTerms = {}): string {
  const keys = readKeys(file)
  if (keys.some((key) => key.name === name)) throw new DiagnosticError(keyExists(name))
  const token = `sb_${randomBytes(32).toString('base64url')}`
  const entry = { name, sha256: digestOf(token), created: new Date().toISOString(), ...terms }
  writeKeys(file, [...keys, entry])
  return token
}

/**
 * Removes a key. Its sessions end. Throws a DiagnosticError if there is no key of that name.
 *
 * @example
 * import { defaultKeysFile, removeKey } from 'starbind'
 *
 * removeKey(defaultKeysFile(), 'laptop')
 */
export function removeKey(file: string, name: string): void {
  const keys = readKeys(file)
  const left = keys.filter((key) => key.name !== name)
  const known = keys.map((key) => key.name)
  if (left.length === keys.length) throw new DiagnosticError(keyUnknown(name, known))
  writeKeys(file, left)
}

function writeKeys(file: string, keys: readonly KeyEntry[]): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writePrivateFile(file, `${JSON.stringify({ keys }, null, 2)}\n`)
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

const LOOK_MS = 1000

/** The keys of a file, which is watched for changes. */
export class Keys {
  readonly #file: string
  readonly #onChange: () => void
  readonly #look: () => void
  #stamp = ''
  #byDigest = new Map<string, KeyEntry>()

  /** Throws a DiagnosticError if the file can't be used. `onChange`: called when the file has changed. */
  constructor(file: string, onChange: () => void) {
    this.#file = file
    this.#onChange = onChange
    this.#read()
    this.#look = () => this.#readIfChanged()
    watchFile(file, { interval: LOOK_MS, persistent: false }, this.#look)
  }

  get isEmpty(): boolean {
    return this.#byDigest.size === 0
  }

  /** The entry of a key. Undefined: there is no such key. */
  find(token: string): KeyEntry | undefined {
    this.#readIfChanged()
    // Looked up by digest, so the time of the lookup reveals nothing about the keys.
    return this.#byDigest.get(digestOf(token))
  }

  /** True if the file still has the same entry. */
  holds(entry: KeyTerms & Pick<KeyEntry, 'sha256'>): boolean {
    return JSON.stringify(this.#byDigest.get(entry.sha256)) === JSON.stringify(entry)
  }

  close(): void {
    unwatchFile(this.#file, this.#look)
  }

  #readIfChanged(): void {
    if (stampOf(this.#file) === this.#stamp) return
    try {
      this.#read()
    } catch {
      // An unreadable file has no keys.
      this.#byDigest = new Map()
    }
    this.#onChange()
  }

  #read(): void {
    this.#stamp = stampOf(this.#file)
    this.#byDigest = new Map(readKeys(this.#file).map((key) => [key.sha256, key]))
  }
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return 'none'
  }
}
