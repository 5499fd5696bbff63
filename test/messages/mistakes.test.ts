// Typical mistakes of programs, each with the whole message that its author gets. People review the golden file: a
// message names the mistake, the place and the solution, and no tool is called for a mistake that can be found before
// the run. UPDATE_GOLDENS=1 rewrites the file.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bench, failure, lost, structured, text, timeless } from '../meta-tools/bench.js'
import { before, during } from './mistakes.js'

const golden = path.join(import.meta.dirname, 'golden/mistakes.txt')

const issue = {
  type: 'object',
  properties: {
    number: { type: 'integer' },
    title: { type: 'string' },
    labels: { type: 'array', items: { type: 'string' } },
  },
  required: ['number', 'title', 'labels'],
}
const tools = () =>
  bench(
    {
      list_issues: {
        inputSchema: {
          type: 'object',
          properties: {
            owner: { type: 'string' },
            state: { enum: ['open', 'closed'] },
            limit: { type: 'integer', minimum: 1, maximum: 100 },
            filter: { type: 'object', properties: { label: { type: 'string' } }, additionalProperties: false },
          },
          required: ['owner'],
        },
        outputSchema: { type: 'object', properties: { result: { type: 'array', items: issue } }, required: ['result'] },
        annotations: { readOnlyHint: true },
        answers: structured({ result: [{ number: 1, title: 'a', labels: [] }] }),
      },
      create_issue: {
        inputSchema: {
          type: 'object',
          properties: { title: { type: 'string' }, body: { type: 'string' } },
          required: ['title'],
        },
        answers: text('{"number": 7, "url": "x"}'),
      },
      read_file: {
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        answers: text('plain words'),
      },
      page: {
        outputSchema: { type: 'object', properties: { items: { type: 'array', items: issue } }, required: ['items'] },
        annotations: { readOnlyHint: true },
        answers: structured({ items: [{ number: 1, title: 'a', labels: [] }] }),
      },
      find_user: { annotations: { readOnlyHint: true }, answers: text('{"name": "Ada", "mail": "ada@example.com"}') },
      merge: { answers: failure('Pull request is not mergeable: 2 checks failed') },
      crash: {
        answers: () =>
          Promise.reject(lost('the connection to api was lost before crash answered; it may have taken effect')),
      },
      huge: { answers: text('x'.repeat(4_000)) },
    },
    {
      unavailable: () => ({ jira: 'it did not answer within 30000 ms' }),
      limits: { responseBytes: 3_000, wallMs: 200_000, toolCalls: 20 },
    },
  )

it('messages of typical mistakes are those of the reviewed golden file', async () => {
  const { execute, sent } = tools()
  const shown: string[] = []
  for (const code of [...before, ...during]) {
    sent.length = 0
    // Only endless programs may meet the time limit, however slow this machine is.
    const timeoutMs = code.includes('while True') ? 2_000 : undefined
    const answer = await execute({ code, language: 'starlark', ...(timeoutMs === undefined ? {} : { timeoutMs }) })
    const program = code.split('\n').map((line) => `> ${line}`)
    shown.push([...program, timeless(answer.text).replace(/run-\d+/g, 'run-N')].join('\n'))
    if (!before.includes(code)) continue
    expect([code, answer.isError, sent]).toEqual([code, true, []])
    expect(answer.text).toMatch(/\nNothing was run and no tool was called\.$/)
  }
  const text = `${shown.join('\n\n')}\n`
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(golden, text)
  expect(text).toBe(readFileSync(golden, 'utf8'))
})

it('there are forty mistakes that are found before the run, and sixty in all', () => {
  expect(before.length).toBeGreaterThanOrEqual(40)
  expect(before.length + during.length).toBeGreaterThanOrEqual(60)
})
