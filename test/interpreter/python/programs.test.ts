// Programs as models write them must print the output of CPython, which is stored (programs/*.out). The long form
// compares it with an installed python3, and UPDATE_GOLDENS=1 rewrites it from there.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../dist/sandbox/index.js'
import { isLong } from '../../random.js'
import { chunksOf, files, goldenOf, writeGolden } from './chunks.js'
import { openGuests, run, shown } from './guest.js'
import { hasPython, pythonSays } from './reference.js'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openGuests()
})
afterAll(() => sandbox.close())

describe.each(files())('%s', (file) => {
  const chunks = chunksOf(file)
  const texts = chunks.map((c) => c.text)
  if (process.env.UPDATE_GOLDENS === '1' && hasPython()) writeGolden(file, pythonSays(texts))
  const golden = goldenOf(file)

  it('has an expected output for each program', () => {
    expect(golden.length).toBe(chunks.length)
  })

  it.each(chunks.map((c, i) => ({ ...c, i })))('$title', async ({ text, i }) => {
    expect(shown(await run(sandbox, text))).toBe(golden[i])
  })

  it.skipIf(!isLong || !hasPython())('is the output of python3 (in the long form, if python3 is 3.11)', () => {
    expect(pythonSays(texts)).toEqual(golden)
  })
})
