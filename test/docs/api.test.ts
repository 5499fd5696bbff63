// docs/api is what the declarations say. That they say something of every public name,
// test/library/docstring-examples.test.ts holds.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { apiDocument } from '../../scripts/api.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const pages = apiDocument(process.env.TESTED_DIST ?? path.join(root, 'dist'))

it('docs/api is written from the declarations: node scripts/api.mjs writes it anew', () => {
  const folder = path.join(root, 'docs/api')
  const written = new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
  expect(written).toEqual(pages)
})
