// One task in both modes, over real MCP servers and an endpoint: what it takes, side by side.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createAgent } from '../../dist/agent/index.js'
import { CodeMode } from '../../dist/index.js'
import { openScriptedModel, type ScriptedReply } from '../fixtures/scripted-model.js'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'starbind-two-ways-'))
afterAll(() => rmSync(folder, { recursive: true }))
const months = Array.from({ length: 12 }, (_, i) => `month-${String(i + 1).padStart(2, '0')}.txt`)
for (const [i, name] of months.entries())
  writeFileSync(path.join(folder, name), Array.from({ length: 200 }, (_, n) => (n * i) % 7).join('\n'))
const sum = (i: number) => Array.from({ length: 200 }, (_, n) => (n * i) % 7).reduce((a, b) => a + b, 0)
const total = months.reduce((all, _, i) => all + sum(i), 0)

const read = months.map((name, i) => ({
  id: `call-${i}`,
  name: 'files_read_text_file',
  arguments: { path: path.join(folder, name) },
}))
const code = `
total = 0
for entry in files.list_directory(path="${folder}")["content"].splitlines():
    text = files.read_text_file(path="${folder}/" + entry.split()[-1])["content"]
    total += sum([int(line) for line in text.splitlines()])
result = total`
const words = { text: `The sum is ${total}.` }
const ways: Record<'direct' | 'code', readonly ScriptedReply[]> = {
  direct: [
    { calls: [{ name: 'files_list_directory', arguments: { path: folder } }] },
    // As models do, some at a time.
    { calls: read.slice(0, 4) },
    { calls: read.slice(4, 8) },
    { calls: read.slice(8) },
    words,
  ],
  code: [
    { calls: [{ name: 'readToolFile', arguments: { fileName: 'servers/files.pyi' } }] },
    { calls: [{ name: 'executeToolCode', arguments: { code } }] },
    words,
  ],
}

it('a task takes fewer trips and tokens as a program than call by call', async () => {
  const filesystem = path.join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  const servers = { files: { command: process.execPath, args: [filesystem, folder] } }
  await using codeMode = await CodeMode.open({ servers })
  // The start of threads, servers and packages is not a part of either way.
  await codeMode.run('result = files.list_allowed_directories()')
  await import('openai')
  const taken: Record<string, { trips: number; characters: number; calls: number }> = {}
  for (const mode of ['direct', 'code'] as const) {
    const endpoint = await openScriptedModel(ways[mode])
    const made: string[] = []
    const begun = performance.now()
    const result = await createAgent({ codeMode, mode, model: { baseUrl: endpoint.baseUrl, name: 'scripted' } }).run(
      'What is the sum of all numbers?',
      { onEvent: (event) => void (event.type === 'tool_call' && event.server === 'files' && made.push(event.tool!)) },
    )
    const ms = performance.now() - begun
    await endpoint.close()
    expect(result.text).toBe(words.text)
    const answers = result.messages.flatMap((one) => (one.role === 'tool' ? [one] : []))
    expect(answers.filter(({ is_error }) => is_error)).toEqual([])
    if (mode === 'code') expect(JSON.stringify(answers)).toContain(`result: ${total}`)
    const characters = endpoint.requests.reduce(
      (all, { body }) => all + JSON.stringify([body.tools, body.messages]).length,
      0,
    )
    taken[mode] = { trips: endpoint.requests.length, characters, calls: made.length }
    console.log(
      `${mode}: ${endpoint.requests.length} trips, about ${Math.round(characters / 4)} tokens, ${made.length} calls, ${Math.round(ms)} ms`,
    )
  }
  const { direct, code: program } = taken
  expect([direct!.trips, program!.trips]).toEqual([5, 3])
  expect([direct!.calls, program!.calls]).toEqual([13, 13])
  expect(program!.characters * 3).toBeLessThan(direct!.characters)
})
