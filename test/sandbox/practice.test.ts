// Work that threads do for nobody while nobody needs them: it delays no task, and leaves nothing behind.

import { afterEach, expect, it, vi } from 'vitest'
import type { HostWorkers, Sandbox } from '../../dist/sandbox/index.js'
import * as sandboxes from '../../dist/sandbox/index.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()

const opened: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))

function openHostWorkers(): HostWorkers {
  const workers = sandboxes.openHostWorkers({ module: new URL('./host-work.mjs', import.meta.url).href })
  opened.push(workers)
  return workers
}

/** The most that waits for the end of a practice is less than a practice may take. */
const limits = { wallMs: 1_000 }
const image = { name: 'practice', source: '' }
const onCall = vi.fn(() => 'answered')

async function openWarm(channel: 'auto' | 'blocking' = 'auto'): Promise<Sandbox> {
  const sandbox = sandboxes.openSandbox({ channel })
  opened.push(sandbox)
  await sandbox.warm(image)
  return sandbox
}

/** Resolves when the threads of this process have computed for a moment. */
async function computing(): Promise<void> {
  const begun = process.cpuUsage()
  await vi.waitUntil(() => process.cpuUsage(begun).user > 100_000, { interval: 20, timeout: 60_000 })
}

let computed = process.cpuUsage()
/** True if the threads of this process have hardly computed since the last call. */
function isAtRest(): boolean {
  const { user } = process.cpuUsage(computed)
  computed = process.cpuUsage()
  return user < 5_000
}

it.each(['auto', 'blocking'] as const)(
  'a guest practises until a run comes, which finds it pristine (%s)',
  async (channel) => {
    const sandbox = await openWarm(channel)
    sandbox.practise(image, 'globalThis.left = 1; for (;;);')
    await computing()
    const code = 'String(globalThis.left)'
    expect(await sandbox.run({ image, code, limits, onCall })).toMatchObject({
      kind: 'completed',
      payload: 'undefined',
    })
  },
)

it('a call ends the practice, and nobody hears of it', async () => {
  const sandbox = await openWarm()
  sandbox.practise(image, 'for (let i = 0; i < 1e7; i++); hostPrint("heard"); hostCall("heard"); for (;;);')
  await computing()
  await vi.waitUntil(isAtRest, { interval: 20, timeout: 60_000 })
  const onPrint = vi.fn()
  const end = await sandbox.run({ image, code: 'hostPrint("mine"); hostCall("mine")', limits, onCall, onPrint })
  expect(end).toMatchObject({ kind: 'completed', payload: 'answered' })
  expect(onCall.mock.calls).toEqual([
    [expect.objectContaining({ id: 1, payload: 'mine' }), expect.anything(), expect.anything()],
  ])
  expect(onPrint.mock.calls).toEqual([['mine']])
})

it('a thread that goes to another owner stops practising', async () => {
  const first = await openWarm()
  first.practise(image, 'for (;;);')
  await computing()
  await first.close()
  const second = sandboxes.openSandbox()
  opened.push(second)
  const run = await second.run({ image: { name: 'another', source: '' }, code: '"done"', limits, onCall })
  expect(run).toMatchObject({ kind: 'completed', payload: 'done' })
})

it('a host worker practises before its first task, and not after it', async () => {
  const workers = openHostWorkers()
  expect(await workers.practise({ act: 'echo', value: 1 })).toBe(undefined)
  workers.warm()
  const practised = workers.practise({ act: 'echo', value: 2 })
  const task = workers.run({ input: { act: 'echo', value: 3 }, withinMs: 60_000, workMs: 60_000 })
  expect(await practised).toBe(2)
  expect(await task).toMatchObject({ kind: 'done', value: 3 })
  expect(await workers.practise({ act: 'echo', value: 4 })).toBe(undefined)
})

it.each(['throw', 'function'])('practice that fails fails alone: %s', async (act) => {
  const workers = openHostWorkers()
  workers.warm()
  expect(await workers.practise({ act, value: 'failed' })).toBe(undefined)
  const task = await workers.run({ input: { act: 'echo', value: 1 }, withinMs: 60_000, workMs: 60_000 })
  expect(task).toMatchObject({ kind: 'done', value: 1 })
})

it('a thread that ends while it practises says so', async () => {
  const workers = openHostWorkers()
  workers.warm()
  const practised = workers.practise({ act: 'endless' })
  await workers.close()
  expect(await practised).toBe(undefined)
})

it('the time of a task begins when its thread has practised', async () => {
  const workers = openHostWorkers()
  const flag = new Int32Array(new SharedArrayBuffer(4))
  workers.warm()
  const practised = workers.practise({ act: 'until', value: flag })
  const task = workers.run({ input: { act: 'echo', value: 1 }, withinMs: 60_000, workMs: 50 })
  await computing()
  Atomics.store(flag, 0, 1)
  expect(await practised).toBe('told')
  expect(await task).toMatchObject({ kind: 'done', value: 1 })
})
