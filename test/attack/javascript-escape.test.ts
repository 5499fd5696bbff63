// Wall: a program stays inside its enclosing function. Attack: texts that try to end that function, or use the names of
// inserted code.

import { describe, expect, it } from 'vitest'
import { compile } from '../../dist/interpreter/stages.js'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('a program', () => {
  it.each([
    '}}); print("out"); $starbind({}, [], false, () => () => {',
    '}\nprint("out")\n{',
    '})(); (() => {',
    '*/ } /*',
    '`',
    '${',
    '\\u007d',
    '}//',
    'return }',
  ])('that would end its function is refused: %j', async (text) => {
    const { failure, printed } = await run(text)
    expect(failure).toMatch(/^program error \[syntax-error\]/)
    expect(printed).toEqual([])
  })

  it('that ends in a comment is whole', async () => {
    expect((await run('result = 1 // and so on')).result).toBe('1')
    expect((await run('result = 1 /* and so on */')).result).toBe('1')
  })

  it.each(['$s', '$s.last', '$s1', '$starbind', 'hostCall', 'toplevel', 'await$s'])('cannot name %s', async (name) => {
    expect((await run(`print(${name})`)).failure).toMatch(/^program error \[undefined-name\]/)
  })

  it('may use the same names itself', async () => {
    const { result } = await run(
      'const $s = 1, $s1 = 2\nfunction f(\\u0024s2) { return $s2 }\nreturn await ($s + $s1 + f(3))',
    )
    expect(result).toBe('6')
  })

  it('sees nothing of the runtime in its own functions', async () => {
    const { failure } = await run('function f() { return f.caller }\nf()')
    expect(failure).toMatch(/^program error \[type-error\]/)
  })

  it('has no arguments, no `this` and no `new.target` at its top', async () => {
    expect((await run('typeof this')).result).toBe('"undefined"')
    for (const text of ['arguments[0]', 'new.target', 'super.x'])
      expect((await run(text)).failure).toMatch(/^program error \[(undefined-name|syntax-error)\]/)
  })

  it('is put into one call, whatever its servers are called', () => {
    const foreign = [{ name: '$s', members: [{ name: 'then', parameters: [] }] }]
    const compiled = compile({ text: 'await $s.then()', language: 'javascript' }, { foreign })
    expect(compiled.ok && compiled.program.code.split('\n')[0]).toBe(
      '$starbind({"$s": [["then"]]}, ["$s"], true, function ($s1, $s) {"use strict"; return async function () {',
    )
  })
})
