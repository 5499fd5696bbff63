import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { withController } from '../../dist/meta-tools/index.js'

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

describe('a controller of its own', () => {
  it('is aborted with the outer signal, at which nothing stays', async () => {
    const outer = new AbortController()
    const seen = await withController(outer.signal, async ({ signal }) => {
      const before = [signal.aborted, listeners(outer.signal)]
      outer.abort()
      return [...before, signal.aborted]
    })
    expect(seen).toEqual([false, 1, true])
    expect(listeners(outer.signal)).toBe(0)
  })

  it('leaves nothing when the work fails, and aborts the outer signal never', async () => {
    const outer = new AbortController()
    const failed = withController(outer.signal, async (own) => {
      own.abort()
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect([outer.signal.aborted, listeners(outer.signal)]).toEqual([false, 0])
  })

  it('is aborted from the beginning if the outer signal was', async () => {
    expect(await withController(AbortSignal.abort(), async ({ signal }) => signal.aborted)).toBe(true)
  })

  it('needs no outer signal', async () => {
    expect(await withController(undefined, async ({ signal }) => signal.aborted)).toBe(false)
  })
})
