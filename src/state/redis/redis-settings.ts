// The settings of the processes of one deployment, as digests. Processes with the same prefix take over each other's
// runs, so they should have the same servers and settings.

import type { RedisConnection } from './connection.js'

const LOOK_MS = 30_000

/** A digest by the name of each part. */
type SettingsDigests = Readonly<Record<string, string>>

export class RedisSettings {
  readonly #connection: RedisConnection
  readonly #key: string
  #own: SettingsDigests = {}
  #differences: readonly string[] = []
  #looking: NodeJS.Timeout | undefined

  constructor(connection: RedisConnection) {
    this.#connection = connection
    this.#key = connection.key('settings')
  }

  /** The parts in which a living process differs from this one, as of half a minute ago at the most. */
  get differences(): readonly string[] {
    return this.#differences
  }

  /** Compares these settings with those of the others, from now on. */
  async compare(own: SettingsDigests): Promise<void> {
    this.#own = own
    this.#looking ??= setInterval(() => void this.#look().catch(() => {}), LOOK_MS).unref()
    await this.#look()
  }

  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#connection.do((client) => client.hdel(this.#key, this.#connection.processId)).catch(() => {})
  }

  async #look(): Promise<void> {
    const { processId } = this.#connection
    await this.#connection.do((client) => client.hset(this.#key, processId, JSON.stringify(this.#own)))
    const { [processId]: _, ...others } = await this.#connection.do((client) => client.hgetall(this.#key))
    const found = await Promise.all(
      Object.entries(others).map(async ([name, text]) => {
        if (await this.#connection.isAlive(name)) return differencesOf(this.#own, JSON.parse(text) as SettingsDigests)
        await this.#connection.do((client) => client.hdel(this.#key, name))
        return []
      }),
    )
    this.#differences = [...new Set(found.flat())].sort()
  }
}

function differencesOf(one: SettingsDigests, other: SettingsDigests): string[] {
  return Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name])
}
