import type { KeyTerms } from './keys.js'

/** The sender of a request: the holder of a key or of an access token. */
export interface Caller extends KeyTerms {
  /** The name in logs, and the owner of runs and artifacts. */
  readonly name: string
  /** The digest that identifies the caller. */
  readonly sha256: string
  /** The configured scopes of the access token. Absent: the caller has a key. */
  readonly scopes?: readonly string[]
}
