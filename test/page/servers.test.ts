// Servers, texts of programs and saved programs over the page's interface.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
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
    stub: expect.stringContaining('def price('),
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

it('checks a text and completes it from the bindings', async () => {
  const { ask } = await openPage({ servers })
  const code = 'p = shop.price(article="a")\nprint(p["'
  const complete = async (text: string) => {
    const { body } = await ask('POST', 'completion', { code: text, offset: text.length })
    return [body.from, body.options.map(({ label }: { label: string }) => label)]
  }
  expect(await complete(code)).toEqual([code.length, ['cents', 'since']])
  expect(await complete('x = 1\nshop.pr')).toEqual([11, ['price(']])
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
