// Programs against tools that live in this process: what is answered, what is recorded, and what stays out of the answer.

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, describe, expect, it } from 'vitest'
import { bindServers, type Tool, type ToolCaller, type ToolOutcome } from '../../dist/bindings/index.js'
import {
  definitionsFor,
  executeToolCode,
  metaTools,
  type RunOptions,
  runProgram,
  type Workbench,
} from '../../dist/meta-tools/index.js'
import { openSandbox } from '../../dist/sandbox/index.js'
import { openVfs } from '../../dist/vfs/index.js'

const sandbox = openSandbox()
afterAll(() => sandbox.close())
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

const workbench: Workbench = {
  bindings: bindServers([shop]),
  unavailable: () => ({ bank: 'it exited with status 1' }),
  caller,
  sandbox,
  vfs,
  language: 'starlark',
  dialect: {},
  limits: {},
  answerMaxChars: 24_000,
}

const execute = (args: Record<string, unknown>, options?: RunOptions) => executeToolCode(args, workbench, options)
const timeless = (text: string) => text.replace(/\d+ ms/g, 'N ms')

describe('a name', () => {
  it('of a tool that a server does not have is refused before anything runs, with the nearest', async () => {
    expect((await execute({ code: 'shop_1.buy()\nprint(shop_1.get_item())' })).text).toBe(
      'program error [unknown-tool] shop_1 has no tool get_item\n' +
        '  program:2:14\n' +
        '  2 | print(shop_1.get_item())\n' +
        '    |              ^^^^^^^^\n' +
        'hint: did you mean shop_1.get_items?\n' +
        'Nothing was run and no tool was called.',
    )
  })

  it('of a server that can not be reached says why', async () => {
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
  it('has what was printed, the result and one line for each tool, and nothing of what went through the program', async () => {
    const code =
      'for i in range(3):\n    n = len(shop_1.get_items()["items"])\nprint(shop_1.buy(), n)\nresult = {"n": n}'
    const answer = await execute({ code })
    expect({ ...answer, text: timeless(answer.text), structured: undefined }).toEqual({
      text:
        'bought 2\n' +
        'result: {"n":2}\n' +
        'called shop_1.get_items ×3: N ms, 99 bytes\n' +
        'called shop_1.buy ×1: N ms, 6 bytes',
      isError: false,
      structured: undefined,
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('says how to show something when there is nothing to show', async () => {
    expect(timeless((await execute({ code: 'x = shop_1.buy()' })).text)).toBe(
      'The program ran to its end but printed nothing and set no result. Assign to the global `result`, or print(), what you want to see.\n' +
        'called shop_1.buy ×1: N ms, 6 bytes',
    )
  })

  it('shows a result that is not JSON in the notation of the language', async () => {
    expect((await execute({ code: 'result = {(1, 2): "x"}' })).text).toBe("result: {(1, 2): 'x'}")
  })

  it('is cut to its budget with an honest note, and the whole can be read', async () => {
    const code = 'for i in range(4000):\n    print("line", i)\nresult = list(range(2000))\nshop_1.buy()'
    const { text } = await executeToolCode({ code }, { ...workbench, answerMaxChars: 2_000 })
    expect(text.length).toBeLessThanOrEqual(2_000)
    expect(text).toMatch(/^line 0\nline 1\n/)
    expect(text).toMatch(/\nline 3999\nresult: \[0,1,2,/)
    expect(text).toMatch(/,1998,1999\]\ncalled shop_1\.buy ×1: \d+ ms, 6 bytes$/)
    const notes = text.split('\n').filter((line) => line.startsWith('[…'))
    const path = /results\/[\w.-]+/.exec(text)?.[0] ?? ''
    expect(notes).toEqual([
      expect.stringMatching(
        /^\[… \d+ of 38889 characters left out; filter and sum up in the program; results\/run\.json has all of it …\]$/,
      ),
      expect.stringMatching(
        /^\[… \d+ of 8899 characters left out; this is not valid JSON any more; results\/run\.json has all of it …\]$/,
      ),
    ])
    const whole = JSON.parse(vfs.read(path) ?? '') as { logs: string[]; result: number[] }
    expect(whole.logs).toHaveLength(4000)
    expect(whole.result).toHaveLength(2000)
  })

  it('names what was done before a failure, in the names of the program', async () => {
    const code = 'shop_1.get_items()\nshop_1.buy()\nshop_1.buy()\nshop_1.fail()'
    expect(await execute({ code })).toMatchObject({
      text:
        'tool error [tool-failed] shop_1.fail failed: "sold out"\n' +
        '  program:4:1\n' +
        '  4 | shop_1.fail()\n' +
        '    | ^^^^^^^^^^^^^\n' +
        'done before this: shop_1.get_items (safe to repeat), shop_1.buy ×2, shop_1.fail (failed)',
      isError: true,
    })
  })
})

describe('what a model submits', () => {
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
      'limit [limit-source-bytes] the program is longer than 256 KiB (limit sourceBytes)\nhint: split the program, and read data through tools and not from literals\nNothing was run and no tool was called.',
    ],
  ])('is refused with a reason when it is wrong: %j', async (args, text) => {
    expect(await execute(args)).toMatchObject({ text, isError: true })
  })

  it('may stand in a code fence, and a number in quotes', async () => {
    expect((await execute({ code: 'print(1)', timeoutMs: 9e9 })).text).toBe('1')
    expect((await execute({ code: '```python\nprint(1)\n```', timeoutMs: '5000' })).text).toBe('1')
    expect((await execute({ code: 'while True: pass', timeoutMs: '200', language: null })).text).toBe(
      'limit [limit-wall-ms] the program ran longer than 200 ms (limit wallMs)\nhint: do less in one program, or ask for a longer timeout',
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
      workbench,
      {
        signal: cancel.signal,
      },
    )
    await waiting
    cancel.abort()
    const result = await running
    expect(result.report).toBe(
      'host error [cancelled] the run was cancelled by the caller\ndone before this: shop_1.buy, shop_1.wait (failed)',
    )
    expect(result.logs).toEqual(['before'])
    expect(result.calls.map(({ server, tool, ok }) => [server, tool, ok])).toEqual([
      ['shop-1', 'buy', true],
      ['shop-1', 'wait', false],
    ])
  })

  it('gives one outcome to programs and models', async () => {
    const answer = await execute({ code: 'result = 2' })
    expect(answer.structured).toMatchObject({ ok: true, result: 2, resultJson: '2', logs: [], calls: [], error: null })
  })
})

describe('the definitions', () => {
  it('cost less than 700 tokens together', () => {
    expect(encode(JSON.stringify(metaTools)).length).toBeLessThan(700)
  })

  it('come in the shapes of model interfaces', () => {
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
