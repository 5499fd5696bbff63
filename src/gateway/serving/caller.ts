import type { KeyTerms } from './keys.js'

/** Whom a request comes from: the holder of a key, or of an access token. */
export interface Caller extends KeyTerms {
  /** For people, and for what belongs to the caller. */
  readonly name: string
  /** The digest by which it is told apart. */
  readonly sha256: string
  /** The scopes of its access token that mean something here. Absent: it has a key. */
  readonly scopes?: readonly string[]
}
