// Remarks for people: every remark that tells a model to call a meta-tool names a command instead.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { forPeople } from '../../dist/command-line/wording.js'
import { CodeMode, type InProcessTools, renderDiagnostics } from '../../dist/index.js'

const long = (i: number) => `tool_with_a_rather_long_name_to_fill_the_listing_${i}`
const tools = (count: number): InProcessTools =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [long(i), { call: () => i }]))
const told = 'Read readToolFile("secrets") first, or listToolFiles() again'

let codeMode: CodeMode
let crowd: CodeMode
beforeAll(async () => {
  const big = { inProcess: tools(600) }
  codeMode = await CodeMode.open({
    servers: { big, talker: { inProcess: { talk: { description: told, call: () => told } } } },
    warm: false,
  })
  crowd = await CodeMode.open({
    servers: Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`server_number_${i}`, { inProcess: tools(1) }])),
    warm: false,
  })
})
afterAll(() => Promise.all([codeMode.close(), crowd.close()]))

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

it('the tree is in the words of the command line', async () => {
  const { text } = await codeMode.listToolFiles()
  expect(lastLine(text)).toBe(
    '# 601 tools. Search: listToolFiles(query="words"). One server: listToolFiles(server="big").',
  )
  expect(lastLine(forPeople(text))).toBe(
    '# 601 tools. Search: starbind ls WORDS. One server: starbind ls --server big.',
  )
  expect(lastLine(forPeople(text, 'prompt'))).toBe('# 601 tools. Search: .ls WORDS. One server: .cat big.')
})

it('the end of a list that is too long is in the words of the command line', async () => {
  const one = (await codeMode.listToolFiles({ server: 'big' })).text
  expect(lastLine(one)).toMatch(/^ {2}… \d+ more: listToolFiles\(server="big", query="…"\) searches them$/)
  expect(lastLine(forPeople(one))).toMatch(/^ {2}… \d+ more: starbind ls WORDS --server big searches them$/)
  const many = forPeople((await crowd.listToolFiles()).text)
  expect(many).toMatch(/^ {2}… \d+ more servers: starbind ls WORDS searches all$/m)
  expect(many).not.toContain('listToolFiles')
})

it('the answer without matches is in the words of the command line', async () => {
  const { text } = await codeMode.listToolFiles({ query: 'qqqq' })
  expect(forPeople(text)).toBe('No tool matches "qqqq". Try other words, or starbind ls for all servers.')
})

it('hints are in the words of the command line', async () => {
  expect(forPeople((await codeMode.readToolFile({ fileName: 'qqqqqqqqqqqqqqqqqqq' })).text)).toContain(
    '\nhint: starbind ls shows the files',
  )
  expect(forPeople((await codeMode.getToolDocs({ server: 'big', tool: 'qqqq' })).text)).toContain(
    '\nhint: starbind ls --server big lists its tools',
  )
  for (const language of ['starlark', 'javascript'] as const) {
    const checked = await codeMode.check('big.qqqq()', { language })
    const shown = checked.ok ? '' : forPeople(renderDiagnostics(checked.diagnostics))
    expect(shown).toContain('\nhint: list its tools with starbind cat big')
  }
})

it('words of servers stay unchanged', async () => {
  const { text } = await codeMode.readToolFile({ fileName: 'servers/talker.pyi' })
  expect(text).toContain(told)
  expect(forPeople(text)).toBe(text)
})
