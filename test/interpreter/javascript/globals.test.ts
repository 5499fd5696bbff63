// The compiler's global names are those of the guest.

import { expect, it } from 'vitest'
import { globalNamesIn } from '../../../dist/interpreter/javascript/globals.js'
import { world } from './world.js'

const run = world()

it('the compiler and the guest know the same names', async () => {
  const { result } = await run('result = Object.getOwnPropertyNames(globalThis)')
  expect((JSON.parse(result!) as string[]).sort()).toEqual(
    [...globalNamesIn({ random: false, input: false, memory: true })].sort(),
  )
})
