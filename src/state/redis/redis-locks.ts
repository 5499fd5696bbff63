// Work that one process does at a time.
//
// A lock is a document with a short life, which its holder renews while it works. If the holder is gone, the next
// process waits until the document is.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DiagnosticError } from '../../diagnostics/index.js'
import { storeUnusable } from '../messages.js'
import type { Locks } from '../shared-state.js'
import type { RedisConnection } from './connection.js'

const HELD_MS = 20_000
const AGAIN_MS = 40
const PATIENCE_MS = 60_000

export class RedisLocks implements Locks {
  readonly #connection: RedisConnection
  readonly #hold: ReturnType<RedisConnection['script']>
  readonly #release: ReturnType<RedisConnection['script']>

  constructor(connection: RedisConnection) {
    this.#connection = connection
    this.#hold = connection.script({
      name: 'starbindLockHold',
      keys: 1,
      lua: `local held = redis.call('GET', KEYS[1])
        if held and held ~= ARGV[1] then return 0 end
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        return 1`,
    })
    this.#release = connection.script({
      name: 'starbindLockRelease',
      keys: 1,
      lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 1`,
    })
  }

  async alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = this.#connection.key('lock', name)
    const token = randomUUID()
    const hold = () => this.#hold([key, token, HELD_MS])
    const since = performance.now()
    while ((await hold()) !== 1) {
      if (performance.now() - since > PATIENCE_MS)
        throw new DiagnosticError(
          storeUnusable(this.#connection.shown, `another process does not end its work on ${name}`),
        )
      await pause(AGAIN_MS)
    }
    const renewing = setInterval(() => void hold().catch(() => {}), HELD_MS / 4).unref()
    try {
      return await work()
    } finally {
      clearInterval(renewing)
      await this.#release([key, token]).catch(() => {})
    }
  }
}
