// The file in which runs are kept: its permissions, its durability, and the messages if it can't be used.

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { CodeMode, type OpenOptions } from '../../dist/index.js'
import { FileStore } from '../../dist/state/index.js'
import { main } from '../fixtures/command.js'
import { tracker } from './tracker.js'

const root = mkdtempSync(path.join(tmpdir(), 'starbind-state-'))
afterAll(() => rmSync(root, { recursive: true }))
let folder = ''
let folders = 0
beforeEach(() => {
  folder = path.join(root, String(++folders))
})

const open = (options: OpenOptions) => CodeMode.open({ warm: false, approve: 'writes', ...options })
const run = { owner: 'ada', state: 'underway', changedAt: 1, body: '{}' } as const

describe('the file', () => {
  it('keeps open runs, and as many ended ones as the quota allows', async () => {
    const { servers } = tracker()
    await using codeMode = await open({ servers, state: folder, stateBytes: 1 })
    const { runId } = (await codeMode.run('issues.close(number=1)')).paused!
    for (const n of [1, 2]) expect((await codeMode.run(`result = ${n}`)).ok).toBe(true)
    expect((await codeMode.runs.list()).map((one) => [one.runId, one.state])).toEqual([[runId, 'paused']])
  })

  it('is readable by its owner only, and by two processes at once', async () => {
    const { servers } = tracker()
    await using codeMode = await open({ servers, state: folder })
    const { runId } = (await codeMode.run('issues.close(number=1)')).paused!
    const modes = [folder, path.join(folder, 'state.db')].map((file) => statSync(file).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600])
    await using other = await open({ servers, state: folder })
    await other.runs.approve(runId)
    expect((await codeMode.runs.show(runId)).state).toBe('approved')
    expect((await other.resume(runId)).ok).toBe(true)
    expect((await codeMode.runs.show(runId)).state).toBe('ended')
  })

  it('has every committed write after its process was killed at any moment', async () => {
    const writer = `
      import { FileStore } from ${JSON.stringify(path.join(path.dirname(main), 'state', 'index.js'))}
      const store = new FileStore(process.argv[1])
      await store.begin({ id: 'run', owner: 'a', state: 'underway', changedAt: 1, body: '{}' })
      for (let place = 1; ; place++) {
        await store.note('run', [{ place, text: String(place).repeat(5000) }], 1)
        process.stdout.write(place + '\\n')
      }`
    for (let i = 0; i < 5; i++) {
      const place = path.join(folder, String(i))
      mkdirSync(place, { recursive: true })
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer, place])
      let told = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        told += text
        if (told.length > 40 * (i + 1)) child.kill('SIGKILL')
      })
      await new Promise((resolve) => child.on('close', resolve))
      const last = Number(told.trimEnd().split('\n').at(-1))
      const store = new FileStore(place)
      const entries = await store.entries('run')
      // What was told may have lost its last digits.
      expect(entries.length).toBeGreaterThanOrEqual(last)
      expect(entries.every(({ place, text }, n) => place === n + 1 && text === String(place).repeat(5000))).toBe(true)
      await store.close()
    }
  })

  it('contains no secret of the configuration, and only digests of arguments if that is configured', async () => {
    const { servers } = tracker()
    const secret = 'hunter2-hunter2'
    const issues = { ...servers.issues!, headers: undefined }
    process.env.STARBIND_TEST_SECRET = secret
    await using codeMode = await open({
      servers: {
        issues,
        other: { url: 'http://127.0.0.1:9/', bearerToken: '${STARBIND_TEST_SECRET}', disabled: false },
      },
      startServers: 'named',
      state: folder,
      keepArguments: false,
    })
    const { error } = await codeMode.run(`token = "${secret}"\nissues.close(number=1)`)
    expect(error?.code).toBe('credential-not-kept')
    const { paused } = await codeMode.run('issues.close(number=424000 + 242)')
    delete process.env.STARBIND_TEST_SECRET
    const kept = execFileSync('sh', ['-c', 'cat "$0"/*', folder], { maxBuffer: 1e8 }).toString('latin1')
    expect(kept).toContain(paused!.runId)
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain('424242')
    expect((await codeMode.runs.show(paused!.runId)).calls[0]).toMatchObject({ arguments: undefined, tool: 'close' })
  })

  it('is not changed if its format is newer', async () => {
    await new FileStore(folder).begin({ id: 'a', ...run })
    const Database = createRequire(import.meta.url)('libsql')
    const database = new Database(path.join(folder, 'state.db'))
    database.exec('PRAGMA user_version = 7')
    database.close()
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, state: folder })
    await expect(codeMode.runs.list()).rejects.toThrow(
      `host error [state-newer] a newer starbind wrote ${path.join(folder, 'state.db')} (format 7; this version reads format 1)\n` +
        'hint: update starbind, or set another folder with "state"',
    )
    expect([(await codeMode.run('issues.close(number=1)', { onApproval: () => 'once' })).error?.code, calls]).toEqual([
      'state-newer',
      [],
    ])
    expect((await codeMode.run('result = issues.get(number=1)')).ok).toBe(true)
  })

  it('that is not writable stops a run before a call that may write, and never before a read', async () => {
    writeFileSync(folder, 'a file and no folder')
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, state: folder, approve: 'never' })
    const { report } = await codeMode.run('issues.get(number=1)\nissues.close(number=1)')
    expect([report.replace(/: E\w+: [^\n]*/, ': …'), calls]).toEqual([
      `host error [state-unusable] nothing can be kept in ${path.join(folder, 'state.db')}: …\n` +
        '  program:2:1\n  2 | issues.close(number=1)\n    | ^^^^^^^^^^^^^^^^^^^^^^\n' +
        'hint: make the file writable for this user, set another folder with "state", or keep runs in memory with --no-state\n' +
        'done before this: issues.get (safe to repeat)',
      ['get 1'],
    ])
    expect((await codeMode.run('result = issues.get(number=2)')).ok).toBe(true)
  })

  it('is named when its package is not installed, and reads continue', () => {
    const without = `
      import Module from 'node:module'
      const resolve = Module._resolveFilename
      Module._resolveFilename = (name, ...more) => {
        if (name === 'libsql') throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' })
        return resolve(name, ...more)
      }
      const { CodeMode } = await import(${JSON.stringify(path.join(path.dirname(main), 'index.js'))})
      const call = () => 1
      const issues = { inProcess: { close: { call }, get: { annotations: { readOnlyHint: true }, call } } }
      const codeMode = await CodeMode.open({ servers: { issues }, state: process.argv[1], warm: false })
      const { report, calls } = await codeMode.run('issues.close()')
      console.log(JSON.stringify([report, calls, (await codeMode.run('result = issues.get()')).result]))
      await codeMode.close()`
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', without, folder])
    const platform = `${process.platform}-${process.arch}`
    expect(JSON.parse(said.toString())).toEqual([
      `host error [state-unavailable] nothing can be kept in ${path.join(folder, 'state.db')}: the package libsql is not installed, or has no build for ${platform}\n` +
        '  program:1:1\n  1 | issues.close()\n    | ^^^^^^^^^^^^^^\n' +
        'hint: install libsql, or keep runs in memory with --no-state',
      [],
      1,
    ])
  })

  it.skipIf(process.platform === 'win32')('stops a run in the same way when the disk is full', () => {
    const program = `
      import { CodeMode } from ${JSON.stringify(path.join(path.dirname(main), 'index.js'))}
      const calls = []
      const call = ({ n }) => { calls.push(n); return 'x'.repeat(200000) }
      const issues = { inProcess: { close: { call }, get: { annotations: { readOnlyHint: true }, call } } }
      const codeMode = await CodeMode.open({ servers: { issues }, state: process.argv[1], warm: false })
      const first = await codeMode.run('for n in range(100): issues.close(n=n)')
      const second = await codeMode.run('result = len(issues.get(n=-1))')
      console.log(JSON.stringify([first.error.code, first.calls.length === calls.length - 1, second.result]))
      await codeMode.close()`
    mkdirSync(folder)
    // No file may have more than so many blocks.
    const limited = ['-c', 'trap "" XFSZ; ulimit -f 4000; exec "$@"', 'sh']
    const said = execFileSync('sh', [...limited, process.execPath, '--input-type=module', '-e', program, folder])
    expect(JSON.parse(said.toString())).toEqual(['state-unusable', true, 200000])
  })
})
