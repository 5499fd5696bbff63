// Every section of the benchmarks works, at sizes so small that its figures mean nothing.

import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../docs/blocks.js'
import { isLong } from '../random.js'

/** The output of a section. */
function runQuick(...words: string[]): string {
  const args = [path.join(root, 'bench/main.mjs'), ...words, '--quick']
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

it('tokens: every program has the expected result', () => {
  // With the reference servers alone, as in a clone without saved catalogues.
  const shown = runQuick('tokens', '--catalogues', 'nowhere')
  expect(shown).toContain('10 tasks over 3 servers')
  expect(shown).toContain('26 tasks are missing: the catalogues of their servers are not there.')
  expect(shown).toMatch(/^all together +[\d,]+/m)
})

describe.runIf(isLong)('in the long form', () => {
  it('tokens: the section runs with the saved catalogues', () => {
    expect(runQuick('tokens')).toMatch(/^all together +[\d,]+/m)
  })

  it('latency: the section runs', () => {
    const shown = runQuick('latency')
    for (const caption of ['Chains of calls over stdio', 'Chains of calls over HTTP'])
      expect(shown.split(`${caption}\n`)[1]?.split('\n\n')[0]?.split('\n').length).toBe(3)
  })

  it('engines: the section runs', () => {
    const shown = runQuick('engines')
    for (const row of ['cold start to first result', 'fib(24), recursive', '50 host calls of 100 ms', 'memory per run'])
      expect(shown).toContain(`\n${row}`)
  })

  it('journey: the section runs', () => {
    const shown = runQuick('journey')
    for (const row of ['function, in sequence', 'stdio, in a program, read ahead', 'memory at the end'])
      expect(shown).toContain(`\n${row}`)
  })

  it('scale: the section runs', () => {
    const shown = runQuick('scale')
    for (const caption of [
      'Runs a second, by cores',
      'Callers of one',
      'Servers of ten tools each',
      'Tools, a hundred',
    ])
      expect(shown).toContain(`\n${caption}`)
  })

  it('replicas: the section runs, and nothing is wrong', () => {
    const shown = runQuick('replicas')
    if (shown.includes('Not measured: ')) return
    expect(shown).toMatch(/^ended with their result +[1-9]/m)
    expect(shown).toMatch(/^lost, done twice, or mixed up +0$/m)
    expect(shown).toMatch(/^5 of them, approved at once, have ended after/m)
  })
})
