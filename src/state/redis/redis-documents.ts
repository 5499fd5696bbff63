// Texts under names, in Redis.

import type { Documents } from '../shared-state.js'
import type { RedisConnection } from './connection.js'

export class RedisDocuments implements Documents {
  readonly #connection: RedisConnection

  constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  async read(name: string): Promise<string | undefined> {
    return (await this.#connection.do((client) => client.get(this.#key(name)))) ?? undefined
  }

  async write(name: string, text: string, { ttlMs }: { readonly ttlMs?: number } = {}): Promise<void> {
    await this.#connection.do((client) =>
      ttlMs === undefined ? client.set(this.#key(name), text) : client.set(this.#key(name), text, 'PX', ttlMs),
    )
  }

  async remove(name: string): Promise<void> {
    await this.#connection.do((client) => client.del(this.#key(name)))
  }

  #key(name: string): string {
    return this.#connection.key('document', name)
  }
}
