// Wall: the limits on printed bytes and lines. Output within the limits is kept, the first piece beyond is dropped, and
// the flood does not slow the host.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { attack } = arena()

it('ends by the lines', async () => {
  const { end, printed } = await attack('for (let i = 0; ; i++) hostPrint("" + i)', { limits: { printedLines: 1000 } })
  expect(end).toEqual(limit('printedLines', 1000))
  expect(printed).toEqual(Array.from({ length: 1000 }, (_, i) => `${i}`))
})

it('ends by the bytes', async () => {
  const { end, printed } = await attack('for (;;) hostPrint("0123456789")', { limits: { printedBytes: 1000 } })
  expect(end).toEqual(limit('printedBytes', 1000))
  expect(printed).toEqual(Array.from({ length: 100 }, () => '0123456789'))
})

it('counts line feeds within a piece, and bytes as UTF-8', async () => {
  expect(await attack('hostPrint("a\\nb\\n"); hostPrint("c\\nd")', { limits: { printedLines: 3 } })).toMatchObject({
    end: limit('printedLines', 3),
    printed: ['a\nb\n'],
  })
  expect(await attack('hostPrint("€"); hostPrint("€")', { limits: { printedBytes: 5 } })).toMatchObject({
    end: limit('printedBytes', 5),
    printed: ['€'],
  })
})

it('cannot be caught', async () => {
  const code = 'for (;;) try { hostPrint("0123456789") } catch {}'
  expect((await attack(code, { limits: { printedBytes: 100 } })).end).toEqual(limit('printedBytes', 100))
})
