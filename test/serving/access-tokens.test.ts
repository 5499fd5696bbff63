// The gateway as a protected resource: its metadata, what tokens of an authorization server open, and what a caller
// without the right scope is told.

import path from 'node:path'
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type AuthorizationSettings, addKey, CodeMode, login, logout, readConfiguration } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { openTokenIssuer, type TokenIssuer } from '../fixtures/token-issuer.js'
import { initialize, openGateway, textOf } from './callers.js'
import { message } from './modern-requests.js'

const place = new Workplace()
process.env.STARBIND_HOME = path.join(place.folder, 'home')
afterAll(() => {
  delete process.env.STARBIND_HOME
  place.remove()
})

afterEach(() => vi.restoreAllMocks())

const shop = { count: { call: () => 3 }, sell: { call: () => 'sold' } }
const servers = {
  shop: { inProcess: shop, codeMode: false },
  desk: { inProcess: { note: { call: () => 'noted' } }, codeMode: false },
} as const
const resource = 'https://mcp.example.com/tools/mcp'
const about = 'https://mcp.example.com/.well-known/oauth-protected-resource/tools/mcp'
const scopes = { read: ['shop/count'], desk: ['desk/*'], all: ['*'] }

async function guarded(settings: Partial<AuthorizationSettings> = {}, serve: object = {}) {
  const issuer = await openTokenIssuer()
  const authorization = { issuers: [issuer.issuer], resource, ...settings }
  return { issuer, ...(await openGateway({ servers, serve: { authorization, ...serve } })) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const granting = async (issuer: TokenIssuer, scope: string, more: object = {}) =>
  bearer(await issuer.token({ aud: resource, scope, ...more }))

/** Status, challenge and message of an answer. */
async function told(response: Response): Promise<unknown[]> {
  const { error } = (await response.json()) as { error?: { message: string } }
  return [response.status, response.headers.get('www-authenticate'), error?.message]
}

describe('the metadata', () => {
  it('name the authorization servers and the scopes for each path', async () => {
    const { issuer, fetch } = await guarded({ scopes, approveScope: 'approve' })
    const at = async (place: string) => {
      const response = await fetch(`/.well-known/oauth-protected-resource${place}`)
      return response.ok ? response.json() : response.status
    }
    const all = {
      resource,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['read', 'desk', 'all', 'approve'],
      bearer_methods_supported: ['header'],
      resource_name: 'starbind',
    }
    for (const whole of ['', '/', '/mcp', '/tools/mcp', '/tools/mcp/']) expect(await at(whole)).toEqual(all)
    const one = { ...all, resource: `${resource}/a%20b` }
    for (const part of ['/mcp/a%20b', '/tools/mcp/a%20b']) expect(await at(part)).toEqual(one)
    // Without a token nobody learns more of other paths.
    for (const none of ['/other', '/mcp/a/b', '/mcp/%ff']) expect(await at(none)).toBe(401)
  })

  it('name the address itself by default, and are missing where no authorization server is configured', async () => {
    const issuer = await openTokenIssuer()
    const { serving, fetch } = await openGateway({ serve: { authorization: { issuers: [issuer.issuer] } } })
    const response = await fetch('/.well-known/oauth-protected-resource/mcp')
    expect(await response.json()).toEqual({
      resource: serving.url,
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'starbind',
    })
    const open = await openGateway({})
    expect((await open.fetch('/.well-known/oauth-protected-resource')).status).toBe(404)
  })

  it('need a resource where other machines can reach the gateway', async () => {
    const authorization = { issuers: ['https://login.example.com/'] }
    await using codeMode = await CodeMode.open({ serve: { host: '0.0.0.0', port: 0, authorization } })
    await expect(codeMode.serveHttp()).rejects.toThrow(
      'host error [resource-needed] 0.0.0.0 can be reached from other machines, and serve.authorization has no resource\n' +
        'hint: set it to the URL by which callers know /mcp',
    )
  })
})

describe('a caller', () => {
  it('without a token learns where to get one, and with which scopes', async () => {
    const { fetch } = await guarded({ scopes, firstScopes: ['read'] })
    const needed = 'an access token or a key is needed: Authorization: Bearer TOKEN'
    expect(await told(await fetch('/mcp', initialize))).toEqual([
      401,
      `Bearer resource_metadata="${about}", scope="read"`,
      needed,
    ])
    expect(await told(await fetch('/mcp/a%20b', message('tools/list')))).toEqual([
      401,
      `Bearer resource_metadata="${about}/a%20b", scope="read"`,
      needed,
    ])
    const unknown = 'the key is unknown or was removed; starbind keys list shows all keys'
    for (const headers of [bearer('sb_guess'), { 'x-api-key': 'a.b.c' }])
      expect(
        await told(await fetch('/mcp', { ...initialize, headers: { ...initialize.headers, ...headers } })),
      ).toEqual([401, `Bearer error="invalid_token", resource_metadata="${about}", scope="read"`, unknown])
  })

  it('calls what the scopes of its token allow together, in both eras', async () => {
    const { issuer, caller, fetch } = await guarded({ scopes })
    const names = async (headers: Record<string, string>) => {
      const client = await caller({ headers })
      const modern = (await (await fetch('/mcp', message('tools/list', {}, { headers }))).json()) as {
        result: { tools: { name: string }[] }
      }
      const [old, now] = [(await client.listTools()).tools, modern.result.tools].map((all) =>
        all.map(({ name }) => name),
      )
      expect(now).toEqual(old)
      return old
    }
    expect(await names(await granting(issuer, 'read'))).toEqual(['shop_count'])
    expect(await names(await granting(issuer, 'read openid desk'))).toEqual(['shop_count', 'desk_note'])
    expect(await names(await granting(issuer, '', { scp: ['all'] }))).toEqual(['shop_count', 'shop_sell', 'desk_note'])
    expect(issuer.asked).toEqual({ metadata: 1, keys: 1 })
  })

  it('calls everything where no scopes are configured, and has its own name', async () => {
    const { issuer, caller } = await guarded({}, { rateLimits: [{ key: 'ada@*', calls: 1, perMs: 3_600_000 }] })
    const [ada, bob] = [
      await caller({ headers: await granting(issuer, '') }),
      await caller({ headers: await granting(issuer, '', { sub: 'bob' }) }),
    ]
    const sell = async (client: typeof ada) => (await client.callTool({ name: 'shop_sell' })).isError ?? false
    expect([await sell(ada), await sell(bob), await sell(bob), await sell(ada)]).toEqual([false, false, false, true])
  })

  it('is told which scope a tool or a server needs', async () => {
    const { issuer, fetch, caller } = await guarded({ scopes })
    const headers = await granting(issuer, 'read')
    const lacking = (scope: string, more = '', at = about) => [
      403,
      'Bearer error="insufficient_scope", error_description="the access token lacks a scope: ' +
        `${scope}", resource_metadata="${at}", scope="${more}${scope}"`,
      `the access token lacks a scope: ${scope}`,
    ]
    const call = { name: 'desk_note', arguments: {} }
    expect(await told(await fetch('/mcp', message('tools/call', call, { headers })))).toEqual(lacking('desk', 'read '))
    const client = await caller({ headers })
    await expect(client.callTool(call)).rejects.toThrow('the access token lacks a scope: desk')
    expect(await told(await fetch('/mcp/desk', message('tools/list', {}, { headers })))).toEqual(
      lacking('desk', 'read ', `${about}/desk`),
    )
    // No scope helps against what does not exist.
    expect((await fetch('/mcp/none', message('tools/list', {}, { headers }))).status).toBe(404)
    const none = message('tools/call', { name: 'none' }, { headers })
    expect((await fetch('/mcp', none)).status).toBe(200)
    const bare = await granting(issuer, 'openid')
    expect(await told(await fetch('/mcp', message('tools/list', {}, { headers: bare })))).toEqual(
      lacking('read desk all'),
    )
  })

  it('has sessions only for the scopes that opened them, and its results in all', async () => {
    const { issuer, caller, fetch } = await guarded({ scopes: { read: ['*/count'], all: ['*'] } })
    const wide = await granting(issuer, 'read all')
    const client = await caller({ headers: wide })
    await client.callTool({ name: 'shop_sell' })
    const id = (client.transport as unknown as { sessionId: string }).sessionId
    const list = (headers: object) =>
      fetch('/mcp', {
        ...initialize,
        headers: { ...initialize.headers, ...headers, 'mcp-session-id': id },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
      })
    expect((await told(await list(await granting(issuer, 'read'))))[2]).toBe('there is no such session')
    expect((await list(await granting(issuer, 'all read'))).status).toBe(200)
  })

  it('opens one server with a token for it, and nothing else', async () => {
    const { issuer, fetch } = await guarded()
    const headers = await granting(issuer, '', { aud: `${resource}/desk` })
    const status = async (at: string) => (await fetch(at, message('tools/list', {}, { headers }))).status
    expect([await status('/mcp/desk'), await status('/mcp'), await status('/mcp/shop')]).toEqual([200, 401, 401])
    expect((await fetch('/metrics', { headers })).status).toBe(401)
    const other = await guarded({ audiences: ['api://tools'] })
    const accepted = await granting(other.issuer, '', { aud: ['x', 'api://tools'] })
    expect((await other.fetch('/mcp', message('tools/list', {}, { headers: accepted }))).status).toBe(200)
  })

  it('may have a key as well', async () => {
    const keysFile = path.join(place.folder, 'keys.json')
    const key = addKey(keysFile, 'laptop', { toolsToExecute: ['shop/sell'] })
    const { caller } = await guarded({ scopes }, { keysFile })
    const client = await caller({ headers: bearer(key) })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['shop_sell'])
  })

  it('sees the runs of others with the scope for it', async () => {
    const issuer = await openTokenIssuer()
    const authorization = { issuers: [issuer.issuer], resource, scopes: { all: ['*'] }, approveScope: 'approve' }
    const { caller } = await openGateway({
      servers: { shop: { inProcess: shop } },
      approve: 'always',
      serve: { authorization },
    })
    const as = async (sub: string, scope: string) => caller({ headers: await granting(issuer, scope, { sub }) })
    const code = 'result = shop.sell()'
    const waits = textOf(await (await as('ada', 'all')).callTool({ name: 'executeToolCode', arguments: { code } }))
    const [, run] = /resume="(run-\w+)"/.exec(waits) ?? []
    const runs = async (sub: string, scope: string) => {
      const client = await as(sub, scope)
      return textOf(await client.callTool({ name: 'readToolFile', arguments: { fileName: 'runs' } })).split('\n')[0]
    }
    expect(await runs('bob', 'all')).toBe('no run waits, and none is running')
    expect(await runs('chief', 'approve')).toBe(`${run} of ada@${issuer.issuer} waits for a person's answer to`)
  })
})

it('new keys of the authorization server are found when a token has one', async () => {
  let time = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const { issuer, fetch } = await guarded()
  const ask = async (headers: Record<string, string>) =>
    (await fetch('/mcp', message('tools/list', {}, { headers }))).status
  const old = await granting(issuer, '')
  expect(await ask(old)).toBe(200)
  await issuer.rotate()
  const fresh = await granting(issuer, '')
  expect([await ask(old), await ask(fresh), issuer.asked.keys]).toEqual([200, 401, 1])
  time += 11_000
  expect([await ask(fresh), await ask(old), issuer.asked.keys]).toEqual([200, 401, 2])
})

it('a stream of news ends with the token that opened it', async () => {
  const { issuer, caller, fetch } = await guarded()
  const now = Math.floor(Date.now() / 1000)
  // Tokens are good for half a minute longer, because clocks differ.
  const ended = await granting(issuer, '', { exp: now - 10 })
  const filter = { notifications: { toolsListChanged: true } }
  const modern = await fetch('/mcp', message('subscriptions/listen', filter, { headers: ended }))
  await expect(modern.text()).rejects.toThrow()
  const client = await caller({ headers: await granting(issuer, '') })
  const id = (client.transport as unknown as { sessionId: string }).sessionId
  await client.transport?.close()
  const stream = await fetch('/mcp', {
    headers: { accept: 'text/event-stream', 'mcp-session-id': id, ...ended },
  })
  await expect(stream.text()).rejects.toThrow()
})

describe('clients that know only the address', () => {
  async function far() {
    const issuer = await openTokenIssuer()
    const scopes = { read: ['shop/count'], sell: ['shop/sell'] }
    const authorization = { issuers: [issuer.issuer], scopes, firstScopes: ['read'] }
    const { serving } = await openGateway({ servers, serve: { authorization } })
    const asked = () => issuer.requests.map((asks) => [asks.get('resource'), asks.get('scope')])
    return { issuer, url: serving.url, asked }
  }

  it('find the authorization server and get a token for the gateway', async () => {
    const { issuer, url, asked } = await far()
    const authProvider = new ClientCredentialsProvider({
      clientId: 'robot',
      clientSecret: 'x',
      scope: 'read',
      expectedIssuer: issuer.issuer,
    })
    const client = new Client({ name: 'robot', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider })
    await client.connect(transport as Parameters<Client['connect']>[0])
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['shop_count'])
    await client.close()
    expect(asked()).toEqual([[url, 'read']])
  })

  it('ask for the scopes that the gateway names, if they are starbind', async () => {
    const { issuer, url, asked } = await far()
    const oauth = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'x', issuer: issuer.issuer }
    const file = place.write('starbind.json', { mcpServers: { far: { url, oauth } } })
    const [server] = readConfiguration(file).servers
    await login(server!, { open: () => {} })
    expect(asked()).toEqual([[url, 'read']])
    await logout(server!)
  })
})
