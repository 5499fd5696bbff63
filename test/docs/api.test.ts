// docs/api corresponds to the declarations. test/library/docstring-examples.test.ts checks that every public name has a
// comment.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { apiDocument } from '../../scripts/api.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const pages = apiDocument(process.env.TESTED_DIST ?? path.join(root, 'dist'))

it('docs/api corresponds to the declarations (update it with node scripts/api.mjs)', () => {
  const folder = path.join(root, 'docs/api')
  const written = new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
  expect(written).toEqual(pages)
})
