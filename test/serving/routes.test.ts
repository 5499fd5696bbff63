// Further paths on the port of `serve`: behind the same walls, for known callers, with bounds and a clean end.

import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey, type HttpRoutes, removeKey } from '../../dist/index.js'
import { openGateway } from './callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-routes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Answers with the caller's name and its body; `/more/wait` waits until the request is over. */
const routes = (over: (reason: string) => void = () => {}): HttpRoutes => ({
  owns: (pathname) => pathname.startsWith('/more'),
  answer: async ({ caller, pathname, request, response, signal, body }) => {
    if (pathname === '/more/fail') throw new Error('a secret reason')
    const said = request.method === 'POST' ? await body() : null
    if (pathname === '/more/wait') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      over(caller.name)
    }
    response.end(JSON.stringify({ name: caller.name, said }))
  },
  refusal: (status, message) => ({ own: { status, message } }),
})

async function open(keys: readonly string[] = [], serve: object = {}) {
  const keysFile = path.join(folder, `${Math.random()}.json`)
  const tokens = keys.map((name) => addKey(keysFile, name))
  const over = vi.fn()
  const gateway = await openGateway({ serve: keys.length === 0 ? serve : { keysFile, ...serve } }, routes(over))
  return { ...gateway, tokens, keysFile, over }
}

const post = (body: string, headers: Record<string, string> = {}) => ({ method: 'POST', body, headers })

describe('a further path', () => {
  it('is answered with the caller and its body', async () => {
    const { fetch, tokens } = await open(['desk'])
    const asked = await fetch('/more', post('{"a": [1]}', { authorization: `Bearer ${tokens[0]}` }))
    expect(await asked.json()).toEqual({ name: 'desk', said: { a: [1] } })
  })

  it('has the same walls, and refuses in its own form', async () => {
    const { fetch, serving } = await open(['desk'])
    const refused = async (headers: Record<string, string>) => {
      const response = await fetch('/more', { headers })
      return [response.status, await response.json()]
    }
    const missing = { status: 401, message: 'a key is needed: Authorization: Bearer KEY' }
    expect(await refused({})).toEqual([401, { own: missing }])
    const unknown = { status: 401, message: 'the key is unknown or was removed; starbind keys list shows all keys' }
    expect(await refused({ authorization: 'Bearer sb_x' })).toEqual([401, { own: unknown }])
    const origin = { status: 403, message: 'pages of "https://evil.example" may not connect' }
    expect(await refused({ origin: 'https://evil.example' })).toEqual([403, { own: origin }])
    const raw = await rawAnswer(serving.port, 'GET /more HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    expect(raw).toMatch(/^HTTP\/1.1 403 /)
  })

  it('reads no body that is too long, too deep, or no JSON', async () => {
    const { fetch } = await open([], { maxRequestBytes: 100_000 })
    const refused = async (body: string) => {
      const { own } = (await (await fetch('/more', post(body))).json()) as { own: object }
      return own
    }
    expect(await refused('{')).toEqual({ status: 400, message: 'the body is not JSON' })
    expect(await refused(`"${'x'.repeat(100_000)}"`)).toEqual({
      status: 413,
      message: 'the body is longer than 100000 bytes',
    })
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const tooDeep = { status: 400, message: 'the body is nested more than 1000 levels deep' }
    expect(await refused(deep(20_000))).toEqual(tooDeep)
    expect(await refused(deep(1001))).toEqual(tooDeep)
  })

  it('does not show why it failed', async () => {
    const { fetch } = await open()
    const response = await fetch('/more/fail')
    expect([response.status, await response.json()]).toEqual([
      500,
      { own: { status: 500, message: 'this request failed' } },
    ])
  })

  it('has a bounded number of requests of one caller', async () => {
    const { fetch, tokens, over } = await open(['a', 'b'], { maxRequestsPerKey: 1 })
    const as = (token = '') => ({ headers: { authorization: `Bearer ${token}` } })
    const leaving = new AbortController()
    const waiting = fetch('/more/wait', { ...as(tokens[0]), signal: leaving.signal }).catch(() => 'gone')
    await vi.waitFor(async () => expect((await fetch('/more', as(tokens[0]))).status).toBe(429))
    expect((await fetch('/more', as(tokens[1]))).status).toBe(200)
    leaving.abort()
    expect(await waiting).toBe('gone')
    await vi.waitFor(() => expect(over).toHaveBeenCalledWith('a'))
    await vi.waitFor(async () => expect((await fetch('/more', as(tokens[0]))).status).toBe(200))
  })

  it('ends with its key', async () => {
    const { fetch, tokens, keysFile, over } = await open(['a', 'b'])
    const as = (token = '') => ({ headers: { authorization: `Bearer ${token}` } })
    const leaving = new AbortController()
    const waiting = fetch('/more/wait', as(tokens[0]))
    const other = fetch('/more/wait', { ...as(tokens[1]), signal: leaving.signal }).catch(() => 'gone')
    await vi.waitFor(async () => expect((await fetch('/more', as(tokens[0]))).status).toBe(200))
    removeKey(keysFile, 'a')
    // Any request makes the server look at its keys.
    await vi.waitFor(async () => {
      await fetch('/more', as(tokens[1]))
      expect(over.mock.calls).toEqual([['a']])
    })
    expect((await waiting).status).toBe(200)
    leaving.abort()
    expect(await other).toBe('gone')
  })

  it('is cancelled when the server closes', async () => {
    const { fetch, codeMode, over } = await open()
    const waiting = fetch('/more/wait')
    await vi.waitFor(async () => expect((await fetch('/more')).status).toBe(200))
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const closing = codeMode.close()
      await vi.advanceTimersByTimeAsync(10_000)
      vi.useRealTimers()
      await closing
    } finally {
      vi.useRealTimers()
    }
    expect(over.mock.calls).toEqual([['http']])
    expect((await waiting).status).toBe(200)
  })
})

function rawAnswer(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
  })
}
