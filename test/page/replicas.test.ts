// Runs of one process that are watched at another process of the same deployment.

import { expect, it, onTestFinished } from 'vitest'
import { CodeMode, type RunNews } from '../../dist/index.js'
import { openRedis } from '../../dist/state/index.js'
import { redisServer, startRedis } from '../fixtures/redis.js'
import { openPage } from './page-service.js'

const shop = { count: { call: () => 3 }, sell: { call: () => 'sold' } }
const options = { servers: { shop: { inProcess: shop } }, approve: ['shop/sell'] }

it.skipIf(redisServer === undefined)('the page shows the runs of all replicas', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  const { events, ask } = await openPage({ ...options, state: redis.url })
  await using other = await CodeMode.open({ ...options, state: redis.url })
  let isOver = false
  const printed = new Set<string>()
  const seen = events(({ type, runId, approval }) => {
    if (type === 'print') printed.add(runId)
    return type === 'approval' && printed.has(approval.runId)
  })
  const all = seen.finally(() => {
    isOver = true
  })
  // The other replica learns within a second that somebody watches.
  const run = () => other.session({ name: 'ada' }).run('print("hello", shop.count())\nshop.sell()')
  await expect.poll(async () => [await run(), isOver][1]).toBe(true)
  const last = (await all).at(-1)!.event
  const { runId } = last.approval
  const ofRun = (await all)
    .map(({ event }) => event)
    .filter(({ run, ...event }) => (event.runId ?? run?.runId) === runId)
  expect(ofRun.map(({ type }) => type)).toEqual(expect.arrayContaining(['run', 'call', 'print']))
  expect(ofRun.find(({ type }) => type === 'print').print.text).toBe('hello 3')
  expect(last.approval.calls.map(({ server, tool }: { server: string; tool: string }) => [server, tool])).toEqual([
    ['shop', 'sell'],
  ])
  expect((await ask('GET', `runs/${runId}`)).body).toMatchObject({ runId, owner: 'ada', state: 'waiting' })
})

it.skipIf(redisServer === undefined)('nothing is published for nobody, and nothing that nobody may see', async () => {
  await using redis = await startRedis()
  await using one = await CodeMode.open({ ...options, state: redis.url })
  await using two = await CodeMode.open({ ...options, state: redis.url })
  const onlooker = await openRedis({ url: redis.url, prefix: 'starbind' })
  const published: string[] = []
  await onlooker.channels.listen('news', (text) => void published.push(text))
  const heard: RunNews[] = []
  const heardWhereItRuns: RunNews[] = []
  one.runs.watch((news) => void heardWhereItRuns.push(news))
  await one.session({ name: 'ada' }).run('print("before")')
  const stop = two.session({ name: 'ada' }).runs.watch((news) => void heard.push(news))
  const run = async (code: string) => {
    await one.session({ name: 'bob' }).run('print("of bob")')
    await one.session({ name: 'ada' }).run(code)
  }
  const prints = (all = heard) =>
    all.flatMap((one) => (one.type === 'event' && one.event.type === 'print' ? [one.event.text] : []))
  await expect.poll(async () => [await run('print("of ada" + "x" * 100000)'), prints()[0]][1]).toBeDefined()
  for (const word of ['once', 'more', 'last']) {
    await run(`print("${word}")`)
    await expect.poll(() => prints()).toContain(word)
  }
  stop()
  for (const all of [heard, heardWhereItRuns]) expect(prints(all).filter((text) => text === 'once')).toEqual(['once'])
  expect(prints()[0]).toBe(`of ada${'x'.repeat(16 * 1024 - 6)}`)
  expect(new Set(heard.map(({ owner }) => owner))).toEqual(new Set(['ada']))
  expect(published.join('')).not.toMatch(/of bob|before/)
  await onlooker.close()
})
