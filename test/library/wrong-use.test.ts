// Mistakes of programs in JavaScript after a CodeMode was opened: each is named and never ignored.

import { expect, it } from 'vitest'
import { CodeMode, DiagnosticError } from '../../dist/index.js'

/** The refusal of a use. */
async function refusal(use: () => unknown): Promise<string> {
  try {
    return `went on: ${JSON.stringify(await use())}`
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return error.message
  }
}

const opened = () => CodeMode.open({ warm: false, servers: { shop: { inProcess: { price: { call: () => 100 } } } } })

it('a misspelt option gives a session no more rights', async () => {
  await using codeMode = await opened()
  const session = (options: object) => refusal(() => codeMode.session(options).bindings())
  expect(await session({ filter: { toolsToExecute: [] } })).toBe(
    'host error [config-unknown-key] session: filter is not a known key\nhint: write "filters"',
  )
  expect(await session({ filters: { tools: [] } })).toBe(
    'host error [config-unknown-key] session: filters: tools is not a known key\nhint: write "toolsToDeny" or "toolsToExecute"',
  )
  expect(await session({ filters: [{ toolsToExecute: 'shop/price' }, 'shop'] })).toBe(
    'host error [config-wrong-value] session: filters: toolsToExecute: got a string, want a list of strings',
  )
  expect(await session({ filters: 'shop' })).toBe(
    'host error [config-wrong-value] session: filters: options: got a string, want an object',
  )
  expect(await session({ filters: { servers: ['other'] }, name: 'x', results: 'own', codeMode: true })).toBe(
    'went on: []',
  )
})

it('a wrong option of a run is named', async () => {
  await using codeMode = await opened()
  const run = (code: unknown, options: object = {}) => refusal(() => codeMode.run(code as string, options))
  expect(await run(undefined)).toBe('host error [config-wrong-value] run: code: got undefined, want a string')
  expect(await run('1', { onEvnt: () => {}, language: 'python', signal: 3 })).toBe(
    `host error [config-unknown-key] run: onEvnt is not a known key
hint: write "onEvent"
host error [config-wrong-value] run: language: got "python", want "starlark" or "javascript"
host error [config-wrong-value] run: signal: got 3, want an object`,
  )
  expect(await refusal(() => codeMode.check(1 as never))).toBe(
    'host error [config-wrong-value] check: code: got 1, want a string',
  )
})

it('an unknown format of definitions gets the list of formats', async () => {
  await using codeMode = await opened()
  expect(await refusal(() => codeMode.tools('opnai' as never))).toBe(
    'host error [config-wrong-value] tools: format: got "opnai", want "mcp" or "openai" or "openai-responses" or "anthropic" or "gemini"',
  )
})

it('a closed CodeMode says that it is closed', async () => {
  const codeMode = await opened()
  const session = codeMode.session()
  await codeMode.close()
  await codeMode.close()
  const closed = 'host error [closed] this CodeMode has been closed'
  expect(await refusal(() => codeMode.run('1'))).toBe(closed)
  expect(await refusal(() => codeMode.check('1'))).toBe(closed)
  expect(await refusal(() => codeMode.listToolFiles())).toBe(closed)
  expect(await refusal(() => session.executeToolCode({ code: '1' }))).toBe(closed)
})
