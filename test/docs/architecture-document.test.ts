// ARCHITECTURE.md describes the current code: its numbers are the steps of the journey, and the files it names exist.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const document = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')

it('has a section for each step of executeToolCode, under the same number and name', () => {
  const files = ['execute-tool-code.ts', 'run-stages.ts']
  const journey = files.map((file) => readFileSync(path.join(root, 'src/meta-tools', file), 'utf8')).join('\n')
  const steps = [...journey.matchAll(/\/\/ (\d\. \w+(?: → \w+)+)\./g)].map((step) => step[1]).sort()
  const sections = [...document.matchAll(/^## (\d\. .+)$/gm)].map((section) => section[1])
  expect(sections.length).toBeGreaterThan(4)
  expect(sections).toEqual(steps)
})

it('names files that exist', () => {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`)
  const known = [...files, 'test/architecture.test.ts']
  const named = [...document.matchAll(/`([\w/.-]+\.ts)`/g)].map((name) => name[1]!)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !known.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual([])
})
