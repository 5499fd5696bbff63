// Servers and callers that send next to nothing, without an end: blank lines, comments, events without a message, bytes
// one at a time. Each piece costs more to process than to send. The event loop is not held, the calls of others are
// answered, and the excess is reported.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { CodeMode, type LogLine } from '../../dist/index.js'
import { canWatchLoop, leastHeldMs } from '../fixtures/loop-watch.js'
import { isLong } from '../random.js'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
const quiet = { inProcess: { count: { call: () => 3 } } }
const limits = { wallMs: 600_000 }

const isFine = (run: () => Promise<{ readonly ok: boolean }>) => async () => expect((await run()).ok).toBe(true)

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.disconnect()
})

/** Starts a fixture, and returns its first output. */
async function started(script: string, args: readonly string[]): Promise<string> {
  const child = fork(fixture(script), args)
  children.push(child)
  return new Promise((resolve) => child.once('message', (said) => resolve(said as string)))
}

const dripping = (line: string) => started('dripping-server.mjs', [line])

describe.skipIf(!canWatchLoop)('without an end', () => {
  const lines: LogLine[] = []
  const isTold = () => lines.some(({ message }) => message.includes('too many notifications or requests'))

  async function others(codeMode: CodeMode): Promise<void> {
    const calls = () => codeMode.run('for i in range(100):\n    quiet.count()')
    await expect.poll(isTold).toBe(true)
    expect(await leastHeldMs(isFine(calls))).toBeLessThan(50)
  }

  const kinds = [
    ['blank lines', '\n'],
    ['comments', ':\n'],
    ['events without a message', 'data:\n\n'],
    ['messages that are none', 'data: {}\n\n'],
  ] as const
  /** For the long form: other fields of events. */
  const alike = [
    ['numbers of events', 'id: 1\n\n'],
    ['names of events', 'event: x\n\n'],
    ['times to wait for', 'retry: 1000\n'],
  ] as const
  it.each(isLong ? [...kinds, ...alike] : kinds)('%s over HTTP', async (_, line) => {
    lines.length = 0
    const loud = { url: await dripping(line) }
    await using codeMode = await CodeMode.open({ servers: { loud, quiet }, limits, log: (one) => lines.push(one) })
    await others(codeMode)
  })

  it.each(['blank', 'blank-words'])('blank lines of a child process (%s)', async (kind) => {
    lines.length = 0
    const loud = { command: process.execPath, args: [fixture('flooding-server.mjs'), kind], pingMs: 0 }
    await using codeMode = await CodeMode.open({
      servers: { loud, quiet },
      limits,
      log: (one) =>
        lines.push({
          ...one,
          message: one.message.replace('too many lines for the log', 'too many notifications or requests'),
        }),
    })
    expect((await codeMode.run('loud.flood()')).ok).toBe(true)
    await others(codeMode)
  })
})

it.skipIf(!canWatchLoop)('an answer that comes byte by byte blocks nothing and is right', async () => {
  const slow = { url: await dripping(':\n') }
  await using codeMode = await CodeMode.open({ servers: { slow, quiet }, limits })
  const length = 200_000
  expect(await leastHeldMs(isFine(() => codeMode.run(`result = len(slow.drip(length=${length}))`)))).toBeLessThan(50)
  expect((await codeMode.run(`result = slow.drip(length=${length}) == "x" * ${length}`)).result).toBe(true)
})

it.skipIf(!canWatchLoop)('a request that comes byte by byte is refused before it costs much', async () => {
  await using codeMode = await CodeMode.open({ servers: { quiet }, serve: { port: 0 } })
  const { url } = await codeMode.serveHttp()
  const send = (length: number) => started('dripping-caller.mjs', [url, `${length}`])
  expect(await send(500)).toBe('HTTP/1.1 200 OK')
  const refused = async () => expect(await send(300_000)).toBe('HTTP/1.1 400 Bad Request')
  expect(await leastHeldMs(refused)).toBeLessThan(50)
})
