// Two processes of one deployment, as two CodeModes over one Redis: what one stores, the other has.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CodeMode, type OpenOptions, type Session } from '../../dist/index.js'
import { type BucketFixture, startBucket } from '../fixtures/bucket-server.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

describe.skipIf(redisServer === undefined)(`processes over one Redis (${redisServer ?? whyNoRedis})`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-shared-'))
  let redis: RedisFixture
  let bucket: BucketFixture
  const open: CodeMode[] = []
  let deployments = 0
  let counted = 0
  const later = () => new Promise<string>((resolve) => setTimeout(resolve, 5, 'later'))
  const shop = {
    inProcess: {
      picture: {
        description: 'A picture.',
        inputSchema: { type: 'object' as const },
        call: () => ({
          content: [
            { type: 'resource' as const, resource: { uri: 'a://b.txt', text: 'tea '.repeat(9), mimeType: 'text/csv' } },
          ],
        }),
      },
      count: { description: 'Counts.', inputSchema: { type: 'object' as const }, call: () => ++counted },
      seen: {
        description: 'One of two.',
        inputSchema: { type: 'object' as const, properties: { n: { type: 'integer' as const } }, required: ['n'] },
        call: ({ n }: { n: number }) => (n === 1 ? { first: 1 } : { second: 2 }),
      },
      later: { description: 'Waits.', inputSchema: { type: 'object' as const }, call: later },
      length: {
        description: 'The length of a text.',
        inputSchema: { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] },
        call: ({ text }: { text: string }) => text.length,
      },
    },
  }
  /** Two processes of one deployment, and the same named caller at both. */
  async function replicas(options: OpenOptions = {}): Promise<{ all: CodeMode[]; ann: [Session, Session] }> {
    const state = { state: redis.url, statePrefix: `d${++deployments}`, warm: false, servers: { shop } }
    const all = [await CodeMode.open({ ...state, ...options }), await CodeMode.open({ ...state, ...options })]
    open.push(...all)
    const [one, two] = all.map((codeMode) => codeMode.session({ name: 'ann', results: 'named' }))
    return { all, ann: [one!, two!] }
  }
  beforeAll(async () => {
    ;[redis, bucket] = [await startRedis(), await startBucket()]
  })
  afterAll(async () => {
    for (const codeMode of open) await codeMode.close()
    await redis[Symbol.asyncDispose]()
    await bucket[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['Redis', () => ({})],
    ['a folder', () => ({ stateFiles: path.join(folder, 'contents') })],
    ['a bucket', () => ({ stateFiles: bucket.url, stateBucket: bucket.settings })],
  ])('have the same artifacts, with contents in %s', async (_, settings) => {
    const { all, ann } = await replicas(settings())
    const [one, two] = ann
    await one.run('artifacts.save("orders.csv", "id,total\\n1,4.50\\n")\nshop.picture()')
    expect((await two.listToolFiles()).text).toContain('results/  # 2 files')
    expect((await two.readToolFile({ fileName: 'results/orders.csv' })).text).toBe('id,total\n1,4.50\n')
    const { result } = await two.run(
      'result = [f["name"] for f in artifacts.list()] + [artifacts.open("orders.csv").read().decode()]',
    )
    expect(result).toEqual(['orders.csv', 'shop.picture-resource.csv', 'id,total\n1,4.50\n'])
    expect((await two.run('result = shop.length(text=artifacts.open("shop.picture-resource.csv"))')).result).toBe(36)
    await two.artifacts.save('orders.csv', 'changed')
    expect(Buffer.from(await one.artifacts.read('orders.csv')).toString()).toBe('changed')
    const stranger = all[1]!.session({ name: 'ben', results: 'named' })
    expect([await stranger.artifacts.list(), await all[1]!.artifacts.list()]).toEqual([[], []])
  })

  it('have the same long answers, and never two of one name', async () => {
    const { ann } = await replicas()
    const long = (word: string) => ({ code: `result = ["${word} %d" % i for i in range(9000)]` })
    const answers = await Promise.all([ann[0].executeToolCode(long('tea')), ann[1].executeToolCode(long('cup'))])
    const paths = answers.map(({ text }) => /results\/run-[\da-f]+\.json/.exec(text)?.[0] ?? text)
    expect(new Set(paths).size).toBe(2)
    for (const [i, word] of ['tea', 'cup'].entries())
      for (const session of ann)
        expect((await session.readToolFile({ fileName: paths[i]!, startLine: 1, endLine: 6 })).text).toContain(
          `${word} 0`,
        )
    const name = path.basename(paths[0]!, '.json')
    expect((await ann[1].run(`result = [len(results.load("${name}")), "${name}" in results.list()]`)).result).toEqual([
      9000,
      true,
    ])
    expect(await ann[1].artifacts.list()).toEqual([])
  })

  it('reuse the calls of a run that failed in another one', async () => {
    const { ann, all } = await replicas()
    const before = counted
    const failed = await ann[0].executeToolCode({ code: 'n = shop.count()\nresult = n + missing["key"]' })
    const broken = await ann[0].executeToolCode({ code: 'n = shop.count()\nassert False' })
    expect([failed.isError, broken.isError]).toEqual([true, true])
    const [, run] = /reuse="(run-[\da-f]+)"/.exec(broken.text) ?? []
    const made = counted
    expect(made).toBe(before + 1)
    const answer = await ann[1].executeToolCode({ code: 'result = shop.count()', reuse: run! })
    expect([answer.isError, answer.text.includes(String(made)), counted]).toEqual([false, true, made])
    const stranger = all[1]!.session({ name: 'ben', results: 'named' })
    const refused = await stranger.executeToolCode({ code: 'result = shop.count()', reuse: run! })
    expect(refused.text).toContain('unknown-run')
    expect((await ann[1].artifacts.list()).length).toBe(0)
  })

  it('know what the others have seen of tools, and none overwrites another', async () => {
    const { all } = await replicas()
    await all[0]!.run('shop.seen(n=1)')
    await all[1]!.run('shop.seen(n=2)')
    await Promise.all(all.map((codeMode) => codeMode.close()))
    const later = await CodeMode.open({
      state: redis.url,
      statePrefix: `d${deployments}`,
      warm: false,
      servers: { shop },
    })
    open.push(later)
    const { text } = await later.getToolDocs({ server: 'shop', tool: 'seen' })
    expect([text.includes('first'), text.includes('second')]).toEqual([true, true])
  })

  it('know the tools of a server that another one has listed', async () => {
    const listed = { command: process.execPath, args: [path.join(import.meta.dirname, '../fixtures/plain-server.mjs')] }
    const settings = {
      servers: { listed },
      catalogueFolder: path.join(folder, 'catalogues'),
      startServers: 'named' as const,
    }
    const { all } = await replicas({ ...settings, startServers: 'first' })
    const names = all[0]!.servers.status()[0]!.tools
    expect(names.length).toBeGreaterThan(0)
    await Promise.all(all.map((codeMode) => codeMode.close()))
    const later = await CodeMode.open({ ...settings, state: redis.url, statePrefix: `d${deployments}`, warm: false })
    open.push(later)
    const [status] = later.servers.status()
    expect([status!.state, status!.tools]).toEqual(['idle', names])
    expect(existsSync(path.join(folder, 'catalogues'))).toBe(false)
  })

  it('notice during a run what another process stores', async () => {
    const { ann } = await replicas()
    const seen = ann[0].run(`
def found():
    for i in range(400):
        if artifacts.list():
            return True
        shop.later()
result = found()
`)
    await ann[1].artifacts.save('late.txt', 'tea')
    expect((await seen).result).toBe(true)
  })

  it('list and read files as resources, and tell who follows them', async () => {
    const { ann } = await replicas()
    await ann[0].artifacts.save('a.txt', 'tea')
    const { files } = ann[1]
    await files.fresh()
    expect(files.list().map(({ name }) => name)).toEqual(['a.txt'])
    expect(await ann[1].direct.ask('resources/read', { uri: 'starbind://results/a.txt' })).toEqual({
      contents: [{ uri: 'starbind://results/a.txt', mimeType: 'text/plain', text: 'tea' }],
    })
    const changed: string[] = []
    const stop = files.listen((names) => changed.push(...names))
    await ann[0].artifacts.save('a.txt', 'cup')
    await vi.waitFor(async () => {
      files.list()
      expect(changed).toEqual(['a.txt'])
    })
    stop()
    expect(Buffer.concat((await files.stream('a.txt', { start: 0, end: 2 }).toArray()) as Buffer[]).toString()).toBe(
      'cup',
    )
  })

  it('say what can’t be read', async () => {
    const { ann } = await replicas({ stateFiles: bucket.url, stateBucket: bucket.settings })
    await ann[0].artifacts.save('a.txt', 'tea')
    bucket.fails.push(403, 403, 403)
    const unreadable =
      "host error [content-unreadable] the content of results/a.txt can't be read now: the bucket answers 403 AccessDenied"
    expect((await ann[1].readToolFile({ fileName: 'results/a.txt' })).text).toContain(unreadable)
    expect((await ann[1].run('result = artifacts.open("a.txt").read()')).report).toContain(unreadable)
    expect((await ann[1].run('result = shop.length(text=artifacts.open("a.txt"))')).report).toContain(unreadable)
    expect((await ann[1].run('result = shop.length(text=artifacts.open("a.txt"))')).result).toBe(3)
  })
})
