// docs/stubs.md shows starbind's real stubs: every example is part of a golden file.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

it('docs/stubs.md shows stubs as they are', () => {
  const golden = path.join(root, 'test', 'bindings', 'golden')
  const stubs = readdirSync(golden)
    .filter((file) => file.endsWith('.pyi'))
    .map((file) => readFileSync(path.join(golden, file), 'utf8'))
  const examples = [
    ...readFileSync(path.join(root, 'docs', 'stubs.md'), 'utf8').matchAll(/```python stub\n([^]*?)```/g),
  ]
  expect(examples).toHaveLength(4)
  for (const [, example] of examples)
    for (const line of example!.trimEnd().split('\n'))
      expect(
        stubs.some((stub) => stub.split('\n').includes(line)),
        line,
      ).toBe(true)
})

it('docs/stubs.md shows declarations for JavaScript as they are', async () => {
  const memory = path.join(root, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')
  await using codeMode = await CodeMode.open({
    servers: { memory: { command: process.execPath, args: [memory] } },
    warm: false,
  })
  const { text } = await codeMode.readToolFile({ fileName: 'memory.d.ts' })
  const examples = [...readFileSync(path.join(root, 'docs/stubs.md'), 'utf8').matchAll(/```ts stub\n([^]*?)```/g)]
  expect(examples).toHaveLength(1)
  const lines = text.split('\n')
  for (const line of examples[0]![1]!.trimEnd().split('\n')) expect(lines).toContain(line)
})
