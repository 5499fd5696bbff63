// Modules of Python's library that are attached to the programs that name them.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode } from '../../../dist/index.js'
import { compile } from '../../../dist/interpreter/stages.js'

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: {} })
})
afterAll(() => codeMode.close())

function guestOf(text: string): string {
  const compiled = compile({ text, language: 'starlark' }, {})
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((d) => d.message).join('\n'))
  return compiled.program.image.name
}

it('modules from CPython have a guest of their own', () => {
  expect(guestOf('print(1)')).toBe('starlark-bare')
  expect(guestOf('import re\nprint(re.sub("a", "b", "a"))')).toBe('starlark-default')
  expect(guestOf('import string, csv\nprint(string.digits, csv.QUOTE_ALL)')).toBe('starlark-default')
  expect(guestOf('from difflib import SequenceMatcher')).toBe('starlark-default')
  expect(guestOf('import difflib\ndifflib.ndiff([], [])')).toBe('starlark-library')
  expect(guestOf('import string\nstring.Formatter()')).toBe('starlark-library')
  expect(guestOf('from string import *\nprint(digits)')).toBe('starlark-library')
  expect(guestOf('import csv\ncsv.Sniffer()')).toBe('starlark-library')
  expect(guestOf('import colorsys')).toBe('starlark-library')
  expect(guestOf('import re\nfrom tomllib import loads')).toBe('starlark-library')
  expect(guestOf('import email')).toBe('starlark-mail')
  expect(guestOf('import tomllib\nfrom email.mime.text import MIMEText')).toBe('starlark-mail')
})

it('failures in modules from CPython are shown at the line that called them', async () => {
  const { error } = await codeMode.run('import ipaddress\ndef f(x):\n    return ipaddress.ip_address(x)\n\nf("abc")')
  expect(error).toMatchObject({ line: 3, column: 12, code: 'value-error' })
})

it('the compiler knows the names of modules from CPython', async () => {
  const checked = await codeMode.check('import ipaddress\nipaddress.ip_adress("1.1.1.1")')
  expect(checked.ok ? [] : checked.diagnostics[0]?.hint).toContain('did you mean ip_address')
})
