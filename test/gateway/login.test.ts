// Logging in to a server with OAuth: what is asked, what is kept and who may read it, how it is renewed, and how it
// ends.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode, login, logout, readConfiguration, type ServerConfig } from '../../dist/index.js'
import { starbind, starbindHere, Workplace } from '../fixtures/command.js'
import { ownPort } from '../fixtures/http-server.js'
import { type OAuthFixture, openOAuthFixture } from '../fixtures/oauth-server.js'

const place = new Workplace()
let oauth: OAuthFixture

beforeAll(async () => {
  process.env.STARBIND_HOME = path.join(place.folder, 'home')
  oauth = await openOAuthFixture(() => {
    const server = new McpServer({ name: 'vault', version: '1.0.0' })
    server.registerTool('ping', {}, () => ({ content: [{ type: 'text', text: 'pong' }] }))
    server.registerTool('leak', {}, () => ({ content: [{ type: 'text', text: `have ${[...oauth.access].at(-1)}` }] }))
    return server
  })
})
afterEach(() => logout(vault()))
afterAll(async () => {
  await oauth.close()
  delete process.env.STARBIND_HOME
  place.remove()
})

function config(more: object = {}): string {
  return place.write('starbind.json', { mcpServers: { vault: { url: oauth.url, ...more } } })
}

function vault(more: object = {}): ServerConfig {
  return readConfiguration(config(more)).servers[0]!
}

/** A browser whose person agrees to everything. */
const visit = (url: URL) => void fetch(url).then((response) => response.text())

const logins = () => path.join(place.folder, 'home', 'logins')

describe('a login', () => {
  it('registers, uses PKCE, and stores the tokens in a file that only its owner can read', async () => {
    const pages: URL[] = []
    await login(vault(), {
      open: (url) => {
        pages.push(url)
        visit(url)
      },
    })
    const [page] = pages
    expect([page?.origin, page?.searchParams.get('code_challenge_method'), page?.searchParams.get('scope')]).toEqual([
      new URL(oauth.issuer).origin,
      'S256',
      'tools',
    ])
    expect(page?.searchParams.get('resource')).toBe(oauth.url)
    const [client] = [...oauth.clients.values()].slice(-1)
    expect(client).toMatchObject({ client_name: 'starbind', redirect_uris: [page?.searchParams.get('redirect_uri')] })
    const [file] = readdirSync(logins())
    expect([statSync(logins()).mode & 0o777, statSync(path.join(logins(), file!)).mode & 0o777]).toEqual([0o700, 0o600])
    await using codeMode = await CodeMode.open({ configuration: readConfiguration(config()) })
    expect(await codeMode.run('result = vault.ping()')).toMatchObject({ ok: true, result: 'pong' })
  })

  it('is renewed without a person, and requested again if that fails', async () => {
    await login(vault(), { open: visit })
    await using codeMode = await CodeMode.open({ configuration: readConfiguration(config()) })
    const before = [...oauth.access].at(-1)
    oauth.access.clear()
    expect(await codeMode.run('result = vault.ping()')).toMatchObject({ ok: true, result: 'pong' })
    expect([...oauth.access].at(-1)).not.toBe(before)
    oauth.access.clear()
    oauth.refresh.clear()
    const { origin } = new URL(oauth.url)
    expect((await codeMode.run('vault.ping()')).error?.message).toContain(
      `the server vault is not available: ${origin} wants a person to log in; run: starbind login vault; nothing was called`,
    )
    // Every now and then it is tried again.
    await expect.poll(() => codeMode.servers.status()[0]?.state).toBe('needs-auth')
    // The one who runs this logs in, in another process or not: the server comes back by itself.
    await login(vault(), { open: visit })
    await expect.poll(() => codeMode.servers.status()[0]?.state).toBe('ready')
  })

  it('asks for the scopes that the token had together with those that it lacks', async () => {
    await login(vault(), { open: visit })
    await using codeMode = await CodeMode.open({ configuration: readConfiguration(config()) })
    expect((await codeMode.run('vault.ping()')).ok).toBe(true)
    oauth.lacking = { tokens: new Set(oauth.access), scope: 'write' }
    const before = oauth.access.size
    expect((await codeMode.run('vault.ping()')).error?.message).toContain('run: starbind login vault')
    // A renewed token would lack it as well.
    expect(oauth.access.size).toBe(before)
    const scopes: (string | null)[] = []
    await login(vault(), {
      open: (url) => {
        scopes.push(url.searchParams.get('scope'))
        visit(url)
      },
    })
    expect(scopes).toEqual(['tools write'])
    await expect.poll(async () => (await codeMode.run('vault.ping()')).ok, { timeout: 20_000 }).toBe(true)
    oauth.lacking = undefined
  })

  it('shows no token to a program', async () => {
    await login(vault(), { open: visit })
    await using codeMode = await CodeMode.open({ configuration: readConfiguration(config()) })
    expect(await codeMode.run('result = vault.leak()')).toMatchObject({ ok: true, result: 'have [hidden]' })
  })

  it('accepts no unrequested code and reports the authorization server’s error', async () => {
    const spoil = (url: URL) => {
      const back = new URL(url.searchParams.get('redirect_uri')!)
      const wrong = `${back}?code=stolen&state=other`
      const refusal = `${back}?error=access_denied&error_description=not+today&state=${url.searchParams.get('state')}`
      void fetch(wrong).then(async (response) => {
        expect([response.status, await response.text()]).toEqual([400, 'This is not the login that starbind began.\n'])
        await fetch(refusal)
      })
    }
    await expect(login(vault(), { open: spoil })).rejects.toThrow(
      'host error [login-failed] logging in to vault failed: "not today"',
    )
    const stopped = new AbortController()
    await expect(login(vault(), { open: () => stopped.abort(), signal: stopped.signal })).rejects.toThrow(
      'it was cancelled',
    )
  })

  it('ends at the authorization server where it began', async () => {
    const { says, issuer } = oauth
    const attempt = async (iss: string | undefined, metadata: object = {}) => {
      Object.assign(says, { iss, metadata })
      return login(vault(), { open: visit }).then(
        () => 'logged in',
        (error: Error) => error.message,
      )
    }
    const advertised = { authorization_response_iss_parameter_supported: true }
    const foreign =
      'host error [login-failed] logging in to vault failed: "the answer is not from the authorization server where the login began"'
    expect([await attempt(issuer), await attempt(issuer, advertised), await attempt(undefined)]).toEqual([
      'logged in',
      'logged in',
      'logged in',
    ])
    // Names are compared as they are written.
    for (const other of ['https://evil.example/', issuer.replace(/\/$/, ''), issuer.toUpperCase()])
      expect(await attempt(other)).toBe(foreign)
    expect(await attempt(undefined, advertised)).toBe(foreign)
    expect(await attempt(undefined, { issuer: 'https://other.example/' })).toBe(
      `host error [login-failed] logging in to vault failed: "${new URL(issuer).origin} calls itself the authorization server https://other.example/"`,
    )
    Object.assign(says, { iss: undefined, metadata: {} })
  })

  it('is refused where no server asks for it', async () => {
    const file = place.write('open.json', { mcpServers: { files: { command: 'true' } } })
    await expect(login(readConfiguration(file).servers[0]!, { open: visit })).rejects.toThrow(
      'host error [login-unneeded] the server files does not ask for a login',
    )
  })

  it('can use a client that was registered by hand, and sends no configured headers', async () => {
    const callbackPort = await ownPort()
    oauth.clients.set('by-hand', {
      client_id: 'by-hand',
      client_secret: 'hand-secret-1',
      redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
      token_endpoint_auth_method: 'client_secret_post',
    })
    const count = oauth.clients.size
    const more = {
      headers: { 'x-api-key': 'for-the-server-only' },
      oauth: { clientId: 'by-hand', clientSecret: 'hand-secret-1', callbackPort },
    }
    await login(vault(more), { open: visit })
    expect(oauth.clients.size).toBe(count)
    await using codeMode = await CodeMode.open({ configuration: readConfiguration(config(more)) })
    expect(codeMode.servers.status()).toMatchObject([{ state: 'ready' }])
  })
})

describe('starbind login and logout', () => {
  it('print the page, store the tokens, and delete them', async () => {
    const file = config()
    const env = { STARBIND_HOME: path.join(place.folder, 'home') }
    let isVisited = false
    const done = await starbind(['login', 'vault', '--no-browser', '--config', file], {
      cwd: place.folder,
      env,
      onStderr: (soFar) => {
        const page = /^(http\S+)\n/m.exec(soFar)?.[1]
        if (page === undefined || isVisited) return
        isVisited = true
        visit(new URL(page))
      },
    })
    expect([done.status, done.stdout]).toEqual([0, 'logged in to vault\n'])
    const listed = await starbindHere(['ls', '--fresh', '--config', file], { cwd: place.folder, env })
    expect(listed.stdout).toContain('vault.pyi  # 2 tools')
    const out = await starbindHere(['logout', 'vault', '--config', file], { cwd: place.folder, env })
    expect([out.status, out.stdout]).toEqual([0, 'logged out of vault\n'])
    expect(readdirSync(logins())).toEqual([])
    const after = await starbindHere(['ls', '--fresh', '--config', file], { cwd: place.folder, env })
    expect(after.stdout).toContain('wants a person to log in; run: starbind login vault')
    const wrong = await starbindHere(['login', 'valt', '--config', file], { cwd: place.folder, env })
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      'starbind: there is no server valt in the configuration; the servers are vault\n',
    ])
    expect(readFileSync(file, 'utf8')).not.toContain('access-')
  })
})
