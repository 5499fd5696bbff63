// The switches for running ahead of reads, through the library: three calls of one tool overlap, or no two of them.

import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CodeMode, type InProcessTools } from '../../dist/index.js'

const program = 'result = [row["id"] for row in [api.fetch(id=i) for i in range(3)]]'

/**
 * A tool that reports the maximum number of its overlapping calls. With `wanted`, a call ends when that many have
 * arrived.
 */
function counting(hint: boolean | undefined, wanted: number) {
  let underway = 0
  let most = 0
  const tools: InProcessTools = {
    fetch: {
      ...(hint === undefined ? {} : { annotations: { readOnlyHint: hint } }),
      inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      call: async (args, { signal }) => {
        underway++
        most = Math.max(most, underway)
        for (let turns = 0; turns < 20 || most < wanted; turns++) {
          signal.throwIfAborted()
          await turn()
        }
        underway--
        return { id: (args as { id: number }).id }
      },
    },
  }
  return { tools, most: () => most }
}

describe('three reads', () => {
  it.each([
    ['of a tool that says it only reads', true, {}],
    ['of a tool that the configuration lists as a read', undefined, { reads: ['fetch'] }],
    ['of a server that is switched on where all others are off', true, { readAhead: true }],
  ])('are underway together: %s', async (_, hint, entry) => {
    const { tools, most } = counting(hint, 3)
    const readAhead = !('readAhead' in entry)
    await using codeMode = await CodeMode.open({ servers: { api: { inProcess: tools, ...entry } }, readAhead })
    expect((await codeMode.run(program)).result).toEqual([0, 1, 2])
    expect(most()).toBe(3)
  })

  it.each([
    ['of a tool that does not say that it only reads', undefined, {}, {}, {}],
    ['of a tool that the configuration lists as a write', true, { writes: ['fetch'] }, {}, {}],
    ['of a server that is switched off', true, { readAhead: false }, {}, {}],
    ['where all servers are switched off', true, {}, { readAhead: false }, {}],
    ['in a run that is switched off', true, {}, {}, { readAhead: false }],
  ])('come one after the other: %s', async (_, hint, entry, options, ofRun) => {
    const { tools, most } = counting(hint, 1)
    await using codeMode = await CodeMode.open({ servers: { api: { inProcess: tools, ...entry } }, ...options })
    expect((await codeMode.run(program, ofRun)).result).toEqual([0, 1, 2])
    expect(most()).toBe(1)
  })

  it('are made one after the other if a call of executeToolCode disables reading ahead', async () => {
    const { tools, most } = counting(true, 1)
    await using codeMode = await CodeMode.open({ servers: { api: { inProcess: tools } } })
    const answer = await codeMode.executeToolCode({ code: program, readAhead: false })
    expect(answer.isError).toBe(false)
    expect(most()).toBe(1)
  })
})
