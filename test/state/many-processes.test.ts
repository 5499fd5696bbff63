// Runs over a store that several processes use: one goes on where another stopped, and a process that has lost its run
// does nothing more for it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CodeMode, type OpenOptions } from '../../dist/index.js'
import { type Deployment, FileStore, openRedis, type Store } from '../../dist/state/index.js'
import { tracker } from '../approvals/tracker.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const root = mkdtempSync(path.join(tmpdir(), 'starbind-many-'))
let redis: RedisFixture | undefined
let place = ''
let places = 0
const open: Deployment[] = []

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

interface Kind {
  readonly kind: string
  readonly skipped?: boolean
  readonly options: () => OpenOptions
  readonly store: () => Promise<Store>
}

const kinds: readonly Kind[] = [
  {
    kind: 'a file',
    options: () => ({ state: path.join(root, place) }),
    store: async () => new FileStore(path.join(root, place)),
  },
  {
    kind: redisServer === undefined ? `Redis (${whyNoRedis})` : 'Redis',
    skipped: redisServer === undefined,
    options: () => ({ state: redis!.url, statePrefix: place }),
    store: async () => {
      const opened = await openRedis({ url: redis!.url, prefix: place })
      open.push(opened)
      return opened.store
    },
  },
]

describe.each(kinds)('processes that keep their runs in $kind', ({ skipped = false, options, store }) => {
  const opened = (more: OpenOptions) => CodeMode.open({ warm: false, ...options(), ...more })

  it.skipIf(skipped)('answer and continue each other’s runs, and see each other’s values', async () => {
    const { servers, calls } = tracker()
    const asking = { servers, approve: 'writes', memory: 'session' } as const
    await using here = await opened(asking)
    await using there = await opened(asking)
    const code =
      'memory.set("n", issues.get(number=4)["number"])\nprint("found")\nissues.close(number=4)\nresult = "closed"'
    const { paused, runId } = await here.run(code)
    expect([paused?.runId, calls]).toEqual([runId, ['get 4']])
    expect((await there.runs.list()).map((run) => [run.runId, run.state])).toEqual([[runId, 'paused']])
    await there.runs.approve(runId)
    expect((await here.runs.show(runId)).state).toBe('approved')
    const { ok, result, logs } = await there.resume(runId)
    expect([ok, result, logs, calls]).toEqual([true, 'closed', ['found'], ['get 4', 'close 4']])
    expect((await here.runs.show(runId)).ending).toMatchObject({ ok: true, resultJson: '"closed"' })
    expect((await here.readToolFile({ fileName: `runs/${runId}` })).text).toContain('closed')
    expect((await here.runs.replay(runId)).difference).toBeNull()
    expect((await here.run('result = memory.get("n")')).result).toBe(4)
  })

  it.skipIf(skipped)('keep a run whose first calls begin together', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await opened({ servers })
    const result = await codeMode.run(
      'import asyncio\nawait asyncio.gather(*[issues.close(number=i) for i in range(8)])\nresult = "closed"',
    )
    expect([result.error, result.result]).toEqual([null, 'closed'])
    expect(calls.toSorted()).toEqual(Array.from({ length: 8 }, (_, i) => `close ${i}`))
    expect(await codeMode.runs.calls(result.runId)).toHaveLength(8)
  })

  it.skipIf(skipped)('reuse the calls of each other’s failed runs', async () => {
    const { servers, calls } = tracker()
    await using here = await opened({ servers, approve: 'never' })
    await using there = await opened({ servers, approve: 'never' })
    const code = 'n = issues.get(number=4)["number"]\nissues.close(number=n)\n'
    const failed = await here.run(`${code}result = n + "1"`)
    const { result, calls: made } = await there.run(`${code}issues.label(number=n)\nresult = n + 1`, {
      reuse: failed.runId,
    })
    expect([failed.ok, result, made.map(({ outcome }) => outcome), calls]).toEqual([
      false,
      5,
      ['reused', 'reused', 'answered'],
      ['get 4', 'close 4', 'label 4'],
    ])
    const stranger = there.session({ name: 'stranger' })
    expect((await stranger.run(code, { reuse: failed.runId })).error?.code).toBe('unknown-run')
  })

  it.skipIf(skipped).each([
    ['before its next call that may write', 'try:\n  issues.close(number=2)\nexcept: pass\nissues.close(number=3)'],
    ['when it ends', 'result = 1'],
  ])('stop a run that another one has taken, %s', async (_, rest) => {
    let go: (() => void) | undefined
    const { servers, calls } = tracker(() => new Promise<void>((resolve) => (go = resolve)))
    await using codeMode = await opened({ servers, approve: 'never' })
    const running = codeMode.run(`issues.close(number=1)\nissues.slow()\n${rest}`)
    await expect.poll(() => calls).toEqual(['close 1'])
    await expect.poll(() => codeMode.runs.list()).toHaveLength(1)
    const other = await store()
    const [kept] = await other.runs('underway')
    await other.change(kept!)
    await expect.poll(() => go).toBeDefined()
    go!()
    const { ok, result, error, report, runId } = await running
    expect([ok, result, error?.code, report]).toEqual([
      false,
      null,
      'run-taken',
      `host error [run-taken] ${runId} was stopped here, because another process has taken it over or ended it\n` +
        `hint: readToolFile("runs/${runId}") shows its progress, and its answer once it has ended\n` +
        'done before this: issues.close, issues.slow (safe to repeat)',
    ])
    expect(calls).toEqual(['close 1', 'slow'])
    expect(await other.run(runId)).toEqual({ ...kept, revision: kept!.revision + 1 })
    await other.close()
  })
})
