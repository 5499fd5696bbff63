// Opening and closing: workers start on demand and end when idle, and never keep a process alive.

import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../dist/sandbox/index.js'
import { gate } from './gate.js'
import { noWorkersLeft, workersAlive } from './leaks.js'

noWorkersLeft()
const opened: Sandbox[] = []
afterAll(() => Promise.all(opened.map((sandbox) => sandbox.close())))

const image = { name: 'plain', source: '' }

function open(options: SandboxOptions): Sandbox {
  const sandbox = openSandbox(options)
  opened.push(sandbox)
  return sandbox
}

describe('workers', () => {
  it.each([
    ['where each run has a worker of its own', { channel: 'blocking' }],
    ['where runs share workers if they can', {}],
  ] as const)('start with the first run, and one more when that is underway, %s', async (_, options) => {
    const before = workersAlive()
    const sandbox = open({ maxWorkers: 4, ...options })
    expect(workersAlive() - before).toBe(0)
    const { open: answer, arrival, onCall } = gate()
    const busy = sandbox.run({ image, code: 'hostCall("")', onCall })
    await arrival
    expect(workersAlive() - before).toBe(1)
    await sandbox.run({ image, code: '""', onCall: () => '' })
    // A shared worker that the machine stalls looks like one that a run blocks, and another is started beside it.
    if ('channel' in options) expect(workersAlive() - before).toBe(2)
    else expect(workersAlive() - before).toBeGreaterThan(1)
    answer()
    expect(await busy).toMatchObject({ kind: 'completed' })
    await sandbox.close()
    expect(workersAlive() - before).toBe(0)
  })

  it('stay one while runs follow each other', async () => {
    const before = workersAlive()
    const sandbox = open({ maxWorkers: 4, channel: 'blocking' })
    for (let i = 0; i < 20; i++) await sandbox.run({ image, code: '""', onCall: () => '' })
    expect(workersAlive() - before).toBe(1)
    await sandbox.close()
  })

  it('are warmed ahead, up to the maximum', async () => {
    const before = workersAlive()
    const sandbox = open({ maxWorkers: 3 })
    await sandbox.warm(image, 2)
    expect(workersAlive() - before).toBe(2)
    await sandbox.warm(image, 10)
    expect(workersAlive() - before).toBe(3)
    await sandbox.close()
  })

  it('are as many as the waiting runs, and never more than allowed', async () => {
    const before = workersAlive()
    const most = availableParallelism() + 2
    const sandbox = open({ maxWorkers: most, channel: 'blocking', maxWaiting: 1000 })
    const { open: answer, onCall } = gate()
    let arrived = 0
    const alive: number[] = []
    const runs = Array.from({ length: 60 }, () =>
      sandbox.run({
        image,
        code: 'hostCall("")',
        onCall: (call) => {
          alive.push(workersAlive() - before)
          if (++arrived === most) answer()
          return onCall(call)
        },
      }),
    )
    expect(new Set((await Promise.all(runs)).map((end) => end.kind))).toEqual(new Set(['completed']))
    expect(Math.max(...alive)).toBe(most)
    await sandbox.close()
  })

  it('refuse runs beyond the queue at once', async () => {
    const sandbox = open({ maxWorkers: 1, runsPerWorker: 1, maxWaiting: 2 })
    const { open: answer, onCall } = gate()
    const runs = Array.from({ length: 5 }, () => sandbox.run({ image, code: 'hostCall("")', onCall }))
    const refused = await Promise.all(runs.slice(3))
    expect(refused.map((end) => end.kind)).toEqual(['busy', 'busy'])
    answer()
    const ends = await Promise.all(runs)
    expect(ends.map((end) => end.kind)).toEqual(['completed', 'completed', 'completed', 'busy', 'busy'])
    expect(ends[4]!.stats).toMatchObject({ queueMs: 0, runMs: 0, callWaitMs: 0, memoryBytes: 0 })
    await sandbox.close()
  })
})

describe('closing', () => {
  it('ends running and waiting runs', async () => {
    const sandbox = open({ maxWorkers: 1, limits: { wallMs: 600_000, cpuMs: 300_000 } })
    let told = false
    let called = false
    const running = sandbox.run({
      image,
      code: 'hostCall("")',
      onCall: (_, signal) => {
        called = true
        return new Promise(() => signal.addEventListener('abort', () => (told = true)))
      },
    })
    const computing = sandbox.run({ image, code: 'for (;;) {}', onCall: () => '' })
    await expect.poll(() => called).toBe(true)
    await sandbox.close()
    expect(await running).toMatchObject({ kind: 'cancelled' })
    expect(await computing).toMatchObject({ kind: 'cancelled' })
    expect(told).toBe(true)
  })

  it('can be done twice, and nothing runs afterwards', async () => {
    const sandbox = open({})
    await sandbox.close()
    await sandbox.close()
    expect(await sandbox.run({ image, code: '""', onCall: () => '' })).toMatchObject({
      kind: 'fault',
      message: 'the sandbox is closed',
    })
    await expect(sandbox.warm(image)).rejects.toThrow('the sandbox is closed')
  })
})

describe('a process', () => {
  const door = fileURLToPath(new URL('../../dist/sandbox/index.js', import.meta.url))
  const script = async (body: string): Promise<string> => {
    const elsewhere = process.env.TESTED_DIST
    const file = elsewhere === undefined ? door : `${elsewhere}/sandbox/index.js`
    const text = `import { openSandbox } from ${JSON.stringify(file)}; const image = { name: 'plain', source: '' }; ${body}`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text], {
      timeout: 200_000,
    })
    return stdout
  }

  it('ends by itself when a sandbox was not closed', async () => {
    const body = `const s = openSandbox(); console.log((await s.run({ image, code: '"ran"', onCall: () => '' })).payload)`
    expect(await script(body)).toBe('ran\n')
  })

  it('ends by itself when it was, with nothing left', async () => {
    // Node's own cleanup after the end of a worker may take some turns.
    const body = `const s = openSandbox(); await s.warm(image, 3); await s.run({ image, code: 'hostCall("")', onCall: async () => '' }); await s.close()
      const left = () => process.getActiveResourcesInfo().filter((name) => /Worker|Port|Timeout/.test(name))
      for (let turns = 0; turns < 10_000 && left().length > 0; turns++) await new Promise((done) => setImmediate(done))
      console.log('left: ' + left())`
    expect(await script(body)).toBe('left: \n')
  })

  it('waits for a run that has not ended', async () => {
    const body = `const s = openSandbox(); s.run({ image, code: 'let n = 0; while (n < 3e6) n++; "" + n', onCall: () => '' }).then((end) => console.log(end.payload))`
    expect(await script(body)).toBe('3000000\n')
  })
})
