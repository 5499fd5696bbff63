// Files of programs with expected outcomes: blocks between lines of `=====`, in which `-----` separates a program from
// its outcome. With STARBIND_UPDATE_GOLDEN=1 the outcomes are written instead of compared; read the difference before
// committing it.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

export interface Case {
  readonly program: string
  readonly expected: string
}

export function readGolden(name: string): Case[] {
  const text = readFileSync(fileOf(name), 'utf8')
  return text.split(/^=====\n/m).map((block) => {
    const [program = '', expected = ''] = block.split(/^-----\n/m)
    return { program: program.replace(/\n$/, ''), expected: expected.replace(/\n$/, '') }
  })
}

/** One test per program of the file. */
export function testGolden(name: string, outcome: (program: string) => string): void {
  const cases = readGolden(name)
  if (process.env.STARBIND_UPDATE_GOLDEN === '1') {
    const blocks = cases.map(({ program }) => `${program}\n-----\n${outcome(program)}\n`)
    writeFileSync(fileOf(name), blocks.join('=====\n'))
  }
  it.each(cases)('$program', ({ program, expected }) => {
    if (process.env.STARBIND_UPDATE_GOLDEN !== '1') expect(outcome(program)).toBe(expected)
  })
}

function fileOf(name: string): string {
  return path.join(import.meta.dirname, 'golden', name)
}
