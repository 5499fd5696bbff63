// The public keys of one authorization server. They are found through its metadata (RFC 8414, OpenID Connect) and cached.
// A token with an unknown key may be the first one after a rotation, so it causes another fetch.
// Invariant: callers cause at most one fetch in ASK_MS, however many tokens they send, and no response is read beyond
// MAX_BYTES.

import { buildDiscoveryUrls } from '@modelcontextprotocol/sdk/client/auth.js'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { isLoopback } from '../loopback.js'
import { boundedFetch } from '../transports/bounded-fetch.js'
import { isRecord } from './answer-request.js'

const ASK_MS = 10_000
/** Keys are fetched again after this time. */
const FRESH_MS = 10 * 60_000
/** Keys are not used after this time, even if no others can be fetched. */
const STALE_MS = 60 * 60_000
const FETCH_MS = 5_000
const MAX_BYTES = 256 * 1024

/** The keys could not be fetched, so the token can't be checked. The message is for people. */
export class KeysMissing extends Error {}

export class IssuerKeys {
  readonly #issuer: string
  #find: JWTVerifyGetKey | undefined
  #foundAt = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  #fault = ''

  constructor(issuer: string) {
    this.#issuer = issuer
  }

  /** Finds the key of a token. Rejects with KeysMissing if the keys can't be fetched, and with jose's errors otherwise. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#ageMs() > FRESH_MS) await this.#ask()
    if (this.#find === undefined || this.#ageMs() > STALE_MS)
      throw new KeysMissing(`the keys of ${this.#issuer} can't be fetched: ${this.#fault}`)
    try {
      return await this.#find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await this.#ask()
      return await this.#find(header, token)
    }
  }

  #ageMs(): number {
    return this.#find === undefined ? Number.POSITIVE_INFINITY : performance.now() - this.#foundAt
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    if (this.#asking === undefined && performance.now() - this.#askedAt < ASK_MS) return
    this.#asking ??= this.#fetch()
      .then(
        (find) => {
          this.#find = find
          this.#foundAt = performance.now()
        },
        (error: Error) => {
          this.#fault = error.message
        },
      )
      .finally(() => {
        this.#asking = undefined
      })
    await this.#asking
  }

  async #fetch(): Promise<JWTVerifyGetKey> {
    this.#askedAt = performance.now()
    const place = await this.#keysUrl()
    // It throws for anything that is not a set of keys.
    return createLocalJWKSet((await jsonAt(place)) as JSONWebKeySet)
  }

  async #keysUrl(): Promise<string> {
    let fault = 'it has no metadata'
    for (const { url } of buildDiscoveryUrls(this.#issuer)) {
      const metadata = await jsonAt(url.href).catch((error: Error) => {
        fault = error.message
      })
      if (!isRecord(metadata)) continue
      if (metadata.issuer !== this.#issuer) throw new Error(`its metadata is of ${JSON.stringify(metadata.issuer)}`)
      const { jwks_uri: place } = metadata
      if (typeof place !== 'string' || !isTrustworthy(place)) throw new Error('its metadata names no safe jwks_uri')
      return place
    }
    throw new Error(fault)
  }
}

/** True if nobody on the network can replace the keys. */
function isTrustworthy(place: string): boolean {
  if (!URL.canParse(place)) return false
  const { protocol, hostname } = new URL(place)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

const fetchShort = boundedFetch(fetch, { maxBytes: () => MAX_BYTES })

async function jsonAt(url: string): Promise<unknown> {
  const response = await fetchShort(url, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_MS),
  })
  if (response.ok) return response.json()
  await response.body?.cancel()
  throw new Error(`${url} answered ${response.status}`)
}
