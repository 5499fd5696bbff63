// Refused requests: the answer to the sender, the line in the log, and the origins that may read the answer.

import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey, type LogLine } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { initialize, openGateway } from './callers.js'

const place = new Workplace()
afterAll(() => place.remove())

const message = async (response: Response) =>
  ((await response.json()) as { readonly error: { readonly message: string } }).error.message

describe('a request that is refused', () => {
  it('gets the reason, and so does the log', async () => {
    const log: LogLine[] = []
    const { fetch } = await openGateway({ log: (line) => void log.push(line) })
    const refused = async (path: string, init?: RequestInit) => {
      const response = await fetch(path, init)
      return [response.status, await message(response)]
    }
    expect(await refused('//')).toEqual([404, 'there is nothing at //; try /mcp'])
    expect(await refused('/mcp/nobody')).toEqual([404, 'there is nothing at /mcp/nobody; try /mcp'])
    expect(await refused('/mcp', { method: 'PUT', body: 'x' })).toEqual([405, 'there is no PUT here'])
    expect(await refused('/mcp', { method: 'OPTIONS' })).toEqual([405, 'there is no OPTIONS here'])
    expect(await refused('/mcp', { method: 'POST', body: '{' })).toEqual([400, 'the body is not JSON'])
    expect((await fetch('/health', { method: 'HEAD' })).status).toBe(200)
    expect(log.filter(({ level }) => level === 'debug').map((line) => line.message)).toEqual([
      'a request was refused with 404: there is nothing at //; try /mcp',
      'a request was refused with 404: there is nothing at /mcp/nobody; try /mcp',
      'a request was refused with 405: there is no PUT here',
      'a request was refused with 405: there is no OPTIONS here',
      'a request was refused with 400: the body is not JSON',
    ])
  })

  it('learns whether it has no key or a wrong one, and no log contains the key', async () => {
    const keysFile = path.join(place.folder, 'keys.json')
    const key = addKey(keysFile, 'me', {})
    const log: LogLine[] = []
    const { fetch } = await openGateway({ serve: { keysFile }, log: (line) => void log.push(line) })
    const as = async (headers: Record<string, string>) => {
      const response = await fetch('/mcp', { ...initialize, headers: { ...initialize.headers, ...headers } })
      return response.ok ? response.status : [response.status, await message(response)]
    }
    expect(await as({})).toEqual([401, 'a key is needed: Authorization: Bearer KEY'])
    const unknown = 'the key is unknown or was removed; starbind keys list shows all keys'
    expect(await as({ authorization: `Bearer ${key}x` })).toEqual([401, unknown])
    expect(await as({ 'x-api-key': 'sb_guess' })).toEqual([401, unknown])
    expect(await as({ authorization: `Bearer ${key}` })).toBe(200)
    expect(JSON.stringify(log)).not.toMatch(/sb_/)
  })
})

describe('pages of other origins', () => {
  it('may read answers if they are allowed, and no others may', async () => {
    const { fetch } = await openGateway({ serve: { allowedOrigins: ['https://app.test'] } })
    const asked = await fetch('/mcp', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,mcp-session-id',
      },
    })
    const of = (response: Response, ...names: string[]) => names.map((name) => response.headers.get(name))
    expect(asked.status).toBe(204)
    expect(
      of(asked, 'access-control-allow-origin', 'access-control-allow-methods', 'access-control-allow-headers', 'vary'),
    ).toEqual(['https://app.test', 'GET, POST, DELETE', 'authorization,mcp-session-id', 'Origin'])
    const from = (origin: string) => fetch('/mcp', { ...initialize, headers: { ...initialize.headers, origin } })
    const answered = await from('https://app.test')
    expect([answered.status, ...of(answered, 'access-control-allow-origin', 'access-control-expose-headers')]).toEqual([
      200,
      'https://app.test',
      'Mcp-Session-Id, WWW-Authenticate, ETag, Location, Content-Range, Accept-Ranges, Content-Disposition',
    ])
    const foreign = await from('https://evil.test')
    expect([foreign.status, ...of(foreign, 'access-control-allow-origin')]).toEqual([403, null])
    const nobody = await fetch('/mcp', initialize)
    expect([nobody.status, ...of(nobody, 'access-control-allow-origin')]).toEqual([200, null])
  })
})

describe('the end', () => {
  it('is announced with the pending requests', async () => {
    let release = () => {}
    let enter = () => {}
    const entered = new Promise<void>((resolve) => {
      enter = resolve
    })
    const call = () => {
      enter()
      return new Promise<string>((resolve) => {
        release = () => resolve('late')
      })
    }
    const log: LogLine[] = []
    const { codeMode, caller } = await openGateway({
      servers: { slow: { inProcess: { wait: { call } } } },
      log: (line) => void log.push(line),
    })
    const client = await caller()
    // It arrives, unless this machine stalls for the permitted ten seconds.
    const answer = client
      .callTool({ name: 'executeToolCode', arguments: { code: 'print(slow.wait())' } })
      .catch(() => {})
    await entered
    const closed = codeMode.close()
    const told = { level: 'info', message: 'closing: a request is underway and may take 10 more seconds' }
    await vi.waitFor(() => expect(log).toContainEqual(told), { timeout: 120_000 })
    release()
    await answer
    await closed
  })
})
