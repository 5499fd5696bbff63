// Third-party programs: those that must parse, and those that must fail on the marked lines. The folder lies beside the
// repository; where it is absent these tests are skipped.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from '../../../dist/interpreter/syntax/index.js'
import { adaptGo } from '../../conformance/adaptation.mjs'

const folder = path.join(import.meta.dirname, '../../../../shared/conformance')
const there = existsSync(folder)
if (!there) console.warn(`corpora.test.ts: no ${folder}, skipped`)

function files(...parts: string[]): string[] {
  if (!there) return []
  return readdirSync(path.join(folder, ...parts), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.star'))
    .map((name) => path.join(...parts, name))
    .sort()
}

/** The chunks of a file, with the line at which each starts. */
function chunks(file: string): { readonly line: number; readonly text: string }[] {
  let line = 1
  return readFileSync(path.join(folder, file), 'utf8')
    .split(/^---\n/m)
    .map((text) => {
      const chunk = { line, text }
      line += text.split('\n').length
      return chunk
    })
}

/** Line and message of every fault. Features of starlark-go's files that the specification lacks are removed first. */
function faults(text: string): { readonly line: number; readonly message: string }[] {
  return parse(adaptGo(text).text, { strict: true }).diagnostics.map((d) => ({
    line: d.span?.line ?? 0,
    message: d.message,
  }))
}

describe.skipIf(!there)('programs of other implementations', () => {
  it('are found', () => {
    expect(files('starlark-rust', 'parse').length).toBeGreaterThan(60)
    expect(files('starlark-go', 'syntax')).toHaveLength(2)
  })

  it.each(files('starlark-rust', 'parse'))('%s parses in both dialects', (file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    expect(faults(text)).toEqual([])
    expect(parse(text, { strict: false }).diagnostics).toEqual([])
  })

  it.each(files('starlark-go', 'syntax'))('%s fails where it says so', (file) => {
    for (const { line, text } of chunks(file)) {
      // starlark-go checks the order of parameters in a later stage, and this chunk only parses them.
      if (/^def f\(\*\*kwargs, \*args/m.test(text)) continue
      const lines = text.split('\n')
      const expected = lines.flatMap((l, i) => (/### *["`]/.test(l) ? [i + 1] : []))
      expect({ chunk: line, lines: faults(text).map((f) => f.line) }).toEqual({ chunk: line, lines: expected })
    }
  })

  it.each([
    ...files('starlark-go', 'eval'),
    ...files('starlark-go', 'struct'),
    ...files('bazelbuild-starlark'),
    ...files('bazel-java'),
  ])('%s parses but where it says so', (file) => {
    for (const { line, text } of chunks(file)) {
      const lines = text.split('\n')
      const unexpected = faults(text).filter((f) => !lines[f.line - 1]?.includes('###') && !/^###/m.test(text))
      expect({ chunk: line, unexpected }).toEqual({ chunk: line, unexpected: [] })
    }
  })

  it.each(files('starlark-go', 'resolve'))('%s gives the faults that need no names', (file) => {
    const grammar =
      /can't assign|positional argument may not|required parameter|may not follow|bare|multiple|duplicate parameter|keyword argument|augmented/
    for (const { line, text } of chunks(file)) {
      const lines = text.split('\n')
      const expected = lines.flatMap((l, i) => (grammar.test(l.split('###')[1] ?? '') ? [i + 1] : []))
      expect({ chunk: line, lines: [...new Set(faults(text).map((f) => f.line))] }).toEqual({
        chunk: line,
        lines: expected,
      })
    }
  })
})
