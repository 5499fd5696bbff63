// Wall: the limit on stack. Runaway recursion of guest code, also when the program catches the engine's error.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()
const STACK = 1024 * 1024

it.each([
  'function f() { f() } f()',
  'function f(a, b, c) { const d = a + b; return f(d, c, a) + d } f(1, 2, 3)',
  'class C { constructor() { new C() } } new C()',
  'const o = { get x() { return this.x } }; o.x',
  'function f() { [1].map(f) } f()',
  'function f() { [2, 1].sort(f) } f()',
  'function f() { "a".replace("a", f) } f()',
  'function f() { f.apply(null, []) } f()',
  'function* g() { yield* g() } [...g()]',
  'const t = { toString() { return "" + this } }; "" + t',
  'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
  'const f = async () => { await f() }; f()',
])('recursion ends by the stack limit: %s', async (code) => {
  expect(await endOf(code)).toEqual(limit('stackBytes', STACK))
  expect(await endOf(`try { (() => { ${code} })() } catch {} "caught"`)).toEqual(limit('stackBytes', STACK))
})

it('leaves room for ordinary recursion', async () => {
  const deep = 'function f(n) { return n === 0 ? 0 : f(n - 1) + 1 } f(3000) + ""'
  expect(await endOf(deep)).toEqual({ kind: 'completed', payload: '3000' })
})
