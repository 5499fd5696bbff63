// Wall: only strings go out through calls and output; nothing is converted, and the functions can't be turned against
// the host.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { attack } = arena()

it.each([
  '',
  '1',
  'null',
  '{}',
  '[]',
  'new String("x")',
  '{ toString: () => "x" }',
  'Symbol()',
  '() => {}',
  'undefined',
])('hostCall(%s) is a TypeError', async (argument) => {
  const code = `let a, b; try { hostCall(${argument}) } catch (e) { a = e.name + e.message } try { hostPrint(${argument}) } catch (e) { b = e.name + e.message } a + ';' + b`
  expect(await attack(code)).toEqual({
    end: completed('TypeErrorhostCall takes a string;TypeErrorhostPrint takes a string'),
    printed: [],
    calls: [],
  })
})

it('this, extra arguments and construction change nothing', async () => {
  const code =
    'hostCall.call({ evil: 1 }, "a", "b", "c"); hostCall.apply(null, ["d"]); Reflect.apply(hostCall, hostPrint, ["e"]); let r; try { new hostCall("f") } catch (e) { r = e.name } r'
  expect(await attack(code)).toEqual({ end: completed('TypeError'), printed: [], calls: ['a', 'd', 'e'] })
})

it('a call within a sort, a getter, a trap and a conversion is a call like any other', async () => {
  const code = `
    const at = (x) => hostCall(String(x));
    [2, 1].sort((a, b) => at('sort') && 0); ({ get x() { return at('get') } }).x; new Proxy({}, { get: () => at('trap') }).y
    JSON.stringify({ toJSON: () => at('json') }); 'a'.replace('a', () => at('replace')); Array.from({ length: 2 }, (_, i) => at(i)).join()`
  expect(await attack(code, { onCall: ({ payload }) => `<${payload}>` })).toEqual({
    end: completed('<0>,<1>'),
    printed: [],
    calls: ['sort', 'get', 'trap', 'json', 'replace', '0', '1'],
  })
})
