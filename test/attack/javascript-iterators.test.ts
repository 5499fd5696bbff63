// Wall: endless iteration counts as computing. Attack: endless iterators in places where the runtime itself iterates.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()
const endless = '({ *[Symbol.iterator]() { for (;;) yield 1 } })'
const limits = { cpuMs: 100, memoryBytes: 32 * 1024 * 1024 }

describe('an endless iterator', () => {
  it.each([
    ['spread', `[...${endless}]`],
    ['taken apart', `const [...all] = ${endless}`],
    ['in parallel', `parallel(${endless})`],
    ['in Promise.all', `await Promise.all(${endless})`],
    ['in a query', `new URLSearchParams(${endless})`],
    ['in a Map', `new Map(${endless})`],
    ['as jobs', 'const again = () => Promise.resolve().then(again)\nawait again()'],
    ['as an async generator', 'async function* g() { for (;;) yield 1 }\nfor await (const x of g()) {}'],
  ])('%s meets a limit or fails', async (_, code) => {
    const { failure } = await run(code, limits)
    expect(failure).toMatch(/"kind":"limit","limit":"(cpuMs|memoryBytes)"|^program error \[type-error\]/)
  })

  it('that is left in time is closed', async () => {
    const { printed } = await run(
      'const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return() { print("closed"); return {} } }) }\nconst [a] = it\nfor (const x of it) break',
    )
    expect(printed).toEqual(['closed', 'closed'])
  })

  it('that lies about its end yields its own elements', async () => {
    const { result } = await run('[...{ [Symbol.iterator]: () => ({ next: () => ({ done: 1, value: 5 }) }) }].length')
    expect(result).toBe('0')
  })
})
