// The whole messages for programs that can't be parsed, for every fault and every refusal, in both dialects.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderDiagnostics } from '../../../dist/diagnostics/index.js'
import { parse } from '../../../dist/interpreter/syntax/index.js'
import { readGolden, testGolden } from './golden.js'

const outcome = (strict: boolean) => (program: string) =>
  renderDiagnostics(parse(program, { strict }).diagnostics, program)

describe('faults in the default dialect', () => testGolden('faults.txt', outcome(false)))

describe('faults in strict mode', () => testGolden('strict-faults.txt', outcome(true)))

describe('the golden files', () => {
  const all = [...readGolden('faults.txt'), ...readGolden('strict-faults.txt')].map((c) => c.expected).join('\n')
  const source = readFileSync(path.join(import.meta.dirname, '../../../src/interpreter/syntax/messages.ts'), 'utf8')

  it('show every code', () => {
    const codes = [...new Set([...source.matchAll(/\bfault\(\s*'([a-z-]+)'/g)].map((match) => match[1]))]
    expect(codes.length).toBeGreaterThan(40)
    // A chain that is too long is too long for a golden file: see bounds.test.ts.
    expect(codes.filter((code) => !all.includes(`[${code}]`))).toEqual(['chain-too-long'])
  })

  it('show every refusal of strict mode', () => {
    const table = source.slice(source.indexOf('const affordances'))
    const subjects = [...table.matchAll(/^ {2}\w+: \[(['"])(.*?)\1,/gm)].map((match) => match[2])
    expect(subjects.length).toBeGreaterThan(30)
    expect(subjects.filter((subject) => !all.includes(`${subject} not Starlark`))).toEqual([])
  })
})

describe('the number of reported faults', () => {
  it('is one for each broken statement, and ten at most', () => {
    const { diagnostics, file } = parse('x = = 1\n'.repeat(30), { strict: false })
    expect(diagnostics.map((d) => d.span?.line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(file.body).toEqual([])
  })

  it('leaves the correct statements in the tree', () => {
    const { file, diagnostics } = parse('a = 1\nb = = 2\ndef f():\n    c = (\n    return 1\nd = 4\n', { strict: false })
    expect(diagnostics.map((d) => d.code)).toEqual(['unexpected-token', 'unclosed-bracket'])
    expect(file.body.map((s) => file.text.slice(s.start, s.end))).toEqual([
      'a = 1',
      'def f():\n    c = (\n    return 1',
      'd = 4',
    ])
  })
})
