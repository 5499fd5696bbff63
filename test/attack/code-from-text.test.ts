// Wall: hardening. No way leads from data to code: not by name, not through constructors, not through the engine's
// prototypes.

import { expect, it } from 'vitest'
import { arena } from './harness.js'

const { endOf } = arena()

it.each([
  'eval("1")',
  '(0, eval)("1")',
  'Function("return 1")()',
  'new Function("return 1")()',
  'globalThis.eval("1")',
  'this.eval("1")',
  'setTimeout("1")',
])('%s does not exist', async (code) => {
  const end = await endOf(`${code}; "ran"`)
  expect(end).toMatchObject({ kind: 'threw' })
  expect(['ReferenceError', 'TypeError']).toContain((end as { name: string }).name)
})

it.each([
  '(() => {}).constructor',
  '(function* () {}).constructor',
  '(async () => {}).constructor',
  '(async function* () {}).constructor',
  '"".constructor.constructor',
  '[].constructor.constructor',
  '(1).constructor.constructor',
  '/a/.constructor.constructor',
  'hostCall.constructor',
  'Object.getPrototypeOf(function* () {}).constructor',
  'Object.getPrototypeOf(Object.getPrototypeOf(async function* () {})).constructor',
  'Reflect.getPrototypeOf(class {}).constructor',
  'Object.getOwnPropertyDescriptor(Object.prototype, "__proto__").get.constructor',
  'new Proxy(() => {}, {}).constructor',
  '(() => {}).bind().constructor',
])('%s makes no functions', async (code) => {
  expect(
    await endOf(`const C = ${code}; let made; try { made = typeof C("return 1") } catch (e) { made = e.name } made`),
  ).toMatchObject({
    payload: expect.stringMatching(/^(object|TypeError)$/),
  })
})

it('no reachable object creates functions', async () => {
  const code = `
    const seen = new Set(), queue = [globalThis, () => {}, function* () {}, async () => {}, async function* () {}, [], '', 1, /a/, 1n, Symbol.iterator]
    const made = []
    while (queue.length) {
      const value = queue.pop()
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
      seen.add(value)
      if (typeof value === 'function') {
        for (const build of [() => value('return 7')(), () => new value('return 7')(), () => value('return 7')().next().value]) {
          try { if (build() === 7) made.push(value.name) } catch {}
        }
      }
      queue.push(Object.getPrototypeOf(value))
      for (const key of Reflect.ownKeys(value)) {
        const d = Object.getOwnPropertyDescriptor(value, key)
        queue.push(d.value, d.get, d.set)
      }
    }
    seen.size > 300 ? made.join() : 'too few objects'`
  expect(await endOf(code)).toEqual({ kind: 'completed', payload: '' })
})
