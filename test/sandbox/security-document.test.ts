// docs/security.md names the test that proves each wall; every test that it names exists, and every attack is in it.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8')
const tests = (folder: string) =>
  readdirSync(path.join(root, 'test', folder))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.test.ts'.length))

it('names only attacks that exist, and all of them', () => {
  const attacks = tests('attack')
  expect(attacks.length).toBeGreaterThanOrEqual(40)
  const named = [...text.matchAll(/`(?:test\/attack\/)?([a-z-]+)(?:\.test\.ts)?`/g)].map((match) => match[1]!)
  expect(attacks.filter((attack) => !named.includes(attack))).toEqual([])
  const inTables = [...text.matchAll(/^\|[^|]+\|([^|]+)\|$/gm)].flatMap((row) =>
    [...row[1]!.matchAll(/`([a-z-]+)`/g)].map((match) => match[1]!),
  )
  expect(inTables.filter((name) => name !== '' && !attacks.includes(name))).toEqual([])
})

it('names only files that exist', () => {
  const files = [...text.matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/g)].map((match) => match[1]!)
  expect(files.length).toBeGreaterThan(5)
  expect(
    files.filter((file) => !readdirSync(path.dirname(path.join(root, file))).includes(path.basename(file))),
  ).toEqual([])
})
