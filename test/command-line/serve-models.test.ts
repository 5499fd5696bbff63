// `starbind serve --http --model`, and the block `models`: the official client, a scripted model, a real MCP server.

import OpenAI from 'openai'
import { afterAll, afterEach, expect, it } from 'vitest'
import { starbind, starbindHere, Workplace } from '../fixtures/command.js'
import { openScriptedModel } from '../fixtures/scripted-model.js'

const place = new Workplace()
afterEach(() => place.allGone())
afterAll(() => place.remove())

it('serves chat clients over real servers', async () => {
  const model = await openScriptedModel([
    { calls: [{ id: 'c1', name: 'everything_get-sum', arguments: { a: 2, b: 3 } }] },
    { text: 'Five.' },
    { calls: [{ id: 'c1', name: 'executeToolCode', arguments: { code: 'print(everything.get_sum(a=2, b=4))' } }] },
    { text: 'Six.' },
  ])
  place.write('starbind.json', {
    mcpServers: { everything: place.reference('everything') },
    models: {
      other: { baseUrl: model.baseUrl, mode: 'code' },
      broken: { baseUrl: model.baseUrl, apiKey: '${NOT_SET_ANYWHERE}' },
    },
  })
  let talk: Promise<unknown> | undefined
  const args = ['serve', '--http', '--port', '0', '--model', `qwen3:8b=${model.baseUrl}`]
  const ended = await starbind(args, {
    cwd: place.folder,
    env: { STARBIND_MODEL_KEY: 'sk-1', XDG_CONFIG_HOME: place.folder },
    onStderr: (soFar, kill) => {
      const baseURL = /chat clients reach qwen3:8b, other, broken on (\S+)/.exec(soFar)?.[1]
      if (baseURL === undefined || talk !== undefined) return
      const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 })
      const ask = async (model: string) => {
        const messages = [{ role: 'user' as const, content: 'Add them.' }]
        return (await client.chat.completions.create({ model, messages })).choices[0]?.message.content
      }
      talk = ask('qwen3:8b').then(async (first) => [first, await ask('other')])
      talk.finally(() => kill('SIGTERM')).catch(() => {})
    },
  })
  expect(await talk).toEqual(['Five.', 'Six.'])
  await model.close()
  expect(ended).toMatchObject({ status: 0, stdout: '' })
  expect(ended.stderr).toContain("the model broken can't be used: ")
  const [first, second, third, fourth] = model.requests
  expect([first, third].map((request) => request?.headers.authorization)).toEqual(['Bearer sk-1', undefined])
  const results = [second, fourth].map((request) => String(request?.body.messages.at(-1)?.content))
  expect(results).toEqual(['The sum of 2 and 3 is 5.', expect.stringMatching(/^The sum of 2 and 4 is 6\.\n/)])
})

it.each([
  [['--model', 'a=http://127.0.0.1:1'], '--model is for chat clients over HTTP: add --http'],
  [['--http', '--model', 'gpt'], '--model gpt: write NAME=BASE_URL, as in qwen3:8b=http://127.0.0.1:11434/v1'],
])('refuses %j', async (args, words) => {
  const ended = await starbindHere(['serve', ...args], { cwd: place.folder, env: { XDG_CONFIG_HOME: place.folder } })
  expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining(words) })
})
