// Logins that the processes of one deployment share: who may read them, how two processes renew one token, and what a
// wrong key does.

import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CodeMode, type LogLine, login, logout, readConfiguration } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { type OAuthFixture, openOAuthFixture } from '../fixtures/oauth-server.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const KEY = 'a key of the deployment'

describe.skipIf(redisServer === undefined)(`logins in Redis (${redisServer ?? whyNoRedis})`, () => {
  const place = new Workplace()
  let oauth: OAuthFixture
  let redis: RedisFixture
  let client: Redis
  const open: CodeMode[] = []
  const logs: LogLine[] = []
  beforeAll(async () => {
    process.env.STARBIND_HOME = path.join(place.folder, 'home')
    redis = await startRedis()
    client = new Redis(redis.url)
    oauth = await openOAuthFixture(() => {
      const server = new McpServer({ name: 'vault', version: '1.0.0' })
      server.registerTool('ping', {}, () => ({ content: [{ type: 'text', text: 'pong' }] }))
      return server
    })
  })
  beforeEach(async () => {
    for (const codeMode of open.splice(0)) await codeMode.close()
    await client.flushall()
    logs.length = 0
  })
  afterAll(async () => {
    for (const codeMode of open) await codeMode.close()
    client.disconnect()
    await oauth.close()
    await redis[Symbol.asyncDispose]()
    delete process.env.STARBIND_HOME
    place.remove()
  })

  const configured = (stateKey: string | undefined = KEY) => {
    const codeMode = { state: redis.url, stateKey, approve: 'never' }
    return readConfiguration(place.write('starbind.json', { mcpServers: { vault: { url: oauth.url } }, codeMode }))
  }
  const process_ = async (configuration = configured()) => {
    const made = await CodeMode.open({ configuration, warm: false, log: (line) => logs.push(line) })
    open.push(made)
    return made
  }
  const visit = (url: URL) => void fetch(url).then((response) => response.text())
  const vault = (configuration = configured()) => [configuration.servers[0]!, { open: visit, configuration }] as const
  const pinged = async (codeMode: CodeMode) => (await codeMode.run('result = vault.ping()')).result

  it('are there for all, in no file and in no clear text', async () => {
    await login(...vault())
    expect(existsSync(path.join(place.folder, 'home', 'logins'))).toBe(false)
    expect(await pinged(await process_())).toBe('pong')
    const stored = await client.mget(await client.keys('starbind:document:*'))
    expect(stored.length).toBe(3)
    for (const secret of ['access-', 'refresh-', oauth.url, 'vault', 'client_id'])
      expect(stored.some((text) => text!.includes(secret) || Buffer.from(text!, 'base64').includes(secret))).toBe(false)
    expect(await logout(vault()[0], { configuration: configured() })).toBe(true)
    expect(await logout(vault()[0], { configuration: configured() })).toBe(false)
  })

  it('that are made while another process runs are noticed there', async () => {
    const running = await process_()
    expect((await running.run('vault.ping()')).error?.message).toContain('wants a person to log in')
    await login(...vault())
    await expect.poll(() => running.servers.status()[0]?.state, { timeout: 20_000 }).toBe('ready')
    expect(await pinged(running)).toBe('pong')
  })

  it('are renewed once, however many processes need a new token at once', async () => {
    await login(...vault())
    const all = [await process_(), await process_(), await process_()]
    const unused = oauth.refresh.size
    for (let n = 0; n < 3; n++) {
      const before = oauth.access.size
      const tokens = new Set(oauth.access)
      oauth.access.clear()
      expect(await Promise.all(all.map(pinged))).toEqual(['pong', 'pong', 'pong'])
      expect([before > 0, oauth.access.size, [...oauth.access].some((token) => tokens.has(token))]).toEqual([
        true,
        1,
        false,
      ])
    }
    expect(oauth.refresh.size).toBe(unused)
  })

  it('are not opened with another key, which changes nothing', async () => {
    await login(...vault())
    const before = await client.mget((await client.keys('starbind:document:*')).sort())
    const other = configured('another key of that length')
    const wrong =
      'host error [state-key-wrong] stateKey is not the key with which the logins of this deployment were encrypted; nothing was changed'
    await expect(process_(other)).rejects.toThrow(wrong)
    await expect(login(...vault(other))).rejects.toThrow(wrong)
    expect(await client.mget((await client.keys('starbind:document:*')).sort())).toEqual(before)
    expect(await pinged(await process_())).toBe('pong')
  })

  it('that somebody changed or exchanged in the store are not used', async () => {
    await login(...vault())
    const [document] = await client.keys('starbind:document:login:*')
    const [text, check] = await client.mget(document!, 'starbind:document:logins:check')
    const bent = text!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    for (const forged of [check!, bent, text!.slice(0, -8), 'nothing', '']) {
      await client.set(document!, forged)
      logs.length = 0
      const made = await process_()
      expect((await made.run('vault.ping()')).error?.message).toContain('wants a person to log in')
      expect(logs.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^the login to http:\/\/127\S+ can't be read: /),
      )
    }
  })

  it('stay in files without a key, and the log says so', async () => {
    const keyless = configured()
    const { stateKey: _, ...configuration } = { ...keyless, stateKey: undefined }
    await login(...vault(configuration))
    expect(readdirSync(path.join(place.folder, 'home', 'logins')).length).toBe(1)
    expect(await pinged(await process_(configuration))).toBe('pong')
    expect(logs.map(({ message }) => message)).toContain(
      'the logins to vault are known on this machine only; set stateKey to share logins',
    )
    expect(await client.keys('starbind:document:login*')).toEqual([])
    await logout(vault(configuration)[0])
  })
})
