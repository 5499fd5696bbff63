// Every `@example` in the sources of the public names is a whole module, and compiles as a reader's own would: against the built package, under the
// strictest settings, with the providers' real types.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(root, 'test/.examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

const examples = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('interpreter'))
  .flatMap((file) => examplesOf(file, readFileSync(path.join(root, 'src', file), 'utf8')))

function examplesOf(file: string, source: string): { name: string; code: string }[] {
  return [...source.matchAll(/^( *) \* @example\n((?:\1 \*(?! @)(?!\/).*\n)+)/gm)].map((match) => {
    const line = source.slice(0, match.index).split('\n').length
    const code = match[2]!.replaceAll(new RegExp(`^${match[1]} \\* ?`, 'gm'), '')
    return { name: `${file.replaceAll('/', '-')}-${line}.ts`, code }
  })
}

it('there are examples', () => {
  expect(examples.length).toBeGreaterThan(5)
  expect(examples.filter(({ code }) => !code.includes("from 'starbind"))).toEqual([])
})

it('they compile', () => {
  for (const { name, code } of examples) writeFileSync(path.join(folder, name), code)
  const compilerOptions = { rootDir: root, noEmit: true, declaration: false, noUnusedLocals: false }
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, files: examples.map(({ name }) => name) }),
  )
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  expect(complaints(tsc)).toBe('')
})

function complaints(tsc: string): string {
  try {
    return execFileSync(process.execPath, [tsc, '-p', folder], { cwd: root, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
