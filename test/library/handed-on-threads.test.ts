// A CodeMode takes over the idle threads of one that was closed, and nothing else of it.

import type { Worker } from 'node:worker_threads'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { endParkedWorkers } from '../sandbox/leaks.js'

let started = 0
const note = (_: Worker): void => void started++
process.on('worker', note)
afterAll(() => void process.off('worker', note))

beforeEach(async () => {
  await endParkedWorkers()
  started = 0
})

const serving = (name: string, price: number) => ({
  servers: { [name]: { inProcess: { price: { description: 'The price.', call: () => price } } } },
})

it('the next one starts no thread, and knows no tool or program of the one before', async () => {
  const first = await CodeMode.open(serving('shop', 3))
  expect(await first.run('word = "secret"\nresult = shop.price()')).toMatchObject({ ok: true, result: 3 })
  await first.close()
  const before = started
  await using second = await CodeMode.open(serving('store', 4))
  expect(await second.run('result = store.price()')).toMatchObject({ ok: true, result: 4 })
  expect((await second.run('result = shop.price()')).error).toMatchObject({
    code: 'undefined-name',
    message: 'undefined: shop',
  })
  expect((await second.run('result = word')).error).toMatchObject({
    code: 'undefined-name',
    message: 'undefined: word',
  })
  expect([before, started]).toEqual([2, 2])
})

it('each keeps its own dialect and limits', async () => {
  const strict = await CodeMode.open({ strict: true, limits: { toolCalls: 1 } })
  expect(await strict.run('result = f"{1}"')).toMatchObject({ ok: false })
  await strict.close()
  await using usual = await CodeMode.open(serving('shop', 3))
  expect(await usual.run('result = f"{shop.price()}{shop.price()}"')).toMatchObject({ ok: true, result: '33' })
})

it('two that are open at once have threads of their own', async () => {
  await using first = await CodeMode.open(serving('shop', 3))
  await using second = await CodeMode.open(serving('shop', 4))
  const results = await Promise.all([first, second].map((each) => each.run('result = shop.price()')))
  expect(results.map(({ result }) => result)).toEqual([3, 4])
  expect(started).toBe(4)
})
