// Files of callers over HTTP: downloads, uploads, and whose they are.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as bodyOf } from 'node:stream/consumers'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey, type OpenOptions } from '../../dist/index.js'
import { pixel } from '../fixtures/pixel.js'
import { type Gateway, openGateway, textOf } from './callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-http-artifacts-'))
afterAll(() => rmSync(folder, { recursive: true }))
let places = 0
const newPlace = () => path.join(folder, String(++places))

const digits = '0123456789'
const tag = `"${createHash('sha256').update(digits).digest('hex')}"`
const run = (client: Client, code: string) => client.callTool({ name: 'executeToolCode', arguments: { code } })
const sessionOf = (client: Client) => ({
  'mcp-session-id': (client.transport as StreamableHTTPClientTransport).sessionId!,
})

/** Without keys, and with a file of the caller that has no session. */
async function open(options: OpenOptions = {}): Promise<Gateway> {
  const gateway = await openGateway({ warm: false, ...options })
  expect((await upload(gateway, 'digits.txt', digits)).status).toBe(201)
  return gateway
}

const upload = ({ fetch }: Gateway, name: string, body: string | Uint8Array | ReadableStream, headers = {}) =>
  fetch(`/artifacts?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: body as string,
    headers: { 'content-type': 'text/plain', ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)

const said = async (response: Response) => ((await response.json()) as { error: { message: string } }).error.message

/** A raw request, for what `fetch` does not do. */
async function raw(
  gateway: Gateway,
  options: object,
  write: (request: ClientRequest) => unknown = (request) => request.end(),
) {
  const request = httpRequest({ port: gateway.serving.port, ...options })
  request.on('error', () => {})
  write(request)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await bodyOf(response) }
}

describe('a download', () => {
  it('has the content, its type and name, and restrictions for browsers', async () => {
    const gateway = await open()
    const headers = {
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename=digits.txt',
      'content-length': '10',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
      'content-type': 'text/plain; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      etag: tag,
      'last-modified': expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
      'x-content-type-options': 'nosniff',
    }
    for (const [method, body] of [
      ['GET', digits],
      ['HEAD', ''],
    ]) {
      const response = await gateway.fetch('/artifacts/digits.txt', { method: method! })
      const { date: _, connection: _c, 'keep-alive': _k, ...own } = Object.fromEntries(response.headers)
      expect({ status: response.status, own, body: await response.text() }).toEqual({ status: 200, own: headers, body })
    }
  })

  it.each([
    [{ 'if-none-match': tag }, 304],
    [{ 'if-none-match': `"x", W/${tag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
  ])('is not repeated for those who have it: %j', async (headers, status) => {
    const response = await (await open()).fetch('/artifacts/digits.txt', { headers })
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([
      status,
      status === 200 ? digits : '',
      tag,
    ])
  })

  it('can be a byte range', async () => {
    const gateway = await open()
    const part = async (headers: Record<string, string>) => {
      const response = await gateway.fetch('/artifacts/digits.txt', { headers })
      return [
        response.status,
        response.headers.get('content-range'),
        response.status === 416 ? '' : await response.text(),
      ]
    }
    const whole = [200, null, digits]
    const cases: [Record<string, string>, unknown[]][] = [
      [{ range: 'bytes=2-4' }, [206, 'bytes 2-4/10', '234']],
      [{ range: 'bytes=7-' }, [206, 'bytes 7-9/10', '789']],
      [{ range: 'bytes=-3' }, [206, 'bytes 7-9/10', '789']],
      [{ range: 'bytes=0-99' }, [206, 'bytes 0-9/10', digits]],
      [{ range: 'bytes=0-0' }, [206, 'bytes 0-0/10', '0']],
      [{ range: 'bytes=0-1,2-3' }, [206, 'bytes 0-3/10', '0123']],
      [{ range: 'bytes=10-' }, [416, 'bytes */10', '']],
      [{ range: 'bytes=0-1,8-9' }, whole],
      [{ range: 'lines=1-2' }, whole],
      [{ range: 'bytes' }, whole],
      [{ range: 'bytes=a-b' }, whole],
      [{ range: 'bytes=4-2' }, [416, 'bytes */10', '']],
      [{ range: 'bytes=2-4', 'if-range': tag }, [206, 'bytes 2-4/10', '234']],
      [{ range: 'bytes=2-4', 'if-range': '"other"' }, whole],
      [{ range: 'bytes=2-4', 'if-range': new Date().toUTCString() }, whole],
    ]
    const got = []
    for (const [headers] of cases) got.push(await part(headers))
    expect(got).toEqual(cases.map(([, want]) => want))
  })

  it.each([
    ['page.html', 'text/html; charset=utf-8', 'inline; filename=page.html'],
    ['drawing.svg', 'image/svg+xml', 'inline; filename=drawing.svg'],
    ['program.exe', 'application/octet-stream', 'attachment; filename=program.exe'],
  ])('is no page of this address: %s', async (name, type, disposition) => {
    const gateway = await open()
    await upload(gateway, name, '<script>alert(1)</script>', { 'content-type': '' })
    const { headers } = await gateway.fetch(`/artifacts/${name}`)
    expect([
      headers.get('content-type'),
      headers.get('content-disposition'),
      headers.get('content-security-policy')?.startsWith("sandbox; default-src 'none';"),
    ]).toEqual([type, disposition, true])
  })

  it('of an empty file is empty', async () => {
    const gateway = await open()
    await upload(gateway, 'empty', '')
    const response = await gateway.fetch('/artifacts/empty')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', ''])
  })
})

describe('an artifact', () => {
  it('belongs to its key in every session, and to nobody else', async () => {
    const keysFile = `${newPlace()}-keys.json`
    const bearer = (name: string) => ({ Authorization: `Bearer ${addKey(keysFile, name)}` })
    const [ann, ben] = [bearer('ann'), bearer('ben')]
    const gateway = await openGateway({ serve: { keysFile }, state: newPlace(), warm: false })
    await run(await gateway.caller({ headers: ann }), 'artifacts.save("mine.txt", "secret")')
    const read = async (headers: Record<string, string>, name = 'mine.txt') => {
      const response = await gateway.fetch(`/artifacts/${name}`, { headers })
      return [response.status, response.status === 200 ? await response.text() : await said(response)]
    }
    expect(await read(ann)).toEqual([200, 'secret'])
    const nothing = [404, 'there is no such artifact']
    expect([await read(ben), await read(ben, 'none.txt'), await read(ann, 'none.txt')]).toEqual([
      nothing,
      nothing,
      nothing,
    ])
    expect((await read({}))[0]).toBe(401)
    expect((await read({ ...ann, Origin: 'https://evil.example' }))[0]).toBe(403)
    expect(
      (await raw(gateway, { path: '/artifacts/mine.txt', headers: { ...ann, Host: 'evil.example' } })).status,
    ).toBe(403)
    expect((await upload(gateway, 'mine.txt', 'x', { ...ann, Origin: 'https://evil.example' })).status).toBe(403)
    const bens = await gateway.caller({ headers: ben })
    expect(await read({ ...ann, ...sessionOf(bens) })).toEqual([404, 'there is no such session'])
  })

  it('belongs to its session if there are no keys', async () => {
    const gateway = await open()
    const [one, two] = [await gateway.caller(), await gateway.caller()]
    await run(one, 'artifacts.save("mine.txt", "secret")')
    const status = async (headers: Record<string, string>) =>
      (await gateway.fetch('/artifacts/mine.txt', { headers })).status
    expect([await status(sessionOf(one)), await status(sessionOf(two)), await status({})]).toEqual([200, 404, 404])
    await upload(gateway, 'mine.txt', 'given', sessionOf(two))
    const code = 'result = artifacts.open("mine.txt").read().decode()'
    expect([textOf(await run(one, code)), textOf(await run(two, code))]).toEqual([
      'result: "secret"',
      'result: "given"',
    ])
  })
})

describe('an upload', () => {
  it.each([
    ['orders.csv', 'text/plain;charset=UTF-8', 'text/csv'],
    ['orders.csv', 'application/x-www-form-urlencoded', 'text/csv'],
    ['orders.csv', '', 'text/csv'],
    ['orders.csv', 'application/x-sales', 'application/x-sales'],
    ['orders', 'text/plain', 'text/plain'],
    ['orders', 'application/x-www-form-urlencoded', 'application/octet-stream'],
  ])('has the type that tells most: %s as %j is %s', async (name, sent, type) => {
    const gateway = await openGateway({ warm: false })
    const response = await upload(
      gateway,
      name,
      Buffer.from('x'),
      sent === '' ? { 'content-type': ' ' } : { 'content-type': sent },
    )
    expect(await response.json()).toMatchObject({ mimeType: type })
  })

  it('becomes a file that programs can read', async () => {
    const gateway = await openGateway({ state: newPlace(), warm: false })
    const client = await gateway.caller()
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 256))
    const response = await upload(gateway, 'Umsatz März.bin', content, {
      'content-type': 'application/x-sales',
      ...sessionOf(client),
    })
    const record = {
      name: 'Umsatz_M_rz.bin',
      mimeType: 'application/x-sales',
      bytes: 300_000,
      sha256: createHash('sha256').update(content).digest('hex'),
      path: 'results/Umsatz_M_rz.bin',
    }
    expect([response.status, response.headers.get('location'), await response.json()]).toEqual([
      201,
      '/artifacts/Umsatz_M_rz.bin',
      record,
    ])
    const code = 'f = artifacts.open("Umsatz März.bin")\nresult = [f, hashlib.sha256(f.read()).hexdigest()]'
    expect(JSON.parse(textOf(await run(client, code)).replace(/^result: /, ''))).toEqual([record, record.sha256])
  })

  it('in many pieces outlives its process and replaces the file of its name', async () => {
    const state = newPlace()
    {
      const gateway = await open({ state })
      const pieces = new ReadableStream({
        start(controller) {
          for (let i = 0; i < pixel.length; i += 7) controller.enqueue(pixel.subarray(i, i + 7))
          controller.close()
        },
      })
      const response = await upload(gateway, 'digits.txt', pieces, { 'content-type': 'image/png' })
      expect(await response.json()).toMatchObject({ name: 'digits.txt', bytes: pixel.length, width: 1, height: 1 })
      await gateway.codeMode.close()
    }
    const gateway = await openGateway({ state, warm: false })
    const response = await gateway.fetch('/artifacts/digits.txt', { headers: { range: 'bytes=1-3' } })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      206,
      'image/png',
      'PNG',
    ])
    expect(readdirSync(path.join(state, 'results'))).toHaveLength(1)
  })

  it('takes its name from its header, and never a path', async () => {
    const state = newPlace()
    const gateway = await openGateway({ state, warm: false })
    const byHeader = await gateway.fetch('/artifacts', {
      method: 'POST',
      body: 'x',
      headers: { 'content-disposition': "attachment; filename*=UTF-8''%2e%2e%2fr%C3%A9sum%C3%A9.pdf" },
    })
    expect(await byHeader.json()).toMatchObject({ name: '_r_sum_.pdf' })
    const names = ['../../etc/passwd', 'a\0b', 'C:\\x', 'CON', 'aux.txt', '.hidden', 'x'.repeat(5_000)]
    const kept = []
    for (const name of names) {
      const response = await upload(gateway, name, name)
      expect(response.status).toBe(201)
      kept.push(((await response.json()) as { name: string }).name)
      expect(await (await gateway.fetch(response.headers.get('location')!)).text()).toBe(name)
    }
    expect(kept).toEqual(['_.._etc_passwd', 'a_b', 'C_x', '_CON', '_aux.txt', 'hidden', 'x'.repeat(120)])
    expect(readdirSync(path.dirname(state)).filter((one) => !/^\d+(-keys\.json)?$/.test(one))).toEqual([])
    expect(readdirSync(path.join(state, 'results')).every((one) => /^[0-9a-f]{64}$/.test(one))).toBe(true)
  })

  it.each([
    ['no name', '/artifacts', {}, 400, 'the file has no name: POST /artifacts?name=orders.csv'],
    ['the name of a result', '/artifacts?name=run-1.json', {}, 400, 'files of that name are the results of runs'],
    [
      'a form',
      '/artifacts?name=a',
      { 'content-type': 'multipart/form-data; boundary=x' },
      415,
      'the body is the file itself, and no form',
    ],
    ['another path', '/artifacts/a', {}, 405, 'there is no POST here'],
  ])('with %s is refused', async (_, path, headers, status, message) => {
    const gateway = await open()
    const response = await gateway.fetch(path, { method: 'POST', body: 'x', headers })
    expect([response.status, await said(response)]).toEqual([status, message])
    expect((await gateway.fetch('/artifacts', { method: 'DELETE' })).headers.get('allow')).toBe('POST')
  })

  it('that is too long, stalls or breaks off leaves nothing', async () => {
    const state = newPlace()
    const gateway = await openGateway({
      state,
      results: { maxBytes: 1_000_000 },
      warm: false,
    })
    const post = { path: '/artifacts?name=a', method: 'POST' }
    const tooLong = await raw(gateway, { ...post, headers: { 'content-length': 1_000_001 } }, (request) =>
      request.flushHeaders(),
    )
    expect([tooLong.status, JSON.parse(tooLong.body).error.message]).toEqual([
      413,
      'the file is longer than 1000000 bytes',
    ])
    const flood = (request: ClientRequest) => {
      const piece = Buffer.alloc(65_536)
      const more = () => {
        if (!request.destroyed) request.write(piece, (error) => void (error ?? setImmediate(more)))
      }
      more()
    }
    // Who still sends may lose the answer with the connection.
    const endless = await raw(gateway, post, flood).then(
      ({ status }) => status,
      () => 'cut off',
    )
    expect([413, 'cut off']).toContain(endless)
    const impatient = await openGateway({ state, serve: { bodyIdleMs: 100 }, warm: false })
    const stalled = await raw(impatient, post, (request) => request.write('half'))
    expect([stalled.status, JSON.parse(stalled.body).error.message]).toEqual([
      408,
      'the body made no progress within 100 ms',
    ])
    const broken = httpRequest({ port: gateway.serving.port, ...post })
    broken.on('error', () => {})
    broken.write('half')
    const left = () => (existsSync(path.join(state, 'results')) ? readdirSync(path.join(state, 'results')) : [])
    await vi.waitFor(() => expect(left()).toHaveLength(1))
    broken.destroy()
    await vi.waitFor(() => expect(left()).toEqual([]))
    expect((await gateway.fetch('/artifacts/a')).status).toBe(404)
  })
})
