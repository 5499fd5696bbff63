// `codeMode.check` with real servers: the findings about a program without running it, and without a call.

import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode, renderDiagnostics } from '../../dist/index.js'

const script = fileURLToPath(new URL('../fixtures/plain-server.mjs', import.meta.url))
let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: { plain: { command: process.execPath, args: [script] } }, warm: false })
})
afterAll(() => codeMode.close())

const runAndCheck = async (code: string) => {
  const events: string[] = []
  const checked = await codeMode.check(code)
  const ran = await codeMode.run(code, { onEvent: (event) => events.push(event.type) })
  return { checked, ran, calls: events.filter((type) => type === 'call.started').length }
}

it('a program without mistakes is checked and does not run', async () => {
  expect(await codeMode.check('x = plain.repeated()\nresult = x["total"]')).toEqual({
    ok: true,
    asks: [],
    warnings: [],
    reach: { tools: [{ namespace: 'plain', member: 'repeated' }], widened: [] },
  })
})

it('a program with mistakes gets the same diagnostics as in a run, and calls nothing', async () => {
  const code = 'plain.pid()\nx = plain.repeated()\nresult = x["total"] + "€"\nx.count += 1'
  const { checked, ran, calls } = await runAndCheck(code)
  expect(checked.ok ? '' : renderDiagnostics(checked.diagnostics, code)).toBe(
    'program error [bad-operands] int or float + str is not possible\n' +
      '  program:3:10\n' +
      '  3 | result = x["total"] + "€"\n' +
      '    |          ^^^^^^^^^^^^^^^^\n' +
      'hint: convert the text with int(…) or float(…), or the number with str(…)\n' +
      '\n' +
      'program error [no-attribute] dict has no attribute count\n' +
      '  program:4:3\n' +
      '  4 | x.count += 1\n' +
      '    |   ^^^^^\n' +
      'hint: write x["count"]',
  )
  expect(ran.report).toBe(
    `${checked.ok ? '' : renderDiagnostics(checked.diagnostics, code)}\nNothing was run and no tool was called.`,
  )
  expect(calls).toBe(0)
})

it('a check uses the requested dialect and language', async () => {
  expect((await codeMode.check('x = f"{1}"')).ok).toBe(true)
  expect((await codeMode.check('x = f"{1}"', { strict: true })).ok).toBe(false)
  await expect(codeMode.check('x', { language: 'klingon' as 'starlark' })).rejects.toThrow(
    'host error [config-wrong-value] check: language: got "klingon", want "starlark" or "javascript"',
  )
})

it('the next check knows added and removed servers', async () => {
  const code = 'result = other.pid()'
  expect((await codeMode.check(code)).ok).toBe(false)
  await codeMode.servers.add('other', { command: process.execPath, args: [script] })
  expect((await codeMode.check(code)).ok).toBe(true)
  await codeMode.servers.remove('other')
  expect(await codeMode.check(code)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'undefined-name', message: 'undefined: other', hint: 'write plain.pid(…)' }],
  })
})

it.each([
  ['javascript', '```js\nplain.pid()\nreturn 1\n```'],
  ['starlark', '```python\nplain.pid()\nresult = 1\n```'],
  ['neither', '```\nplain.pid()\nresult = 1\n```'],
])('a program in a fence of %s is what runs', async (_, code) => {
  const { checked, ran, calls } = await runAndCheck(code)
  expect(checked).toMatchObject({ ok: true, reach: { tools: [{ namespace: 'plain', member: 'pid' }], widened: [] } })
  expect([ran.ok, ran.result, calls]).toEqual([true, 1, 1])
  const answer = await codeMode.executeToolCode({ code })
  expect(answer.text).toMatch(/^result: 1\ncalled plain\.pid ×1/)
})
