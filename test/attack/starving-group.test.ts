// Wall: the fair queue. One caller that floods the sandbox holds up itself; others get their turn.

import { afterAll, expect, it } from 'vitest'
import { openSandbox, type Sandbox } from '../../dist/sandbox/index.js'
import { noWorkersLeft } from '../sandbox/leaks.js'
import { plain } from './harness.js'

noWorkersLeft()
const sandboxes: Sandbox[] = []
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())))

/** A sandbox of four workers whose runs wait for `release`. */
function workplace() {
  const sandbox = openSandbox({ maxWorkers: 4, runsPerWorker: 1, spareWorkers: 0, maxWaiting: 20 })
  sandboxes.push(sandbox)
  const started: string[] = []
  const waiting: (() => void)[] = []
  const run = (group: string) =>
    sandbox.run({
      image: plain,
      code: 'hostCall("")',
      group,
      onCall: () => {
        started.push(group)
        return new Promise((done) => waiting.push(() => done('')))
      },
    })
  const release = () => {
    for (const done of waiting.splice(0)) done()
  }
  return { started, run, release }
}

it('a group never holds all workers', async () => {
  const { started, run, release } = workplace()
  const runs = Array.from({ length: 10 }, () => run('greedy'))
  await expect.poll(() => started.length).toBe(3)
  runs.push(run('modest'))
  await expect.poll(() => started).toEqual(['greedy', 'greedy', 'greedy', 'modest'])
  const pump = setInterval(release, 5)
  expect((await Promise.all(runs)).map((end) => end.kind)).toEqual(runs.map(() => 'completed'))
  clearInterval(pump)
})

it('groups take turns', async () => {
  const { started, run, release } = workplace()
  const runs = [...Array.from({ length: 16 }, () => run('greedy')), run('modest'), run('other')]
  // None is answered before all four are there, so that none overtakes another whose worker is late.
  await expect.poll(() => started.length).toBe(4)
  expect(started.splice(0).sort()).toEqual(['greedy', 'greedy', 'modest', 'other'])
  const pump = setInterval(release, 5)
  await Promise.all(runs)
  clearInterval(pump)
  expect(started).toEqual(Array.from({ length: 14 }, () => 'greedy'))
})

it('a full queue refuses the group that filled it', async () => {
  const { started, run, release } = workplace()
  const flood = Array.from({ length: 40 }, () => run('greedy'))
  const modest = Array.from({ length: 5 }, () => run('modest'))
  const refused = Promise.race(flood.slice(30))
  expect(await refused).toMatchObject({ kind: 'busy', stats: { runMs: 0 } })
  await expect.poll(() => started.length).toBe(4)
  const pump = setInterval(release, 5)
  expect((await Promise.all(modest)).map((end) => end.kind)).toEqual(modest.map(() => 'completed'))
  const ends = (await Promise.all(flood)).map((end) => end.kind)
  clearInterval(pump)
  expect(new Set(ends)).toEqual(new Set(['completed', 'busy']))
  expect(ends.slice(0, 15)).toEqual(Array.from({ length: 15 }, () => 'completed'))
})
