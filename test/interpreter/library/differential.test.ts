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
const count = String(amount(200, 400))

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: {}, limits: { wallMs: 600_000, cpuMs: 300_000 } })
})
afterAll(() => codeMode.close())

function ask(args: readonly string[], input?: string): string {
  const { stdout, stderr, status } = spawnSync(python, args, {
    encoding: 'utf8',
    cwd: '/',
    env: { ...process.env, TZ: 'UTC', PYTHONIOENCODING: 'utf-8' },
    maxBuffer: 1 << 28,
    ...(input === undefined ? {} : { input }),
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

describe(`expressions, seed ${usualSeed}`, () => {
  it.skipIf(!pythonIsRecent).each(topics)(`%s: gives the results of CPython${whyNoPython}`, async (topic) => {
    for (let round = 0; round < amount(1, 10); round++) {
      const program = ask([path.join(import.meta.dirname, 'expressions.py'), topic, String(usualSeed + round), count])
      const expected = ask(['-W', 'ignore', '-'], program).split('\n').slice(0, -1)
      const run = await codeMode.run(program)
      expect(run.error).toBeNull()
      const shown = program.split('\n').filter((line) => line.startsWith('show('))
      const beside = (answers: readonly string[]): string[] => answers.map((answer, i) => `${shown[i]}\n  ${answer}`)
      expect(beside(run.logs.flatMap((log) => log.split('\n')))).toEqual(beside(expected))
    }
  })
})
