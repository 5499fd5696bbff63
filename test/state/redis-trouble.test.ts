// Trouble with a store in Redis: processes that die, clocks that disagree, settings that differ, a store that is gone,
// certificates, packages that are missing.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode, type LogLine, readConfiguration } from '../../dist/index.js'
import { openRedis } from '../../dist/state/index.js'
import { tracker } from '../approvals/tracker.js'
import { main, Workplace } from '../fixtures/command.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const dist = path.dirname(main)
const entry = path.join(dist, 'bundle', 'index.js')
const run = promisify(execFile)
const place = new Workplace()

describe.skipIf(redisServer === undefined)(`a store in Redis (${redisServer ?? whyNoRedis})`, () => {
  let redis: RedisFixture
  let databases = 0
  /** An empty database of the server. */
  const database = () => `${redis.url}/${++databases}`
  beforeAll(async () => {
    redis = await startRedis({ keeps: true })
  })
  afterAll(async () => {
    await redis[Symbol.asyncDispose]()
    await place.allGone()
    place.remove()
  })

  it('gives the run of a killed process to another once its lease is over, and no call is repeated', async () => {
    const state = database()
    const server = place.fixture('counted-server', { env: { COUNTED: place.folder } })
    const code =
      'issues.close_issue(number=4)\nprint(issues.get_issue(number=4)["title"])\nissues.close_issue(number=11)\nresult = "both"'
    const killed = `
      const { CodeMode } = await import(${JSON.stringify(entry)})
      const [state, server, code] = process.argv.slice(1)
      const codeMode = await CodeMode.open({ servers: { issues: JSON.parse(server) }, state, warm: false })
      await codeMode.run(code, { onEvent: ({ type }) => type === 'print' && process.kill(process.pid, 'SIGKILL') })`
    const given = ['--input-type=module', '-e', killed, state, JSON.stringify(server), code]
    const child = spawn(process.execPath, given, { stdio: ['ignore', 'ignore', 'inherit'] })
    expect(await new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)))).toBe('SIGKILL')
    await place.allGone()
    await using codeMode = await CodeMode.open({ servers: { issues: server }, state, warm: false })
    const [kept] = await codeMode.runs.list()
    expect(kept?.state).toBe('underway')
    await expect(codeMode.resume(kept!.runId)).rejects.toThrow(`[run-underway] ${kept!.runId} is running`)
    const client = new Redis(state)
    const own = (await client.keys('starbind:process:*')).filter((key) => key.includes(`.${child.pid}.`))
    await client.del(own)
    client.disconnect()
    expect((await codeMode.runs.show(kept!.runId)).state).toBe('interrupted')
    expect(await codeMode.resume(kept!.runId)).toMatchObject({ ok: true, result: 'both', logs: ['Issue 4'] })
    const calls = readFileSync(path.join(place.folder, 'calls'), 'utf8').split('\n')
    expect(calls.filter((line) => line.startsWith('close'))).toEqual(['close_issue 4', 'close_issue 11'])
  })

  it('ends a run at once that another process cancels', async () => {
    const state = database()
    const { servers, calls } = tracker(() => new Promise(() => {}))
    await using here = await CodeMode.open({ servers, state, approve: 'never', warm: false })
    await using there = await CodeMode.open({ state, warm: false })
    const running = here.run('issues.close(number=1)\nissues.slow()\nissues.close(number=2)')
    await expect.poll(async () => (await there.runs.list()).map((one) => one.state)).toEqual(['underway'])
    const [{ runId } = { runId: '' }] = await there.runs.list()
    expect((await there.runs.cancel(runId)).state).toBe('ended')
    const { error, report } = await running
    expect([error?.code, calls, report]).toEqual([
      'cancelled',
      ['close 1'],
      'host error [cancelled] the run was cancelled by the caller\ndone before this: issues.close, issues.slow (failed) (safe to repeat)',
    ])
  })

  it('has one clock: a process whose clock is ten minutes ahead keeps the order, and expires nothing early', async () => {
    const state = database()
    const { servers } = tracker()
    await using codeMode = await CodeMode.open({ servers, state, approve: 'writes', approvalHours: 0.1, warm: false })
    const first = await codeMode.run('issues.close(number=1)')
    const ahead = `
      const real = Date.now
      Date.now = () => real() + 600_000
      const { CodeMode } = await import(${JSON.stringify(entry)})
      const issues = { inProcess: { close: { call: () => 1 } } }
      const options = { servers: { issues }, state: process.argv[1], approve: 'writes', approvalHours: 0.1, warm: false }
      const codeMode = await CodeMode.open(options)
      const { runId } = await codeMode.run('issues.close()')
      console.log(JSON.stringify([runId, (await codeMode.runs.list()).map((run) => run.state)]))
      await codeMode.close()`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', ahead, state])
    const [second, states] = JSON.parse(stdout) as [string, string[]]
    const third = await codeMode.run('issues.close(number=3)')
    expect(states).toEqual(['paused', 'paused'])
    const runs = await codeMode.runs.list()
    expect(runs.map(({ runId }) => runId)).toEqual([third.runId, second, first.runId])
    for (const { expiresAt, changedAt } of runs) {
      expect(Math.abs(changedAt - Date.now())).toBeLessThan(300_000)
      expect(Math.abs(expiresAt! - changedAt - 360_000)).toBeLessThan(10_000)
    }
  })

  it('warns once of processes with the same prefix and other settings, and says so to supervisors', async () => {
    const state = database()
    const opened = async (limit: number, token: string) => {
      const warnings: string[] = []
      const codeMode = await CodeMode.open({
        servers: { remote: { url: 'http://127.0.0.1:9/', bearerToken: token, disabled: true } },
        state,
        limits: { toolCalls: limit },
        serve: { port: 0 },
        log: ({ message }) => warnings.push(message),
        warm: false,
      })
      return { codeMode, warnings }
    }
    const first = await opened(7, 'one-secret-token')
    const same = await opened(7, 'another-secret-token')
    const other = await opened(8, 'one-secret-token')
    expect([first.warnings, same.warnings, other.warnings]).toEqual([
      [],
      [],
      [
        'another process that keeps its runs under starbind has other settings: limits; it may continue runs of this one, so give it the same settings, or another statePrefix',
      ],
    ])
    const readiness = async ({ codeMode }: typeof first) => {
      const { url } = await codeMode.serveHttp()
      return ((await (await fetch(new URL('/readyz', url))).json()) as { readonly settings?: string }).settings
    }
    expect(await Promise.all([first, other].map(readiness))).toEqual([
      undefined,
      'differ from those of another process',
    ])
    for (const { codeMode } of [first, same]) await codeMode.close()
    const again = await opened(8, 'one-secret-token')
    expect(again.warnings).toEqual([])
    await again.codeMode.close()
    await other.codeMode.close()
  })

  it('compares the paths in a configuration as seen from its folder', async () => {
    const state = database()
    const opened = async (checkout: string, cwd: string) => {
      const sql = { builtin: 'sql', root: 'tables', roots: ['tables'] }
      const tool = { command: 'node', cwd, disabled: true }
      const written = { mcpServers: { sql, tool, plain: { command: 'node', disabled: true } }, codeMode: { state } }
      mkdirSync(path.join(place.folder, checkout, 'tables'), { recursive: true })
      const file = place.write(path.join(checkout, 'starbind.json'), written)
      const warnings: string[] = []
      const configuration = readConfiguration(file, { startIn: path.dirname(file) })
      const log = ({ level, message }: LogLine) => {
        if (level === 'warn') warnings.push(message)
      }
      return [await CodeMode.open({ configuration, warm: false, log }), warnings] as const
    }
    const all = [
      await opened('here', 'tools'),
      await opened('there/deeper', 'tools'),
      await opened('other', 'elsewhere'),
    ]
    expect(all.map(([, warnings]) => warnings)).toEqual([
      [],
      [],
      [
        'another process that keeps its runs under starbind has other settings: server tool; it may continue runs of this one, so give it the same settings, or another statePrefix',
      ],
    ])
    for (const [codeMode] of all) await codeMode.close()
  })

  it('that is gone stops a run before its next write, and the run goes on when the store is back', async () => {
    const state = database()
    let go: (() => void) | undefined
    const { servers, calls } = tracker(() => new Promise<void>((resolve) => (go = resolve)))
    await using codeMode = await CodeMode.open({ servers, state, approve: 'never', warm: false })
    const running = codeMode.run('issues.close(number=1)\nissues.slow()\nissues.close(number=2)\nresult = "both"')
    await expect.poll(() => go).toBeDefined()
    await redis.stop()
    go!()
    const { error, report, runId } = await running
    expect([error?.code, report.split('\n')[0]]).toEqual([
      'store-unusable',
      `host error [store-unusable] the store at ${state} can't be used: connect ECONNREFUSED 127.0.0.1:${redis.port}`,
    ])
    expect((await codeMode.run('result = issues.get(number=3)')).ok).toBe(true)
    await redis.start()
    await expect
      .poll(() =>
        codeMode.runs.show(runId).then(
          (one) => one.state,
          () => 'gone',
        ),
      )
      .toBe('interrupted')
    expect((await codeMode.resume(runId)).result).toBe('both')
    expect(calls).toEqual(['close 1', 'slow', 'get 3', 'close 2'])
  })

  it('that is gone when runs end gets their ends when it is back, and the log says which are lost', async () => {
    const state = database()
    let go: (() => void) | undefined
    const { servers } = tracker(() => new Promise<void>((resolve) => (go = resolve)))
    const logs: string[] = []
    const log = ({ message }: { readonly message: string }) => {
      if (message.startsWith('a run')) logs.push(message)
    }
    await using codeMode = await CodeMode.open({ servers, state, approve: 'never', warm: false, log })
    const ended = async () => {
      go = undefined
      const running = codeMode.run('issues.close(number=1)\nissues.slow()\nresult = "over"')
      await expect.poll(() => go).toBeDefined()
      await redis.stop()
      go!()
      return (await running).runId
    }
    const why =
      `host error [store-unusable] the store at ${state} can't be used: connect ECONNREFUSED 127.0.0.1:${redis.port}\n` +
      'hint: start the store, or set its address and credentials with "state"; --no-state keeps runs in memory'
    const later = `a run that has ended is kept as soon as the store can be used: ${why}`
    const kept = await ended()
    expect(logs).toEqual([later])
    await redis.start()
    const stateOf = async (runId: string) => (await codeMode.runs.show(runId).catch(() => undefined))?.state
    await expect.poll(() => stateOf(kept), { timeout: 20_000 }).toBe('ended')
    await ended()
    await codeMode.close()
    expect(logs).toEqual([later, later, `a run that has ended was not kept: ${why}`])
    await redis.start()
  })

  it('asks for the password', async () => {
    await using locked = await startRedis({ args: ['--requirepass', 'hunter2'] })
    await expect(openRedis({ url: locked.url, prefix: 'starbind' })).rejects.toThrow(
      `host error [store-unusable] the store at ${locked.url} can't be used: NOAUTH`,
    )
    const opened = await openRedis({ url: locked.url.replace('//', '//:hunter2@'), prefix: 'starbind' })
    await opened.close()
  })

  it.skipIf(!hasOpenssl())('is reached over TLS with a certificate of one’s own', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'starbind-tls-'))
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string]
    const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1'
    execFileSync(
      'openssl',
      [...made.split(' '), '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
      {
        stdio: 'ignore',
      },
    )
    const port = redis.port + 1
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no']
    await using _secure = await startRedis({ args: ['--tls-port', String(port), ...files] })
    const url = `rediss://127.0.0.1:${port}`
    const open = `
      const { openRedis } = await import(${JSON.stringify(path.join(dist, 'state', 'index.js'))})
      const opened = await openRedis({ url: process.argv[1], prefix: 'starbind' })
      console.log(opened.isReachable())
      await opened.close()`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert }
    const [trusted, untrusted] = await Promise.allSettled([
      run(process.execPath, ['--input-type=module', '-e', open, url], { env }),
      openRedis({ url, prefix: 'starbind' }),
    ])
    expect(trusted).toMatchObject({ value: { stdout: 'true\n' } })
    expect(String((untrusted as PromiseRejectedResult).reason)).toContain(
      `host error [store-unusable] the store at ${url} can't be used: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    )
    rmSync(folder, { recursive: true })
  })
})

it('nothing of Redis is loaded without redis://, and a missing package is named', async () => {
  const without = `
    import Module from 'node:module'
    const resolve = Module._resolveFilename
    const asked = []
    Module._resolveFilename = (name, ...more) => {
      if (!/^(ioredis|bullmq|rate-limiter-flexible|aws4fetch)/.test(name)) return resolve(name, ...more)
      asked.push(name)
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' })
    }
    const { CodeMode } = await import(${JSON.stringify(entry)})
    const issues = { inProcess: { close: { call: () => 1 } } }
    const codeMode = await CodeMode.open({ servers: { issues }, state: process.argv[1], warm: false })
    const { ok } = await codeMode.run('issues.close()')
    await codeMode.close()
    const before = asked.length
    const said = await CodeMode.open({ state: 'redis://ann:secret@127.0.0.1:1', warm: false }).catch(({ message }) => message)
    console.log(JSON.stringify([ok, before, said]))`
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    without,
    path.join(place.folder, 'state'),
  ])
  expect(JSON.parse(stdout)).toEqual([
    true,
    0,
    'host error [client-unavailable] nothing can be kept at redis://127.0.0.1:1: the package ioredis is not installed\n' +
      'hint: run: npm install ioredis bullmq',
  ])
})

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
