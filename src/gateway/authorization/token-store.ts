// OAuth tokens and registrations on disk, one file for each server.
// Invariant: the files are readable by their owner only, also while they are written.

import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { writePrivateFile } from '../private-file.js'

/** See RFC 7591, section 3.2.1. */
interface Registration {
  client_id: string
  [member: string]: unknown
}

/** See RFC 6749, section 5.1. */
interface Tokens {
  access_token: string
  token_type: string
  id_token?: string | undefined
  expires_in?: number | undefined
  scope?: string | undefined
  refresh_token?: string | undefined
  /** The authorization server that gave them. */
  issuer?: string | undefined
}

/** The stored data about one server. */
export interface Grant {
  /** The server's URL, for people who read the file. */
  readonly url: string
  readonly client?: Registration | undefined
  /** The registration data of `client`. */
  readonly redirectUrl?: string | undefined
  readonly tokens?: Tokens | undefined
  /** The authorization server that a person has confirmed. */
  readonly issuer?: string | undefined
  /** The additional scopes that the server required when nobody could consent. */
  readonly scope?: string | undefined
}

/** Where logins are remembered. */
export interface Logins {
  /** Without a login, or with a broken one, the grant has only the URL. */
  read(url: string): Grant
  write(grant: Grant): void
  /** False if there was no login. */
  remove(url: string): boolean
  /** Asks for changes of other machines, if that takes a request. Never rejects. */
  fresh(url: string): Promise<void> | undefined
  /** Does work for a server that no other machine does at the same time. */
  alone<T>(url: string, work: () => Promise<T>): Promise<T>
}

/** The folder of the tokens: `STARBIND_HOME`, else the usual folder for settings. */
function storeFolder(): string {
  const { STARBIND_HOME, XDG_CONFIG_HOME, APPDATA } = process.env
  const settings =
    XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA ? APPDATA : path.join(homedir(), '.config'))
  return path.join(STARBIND_HOME || path.join(settings, 'starbind'), 'logins')
}

export class TokenStore implements Logins {
  readonly #folder: string

  constructor(folder = storeFolder()) {
    this.#folder = folder
  }

  read(url: string): Grant {
    const file = this.#fileOf(url)
    try {
      const grant = JSON.parse(readFileSync(file, 'utf8')) as Grant
      return typeof grant === 'object' && grant !== null && grant.url === url ? grant : { url }
    } catch {
      return { url }
    }
  }

  write(grant: Grant): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    chmodSync(this.#folder, 0o700)
    writePrivateFile(this.#fileOf(grant.url), `${JSON.stringify(grant, null, 2)}\n`)
  }

  remove(url: string): boolean {
    const isKnown = this.read(url).client !== undefined
    rmSync(this.#fileOf(url), { force: true })
    return isKnown
  }

  fresh(): undefined {
    return undefined
  }

  alone<T>(_: string, work: () => Promise<T>): Promise<T> {
    return work()
  }

  #fileOf(url: string): string {
    const digest = createHash('sha256').update(url).digest('hex').slice(0, 16)
    return path.join(this.#folder, `${new URL(url).hostname.replace(/[^\w.-]/g, '_')}-${digest}.json`)
  }
}
