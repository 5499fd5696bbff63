// The examples for hosts as a reader runs them: a scripted model behind the provider's own SDK lists, reads, asks for
// documentation, runs a program that fails, corrects it, and answers with the program's result.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { isLong } from '../random.js'

const root = path.resolve(import.meta.dirname, '../..')
const conversation = `listToolFiles: servers/
readToolFile: # shop.read_text_file(...)
getToolDocs: class Result(TypedDict):
executeToolCode: program error [key-error] KeyError: 'month'
executeToolCode: result: {"best":"2025-01","orders":3,"months":11}
Phone orders came in in 11 months of 2025. 2025-01 was the best, with 3 orders.
`

// npx takes longer than the servers that it starts. The long form uses the real one.
const commands = mkdtempSync(path.join(tmpdir(), 'starbind-npx-'))
afterAll(() => rmSync(commands, { recursive: true }))
if (!isLong) writeFileSync(path.join(commands, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
const env = {
  ...process.env,
  PATH: [commands, path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
}

const examples = ['openai-chat', 'anthropic']
const more = ['ai-sdk', 'openai-responses', 'gemini', 'langchain']

it.each(isLong ? [...examples, ...more] : examples)('%s', async (example) => {
  const child = spawn(process.execPath, [`examples/hosts/${example}.mjs`], { cwd: root, env })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect({ stdout, stderr, status }).toEqual({ stdout: conversation, stderr: '', status: 0 })
})
