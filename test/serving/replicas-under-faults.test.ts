// Callers over two replicas, of which one is killed and whose Redis is restarted: nothing is lost, nothing is done twice,
// and nobody gets anything of another caller. `npm run bench replicas` makes it a minute of 64 callers.

import { describe, expect, it } from 'vitest'
import { openDeployment } from '../../bench/replicas/deployment.mjs'
import { faultsOf, underFaults } from '../../bench/replicas/faults.mjs'
import { redisServer, whyNoRedis } from '../fixtures/redis.js'

describe.skipIf(redisServer === undefined)(`replicas (${redisServer ?? whyNoRedis})`, () => {
  it('lose nothing, do nothing twice and mix nothing up', { timeout: 300_000 }, async () => {
    const deployment = await openDeployment({ replicas: 2, callers: 3, leaseMs: 3000 })
    try {
      const { replica, redis } = faultsOf(deployment)
      const { runs, told, wrong } = await underFaults(deployment, {
        seconds: 3,
        faults: [replica, redis],
        everyMs: 1000,
      })
      expect(wrong).toEqual([])
      expect(told.faults).toMatchObject({
        'replicas killed': expect.any(Number),
        'restarts of Redis': expect.any(Number),
      })
      const kinds = new Set(runs.filter(({ end }) => end?.ok === true).map(({ caller }) => caller.kind))
      expect([...kinds].sort()).toEqual(['alone', 'session', 'task'])
    } finally {
      await deployment.close()
    }
  })
})
