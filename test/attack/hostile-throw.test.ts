// Wall: reading thrown values. Getters, traps and odd values can slow nothing down and can forge only their own words.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  ['throw "text"', '', 'text'],
  ['throw 42', '', '42'],
  ['throw 12n', '', '12'],
  ['throw null', '', 'null'],
  ['throw undefined', '', 'undefined'],
  ['throw Symbol("s")', '', 'a symbol'],
  ['throw {}', '', ''],
  ['throw { name: 1, message: {}, stack: [] }', '', ''],
  ['throw { name: "N", message: "M", stack: "S" }', 'N', 'M'],
  ['throw { get name() { throw 1 }, get message() { throw new Error("inner") } }', '', ''],
  ['throw new Proxy({}, { get(t, k) { if (k === "message") return "from a trap"; throw 1 } })', '', 'from a trap'],
  ['throw new Proxy(new Error("x"), { getPrototypeOf() { throw 1 }, get() { throw 1 }, has() { throw 1 } })', '', ''],
  ['throw Object.create(null)', '', ''],
  ['const e = new Error("m"); e.self = e; e.cause = [e]; throw e', 'Error', 'm'],
  ['throw () => {}', '', ''],
])('a thrown value is reported: %s', async (code, name, message) => {
  expect(await endOf(code)).toMatchObject({
    kind: 'threw',
    name: name === '' && code.includes('() =>') ? '' : name,
    message,
  })
})

it('a getter that never returns ends by the limit', async () => {
  expect(await endOf('throw { get message() { for (;;) {} } }', { limits: { wallMs: 50 } })).toEqual(
    limit('wallMs', 50),
  )
  expect(await endOf('throw { get stack() { return this.stack } }')).toEqual(limit('stackBytes', 1024 * 1024))
})

it('long words are cut', async () => {
  const end = (await endOf(
    'throw { name: "n".repeat(1e6), message: "m".repeat(1e6), stack: "s".repeat(5e6) }',
  )) as unknown as Record<string, string>
  expect([end.name, end.message, end.stack].map((text) => text!.length)).toEqual([200, 65_536, 1_048_576])
})
