// `starbind traces`: the table, the view, the page.

import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAgent } from '../../dist/agent/index.js'
import { CodeMode } from '../../dist/index.js'
import { call, says, scripted } from '../agent/said.js'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
place.write('starbind.json', { mcpServers: {} })
afterAll(() => place.remove())

const traces = (...args: readonly string[]) =>
  starbindHere(['traces', ...args], { cwd: place.folder, env: { NO_COLOR: '1', FORCE_COLOR: '' } })

beforeAll(async () => {
  const shop = { price: { annotations: { readOnlyHint: true }, call: () => '<b>3</b>\x1b[2J' } }
  const state = path.join(place.folder, '.starbind')
  await using codeMode = await CodeMode.open({ servers: { shop: { inProcess: shop } }, state, warm: false })
  const replies = [says('Let me look.', call('a', 'shop_price', { article: 'tea' })), says('It costs\n3 euros.')]
  const agent = createAgent({
    codeMode,
    model: scripted(...replies).model,
    mode: 'direct',
    name: 'gpt',
    traces: 'all_messages',
  })
  await agent.run(`What does\ttea cost? ${'Please. '.repeat(20)}`, { runId: 'chat-1' })
})

/** Without moments. */
const timeless = (text: string) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME')

it('lists the kept conversations', async () => {
  const { status, stdout, stderr } = await traces()
  expect([status, stderr]).toEqual([0, ''])
  expect(
    timeless(stdout)
      .split('\n')
      .map((line) => line.replace(/ {2,}/g, '  ')),
  ).toEqual([
    'trace  changed  model  end  turns  calls  tokens  question',
    'chat-1  TIME  gpt  answered  1  1  220  What does tea cost? Please. Please. Plea',
    '',
  ])
  const { traces: all } = JSON.parse((await traces('--json')).stdout)
  expect(all).toMatchObject([{ traceId: 'chat-1', owner: 'local', why: 'answered', trace: 'all_messages' }])
})

it('shows one: roles, numbered calls with their arguments, and a footer', async () => {
  const { status, stdout, stderr } = await traces('chat-1')
  expect([status, stderr]).toEqual([0, ''])
  expect(timeless(stdout)).toBe(
    [
      'chat-1\ngpt · TIME · answered',
      `user\n  What does\ttea cost? ${'Please. '.repeat(20)}`,
      'assistant\n  Let me look.',
      '#1 shop_price\n  article: "tea"',
      'answer to #1 shop_price\n  <b>3</b>\ufffd[2J',
      'assistant\n  It costs\n  3 euros.',
      '1 tool call in 1 turn, 220 tokens (200 in, 20 out)\n',
    ].join('\n\n'),
  )
  const { messages, usage } = JSON.parse((await traces('chat-1', '--json')).stdout)
  expect([messages.length, Object.keys(usage)]).toEqual([4, ['gpt']])
})

it('writes a private page without markup of others', async () => {
  expect(await traces('chat-1', '--html', 'trace.html')).toEqual({ status: 0, stdout: '', stderr: '' })
  const file = path.join(place.folder, 'trace.html')
  expect(readFileSync(file, 'utf8')).toContain('<pre>&lt;b&gt;3&lt;/b&gt;\ufffd[2J</pre>')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
})

it('says what is wrong: a name that does not exist, a page without a name, a file that can not be written', async () => {
  expect(await traces('chat-9')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'starbind: there is no kept trace "chat-9"\nhint: starbind traces lists the traces that are kept\n',
  })
  expect(await traces('--html', 'x.html')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'starbind: --html needs the name of a trace\nhint: starbind traces lists the traces that are kept\n',
  })
  expect(await traces('chat-1', '--html', 'no/such/folder.html')).toEqual({
    status: 2,
    stdout: '',
    stderr: "starbind: no/such/folder.html can't be written: ENOENT\n",
  })
  expect(await starbindHere(['traces', '--no-state'], { cwd: place.folder })).toEqual({
    status: 0,
    stdout: 'no traces are kept\n',
    stderr: '',
  })
})

it('deletes one', async () => {
  expect(await traces('--delete')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--delete needs the name of a trace'),
  })
  expect(await traces('chat-1', '--delete', '--full')).toMatchObject({ status: 2 })
  expect(await traces('chat-1', '--delete')).toEqual({ status: 0, stdout: 'deleted chat-1\n', stderr: '' })
  expect((await traces()).stdout).toBe('no traces are kept\n')
  expect(await traces('chat-1', '--delete', '--json')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('there is no kept trace "chat-1"'),
  })
})
