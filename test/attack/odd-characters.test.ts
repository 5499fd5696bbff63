// Wall: texts cross unchanged. Zeros, unpaired surrogates, line separators and every unit survive in both directions.

import { expect, it } from 'vitest'
import { arena, completed } from './harness.js'

const { attack } = arena()

const odd = [
  '',
  '\0',
  'a\0b',
  '\u2028\u2029',
  '\ud800',
  '\udc00\ud800',
  'x\udfff',
  '\ufeff',
  '\u200b\u202e',
  '\u{1f600}',
  '\uffff',
  '"\\\'`${}</script>',
  '\r\n\u0085\v\f',
  'ÿ',
  'Ā',
]

it.each(odd.map((text) => [JSON.stringify(text), text]))('%s', async (literal, text) => {
  const code = `const t = ${JSON.stringify(text).replace(/[\ud800-\udfff]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)}; hostPrint(t); hostCall(t) + t`
  expect(literal).toBe(JSON.stringify(text))
  expect(await attack(code, { onCall: ({ payload }) => payload + text })).toEqual({
    end: completed(text + text + text),
    printed: [text],
    calls: [text],
  })
})

it('every UTF-16 unit crosses unchanged', async () => {
  const all = Array.from({ length: 65_536 }, (_, i) => String.fromCharCode(i)).join('')
  const code =
    'const all = Array.from({ length: 65536 }, (_, i) => String.fromCharCode(i)).join(""); hostCall(all) === all ? all : "differs"'
  const { end, calls } = await attack(code, { onCall: ({ payload }) => payload })
  expect(end).toEqual(completed(all))
  expect(calls).toEqual([all])
})

it('names made of what the host sent are the names that the guest makes', async () => {
  const code =
    'const o = { caf\\u00e9: 1, "\\u20ac": 2, plain: 3 }; const [a, b, c] = [hostCall("a"), hostCall("b"), hostCall("c")]; [o[a], o[b], o[c]].join()'
  const names: Record<string, string> = { a: 'café', b: '€', c: 'plain' }
  expect((await attack(code, { onCall: ({ payload }) => names[payload]! })).end).toEqual(completed('1,2,3'))
})
