// Wall: only strings leave a guest. Everything else is refused, not converted, so no code of the program runs.

import { expect, it } from 'vitest'
import { arena } from './harness.js'

const { attack } = arena()
const refused = { kind: 'threw', name: 'TypeError', message: 'the program did not end with a string', stack: '' }

it.each([
  'undefined',
  '42',
  'null',
  '({})',
  'new String("boxed")',
  'Symbol("s")',

  '({ toString() { hostPrint("converted"); return "x" } })',
  'new Proxy({}, { get() { hostPrint("trap") } })',
  'const cycle = []; cycle.push(cycle); cycle',
  'Promise.resolve({ toString: () => "x" })',
  '({ then(done) { hostPrint("then"); done("x") } })',
])('a result that is not a string is refused: %s', async (code) => {
  expect(await attack(code)).toEqual({ end: refused, printed: [], calls: [] })
})

it('a rejected promise counts as its reason', async () => {
  expect((await attack('Promise.reject(new RangeError("no"))')).end).toMatchObject({
    kind: 'threw',
    name: 'RangeError',
    message: 'no',
  })
})
