// What all shelves have in common: files of several owners that outlive a process, in SQLite and a folder, or in Redis
// with their contents in Redis, in a folder that processes share, or in a bucket. Then what only those in Redis do.

import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AllFiles, type Deployment, FileShelf, openRedis } from '../../dist/state/index.js'
import { KeptFiles, type ResultsQuota } from '../../dist/vfs/index.js'
import { type BucketFixture, startBucket } from '../fixtures/bucket-server.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const DAY = 86_400_000
const folder = mkdtempSync(path.join(tmpdir(), 'starbind-shelves-'))
const said: string[] = []
const open: { close(): Promise<void> }[] = []
let redis: RedisFixture | undefined
let bucket: BucketFixture
let places = 0

beforeAll(async () => {
  bucket = await startBucket()
  if (redisServer !== undefined) redis = await startRedis()
})
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
  expect(said.splice(0)).toEqual([])
})
afterAll(async () => {
  await bucket[Symbol.asyncDispose]()
  await redis?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

interface Bounds extends Partial<ResultsQuota> {
  /** Of all owners. */
  readonly most?: number
}

/** Where one test keeps its files. */
interface Place {
  /** As another process would open it. */
  shelf(bounds?: Bounds): Promise<AllFiles>
  /** The digests of the stored contents. */
  contents(): Promise<string[]>
}

const full = ({ most = 1_000_000, ...quota }: Bounds) => ({
  maxBytes: most,
  maxAgeMs: DAY,
  quota: { maxBytes: 100_000, maxFiles: 50, maxAgeMs: DAY, ...quota },
  complain: (one: string) => said.push(one),
})

function inFolder(): Place {
  const place = path.join(folder, String(++places))
  return {
    async shelf(bounds = {}) {
      const shelf = new FileShelf(place, full(bounds))
      open.push(shelf)
      return shelf
    },
    contents: async () => readdirSync(path.join(place, 'results')).sort(),
  }
}

async function deployment(prefix: string): Promise<Deployment> {
  const made = await openRedis({ url: redis!.url, prefix })
  open.push(made)
  return made
}

function inRedis(kind: 'Redis' | 'a folder' | 'a bucket'): Place & { readonly prefix: string } {
  const prefix = `p${++places}`
  const place = path.join(folder, prefix)
  const where = {
    Redis: undefined,
    'a folder': place,
    'a bucket': { url: `${bucket.url}/${prefix}`, ...bucket.settings },
  }[kind]
  const names = {
    Redis: async () => {
      const client = new Redis(redis!.url)
      const keys = await client.keys(`${prefix}:files:content:*`)
      client.disconnect()
      return keys
    },
    'a folder': async () => readdirSync(place),
    'a bucket': async () =>
      [...bucket.objects.keys()].filter((key) => key.startsWith(`/shelf-test/some/prefix/${prefix}/`)),
  }[kind]
  return {
    prefix,
    async shelf(bounds = {}) {
      const shelf = await (await deployment(prefix)).openFiles(where, full(bounds))
      open.push(shelf)
      return shelf
    },
    contents: async () => (await names()).map((name) => /([\da-f]{64})\.[\da-f]+$/.exec(name)?.[1] ?? name).sort(),
  }
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
const filesOf = (shelf: AllFiles, owner: string, quota: Partial<ResultsQuota> = {}) =>
  new KeptFiles({ quota, shelf: shelf.of(owner) })
/** What a meta-tool call asks first. */
const fresh = async (...all: readonly KeptFiles[]) => {
  for (const files of all) await files.fresh()
  await new Promise((resolve) => setImmediate(resolve))
}
async function read(files: KeptFiles, name: string): Promise<string> {
  await files.load(`results/${name}`)
  return Buffer.from(files.read(`results/${name}`)).toString()
}
async function* pieces(...all: readonly string[]) {
  for (const one of all) yield Buffer.from(one)
}

const kinds: readonly (readonly [string, () => Place])[] = [
  ['a folder', inFolder],
  ...(redisServer === undefined
    ? []
    : (['Redis', 'a folder', 'a bucket'] as const).map((kind) => [`Redis and ${kind}`, () => inRedis(kind)] as const)),
]

describe.each(kinds)('files in %s', (kind, placeOf) => {
  it('are found by other processes, are separate for each owner, and share equal contents', async () => {
    const place = placeOf()
    const ann = filesOf(await place.shelf(), 'ann')
    ann.keep('a.txt', 'tea')
    ann.keep('a.txt', 'cup')
    await ann.settled()
    expect(ann.keep('a.txt', 'tea')).toBe('results/a.txt')
    ann.keep('b', 'tea')
    await ann.settled()
    const other = await place.shelf()
    const [again, ben] = [filesOf(other, 'ann'), filesOf(other, 'ben')]
    await fresh(again, ben)
    expect([again.paths, ben.paths]).toEqual([['results/a-2.txt', 'results/a.txt', 'results/b'], []])
    expect(again.artifact('results/a.txt')).toEqual({
      name: 'a.txt',
      mimeType: 'text/plain',
      bytes: 3,
      sha256: sha256('tea'),
      path: 'results/a.txt',
    })
    expect([await read(again, 'a-2.txt'), await read(again, 'b')]).toEqual(['cup', 'tea'])
    expect(again.keptAt('results/b')).toBe(ann.keptAt('results/b'))
    expect(ann.held).toBe(0)
    expect(await place.contents()).toEqual([sha256('tea'), sha256('cup')].sort())
  })

  it('change for all processes, and a content goes with its last record', async () => {
    const place = placeOf()
    const [one, two] = [filesOf(await place.shelf(), 'ann'), filesOf(await place.shelf(), 'ann')]
    one.keep('a', 'tea')
    one.keep('b', 'tea')
    await one.settled()
    await fresh(two)
    two.replace('a', 'cup')
    await two.settled()
    await fresh(one)
    expect([await read(one, 'a'), await read(one, 'b')]).toEqual(['cup', 'tea'])
    two.remove('results/a')
    await two.settled()
    await fresh(one)
    expect(one.paths).toEqual(['results/b'])
    await vi.waitFor(async () => expect(await place.contents()).toEqual([sha256('tea')]))
    two.remove('results/b')
    await two.settled()
    await vi.waitFor(async () => expect(await place.contents()).toEqual([]))
  })

  it('stay within count and bytes, the oldest first', async () => {
    const place = placeOf()
    const quota = { maxFiles: 3, maxBytes: 100 }
    const ann = filesOf(await place.shelf(quota), 'ann', quota)
    for (const name of ['a', 'b', 'c', 'd']) ann.keep(name, name)
    await ann.settled()
    const again = filesOf(await place.shelf(quota), 'ann')
    await fresh(again)
    expect(again.paths).toEqual(['results/b', 'results/c', 'results/d'])
    ann.keep('e', 'e'.repeat(99))
    await ann.settled()
    await fresh(again)
    expect(again.paths).toEqual(['results/d', 'results/e'])
  })

  it('of all owners stay within bounds: the largest owner loses its oldest file', async () => {
    const place = placeOf()
    const shelf = await place.shelf({ most: 100 })
    const [ann, ben] = [filesOf(shelf, 'ann'), filesOf(shelf, 'ben')]
    ann.keep('a', 'a'.repeat(40))
    ann.keep('b', 'b'.repeat(20))
    await ann.settled()
    ben.keep('c', 'c'.repeat(41))
    await ben.settled()
    await fresh(ann, ben)
    expect([ann.paths, ben.paths]).toEqual([['results/b'], ['results/c']])
  })

  it('arrive and are read in pieces; a source that fails leaves nothing', async () => {
    const place = placeOf()
    const shelf = await place.shelf()
    const ann = filesOf(shelf, 'ann')
    await ann.receive('a.txt', pieces('one ', 'two ', 'three'), 'text/plain')
    const failing = async function* () {
      yield Buffer.from('half')
      throw new Error('the caller is gone')
    }
    await expect(ann.receive('b.txt', failing(), 'text/plain')).rejects.toThrow('the caller is gone')
    expect(ann.paths).toEqual(['results/a.txt'])
    const parts = await ann.stream('results/a.txt', { start: 4, end: 8 }).toArray()
    expect(Buffer.concat(parts as Buffer[]).toString()).toBe('two t')
    expect(await place.contents()).toEqual([sha256('one two three')])
  })

  it('are not reached by an owner who knows their digest, or by an odd name', async () => {
    const place = placeOf()
    const shelf = await place.shelf()
    const odd = [
      'ann',
      'ann:x',
      'ann ',
      ' ',
      '*',
      'a\nb',
      '..',
      '../ann',
      'of:ann',
      '\ud800',
      'ä',
      '"',
      '\\',
      '\\ud800',
    ]
    // SQLite’s texts have one character for all halves of a pair.
    if (kind !== 'a folder') odd.push('\ud801')
    const all = odd.map((owner) => filesOf(shelf, owner))
    for (const [i, files] of all.entries()) files.keep('mine', `secret ${i}`)
    await Promise.all(all.map((files) => files.settled()))
    for (const [i, owner] of odd.entries()) {
      const owned = shelf.of(owner)
      await owned.fresh()
      expect([owner, owned.files().map((file) => file.sha256)]).toEqual([owner, [sha256(`secret ${i}`)]])
    }
    await shelf.of('ben').fresh()
    await shelf.of('ben').load(sha256('secret 0'))
    expect(shelf.of('ben').read(sha256('secret 0'))).toBeUndefined()
    const stolen = shelf.of('ben').stream(sha256('secret 0'), { start: 0, end: 3 }).toArray()
    expect(await stolen.catch(() => [])).toEqual([])
  })
})

describe.skipIf(redisServer === undefined)(`files that processes share in Redis (${redisServer ?? whyNoRedis})`, () => {
  it('are within their quotas whichever process puts them', async () => {
    const place = inRedis('a folder')
    const quota = { maxFiles: 5, maxBytes: 1_000 }
    const shelves = [await place.shelf(quota), await place.shelf(quota), await place.shelf(quota)]
    const all = shelves.map((shelf) => filesOf(shelf, 'ann', quota))
    for (const [i, files] of all.entries()) for (let n = 0; n < 8; n++) files.keep(`${i}-${n}`, `${i} ${n}`)
    await Promise.all(all.map((files) => files.settled()))
    await fresh(...all)
    expect(all.map(({ paths }) => paths.length)).toEqual([5, 5, 5])
    expect(all.map(({ paths }) => paths)).toEqual(all.map(() => all[0]!.paths))
    await vi.waitFor(async () => expect((await place.contents()).length).toBe(5))
  })

  it('are noticed without asking', async () => {
    const place = inRedis('Redis')
    const [one, two] = [filesOf(await place.shelf(), 'ann'), filesOf(await place.shelf(), 'ann')]
    one.keep('a', 'tea')
    await vi.waitFor(() => expect(two.paths).toEqual(['results/a']))
  })

  it('leave no content of a process that was killed between content and record', async () => {
    const place = inRedis('a folder')
    const shelf = await place.shelf()
    const made = await deployment(place.prefix)
    const ann = filesOf(shelf, 'ann')
    ann.keep('a', 'tea')
    await ann.settled()
    const client = new Redis(redis!.url)
    // As a process leaves it that ended an hour ago, after the upload.
    const lost = `${sha256('lost')}.0123456789abcdef`
    await shelf
      .of('ann')
      .put(
        { name: 'b', mimeType: 'text/plain', bytes: 4, sha256: sha256('lost'), keptAt: made.now() },
        Buffer.from('lost'),
        [],
      )
    await client.zadd(`${place.prefix}:files:garbage`, made.now() - 1, lost)
    const { writeFileSync } = await import('node:fs')
    writeFileSync(path.join(folder, place.prefix, lost), 'lost')
    await fresh(ann)
    await vi.waitFor(async () => expect((await place.contents()).length).toBe(2))
    expect(await client.zcard(`${place.prefix}:files:garbage`)).toBe(0)
    expect(await read(ann, 'b')).toBe('lost')
    client.disconnect()
  })

  it('are stored once if a reply is lost and the command is sent again', async () => {
    const place = inRedis('a folder')
    const shelf = await place.shelf()
    const owned = shelf.of('ann')
    const file = { name: 'a', mimeType: 'text/plain', bytes: 3, sha256: sha256('tea'), keptAt: 1 + Date.now() }
    for (let n = 0; n < 3; n++) await owned.put(file, Buffer.from('tea'), ['gone'])
    const client = new Redis(redis!.url)
    const key = (name: string) => `${place.prefix}:files:${name}`
    expect(await client.get(key('bytes'))).toBe('3')
    expect(await client.zscore(key('sizes'), 'ann')).toBe('3')
    expect(Object.values(await client.hgetall(key('uses')))).toEqual(['1'])
    await owned.remove(['a'])
    await owned.remove(['a'])
    await vi.waitFor(async () => expect(await place.contents()).toEqual([]))
    await vi.waitFor(async () => expect((await client.keys(key('*'))).sort()).toEqual([key('bytes'), key('changes')]))
    expect(await client.get(key('bytes'))).toBe('0')
    client.disconnect()
  })

  it('say where longer ones go', async () => {
    const place = inRedis('Redis')
    const ann = filesOf(await place.shelf(), 'ann')
    ann.keep('long.bin', Buffer.alloc(8_000_001))
    await ann.settled()
    expect(said.splice(0)).toEqual([
      'long.bin is kept in the memory of one process only: it has 8000001 bytes; without "stateFiles", the store takes files of up to 8000000 bytes',
    ])
    expect(ann.read('results/long.bin').length).toBe(8_000_001)
    expect(ann.mostReceived).toBe(8_000_000)
  })

  it('wait for a bucket that is busy, and say what it refuses', async () => {
    const place = inRedis('a bucket')
    const ann = filesOf(await place.shelf(), 'ann')
    bucket.fails.push(503)
    ann.keep('a', 'tea')
    await ann.settled()
    bucket.fails.push(403)
    ann.keep('b', 'cup')
    await ann.settled()
    expect(said.splice(0)).toEqual(['b is kept in the memory of one process only: the bucket answers 403 AccessDenied'])
    expect([ann.paths, await read(ann, 'b')]).toEqual([['results/a', 'results/b'], 'cup'])
    const again = filesOf(await place.shelf(), 'ann')
    await fresh(again)
    bucket.fails.push(403)
    await expect(read(again, 'a')).rejects.toThrow(
      "host error [content-unreadable] the content of results/a can't be read now: the bucket answers 403 AccessDenied",
    )
    expect(await read(again, 'a')).toBe('tea')
  })
})
