// Wall: no module loader. A program is a script; nothing can be imported, neither statically nor dynamically.

import { expect, it } from 'vitest'
import { arena } from './harness.js'

const { endOf } = arena()

it.each(['import "std"', 'import * as os from "os"', 'export const a = 1', 'import.meta.url', 'await 1'])(
  '%s is not a script',
  async (code) => {
    expect(await endOf(code)).toMatchObject({ kind: 'threw', name: 'SyntaxError' })
  },
)

it.each(['std', 'os', 'bjson', 'fs', 'node:fs', './program.js', 'file:///etc/passwd', 'data:text/javascript,1'])(
  'import(%j) fails',
  async (name) => {
    const end = await endOf(`import(${JSON.stringify(name)}).then(() => "loaded", (e) => e.name)`)
    expect(end).toMatchObject({ kind: 'completed', payload: expect.stringMatching(/Error$/) })
  },
)

it('there is no require', async () => {
  expect(
    await endOf('[typeof require, typeof process, typeof module, typeof std, typeof os, typeof scriptArgs].join()'),
  ).toEqual({
    kind: 'completed',
    payload: 'undefined,undefined,undefined,undefined,undefined,undefined',
  })
})
