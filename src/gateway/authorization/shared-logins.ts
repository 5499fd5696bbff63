// Logins that all processes of one deployment have in common, each a document that is encrypted with AES-256-GCM. The
// key is derived by scrypt from a text of the configuration and from a salt that is stored beside the logins.
//
// Reads come from memory: `fresh` asks for a login before each connection, and a message tells of changes.
// Invariant: without the key nothing is read, and nothing is replaced.

import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { DiagnosticError } from '../../diagnostics/index.js'
import type { Deployment } from '../../state/index.js'
import { stateKeyWrong } from '../messages.js'
import type { Grant, Logins } from './token-store.js'

const CHANNEL = 'logins'
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

interface SharedLoginsOptions {
  /** A text of any length. */
  readonly stateKey: string
  readonly complain: (message: string) => void
}

export class SharedLogins implements Logins {
  readonly #deployment: Deployment
  readonly #key: Buffer
  readonly #complain: (message: string) => void
  readonly #grants = new Map<string, Grant>()
  readonly #urls = new Map<string, string>()
  #written: Promise<void> = Promise.resolve()
  #changes = 0
  #stop: (() => void) | undefined

  /** Rejects with a DiagnosticError if the logins are encrypted with another key. */
  static async open(deployment: Deployment, { stateKey, complain }: SharedLoginsOptions): Promise<SharedLogins> {
    const key = await keyFor(deployment, stateKey)
    const logins = new SharedLogins(deployment, key, complain)
    logins.#stop = await deployment.channels.listen(CHANNEL, (name) => {
      const url = logins.#urls.get(name)
      if (url !== undefined) void logins.fresh(url)
    })
    return logins
  }

  private constructor(deployment: Deployment, key: Buffer, complain: (message: string) => void) {
    this.#deployment = deployment
    this.#key = key
    this.#complain = complain
  }

  read(url: string): Grant {
    return this.#grants.get(url) ?? { url }
  }

  write(grant: Grant): void {
    this.#grants.set(grant.url, grant)
    const name = documentOf(grant.url)
    this.#inTurn(() => this.#deployment.documents.write(name, seal(this.#key, name, JSON.stringify(grant))), name)
  }

  remove(url: string): boolean {
    const isKnown = this.read(url).client !== undefined
    this.#grants.delete(url)
    const name = documentOf(url)
    this.#inTurn(() => this.#deployment.documents.remove(name), name)
    return isKnown
  }

  async fresh(url: string): Promise<void> {
    const name = documentOf(url)
    this.#urls.set(name, url)
    const changes = this.#changes
    try {
      await this.#written
      const text = await this.#deployment.documents.read(name)
      // What this process has changed meanwhile is newer.
      if (changes !== this.#changes) return
      if (text === undefined) this.#grants.delete(url)
      else this.#grants.set(url, JSON.parse(unseal(this.#key, name, text)) as Grant)
    } catch (error) {
      this.#complain(`the login to ${new URL(url).origin} can't be read: ${wordsOf(error)}`)
    }
  }

  /** Waits for another process that does the same work for this server. */
  async alone<T>(url: string, work: () => Promise<T>): Promise<T> {
    return this.#deployment.locks.alone(documentOf(url), async () => {
      await this.fresh(url)
      const done = await work()
      await this.#written
      return done
    })
  }

  async close(): Promise<void> {
    this.#stop?.()
    await this.#written
  }

  #inTurn(change: () => Promise<void>, name: string): void {
    this.#changes++
    this.#written = this.#written
      .then(change)
      .then(() => this.#deployment.channels.publish(CHANNEL, name))
      .catch((error: unknown) => this.#complain(`a login was not stored: ${wordsOf(error)}`))
  }
}

function documentOf(url: string): string {
  return `login:${createHash('sha256').update(url).digest('hex')}`
}

/** The key, which opens what was sealed with it first. */
async function keyFor({ documents, locks }: Deployment, stateKey: string): Promise<Buffer> {
  return locks.alone('logins', async () => {
    const [salt = randomBytes(16).toString('base64'), check] = [
      await documents.read('logins:salt'),
      await documents.read('logins:check'),
    ]
    const key = (await promisify(scrypt)(stateKey, salt, 32)) as Buffer
    if (check === undefined) {
      await documents.write('logins:salt', salt)
      await documents.write('logins:check', seal(key, 'logins:check', 'starbind'))
      return key
    }
    try {
      unseal(key, 'logins:check', check)
      return key
    } catch {
      throw new DiagnosticError(stateKeyWrong)
    }
  })
}

/** `name` is sealed along, so that no document stands for another. */
function seal(key: Buffer, name: string, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(name))
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64')
}

/** Throws if the text was sealed with another key or under another name, or was changed. */
function unseal(key: Buffer, name: string, text: string): string {
  const bytes = Buffer.from(text, 'base64')
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(name)).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString()
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
