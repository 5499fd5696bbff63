// The language of programs without a named one: the configured language, if the text is valid in it.

import { expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'

it('programs are in the configured language by default', async () => {
  await using codeMode = await CodeMode.open({ servers: {}, language: 'javascript' })
  expect(await codeMode.run('const total = [1, 2].reduce((a, b) => a + b, 0)\nreturn total')).toMatchObject({
    ok: true,
    result: 3,
  })
  expect((await codeMode.run('typeof undefined')).result).toBe('undefined')
  expect((await codeMode.run('[1, 2].length')).result).toBe(2)
})
