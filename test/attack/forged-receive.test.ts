// Wall: the numbers of calls. A program that receives a reply without a call gets an error, even after it changed its
// builtins.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { attack } = arena()
const echo = ({ payload }: { payload: string }) => `reply to ${payload}`

it.each([
  'NaN',
  'Infinity',
  '-1',
  '0',
  '2',
  '1e300',
  '2 ** 32 + 1',
  '"1"',
  '1n',
  '{ valueOf: () => 1 }',
  '[1]',
  'undefined',
  '',
])('hostReceive(%s) is refused', async (id) => {
  const code = `hostSend('a'); let seen = 'refused'; try { seen = hostReceive(${id}) } catch {} [seen, hostReceive(1)].join()`
  expect((await attack(code, { onCall: echo })).end).toEqual(completed('refused,reply to a'))
})

it('forged receives in a tampered world fail', async () => {
  const code = `
    Number.prototype.toString = Object.prototype.toString = String.prototype.slice = () => '2'
    Reflect.apply = () => '2'
    globalThis.Error = TypeError = class { constructor() { this.message = 'mine' } }
    hostSend('a'); hostSend('b')
    const first = hostReceive(1)
    let message = ''
    try { hostReceive(1) } catch (error) { message = error.message }
    [first, message].join()`
  expect((await attack(code, { onCall: echo })).end).toEqual(
    completed('reply to a,there is no call 1 whose reply was not received'),
  )
})

it('a step function that receives without end ends by a limit', async () => {
  const code = `hostSend('a'); let n = 0; () => { try { hostReceiveAny() } catch { n++ } return n > 5 ? 'none' : undefined }`
  expect((await attack(code, { onCall: echo })).end).toEqual(completed('none'))
})
