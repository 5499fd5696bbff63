// Background runs of many processes over a real redis-server: real workers take them, die, hand them over, and lack
// servers. The calls are counted at a real MCP server.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { CodeMode, type OpenOptions } from '../../dist/index.js'
import { timing } from '../../dist/state/redis/timing.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'
import { amount } from '../random.js'

type StartedRun = Awaited<ReturnType<CodeMode['start']>>

const LEASE_MS = 450
const WAITING = amount(40, 100)
const dist = new URL('../../dist/', import.meta.url).href
const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url).pathname
const soon = { timeout: 20_000, interval: 20 }

describe.skipIf(redisServer === undefined)(
  `background runs, from process to process (${redisServer ?? whyNoRedis})`,
  () => {
    const { leaseMs } = timing
    const folder = mkdtempSync(path.join(tmpdir(), 'starbind-workers-'))
    const counted = (name: string) => path.join(folder, name)
    const calls = () =>
      readFileSync(counted('calls'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.trim())
        .toSorted()
    const issues = { command: process.execPath, args: [fixture('counted-server.mjs')], env: { COUNTED: folder } }
    const workers: ChildProcess[] = []
    let redis: RedisFixture
    let options: OpenOptions
    let codeMode: CodeMode
    /** The worker of this moment, and what its log says. */
    let worker: ChildProcess
    let lines: string[]
    /** Runs of which one waits in a read, and the other in a write. */
    let reading: StartedRun
    let writing: StartedRun

    const startWorker = async () => {
      const args = [fixture('run-worker.mjs'), dist, JSON.stringify(options), String(LEASE_MS)]
      worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      workers.push(worker)
      const said: string[] = []
      lines = said
      createInterface({ input: worker.stdout! }).on('line', (line) => said.push(line))
      await vi.waitFor(() => expect(said).toContain('working'), soon)
    }
    const endWorker = async (signal: 'SIGTERM' | 'SIGKILL') => {
      const exit = once(worker, 'exit')
      worker.kill(signal)
      return exit
    }
    const becomes = ({ runId }: StartedRun, state: string) =>
      vi.waitFor(async () => expect((await codeMode.runs.show(runId)).state).toBe(state), soon)

    beforeAll(async () => {
      timing.leaseMs = LEASE_MS
      redis = await startRedis()
      options = { servers: { issues }, state: redis.url }
      codeMode = await CodeMode.open({ ...options, warm: false })
    })
    afterAll(async () => {
      await codeMode.close()
      for (const one of workers) one.kill('SIGKILL')
      timing.leaseMs = leaseMs
      await redis[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    })

    it('are carried out by another process, with the rights of their caller', async () => {
      const ann = codeMode.session({ name: 'ann', filters: { toolsToExecute: ['issues/list_*'] } })
      const { runId, ended } = await ann.start('result = len(json.loads(issues.list_issues()))')
      expect(await ann.runs.show(runId)).toMatchObject({ state: 'queued', owner: 'ann', background: true, lacks: null })
      expect((await ann.readToolFile({ fileName: `runs/${runId}` })).text).toBe(
        `${runId} waits for a worker; calls so far: 0`,
      )
      await startWorker()
      expect(await ended).toMatchObject({ runId, ok: true, result: 20, calls: [{ tool: 'list_issues', ok: true }] })
      const forbidden = await (await ann.start('issues.close_issue(number=1)')).ended
      expect(forbidden).toMatchObject({ ok: false, error: { code: 'unknown-tool' } })
      expect(lines.filter((line) => line.startsWith(runId))).toEqual([
        `${runId} of ann: begins here`,
        expect.stringMatching(new RegExp(`^${runId} of ann: ok, after [\\d.]+ s$`)),
      ])
      expect(calls()).toEqual(['list_issues'])
    })

    it('go on in another process when theirs is killed; a call of which the end is unknown is asked about', async () => {
      for (const name of ['waits', 'holds']) writeFileSync(counted(name), '')
      writing = await codeMode.start('issues.close_issue(number=1)')
      await vi.waitFor(() => expect(calls()).toEqual(['close_issue 1', 'list_issues']), soon)
      rmSync(counted('holds'))
      reading = await codeMode.start('issues.close_issue(number=2)\nprint(issues.get_issue(number=3)["title"])')
      const before = ['close_issue 1', 'close_issue 2', 'get_issue 3', 'list_issues']
      await vi.waitFor(() => expect(calls()).toEqual(before), soon)
      await endWorker('SIGKILL')
      await startWorker()
      await becomes(writing, 'paused')
      expect((await codeMode.runs.show(writing.runId)).calls).toMatchObject([
        { reason: 'unknown', arguments: { number: 1 } },
      ])
      await codeMode.runs.deny(writing.runId)
      await becomes(writing, 'ended')
      await vi.waitFor(() => expect(calls()).toEqual([...before, 'get_issue 3'].toSorted()), soon)
    })

    it('are handed over when their process has to end', async () => {
      expect(await endWorker('SIGTERM')).toEqual([0, null])
      expect(lines.at(-1)).toMatch(new RegExp(`^${reading.runId} of local: handed over, after [\\d.]+ s$`))
      expect((await codeMode.runs.show(reading.runId)).state).toBe('queued')
      rmSync(counted('waits'))
      await startWorker()
      expect(await reading.ended).toMatchObject({ ok: true, logs: ['Issue 3'] })
      const writes = calls().filter((call) => call.startsWith('close'))
      expect(writes).toEqual(['close_issue 1', 'close_issue 2'])
    })
  },
)

describe.skipIf(redisServer === undefined)(`background runs that wait (${redisServer ?? whyNoRedis})`, () => {
  const { leaseMs } = timing
  let redis: RedisFixture
  const open: CodeMode[] = []
  const opened = async (statePrefix: string, more: OpenOptions = {}) => {
    const codeMode = await CodeMode.open({ state: redis.url, statePrefix, warm: false, log: () => {}, ...more })
    open.push(codeMode)
    return codeMode
  }
  const closed: number[] = []
  const issues = { inProcess: { close: { call: ({ number }: { number: number }) => closed.push(number) } } }
  beforeAll(async () => {
    timing.leaseMs = LEASE_MS
    redis = await startRedis()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((codeMode) => codeMode.close()))
    closed.length = 0
  })
  afterAll(async () => {
    timing.leaseMs = leaseMs
    await redis[Symbol.asyncDispose]()
  })

  it('for a person are in the store only, and all end when they are answered', async () => {
    const servers = { issues }
    const codeMode = await opened('paused', { servers, approve: 'writes', runsWaiting: WAITING })
    const first = await opened('paused', { servers, approve: 'writes' })
    first.work({ runs: 4 })
    const runs = await Promise.all(
      Array.from({ length: WAITING }, (_, number) => codeMode.start(`issues.close(number=${number})`)),
    )
    const inState = async (state: string) => (await codeMode.runs.list()).filter((run) => run.state === state).length
    const seldom = { ...soon, interval: 200 }
    await vi.waitFor(async () => expect(await inState('paused')).toBe(WAITING), seldom)
    await first.close()
    const client = new Redis(redis.url)
    const inQueue = (await client.keys('paused:*')).filter((key) =>
      /:(turns:(run|owned|line|active|waiting|due|offered)|queue:runs:run-)/.test(key),
    )
    client.disconnect()
    expect([inQueue, closed]).toEqual([[], []])
    await Promise.all(runs.map(({ runId }) => codeMode.runs.approve(runId)))
    expect(await inState('queued')).toBe(WAITING)
    const second = await opened('paused', { servers, approve: 'writes' })
    second.work({ runs: 4 })
    await vi.waitFor(async () => expect(await inState('ended')).toBe(WAITING), seldom)
    expect(closed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: WAITING }, (_, number) => number))
  })

  it('for a server are left to a worker that has it, and say so', async () => {
    const messages: string[] = []
    const codeMode = await opened('lacking', { servers: { issues, other: issues } })
    const lacking = await opened('lacking', {
      servers: { other: issues },
      log: ({ level, message }) => level === 'warn' && messages.push(message),
    })
    lacking.work({ runs: 2 })
    const { runId, ended } = await codeMode.start('issues.close(number=1)')
    await vi.waitFor(async () => expect((await codeMode.runs.show(runId)).lacks).toBe('issues'), soon)
    expect((await codeMode.readToolFile({ fileName: `runs/${runId}` })).text).toBe(
      `${runId} waits for a worker with the server issues; calls so far: 0`,
    )
    expect(messages.filter((message) => message.startsWith(runId))).toEqual([
      `${runId} of local needs the server issues, which this worker does not have; such runs are left to others`,
    ])
    const having = await opened('lacking', { servers: { issues } })
    having.work({ runs: 2 })
    expect(await ended).toMatchObject({ ok: true })
    expect(closed).toEqual([1])
  })

  it('end when their processes have ended again and again', async () => {
    const codeMode = await opened('poison', { servers: { issues } })
    const { runId, ended } = await codeMode.start('issues.close(number=1)')
    const client = new Redis(redis.url)
    await client.hset(`poison:turns:run:${runId}`, 'losses', 5)
    client.disconnect()
    codeMode.work({ runs: 1 })
    expect((await ended).report).toBe(
      [
        `host error [run-given-up] ${runId} was given up after 5 processes ended while they carried it out`,
        'hint: look at the logs of the workers; they may have run out of memory',
      ].join('\n'),
    )
    expect(closed).toEqual([])
  })

  it('are counted in the metrics, and refused where too many wait', async () => {
    const codeMode = await opened('counted', { servers: { issues }, runsWaiting: 2 })
    await codeMode.start('1', { delayMs: 60_000, priority: 'low' })
    await codeMode.start('2')
    await expect(codeMode.start('3')).rejects.toThrow('local already has 2 runs that wait for a worker')
    const lines = () =>
      codeMode
        .metrics()
        .split('\n')
        .filter((line) => line.startsWith('starbind_queue_runs'))
    await vi.waitFor(
      () =>
        expect(lines()).toEqual([
          'starbind_queue_runs{state="waiting"} 1',
          'starbind_queue_runs{state="delayed"} 1',
          'starbind_queue_runs{state="active"} 0',
        ]),
      soon,
    )
  })

  it('need Redis', async () => {
    const codeMode = await CodeMode.open({ warm: false })
    open.push(codeMode)
    expect(() => codeMode.work()).toThrow(
      'a worker needs a queue of runs, and only runs that are kept in Redis have one',
    )
    await expect(codeMode.start('1', { delayMs: 5 })).rejects.toThrow('a priority or a delay needs a queue of runs')
  })
})
