// docs/errors.md corresponds to the templates.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorsDocument } from '../../scripts/errors.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const dist = process.env.TESTED_DIST ?? path.join(root, 'dist')
const written = readFileSync(path.join(root, 'docs/errors.md'), 'utf8')

describe('docs/errors.md', () => {
  it('corresponds to the templates (update it with node scripts/errors.mjs)', async () => {
    expect(written).toBe(await errorsDocument(dist))
  })

  it('names only real codes, and no internals', () => {
    const rows = written.split('\n').filter((line) => /^\| (program|tool|limit|host)/.test(line))
    expect(rows.length).toBeGreaterThan(100)
    for (const row of rows)
      expect(row).toMatch(/^\| (program error|tool error|limit|host error) \| `[a-z0-9-]+` \| [^|]+/)
    expect(written).not.toMatch(/undefined \||\[object|QuickJS|NaN/)
  })
})
