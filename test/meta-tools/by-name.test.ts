// Tools that a program calls by names which it may make while it runs: `runtime.call` and `runtime.servers`.

import { describe, expect, it } from 'vitest'
import { type Bench, bench, text } from './bench.js'
import { stage } from './stage.js'

const sum = {
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  annotations: { readOnlyHint: true },
  answers: ({ a, b }: Readonly<Record<string, unknown>>) => text(`${Number(a) + Number(b)}`),
}
const tools = { 'get-sum': sum, close: { answers: text('closed') } }

const reachOf = async (code: string, { context }: Bench, language: 'starlark' | 'javascript' = 'starlark') => {
  const { compilation } = await context.desk.prepare({ text: code, language }, context.bindings, {
    dialect: {},
    unavailable: {},
    limits: { wallMs: 60_000, cpuMs: 60_000 } as never,
    elapsedMs: 0,
  })
  return compilation.ok ? compilation.program.reach : compilation.diagnostics
}

const exact = { tools: [{ namespace: 'api', member: 'get_sum' }], widened: [] }
const ofServer = { tools: [], widened: ['api'] }
const any = { tools: [], widened: 'all' }

describe('a call by name', () => {
  it.each<[string, unknown]>([
    ['result = runtime.call("api", "get-sum", {"a": 1, "b": 2})', exact],
    ['result = runtime.call("api", "get_sum", a=1, b=2)', exact],
    ['result = await mcp.runtime.call("api", "get_sum", {"a": 1, "b": 2})', exact],
    ['result = runtime.servers["api"]["get-sum"](a=1, b=2)', exact],
    ['result = await runtime.servers.api.get_sum(1, 2)', exact],
    ['from mcp.runtime import servers as all\nresult = all.api["get-sum"]({"a": 1, "b": 2})', exact],
    ['from runtime import call\nresult = call("api", "get_sum", {"a": 1, "b": 2})', exact],
    ['import runtime as rt\nresult = rt.call("API", "Get-Sum", {"a": 1, "b": 2})', exact],
    ['name = "get-" + "sum"\nresult = runtime.call("api", name, {"a": 1, "b": 2})', ofServer],
    ['s = runtime.servers["api"]\nresult = s.get_sum(a=1, b=2)', ofServer],
    ['t = runtime.search_tool_docs("sum")[0]\nresult = runtime.call(t["server"], t["name"], {"a": 1, "b": 2})', any],
    ['result = [s for s in runtime.servers.values()][0].get_sum(a=1, b=2)', any],
    ['f = runtime.call\nresult = f("api", "get_sum", {"a": 1, "b": 2})', any],
    ['m = runtime\nresult = m.call("api", "get_sum", {"a": 1, "b": 2})', any],
    ['result = getattr(runtime, "ca" + "ll")("api", "get_sum", {"a": 1, "b": 2})', any],
  ])('is checked, sent and reported like any other: %s', async (code, reach) => {
    const one = bench(tools)
    expect(await one.run(code)).toMatchObject({
      ok: true,
      result: '3',
      calls: [{ server: 'api', tool: 'get-sum', ok: true }],
    })
    expect(one.sent).toEqual([{ tool: 'get-sum', args: { a: 1, b: 2 }, timeoutMs: undefined }])
    expect(await reachOf(code, one)).toEqual(reach)
  })

  it.each<[string, unknown]>([
    ['return await runtime.call("api", "get-sum", { a: 1, b: 2 })', exact],
    ['return runtime.call("api", "get_sum", { a: 1, b: 2 })', exact],
    ['return runtime.call("api", "get-" + "sum", { a: 1, b: 2 })', ofServer],
    ['const [t] = runtime.searchToolDocs("sum"); return runtime.call(t.server, t.name, { a: 1, b: 2 })', any],
    ['const { call } = runtime; return call("api", "get_sum", { a: 1, b: 2 })', any],
    ['return parallel([() => runtime.call("api", "get_sum", { a: 1, b: 2 })])[0]', exact],
  ])('works in JavaScript: %s', async (code, reach) => {
    const one = bench(tools, { language: 'javascript' })
    expect(await one.run(code)).toMatchObject({ ok: true, result: '3', calls: [{ tool: 'get-sum', ok: true }] })
    expect(await reachOf(code, one, 'javascript')).toEqual(reach)
  })

  it('looks like a mapping of servers', async () => {
    const code = `all = runtime.servers
print(len(all), list(all), "api" in all, "x" in all, all, dir(all.api), bool(all), all.get("x"), list(all.keys()))`
    expect(await bench(tools).printed(code)).toEqual([
      "1 ['api'] True False <servers api> ['close', 'get_sum'] True None ['api']",
    ])
  })

  it.each<[string, string, string | null]>([
    ['runtime.call("api", "get-sun")', 'TypeError: server api has no tool "get-sun"', 'did you mean get_sum?'],
    ['runtime.call("apo", "close")', 'TypeError: there is no server "apo"', 'did you mean api?'],
    ['runtime.call("bank", "pay")', "TypeError: bank can't be reached: it is closed", null],
    ['runtime.servers["apo"]', 'TypeError: there is no server "apo"', 'did you mean api?'],
    ['runtime.servers["bank"]', "TypeError: bank can't be reached: it is closed", null],
    ['runtime.servers.api["get-sun"]()', 'TypeError: server api has no tool "get-sun"', 'did you mean get_sum?'],
    ['runtime.servers.apo.close()', "AttributeError: 'servers' object has no attribute 'apo'", 'did you mean .api?'],
    ['runtime.call(1, "close")', 'TypeError: runtime.call: server must be str, not int', null],
    ['runtime.call("api", "get_sum", {"a": 1})', 'TypeError: api.get_sum: missing b', 'it takes a, b'],
  ])('reports a mistake: %s', async (code, message, hint) => {
    const { run, sent } = bench(tools, { unavailable: () => ({ bank: 'it is closed' }) })
    expect((await run(code)).error).toMatchObject({ message, hint })
    expect(sent).toEqual([])
  })

  it.each<[string, string, string | null]>([
    ['runtime.call("api", "get-sun")', 'TypeError: server api has no tool "get-sun"', 'did you mean get_sum?'],
    ['runtime.call(1, "close")', 'TypeError: runtime.call: server must be a string', null],
  ])('reports a mistake in JavaScript: %s', async (code, message, hint) => {
    const { run } = bench(tools, { language: 'javascript' })
    expect((await run(code)).error).toMatchObject({ message, hint })
  })

  it.each([
    'runtime.call("api", "get", {"id": i})',
    'runtime.servers["api"]["get"](id=i)',
    'runtime.servers.api.get(id=i)',
  ])('of a read-only tool runs ahead: %s', async (call) => {
    const { groups } = await stage().run(`out = []\nfor i in range(3):\n    out.append(${call})\nprint(out)`, {
      together: [3],
    })
    expect(groups).toEqual([['get 0', 'get 1', 'get 2']])
  })
})
