// Who uses the page. A one-time token or an API key becomes a cookie; the cookie alone opens nothing that changes
// something, which takes the token of its session in a header, too. Nothing of it is stored.
// Invariant: a token opens the page once, and what a page of another origin sends changes nothing and reads nothing.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface SignIn {
  /** For the header of changes. */
  readonly token: string
  /** The API key; undefined: the person at this machine. */
  readonly key: string | undefined
  usedAt: number
}

const TOKEN_MS = 10 * 60_000
const IDLE_MS = 12 * 3_600_000
const MOST_TOKENS = 20
const MOST_SIGN_INS = 200
const CHANGE_HEADER = 'x-starbind-token'

export class SignIns {
  /** When each expires, by digest. */
  readonly #tokens = new Map<string, number>()
  /** By the digests of their cookies; the last used is last. */
  readonly #all = new Map<string, SignIn>()

  /** A token that opens the page once. */
  newToken(): string {
    const token = randomBytes(32).toString('base64url')
    this.#tokens.set(digestOf(token), Date.now() + TOKEN_MS)
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size <= MOST_TOKENS) break
      this.#tokens.delete(oldest)
    }
    return token
  }

  /** Uses a token up. False: it is none, was used, or is too old. */
  use(token: string): boolean {
    const digest = digestOf(token)
    const until = this.#tokens.get(digest) ?? 0
    this.#tokens.delete(digest)
    return Date.now() < until
  }

  /** Signs in; returns the session and the header `Set-Cookie`. */
  begin(request: IncomingMessage, key: string | undefined): { readonly signIn: SignIn; readonly cookie: string } {
    const secret = randomBytes(32).toString('base64url')
    const signIn: SignIn = { token: randomBytes(32).toString('base64url'), key, usedAt: Date.now() }
    this.#all.set(digestOf(secret), signIn)
    for (const [digest, { usedAt }] of this.#all) {
      if (this.#all.size <= MOST_SIGN_INS && Date.now() - usedAt < IDLE_MS) break
      this.#all.delete(digest)
    }
    return { signIn, cookie: `${cookieName(request)}=${secret}; Path=/; HttpOnly; SameSite=Strict` }
  }

  /** The session of a request's cookie. */
  of(request: IncomingMessage): SignIn | undefined {
    const secret = cookieIn(request)
    if (secret === undefined) return undefined
    const digest = digestOf(secret)
    const found = this.#all.get(digest)
    if (found === undefined || Date.now() - found.usedAt >= IDLE_MS) return undefined
    found.usedAt = Date.now()
    this.#all.delete(digest)
    this.#all.set(digest, found)
    return found
  }

  /** Ends the session of a request; returns the header that removes its cookie. */
  end(request: IncomingMessage): string {
    const secret = cookieIn(request)
    if (secret !== undefined) this.#all.delete(digestOf(secret))
    return `${cookieName(request)}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`
  }
}

/** True if a change that was made with the cookie has the token of its session. */
export function hasToken({ headers }: IncomingMessage, { token }: SignIn): boolean {
  const given = headers[CHANGE_HEADER]
  if (typeof given !== 'string' || given.length !== token.length) return false
  return timingSafeEqual(Buffer.from(given), Buffer.from(token))
}

/** True for a request that a page of another origin makes. The server has compared Host with its own names. */
export function isForeign({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return true
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Cookies of one host are shared by all of its ports. */
function cookieName({ socket }: IncomingMessage): string {
  return `starbind-${socket.localPort}`
}

function cookieIn(request: IncomingMessage): string | undefined {
  const name = cookieName(request)
  const found = (request.headers.cookie ?? '').split(';').map((one) => one.trim().split('='))
  return found.find(([key]) => key === name)?.[1]
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
