// A store in Redis whose connection is cut after a command was carried out and before its reply: the command is sent
// again, and has no second effect. A subscription without a reply fails nobody.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Deployment, openRedis } from '../../dist/state/index.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

describe.skipIf(redisServer === undefined)(`a store in Redis that loses replies (${redisServer ?? whyNoRedis})`, () => {
  let redis: RedisFixture
  let here: Deployment
  let there: Deployment
  /** The next reply is lost, and the connection with it. */
  let loses = false
  let lost = 0
  /** Called with the connection of a subscription, which then gets no reply. */
  let onSubscribe: ((near: Socket) => void) | undefined
  const sockets = new Set<Socket>()
  const between = createServer((near) => {
    const far = connect(redis.port, '127.0.0.1')
    for (const one of [near, far]) one.on('error', () => {})
    sockets.add(near)
    near.on('data', (bytes) => {
      if (onSubscribe === undefined || !bytes.includes('subscribe')) return far.write(bytes)
      onSubscribe(near)
    })
    near.on('close', () => far.destroy())
    far.on('data', (bytes) => {
      if (!loses) return near.write(bytes)
      loses = false
      lost++
      near.destroy()
    })
  })
  beforeAll(async () => {
    redis = await startRedis()
    between.listen(0, '127.0.0.1')
    await once(between, 'listening')
    const { port } = between.address() as { readonly port: number }
    here = await openRedis({ url: `redis://127.0.0.1:${port}`, prefix: 'starbind' })
    there = await openRedis({ url: redis.url, prefix: 'starbind' })
  })
  afterAll(async () => {
    for (const one of [here, there]) await one.close()
    for (const socket of sockets) socket.destroy()
    between.close()
    await redis[Symbol.asyncDispose]()
  })

  const losing = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    const before = lost
    loses = true
    const result = await act()
    expect(lost).toBe(before + 1)
    return result
  }
  const run = { owner: 'ada', state: 'underway', changedAt: 5, body: '{}' } as const

  it('begins, changes, notes and keeps once', async () => {
    const begun = await losing(() => here.store.begin({ ...run, id: 'a' }))
    const changed = await losing(() => here.store.change({ ...begun, state: 'paused' }))
    expect([changed, await there.store.run('a')]).toEqual([
      { ...begun, state: 'paused', revision: 2 },
      { ...begun, state: 'paused', revision: 2 },
    ])
    const bounds = { keys: 10, characters: 100, allCharacters: 8 }
    expect(await losing(() => here.store.note('a', [{ place: 1, text: 'one' }], 2))).toBe(true)
    const kept = new Map([['k', '1']])
    expect(await losing(() => here.store.keepValues('ada', kept, bounds))).toEqual(kept)
    // What was counted twice would be too much for all owners.
    for (const owner of ['bob', 'cyd', 'dan']) await there.store.keepValues(owner, kept, bounds)
    expect(await there.store.values('ada')).toEqual(kept)
    const trace = { id: 't', owner: 'ada', changedAt: 1, facts: '{}', messages: '[]' }
    const traceBounds = { since: 0, maxTraces: 9, maxCharacters: 8 }
    expect(await losing(() => here.traces.keep(trace, traceBounds))).toBe(true)
    await there.traces.keep({ ...trace, id: 'u' }, traceBounds)
    expect((await there.traces.all()).map(({ id }) => id)).toEqual(['u', 't'])
  })

  it('accepts no second change, although its own was lost', async () => {
    const begun = await here.store.begin({ ...run, id: 'b' })
    const both = await losing(() => Promise.all([here.store.change(begun), here.store.change(begun)]))
    expect(both.filter((one) => one !== undefined)).toEqual([{ ...begun, revision: 2 }])
  })

  it('refuses a run with the name of another', async () => {
    await expect(here.store.begin({ ...run, id: 'b2' })).resolves.toMatchObject({ revision: 1 })
    await expect(there.store.begin({ ...run, id: 'b2' })).rejects.toThrow(
      /^host error \[store-unusable\] the store at redis:.* can't be used: it already has a run b2/,
    )
  })

  it('can be closed while it subscribes again', async () => {
    const rejections: unknown[] = []
    const onRejection = (reason: unknown) => rejections.push(reason)
    const { port } = between.address() as { readonly port: number }
    const state = await openRedis({ url: `redis://127.0.0.1:${port}`, prefix: 'starbind' })
    await state.channels.listen('news', () => {})
    const subscribing = new Promise<Socket>((resolve) => (onSubscribe = resolve))
    for (const socket of sockets) socket.destroy()
    const near = await subscribing
    onSubscribe = undefined
    process.prependListener('unhandledRejection', onRejection)
    try {
      await Promise.all([once(near, 'close'), state.close()])
      // The client notices the end a moment later, before this reply.
      await there.documents.read('any')
      expect(rejections).toEqual([])
    } finally {
      process.off('unhandledRejection', onRejection)
    }
  })

  it('counts the bytes of a run once, so makeRoom deletes it when it has to', async () => {
    const begun = await losing(() => here.store.begin({ ...run, id: 'c', state: 'ended', body: 'x'.repeat(1000) }))
    await losing(() => here.store.note('c', [{ place: 1, text: 'x'.repeat(1000) }], begun.revision))
    await here.store.makeRoom({ since: 0, maxBytes: 2500 })
    expect(await there.store.run('c')).toEqual(begun)
    await losing(() => here.store.makeRoom({ since: 0, maxBytes: 1500 }))
    expect(await there.store.run('c')).toBeUndefined()
    await there.store.makeRoom({ since: 0, maxBytes: 1 })
  })
})
