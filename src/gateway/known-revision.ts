// Remembers which revision of the protocol a server supports, so that only its first connection asks. A store keeps it
// for later processes.
// Invariant: a server with another version is asked again.

import type { CatalogueStore, StoredRevision } from './catalogue-store.js'
import type { ServerConfig } from './configuration/index.js'

export class KnownRevision {
  readonly #config: () => ServerConfig
  readonly #store: CatalogueStore | undefined
  #known: StoredRevision | undefined

  constructor(config: () => ServerConfig, store: CatalogueStore | undefined) {
    this.#config = config
    this.#store = store
  }

  /** Undefined: unknown, so the server has to be asked. */
  get revision(): '2025' | '2026' | undefined {
    this.#known ??= this.#store?.readRevision(this.#config())
    return this.#known?.revision
  }

  /** `version`: the server's own version. */
  learn(revision: '2025' | '2026', version: string): void {
    const before = this.#known
    if (before?.revision === revision && before.version === version) return
    if (before?.revision === revision && before.version !== version) return this.forget()
    this.#known = { revision, version }
    this.#store?.writeRevision(this.#config(), this.#known)
  }

  /** Forgets the revision, because the server's behaviour contradicts it. */
  forget(): void {
    this.#known = undefined
    this.#store?.writeRevision(this.#config(), undefined)
  }
}
