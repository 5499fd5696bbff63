// Wall: values cross as text. Keys such as __proto__ and constructor are plain data on both sides.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { attack } = arena()
const hostile =
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":2}'

it('keys such as __proto__ reach the guest and come back unchanged', async () => {
  const code =
    'const v = JSON.parse(hostCall("")); [({}).polluted, Object.keys(v).join("|"), Object.getPrototypeOf(v) === Object.prototype, JSON.stringify(v)].join(";")'
  const { end } = await attack(code, { onCall: () => hostile })
  expect(end).toEqual(completed(`;__proto__|constructor|toString|hasOwnProperty;true;${hostile}`))
})

it('a payload with such keys changes nothing in the host', async () => {
  const { calls } = await attack(`hostCall(${JSON.stringify(hostile)}); ""`)
  expect(calls).toEqual([hostile])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})
