// Hostile callers, programs and upstreams beside honest callers: the honest get right answers and wait for nobody,
// nothing holds the event loop, and the memory stays flat. SOAK_SECONDS=600 makes it long, STARBIND_SEED=7
// draws others. .ci/run does it for a minute and `npm run test:long` for ten, alone.

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { canWatchLoop } from '../fixtures/loop-watch.js'
import { usualSeed } from '../random.js'

const HONEST = 4
const HOSTILE = 4
const seconds = Number(process.env.SOAK_SECONDS ?? 1)
const isLong = seconds >= 600
/** The maximum time for which anything may block the loop, in processor time. */
const HELD_MS = 50

const dist = process.env.TESTED_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'starbind-soak-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

interface Figures {
  readonly longestMs: number
  readonly times: number
  readonly heldBytes: number
}

interface Ends {
  /** The duration of each answer, in milliseconds. */
  readonly took: number[]
  readonly wrong: string[]
  readonly ends: { readonly answered: number; readonly failed: number }
}

function start(script: string, given: object, execArgv: string[] = []): ChildProcess {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const child = fork(file, [JSON.stringify(given)], { execArgv })
  children.push(child)
  return child
}

function said<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (status) => reject(new Error(`it ended with status ${status}`)))
  })
}

function part(took: readonly number[], share: number): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * share)] ?? Number.NaN
}

it.skipIf(!canWatchLoop)(
  `${HONEST} honest callers beside ${HOSTILE} hostile ones, for ${seconds} seconds`,
  async () => {
    const keysFile = path.join(folder, 'keys.json')
    const keys = { honest: addKey(keysFile, 'honest'), hostile: addKey(keysFile, 'hostile') }
    const gateway = start('gateway.mjs', { dist, keysFile }, ['--expose-gc'])
    const { url } = await said<{ url: string }>(gateway)
    const call = (role: keyof typeof keys, count: number, length: number) =>
      said<Ends>(start('callers.mjs', { role, url, key: keys[role], count, seconds: length, seed: usualSeed }))
    const ask = async (): Promise<Figures> => {
      gateway.send('figures')
      return said<Figures>(gateway)
    }
    const both = async (length: number): Promise<Ends> => {
      const [honest, hostile] = await Promise.all([call('honest', HONEST, length), call('hostile', HOSTILE, length)])
      expect(hostile.ends.answered + hostile.ends.failed).toBeGreaterThan(0)
      return honest
    }

    // Fills caches that are filled once.
    await call('honest', HONEST, 1)
    await both(seconds / 4)
    const before = await ask()
    gateway.send('forget')

    const { took, wrong } = await both(seconds)
    const after = await ask()
    const p = (share: number) => part(took, share).toFixed(1)
    const times = `p50 ${p(0.5)} ms, p99 ${p(0.99)} ms, longest ${Math.max(...took).toFixed(1)} ms`
    const growth = (after.heldBytes / before.heldBytes).toFixed(2)
    process.stdout.write(
      `soak: seed ${usualSeed}, ${took.length} honest answers, ${times}; loop held for ${after.longestMs.toFixed(1)} ms at the longest, ${after.times} times for more than ${HELD_MS}; memory ×${growth}\n`,
    )
    expect(wrong).toEqual([])
    expect(took.length).toBeGreaterThan(HONEST)
    // Times on a shared machine mean little: the long form is for an idle one.
    if (isLong) expect(part(took, 0.99)).toBeLessThan(100)
    // A few times something may take longer beside other work of the machine; what a hostile caller can do, it does
    // hundreds of times.
    if (isLong) expect(after.longestMs).toBeLessThan(HELD_MS)
    else expect(after.times).toBeLessThanOrEqual(10)
    expect(after.heldBytes).toBeLessThan(before.heldBytes * 1.5 + 20_000_000)

    gateway.send('end')
    await new Promise((resolve) => gateway.once('exit', resolve))
  },
  2_000 * seconds + 600_000,
)
