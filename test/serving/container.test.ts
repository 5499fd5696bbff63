// The files of examples/replicas. No engine for containers is needed: what the image and compose.yaml would start is
// started here as they say, in a folder that is not written to.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { addKey } from '../../dist/index.js'
import { blocksMarked, textOf as docOf } from '../docs/blocks.js'
import { main } from '../fixtures/command.js'
import { redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const root = path.resolve(import.meta.dirname, '../..')
const example = path.join(root, 'examples/replicas')
const textOf = (name: string) => readFileSync(path.join(example, name), 'utf8')

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, object>>
  readonly read_only?: boolean
  readonly deploy?: { readonly replicas: number }
  readonly cap_drop?: readonly string[]
}

const PASSWORD = 'f00d'
const compose = parse(textOf('compose.yaml').replace(/\$\{REDIS_PASSWORD:\?[^}]+\}/g, PASSWORD), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}
const { services } = compose
const ours = Object.entries(services).filter(([, { image }]) => image === 'starbind')

/** The last stage of the Dockerfile, an instruction a line. */
const image = textOf('Dockerfile')
  .replaceAll(/ *\\\n */g, ' ')
  .split(/^FROM /m)
  .at(-1)!
const inImage = (instruction: RegExp) => JSON.parse(instruction.exec(image)![1]!) as string[]
const health = inImage(/^HEALTHCHECK .*? CMD (\[.*\])$/m)
const usualCommand = inImage(/^CMD (\[.*\])$/m)

describe('compose.yaml', () => {
  it('has replicas, a balancer with room for them, and Redis', () => {
    const [, room, name = '', port] = /^ {2}server-template starbind (\d+) (\w+):(\d+)$/m.exec(textOf('haproxy.cfg'))!
    const { command, deploy: { replicas = 1 } = {} } = services[name]!
    expect([command, replicas, Number(room) >= 2 * replicas]).toEqual([undefined, 3, true])
    expect(port).toBe(usualCommand.at(-1))
    for (const [, { environment }] of ours)
      expect(environment).toEqual({ REDIS_URL: `redis://:${PASSWORD}@redis:6379` })
  })

  it('has a worker, which is a replica that the balancer does not know', () => {
    expect(services.worker?.command?.slice(0, -2)).toEqual(usualCommand)
  })

  it('names services, volumes and files that there are', () => {
    for (const { depends_on = {}, volumes = [] } of Object.values(services)) {
      expect(Object.keys(depends_on).filter((name) => !(name in services))).toEqual([])
      const sources = volumes.map((volume) => volume.split(':')[0]!)
      const files = sources.filter((source) => source.startsWith('./') && source !== './keys.json')
      expect(files.filter((file) => !existsSync(path.join(example, file)))).toEqual([])
      const named = sources.filter((source) => !source.startsWith('./'))
      expect(named.filter((name) => !(name in compose.volumes))).toEqual([])
    }
  })

  it('lets a process of ours write nothing, and gives it no rights', () => {
    for (const [name, service] of ours)
      expect([name, service]).toEqual([name, expect.objectContaining({ read_only: true, cap_drop: ['ALL'] })])
    expect(image).toMatch(/^USER node$/m)
  })
})

it('the image has the packages for Redis, in the versions that starbind wants', () => {
  const { peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    peerDependencies: Readonly<Record<string, string>>
  }
  const installed = [...image.matchAll(/ ([a-z-]+)@(\d+)(?= )/g)].map(([, name, major]) => [name, major])
  expect(installed.map(([name]) => name)).toEqual(['ioredis', 'bullmq', 'rate-limiter-flexible'])
  for (const [name, major] of installed) expect(peerDependencies[name!]).toMatch(new RegExp(`^\\^${major}\\.`))
})

it('the context of the build has what the image is made of', () => {
  const [all, ...kept] = textOf('Dockerfile.dockerignore').trim().split('\n')
  expect(all).toBe('*')
  expect(kept.filter((line) => !line.startsWith('!') || !existsSync(path.join(root, line.slice(1))))).toEqual([])
  const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { files: string[] }
  const published = files.filter((name) => !/^!?dist/.test(name))
  expect([...published, 'src', 'scripts', 'package-lock.json'].filter((name) => !kept.includes(`!${name}`))).toEqual([])
})

it('the alerts of docs/operating.md name metrics that there are', () => {
  const [block] = blocksMarked('yaml', 'alerts')
  const { groups } = parse(block!.source) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const rules = groups.flatMap(({ rules }) => rules)
  const named = rules.flatMap(({ expr }) => expr.match(/\bstarbind_\w+/g) ?? [])
  expect(named.length).toBeGreaterThanOrEqual(rules.length)
  const documented = docOf('docs/gateway.md') + docOf('docs/approvals.md')
  expect(named.filter((name) => !documented.includes(`\`${name}`))).toEqual([])
})

describe.skipIf(redisServer === undefined)(`what the image starts (${redisServer ?? whyNoRedis})`, () => {
  const [etc, home] = ['etc', 'home'].map((name) => mkdtempSync(path.join(tmpdir(), `starbind-${name}-`))) as [
    string,
    string,
  ]
  afterAll(() => {
    chmodSync(etc, 0o755)
    for (const folder of [etc, home]) rmSync(folder, { recursive: true })
  })

  it('serves callers, is healthy until it ends, and writes nothing beside its files', async () => {
    const [, , shell = ''] = services.redis?.command ?? []
    const options = shell.split('redis-server ')[1]!.split(' ')
    const args = options.map((word) => word.replace('"$$REDIS_PASSWORD"', PASSWORD))
    expect(args).toContain('noeviction')
    await using redis = await startRedis({ args })
    copyFileSync(path.join(example, 'starbind.json'), path.join(etc, 'starbind.json'))
    const key = addKey(path.join(etc, 'keys.json'), 'someone')
    chmodSync(etc, 0o555)
    const { XDG_STATE_HOME, XDG_CONFIG_HOME, ...environment } = process.env
    const [, { environment: set = {} }] = ours[0]!
    const REDIS_URL = set.REDIS_URL!.replace('redis:6379', `127.0.0.1:${redis.port}`)
    // Its command is that of the others, and more.
    const words = services.worker!.command!.map((word) => ({ '0.0.0.0': '127.0.0.1', '8080': '0' })[word] ?? word)
    const serving = spawn(process.execPath, [main, ...words], {
      cwd: etc,
      env: { ...environment, HOME: home, REDIS_URL },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(serving, 'exit')
    let port = ''
    for await (const line of createInterface({ input: serving.stderr })) {
      port = /serving on http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(line)?.[1] ?? ''
      if (port !== '') break
    }
    expect(await statusOf(health, port)).toBe(0)
    const url = `http://127.0.0.1:${port}`
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ok', redis: 'reachable' })
    expect((await fetch(`${url}/metrics`)).status).toBe(401)
    expect((await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } })).status).toBe(200)
    serving.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await statusOf(health, port)).toBe(1)
    expect(readdirSync(etc)).toEqual(['keys.json', 'starbind.json'])
  })
})

/** The exit status of the image's health check, on another port. */
function statusOf([program, ...args]: readonly string[], port: string): Promise<unknown> {
  expect(program).toBe('node')
  return new Promise((resolve) => {
    const words = args.map((word) => word.replace(':8080/', `:${port}/`))
    execFile(process.execPath, words, (error) => resolve(error === null ? 0 : error.code))
  })
}
