// The revision of the protocol that one server speaks, so that it is asked once and not at each connection, and by
// earlier processes where there is a store.
// Invariant: a server that has become another version is asked again.

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

  /** Undefined: it has to be asked. */
  get revision(): '2025' | '2026' | undefined {
    this.#known ??= this.#store?.readRevision(this.#config())
    return this.#known?.revision
  }

  /** `version`: the server's own. */
  learn(revision: '2025' | '2026', version: string): void {
    const before = this.#known
    if (before?.revision === revision && before.version === version) return
    if (before?.revision === revision && before.version !== version) return this.forget()
    this.#known = { revision, version }
    this.#store?.writeRevision(this.#config(), this.#known)
  }

  /** The server does not behave as it should by what is known of it. */
  forget(): void {
    this.#known = undefined
    this.#store?.writeRevision(this.#config(), undefined)
  }
}
