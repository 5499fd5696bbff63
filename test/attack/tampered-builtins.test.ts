// Wall: the sandbox's functions in the guest do not depend on builtins that a program can change.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { attack } = arena()
const tamper = `
  for (const f of ['slice', 'toString', 'valueOf', 'charCodeAt', 'split', 'concat']) String.prototype[f] = () => 'forged'
  for (const f of ['map', 'join', 'push', 'forEach', 'slice']) Array.prototype[f] = () => 'forged'
  String.prototype[Symbol.toPrimitive] = () => 'forged'; String.prototype.toJSON = () => 'forged'; Array.prototype.toJSON = () => 'forged'
  Object.defineProperty(Array.prototype, 0, { get: () => 'forged', set() {} }); Object.defineProperty(Object.prototype, 'length', { value: 3, writable: true })
  Reflect.apply = () => 'forged'; Reflect.construct = () => 'forged'; JSON.stringify = () => 'forged'; JSON.parse = () => 'forged'
  Error.prototype.toString = () => 'forged'; Object.getPrototypeOf = () => 'forged';
`

it('texts cross unchanged', async () => {
  const rope = '"r".repeat(3000) + "€" + "s".repeat(3000)'
  const { end, printed, calls } = await attack(
    `${tamper} hostPrint("p" + ${rope}); hostCall("c" + ${rope}) + ${rope}`,
    { onCall: () => 'reply' },
  )
  const text = `${'r'.repeat(3000)}€${'s'.repeat(3000)}`
  expect({ end, printed, calls }).toEqual({
    end: completed(`reply${text}`),
    printed: [`p${text}`],
    calls: [`c${text}`],
  })
})

it('thrown values are described correctly', async () => {
  expect((await attack(`${tamper} throw new RangeError("real")`)).end).toMatchObject({
    kind: 'threw',
    name: 'RangeError',
    message: 'real',
  })
})
