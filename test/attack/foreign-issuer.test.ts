// A server that asks for credentials and names an authorization server of its own choice, or sends a login elsewhere:
// configured credentials go only to the issuer that was configured or confirmed.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { CodeMode, login, logout, readConfiguration, type ServerConfig } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'

const place = new Workplace()
process.env.STARBIND_HOME = path.join(place.folder, 'home')
afterAll(() => {
  delete process.env.STARBIND_HOME
  place.remove()
})

interface Site {
  readonly origin: string
  /** Bodies and headers of all requests, as one text. */
  seen: string
  answer: (
    request: IncomingMessage,
    body: string,
  ) => { status: number; headers?: Record<string, string>; body?: object }
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openSite(): Promise<Site> {
  const site: { -readonly [K in keyof Site]: Site[K] } = { origin: '', seen: '', answer: () => ({ status: 404 }) }
  const http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    site.seen += `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}\n`
    const { status, headers = {}, body: answer } = site.answer(request, body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  )
  site.origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return site
}

/** An authorization server that gives a token to everyone. */
async function openIssuer(): Promise<Site> {
  const site = await openSite()
  site.answer = ({ url, method }) => {
    const { origin } = site
    if (url?.startsWith('/.well-known/')) {
      const how = {
        response_types_supported: ['code'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }
      const endpoints = { authorization_endpoint: `${origin}/page`, token_endpoint: `${origin}/token` }
      return { status: 200, body: { issuer: `${origin}/`, ...endpoints, ...how } }
    }
    if (method === 'POST' && url === '/token')
      return { status: 200, body: { access_token: 'token-from-here', token_type: 'bearer' } }
    return { status: 404 }
  }
  return site
}

let mcp: Site
let theirs: Site
let ours: Site
beforeEach(async () => {
  ;[mcp, theirs, ours] = await Promise.all([openSite(), openIssuer(), openIssuer()])
  naming(theirs)
})
afterEach(() => logout(vault()))

/** The authorization servers that the server names. */
function naming(issuer: Site): void {
  mcp.answer = ({ url }) => {
    const about = `${mcp.origin}/.well-known/oauth-protected-resource/mcp`
    if (url === '/mcp') return { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${about}"` } }
    if (url?.startsWith('/.well-known/oauth-protected-resource'))
      return { status: 200, body: { resource: `${mcp.origin}/mcp`, authorization_servers: [`${issuer.origin}/`] } }
    return { status: 404 }
  }
}

const account = { grant: 'client_credentials', clientId: 'starbind', clientSecret: 'secret-of-the-account' }
const headers = { 'x-tenant-key': 'for-the-server-only' }

function vault(oauth: object = {}): ServerConfig {
  const file = place.write('starbind.json', {
    mcpServers: { vault: { url: `${mcp.origin}/mcp`, headers, oauth: { ...account, ...oauth } } },
  })
  return readConfiguration(file).servers[0]!
}

async function connect(server: ServerConfig) {
  await using codeMode = await CodeMode.open({
    configuration: { ...readConfiguration(path.join(place.folder, 'starbind.json')), servers: [server] },
    warm: false,
  })
  const [{ state, reason } = {}] = codeMode.servers.status()
  return { state, reason }
}

it('credentials go to no unconfirmed authorization server', async () => {
  expect(await connect(vault())).toEqual({
    state: 'needs-auth',
    reason:
      `${mcp.origin} wants credentials; it names the authorization server ${theirs.origin}, which no person has confirmed; ` +
      'set its oauth.issuer, or run: starbind login vault',
  })
  expect(theirs.seen).not.toMatch(/POST|secret-of-the-account/)
})

it('credentials go to no other authorization server than the configured one', async () => {
  const server = vault({ issuer: ours.origin })
  expect(await connect(server)).toEqual({
    state: 'needs-auth',
    reason:
      `${mcp.origin} wants credentials; it names the authorization server ${theirs.origin} and not ${ours.origin}; ` +
      'set its oauth.issuer, or run: starbind login vault',
  })
  expect(theirs.seen).not.toMatch(/POST|secret-of-the-account/)
  naming(ours)
  await connect(server)
  expect(ours.seen).toContain('secret-of-the-account')
})

it('the server confirmed at the login gets them, until the upstream names another', async () => {
  naming(ours)
  const asked: string[] = []
  const confirm = async (issuer: URL) => asked.push(issuer.href) > 1
  await expect(login(vault(), { open: () => {}, confirm })).rejects.toThrow('which no person has confirmed')
  expect(ours.seen).not.toContain('secret-of-the-account')
  await login(vault(), { open: () => {}, confirm })
  expect(asked).toEqual([`${ours.origin}/`, `${ours.origin}/`])
  expect(ours.seen).toContain('secret-of-the-account')
  const before = ours.seen
  await connect(vault())
  expect(ours.seen.slice(before.length)).toContain('secret-of-the-account')
  naming(theirs)
  expect((await connect(vault())).reason).toContain(`${theirs.origin}, which no person has confirmed`)
  expect(theirs.seen).not.toMatch(/POST|secret-of-the-account/)
})

it.each([307, 302])('configured headers of a login follow no redirect (%d) to another origin', async (status) => {
  mcp.answer = () => ({ status, headers: { location: `${theirs.origin}/mcp` } })
  await expect(login(vault(), { open: () => {} })).rejects.toThrow(
    'logging in to vault failed: "it redirects to another origin, which must not receive its headers; check its url"',
  )
  await connect(vault())
  expect(theirs.seen).toBe('')
  expect(mcp.seen).toContain('for-the-server-only')
})
