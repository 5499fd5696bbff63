// Third-party Starlark suites, and our own chunks for every line of the specification's checklist. The suites lie
// beside the repository; where they are absent those tests are skipped.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checklistItems, checklistTests } from './checklist.mjs'
import { type FileReport, haveSuites, passed, runFolders, suppliedSuites } from './conformance.mjs'
import { differences } from './differences.mjs'
import { documentFile, documentText } from './document.mjs'

if (!haveSuites) console.warn(`conformance.test.ts: no ${suppliedSuites}, skipped`)

const summary = (reports: readonly FileReport[]) =>
  reports.flatMap(({ file, verdicts }) =>
    verdicts
      .filter((v) => !passed(v))
      .map((v) => ({ file, chunk: v.chunk.line, lines: [...new Set(v.failures.map((f) => f.line))] })),
  )

describe.skipIf(!haveSuites)('third-party suites', () => {
  let reports: FileReport[]
  beforeAll(async () => {
    reports = await runFolders([suppliedSuites])
  })

  it('differ exactly where the table of differences says so', () => {
    const known = new Map<string, { file: string; chunk: number; lines: number[] }>()
    for (const { file, chunk, lines } of differences) {
      const entry = known.get(`${file}:${chunk}`) ?? { file, chunk, lines: [] }
      known.set(`${file}:${chunk}`, { ...entry, lines: [...entry.lines, ...lines].sort((a, b) => a - b) })
    }
    const order = (a: { file: string; chunk: number }, b: { file: string; chunk: number }): number =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : a.chunk - b.chunk
    expect(summary(reports).sort(order)).toEqual([...known.values()].sort(order))
  })

  it('have their results in docs/conformance.md', () => {
    expect(readFileSync(documentFile, 'utf8')).toBe(documentText(reports))
  })

  it('have a chunk for every line of the checklist', () => {
    const items = checklistItems().map((item) => item.id)
    const tests = checklistTests()
    expect(items.length).toBeGreaterThan(160)
    expect(items.filter((id) => !tests.has(id))).toEqual([])
    expect([...tests.keys()].filter((id) => !items.includes(id))).toEqual([])
  })
})

describe('our own chunks', () => {
  it('have their expected outcomes', async () => {
    const reports = await runFolders([path.join(import.meta.dirname, '../interpreter/starlark')])
    const wrong = reports.flatMap(({ verdicts }) =>
      verdicts.flatMap((v) => v.failures.map((f) => ({ file: v.chunk.file, ...f }))),
    )
    expect(wrong).toEqual([])
    expect(reports.flatMap((r) => r.verdicts).length).toBeGreaterThan(360)
  })
})
