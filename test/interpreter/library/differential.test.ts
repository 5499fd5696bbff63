// Thousands of generated expressions on each part of the library, evaluated by starbind and by CPython. expressions.py
// chooses them by a seed, which the name of the test shows; STARBIND_SEED gives another one.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../../dist/index.js'
import { amount, usualSeed } from '../../random.js'
import { python, pythonIsRecent, whyNoPython } from './python.js'

const topics = [
  'floats',
  'specs',
  'percents',
  'strings',
  'numbers',
  'texts',
  'jsons',
  'binaries',
  'containers',
  'patterns',
  'iterations',
  'samples',
  'moments',
  'addresses',
  'decimals',
  'rationals',
  'differences',
  'inheriting',
]
const count = String(amount(100, 400))

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: {}, limits: { wallMs: 600_000, cpuMs: 300_000 } })
})
afterAll(() => codeMode.close())

/** The program of each topic, and what CPython prints for it. */
function asked(seed: number): [program: string, printed: string][] {
  const args = ['-W', 'ignore', path.join(import.meta.dirname, 'expressions.py'), String(seed), count, ...topics]
  const { stdout, stderr, status } = spawnSync(python, args, {
    encoding: 'utf8',
    cwd: '/',
    env: { ...process.env, TZ: 'UTC', PYTHONIOENCODING: 'utf-8' },
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

describe.skipIf(!pythonIsRecent)(`expressions, seed ${usualSeed}`, () => {
  const rounds = pythonIsRecent ? Array.from({ length: amount(1, 10) }, (_, i) => asked(usualSeed + i)) : []
  it.each(topics.map((topic, i) => [topic, i] as const))(
    `%s: gives the results of CPython${whyNoPython}`,
    async (_, i) => {
      for (const round of rounds) {
        const [program, printed] = round[i]!
        const run = await codeMode.run(program)
        expect(run.error).toBeNull()
        const shown = program.split('\n').filter((line) => line.startsWith('show('))
        const beside = (answers: readonly string[]): string[] =>
          answers.map((answer, at) => `${shown[at]}\n  ${answer}`)
        expect(beside(run.logs.flatMap((log) => log.split('\n')))).toEqual(beside(printed.split('\n').slice(0, -1)))
      }
    },
  )
})
