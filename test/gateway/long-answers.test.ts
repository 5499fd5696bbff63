// Answers and arguments that are too long to be parsed where everybody waits are read in a thread of their own, and
// give programs and callers what they would have given.

import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { openHttpFixture } from '../fixtures/http-server.js'
import { answers, tools } from '../fixtures/long-answers.mjs'
import { canWatchLoop, leastHeldMs } from '../fixtures/loop-watch.js'
import { openGateway } from '../serving/callers.js'

const web = await openHttpFixture({
  server: () => {
    const long = new McpServer({ name: 'long', version: '1.0.0' }, { capabilities: { tools: {} } })
    long.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
    long.server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
      (answers as Readonly<Record<string, (args: unknown) => object>>)[params.name]!(params.arguments),
    )
    return long
  },
})
const child = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../fixtures/long-answers.mjs', import.meta.url)), 'serve'],
  env: { TOKEN: 'hush-hush' },
}
const codeMode = await CodeMode.open({ servers: { child, web: { url: web.url } }, limits: { wallMs: 600_000 } })
afterAll(async () => {
  await codeMode.close()
  await web.close()
})

const result = async (code: string): Promise<unknown> => {
  const run = await codeMode.run(code)
  if (!run.ok) throw new Error(run.report)
  return run.result
}

describe.each(['child', 'web'])('from %s', (server) => {
  it('structured content is data with its original spelling', async () => {
    expect(
      await result(`r = ${server}.rows()\nresult = [len(r["rows"]), r["rows"][7], str(r["big"]), str(r["float"])]`),
    ).toEqual([6_000, { id: 7, name: 'näme 7' }, '12345678901234567890', '3.0'])
  })

  it('a lone result is unwrapped if the schema declares it', async () => {
    expect(await result(`result = sum([n % 10000 for n in ${server}.lone()])`)).toBe(49_995_000)
  })

  it('text that is JSON is data, and other text is text', async () => {
    expect(
      await result(`result = [len(json.loads(${server}.json_text())), ${server}.page()[:6], len(${server}.page())]`),
    ).toEqual([6_000, '<html>', 360_006])
  })

  it('contents of several kinds keep their order and kind', async () => {
    expect(await result(`result = [x if type(x) == "str" else x["type"] for x in ${server}.mixed()][1:]`)).toEqual([
      'image',
      'end',
    ])
  })

  it('pictures and files are records, with the digest of their content', async () => {
    const [image, pdf] = (await result(`result = ${server}.pictures()`)) as Readonly<Record<string, unknown>>[]
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251))
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(image).toMatchObject({ type: 'image', bytes: 300_000, sha256: sha256(content) })
    expect(pdf).toMatchObject({ type: 'resource', bytes: 299_997, sha256: sha256(content.subarray(3)) })
  })

  it('pictures and files that structured content repeats are records there', async () => {
    const code = `r = ${server}.repeated()
result = [[x["type"], x["bytes"], len(x.read())] for x in r["all"]] + [r["first"], len(r["rows"])]`
    expect(await result(code)).toEqual([['image', 300_000, 300_000], ['resource', 299_997, 299_997], 3, 6_000])
  })

  it('a failure has its words', async () => {
    const run = await codeMode.run(`${server}.fails()`)
    expect(run.error).toMatchObject({
      class: 'tool error',
      message: expect.stringContaining('no such page no such page'),
    })
  })

  it('data that is nested without end is refused', async () => {
    const run = await codeMode.run(`${server}.deep()`)
    expect(run.error?.message).toContain('it is nested more than 1000 levels deep')
  })

  it('observed shapes are recorded', async () => {
    await result(`${server}.rows()`)
    const { text } = await codeMode.getToolDocs({ server, tool: 'rows' })
    expect(text).toContain('rows: list[')
  })
})

describe.each(['child', 'web'])('to %s', (server) => {
  it('arguments of any length are checked and sent', async () => {
    expect(await result(`result = ${server}.back(values={"k" + str(i): i for i in range(10000)})`)).toBe('10000 values')
    const values = '[{"a": i} for i in range(12500)]'
    const run = await codeMode.run(
      `${server}.lone(rest=${values})\nresult = ${server}.strict(values=${values}, number=json.loads("\\"x\\""))`,
    )
    expect(run.error?.message).toBe(`TypeError: ${server}.strict: number: got str "x", want int`)
    expect(run.calls).toHaveLength(1)
  })
})

it.skipIf(!canWatchLoop)('reading arguments does not block the event loop', async () => {
  const called = () => result('result = child.back(values=[[] for i in range(200000)])')
  expect(await leastHeldMs(called)).toBeLessThan(50)
})

// The other server is of this process, and writes its answers here.
it.skipIf(!canWatchLoop)('reading answers does not block the event loop', async () => {
  expect(await leastHeldMs(() => result('result = len(child.keys())'))).toBeLessThan(50)
})

it('a long picture that is not base64 has an error', async () => {
  const error = { type: 'image', mimeType: 'image/png', bytes: 0, error: 'its data is not base64' }
  expect(await result('result = child.broken()')).toEqual(error)
})

it.skipIf(!canWatchLoop)('reading pictures does not block the event loop', async () => {
  expect(await leastHeldMs(() => result('result = child.large()["bytes"]'))).toBeLessThan(50)
})

it('credentials in long answers are hidden, however they are escaped', async () => {
  expect(await result('r = child.secret()\nresult = [r["plain"], r["escaped"], len(r["rows"])]')).toEqual([
    '[hidden]',
    '[hidden]',
    6_000,
  ])
})

it('direct callers get the whole answer', async () => {
  const { caller } = await openGateway({ servers: { child: { ...child, codeMode: false } } })
  const { structuredContent, content } = await (await caller()).callTool({ name: 'child_rows' })
  expect(content).toEqual([])
  expect(structuredContent).toMatchObject({ float: 3 })
  expect((structuredContent as { rows: unknown[] }).rows).toHaveLength(6_000)
  const { content: blocks, structuredContent: repeated } = answers.repeated()
  expect(await (await caller()).callTool({ name: 'child_repeated' })).toMatchObject({
    content: blocks,
    structuredContent: repeated,
  })
})
