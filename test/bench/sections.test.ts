// Every section of the benchmarks works, at sizes so small that its figures mean nothing.

import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../docs/blocks.js'
import { isLong } from '../random.js'

/** Prints what a section prints, without the figures. */
function runQuick(section: string): string {
  const args = [path.join(root, 'bench/main.mjs'), section, '--quick']
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

it('latency', () => {
  const shown = runQuick('latency')
  for (const caption of ['Chains of calls over stdio', 'Chains of calls over HTTP'])
    expect(shown.split(`${caption}\n`)[1]?.split('\n\n')[0]?.split('\n').length).toBe(3)
})

it('tokens: every program gives what it must', () => {
  const shown = runQuick('tokens')
  expect(shown).toContain('Every program was run at every size and gave the expected answer.')
  expect(shown).toMatch(/^all together +[\d,]+/m)
})

describe.runIf(isLong)('in the long form', () => {
  it('engines', () => {
    const shown = runQuick('engines')
    for (const row of ['cold start to first result', 'fib(24), recursive', '50 host calls of 100 ms', 'memory per run'])
      expect(shown).toContain(`\n${row}`)
  })
  it('scale', () => {
    const shown = runQuick('scale')
    for (const caption of [
      'Runs a second, by cores',
      'Callers of one',
      'Servers of ten tools each',
      'Tools, a hundred',
    ])
      expect(shown).toContain(`\n${caption}`)
  })
})
