// Wall: the interrupt handler. Getters, traps and conversions that never return, called by the engine itself.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

const spin = 'for (;;) {}'

it.each([
  `JSON.stringify({ toJSON() { ${spin} } })`,
  `JSON.stringify({ get x() { ${spin} } })`,
  `JSON.parse('[1]', () => { ${spin} })`,
  `new Proxy({}, { get() { ${spin} } }).x`,
  `new Proxy({}, { ownKeys() { ${spin} } }), Object.keys(new Proxy({}, { ownKeys() { ${spin} } }))`,
  `'' + { toString() { ${spin} } }`,
  `({ [Symbol.toPrimitive]() { ${spin} } }) * 1`,
  `'a'.replace(/a/, () => { ${spin} })`,
  `[1, 2].sort(() => { ${spin} })`,
  `Array.from({ length: 1 }, () => { ${spin} })`,
  `Reflect.construct(function () { ${spin} }, [])`,
  `class A { static { ${spin} } }`,
  `class A { static x = (() => { ${spin} })() }`,
])('a function that never returns ends by the wall time: %s', async (code) => {
  expect(await endOf(code, { limits: { wallMs: 40 } })).toEqual(limit('wallMs', 40))
})
