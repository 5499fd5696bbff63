// Many callers at once: nobody loses an answer, nobody gets another's, and what was done leaves nothing behind. STARBIND_LOAD_SECONDS=60 makes it long.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { expect, it } from 'vitest'
import { openGateway, textOf } from './callers.js'

const CALLERS = 64
const seconds = Number(process.env.STARBIND_LOAD_SECONDS ?? 4)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that are in use after everything unused was thrown away. */
function held(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

it(
  `${CALLERS} callers that run programs for ${seconds} seconds each get their own answers`,
  async () => {
    const echo = async (args: unknown) => {
      // Answers overtake each other.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
      return { said: (args as { word: string }).word }
    }
    const servers = { desk: { inProcess: { echo: { call: echo } } } }
    const { caller, codeMode } = await openGateway({ servers })
    const clients = await Promise.all(Array.from({ length: CALLERS }, (_, i) => caller({ name: `caller ${i}` })))
    const wrong: string[] = []
    let answered = 0
    const ask = async (client: Client, who: number, round: number): Promise<void> => {
      const word = `${who}-${round}`
      const code = `words = [desk.echo(word="${word}/%d" % i)["said"] for i in range(3)]\nprint(",".join(words))`
      const text = textOf(await client.callTool({ name: 'executeToolCode', arguments: { code } }))
      if (text.split('\n')[0] !== `${word}/0,${word}/1,${word}/2`) wrong.push(`${word}: ${text.slice(0, 200)}`)
      answered++
    }
    const load = async (ms: number, from: number): Promise<number> => {
      const end = performance.now() + ms
      const each = clients.map(async (client, who) => {
        let round = from
        do await ask(client, who, round++)
        while (performance.now() < end)
        return round
      })
      return Math.max(...(await Promise.all(each)))
    }
    const warm = await load((seconds * 1000) / 4, 0)
    const before = held()
    const half = await load((seconds * 1000 * 3) / 8, warm)
    const between = held()
    await load((seconds * 1000 * 3) / 8, half)
    const after = held()
    expect(wrong).toEqual([])
    expect(codeMode.metrics()).toContain(`starbind_runs_total{outcome="ok"} ${answered}\n`)
    expect(answered).toBeGreaterThanOrEqual(CALLERS * 3)
    // A leak grows with every run; what caches hold is there after the first of them.
    const growth = [between - before, after - between].map((bytes) => Math.round(bytes / 1e6))
    expect(Math.min(...growth), `MB: ${growth}`).toBeLessThan(10)
    process.stdout.write(`${answered} programs, heap ${Math.round(before / 1e6)} MB, then ${growth} MB more\n`)
  },
  (seconds + 120) * 1000,
)
