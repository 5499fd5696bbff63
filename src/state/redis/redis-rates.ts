// Counts of calls in a period, over all processes. While the store is gone, each process counts alone.

import { createRequire } from 'node:module'
import type { RateLimiterRedis } from 'rate-limiter-flexible'
import { DiagnosticError } from '../../diagnostics/index.js'
import { clientUnavailable } from '../messages.js'
import type { Rate, Rates } from '../shared-state.js'
import type { RedisConnection } from './connection.js'

export class RedisRates implements Rates {
  readonly #connection: RedisConnection
  /** By the rate. */
  readonly #limiters = new Map<string, RateLimiterRedis>()

  constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  async count(who: string, rate: Rate): Promise<number> {
    try {
      await this.#limiter(rate).consume(who)
      return 0
    } catch (error) {
      const { msBeforeNext } = error as { readonly msBeforeNext?: number }
      if (msBeforeNext === undefined) throw error
      return Math.max(1, msBeforeNext)
    }
  }

  #limiter({ name, calls, perMs }: Rate): RateLimiterRedis {
    const known = this.#limiters.get(name)
    if (known !== undefined) return known
    const { RateLimiterMemory, RateLimiterRedis } = this.#load()
    // Redis forgets a count after whole seconds.
    const options = { points: calls, duration: Math.ceil(perMs / 1000) }
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: this.#connection.client,
      keyPrefix: this.#connection.key('rate', name),
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })
    this.#limiters.set(name, limiter)
    return limiter
  }

  #load(): typeof import('rate-limiter-flexible') {
    try {
      return createRequire(import.meta.url)('rate-limiter-flexible') as typeof import('rate-limiter-flexible')
    } catch {
      throw new DiagnosticError(clientUnavailable(this.#connection.shown, 'rate-limiter-flexible'))
    }
  }
}
