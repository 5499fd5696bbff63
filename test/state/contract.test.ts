// What every store does, whatever is behind it: memory, a file, a real redis-server.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Deployment,
  FileStore,
  FileTraces,
  MemoryStore,
  MemoryTraces,
  openRedis,
  type Store,
  type TraceStore,
} from '../../dist/state/index.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const root = mkdtempSync(path.join(tmpdir(), 'starbind-contract-'))
const open: Deployment[] = []
let redis: RedisFixture | undefined
/** Names what the stores of one test have in common. */
let place = ''
let places = 0

beforeAll(async () => {
  if (redisServer !== undefined) redis = await startRedis()
})
beforeEach(() => {
  place = `place-${++places}`
})
afterAll(async () => {
  for (const one of open) await one.close()
  await redis?.[Symbol.asyncDispose]()
  rmSync(root, { recursive: true })
})

async function deployment(): Promise<Deployment> {
  const opened = await openRedis({ url: redis!.url, prefix: place })
  open.push(opened)
  return opened
}

interface Kind {
  readonly kind: string
  readonly skipped?: boolean
  /** Two stores at one place; in memory there is only one. */
  readonly stores: () => Promise<readonly [Store, Store]>
  readonly traces: () => Promise<TraceStore>
}

const inMemory = (): readonly [Store, Store] => {
  const store = new MemoryStore()
  return [store, store]
}
const folder = () => path.join(root, place)
const kinds: readonly Kind[] = [
  { kind: 'memory', stores: async () => inMemory(), traces: async () => new MemoryTraces() },
  {
    kind: 'a file',
    stores: async () => [new FileStore(folder()), new FileStore(folder())],
    traces: async () => new FileTraces(folder()),
  },
  {
    kind: redisServer === undefined ? `Redis (${whyNoRedis})` : 'Redis',
    skipped: redisServer === undefined,
    stores: async () => [(await deployment()).store, (await deployment()).store],
    traces: async () => (await deployment()).traces,
  },
]

const run = { owner: 'ada', state: 'underway', changedAt: 5, body: '{}' } as const
const ids = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id)

describe.each(kinds)('a store in $kind', ({ skipped = false, stores, traces }) => {
  it.skipIf(skipped)('keeps runs, and accepts one of several changes of the same revision', async () => {
    const [here, there] = await stores()
    const body = JSON.stringify({ text: 'ünïcödé ≠ \u0000 🙂' })
    const begun = await here.begin({ ...run, id: 'a', body })
    expect(begun).toEqual({ ...run, id: 'a', body, revision: 1 })
    expect([await there.run('a'), await there.run('none')]).toEqual([begun, undefined])
    const changes = await Promise.all(
      [here, there, here, there].map((store) => store.change({ ...begun, state: 'paused', changedAt: 9 })),
    )
    const accepted = { ...begun, state: 'paused', changedAt: 9, revision: 2 }
    expect(changes.filter((one) => one !== undefined)).toEqual([accepted])
    expect(await here.change({ ...begun, id: 'none' })).toBeUndefined()
    expect(await there.run('a')).toEqual(accepted)
  })

  it.skipIf(skipped)('lists the last changed run first, and equal ones by their names', async () => {
    const [here, there] = await stores()
    for (const [id, owner, state, changedAt] of [
      ['d', 'ada', 'underway', 5],
      ['b', 'bob', 'ended', 5],
      ['c', 'ada', 'paused', 7],
      ['a', 'ada', 'paused', 5],
      ['e', 'ada:paused', 'paused', 1],
    ] as const)
      await here.begin({ ...run, id, owner, state, changedAt })
    expect(ids(await there.runs())).toEqual(['c', 'a', 'b', 'd', 'e'])
    expect(ids(await there.runs('paused'))).toEqual(['c', 'a', 'e'])
    expect(ids(await there.page({ limit: 3 }))).toEqual(['c', 'a', 'b'])
    expect(ids(await there.page({ limit: 9, before: { changedAt: 5, id: 'a' } }))).toEqual(['b', 'd', 'e'])
    // The run that a page began after may have changed since.
    expect(ids(await there.page({ limit: 9, before: { changedAt: 5, id: 'aa' } }))).toEqual(['b', 'd', 'e'])
    expect(ids(await there.page({ limit: 9, owner: 'ada' }))).toEqual(['c', 'a', 'd'])
    expect(ids(await there.page({ limit: 9, owner: 'ada', state: 'paused' }))).toEqual(['c', 'a'])
    expect(ids(await there.page({ limit: 9, owner: 'none' }))).toEqual([])
    await there.change({ ...(await there.run('a'))!, owner: 'bob', state: 'ended', changedAt: 8 })
    expect(ids(await here.runs('paused'))).toEqual(['c', 'e'])
    expect(ids(await here.page({ limit: 9, owner: 'bob', state: 'ended' }))).toEqual(['a', 'b'])
    expect((await here.runs()).map(({ id, revision }) => `${id}${revision}`)).toEqual(['a2', 'c1', 'b1', 'd1', 'e1'])
  })

  it.skipIf(skipped)('pages through many runs that changed at the same time', async () => {
    const [store] = await stores()
    const names = Array.from({ length: 250 }, (_, i) => `run-${String(i).padStart(3, '0')}`)
    await Promise.all(names.map((id) => store.begin({ ...run, id })))
    expect(ids(await store.page({ limit: 240, before: { changedAt: 5, id: 'run-004' } }))).toEqual(names.slice(5, 245))
    expect(ids(await store.runs())).toEqual(names)
  })

  it.skipIf(skipped)('keeps entries of a ledger as long as the run is in that revision', async () => {
    const [here, there] = await stores()
    const begun = await here.begin({ ...run, id: 'a' })
    const entries = [12, 2, 10_000_001].map((place) => ({ place, text: `entry ${place} ≠` }))
    expect(await here.note('a', entries, 1)).toBe(true)
    expect(await here.note('a', [{ place: 2, text: 'zwei' }], 1)).toBe(true)
    const kept = [{ place: 2, text: 'zwei' }, entries[0], entries[2]]
    expect(await there.entries('a')).toEqual(kept)
    await there.change(begun)
    for (const several of [entries.slice(0, 1), entries]) expect(await here.note('a', several, 1)).toBe(false)
    expect(await here.note('none', entries, 1)).toBe(false)
    expect([await there.entries('a'), await there.entries('none')]).toEqual([kept, []])
    expect(await there.note('a', [{ place: 3, text: 'three' }], 2)).toBe(true)
  })

  it.skipIf(skipped)('keeps a long ledger in one step', async () => {
    const [here] = await stores()
    await here.begin({ ...run, id: 'a' })
    const entries = Array.from({ length: 70_000 }, (_, place) => ({ place, text: `{"\\ud800":${place}}` }))
    expect(await here.note('a', entries, 1)).toBe(true)
    expect(await here.entries('a')).toEqual(entries)
  })

  it.skipIf(skipped)('keeps values of owners, all changes or none, within bounds', async () => {
    const [here, there] = await stores()
    const bounds = { keys: 2, characters: 10, allCharacters: 20 }
    const change = (owner: string, changes: readonly (readonly [string, string | undefined])[]) =>
      here.keepValues(owner, new Map(changes), bounds)
    expect(await here.values('ada')).toEqual(new Map())
    const first = [['__proto__', '"≠"']] as const
    expect(await change('ada', first)).toBeUndefined()
    await change('ada', [
      ['b', '1'],
      ['a', '"≠"'],
    ])
    expect(await change('ada', [['c', '1']])).toBeUndefined()
    expect(
      await change('ada', [
        ['a', undefined],
        ['b', '"123456789"'],
      ]),
    ).toBeUndefined()
    expect([...(await there.values('ada'))]).toEqual([
      ['a', '"≠"'],
      ['b', '1'],
    ])
    await change('ada', [
      ['a', undefined],
      ['2', '2'],
      ['none', undefined],
    ])
    expect([...(await there.values('ada'))]).toEqual([
      ['2', '2'],
      ['b', '1'],
    ])
    // More than all may have: the owners whose values changed longest ago lose theirs.
    for (const owner of ['bob', 'cyd']) await change(owner, [['k', '12345678']])
    const sizes = async (...owners: string[]) =>
      (await Promise.all(owners.map((one) => there.values(one)))).map(({ size }) => size)
    expect(await sizes('ada', 'bob', 'cyd')).toEqual([0, 1, 1])
    expect(await change('cyd', [['k', undefined]])).toEqual(new Map())
    expect([await sizes('cyd'), await change('dan', [['k', '12345678']])]).toEqual([[0], new Map([['k', '12345678']])])
    expect(await sizes('bob', 'dan')).toEqual([1, 1])
  })

  it.skipIf(skipped)('loses no value that several processes keep at once', async () => {
    const both = await stores()
    const bounds = { keys: 100, characters: 10_000, allCharacters: 10_000 }
    const keys = Array.from({ length: 20 }, (_, i) => `key-${String(i).padStart(2, '0')}`)
    await Promise.all(keys.map((key, i) => both[i % 2]!.keepValues('ada', new Map([[key, String(i)]]), bounds)))
    expect([...(await both[0].values('ada')).keys()]).toEqual(keys)
    // Nor does one of them see fewer than there are.
    const more = keys.map((key, i) =>
      both[i % 2]!.keepValues('ada', new Map([[`${key}b`, '1']]), { ...bounds, keys: 30 }),
    )
    expect((await Promise.all(more)).filter((kept) => kept !== undefined)).toHaveLength(10)
  })

  it.skipIf(skipped)('deletes expired runs, then those that ended first, and never an open run', async () => {
    const [here, there] = await stores()
    for (const [i, state] of (['ended', 'paused', 'ended', 'ended', 'underway'] as const).entries())
      await here.begin({ ...run, id: `r${i}`, state, changedAt: i, body: 'x'.repeat(100_000) })
    await here.note('r0', [{ place: 1, text: 'gone with it' }], 1)
    await there.makeRoom({ since: 1, maxBytes: 1_000_000 })
    expect([ids(await here.runs()), await here.run('r0'), await here.entries('r0')]).toEqual([
      ['r4', 'r3', 'r2', 'r1'],
      undefined,
      [],
    ])
    await there.makeRoom({ since: 0, maxBytes: 450_000 })
    expect(ids(await here.runs())).toEqual(['r4', 'r3', 'r2', 'r1'])
    await there.makeRoom({ since: 0, maxBytes: 1 })
    expect([ids(await here.runs()), ids(await here.page({ limit: 9, state: 'ended' }))]).toEqual([['r4', 'r1'], []])
  })

  it.skipIf(skipped)('knows that this process is alive, and what time it is', async () => {
    const [here, there] = await stores()
    expect([await there.isAlive(here.holder), await here.isAlive(here.holder)]).toEqual([true, true])
    expect(await here.isAlive({ ...here.holder, began: 0, processId: 'another' })).toBe(false)
    expect(Math.abs(here.now() - Date.now())).toBeLessThan(60_000)
  })

  it.skipIf(skipped)('keeps traces within bounds, and each for its owner', async () => {
    const store = await traces()
    const bounds = { since: 2, maxTraces: 3, maxCharacters: 40 }
    const trace = (id: string, changedAt: number, messages = '[1]') => ({
      id,
      owner: 'ada',
      changedAt,
      facts: '{}',
      messages,
    })
    for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) expect(await store.keep(trace(id, i + 2), bounds)).toBe(true)
    expect(ids(await store.all())).toEqual(['d', 'c', 'b'])
    expect(await store.keep({ ...trace('c', 9), owner: 'bob' }, bounds)).toBe(false)
    await store.keep(trace('b', 8, '["longer ≠"]'), bounds)
    expect(await store.named('b')).toEqual(trace('b', 8, '["longer ≠"]'))
    expect((await store.all()).map(({ id, changedAt, facts }) => [id, changedAt, facts])).toEqual([
      ['b', 8, '{}'],
      ['d', 5, '{}'],
      ['c', 4, '{}'],
    ])
    await store.remove('d', 'bob')
    await store.remove('d', 'ada')
    expect([ids(await store.all()), await store.named('d')]).toEqual([['b', 'c'], undefined])
    await store.keep(trace('e', 10, `"${'x'.repeat(30)}"`), bounds)
    expect(ids(await store.all())).toEqual(['e'])
    await store.keep(trace('f', 11), { ...bounds, since: 11 })
    expect(ids(await store.all())).toEqual(['f'])
    await store.close()
  })
})
