// Wall: hardening. There are no hooks into the creation of errors and stack texts, and setting their names has no
// effect.

import { expect, it } from 'vitest'
import { arena } from './harness.js'

const { attack } = arena()

it('creating an error runs no code of a program', async () => {
  const code = `
    Error.prepareStackTrace = () => { hostPrint('hook'); return 'forged' }
    Error.stackTraceLimit = 0
    Error.captureStackTrace = () => hostPrint('hook')
    Object.defineProperty(Error.prototype, 'stack', { get() { hostPrint('hook'); return 'forged' }, set() { hostPrint('hook') } })
    TypeError.prototype.name = 'Forged'
    null.x`
  const { end, printed } = await attack(code)
  expect(printed).toEqual([])
  expect(end).toMatchObject({
    kind: 'threw',
    name: 'Forged',
    message: "cannot read property 'x' of null",
    stack: expect.stringMatching(/^ {4}at <eval> \(program\.js:7:\d+\)\n$/),
  })
})

it('there is no access to callers', async () => {
  const code = `
    function f() { 'use strict'; let all = []; for (const k of ['caller', 'arguments', 'callee']) { try { all.push(typeof f[k]) } catch (e) { all.push(e.name) } } return all.join() }
    f()`
  expect((await attack(code)).end).toMatchObject({
    kind: 'completed',
    payload: expect.not.stringContaining('function'),
  })
})
