// Access tokens of OAuth: JSON Web Tokens (RFC 9068) that an authorization server of the configuration signed for this
// gateway. Each request is checked anew, and tokens are never stored or passed on.
// Invariant: a token is accepted only if its issuer, signature, audience and times are valid. Its length is checked
// before anything else.

import { createHash } from 'node:crypto'
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { AuthorizationSettings } from '../configuration/index.js'
import type { Caller } from './caller.js'
import { IssuerKeys, KeysMissing } from './issuer-keys.js'
import type { ProtectedResource } from './protected-resource.js'

const MAX_CHARS = 8192
const MAX_SUBJECT_CHARS = 255
/** The tolerated difference between two clocks. */
const CLOCK_SECONDS = 30
/** Asymmetric signatures only: a shared secret would let the gateway's operators sign tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The token is invalid (401), or it can't be checked at the moment (503). The message is for its sender. */
interface RefusedToken {
  readonly status: 401 | 503
  readonly message: string
}

interface TokenHolder {
  readonly caller: Caller
  /** The expiry of the token, in milliseconds since 1970. */
  readonly until: number
}

export class AccessTokens {
  readonly #issuers: ReadonlyMap<string, IssuerKeys>
  readonly #resource: ProtectedResource

  constructor({ issuers }: AuthorizationSettings, resource: ProtectedResource) {
    this.#issuers = new Map(issuers.map((issuer) => [issuer, new IssuerKeys(issuer)]))
    this.#resource = resource
  }

  /** Checks a token and returns its holder. `only`: the server in the path of the request. */
  async holderOf(token: string, only: string | undefined): Promise<TokenHolder | RefusedToken> {
    if (token.length > MAX_CHARS) return refused(`the access token is longer than ${MAX_CHARS} characters`)
    const issuer = issuerIn(token)
    const keys = issuer === undefined ? undefined : this.#issuers.get(issuer)
    if (issuer === undefined || keys === undefined)
      return refused('the access token is not from an authorization server of this gateway')
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        issuer,
        audience: this.#resource.audiences(only),
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: CLOCK_SECONDS,
      })
      return this.#holder(issuer, payload)
    } catch (error) {
      if (error instanceof errors.JOSEError) return refused(reasonOf(error))
      if (error instanceof KeysMissing) return { status: 503, message: error.message }
      throw error
    }
  }

  #holder(issuer: string, { sub, exp = 0, scope, scp }: JWTPayload): TokenHolder | RefusedToken {
    if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_CHARS)
      return refused('the access token has no usable subject')
    // RFC 9068 calls it `scope`; some authorization servers call it `scp`.
    const granted = [scope, scp].flat().flatMap((words) => (typeof words === 'string' ? words.split(' ') : []))
    const scopes = this.#resource.meant(new Set(granted))
    const name = `${sub}@${issuer}`
    // A token with other scopes is another caller, so a session never has more rights than the token of a request.
    const sha256 = createHash('sha256')
      .update(JSON.stringify([name, scopes]))
      .digest('hex')
    return { caller: { name, sha256, scopes, ...this.#resource.termsOf(scopes) }, until: exp * 1000 }
  }
}

function refused(message: string): RefusedToken {
  return { status: 401, message }
}

/** The issuer that a token claims. Nothing is verified yet. */
function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'the access token has expired'
  if (error instanceof errors.JWKSNoMatchingKey) return 'the access token is signed with an unknown key'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'the access token is not valid'
  if (error.claim === 'aud') return 'the access token is not for this server'
  return `the claim ${error.claim} of the access token is missing or wrong`
}
