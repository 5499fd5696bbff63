// What becomes of child processes, and of what they started, when they are killed and when we are; and how much they
// may say at once.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { checkConfiguration, type LogLine, type ServerEntry, Upstreams } from '../../dist/gateway/index.js'
import { called } from '../fixtures/called.js'
import { main, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url))
const env = { STARBIND_TEST_MARK: place.mark }

/** A server behind a shell that waits for it and takes nothing along when it dies, as npx does. */
const launched = (name: string): ServerEntry => ({
  command: 'sh',
  args: ['-c', `"${process.execPath}" "${fixture(name)}" a; exit`],
  env,
})

async function open(mcpServers: Record<string, ServerEntry>, log: LogLine[] = []): Promise<Upstreams> {
  const { servers } = checkConfiguration({ mcpServers }, { folder: '/', placeOf: () => 'test' })
  return Upstreams.open(servers, { log: (line) => log.push(line), version: '0.0.0', connectTimeoutMs: 60_000 })
}

async function pidFrom(upstreams: Upstreams, server: string): Promise<number> {
  const { content } = await upstreams.call(server, 'pid', {})
  return Number((content[0] as { text: string }).text)
}

describe.skipIf(process.platform === 'win32')('a server behind a launcher', () => {
  it('ends when its launcher is killed, and a new one takes its place', async () => {
    const log: LogLine[] = []
    const upstreams = await open({ one: launched('changing-server') }, log)
    const pid = await pidFrom(upstreams, 'one')
    const [launcher] = place.alive().filter((other) => Number(other) !== pid)
    process.kill(Number(launcher), 'SIGKILL')
    await expect.poll(() => place.alive()).not.toContain(String(pid))
    await expect.poll(() => log.filter(({ message }) => message.startsWith('ready with')).length).toBe(2)
    expect(await pidFrom(upstreams, 'one')).not.toBe(pid)
    await upstreams.close()
    expect(place.alive()).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('a server process', () => {
  async function serving(name: string, detached = false): Promise<ChildProcess> {
    const config = place.write('starbind.json', { mcpServers: { one: launched(name) } })
    const args = [main, 'serve', '--config', config, '--log-level', 'debug']
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'], detached })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
    })
    await expect.poll(() => said).toContain('ready with 1 tool')
    expect(place.alive().length).toBeGreaterThan(1)
    return child
  }

  it.each([
    ['is asked to end', 'SIGTERM'],
    ['is killed', 'SIGKILL'],
  ] as const)('ends when starbind %s, even if it is stubborn', async (_, signal) => {
    const child = await serving('stubborn-server')
    child.kill(signal)
    await once(child, 'exit')
    await expect.poll(() => place.alive()).toEqual([])
  })

  it('ends when starbind is killed together with its process group', async () => {
    const child = await serving('stubborn-server', true)
    process.kill(-child.pid!, 'SIGKILL')
    await once(child, 'exit')
    await expect.poll(() => place.alive()).toEqual([])
  })
})

describe('a message', () => {
  it('may be long, and one over the limit is skipped and affects no other call', async () => {
    const upstreams = await open({
      giant: {
        command: process.execPath,
        args: [fixture('giant-server')],
        env,
        timeoutMs: 250_000,
        maxBytes: 40 * 2 ** 20,
      },
    })
    const bytes = 9 * 1024 * 1024
    const { content } = await upstreams.call('giant', 'fill', { bytes })
    expect((content[0] as { text: string }).text.length).toBe(bytes)
    const failure = called(upstreams, 'giant', 'fill', { bytes: bytes + 2 ** 21 }).catch(
      (error: Error) => error.message,
    )
    const next = await upstreams.call('giant', 'fill', { bytes: 3 })
    expect(await failure).toBe(
      'limit [answer-unread] giant.fill answered with a message of more than 10 MiB, which is not read; it may have taken effect\nhint: ask for less: a filter, a page or a range',
    )
    expect((next.content[0] as { text: string }).text).toBe('xxx')
    expect(upstreams.status()[0]?.state).toBe('ready')
    await upstreams.close()
  })
})
