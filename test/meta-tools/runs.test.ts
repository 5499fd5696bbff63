// What surrounds a run: its questions about tools, its events, what is left of it, and what a corrected program takes
// over.

import { describe, expect, it } from 'vitest'
import type { RunContext, RunEvent } from '../../dist/meta-tools/index.js'
import { type Bench, bench, failure, structured, text, timeless } from './bench.js'

describe('runtime', () => {
  const tools = {
    'list-issues': {
      description: 'Lists issues. And more.',
      inputSchema: { type: 'object', properties: { state: { type: 'string' } }, required: ['state'] },
      annotations: { readOnlyHint: true },
      answers: text('[]'),
    },
    close: { description: 'Closes an issue.', answers: text('closed') },
  }
  const issues = {
    server: 'api',
    name: 'list_issues',
    signature: 'api.list_issues(state: str) -> Any',
    description: 'Lists issues',
    read_only: true,
  }
  const close = {
    server: 'api',
    name: 'close',
    signature: 'api.close(**extra: Any) -> Any',
    description: 'Closes an issue',
  }

  it.each<[string, unknown]>([
    ['runtime.list_servers()', ['api']],
    ['runtime.discovered_servers()', ['api', 'bank']],
    ['runtime.list_loaded_server_metadata()', [{ name: 'api', original_name: 'api', tool_count: 2 }]],
    ['runtime.describe_server("bank")', { name: 'bank', available: false, reason: 'it is closed' }],
    [
      'runtime.describe_server("api")',
      { name: 'api', original_name: 'api', tool_count: 2, available: true, tools: ['close', 'list_issues'] },
    ],
    ['runtime.list_tools("api")', [close, issues]],
    ['runtime.list_tools(server="api")', [close, issues]],
    ['runtime.query_tool_docs("api", "list-issues")', issues],
    ['runtime.query_tool_docs("api")', [close, issues]],
    ['runtime.query_tool_docs("api", tool="close", detail="full")["input_schema"]', { type: 'object' }],
    ['[t["name"] for t in runtime.search_tool_docs("close issue", limit=1)]', ['close']],
    ['runtime.capability_summary()', "api: close, list_issues\nbank can't be reached: it is closed"],
    ['results.list()', []],
  ])('answers %s with plain data', async (code, answer) => {
    const { run, sent } = bench(tools, { unavailable: () => ({ bank: 'it is closed' }) })
    expect((await run(`result = ${code}`)).result).toEqual(answer)
    const suffixed = code.replace(/runtime\.(\w+)\(/, 'runtime.$1_sync(')
    expect((await run(`result = ${suffixed}`)).result).toEqual(answer)
    expect(sent).toEqual([])
  })

  it.each([
    'import mcp.runtime\nprint(mcp.runtime.list_servers())',
    'from mcp import runtime\nprint(runtime.list_servers())',
    'import mcp.runtime as rt\nprint(await rt.list_servers())',
    'from mcp.runtime import list_servers as ls\nprint(ls())',
    'import runtime\nprint(runtime.list_servers())',
  ])('can be imported: %s', async (code) => {
    expect(await bench(tools).printed(code)).toEqual(["['api']"])
  })

  it.each([
    ['runtime.list_tools("apo")', 'TypeError: there is no server "apo"', 'did you mean api?'],
    [
      'runtime.query_tool_docs("api", tool="lst_issues")',
      'TypeError: server api has no tool "lst_issues"',
      'did you mean list_issues?',
    ],
    [
      'runtime.query_tool_docs("api", detail="all")',
      'TypeError: detail: got str "all", want "summary" or "full"',
      null,
    ],
    [
      'results.load("run-77")',
      'TypeError: no result is kept for a run "run-77"',
      'results.list() lists the kept results',
    ],
  ])('reports the mistake in %s', async (code, message, hint) => {
    expect((await bench(tools).run(code)).error).toMatchObject({ message, hint })
  })
})

describe('the events of a run', () => {
  it('are in order, have ids, and contain no intermediate values', async () => {
    const events: RunEvent[] = []
    const { run } = bench({
      get: { answers: text('secret'), annotations: { readOnlyHint: true } },
      fail: { answers: failure('secret') },
    })
    const onEvent = (event: RunEvent) => void events.push(event)
    const began = Date.now()
    await run('api.get(a="secret")\nprint("x")\napi.fail()', { onEvent, parentId: 'request-7' })
    const of = { runId: 'run-1', parentId: 'request-7' }
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(events.every(({ time }, i) => time >= (events[i - 1]?.time ?? began))).toBe(true)
    expect(events.map(({ type, time: _, sequence: __, ...rest }) => [type, rest])).toEqual([
      ['run.started', { ...of, language: 'starlark' }],
      [
        'call.started',
        {
          ...of,
          callId: 'run-1/1',
          server: 'api',
          tool: 'get',
          argumentDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      [
        'call.finished',
        {
          ...of,
          callId: 'run-1/1',
          server: 'api',
          tool: 'get',
          record: expect.objectContaining({ ok: true, bytes: 6 }),
        },
      ],
      ['print', { ...of, text: 'x' }],
      ['call.started', expect.objectContaining({ callId: 'run-1/2', tool: 'fail' })],
      [
        'call.finished',
        expect.objectContaining({ callId: 'run-1/2', record: expect.objectContaining({ outcome: 'failed' }) }),
      ],
      [
        'run.finished',
        { ...of, ok: false, error: expect.objectContaining({ code: 'tool-failed' }), stats: expect.anything() },
      ],
    ])
    expect(JSON.stringify(events.slice(0, -1))).not.toContain('secret')
  })

  it('report a program that never ran, and a listener that throws breaks nothing', async () => {
    const types: string[] = []
    const onEvent = (event: RunEvent) => {
      types.push(event.type)
      throw new Error('listener')
    }
    const { run } = bench({})
    expect((await run('x = (', { onEvent })).ok).toBe(false)
    expect((await run('print(1)', { onEvent })).ok).toBe(true)
    expect(types).toEqual(['run.started', 'run.finished', 'run.started', 'print', 'run.finished'])
  })
})

describe('a corrected program', () => {
  const shop = () => {
    let stock = 3
    return bench({
      buy: { answers: () => structured({ left: --stock }) },
      pay: { answers: (args) => (args.cents === 0 ? failure('nothing to pay') : text('paid')) },
    })
  }
  const first = 'a = api.buy(item="tea")\nb = api.buy(item="cup")\napi.pay(cents=0)'

  it('reuses the results of identical leading calls of the failed run', async () => {
    const { execute, sent } = shop()
    const failed = await execute({ code: first })
    expect(failed.text).toContain('\nretry: reuse="run-1" takes the results of these calls instead of repeating them')
    const code = 'a = api.buy(item="tea")\nb = api.buy(item="cup")\nprint(a, b, api.pay(cents=5), api.buy(item="cup"))'
    const again = await execute({ code, reuse: 'run-1' })
    expect(timeless(again.text)).toBe(
      "{'left': 2} {'left': 1} paid {'left': 0}\n" +
        'called api.buy ×3, 2 taken from the earlier run: N ms, 30 bytes\ncalled api.pay ×1: N ms, 4 bytes',
    )
    expect(sent.map((call) => call.tool)).toEqual(['buy', 'buy', 'pay', 'pay', 'buy'])
  })

  it('makes its own calls from the first difference on, and repeats a failed call', async () => {
    const { execute, sent } = shop()
    await execute({ code: first })
    await execute({ code: 'api.buy(item="tea")\napi.buy(item="pot")\napi.buy(item="cup")', reuse: 'run-1' })
    expect(sent.slice(3).map((call) => call.args)).toEqual([{ item: 'pot' }, { item: 'cup' }])
    await execute({ code: first, reuse: 'run-1' })
    expect(sent.slice(5).map((call) => call.tool)).toEqual(['pay'])
  })

  it('reuses nothing by default, and accepts only runs that failed', async () => {
    const { execute, sent } = shop()
    await execute({ code: first })
    await execute({ code: 'api.buy(item="tea")' })
    expect(sent).toHaveLength(4)
    expect((await execute({ code: 'api.buy(item="tea")', reuse: 'run-2' })).text).toBe(
      'program error [unknown-run] there is no failed run "run-2" whose calls could be reused\n' +
        'hint: runs that can be reused are run-1\nNothing was run and no tool was called.',
    )
    expect(sent).toHaveLength(4)
  })
})

describe('a program that begins like an earlier one', () => {
  const get = { annotations: { readOnlyHint: true } }
  const readsAhead: RunContext['readsAhead'] = (_, { annotations }) => annotations?.readOnlyHint === true
  const made = ({ sent }: Bench) => sent.map(({ tool, args }) => `${tool} ${args.n}`)

  it('repeats neither a caught failed read nor a call that may write after it', async () => {
    const tools = { get: { ...get, answers: failure('none') }, buy: { answers: structured({}) } }
    const shelf = bench(tools, { readsAhead })
    const code = 'try:\n    api.get(n=1)\nexcept ToolError as e:\n    print(e)\napi.buy(n=1)'
    const { runId, logs } = await shelf.run(code, { keepCalls: true })
    const again = await shelf.run(`${code}\napi.buy(n=2)`, { reuse: runId })
    expect([again.logs, made(shelf)]).toEqual([logs, ['get 1', 'buy 1', 'buy 2']])
    expect(again.calls.map(({ outcome, ok }) => [outcome, ok])).toEqual([
      ['reused', false],
      ['reused', true],
      ['answered', true],
    ])
  })

  it('repeats no concurrent call, in whatever order they were made', async () => {
    let goOn = () => {}
    const slow = new Promise<void>((resolve) => (goOn = resolve))
    const got = async ({ n }: { readonly n?: unknown }) => {
      if (n === 1) await slow
      return structured({})
    }
    const bought = ({ n }: { readonly n?: unknown }) => {
      if (n === 2) goOn()
      return structured({})
    }
    const tools = { get: { ...get, answers: got }, buy: { answers: bought } }
    const shelf = bench(tools, { readsAhead, language: 'javascript' })
    const code = 'await Promise.all([1, 2].map(async (n) => { await api.get({ n }); await api.buy({ n }) }))'
    const { runId } = await shelf.run(code, { keepCalls: true })
    expect(made(shelf)).toEqual(['get 1', 'get 2', 'buy 2', 'buy 1'])
    await shelf.run(code, { reuse: runId })
    expect(made(shelf)).toHaveLength(4)
  })

  it('reuses no answer after a new call that may write', async () => {
    const shelf = bench({ get: { ...get, answers: structured({}) }, buy: { answers: structured({}) } }, { readsAhead })
    const { runId } = await shelf.run('api.get(n=0)\napi.buy(n=1)\napi.get(n=1)', { keepCalls: true })
    await shelf.run('api.get(n=0)\napi.buy(n=2)\napi.get(n=1)\napi.buy(n=1)', { reuse: runId })
    expect(made(shelf).slice(3)).toEqual(['buy 2', 'get 1', 'buy 1'])
  })
})

describe('a result', () => {
  const rows = 'result = [{"id": 1, "price": 2.0}, {"id": 2, "price": 12345678901234567890}]'
  it.each([
    ['csv', 'result (csv):\nid,price\n1,2.0\n2,12345678901234567890'],
    ['json', 'result: [{"id":1,"price":2.0},{"id":2,"price":12345678901234567890}]'],
    ['toon', 'result (toon):\n[2]{id,price}:\n  1,2.0\n  2,12345678901234567890'],
  ])('can be requested as %s', async (output, shown) => {
    expect((await bench({}).execute({ code: rows, output })).text).toBe(shown)
  })

  it('stays JSON if the notation can’t express it, and gives the reason', async () => {
    expect((await bench({}).execute({ code: 'result = {"a": 1}', output: 'csv' })).text).toBe(
      'result: {"a":1}\nnote: CSV needs a list of flat dicts, and the result is a dict',
    )
    expect((await bench({}).execute({ code: 'result = 1', output: 'xml' })).text).toBe(
      'program error [wrong-argument] executeToolCode: output is "xml", want "json" or "toon" or "csv"',
    )
  })
})

describe('a repeated program', () => {
  const tool = { inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } as const, answers: text('1') }
  const code = 'result = api.count(n=1)'

  it('is prepared once, in each language, and with its mistakes', async () => {
    const { run, execute } = bench({ count: tool })
    const first = await run(code)
    const again = await run(code)
    const { compileMs } = first.stats
    expect([compileMs > 0, again.stats.compileMs, again.result]).toEqual([true, compileMs, first.result])
    const wrong = 'result = api.count(n="x")\n'
    const [report, reportAgain] = [await execute({ code: wrong }), await execute({ code: wrong })]
    expect(report.isError).toBe(true)
    expect(reportAgain.text).toBe(report.text)
  })

  it('is prepared again if its tools or its rights differ', async () => {
    expect((await bench({ count: tool }).run(code)).ok).toBe(true)
    expect((await bench({ other: tool }).run(code)).error?.code).toBe('unknown-tool')
    const asText = { ...tool, inputSchema: { type: 'object', properties: { n: { type: 'string' } } } as const }
    expect((await bench({ count: asText }).run(code)).error?.code).toBe('wrong-argument')
    const strict = await bench({ count: tool }).run('f"{1}"', { dialect: { strict: true } })
    const python = await bench({ count: tool }).run('f"{1}"')
    expect([strict.ok, python.ok]).toEqual([false, true])
  })

  it('reports its own line when it fails again', async () => {
    const { run } = bench({ count: tool })
    const failing = 'x = [1]\nfor i in range(2):\n    x[i + 0]'
    const [first, again] = [await run(failing), await run(failing)]
    expect(again.report).toBe(first.report)
    expect(again.error?.line).toBe(3)
  })
})
