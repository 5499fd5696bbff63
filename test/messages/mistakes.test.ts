// Typical mistakes of programs, each with the whole message that its author gets. The golden file is read by people: a message names the mistake,
// the place and the way out, and where the mistake could be known before, no tool was called. STARBIND_UPDATE=1 writes the file anew.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bench, failure, lost, structured, text, timeless } from '../meta-tools/bench.js'

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
      merge: { answers: failure('Pull request is not mergeable: 2 checks failed') },
      crash: {
        answers: () =>
          Promise.reject(lost('the connection to api was lost before crash answered; it may have taken effect')),
      },
      huge: { answers: text('x'.repeat(4_000)) },
    },
    {
      unavailable: () => ({ jira: 'it did not answer within 30000 ms' }),
      limits: { responseBytes: 3_000, wallMs: 2_000, toolCalls: 20 },
    },
  )

/** Known before anything runs: no tool may have been called. */
const before: readonly string[] = [
  'issues = github.list_issues(owner="o")',
  'print(jira.search())',
  'api.list_isues(owner="o")',
  'api.list_issues()',
  'api.list_issues(owner="o", stat="open")',
  'api.list_issues(owner=7)',
  'api.list_issues(owner="o", state="opened")',
  'api.list_issues(owner="o", limit="10")',
  'api.list_issues(owner="o", filter={"lable": "x"})',
  'api.list_issues("o", "open", 5, {}, 1)',
  'api.list_issues("o", owner="p")',
  'api.list_issues(owner="o").sort_by("title")',
  'issues = api.list_issues(owner="o")\nprint(isues)',
  'api.create_issue(title="x")\nprint(undefined_name)',
  'api.create_issue(title="x"\nprint("done")',
  'api.create_issue(title="x")\nif True\n    pass',
  'api.create_issue(title="x")\nif x = 1:\n    pass',
  'def f(a, b):\n    return a\napi.create_issue(title="x")\nf(1)',
  'def f(a):\n    return a\nf(1, 2)',
  'import os\napi.create_issue(title="x")',
  'import requests\nrequests.get("https://example.com")',
  'api.create_issue(title="x")\nopen("a.txt")',
  'eval("1")',
  'import time\ntime.time()',
  'import random\nrandom.random()',
  'from datetime import now',
  'api.create_issue(title="x")\nprint(true)',
  'console.log("x")',
  'let x = 1',
  'x = api.list_issues(owner="o").map(lambda i: i)',
  'x = "a"\nx.foo()',
  'x = 1\nx.append(2)',
  'print("a" + 1)',
  'return 1 if True else 2\nbreak',
  'x = [1, 2\ny = 3',
  'print("a)',
  'x = 5 +',
  'def f():\nprint(1)',
  'match x:\n    case 1: pass',
  'from mcp.runtime import list_toolz',
]

/** Known only when it happens. */
const during: readonly string[] = [
  'for i in api.list_issues(owner="o"):\n    print(i["titel"])',
  'x = api.create_issue(title="x")\nprint(x["nubmer"])',
  'api.create_issue(title="x")\nprint(1 // 0)',
  'xs = [i["number"] for i in api.list_issues(owner="o")]\nprint(xs[3])',
  'x = api.read_file(path="a")\nprint(x["name"])',
  'import json\nx = api.read_file(path="a")\nprint(json.loads(x))',
  'import json\njson.loads(api.list_issues(owner="o"))',
  'x = None\nfor i in range(2):\n    x = x.get("a") if i else {}.get("a")\n',
  'n = api.read_file(path="a")\nprint(int(n))',
  'def total(xs):\n    return sum(x["cents"] for x in xs)\ndef report():\n    return total([{"cents": 1}, {"cent": 2}])\nprint(report())',
  'def f(n):\n    return f(n + 1)\nf(0)',
  'api.create_issue(title="x")\napi.merge()',
  'api.create_issue(title="x")\napi.crash()',
  'api.huge()',
  'for i in range(30):\n    api.list_issues(owner="o")',
  'while True:\n    pass',
  'api.create_issue(title={1, 2})',
  'args = {"title": "x", "boddy": "y"}\napi.create_issue(**args)',
  'name = "list_isues"\ngetattr(api, name)(owner="o")',
  'raise ValueError("no open issue")',
  'assert len(api.list_issues(owner="o")) > 3, "too few"',
  'd = {}\nd[[1]] = 2',
  'results.load("run-9")',
  'runtime.describe_server("apo")',
]

it('messages of typical mistakes are those that people have read', { timeout: 120_000 }, async () => {
  const { execute, sent } = tools()
  const shown: string[] = []
  for (const code of [...before, ...during]) {
    sent.length = 0
    const answer = await execute({ code })
    const program = code.split('\n').map((line) => `> ${line}`)
    shown.push([...program, timeless(answer.text).replace(/run-\d+/g, 'run-N')].join('\n'))
    if (!before.includes(code)) continue
    expect([code, answer.isError, sent]).toEqual([code, true, []])
    expect(answer.text).toMatch(/\nNothing was run and no tool was called\.$/)
  }
  const text = `${shown.join('\n\n')}\n`
  if (process.env.STARBIND_UPDATE === '1') writeFileSync(golden, text)
  expect(text).toBe(readFileSync(golden, 'utf8'))
})

it('there are forty mistakes that are known before, and sixty in all', () => {
  expect(before.length).toBeGreaterThanOrEqual(40)
  expect(before.length + during.length).toBeGreaterThanOrEqual(60)
})
