// Differential property test: random programs print the output of python3. A failure names the seed.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../dist/sandbox/index.js'
import { amount, random, usualSeed } from '../../random.js'
import { openGuests, run, shown } from './guest.js'
import { program } from './random-programs.js'
import { hasPython, pythonSays } from './reference.js'

const first = usualSeed
const count = amount(60, 5_000)

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openGuests()
})
afterAll(() => sandbox.close())

describe('random programs', () => {
  it.skipIf(!hasPython())(`print python3’s output, from seed ${first} (skipped if python3 is not 3.11)`, async () => {
    const seeds = Array.from({ length: count }, (_, i) => first + i)
    const programs = seeds.map((seed) => program(random(seed)))
    const said = pythonSays(programs)
    for (const [i, text] of programs.entries()) {
      expect(`seed ${seeds[i]}\n${shown(await run(sandbox, text))}`, text).toBe(`seed ${seeds[i]}\n${said[i]}`)
    }
  })

  it('are the same for the same seed', () => {
    expect(program(random(7))).toBe(program(random(7)))
    expect(program(random(7))).not.toBe(program(random(8)))
  })
})
