// The benchmark about tokens with a model, which is an endpoint that plays the recorded calls.

import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { root } from '../docs/blocks.js'

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: string; readonly tool_calls?: unknown }[]
  readonly tools: readonly { readonly function: { readonly name: string } }[]
}

/** The model's actions in each trip: calls, and at the end an answer. */
const plans: Record<string, readonly (readonly [string, object][] | string)[]> = {
  executeToolCode: [
    [['listToolFiles', { query: 'sum' }]],
    [['executeToolCode', { code: 'result = everything.get_sum(a=17, b=25)' }]],
    'It is done.\n"The sum of 17 and 25 is 42."',
  ],
  'everything__get-sum': [[['everything__get-sum', { a: 17, b: 25 }]], 'The sum is 43.'],
}
const heard: string[] = []

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { messages, tools } = JSON.parse(Buffer.concat(chunks).toString()) as Request
  heard.push(...messages.filter(({ role }) => role === 'tool').map(({ content }) => content))
  const plan = Object.entries(plans).find(([name]) => tools.some((tool) => tool.function.name === name))![1]
  const next = plan[messages.filter(({ role }) => role === 'assistant').length]!
  const message =
    typeof next === 'string'
      ? { role: 'assistant', content: next }
      : {
          role: 'assistant',
          content: null,
          tool_calls: next.map(([name, args], i) => ({
            id: `call_${i}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        }
  const usage = { prompt_tokens: 1000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 400 } }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ choices: [{ message }], usage }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())

it('plays a task in both ways and grades the answers', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const args = [
    'tokens',
    '--model',
    url,
    '--name',
    'scripted',
    '--tasks',
    'everything-sum',
    '--prices',
    '3,15,0.3',
    '--catalogues',
    'nowhere',
  ]
  const run = promisify(execFile)(process.execPath, [path.join(root, 'bench/main.mjs'), ...args])
  const lines = (await run).stdout.replace(/ \d+\.\d(?= +\d+\.\d\d$)/gm, ' S').split('\n')
  expect(
    lines.filter((line) => /^(everything-sum|all) /.test(line)).map((line) => line.replace(/ {2,}/g, '  ')),
  ).toEqual([
    'everything-sum  direct  it said "The sum is 43."  2  2,000  20  S  0.41',
    'everything-sum  code mode  right  3  3,000  30  S  0.62',
    'all  direct  0 of 1 right  2  2,000  20  S  0.41',
    'all  code mode  1 of 1 right  3  3,000  30  S  0.62',
  ])
  expect(heard[0]).toBe('The sum of 17 and 25 is 42.')
  expect(heard.at(-1)).toContain('result: "The sum of 17 and 25 is 42."\n')
})
