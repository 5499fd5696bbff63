// Modules of Python's library that come with the programs that name them.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode } from '../../../dist/index.js'
import { compile } from '../../../dist/interpreter/stages.js'

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: {} })
})
afterAll(() => codeMode.close())

function attachedTo(text: string): string[] {
  const compiled = compile({ text, language: 'starlark' }, {})
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((d) => d.message).join('\n'))
  return [...compiled.program.code.matchAll(/^\["(\w+)"\]: \(function toplevel/gm)].map(([, name]) => name!)
}

it('are carried by no other program', () => {
  expect(attachedTo('import re\nprint(re.sub("a", "b", "a"))')).toEqual([])
  expect(attachedTo('import colorsys')).toEqual(['colorsys'])
  expect(attachedTo('from tomllib import loads\nimport ipaddress').toSorted()).toEqual(['ipaddress', 'tomllib'])
})

it('fail at the line that called them', async () => {
  const { error } = await codeMode.run('import ipaddress\ndef f(x):\n    return ipaddress.ip_address(x)\n\nf("abc")')
  expect(error).toMatchObject({ line: 3, column: 12, code: 'value-error' })
})

it('have known names', async () => {
  const checked = await codeMode.check('import ipaddress\nipaddress.ip_adress("1.1.1.1")')
  expect(checked.ok ? [] : checked.diagnostics[0]?.hint).toContain('did you mean ip_address')
})
