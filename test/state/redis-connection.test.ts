// The connection to a real redis-server: its keys, its clock, its messages, and what it does without one.

import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Deployment, openRedis } from '../../dist/state/index.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

describe.skipIf(redisServer === undefined)(`a store in Redis (${redisServer ?? whyNoRedis})`, () => {
  let redis: RedisFixture
  const open: Deployment[] = []
  const opened = async (prefix = 'starbind') => {
    const state = await openRedis({ url: redis.url, prefix })
    open.push(state)
    return state
  }
  beforeAll(async () => {
    redis = await startRedis({ keeps: true })
  })
  afterAll(async () => {
    for (const state of open) await state.close()
    await redis[Symbol.asyncDispose]()
  })

  it('keeps documents under a prefix, for every process', async () => {
    const [here, there, other] = [await opened(), await opened(), await opened('other')]
    await here.documents.write('a', 'one')
    expect([await there.documents.read('a'), await other.documents.read('a')]).toEqual(['one', undefined])
    await there.documents.remove('a')
    expect(await here.documents.read('a')).toBeUndefined()
  })

  it('forgets a document after its time', async () => {
    const state = await opened()
    await state.documents.write('brief', 'one', { ttlMs: 20 })
    await vi.waitFor(async () => expect(await state.documents.read('brief')).toBeUndefined())
  })

  it('brings messages to every process, until a listener stops', async () => {
    const [here, there] = [await opened(), await opened()]
    const heard: string[] = []
    const stop = await there.channels.listen('news', (text) => heard.push(`there ${text}`))
    await here.channels.listen('news', (text) => heard.push(`here ${text}`))
    await here.channels.publish('news', 'one')
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['here one', 'there one']))
    stop()
    await here.channels.publish('news', 'two')
    await vi.waitFor(() => expect(heard.length).toBe(3))
    expect(heard.at(-1)).toBe('here two')
  })

  it('goes on after a message that a listener can’t read', async () => {
    const state = await opened()
    const heard: unknown[] = []
    await state.channels.listen('news', (text) => heard.push(JSON.parse(text)))
    await state.channels.publish('news', 'no JSON')
    await state.channels.publish('news', '"JSON"')
    await vi.waitFor(() => expect(heard).toEqual(['JSON']))
  })

  it('tells whether a process is alive', async () => {
    const [here, there] = [await opened(), await openRedis({ url: redis.url, prefix: 'starbind' })]
    expect(await here.isAlive(there.processId)).toBe(true)
    await there.close()
    expect(await here.isAlive(there.processId)).toBe(false)
  })

  it('has one clock for all processes', async () => {
    const state = await opened()
    const real = Date.now
    const shift = vi.spyOn(Date, 'now').mockImplementation(() => real() - 600_000)
    try {
      const late = await opened()
      expect(Math.abs(late.now() - real())).toBeLessThan(60_000)
      expect(Math.abs(late.now() - Date.now())).toBeGreaterThan(500_000)
    } finally {
      shift.mockRestore()
    }
    expect(Math.abs(state.now() - Date.now())).toBeLessThan(60_000)
  })

  it('waits for a store that is restarted, and hears messages again', async () => {
    const [here, there] = [await opened(), await opened()]
    const heard: string[] = []
    await there.channels.listen('news', (text) => heard.push(text))
    await here.documents.write('kept', 'before')
    await redis.stop()
    const read = here.documents.read('kept')
    await redis.start()
    expect(await read).toBe('before')
    await vi.waitFor(async () => {
      await here.channels.publish('news', 'again')
      expect(heard).toContain('again')
    })
  })

  it('says which store can’t be used, without its password', async () => {
    await expect(
      openRedis({ url: `redis://ann:secret@127.0.0.1:${redis.port}/3`, prefix: 'starbind' }),
    ).rejects.toThrow(
      /^host error \[store-unusable\] the store at redis:\/\/127\.0\.0\.1:\d+\/3 can't be used: WRONGPASS/,
    )
  })

  it('refuses the data of a newer version', async () => {
    const client = new Redis(redis.url)
    await client.set('newer:form', 7)
    client.disconnect()
    await expect(opened('newer')).rejects.toThrow(
      `a newer starbind wrote redis://127.0.0.1:${redis.port} (format 7; this version reads format 1)`,
    )
  })
})
