// The block `agents` of a configuration: agents that commands call as tools.

import { afterAll, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'
import { openScriptedModel } from '../fixtures/scripted-model.js'

const place = new Workplace()
const model = await openScriptedModel(({ body: { messages } }) =>
  messages.at(-1)!.role === 'tool'
    ? { text: `Read: ${String(messages.at(-1)!.content).includes('one')}` }
    : { calls: [{ name: 'files_read_text_file', arguments: { path: `${place.folder}/a.txt` } }] },
)
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
