// Programs that use the library in every form, with the output of CPython 3.11 beside them. The long form runs them
// again in a python3 of that version, if one is installed, so that the recorded outputs can't drift from Python's.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../../dist/index.js'
import { isAskedAtLength, python, whyNotAsked } from './python.js'

const folder = path.join(import.meta.dirname, 'programs')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.py'))
  .map((name) => name.slice(0, -3))

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: {}, limits: { wallMs: 600_000, cpuMs: 300_000 } })
})
afterAll(() => codeMode.close())

describe.each(names)('%s', (name) => {
  const program = readFileSync(path.join(folder, `${name}.py`), 'utf8')
  const expected = readFileSync(path.join(folder, `${name}.out`), 'utf8')

  it('prints the recorded output of CPython', async () => {
    const run = await codeMode.run(program)
    expect(run.error).toBeNull()
    expect(`${run.logs.join('\n')}\n`).toBe(expected)
  })

  it.skipIf(!isAskedAtLength)(`prints that under the installed python3${whyNotAsked}`, () => {
    const { stdout, stderr } = spawnSync(python, ['-W', 'ignore', '-'], {
      input: program,
      encoding: 'utf8',
      cwd: '/',
      env: { ...process.env, TZ: 'UTC' },
    })
    expect(stderr).toBe('')
    expect(stdout).toBe(expected)
  })
})
