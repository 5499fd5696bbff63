// Programs print what Node prints: random calls of `console` run in both.

import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { amount, random } from '../../random.js'
import { RandomCalls } from './random-calls.js'
import { world } from './world.js'

const run = world()

/** Failures have the words of each engine. */
const FAILED = 'failed'

function printedByNode(call: string): string {
  const pieces: string[] = []
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      pieces.push(String(chunk))
      done()
    },
  })
  try {
    new Function('console', `'use strict'; ${call}`)(new Console({ stdout, stderr: stdout }))
  } catch {
    return FAILED
  }
  return pieces.join('').replace(/\n$/, '')
}

async function printedByProgram(calls: readonly string[]): Promise<string[]> {
  const lines = calls.map((call) => `try { ${call} } catch { print('${FAILED}') } print('@@@')`)
  const { printed, failure } = await run(lines.join('\n'))
  expect(failure).toBeUndefined()
  return printed
    .join('\n')
    .split(/\n@@@(?:\n|$)/)
    .slice(0, -1)
}

const from = random()
const isKnownNode = process.version.startsWith('v20.')

// Other versions of Node show a few rare values in other ways.
it.skipIf(!isKnownNode)(`prints what Node 20 prints (STARBIND_SEED=${from.seed})`, async () => {
  const random = new RandomCalls(from)
  const calls = Array.from({ length: amount(250, 5_000) }, () => random.call())
  const seen: string[] = []
  for (let i = 0; i < calls.length; i += 25) seen.push(...(await printedByProgram(calls.slice(i, i + 25))))
  expect(seen.length).toBe(calls.length)
  for (const [i, call] of calls.entries())
    expect({ call, printed: seen[i] }).toEqual({ call, printed: printedByNode(call) })
})

it('groups, counts, asserts and shows tables as Node does', async () => {
  const program = `
console.group('outer')
console.log('a\\nb', { x: 1 })
console.group()
console.table([{ id: 1, name: 'Ada' }, { id: 2 }])
console.groupEnd()
console.error('still in')
console.groupEnd()
console.count(); console.count('x'); console.count(); console.countReset(); console.count()
console.assert(1 === 1, 'never'); console.assert(false); console.assert(false, 'why %s', 'so')
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 }); console.dir({ a: { b: { c: { d: 1 } } } }, { depth: null })
console.debug(true, null); console.info(); console.warn('%s is %d', 'x', 1.5, 'more')`
  const { printed, failure } = await run(program)
  expect(failure).toBeUndefined()
  expect(printed.join('\n')).toBe(printedByNode(program))
})
