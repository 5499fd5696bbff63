// Questions about thousands of unknown names do not delay others, and their answers have the usual length.

import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { canWatchLoop, leastHeldMs } from '../fixtures/loop-watch.js'

/** The maximum time for which anything may block the loop. */
const MOST_MS = 50
const ANSWER_CHARS = 24_000

const tools = Array.from(
  { length: 300 },
  (_, i) => [`tool_${i}`, { inputSchema: { type: 'object' }, call: () => i }] as const,
)
const codeMode = await CodeMode.open({ servers: { s: { inProcess: Object.fromEntries(tools) } } })
afterAll(() => codeMode.close())

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `tol_${i}`)

describe.skipIf(!canWatchLoop)('the event loop is not blocked by', () => {
  it.each([
    ['files', () => codeMode.readToolFile({ fileNames: names(5_000).map((name) => `servers/s/${name}`) })],
    ['tools', () => codeMode.getToolDocs({ server: 's', tools: names(10_000) })],
    ['words', () => codeMode.listToolFiles({ query: 'open the thing '.repeat(14_000) })],
  ])('questions about thousands of %s', async (_, ask) => {
    const answered = async () => expect((await ask()).text.length).toBeLessThanOrEqual(ANSWER_CHARS)
    await answered()
    expect(await leastHeldMs(answered)).toBeLessThan(MOST_MS)
  })
})
