// Programs that take long to parse, check, explain or answer do not delay others: the host's event loop keeps turning.
// The test measures the processor time between two turns of the loop, so a busy machine does not matter.

import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode, type InProcessTool } from '../../dist/index.js'
import { canWatchLoop, leastHeldMs, watchingLoop } from '../fixtures/loop-watch.js'
import { isLong } from '../random.js'

/** The maximum time for which anything may block the loop. */
const MOST_MS = 50
const LARGEST = 250 * 1024

const page = `<html>${`12345 "x" ' `.repeat(100_000)}`
const codeMode = await CodeMode.open({
  limits: { cpuMs: 20_000 },
  servers: { web: { inProcess: { page: { inputSchema: { type: 'object' }, call: () => page } } } },
})
afterAll(() => codeMode.close())

const filled = (piece: string): string => piece.repeat(Math.floor(LARGEST / piece.length))
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

const programs: Record<string, string> = {
  'line breaks': `${filled('\n')}x y`,
  'undefined names': lines(2000, (n) => `undefinedname${n}`),
  'one identifier': 'a'.repeat(LARGEST),
  'signs that begin a comment': filled('a<!--b '),
  'aliases in reverse': lines(6000, (n) => `a${n} = a${n + 1}`),
  'a chain of calls': `const x = web.page()${filled('.then(a)')}`,
  parentheses: '('.repeat(LARGEST),
  operators: `${filled('"a" + ')}"b"`,
  'texts with expressions': filled('f"{1}" '),
  'one dict': `x = {${filled('"a":1,')}}`,
  functions: lines(9000, (n) => `def f${n}(): return f${n + 1}()`),
  'templates in templates': `${'`${'.repeat(700)}1${'}`'.repeat(700)}`,
  'a failure about a long text': 'int("12345 " * 20000)',
  'a failure about a page': 'int(web.page())',
  'a result of many keys': 'result = {str(i): i for i in range(100000)}',
  'a result of many rows': 'result = [[i] for i in range(200000)]',
  'many lines': 'for i in range(900):\n    print("x" * 1000)',
  'a failure deep down': 'def f(n):\n    return f(n - 1) if n > 0 else [][n]\nf(150)',
}

describe.skipIf(!canWatchLoop)('the event loop is not blocked by', () => {
  it.each(Object.entries(programs))('a program: %s', async (_, code) => {
    const answered = async () => expect((await codeMode.executeToolCode({ code })).text).not.toBe('')
    expect(await leastHeldMs(answered)).toBeLessThan(MOST_MS)
  })

  // A program takes the same way to its check and to its run; what differs is what is told of it.
  it.each(isLong ? Object.keys(programs) : ['undefined names', 'one dict', 'functions'])(
    'a check of %s',
    async (name) => {
      expect(await leastHeldMs(() => codeMode.check(programs[name]!))).toBeLessThan(MOST_MS)
    },
  )

  it.each(['csv', 'toon'] as const)('a result as %s', async (output) => {
    const code = 'result = [{"k" + str(i): i} for i in range(4000)]'
    const answered = async () =>
      expect((await codeMode.executeToolCode({ code, output })).text.length).toBeLessThanOrEqual(24_000)
    expect(await leastHeldMs(answered)).toBeLessThan(MOST_MS)
  })
})

describe('preparing a program', () => {
  const long = lines(15_000, (n) => `a${n} = ${n}`)

  it('counts as computing time of its run', async () => {
    const run = await codeMode.run(long, { limits: { cpuMs: 1 } })
    expect(run.report).toBe(
      'limit [limit-cpu-ms] the program computed for more than 1 ms, not counting the time it waited for calls (limit cpuMs)\n' +
        'hint: look for an endless loop, or work on less data\n' +
        'Nothing was run and no tool was called.',
    )
  })

  it('counts as time of its run', async () => {
    const run = await codeMode.run(long, { limits: { wallMs: 1 } })
    expect(run.report).toBe(
      'limit [limit-wall-ms] the program ran longer than 1 ms (limit wallMs)\n' +
        'hint: do less in one program, or ask for a longer timeout\n' +
        'Nothing was run and no tool was called.',
    )
  })

  it('ends with its caller', async () => {
    const cancel = new AbortController()
    const run = codeMode.run(long, { signal: cancel.signal })
    cancel.abort()
    expect((await run).error?.code).toBe('cancelled')
  })
})

describe.skipIf(!canWatchLoop)('the event loop is not blocked by a server', () => {
  const wide = (i: number) => ({
    description: '"\n'.repeat(500),
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        lines(40, (k) => `f${k}_${i}`)
          .split('\n')
          .map((key) => [
            key,
            { type: 'object', properties: { a: { enum: [key, i] }, b: { type: 'array', items: {} } } },
          ]),
      ),
    },
    call: () => 1,
  })
  const small = { description: 'Gets an item of the store.', call: () => 1 }
  const tools = (count: number, tool: (i: number) => InProcessTool) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`get_item_${i}`, tool(i)]))

  it.each([
    ['of many tools', tools(5_000, () => small)],
    ['of wide tools', tools(400, wide)],
  ])('%s', async (_, inProcess) => {
    const acts: Record<string, (big: CodeMode) => Promise<unknown>> = {
      list: (big) => big.listToolFiles({}),
      query: (big) => big.listToolFiles({ query: 'item store' }),
      stub: (big) => big.readToolFile({ fileName: 'servers/big.pyi' }),
      'stub in TypeScript': (big) => big.readToolFile({ fileName: 'servers/big.d.ts' }),
      'stub of a tool': (big) => big.readToolFile({ fileName: 'servers/big/get_item_7.pyi' }),
      'a wrong name': (big) => big.readToolFile({ fileName: 'servers/big/get_item_7x.pyi' }),
      docs: (big) => big.getToolDocs({ server: 'big', tool: 'get_item_7' }),
      'a question': (big) => big.executeToolCode({ code: 'result = len(runtime.list_tools("big"))' }),
    }
    // Each round starts from scratch, because the first time is the longest. Blocking work shows in every round.
    let held = Object.entries(acts).map(([name]) => ({ name, heldMs: Number.POSITIVE_INFINITY }))
    for (let round = 0; round < 3 && held.length > 0; round++) {
      await using big = await CodeMode.open({ servers: { big: { inProcess } } })
      const suspects = new Set(held.map(({ name }) => name))
      held = []
      for (const [name, act] of Object.entries(acts)) {
        const { heldMs } = await watchingLoop(() => act(big))
        if (heldMs >= MOST_MS && suspects.has(name)) held.push({ name, heldMs })
      }
    }
    expect(held).toEqual([])
  })
})
