// Servers, texts of programs and saved programs over the page's interface.
// biome-ignore-all lint/suspicious/noExplicitAny: JSON

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { openPage } from './page-service.js'

const programs = mkdtempSync(path.join(tmpdir(), 'starbind-page-'))
afterAll(() => rmSync(programs, { recursive: true }))

const stdio = { command: process.execPath, args: [path.resolve('test/fixtures/plain-server.mjs')] }
const shop = {
  price: {
    description: 'The price of an article.\nIn cents.',
    inputSchema: { type: 'object', properties: { article: { type: 'string' }, year: { type: 'integer' } } },
    outputSchema: { type: 'object', properties: { cents: { type: 'integer' }, since: { type: 'integer' } } },
    call: ({ article }: { article: string }) =>
      article === 'x' ? Promise.reject(new Error('no x')) : { cents: 5, since: 2024 },
  },
}
const servers = { shop: { inProcess: shop }, real: stdio }

it('shows servers with their tools and figures, and turns them off and on', async () => {
  const { ask, codeMode, events } = await openPage({ servers })
  await ask('GET', 'servers')
  await codeMode.run('shop.price(article="a")\ntry:\n    shop.price(article="x")\nexcept Exception:\n    pass')
  const { body: shown } = await ask('GET', 'servers/shop')
  expect(shown).toMatchObject({
    name: 'shop',
    state: 'ready',
    tools: 1,
    figures: { calls: 2, failures: 1, medianMs: expect.any(Number) },
    toolList: [
      {
        name: 'price',
        guestName: 'shop.price',
        signature: 'price(article, year)',
        summary: 'The price of an article.',
        figures: { calls: 2, failures: 1 },
      },
    ],
    minutes: [{ calls: 2, failures: 1 }],
  })
  expect((await ask('GET', 'servers/shop/tools/price')).body).toMatchObject({
    stub: `# shop.price(...)
from typing import TypedDict

class PriceResult(TypedDict, total=False):
    cents: int
    since: int

def price(article: str = ..., year: int = ...) -> PriceResult: ...  # The price of an article`,
    docs: expect.stringContaining('In cents.'),
    observed: null,
  })
  expect((await ask('GET', 'servers/none')).status).toBe(404)

  const real = (await ask('GET', 'servers/real')).body
  expect(real).toMatchObject({ state: 'ready' })
  const told = events(({ type, server }) => type === 'server' && server.state === 'disabled')
  expect((await ask('POST', 'servers/real/disable')).body).toMatchObject({ state: 'disabled' })
  expect((await ask('POST', 'servers/real/enable')).body).toMatchObject({ state: 'ready' })
  expect((await ask('POST', 'servers/real/restart')).body).toMatchObject({ state: 'ready' })
  await ask('POST', 'servers/real/disable')
  await told
  expect((await ask('GET', 'doctor')).body).toMatchObject({
    ok: true,
    servers: [
      { name: 'shop', mark: 'ok', finding: '1 tool' },
      { name: 'real', mark: 'off' },
    ],
  })
  const { body: tokens } = await ask('GET', 'tokens')
  expect(tokens.servers).toMatchObject([{ server: 'shop', tools: 1 }])
  expect(tokens.metaTools).toBeGreaterThan(100)
})

it('shows the shape of earlier answers where a server declares none', async () => {
  const stock = {
    rows: { call: () => ({ rows: [{ article: 'a', at: { shelf: 3 } }], given: 1 }) },
    count: { call: () => 3 },
  }
  const { ask, codeMode } = await openPage({ servers: { stock: { inProcess: stock } } })
  await codeMode.run('stock.rows()\nstock.count()')
  expect((await ask('GET', 'servers/stock/tools/rows')).body.observed).toMatchInlineSnapshot(`
    "class RowsResult(TypedDict):
        rows: list[Row]
        given: int
    class Row(TypedDict):
        article: str
        at: At
    class At(TypedDict):
        shelf: int"
  `)
  expect((await ask('GET', 'servers/stock/tools/count')).body.observed).toBe('int')
})

it('tells how an attempt ended that a list showed underway', async () => {
  // Its first connection is refused, the second is held.
  let release = () => {}
  let held = () => {}
  const isHeld = new Promise<void>((resolve) => (held = resolve))
  let isOpened = false
  const http = createServer((_, response) => {
    release = () => response.writeHead(500).end()
    if (isOpened) held()
    else release()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const { ask, events } = await openPage({ servers: { far: { url } } })
  isOpened = true
  await isHeld
  expect((await ask('GET', 'servers')).body.servers).toMatchObject([{ name: 'far', state: 'connecting' }])
  isOpened = false
  const told = await events(({ type, server }) => {
    if (type === 'hello') release()
    return type === 'server' && server.state === 'failed'
  })
  expect(told.at(-1)!.event.server).toMatchObject({ name: 'far', reason: expect.stringContaining('HTTP 500') })
})

it('checks a text and completes it from the bindings', async () => {
  const { ask } = await openPage({ servers })
  const code = 'p = shop.price(article="a")\nprint(p["'
  const complete = async (text: string) => {
    const { body } = await ask('POST', 'completion', { code: text, offset: text.length })
    return [body.from, body.options.map(({ label, detail }: any) => (detail === null ? label : [label, detail]))]
  }
  expect(await complete(code)).toEqual([code.length, ['cents', 'since']])
  expect(await complete('x = 1\nshop.pr')).toEqual([11, [['price(', '(article, year)']]])
  expect(await complete('shop.price(article="a",\n  ')).toEqual([26, ['year=']])
  expect(await complete('shopping = 1\nsh')).toEqual([13, ['shop.', 'shopping']])
  expect((await ask('POST', 'check', { code: 'x = 1\nshop.price(articel="a")' })).body).toMatchObject({
    ok: false,
    diagnostics: [{ severity: 'error', line: 2, endLine: 2, message: expect.stringContaining('articel') }],
  })
  expect((await ask('POST', 'check', { code: 'shop.price(article="a")' })).body).toMatchObject({
    ok: true,
    diagnostics: [],
    reach: ['shop.price'],
  })
})

it('saves programs with parameters, and deletes them', async () => {
  const { ask, codeMode } = await openPage({ servers, programs }, { programs })
  const body = {
    text: 'result = shop.price(article=article)["cents"] * times',
    language: 'starlark',
    parameters: [
      { name: 'article', type: 'str' },
      { name: 'times', type: 'int', default: 2 },
    ],
  }
  expect((await ask('POST', 'programs/cost', body)).body).toMatchObject({
    name: 'cost',
    file: 'programs/cost.star',
    inputSchema: { required: ['article'] },
    problem: null,
    text: 'def main(article: str, times: int = 2):\n    result = None\n    result = shop.price(article=article)["cents"] * times\n    return result\n',
  })
  expect(await codeMode.run({ program: 'cost', arguments: { article: 'a' } })).toMatchObject({ ok: true, result: 10 })
  const plain = { text: 'x = """two\nlines"""', language: 'starlark' }
  expect((await ask('POST', 'programs/text', { ...plain, parameters: body.parameters })).status).toBe(400)
  expect((await ask('POST', 'programs/text', plain)).body.text).toBe(plain.text)
  expect(readFileSync(path.join(programs, 'text.star'), 'utf8')).toBe(plain.text)
  for (const name of ['..%2Fevil', 'a.b', '1x']) expect((await ask('POST', `programs/${name}`, plain)).status).toBe(400)
  expect((await ask('DELETE', 'programs/text')).status).toBe(204)
  expect((await ask('DELETE', 'programs/text')).status).toBe(404)
  expect((await ask('GET', 'programs')).body.programs).toMatchObject([{ name: 'cost' }])
})
