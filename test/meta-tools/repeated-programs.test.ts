// A program that is prepared again is not read again, unless something else differs that its meaning depends on.

import { expect, it } from 'vitest'
import { bindServers } from '../../dist/bindings/index.js'
import { Desk } from '../../dist/meta-tools/index.js'
import { noWorkersLeft } from '../sandbox/leaks.js'

noWorkersLeft()

const options = { dialect: {}, unavailable: {}, limits: { wallMs: 300_000, cpuMs: 300_000 }, elapsedMs: 0 }
const program = { text: 'result = vault.open()', language: 'starlark' } as const
const vault = () => bindServers([{ name: 'vault', tools: [{ name: 'open', inputSchema: { type: 'object' } }] }])

it('reads a repeated program once, as long as everything is equal', async () => {
  const desk = new Desk()
  const bindings = vault()
  const prepare = (changes: object = {}, others: object = {}) =>
    desk.prepare({ ...program, ...others }, bindings, { ...options, ...changes })
  const first = await prepare()
  const again = await prepare()
  expect(again.task).toBe(first.task)
  expect(again.workMs).toBe(0)
  const different = [
    await prepare({ dialect: { strict: true } }),
    await prepare({ unavailable: { shop: 'it is closed' } }),
    await prepare({ reads: ['vault.open'] }),
    await prepare({}, { text: 'result = vault.open() ' }),
    await prepare({}, { language: 'javascript' }),
    await desk.prepare(program, vault(), options),
  ]
  for (const { task } of different) expect(task).not.toBe(first.task)
  expect(new Set(different.map(({ task }) => task)).size).toBe(different.length)
  expect(await prepare()).toBe(await prepare())
  expect((await prepare()).task).toBe(first.task)
  expect((await prepare({ elapsedMs: 300_000 })).compilation.ok).toBe(false)
  await desk.close()
})
