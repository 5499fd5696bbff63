// Who may see a run over HTTP and answer for it, and what stands in the audit log.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, expect, it } from 'vitest'
import { addKey, CodeMode } from '../../dist/index.js'
import { openGateway, textOf } from '../serving/callers.js'
import { tracker } from './tracker.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-who-'))
afterAll(() => rmSync(folder, { recursive: true }))

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

it('only its caller and keys that may approve see a run', async () => {
  const { servers, calls } = tracker()
  const [keysFile, file] = [path.join(folder, 'keys.json'), path.join(folder, 'audit.jsonl')]
  const keys = {
    ada: addKey(keysFile, 'ada', { approve: 'writes', toolsToExecute: ['issues/close', 'issues/get'] }),
    bob: addKey(keysFile, 'bob'),
    chief: addKey(keysFile, 'chief', { mayApprove: true, toolsToExecute: ['issues/list'] }),
  }
  const serve = { keysFile, audit: { file, arguments: true } }
  const { caller, codeMode } = await openGateway({ servers, callersAnswer: true, warm: false, serve })
  const as = async (name: keyof typeof keys, capabilities = {}) => {
    const client = await caller({ headers: { 'x-api-key': keys[name] }, capabilities })
    return {
      client,
      call: async (tool: string, args: Record<string, unknown>) =>
        textOf(await client.callTool({ name: tool, arguments: args })).replace(/\d+ ms/g, 'N ms'),
    }
  }
  const [ada, bob, chief] = [await as('ada'), await as('bob'), await as('chief', { elicitation: {} })]
  const forms: string[] = []
  chief.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    forms.push(params.message)
    return { action: 'accept', content: { call1: 'once' } }
  })

  // Bob's key has no policy: the same program asks nobody.
  const code = 'result = issues.close(number=7)["number"]'
  expect(await bob.call('executeToolCode', { code })).toBe('result: 7\ncalled issues.close ×1: N ms, 12 bytes')
  const waits = await ada.call('executeToolCode', { code })
  const [, run] = /resume="(run-\w+)"/.exec(waits) ?? []

  // What waits is listed for its caller, and for keys that may approve.
  const listed = `${run} of ada waits for a person's answer to\n  issues.close (line 1): {"number":7}`
  for (const fileName of ['runs', '/runs/']) {
    expect(await ada.call('readToolFile', { fileName })).toBe(listed)
    expect(await chief.call('readToolFile', { fileName })).toBe(listed)
    expect(await bob.call('readToolFile', { fileName })).toBe('no run waits, and none is running')
  }
  for (const name of [run!, 'run-0123456789', '../keys'])
    expect([
      await bob.call('executeToolCode', { resume: name }),
      await bob.call('readToolFile', { fileName: `runs/${name}` }),
    ]).toEqual([
      `program error [no-such-run] there is no run "${name}" here`,
      name === '../keys'
        ? expect.stringContaining('[unknown-file]')
        : `program error [no-such-run] there is no run "${name}" here`,
    ])
  const still = `paused [needs-approval] ${run} waits for a person's answer\nhint: executeToolCode(resume="${run}") continues once they have answered`
  expect(await ada.call('readToolFile', { fileName: `runs/${run}` })).toBe(still)
  expect(await chief.call('readToolFile', { fileName: `runs/${run}` })).toBe(still)
  expect(forms).toEqual([])

  // It goes on with what ada may call, which the chief may not.
  expect(await chief.call('executeToolCode', { resume: run })).toBe('result: 7\ncalled issues.close ×1: N ms, 12 bytes')
  expect([forms, calls]).toEqual([
    ['A program wants to make these calls:\n1. issues.close (line 1): {"number":7}'],
    ['close 7', 'close 7'],
  ])
  expect(await ada.call('readToolFile', { fileName: `runs/${run}` })).toBe(
    'result: 7\ncalled issues.close ×1: N ms, 12 bytes',
  )
  await codeMode.close()
  const close = {
    time: expect.any(String),
    server: 'issues',
    tool: 'close',
    ms: expect.any(Number),
    arguments: { number: 7 },
  }
  expect(linesOf(file)).toEqual([
    { ...close, caller: 'bob', program: expect.any(String), outcome: 'answered' },
    { ...close, caller: 'chief', program: run, outcome: 'approved' },
    { ...close, caller: 'ada', program: expect.any(String), outcome: 'answered' },
  ])
})

it('the list of runs shows what each open run waits for', async () => {
  const { servers } = tracker()
  await using codeMode = await CodeMode.open({ servers, approve: 'writes', warm: false })
  const ada = codeMode.session({ name: 'ada' })
  const chief = codeMode.session({ name: 'chief', mayApprove: true })
  const waits = async (code: string) => (await ada.run(code)).paused!.runId
  const list = async () => (await chief.readToolFile({ fileName: 'runs' })).text
  expect(await list()).toBe('no run waits, and none is running')
  const first = await waits('parallel(issues.close, [1, 2])')
  await chief.runs.approve(first)
  const second = await waits('issues.label(number=3)')
  expect(await list()).toBe(
    `${second} of ada waits for a person's answer to\n  issues.label (line 1): {"number":3}\n` +
      `${first} of ada was answered; executeToolCode(resume="${first}") continues it`,
  )
  await ada.resume(first)
  await chief.runs.deny(second)
  await ada.resume(second)
  expect(await list()).toBe('no run waits, and none is running')
})

it('the list of runs is bounded', async () => {
  const { servers } = tracker()
  await using codeMode = await CodeMode.open({ servers, approve: 'writes', warm: false })
  const code = 'issues.close(number=1)'
  const waiting = await Promise.all(Array.from({ length: 101 }, () => codeMode.run(code)))
  expect(waiting.filter(({ paused }) => paused !== undefined)).toHaveLength(101)
  const { text, structured } = await codeMode.readToolFile({ fileName: 'runs' })
  expect(text.split('\n').slice(-1)).toEqual(['and 1 more'])
  expect(structured).toMatchObject({ leftOut: 1 })
})

it('the audit log records each answer and its author', async () => {
  const { servers } = tracker()
  const file = path.join(folder, 'answers.jsonl')
  const codeMode = await CodeMode.open({ servers, approve: 'writes', serve: { audit: { file } }, warm: false })
  const ada = codeMode.session({ name: 'ada' })
  const code = 'parallel(lambda n: issues.close(number=n), [1, 2], return_errors=True)'
  await ada.run(code, { onApproval: () => ['once', 'deny'] })
  const { runId } = (await ada.run('issues.label(number=3)')).paused!
  await codeMode.session({ name: 'chief', mayApprove: true }).runs.deny(runId)
  await codeMode.close()
  const answers = linesOf(file).filter(({ outcome }) => outcome !== 'answered')
  expect(answers.map(({ time: _, program, ...line }) => ({ ...line, isThisRun: program === runId }))).toEqual([
    { caller: 'ada', server: 'issues', tool: 'close', outcome: 'approved', ms: 0, isThisRun: false },
    { caller: 'ada', server: 'issues', tool: 'close', outcome: 'denied', ms: 0, isThisRun: false },
    { caller: 'chief', server: 'issues', tool: 'label', outcome: 'denied', ms: 0, isThisRun: true },
  ])
})
