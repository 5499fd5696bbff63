import { describe, expect, it } from 'vitest'
import { backOffMs } from '../../dist/gateway/back-off.js'

describe('the delay before a retry', () => {
  it('doubles with every failure up to a minute, with jitter of at most half', () => {
    const failures = [1, 2, 3, 4, 7, 8, 9, 5000]
    expect(failures.map((n) => backOffMs(n, () => 0))).toEqual([250, 500, 1000, 2000, 16000, 30000, 30000, 30000])
    expect(failures.map((n) => backOffMs(n, () => 1))).toEqual([500, 1000, 2000, 4000, 32000, 60000, 60000, 60000])
  })
})
