// Wall: determinism. The random numbers that programs in Starlark have follow from their seed, and without one there
// are none.

import { expect, it } from 'vitest'
import { stage } from './program-harness.js'

const perform = stage()

it('random numbers of a program follow from its seed, in every run', async () => {
  const program = `
import random
random.seed("a seed")
r = random.Random(7)
result = [random.random(), r.gauss(0, 1), r.sample(range(99), 9), random.choices("abc", k=5), r.getrandbits(200), hash("x"), list({"b", "a"})]`
  const first = await perform(program)
  expect(first.failure).toBeUndefined()
  expect(await perform(program)).toEqual(first)
})

it.each([
  'r = random\nresult = r.random()',
  'result = random.Random().random()',
  'r = random.Random(3)\nr.seed()\nresult = r.gauss(0, 1)',
  'r = random.Random(3)\nr.seed(None)\nresult = r.shuffle([1, 2])',
  'result = random.Random(None).getstate()',
  'result = getattr(random, "choice")([1, 2])',
])('a program without a seed is refused: %s', async (text) => {
  const { result, failure } = await perform(`import random\n${text}`)
  expect(result).toBeUndefined()
  expect(failure).toMatch(/random numbers need a seed here: programs are deterministic/)
})
