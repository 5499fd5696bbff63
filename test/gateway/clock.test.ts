// A time of day that jumps by hours, as it does when a machine wakes up or is corrected: nothing here may depend on it.

import { fileURLToPath } from 'node:url'
import { afterEach, expect, it, vi } from 'vitest'
import { CodeMode } from '../../dist/index.js'

afterEach(() => vi.restoreAllMocks())

const script = fileURLToPath(new URL('../fixtures/plain-server.mjs', import.meta.url))
const HOURS = 3_600_000
const now = Date.now

it.each([-5 * HOURS, 5 * HOURS])('calls are limited and made as before after a jump of %d ms', async (jump) => {
  await using codeMode = await CodeMode.open({
    servers: { shop: { inProcess: { count: { call: () => 3 } } } },
    serve: { rateLimits: [{ calls: 2, perMs: 60_000 }] },
  })
  const count = async () => (await codeMode.run('shop.count()')).error
  expect(await count()).toBe(null)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + jump)
  expect(await count()).toBe(null)
  const refusal = await count()
  expect(refusal?.code).toBe('rate-limited')
  expect(Number(/^wait (\d+) s$/.exec(refusal?.hint ?? '')?.[1])).toBeLessThanOrEqual(60)
})

it('a server that is lost after a jump reconnects', async () => {
  await using codeMode = await CodeMode.open({ servers: { plain: { command: process.execPath, args: [script] } } })
  expect((await codeMode.run('plain.greet()')).ok).toBe(true)
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 5 * HOURS)
  expect((await codeMode.run('plain.crash()')).error?.code).toBe('server-lost')
  expect((await codeMode.run('print(plain.greet())')).ok).toBe(true)
})
