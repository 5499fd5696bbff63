// Habits that programs bring from other systems: tools called in another manner, and the same call without an end. One
// message tells what to write.

import { describe, expect, it } from 'vitest'
import { bench, text } from './bench.js'

const read = {
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } as const,
  annotations: { readOnlyHint: true },
}

describe('a tool that is called in an unusual way', () => {
  const tools = { list_rows: { ...read, answers: text('none') } }

  it.each([
    'mcp.call_tool("list_rows", {})',
    'mcp.call("api", "list_rows", {})',
    'mcp.api.list_rows()',
    'client.call("list_rows")',
    'await session.call_tool("api", "list_rows", {})',
    'call_tool(server="api", tool="list_rows")',
    'call_tool(server_name = "api", tool_name = \'list_rows\')',
    'use_mcp_tool("api", "list-rows", {})',
    'tools.list_rows()',
    'functions.list_rows(id=3)',
    'servers.api.list_rows()',
    'mcp__api__list_rows()',
    'list_rows()',
    'apis.list_rows()',
  ])('is named: %s', async (call) => {
    const { report, ok } = await bench(tools).run(`result = ${call}`)
    expect([ok, report.split('\n').filter((line) => line.startsWith('hint'))]).toEqual([
      false,
      ['hint: write api.list_rows(…)'],
    ])
  })

  it('is named if it is used as a key', async () => {
    const { error } = await bench(tools).run('result = api["list_rows"]()')
    expect([error?.message, error?.hint]).toEqual(["server can't be indexed", 'write api.list_rows'])
  })

  it.each([
    ['result = rows.append(3)', 'the servers are api'],
    ['result = lst_rows()', undefined],
    ['result = client.call("nothing")', 'the servers are api'],
  ])('gets no suggestion: %s', async (code, hint) => {
    const { report } = await bench({ ...tools, append: { ...read, answers: text('') } }).run(code)
    const hints = report.split('\n').filter((line) => line.startsWith('hint'))
    expect(hints).toEqual(
      hint === undefined ? expect.not.arrayContaining([expect.stringContaining('write')]) : [`hint: ${hint}`],
    )
  })
})

describe('the same call in an endless loop', () => {
  let answers = 0
  const tools = {
    status: { ...read, answers: text('pending') },
    count: { ...read, answers: () => text(String(answers++)) },
    write: { inputSchema: { type: 'object' } as const, answers: text('done') },
  }
  const ended = async (code: string, language: 'starlark' | 'javascript' = 'starlark'): Promise<unknown> => {
    const { ok, error, result, calls } = await bench(tools, { language }).run(code)
    return ok ? result : [error.class, error.code, error.message, error.line, error.hint, calls.length]
  }
  const fault = (tool: string, line: number): unknown => [
    'program error',
    'endless-calls',
    `api.${tool} was called 100 times in a row with the same arguments, and gave the same answer each time`,
    line,
    'call it once, before the loop; to wait for a change, sleep between the calls',
    100,
  ]

  it('is reported in both languages', async () => {
    expect(await ended('while True:\n    if api.write() == "changed": break')).toEqual(fault('write', 2))
    expect(await ended('for (;;) {\n  if (api.write() === "changed") break\n}', 'javascript')).toEqual(
      fault('write', 2),
    )
  })

  it('cannot be caught', async () => {
    expect(await ended('while True:\n    try:\n        api.write()\n    except Exception:\n        pass')).toEqual(
      fault('write', 3),
    )
    expect(await ended('for (;;) { try {\n  await api.write() } catch {} }', 'javascript')).toEqual(fault('write', 2))
  })

  it('is reported for read-ahead calls', async () => {
    const { error } = await bench(tools, { readsAhead: (_, tool) => tool.name !== 'write' }).run(
      'while True:\n    if api.status() == "done": break',
    )
    expect([error?.class, error?.code, error?.line]).toEqual(['program error', 'endless-calls', 2])
  })

  it('is not reported if the program sleeps, changes the arguments, or gets other answers', async () => {
    expect(await ended('import time\nfor i in range(150):\n    api.status()\n    time.sleep(2)\nresult = i')).toBe(149)
    const poll =
      'for (let i = 0; i < 150; i++) { await api.status(); await new Promise((r) => setTimeout(r, 50)) }\nreturn "polled"'
    expect(await ended(poll, 'javascript')).toBe('polled')
    expect(await ended('for i in range(150):\n    api.status(id=i % 2)\nresult = i')).toBe(149)
    expect(await ended('for i in range(150):\n    api.status()\n    api.write()\nresult = i')).toBe(149)
    expect(await ended('for i in range(150): api.count()\nresult = i')).toBe(149)
    expect(await ended('for i in range(100): api.write()\nresult = i')).toBe(99)
    expect(
      await ended('return (await Promise.all(Array.from({ length: 150 }, () => api.status()))).length', 'javascript'),
    ).toBe(150)
  })
})

describe('a value that is used as a dict', () => {
  const tools = {
    lines: { ...read, answers: text('id,name\n1,ann\n2,bob') },
    rows: { ...read, answers: text('[{"id": 1}, {"id": 2}]') },
  }

  it.each([
    ['api.lines()["id"]', 'this is a str of 3 lines: splitlines() gives them'],
    ['api.lines().get("id")', 'this is a str of 3 lines: splitlines() gives them'],
    ['api.rows().items()', "this is a list of 2 dicts with the keys 'id': index it with an int first, or loop over it"],
    [
      'api.rows().get("id")',
      "this is a list of 2 dicts with the keys 'id': index it with an int first, or loop over it",
    ],
  ])('is named: %s', async (code, hint) => {
    const { error } = await bench(tools).run(`x = ${code}`)
    expect(error?.hint).toBe(hint)
  })
})
