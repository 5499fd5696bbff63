// Wall: programs in JavaScript make no code from text. Attack: the constructors of every kind of function, reached in
// every way.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('constructors of functions', () => {
  it.each([
    '() => {}',
    'function () {}',
    'async () => {}',
    'function* () {}',
    'async function* () {}',
    'class {}',
    '({ get x() { return 1 } }).__lookupGetter__("x")',
    'Object',
    'Reflect.ownKeys',
    'print',
    'console.log',
    'db.get_row',
    'db.get_row.safe',
    'URL',
    'ToolError',
    'parallel',
    'Promise.resolve().then',
    'new Proxy(() => {}, {})',
    '(() => {}).bind(null)',
  ])('of %s make nothing', async (made) => {
    const ways = [
      'f.constructor("return 1")',
      'Object.getPrototypeOf(f).constructor("return 1")',
      'Reflect.construct(f.constructor, ["return 1"])',
    ]
    for (const way of ways) {
      const { result, failure } = await run(
        `const f = ${made}\nconst code = ${way}\nresult = typeof code === 'function' && code()`,
      )
      // The constructor that is left is Object's: it wraps a text.
      expect({ result, failure }).toEqual({ result: 'false', failure: undefined })
    }
  })

  it('have no other names', async () => {
    const { result } = await run(
      `result = Object.getOwnPropertyNames(globalThis).filter((name) => /^(eval|Function|GeneratorFunction|Async\\w+|WebAssembly|Worker|hostCall|hostSend|hostReceive|hostReceiveAny|hostPrint|hostLookUp|hostRewrite|\\$starbind)$/.test(name))`,
    )
    expect(result).toBe('[]')
  })

  it.each([
    'eval("1")',
    'globalThis.eval("1")',
    'new Function("1")',
    '\\u0065val("1")',
    '(0, eval)("1")',
    'const f = Function',
  ])('%s is refused before the run', async (code) => {
    expect((await run(code)).failure).toMatch(/^program error \[refused-name\] .*programs cannot run text as code/)
  })

  it.each(['globalThis["ev" + "al"]("1")', 'globalThis[["Function"]]("1")', 'Reflect.get(globalThis, "eval")("1")'])(
    '%s fails in the run',
    async (code) => {
      expect((await run(code)).failure).toMatch(/^program error \[type-error\] TypeError: .* is not a function/)
    },
  )
})
