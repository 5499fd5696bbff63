// The block `agents` of a configuration: agents that commands call as tools.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, expect, it } from 'vitest'
import { main, starbindHere, Workplace } from '../fixtures/command.js'
import { openScriptedModel } from '../fixtures/scripted-model.js'

const place = new Workplace()
/** Holds the model's replies back. */
let waits: Promise<unknown> = Promise.resolve()
const model = await openScriptedModel(async ({ body: { messages } }) => {
  await waits
  return messages.at(-1)!.role === 'tool'
    ? { text: `Read: ${String(messages.at(-1)!.content).includes('one')}` }
    : { calls: [{ name: 'files_read_text_file', arguments: { path: `${place.folder}/a.txt` } }] }
})
afterAll(async () => {
  await model.close()
  await place.allGone()
  place.remove()
})
place.write('a.txt', 'one')
const configuration = (agent: object) => ({
  mcpServers: { files: place.reference('filesystem', place.folder) },
  models: { tiny: { baseUrl: model.baseUrl, apiKey: '${TINY_KEY}', name: 'tiny-1', mode: 'direct' } },
  agents: { reader: { description: 'Reads files.', model: 'tiny', tools: ['files/read_text_file'], ...agent } },
})
const env = { XDG_STATE_HOME: `${place.folder}/state`, TINY_KEY: 'sk-tiny' }
const run = (...args: string[]) => starbindHere(args, { cwd: place.folder, env })

it('is called by a program, with its model and its tools', async () => {
  place.write('starbind.json', configuration({ maxTurns: 2 }))
  const { status, stdout, stderr } = await run('run', '-e', 'print(agents.reader(task="What is in a.txt?"))')
  expect([status, stdout, stderr]).toEqual([0, 'Read: true\n', expect.stringMatching(/^called agents\.reader ×1/)])
  expect(model.requests.map(({ headers, body }) => [headers.authorization, body.model, body.tools?.length])).toEqual([
    ['Bearer sk-tiny', 'tiny-1', 1],
    ['Bearer sk-tiny', 'tiny-1', 1],
  ])
  expect((await run('ls')).stdout).toContain('agents')
})

it('needs a model that there is', async () => {
  place.write('starbind.json', configuration({ model: 'huge', maxTurn: 2 }))
  expect(await run('ls')).toMatchObject({ status: 2, stderr: expect.stringContaining('maxTurn is not a known key') })
  place.write('starbind.json', configuration({ model: 'huge' }))
  const { status, stderr } = await run('ls')
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('agents.reader.model: got "huge", want a name in models'),
  ])
})

it('is followed by starbind serve, and its calls survive other edits', async () => {
  const save = (agents: object | undefined, servers: object = {}) => {
    const models = { tiny: { baseUrl: model.baseUrl, name: 'tiny-1', mode: 'direct' } }
    return place.write('followed.json', { mcpServers: servers, models, ...(agents === undefined ? {} : { agents }) })
  }
  const reader = { description: 'Reads files.', model: 'tiny' }
  const file = save({ reader })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'serve', '--config', file],
    env: { ...env, PATH: process.env.PATH ?? '' },
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  const read = async (name: string, given: object) => {
    const { content } = await client.callTool({ name, arguments: { ...given } })
    return (content as { text: string }[])[0]!.text
  }
  const tools = () => read('readToolFile', { fileName: 'servers/agents.pyi' })
  await expect.poll(tools).toContain('def reader(')
  const before = model.requests.length
  let goOn = () => {}
  waits = new Promise<void>((resolve) => (goOn = resolve))
  const call = read('executeToolCode', { code: 'print(agents.reader(task="Look."))', timeoutMs: 60_000 })
  await expect.poll(() => model.requests.length).toBe(before + 1)
  save({ reader }, { other: { command: 'nothing', disabled: true } })
  await expect.poll(() => said).toContain('the configuration has changed: ')
  goOn()
  expect(await call).toContain('Read: false')
  save({ writer: reader })
  await expect.poll(tools).toContain('def writer(')
  expect(await tools()).not.toContain('def reader(')
  save(undefined)
  await expect.poll(tools).toContain('there is no file')
  await client.close()
})
