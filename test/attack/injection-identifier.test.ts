// Wall: every generated name is in our own namespace. Attack: names that mean something to JavaScript, to the prelude
// or to the generated code.

import { describe, expect, it } from 'vitest'
import { stage } from './program-harness.js'

const perform = stage()

const names = [
  'constructor prototype __proto__ arguments eval undefined NaN Infinity globalThis window this_ self',
  'hasOwnProperty toString valueOf Symbol Object Array Map Function Promise require process module',
  'let const var function new delete typeof void instanceof switch case default throw catch debugger export extends',
  'h_add b_len m_append k0 s0 t0 L0 d0 v_x f_main toplevel starbind hostCall hostPrint STARBIND_STRICT',
  'ñandú 变量 ªbc straße',
].flatMap((line) => line.split(' '))

describe('a name', () => {
  it.each(names.map((name) => [name]))(
    '%s is a variable, a function, a parameter and a field like any other',
    async (name) => {
      const program = [
        `${name} = 1`,
        `def f(${name}, other=2):`,
        `    def ${name}2():`,
        `        return ${name} + other`,
        `    return ${name}2()`,
        `result = [${name}, f(3), f(${name}=4, other=5), [${name} for ${name} in [7]], {"${name}": 8}["${name}"], (lambda ${name}: ${name})(9)]`,
      ].join('\n')
      const { result, failure } = await perform(program)
      expect(failure).toBe(undefined)
      expect(JSON.parse(result!)).toEqual([1, 5, 9, [7], 8, 9])
    },
  )

  it('of the guest is not a name of the program', async () => {
    for (const name of ['$starbind', 'globalThis', 'hostCall', 'h_add', 'Object']) {
      const { failure } = await perform(name.startsWith('$') ? `x = ${name}` : `print(${name})`)
      expect(failure).toMatch(/^program error \[(?:undefined-name|unknown-character)\]/)
    }
  })
})
