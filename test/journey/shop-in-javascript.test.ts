// The demo's program in the second language gives the demo's report, from the same servers.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { CodeMode, readConfiguration } from '../../dist/index.js'

const root = path.resolve(import.meta.dirname, '../..')
const temporary = mkdtempSync(path.join(tmpdir(), 'starbind-shop-js-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

it('the example in JavaScript prints the same report', async () => {
  const configuration = readConfiguration(path.join(root, 'examples/shop/starbind.json'), {
    environment: { ...process.env, SHOP_MEMORY_FILE: path.join(temporary, 'memory.jsonl') },
  })
  await using codeMode = await CodeMode.open({ configuration })
  const result = await codeMode.run(readFileSync(path.join(root, 'examples/shop/report.js'), 'utf8'))
  expect(result.error).toBe(null)
  expect(`${result.logs.join('\n')}\n`).toBe(readFileSync(path.join(root, 'test/docs/golden/shop-report.txt'), 'utf8'))
  const demo = readFileSync(path.join(root, 'test/docs/golden/demo.txt'), 'utf8')
  expect(demo).toContain(`result: ${result.resultJson}\n`)
  expect(result.report.split('\n').at(-1)).toBe(
    'note: the program was read as JavaScript; language: "javascript" makes this explicit',
  )
})
