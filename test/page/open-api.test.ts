// The OpenAPI document, held against real answers: every operation is asked once, and what comes back has to fit.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, it } from 'vitest'
import { modelsOf } from '../../dist/index.js'
import { operations } from '../../dist/page/operations.js'
import { openScriptedModel } from '../fixtures/scripted-model.js'
import { openPage } from './page-service.js'

const programs = mkdtempSync(path.join(tmpdir(), 'starbind-page-'))
const model = await openScriptedModel(() => ({ text: 'There are 3.' }))
afterAll(async () => {
  rmSync(programs, { recursive: true })
  await model.close()
})

const shop = {
  count: {
    description: 'Counts the stock.',
    annotations: { readOnlyHint: true },
    outputSchema: { type: 'object', properties: { pieces: { type: 'integer' } }, required: ['pieces'] },
    call: () => ({ pieces: 3 }),
  },
  sell: { call: () => 'sold' },
}

it('describes every operation as it answers', async () => {
  const models = modelsOf({ m: { baseUrl: model.baseUrl } })
  const servers = { shop: { inProcess: shop }, gone: { command: 'no-such-command' } }
  const { ask, events, page, url, codeMode } = await openPage(
    { servers, programs, approve: 'writes' },
    { models, programs },
  )
  const { body: document } = await ask('GET', 'openapi.json')
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'document')
  const covered = new Set<string>()
  const expectFit = async (name: keyof typeof operations, parameters: Record<string, string> = {}, body?: unknown) => {
    const { method, path: template } = operations[name]
    const asked = template.replace(/\{(\w+)\}/g, (_, part) => parameters[part]!)
    const answer = await ask(method, asked, body)
    const described = document.paths[`/api/v1/${template}`][method.toLowerCase()]
    expect([name, described.operationId, answer.status]).toEqual([name, name, operations[name].status])
    const pointer = `document#/paths/${`~1api~1v1~1${template.replaceAll('/', '~1')}`.replace(/[{}]/g, encodeURIComponent)}/${method.toLowerCase()}/responses/${answer.status}/content/application~1json/schema`
    const type = Object.keys(described.responses[answer.status].content ?? {})[0]
    if (type === 'application/json') {
      const fits = ajv.getSchema(pointer)!
      expect([name, fits(answer.body), fits.errors]).toEqual([name, true, null])
    }
    covered.add(name)
    return answer.body
  }

  await expectFit('session')
  const ended = events(({ type, run }) => type === 'run' && run.state === 'ok')
  const fitsEvent = ajv.compile({ $ref: 'document#/components/schemas/PageEvent' })
  const { runId: run } = await expectFit('startRun', {}, { code: 'result = shop.count()' })
  for (const { event } of await ended) expect([event, fitsEvent(event)]).toEqual([event, true])
  covered.add('events')
  await expectFit('runs')
  await expectFit('run', { run })
  await expectFit('call', { run, call: '1' })
  await expectFit('timeline', { run })
  await expectFit('replayRun', { run })
  await expectFit('cancelRun', { run })
  for (const answer of ['allow', 'deny'] as const) {
    const asking = events(({ type, approval }) => type === 'approval' && approval.runId !== run)
    const waiting = await expectFit('startRun', {}, { code: 'shop.sell()' })
    await asking
    await expectFit('approvals')
    await expectFit(answer, { run: waiting.runId }, {})
  }
  const { paused } = await codeMode.run('shop.sell()')
  await codeMode.runs.approve(paused!.runId)
  await expectFit('resumeRun', { run: paused!.runId })
  await expectFit('servers')
  await expectFit('server', { server: 'shop' })
  await expectFit('tool', { server: 'shop', tool: 'count' })
  await expectFit('disableServer', { server: 'gone' })
  await expectFit('enableServer', { server: 'gone' })
  await expectFit('restartServer', { server: 'shop' })
  expect((await ask('POST', 'servers/shop/login')).status).toBe(400)
  await expectFit('doctor')
  await expectFit('check', {}, { code: 'shop.count(1)\nx = 1 +' })
  await expectFit('completion', {}, { code: 'shop.', offset: 5 })
  await expectFit(
    'saveProgram',
    { program: 'twice' },
    { text: 'result = 2 * n', language: 'starlark', parameters: [{ name: 'n', type: 'int' }] },
  )
  await expectFit('program', { program: 'twice' })
  await expectFit('programs')
  await expectFit('deleteProgram', { program: 'twice' })
  await expectFit('tokens')
  const { conversationId: conversation } = await expectFit('newConversation', {}, { title: 'Stock' })
  await expectFit('sendMessage', { conversation }, { text: 'How many?' })
  await expectFit('conversations')
  await expectFit('conversation', { conversation })
  await expectFit('changeConversation', { conversation }, { title: 'The stock' })
  const markdown = await expectFit('exportConversation', { conversation })
  await expectFit('importConversation', {}, { markdown })
  await expectFit('duplicateConversation', { conversation })
  await expectFit('deleteConversation', { conversation })
  await expectFit('openApi')
  await expectFit('login', {}, { token: new URL(page.newAddress(url)!).searchParams.get('token') })
  await expectFit('logout')
  // Each needs a state of its own, which other tests make.
  const elsewhere = ['logInToServer', 'answerInConversation']
  expect(Object.keys(operations).filter((name) => !covered.has(name) && !elsewhere.includes(name))).toEqual([])
})
