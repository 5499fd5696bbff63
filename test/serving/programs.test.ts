// Saved programs as tools of their own: listed with their schemas, and run under the terms of their caller.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, expect, it, vi } from 'vitest'
import { addKey, type InProcessTools, metaTools } from '../../dist/index.js'
import { openGateway, textOf } from './callers.js'
import { message } from './modern-requests.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-exposed-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
write(
  'report.star',
  `def main(month: str, top: int = 3):\n    """Sums a month's sales."""\n    print(month)\n    return {"sum": sum([shop.sales(day=d) for d in range(top)])}`,
)
write('order.star', 'def main(article: Literal["tea", "cup"]):\n    return shop.order(article=article)')
write('report_long.star', 'def main():\n    return "x" * 200000')
write('broken.star', 'def main(:')
write('executeToolCode.star', 'result = 1')
write('direct_look.star', 'result = "a program"')

const integer = { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] } as const
const sold: unknown[] = []
const inProcess: InProcessTools = {
  sales: { inputSchema: integer, annotations: { readOnlyHint: true }, call: ({ day }: { day: number }) => 10 + day },
  order: { call: (args: unknown) => sold.push(args) },
}
const servers = { shop: { inProcess }, direct: { inProcess: { look: { call: () => 'a tool' } }, codeMode: false } }

it('exposed programs are listed after the four definitions, sorted by name, and run with their arguments', async () => {
  const { caller } = await openGateway({ servers, programs: folder, serve: { expose: true } })
  const client = await caller()
  const { tools } = await client.listTools()
  expect(tools.slice(0, 4)).toEqual(metaTools)
  const none = { type: 'object', properties: {}, additionalProperties: false }
  expect(tools.slice(4)).toEqual([
    { name: 'direct_look', inputSchema: none },
    {
      name: 'order',
      inputSchema: { ...none, properties: { article: { enum: ['tea', 'cup'] } }, required: ['article'] },
    },
    {
      name: 'report',
      description: "Sums a month's sales.",
      inputSchema: {
        ...none,
        properties: { month: { type: 'string' }, top: { type: 'integer', default: 3 } },
        required: ['month'],
      },
    },
    { name: 'report_long', inputSchema: none },
  ])
  const report = await client.callTool({ name: 'report', arguments: { month: 'May' } })
  expect(report.structuredContent).toEqual({ result: { sum: 33 } })
  expect(textOf(report)).toMatch(/^May\nresult: \{"sum":33\}\ncalled shop\.sales ×3: \d+ ms, 6 bytes$/)
  expect(await client.callTool({ name: 'direct_look' })).toMatchObject({ structuredContent: { result: 'a program' } })
  const long = await client.callTool({ name: 'report_long' })
  expect([long.structuredContent, textOf(long)]).toEqual([undefined, expect.stringContaining('is in results/run-')])
  const wrong = await client.callTool({ name: 'report', arguments: { month: 5, year: 1 } })
  expect([wrong.isError, wrong.structuredContent]).toEqual([true, undefined])
  expect(textOf(wrong)).toBe(
    'program error [wrong-program-arguments] programs.report: month: got int 5, want str; no key "year" (there are: month, top)\n' +
      'hint: readToolFile("servers/programs.pyi") shows its parameters',
  )
  write('added.star', 'result = 7')
  expect((await client.callTool({ name: 'added' })).structuredContent).toEqual({ result: 7 })
  rmSync(path.join(folder, 'added.star'))
  await expect(client.callTool({ name: 'added' })).rejects.toThrow(
    'there is no tool added; the tools are listToolFiles, readToolFile, getToolDocs, executeToolCode, direct_look, order, report, report_long',
  )
})

it('callers hear when the files of exposed programs come and go, in both eras', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'starbind-told-'))
  const { caller, fetch } = await openGateway({ servers: {}, programs: own, serve: { expose: ['report*'] } })
  const client = await caller()
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true })
  let changes = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++)
  // The caller's view listens from its first request on.
  await client.listTools()
  const stop = new AbortController()
  const notifications = { notifications: { toolsListChanged: true } }
  const stream = await fetch('/mcp', message('subscriptions/listen', notifications, { signal: stop.signal }))
  const news = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const hear = async (words: string) => {
    while (!heard.includes(words)) heard += (await news.read()).value
  }
  await hear('notifications/subscriptions/acknowledged')
  writeFileSync(path.join(own, 'report.star'), 'result = 1')
  await hear('notifications/tools/list_changed')
  await vi.waitFor(() => expect(changes).toBe(1), { timeout: 120_000 })
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('report')
  stop.abort()
  rmSync(own, { recursive: true })
  await vi.waitFor(() => expect(changes).toBe(2), { timeout: 120_000 })
})

it('exposed programs are those that the configuration names, and have no more rights than their caller', async () => {
  const keysFile = path.join(folder, 'keys.json')
  const reader = addKey(keysFile, 'reader', { toolsToExecute: ['shop/sales'] })
  const asked = addKey(keysFile, 'asked', { approve: 'writes' })
  const { caller, codeMode } = await openGateway({
    servers: { shop: { inProcess } },
    programs: folder,
    serve: { expose: ['order', 'report_*'], keysFile },
  })
  const client = await caller({ headers: { authorization: `Bearer ${reader}` } })
  expect((await client.listTools()).tools.slice(4).map(({ name }) => name)).toEqual(['order', 'report_long'])
  const refused = await client.callTool({ name: 'order', arguments: { article: 'tea' } })
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('shop has no tool order')])
  const careful = await caller({ headers: { authorization: `Bearer ${asked}` } })
  const paused = textOf(await careful.callTool({ name: 'order', arguments: { article: 'cup' } }))
  expect([paused, sold]).toEqual([expect.stringContaining('[needs-approval]'), []])
  const [{ runId, owner } = { runId: '', owner: '' }] = await codeMode.runs.list()
  expect(owner).toBe('asked')
  await codeMode.runs.approve(runId)
  expect(textOf(await careful.callTool({ name: 'executeToolCode', arguments: { resume: runId } }))).toContain(
    'result: 1',
  )
  expect(sold).toEqual([{ article: 'cup' }])
})

it('no program is exposed by default', async () => {
  const { caller } = await openGateway({ servers: { shop: { inProcess } }, programs: folder })
  expect((await (await caller()).listTools()).tools).toHaveLength(4)
})
