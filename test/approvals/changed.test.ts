// What a run meets that goes on in other surroundings: another ledger, another starbind, credentials that are not kept.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type ApprovalRequest, CodeMode, version } from '../../dist/index.js'
import { FileStore } from '../../dist/state/index.js'
import { tracker } from './tracker.js'

const root = mkdtempSync(path.join(tmpdir(), 'starbind-changed-'))
afterAll(() => rmSync(root, { recursive: true }))
let folder = ''
let folders = 0
beforeEach(() => {
  folder = path.join(root, String(++folders))
})

const program = 'found = issues.get(number=4)\nprint("found", found["number"])\nissues.close(number=found["number"])'

/** A run that waits in the folder and has been approved. */
async function approvedRun(): Promise<string> {
  const { servers } = tracker()
  await using codeMode = await CodeMode.open({ servers, approve: 'writes', state: folder, warm: false })
  const { runId } = (await codeMode.run(program)).paused!
  await codeMode.runs.approve(runId)
  return runId
}

async function resumed(runId: string) {
  const { servers, calls } = tracker()
  await using codeMode = await CodeMode.open({ servers, approve: 'writes', state: folder, warm: false })
  const { ok, report } = await codeMode.resume(runId)
  return { ok, report: report.replace(/\d+ ms/g, 'N ms'), calls, state: (await codeMode.runs.show(runId)).state }
}

/** Writes into the file of the store what nobody would. */
async function rewrite(runId: string, { body, reply }: { body?: [string, string]; reply?: [string, string] }) {
  const store = new FileStore(folder)
  if (body !== undefined) {
    const kept = (await store.run(runId))!
    await store.change({ ...kept, body: kept.body.replace(...body) })
  }
  const { revision } = (await store.run(runId))!
  if (reply !== undefined)
    for (const { place, text } of await store.entries(runId))
      await store.note(runId, [{ place, text: text.replace(...reply) }], revision)
  await store.close()
}

const otherReply: [string, string] = ['J{\\"number\\":4}', 'J{\\"number\\":5}']
const rest =
  'hint: submit the program again, and take into account what it has already done\ndone before this: issues.get (safe to repeat)'

describe('a program that behaves differently than before', () => {
  it('is stopped at the first call that differs, which is not made', async () => {
    const runId = await approvedRun()
    await rewrite(runId, { reply: otherReply })
    expect(await resumed(runId)).toEqual({
      ok: false,
      report: `host error [replay-diverged] the program took a different path than before: it called issues.close instead; that call was not made\n${rest}`,
      calls: [],
      state: 'interrupted',
    })
    // Nothing is lost: it goes on where the ledger is right again.
    await rewrite(runId, { reply: [otherReply[1], otherReply[0]] })
    expect(await resumed(runId)).toMatchObject({ ok: true, calls: ['close 4'], state: 'ended' })
  })

  it('gets a message that names the version that began it', async () => {
    const runId = await approvedRun()
    await rewrite(runId, { reply: otherReply, body: [`"version":"${version}"`, '"version":"0.0.1"'] })
    expect((await resumed(runId)).report).toBe(
      `host error [replay-diverged] the program took a different path than under starbind 0.0.1: it called issues.close instead; that call was not made\n${rest}\nnote: the run was begun by starbind 0.0.1`,
    )
  })
})

it('a run of another version continues and reports that version', async () => {
  const runId = await approvedRun()
  await rewrite(runId, { body: [`"version":"${version}"`, '"version":"0.0.1"'] })
  expect(await resumed(runId)).toEqual({
    ok: true,
    report:
      'called issues.get ×1: N ms, 12 bytes\ncalled issues.close ×1: N ms, 12 bytes\nnote: the run was begun by starbind 0.0.1',
    calls: ['close 4'],
    state: 'ended',
  })
})

describe('a credential of the configuration', () => {
  const token = 'quo"ted-and-secret'
  const secretive = {
    issues: tracker().servers.issues!,
    other: { url: 'http://127.0.0.1:9/', bearerToken: token, disabled: true },
  }
  const asking = (state: string | false) =>
    CodeMode.open({ servers: secretive, approve: 'writes', state, startServers: 'named', warm: false })
  const code = `found = issues.get(number=4)\nissues.close(number=len(${JSON.stringify(token)}))`
  const report =
    "host error [credential-not-kept] RUN can't be resumed: its program or an answer to it contains a credential of the configuration, and credentials are never written down\n" +
    'hint: leave the credential out of the program: its server gets it from the configuration\n' +
    'done before this: issues.get (safe to repeat)'

  it('in a program ends its run instead of being stored with it', async () => {
    await using codeMode = await asking(folder)
    const run = await codeMode.run(code)
    expect([run.report.replace(run.runId, 'RUN'), run.paused]).toEqual([report, undefined])
    expect((await codeMode.runs.show(run.runId)).state).toBe('ended')
    await expect(codeMode.runs.replay(run.runId)).rejects.toThrow('[credential-not-kept]')
  })

  it('does not matter to a run that is answered at once or waits in memory', async () => {
    await using kept = await asking(folder)
    expect((await kept.run(code, { onApproval: () => 'once' })).ok).toBe(true)
    await using inMemory = await asking(false)
    const { runId } = (await inMemory.run(code)).paused!
    await inMemory.runs.approve(runId)
    expect((await inMemory.resume(runId)).ok).toBe(true)
  })
})

describe('a run that outgrows its ledger', () => {
  const much = 'x'.repeat(16_000_000)
  const reads = { annotations: { readOnlyHint: true } }
  const servers = { big: { inProcess: { get: { ...reads, call: () => much } } }, issues: tracker().servers.issues! }
  const code = (times: number) =>
    `total = 0\nfor _ in range(${times}):\n    total += len(big.get())\nissues.close(number=1)\nresult = total`
  const report =
    "limit [ledger-full] RUN can't wait or be resumed: the arguments and answers of its calls exceed 64000000 characters\n" +
    'hint: read less in one program before the calls that a person is asked about'

  it('ends before the call that needs an answer, while a smaller run continues', async () => {
    await using codeMode = await CodeMode.open({ servers, approve: 'writes', state: folder, warm: false })
    const questions: unknown[] = []
    const options = {
      limits: { wallMs: 300_000, cpuMs: 300_000 },
      onApproval: ({ calls }: ApprovalRequest) => {
        questions.push(calls.map(({ tool }) => tool))
        return 'once' as const
      },
    }
    const run = await codeMode.run(code(4), options)
    expect([run.report.replace(run.runId, 'RUN'), run.paused, questions]).toEqual([
      `${report}\ndone before this: big.get ×4 (safe to repeat)`,
      undefined,
      [],
    ])
    expect(run.calls.map(({ tool }) => tool)).toEqual(['get', 'get', 'get', 'get'])
    expect((await codeMode.runs.show(run.runId)).state).toBe('ended')
    const { message } = await codeMode.runs.replay(run.runId).then(
      () => new Error('it was replayed'),
      (error: Error) => error,
    )
    expect(message.replace(run.runId, 'RUN')).toBe(report)
    const fits = await codeMode.run(code(3), options)
    expect([fits.result, questions]).toEqual([48_000_000, [['close']]])
  })

  it('continues if no call needs an answer', async () => {
    await using codeMode = await CodeMode.open({ servers, state: folder, warm: false })
    const { result, runId } = await codeMode.run(code(5), { limits: { wallMs: 300_000, cpuMs: 300_000 } })
    expect(result).toBe(80_000_000)
    await expect(codeMode.runs.replay(runId)).rejects.toThrow('[ledger-full]')
  })
})

it('a value of the environment that is not a credential is stored, so the run continues with it', async () => {
  process.env.STARBIND_TEST_PLACE = '/srv/notes-of-ada'
  const given: unknown[] = []
  const notes = {
    inProcess: {
      where: { annotations: { readOnlyHint: true }, call: () => '/srv/notes-of-ada' },
      write: { call: (args: unknown) => given.push(args) },
    },
  }
  const other = { command: 'none', args: ['${STARBIND_TEST_PLACE}'] }
  const open = () =>
    CodeMode.open({ servers: { notes, other }, approve: 'writes', state: folder, startServers: 'named', warm: false })
  let runId = ''
  {
    await using codeMode = await open()
    runId = (
      await codeMode.run('place = notes.where()\nnotes.write(file=place + "/a")\nnotes.write(file=place + "/b")')
    ).paused!.runId
    await codeMode.runs.approve(runId, { allOfThisTool: true })
  }
  await using codeMode = await open()
  delete process.env.STARBIND_TEST_PLACE
  expect([(await codeMode.resume(runId)).ok, given]).toEqual([
    true,
    [{ file: '/srv/notes-of-ada/a' }, { file: '/srv/notes-of-ada/b' }],
  ])
})
