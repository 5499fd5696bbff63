// Many callers at once, and upstreams that are killed meanwhile: no answer is lost or goes to another caller, failures
// are reported, everything recovers, and nothing leaks. `npm run test:long` makes it a minute.

import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { ServerEntry } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { type HttpFixture, openHttpFixture } from '../fixtures/http-server.js'
import { amount, random, usualSeed } from '../random.js'
import { openGateway, textOf } from './callers.js'

const CALLERS = amount(24, 64)
const seconds = amount(1, 60)
/** The timeout of every wait, long enough for a slow machine. */
const PATIENCE_MS = 600_000

const place = new Workplace()
let web: HttpFixture | undefined
afterAll(async () => {
  await web?.close()
  expect(place.alive()).toEqual([])
  place.remove()
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in use after a garbage collection. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** A server over HTTP that repeats its input, like the fixture `repeating-server`. */
function repeating(name: string): McpServer {
  const server = new McpServer({ name: 'repeating', version: '1' })
  server.registerTool('say', { inputSchema: { word: z.string() } }, ({ word }) => ({
    content: [{ type: 'text', text: `${name} says ${word}` }],
  }))
  return server
}

const script = fileURLToPath(new URL('../fixtures/repeating-server.mjs', import.meta.url))
const patient = { connectTimeoutMs: PATIENCE_MS, timeoutMs: PATIENCE_MS, pingMs: 0 }
const child = (name: string): ServerEntry => ({
  command: process.execPath,
  args: [script, name],
  env: { STARBIND_TEST_MARK: place.mark },
  ...patient,
})
const children = ['s0', 's1', 's2', 's3']
const mortal = [...children, 'web']

/** A server of this process, which is never killed. Its answers overtake each other. */
const { below: delay } = random()
const desk = {
  say: {
    call: async (args: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, delay(5)))
      return `desk says ${(args as { word: string }).word}`
    },
  },
}

/** The outcome of one program. */
type End = 'right' | 'failed' | 'wrong'

class Callers {
  readonly #clients: readonly Client[]
  readonly counts: Record<End, number> = { right: 0, failed: 0, wrong: 0 }
  /** Outcomes that are neither the right answer nor a proper failure. */
  readonly odd: string[] = []
  #round = 0
  #waiting: { readonly at: number; readonly wake: () => void }[] = []

  constructor(clients: readonly Client[]) {
    this.#clients = clients
  }

  get answered(): number {
    return this.counts.right + this.counts.failed + this.counts.wrong
  }

  /** Resolves when this many more answers have arrived. */
  answers(more: number): Promise<void> {
    return new Promise((wake) => this.#waiting.push({ at: this.answered + more, wake }))
  }

  /** Lets all callers run programs, one after another, until the end. */
  async work(isOver: () => boolean): Promise<void> {
    const each = this.#clients.map(async (_, who) => {
      do await this.ask(who, mortal[(who + this.#round) % mortal.length]!)
      while (!isOver())
    })
    await Promise.all(each)
  }

  /** One program of one caller, which calls the desk twice and a server that may be dead at the moment. */
  async ask(who: number, server: string): Promise<End> {
    const word = `${who}-${this.#round++}-`
    const says = (name: string, i: number) => `${name} says ${word}${i}`
    const calls = ['desk', server, 'desk'].map((name, i) => `${name}.say(word="${word}${i}")`)
    const right = ['desk', server, 'desk'].map(says).join(',')
    const call = { name: 'executeToolCode', arguments: { code: `print(",".join([${calls}]))` } }
    const answer = await this.#clients[who]!.callTool(call, undefined, { timeout: PATIENCE_MS })
    const text = textOf(answer)
    const [line = ''] = text.split('\n')
    const foreign = (text.match(/\d+-\d+-(?=\d)/g) ?? []).some((found) => found !== word)
    const isClean = answer.isError === true && clean(server).test(line)
    const end = foreign ? 'wrong' : line === right && answer.isError !== true ? 'right' : isClean ? 'failed' : 'wrong'
    this.counts[end]++
    if (end === 'wrong') this.odd.push(`${word} ${server}: ${text.slice(0, 300)}`)
    for (const one of this.#waiting) if (this.answered >= one.at) one.wake()
    this.#waiting = this.#waiting.filter(({ at }) => this.answered < at)
    return end
  }
}

/** The failure if the server is killed, or is not back yet. */
function clean(server: string): RegExp {
  const lost = `tool error \\[server-lost\\] the connection to ${server} was lost before say answered; it may have taken effect`
  return new RegExp(`^(${lost}|host error \\[server-not-available\\] the server ${server} is not available: \\S.+)$`)
}

/**
 * Kills one process after another, and breaks the connections of the server over HTTP, until the end. Resolves with the
 * number of kills.
 */
async function kill(
  callers: Callers,
  server: HttpFixture,
  isOver: () => boolean,
): Promise<{ processes: number; connections: number }> {
  const { below } = random()
  const done = { processes: 0, connections: 0 }
  do {
    await callers.answers(1 + below(50))
    if (done.connections === 0 || below(4) === 0) {
      const comeBack = server.goDown()
      await callers.answers(1 + below(50))
      comeBack()
      done.connections++
    }
    const alive = place.alive()
    const victim = alive[below(alive.length)]
    if (victim !== undefined) process.kill(Number(victim), 'SIGKILL')
    if (victim !== undefined) done.processes++
  } while (!isOver() || done.processes === 0)
  return done
}

it(
  `${CALLERS} callers run programs for ${seconds} seconds, and upstreams are killed while they do`,
  async () => {
    process.stdout.write(`load: seed ${usualSeed}\n`)
    const opened = await openHttpFixture({ server: () => repeating('web') })
    web = opened
    const { caller, codeMode } = await openGateway({
      servers: {
        desk: { inProcess: desk },
        ...Object.fromEntries(children.map((name) => [name, child(name)])),
        web: { url: opened.url, ...patient },
      },
      limits: { wallMs: PATIENCE_MS, cpuMs: PATIENCE_MS / 2 },
    })
    const callers = new Callers(
      await Promise.all(Array.from({ length: CALLERS }, (_, i) => caller({ name: `caller ${i}` }))),
    )
    const forPart = (part: number) => {
      const end = performance.now() + seconds * 1000 * part
      return () => performance.now() >= end
    }
    const { counts, odd } = callers

    // Without kills, nothing fails.
    await callers.work(forPart(1 / 4))
    expect({ odd, failed: counts.failed }).toEqual({ odd: [], failed: 0 })
    const before = held()

    let isKilling = true
    const killing = kill(callers, opened, forPart(1 / 2)).finally(() => {
      isKilling = false
    })
    await Promise.all([killing, callers.work(() => !isKilling)])
    expect(odd).toEqual([])
    const { failed } = counts

    // Everything recovers, and from then on nothing fails.
    for (const server of mortal) await expect.poll(() => callers.ask(0, server), { timeout: PATIENCE_MS }).toBe('right')
    const failedUntilBack = counts.failed
    await callers.work(forPart(1 / 4))
    expect({ odd, failed: counts.failed }).toEqual({ odd: [], failed: failedUntilBack })
    expect(codeMode.servers.status().map(({ name, state }) => [name, state])).toEqual(
      ['desk', ...mortal].map((name) => [name, 'ready']),
    )
    const after = held()

    expect(callers.answered).toBeGreaterThanOrEqual(CALLERS * 3)
    expect(codeMode.metrics()).toContain(`starbind_runs_total{outcome="ok"} ${counts.right}\n`)
    // A leak grows with every program; caches are full after the first ones.
    expect(after - before, `bytes: ${before}, then ${after}`).toBeLessThan(25_000_000)
    const { processes, connections } = await killing
    const [first, last] = [before, after].map((bytes) => (bytes / 1e6).toFixed(1))
    process.stdout.write(
      `load: ${counts.right} right answers, ${failed} clean failures; ${processes} processes killed, ${connections} times without a network; ${first} MB, then ${last} MB\n`,
    )
  },
  PATIENCE_MS * 2,
)
