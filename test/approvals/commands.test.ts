// The commands for kept runs, as they are typed: what they print, and what they say of a run that was mistyped.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

/** A folder of its own whose server counts calls. */
function scene(name: string) {
  const cwd = path.join(place.folder, name)
  mkdirSync(cwd)
  const issues = place.fixture('counted-server', { env: { COUNTED: cwd } })
  const configuration = { mcpServers: { issues }, codeMode: { approve: 'writes' } }
  writeFileSync(path.join(cwd, 'starbind.json'), JSON.stringify(configuration))
  const named = (text: string) =>
    text
      .replace(/run-[0-9a-f]{10}/g, 'RUN')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME')
      .replace(/\ntool +calls.*/s, '\n')
  return {
    starbind: async (...args: string[]) => {
      const { status, stdout, stderr } = await starbindHere(args, { cwd })
      return { status, stdout, shown: `${named(stdout)}${named(stderr)}`.trimEnd() }
    },
    calls: () => readFileSync(path.join(cwd, 'calls'), 'utf8').trim().split('\n'),
  }
}

const code = [
  'for n in [4, 11]:',
  '    try:',
  '        print(issues.close_issue(number=n))',
  '    except ApprovalDenied as e:',
  '        print(e)',
  'result = "done"',
].join('\n')

it('commands list, approve, deny, resume, show and replay a run', async () => {
  const { starbind, calls } = scene('whole')
  const run = await starbind('run', '--json', '-e', code)
  const { paused, error } = JSON.parse(run.stdout)
  const { runId } = paused
  const first = { server: 'issues', tool: 'close_issue', arguments: { number: 4 }, line: 3 }
  expect([run.status, error.code, paused]).toEqual([3, 'needs-approval', { runId, calls: [first] }])

  expect((await starbind('approvals')).shown).toBe(
    'RUN  asked TIME by local, ends TIME unless it is answered\n  issues.close_issue {"number":4} (line 3)',
  )
  const { approvals } = JSON.parse((await starbind('approvals', '--json')).stdout)
  expect(approvals).toMatchObject([{ runId, state: 'paused', calls: [{ ...first, approval: null }] }])

  expect(await starbind('approve', runId)).toMatchObject({
    status: 0,
    shown: 'approved: issues.close_issue\nstarbind resume RUN continues',
  })
  expect((await starbind('approvals')).shown).toBe('nothing waits')
  const again = await starbind('resume', runId)
  expect([again.status, again.shown.split('\n').slice(0, 3)]).toEqual([
    3,
    [
      '{"closed":4}',
      "paused [needs-approval] the program stopped before issues.close_issue and waits for a person's answer",
      '  program:3:15',
    ],
  ])
  expect(await starbind('deny', runId, '--reason', 'not on a Friday')).toMatchObject({
    status: 0,
    shown: 'denied: issues.close_issue\nstarbind resume RUN continues',
  })
  const { ok, logs, result } = JSON.parse((await starbind('resume', runId, '--json')).stdout)
  expect([ok, logs, result, calls()]).toEqual([
    true,
    ['{"closed":4}', 'issues.close_issue was not called: a person denied it: "not on a Friday"'],
    'done',
    ['close_issue 4'],
  ])

  expect((await starbind('runs')).shown).toBe('RUN  TIME  ended ok  for n in [4, 11]:')
  expect((await starbind('runs', runId)).shown.split('\n')).toEqual([
    'RUN  TIME  ended ok  for n in [4, 11]:',
    '',
    ...code.split('\n').map((line) => `  ${line}`),
    '',
    '  issues.close_issue {"number":4} (line 3): approved by local TIME',
    '  issues.close_issue {"number":11} (line 3): denied by local TIME',
    '',
    '{"closed":4}',
    'issues.close_issue was not called: a person denied it: "not on a Friday"',
    'result: "done"',
    expect.stringMatching(/^called issues\.close_issue ×1: \d+ ms, 12 bytes$/),
  ])
  expect(JSON.parse((await starbind('runs', '--json')).stdout)).toMatchObject({ runs: [{ runId, state: 'ended' }] })
  expect(await starbind('replay', runId)).toMatchObject({ status: 0, shown: 'the same: 1 calls, none of them made' })
  expect(JSON.parse((await starbind('replay', runId, '--json')).stdout)).toEqual({
    runId,
    same: true,
    difference: null,
  })
  expect(calls()).toEqual(['close_issue 4'])

  const mistyped = 'starbind: there is no run "run-0" here\nhint: starbind runs lists the runs that are kept'
  for (const args of [['approve'], ['deny'], ['resume'], ['resume', '--json'], ['runs'], ['replay']])
    expect([args, await starbind(...args, 'run-0')]).toEqual([args, { status: 2, stdout: '', shown: mistyped }])
  const over = "starbind: RUN can't be answered or resumed: it has ended\nhint: starbind approvals lists what waits"
  for (const command of ['approve', 'deny', 'resume'])
    expect(await starbind(command, runId)).toEqual({ status: 2, stdout: '', shown: over })
})

it('--all-of-this-tool approves every call of a tool, and --no-state stores nothing', async () => {
  const { starbind, calls } = scene('all')
  const { runId } = JSON.parse((await starbind('run', '--json', '-e', code)).stdout).paused
  await starbind('approve', runId, '--all-of-this-tool')
  expect((await starbind('resume', runId)).status).toBe(0)
  expect(calls()).toEqual(['close_issue 4', 'close_issue 11'])
  expect((await starbind('run', '--no-state', '-e', code)).shown.split('\n').at(-1)).toBe(
    'hint: this run is not kept; run it again at a terminal to be asked again',
  )
  const unkept = JSON.parse((await starbind('run', '--no-state', '--json', '-e', code)).stdout).paused
  expect((await starbind('runs', unkept.runId)).shown).toBe(
    'starbind: there is no run "RUN" here\nhint: starbind runs lists the runs that are kept',
  )
})
