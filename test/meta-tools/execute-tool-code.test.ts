// Programs against tools that live in this process: what is answered, what is recorded, and what stays out of the
// answer.

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, describe, expect, it } from 'vitest'
import { bindServers, type Tool, type ToolCaller, type ToolOutcome } from '../../dist/bindings/index.js'
import {
  Desk,
  definitionsFor,
  executeToolCode,
  metaTools,
  type RunContext,
  RunHistory,
  type RunOptions,
  runProgram,
} from '../../dist/meta-tools/index.js'
import { openSandbox } from '../../dist/sandbox/index.js'
import { openVfs } from '../../dist/vfs/index.js'
import { withEnoughTime } from '../sandbox/enough-time.js'

const sandbox = openSandbox({ limits: { wallMs: 600_000, cpuMs: 300_000 } })
const desk = new Desk()
afterAll(() => Promise.all([sandbox.close(), desk.close()]))
const vfs = openVfs()

function tool(name: string, annotations?: Tool['annotations']): Tool {
  return { name, inputSchema: { type: 'object' }, ...(annotations ? { annotations } : {}) }
}

/** A server whose tools do what they are called. */
const shop = {
  name: 'shop-1',
  tools: [tool('get-items', { readOnlyHint: true }), tool('buy'), tool('wait'), tool('fail')],
}

let begun: () => void = () => {}

const caller: ToolCaller = {
  call: async (_server, name, _args, options): Promise<ToolOutcome> => {
    if (name === 'get-items')
      return { isError: false, content: [], structuredContent: { items: ['secret-1', 'secret-2'] } }
    if (name === 'buy') return { isError: false, content: [{ type: 'text', text: 'bought' }] }
    if (name === 'fail') return { isError: true, content: [{ type: 'text', text: 'sold out' }] }
    begun()
    return new Promise((_, reject) => options?.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
  },
}

const context: RunContext = {
  bindings: bindServers([shop]),
  unavailable: () => ({ bank: 'it exited with status 1' }),
  caller,
  sandbox,
  desk,
  vfs,
  language: 'starlark',
  dialect: {},
  limits: {},
  answerMaxChars: 24_000,
  history: new RunHistory(32_000_000),
}

const execute = (args: Record<string, unknown>, options?: RunOptions) => executeToolCode(args, context, options)
const timeless = (text: string) => text.replace(/\d+ ms/g, 'N ms').replace(/run-\d+/g, 'run-N')

describe('a name', () => {
  it('of a missing tool is refused before anything runs, with the nearest names', async () => {
    expect((await execute({ code: 'shop_1.buy()\nprint(shop_1.get_item())' })).text).toBe(
      'program error [unknown-tool] shop_1 has no tool get_item\n' +
        '  program:2:14\n' +
        '  2 | print(shop_1.get_item())\n' +
        '    |              ^^^^^^^^\n' +
        'hint: did you mean shop_1.get_items?\n' +
        'Nothing was run and no tool was called.',
    )
  })

  it('of an unreachable server gets the reason', async () => {
    expect((await execute({ code: 'print(bank.balance())' })).text).toBe(
      "host error [server-unavailable] bank can't be reached: it exited with status 1\n" +
        '  program:1:7\n' +
        '  1 | print(bank.balance())\n' +
        '    |       ^^^^\n' +
        'Nothing was run and no tool was called.',
    )
  })
})

describe('an answer', () => {
  it('has the output, the result and one line for each tool, and no intermediate values', async () => {
    const code =
      'for i in range(3):\n    n = len(shop_1.get_items()["items"])\nprint(shop_1.buy(), n)\nresult = {"n": n}'
    const answer = await execute({ code })
    expect({ text: timeless(answer.text), isError: answer.isError }).toEqual({
      text:
        'bought 2\n' +
        'result: {"n":2}\n' +
        'called shop_1.get_items ×3: N ms, 99 bytes\n' +
        'called shop_1.buy ×1: N ms, 6 bytes',
      isError: false,
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('explains how to show something if there is nothing to show', async () => {
    expect(timeless((await execute({ code: 'x = shop_1.buy()' })).text)).toBe(
      'The program ran to its end but printed nothing and set no result. Assign to the global `result`, or print(), what you want to see.\n' +
        'called shop_1.buy ×1: N ms, 6 bytes',
    )
  })

  it('shows a result that JSON cannot hold in the notation of the language', async () => {
    expect((await execute({ code: 'result = [1]\nresult.append(result)' })).text).toBe('result: [1, [...]]')
  })

  it('is JSON for everything that web frameworks serialize', async () => {
    const code = `
import collections, dataclasses, enum, pathlib, uuid
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
class Color(enum.Enum):
    RED = "red"
@dataclasses.dataclass
class Point:
    x: int
    at: date
class Plain:
    def __init__(self):
        self.n = {1, 2}
Pair = collections.namedtuple("Pair", "a b")
result = {
    1: date(2024, 1, 2), 2.5: datetime(2024, 1, 2, 3, 4, tzinfo=timezone.utc), None: timedelta(minutes=1.5), False: Color.RED,
    "decimals": [Decimal("1.50"), Decimal("7")], "id": uuid.UUID(int=5), "path": pathlib.PurePath("a") / "b", "point": Point(1, date(2024, 1, 2)),
    "pair": Pair(1, 2), "plain": Plain(), "counter": collections.Counter("aab"), "queue": collections.deque([1]), "bytes": b"x",
}`
    const { structured } = await execute({ code })
    expect((structured as { result: unknown }).result).toEqual({
      '1': '2024-01-02',
      '2.5': '2024-01-02T03:04:00+00:00',
      null: 90,
      false: 'red',
      decimals: [1.5, 7],
      id: '00000000-0000-0000-0000-000000000005',
      path: 'a/b',
      point: { x: 1, at: '2024-01-02' },
      pair: [1, 2],
      plain: { n: [1, 2] },
      counter: { a: 2, b: 1 },
      queue: [1],
      bytes: 'x',
    })
  })

  it('notes the values without a JSON form', async () => {
    const code =
      'from decimal import Decimal\nresult = {"f": [len], "n": float("nan"), (1, 2): 3,\n' +
      '  "d": [Decimal("12345678901234567890"), Decimal("7.0"), Decimal("-Infinity")], "b": b"\\xff"}'
    expect((await execute({ code })).text).toBe(
      'result: {"f":["<built-in function len>"],"n":null,"(1, 2)":3,"d":[12345678901234567890,7.0,null],"b":"b\'\\\\xff\'"}\n' +
        'note: a key of result is of type tuple, which JSON has no form for: it is text\n' +
        'note: result["f"][0] is of type builtin_function_or_method, which JSON has no form for: it is text\n' +
        'note: result["n"] is nan, which JSON has no number for: it is null\n' +
        'note: result["d"][2] is -inf, which JSON has no number for: it is null\n' +
        'note: result["b"] is of type bytes, which JSON has no form for: it is text',
    )
    const script = 'return { m: new Map([["a", new Set([1])]]), f: [() => 1], n: NaN, b: new Uint8Array(2) }'
    expect((await execute({ code: script, language: 'javascript' })).text).toBe(
      'result: {"m":{"a":[1]},"f":["[Function (anonymous)]"],"n":null,"b":[0,0]}\n' +
        'note: result["f"][0] is text: JSON has no functions\n' +
        'note: result["n"] is NaN, which JSON has no number for: it is null',
    )
  })

  it('is cut to its budget, by lines and as JSON, and names the file with all of it', async () => {
    const code = 'for i in range(4000):\n    print("line", i)\nresult = list(range(2000))\nshop_1.buy()'
    const { text, structured } = await executeToolCode({ code }, { ...context, answerMaxChars: 2_000 })
    const { runId } = structured as { runId: string }
    expect(text.length).toBeLessThanOrEqual(2_000)
    const lines = text.split('\n')
    expect(lines.slice(0, 2)).toEqual(['line 0', 'line 1'])
    const gap = lines.findIndex((line) => /^\[… \d+ of 4000 lines left out …\]$/.test(line))
    const left = 4000 - (lines.findIndex((line) => line.startsWith('result: ')) - 1)
    expect(lines[gap]).toBe(`[… ${left} of 4000 lines left out …]`)
    const result = lines.find((line) => line.startsWith('result: ')) ?? ''
    const list = JSON.parse(result.slice('result: '.length)) as (number | string)[]
    expect([list[0], list.at(-1)]).toEqual([0, 1999])
    expect(list.filter((item) => typeof item === 'string')).toEqual([
      `… ${2001 - list.length} of 2000 items left out …`,
    ])
    expect(lines.slice(-2)).toEqual([
      `[cut: all of it (47780 characters: 4000 printed lines, result list of 2000 number) is in results/${runId}.json; ` +
        `page it with readToolFile, or results.load("${runId}") in a program]`,
      expect.stringMatching(/^called shop_1\.buy ×1: \d+ ms, 6 bytes$/),
    ])
    const whole = JSON.parse(vfs.read(`results/${runId}.json`) ?? '') as { logs: string[]; result: number[] }
    expect(whole.logs).toHaveLength(4000)
    expect(whole.result).toHaveLength(2000)
    const later = `x = results.load("${runId}")\nprint(len(x), sum(x), results.load("results/${runId}.json") == x, "${runId}" in results.list())`
    expect((await execute({ code: later })).text).toBe('2000 1999000 True True')
  })

  it('lists the calls before a failure, under the names of the program', async () => {
    const code = 'shop_1.get_items()\nshop_1.buy()\nshop_1.buy()\nshop_1.fail()'
    const answer = await execute({ code })
    expect({ ...answer, text: timeless(answer.text) }).toMatchObject({
      text:
        'tool error [tool-failed] shop_1.fail failed: "sold out"\n' +
        '  program:4:1\n' +
        '  4 | shop_1.fail()\n' +
        '    | ^^^^^^^^^^^^^\n' +
        'done before this: shop_1.get_items (safe to repeat), shop_1.buy ×2, shop_1.fail (failed)\n' +
        'retry: reuse="run-N" takes the results of these calls instead of repeating them',
      isError: true,
    })
  })
})

describe('a submission', () => {
  it.each<[Record<string, unknown>, string]>([
    [{}, 'program error [wrong-argument] executeToolCode: code is missing, want the text of a program'],
    [{ code: 7 }, 'program error [wrong-argument] executeToolCode: code is 7, want the text of a program'],
    [
      { code: 'x', timeout: 5 },
      'program error [unknown-argument] executeToolCode has no argument timeout\nhint: write timeoutMs',
    ],
    [
      { code: 'x', timeoutMs: 'soon' },
      'program error [wrong-argument] executeToolCode: timeoutMs is "soon", want a number of milliseconds above 0',
    ],
    [
      { code: 'x', timeoutMs: -1 },
      'program error [wrong-argument] executeToolCode: timeoutMs is -1, want a number of milliseconds above 0',
    ],
    [
      { code: 'x', language: 'perl' },
      'program error [wrong-argument] executeToolCode: language is "perl", want "starlark" or "javascript"',
    ],
    [
      { code: `x = "${'x'.repeat(300_000)}"` },
      'limit [limit-source-bytes] the program is longer than 256 KiB (limit sourceBytes)\nhint: split the program, and read data with tools instead of literals\nNothing was run and no tool was called.',
    ],
  ])('is refused with a reason when it is wrong: %j', async (args, text) => {
    expect(await execute(args)).toMatchObject({ text, isError: true })
  })

  it('may be in a code fence, and have numbers in quotes', async () => {
    expect((await execute({ code: 'print(1)', timeoutMs: 9e9 })).text).toBe('1')
    expect((await execute({ code: '```python\nprint(1)\n```', timeoutMs: '500000' })).text).toBe('1')
    for (const code of [
      'Here is the program:\n```py\nprint(1)\n```\nIt prints 1.',
      '~~~\nprint(1)\n~~~',
      "````starlark\nprint(len('''\n```\n''') - 4)\n````",
      '```python\r\nprint(1)\r\n```',
      '```python\nprint(1)',
      'I call it.\n\n  ```tool_code\n  if True:\n      print(1)\n  ```',
      '```js\nconsole.log(1)\n```',
    ])
      expect([code, (await execute({ code })).text]).toEqual([code, '1'])
    // A fence in a string is a part of it, and of several nobody knows which is meant.
    expect((await execute({ code: 's = """\n```\nx\n```\n"""\nprint(len(s))' })).text).toBe('11')
    expect((await execute({ code: '```py\nprint(1)\n```\nor\n```py\nprint(2)\n```' })).text).toContain('markdown-fence')
    const endless = async (ms: number) => {
      const { text } = await execute({ code: 'while True: pass', timeoutMs: String(ms), language: null })
      return text.replace(`${ms} ms`, 'N ms')
    }
    expect(await withEnoughTime(200, endless, (text) => !text.includes('Nothing was run'))).toBe(
      'limit [limit-wall-ms] the program ran longer than N ms (limit wallMs)\nhint: do less in one program, or ask for a longer timeout',
    )
  })
})

describe('a run', () => {
  it('is cancelled by its signal, and the call in flight is in the ledger', async () => {
    const cancel = new AbortController()
    const waiting = new Promise<void>((resolve) => {
      begun = resolve
    })
    const running = runProgram(
      { text: 'print("before")\nshop_1.buy()\nshop_1.wait()', language: 'starlark' },
      context,
      {
        signal: cancel.signal,
      },
    )
    await waiting
    cancel.abort()
    const result = await running
    expect(timeless(result.report)).toBe(
      'host error [cancelled] the run was cancelled by the caller\ndone before this: shop_1.buy, shop_1.wait (failed)',
    )
    expect(result.logs).toEqual(['before'])
    expect(result.calls.map(({ server, tool, ok }) => [server, tool, ok])).toEqual([
      ['shop-1', 'buy', true],
      ['shop-1', 'wait', false],
    ])
  })

  it('has the same outcome for programs and models', async () => {
    const answer = await execute({ code: 'result = 2' })
    expect(answer.structured).toMatchObject({ ok: true, result: 2, resultJson: '2', logs: [], calls: [], error: null })
  })
})

describe('the definitions', () => {
  it('cost less than 700 tokens together', () => {
    expect(encode(JSON.stringify(metaTools)).length).toBeLessThan(700)
  })

  it('have the formats of model interfaces', () => {
    const [first] = metaTools
    expect(definitionsFor('mcp')).toEqual(metaTools)
    expect(definitionsFor('openai')[0]).toEqual({
      type: 'function',
      function: { name: 'listToolFiles', description: first?.description, parameters: first?.inputSchema },
    })
    expect(definitionsFor('anthropic')[0]).toEqual({
      name: 'listToolFiles',
      description: first?.description,
      input_schema: first?.inputSchema,
    })
  })
})
